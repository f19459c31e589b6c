// Validation of the world: starting volumes, still water in three vessels, bullets into thin walls, frames on
// time, and the same flow far from the origin. /docs/theory/world.md, docs/theory/fluids.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate.h"
#include "vessels.h"

#define G 9.81

static void report(validation *v, const char *name, double value, double reference, double tolerance,
                   const char *source) {
  measure m = {name, MEASURE_NEAR, value, reference, tolerance, source};
  validation_report(v, &m);
}

// --- Starting volume ------------------------------------------------------------------------------------

static void fill_one(validation *v, const char *label, const mote_shape_def *def, int dimensions,
                     mote_fill_kind kind, double spacing) {
  mote_error error;
  mote_shape *shape = NULL;
  mote_samples samples = {0};
  double volume = 0.0;
  if (mote_shape_create(def, dimensions, validation_env(v), &shape, &error) ||
      mote_shape_volume(shape, &volume, &error) ||
      mote_shape_fill(shape, spacing, kind, 1, 1000000, validation_env(v), &samples, &error)) {
    validation_error(v, &error);
  } else {
    static const char *const kinds[] = {"cubic", "hexagonal", "relaxed"};
    char name[80];
    snprintf(name, sizeof name, "particles d^%d / volume, %s, %s", dimensions, label, kinds[kind]);
    double ideal = dimensions == 2 ? spacing * spacing : spacing * spacing * spacing;
    report(v, name, (double)samples.count * ideal / volume, 1.0, 0.01, "exact");
  }
  mote_samples_free(&samples, validation_env(v));
  mote_shape_destroy(shape);
}

static void run_fill(validation *v) {
  mote_shape_def torus = mote_shape_def_default(), figure = mote_shape_def_default(), cut[2];
  torus.kind = MOTE_SHAPE_TORUS;
  torus.radius = 0.7, torus.thickness = 0.3, torus.normal[1] = 1.0;
  figure.kind = MOTE_SHAPE_FIGURE;
  cut[0] = mote_shape_def_sphere(0, 0, 0, 1);
  cut[1] = mote_shape_def_box(0, 0, -2, 2, 2, 2);
  mote_shape_def quarter = mote_shape_def_default(), box = mote_shape_def_box(0, 0, 0, 1.03, 0.77, 0.51);
  quarter.kind = MOTE_SHAPE_DIFFERENCE;
  quarter.part = cut, quarter.parts = 2;
  for (mote_fill_kind kind = MOTE_FILL_CUBIC; kind <= MOTE_FILL_RELAXED; ++kind) {
    fill_one(v, "sphere R = 20 d", &cut[0], 3, kind, 0.05);
    fill_one(v, "torus", &torus, 3, kind, 0.04);
    fill_one(v, "figure", &figure, 3, kind, 0.05);
    fill_one(v, "sphere less a quarter", &quarter, 3, kind, 0.05);
    fill_one(v, "box", &box, 3, kind, 0.02);
    fill_one(v, "disc R = 20 d", &cut[0], 2, kind, 0.05);
  }
}

// --- Still water ------------------------------------------------------------------------------------------

typedef struct still {
  double begin, end;    // levels
  double early, late;   // kinetic energies, means
  double slope, speed;  // of p over depth, as a part of rho g; the fastest at the end
  size_t particles_begin, particles_end;
  double seconds;
} still;

// Sums of a straight line through p(y).
typedef struct line_fit {
  double n, y, p, yy, yp;
} line_fit;

// Particles deeper than two spacings below the surface and farther than two from the floor: rows next to
// either have one-sided neighbourhoods.
static void add_pressures(const mote_world *world, double floor, double surface, double margin,
                          line_fit *fit) {
  mote_field_view x = mote_world_view(world, "position"), p = mote_world_view(world, "pressure");
  const double *position = x.data;
  const float *pressure = p.data;
  for (size_t i = 0; i < x.count; ++i) {
    double y = position[3 * i + 1];
    if (y < floor + margin || y > surface - margin) continue;
    fit->n += 1, fit->y += y, fit->p += (double)pressure[i], fit->yy += y * y,
        fit->yp += y * (double)pressure[i];
  }
}

static double fit_slope(const line_fit *fit) {
  return (fit->n * fit->yp - fit->y * fit->p) / (fit->n * fit->yy - fit->y * fit->y);
}

static mote_result level_of(mote_world *world, mote_probe probe, double *level, mote_error *error) {
  mote_reading reading;
  mote_result result = mote_world_probe(world, probe, &reading, error);
  *level = reading.level;
  return result;
}

