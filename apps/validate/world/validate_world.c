// Validation of the world: starting volumes, still water in three vessels, bullets into thin walls, frames on
// time, and the same flow far from the origin. docs/theory/world.md, docs/theory/fluids.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/validate.h"
#include "validate/world/vessels.h"

#define G 9.81

// --- Starting volume ------------------------------------------------------------------------------------

// Mean density over those at least a support inside, of particles that share the shape's volume evenly.
static mote_result inner_density(const mote_shape *shape, const mote_samples *samples, int dimensions,
                                 double spacing, const mote_env *env, double *density, mote_error *error) {
  mote_sph_def def = mote_sph_def_default();
  def.domain = mote_domain_open(dimensions), def.kernel = MOTE_KERNEL_WENDLAND_C2, def.radius = 3.0 * spacing;
  def.position = samples->position, def.mass = samples->volume, def.count = samples->count;
  mote_sph *sph;
  mote_result result = mote_sph_create(&def, env, &sph, error);
  if (result) return result;
  double sum = 0.0, count = 0.0;
  for (size_t i = 0; i < samples->count; ++i) {
    if (mote_shape_distance(shape, samples->position + 3 * i) > -def.radius) continue;
    sum += mote_sph_density(sph)[i], count += 1.0;
  }
  *density = sum / count;
  mote_sph_destroy(sph);
  return MOTE_OK;
}

static void fill_one(validation *v, const char *label, const mote_shape_def *def, int dimensions,
                     mote_fill_kind kind, double spacing) {
  static const char *const kinds[] = {"cubic", "hexagonal", "relaxed"};
  const mote_env *env = validation_env(v);
  mote_error error;
  mote_shape *shape = NULL;
  mote_samples samples = {0};
  double density = 0.0;
  if (mote_shape_create(def, dimensions, env, &shape, &error) ||
      mote_shape_fill(shape, spacing, kind, 1, 1000000, env, &samples, &error) ||
      inner_density(shape, &samples, dimensions, spacing, env, &density, &error)) {
    validation_error(v, &error);
  } else {
    char name[80];
    snprintf(name, sizeof name, "density inside, %dD %s, %s", dimensions, label, kinds[kind]);
    validation_near(v, name, density, 1.0, 0.01, "volume within 1 %");
  }
  mote_samples_free(&samples, env);
  mote_shape_destroy(shape);
}

void validate_world_fill(validation *v) {
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
  double begin, end;            // levels
  double early, late;           // kinetic energies, means
  double slope;                 // of p over depth, as a part of rho g
  double slope_to_floor;        // the same, with the rows next to the floor
  double speed_rms, speed_max;  // at the end
  size_t particles_begin, particles_end;
} still;

static mote_result level_of(mote_world *world, mote_probe probe, double *level, mote_error *error) {
  mote_reading reading;
  mote_result result = mote_world_probe(world, probe, &reading, error);
  *level = reading.level;
  return result;
}

// Frames of 1/10 s: levels at the first second and at the end, energies early (the second tenth of the time)
// and late (the last fifth), pressures late.
static mote_result stand_in(mote_world *world, mote_probe gauge, const vessel *pool, int frames, still *out,
                            mote_error *error) {
  vessel_fit inner = {0}, to_floor = {0};
  mote_totals totals = {0};
  *out = (still){.particles_begin = mote_world_particles(world)};
  for (int k = 1; k <= frames; ++k) {
    mote_result result = mote_world_advance(world, k / 10.0, error);
    if (!result) result = mote_world_totals(world, &totals, error);
    if (!result && k == frames / 6) result = level_of(world, gauge, &out->begin, error);
    if (result) return result;
    if (k > frames / 10 && k <= frames / 5) out->early += totals.kinetic_energy / (frames / 10);
    if (k <= frames - frames / 5) continue;
    out->late += totals.kinetic_energy / (frames / 5);
    vessel_add_pressures(world, pool, &inner, &to_floor);
  }
  out->particles_end = totals.particles;
  out->speed_max = totals.speed_max;
  out->speed_rms = sqrt(2.0 * totals.kinetic_energy / totals.mass);
  out->slope = vessel_slope(&inner);
  out->slope_to_floor = vessel_slope(&to_floor);
  return level_of(world, gauge, &out->end, error);
}

static mote_result stand(const vessel *pool, int frames, const mote_env *env, still *out, mote_error *error) {
  mote_world *world = NULL;
  mote_probe gauge;
  mote_result result = vessel_create(pool, env, &world, &gauge, error);
  if (!result) result = stand_in(world, gauge, pool, frames, out, error);
  mote_world_destroy(world);
  return result;
}

static void report_still(validation *v, const char *label, const vessel *pool, const still *s) {
  char name[128];
  double d = pool->def.spacing, root = sqrt(G * pool->depth);
#define NAME(text) (snprintf(name, sizeof name, "%s, %s", text, label), name)
  validation_near(v, NAME("particles lost"), (double)s->particles_begin - (double)s->particles_end, 0.0, 0.0,
                  "exact");
  validation_near(v, NAME("level at the end - after a sixth, in d"), (s->end - s->begin) / d, 0.0, 0.5,
                  "half a spacing");
  validation_near(v, NAME("level at the end - nominal, in d"), (s->end - pool->depth) / d, 0.0, 0.5,
                  "half a spacing");
  validation_near(v, NAME("slope of p(y) / (rho g)"), s->slope, 1.0, 0.02, "hydrostatics");
  measure whole = {
      NAME("the same with the rows next to the floor"), MEASURE_SHOWN, s->slope_to_floor, 1.0, 0.0, ""};
  validation_report(v, &whole);
  validation_near(v, NAME("late / early kinetic energy, above 1"), fmax(s->late / s->early, 1.0), 1.0, 0.0,
                  "falls");
  measure rms = {
      NAME("rms speed at the end / sqrt(gH)"), MEASURE_NEAR, s->speed_rms / root, 0.0, 0.01, "noise"};
  if (validation_quick(v)) rms.kind = MEASURE_SHOWN;  // it takes longer to come to rest
  validation_report(v, &rms);
  measure most = {
      NAME("largest speed at the end / sqrt(gH)"), MEASURE_SHOWN, s->speed_max / root, 0.0, 0.0, ""};
  validation_report(v, &most);
#undef NAME
}

void validate_world_still(validation *v) {
  static const char *const solvers[] = {"WCSPH", "DFSPH", "PCISPH"};
  int kinds = validation_quick(v) ? 1 : VESSEL_KINDS;
  for (int kind = 0; kind < kinds; ++kind) {
    for (int pressure = 0; pressure < MOTE_PRESSURE_KINDS; ++pressure) {
      vessel pool;
      vessel_make((vessel_kind)kind, (mote_pressure_kind)pressure, 10, &pool);
      mote_error error;
      still s = {0};
      int quick_frames = pressure == MOTE_PRESSURE_WCSPH ? 50 : 30;  // it comes to rest more slowly
      if (stand(&pool, validation_quick(v) ? quick_frames : 600, validation_env(v), &s, &error)) {
        validation_error(v, &error);
        continue;
      }
      char label[64];
      snprintf(label, sizeof label, "%s, %s", vessel_name((vessel_kind)kind), solvers[pressure]);
      report_still(v, label, &pool, &s);
    }
  }
}

// --- Pressure over depth ----------------------------------------------------------------------------------

// Twenty rows. The last fifth of the time.
static mote_result depth_slope(const vessel *pool, int frames, const mote_env *env, double *slope,
                               mote_error *error) {
  mote_world *world = NULL;
  mote_probe gauge;
  vessel_fit inner = {0}, to_floor = {0};
  mote_result result = vessel_create(pool, env, &world, &gauge, error);
  for (int k = 1; k <= frames && !result; ++k) {
    result = mote_world_advance(world, k / 10.0, error);
    if (k > frames - frames / 5) vessel_add_pressures(world, pool, &inner, &to_floor);
  }
  *slope = vessel_slope(&inner);
  mote_world_destroy(world);
  return result;
}

void validate_world_depth(validation *v) {
  static const char *const names[] = {"slope of p(y) / (rho g), all columns, WCSPH",
                                      "slope of p(y) / (rho g), all columns, DFSPH",
                                      "slope of p(y) / (rho g), all columns, PCISPH"};
  bool quick = validation_quick(v);
  for (int pressure = 0; pressure < MOTE_PRESSURE_KINDS; ++pressure) {
    if (quick && pressure != MOTE_PRESSURE_DFSPH) continue;
    vessel pool;
    mote_error error;
    double slope;
    vessel_make(VESSEL_BOX, (mote_pressure_kind)pressure, 20, &pool);
    if (depth_slope(&pool, quick ? 10 : 50, validation_env(v), &slope, &error)) {
      validation_error(v, &error);
    } else {
      validation_near(v, names[pressure], slope, 1.0, 0.02, "hydrostatics");
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

void validate_world_bullet(validation *v) {
  const double d = 0.02, side = 0.5, wall = 1e-3 * d;
  mote_shape_def part[2] = {mote_shape_def_box(-wall, -wall, -wall, side + wall, side + wall, side + wall),
                            mote_shape_def_box(0, 0, 0, side, side, side)};
  mote_world_def def = mote_world_def_default();
  def.spacing = d;
  mote_material_def water = mote_material_def_default();
  mote_collider_def box = mote_collider_def_default();
  box.name = "box", box.shape.kind = MOTE_SHAPE_DIFFERENCE, box.shape.part = part, box.shape.parts = 2;
  mote_body_def bullet = mote_body_def_default();
  bullet.name = "bullet", bullet.material = water.name, bullet.fill = MOTE_FILL_CUBIC;
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
    validation_near(v, "particles of a bullet of 100 m/s", (double)mote_world_particles(world), 512.0, 0.0,
                    "8 x 8 x 8");
    validation_near(v, "of them outside walls d/1000 thick", (double)outside(world, side), 0.0, 0.0, "exact");
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

void validate_world_far(validation *v) {
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
    validation_near(v, "particles there - here", (double)count[1] - (double)count[0], 0.0, 0.0, "exact");
    validation_near(v, "largest difference of places, in d, 131 km away", worst / 0.02, 0.0, 0.05,
                    "rounding, amplified");
    validation_near(v, "time after 30 frames - asked for", time[0] - end, 0.0, 0.0, "exact");
  }
  free(near);
  free(far);
}