// Frames of 1/10 s: levels at the first second and at the end, energies early (2nd to 5th second, or tenth)
// and late, pressures over the last fifth.
static mote_result stand(const vessel *pool, double seconds, const mote_env *env, still *out,
                         mote_error *error) {
  mote_world *world = NULL;
  mote_probe gauge;
  mote_result result = vessel_create(pool, env, &world, &gauge, error);
  line_fit fit = {0};
  int frames = (int)(seconds * 10.0), late = 0, early = 0;
  *out = (still){.seconds = seconds};
  for (int k = 1; k <= frames && result == MOTE_OK; ++k) {
    if (k == 1) out->particles_begin = mote_world_particles(world);
    result = mote_world_advance(world, k / 10.0, error);
    if (result != MOTE_OK) break;
    mote_totals totals;
    result = mote_world_totals(world, &totals, error);
    if (k == 10) result = level_of(world, gauge, &out->begin, error);
    if (k > frames / 10 && k <= frames / 4) out->early += totals.kinetic_energy, ++early;
    if (k > frames - frames / 5) {
      out->late += totals.kinetic_energy, ++late;
      add_pressures(world, pool->floor, pool->floor + pool->depth, 2.5 * pool->def.spacing, &fit);
    }
    out->speed = totals.speed_max;
  }
  if (result == MOTE_OK) result = level_of(world, gauge, &out->end, error);
  if (result == MOTE_OK) {
    out->particles_end = mote_world_particles(world);
    out->early /= early, out->late /= late;
    out->slope = -fit_slope(&fit) / (mote_material_def_default().density * G);
  }
  mote_world_destroy(world);
  return result;
}

static void report_still(validation *v, const char *label, const vessel *pool, const still *s) {
  char name[128];
  double d = pool->def.spacing, root = sqrt(G * pool->depth);
#define NAME(text) (snprintf(name, sizeof name, "%s, %s", text, label), name)
  report(v, NAME("particles lost"), (double)s->particles_begin - (double)s->particles_end, 0.0, 0.0, "exact");
  report(v, NAME("level at the end - at 1 s, in d"), (s->end - s->begin) / d, 0.0, 0.5, "validation: 0.5 d");
  report(v, NAME("level at the end - nominal, in d"), (s->end - pool->depth) / d, 0.0, 0.5,
         "validation: 0.5 d");
  report(v, NAME("slope of p(y) / (rho g)"), s->slope, 1.0, 0.02, "hydrostatics");
  report(v, NAME("largest speed at the end / sqrt(gH)"), s->speed / root, 0.0, 0.01, "noise: 0.01");
  report(v, NAME("late / early kinetic energy, above 1"), fmax(s->late / s->early, 1.0), 1.0, 0.0, "falls");
#undef NAME
}

static void run_still(validation *v) {
  static const char *const solvers[] = {"WCSPH", "DFSPH"};
  for (int kind = 0; kind < VESSEL_KINDS; ++kind) {
    for (int pressure = 0; pressure < MOTE_PRESSURE_KINDS; ++pressure) {
      vessel pool;
      vessel_make((vessel_kind)kind, (mote_pressure_kind)pressure, validation_quick(v), &pool);
      mote_error error;
      still s;
      if (stand(&pool, validation_quick(v) ? 5.0 : 60.0, validation_env(v), &s, &error)) {
        validation_error(v, &error);
        continue;
      }
      char label[64];
      snprintf(label, sizeof label, "%s, %s", vessel_name((vessel_kind)kind), solvers[pressure]);
      report_still(v, label, &pool, &s);
    }
  }
}

// --- A bullet into a thin-walled corner --------------------------------------------------------------------

static size_t outside(const mote_world *world, double side) {
  mote_field_view x = mote_world_view(world, "position");
  const double *position = x.data;
  size_t count = 0;
  for (size_t i = 0; i < x.count; ++i) {
    bool in = true;
    for (int a = 0; a < 3; ++a) in = in && position[3 * i + a] > 0.0 && position[3 * i + a] < side;
    count += !in;
  }
  return count;
}

static void run_bullet(validation *v) {
  const double d = 0.02, side = 0.5, wall = 1e-3 * d;
  mote_shape_def part[2] = {mote_shape_def_box(-wall, -wall, -wall, side + wall, side + wall, side + wall),
                            mote_shape_def_box(0, 0, 0, side, side, side)};
  mote_world_def def = mote_world_def_default();
  def.spacing = d;
  mote_material_def water = mote_material_def_default();
  mote_collider_def box = mote_collider_def_default();
  box.name = "box", box.shape.kind = MOTE_SHAPE_DIFFERENCE, box.shape.part = part, box.shape.parts = 2;
  mote_body_def bullet = mote_body_def_default();
  bullet.name = "bullet", bullet.material = water.name;
  bullet.shape = mote_shape_def_box(0.2, 0.2, 0.2, 0.36, 0.36, 0.36);
  bullet.velocity = mote_value3_make(-57.735, -57.735, -57.735);
  mote_error error;
  mote_world *world = NULL;
  if (mote_world_create(&def, validation_env(v), &world, &error) ||
      mote_world_add_material(world, &water, NULL, &error) ||
      mote_world_add_collider(world, &box, NULL, &error) ||
      mote_world_add_body(world, &bullet, NULL, &error) || mote_world_advance(world, 0.02, &error) ||
      mote_world_advance(world, validation_quick(v) ? 0.1 : 0.5, &error)) {
    validation_error(v, &error);
  } else {
    report(v, "particles of a bullet of 100 m/s", (double)mote_world_particles(world), 512.0, 0.0,
           "8 x 8 x 8");
    report(v, "of them outside walls d/1000 thick", (double)outside(world, side), 0.0, 0.0, "exact");
  }
  mote_world_destroy(world);
}

// --- Frames on time, far from the origin -------------------------------------------------------------------

// A column that falls over in 2D, moved by `shift` along x and y; positions less the shift at `end`, by id.
static mote_result fallen(double shift, double end, const mote_env *env, double **out, size_t *count,
                          double *time, mote_error *error) {
  mote_world_def def = mote_world_def_default();
  def.dimensions = 2, def.spacing = 0.02;
  for (int a = 0; a < 2; ++a) {
    def.low[a] = shift, def.high[a] = shift + 1.0;
    def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  }
  mote_material_def water = mote_material_def_default();
  mote_body_def column = mote_body_def_default();
  column.name = "column", column.material = water.name;
  column.shape = mote_shape_def_box(shift, shift, 0, shift + 0.3, shift + 0.6, 0);
  mote_world *world = NULL;
  *out = NULL;
  mote_result result = mote_world_create(&def, env, &world, error);
  if (!result) result = mote_world_add_material(world, &water, NULL, error);
  if (!result) result = mote_world_add_body(world, &column, NULL, error);
  for (int k = 1; k <= 30 && !result; ++k) result = mote_world_advance(world, k * end / 30.0, error);
  if (!result) {
    mote_field_view x = mote_world_view(world, "position"), id = mote_world_view(world, "id");
    *count = x.count, *time = mote_world_time(world);
    *out = calloc(3 * x.count + 1, sizeof(double));
    if (*out == NULL) abort();
    for (size_t i = 0; i < x.count; ++i) {
      uint64_t k = ((const uint64_t *)id.data)[i];
      for (int a = 0; a < 2 && k < x.count; ++a)
        (*out)[3 * k + a] = ((const double *)x.data)[3 * i + a] - shift;
    }
  }
  mote_world_destroy(world);
  return result;
}

static void run_far(validation *v) {
  const double end = 0.1, shift = 131072.0;  // m: so that positions are rounded alike
  double *near = NULL, *far = NULL, time[2] = {0}, worst = 0.0;
  size_t count[2] = {0};
  mote_error error;
  if (fallen(0.0, end, validation_env(v), &near, &count[0], &time[0], &error) ||
      fallen(shift, end, validation_env(v), &far, &count[1], &time[1], &error)) {
    validation_error(v, &error);
  } else {
    for (size_t k = 0; k < 3 * count[0] && count[0] == count[1]; ++k)
      worst = fmax(worst, fabs(near[k] - far[k]));
    report(v, "particles there - here", (double)count[1] - (double)count[0], 0.0, 0.0, "exact");
    report(v, "largest difference of places, in d, 131 km away", worst / 0.02, 0.0, 0.05,
           "rounding, amplified");
    report(v, "time after 30 frames - asked for", time[0] - end, 0.0, 0.0, "exact");
  }
  free(near);
  free(far);
}

const validation_case validate_world_cases[] = {
    {"world-fill", "world", "starting volume: particles in shapes", run_fill},
    {"world-still", "world", "still water in a box, an L-shaped mesh and a sphere", run_still},
    {"world-bullet", "world", "water of 100 m/s into a thin-walled corner", run_bullet},
    {"world-far", "world", "frames on time, and the same flow 131 km from the origin", run_far},
    {NULL, NULL, NULL, NULL},
};
