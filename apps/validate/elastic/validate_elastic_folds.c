// Validation of elastic bodies under violence, in worlds: energy of midpoint steps in contact, blocks pressed
// flat and let go, jelly thrown on the floor and into water. Theory: docs/theory/elastic.md, "Folds" and
// "Contact"
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "validate/validate.h"

typedef struct fold_trial {
  int dimensions, across;
  double edge, young, poisson, damping, friction;
  mote_elastic_kind law;
  mote_integrator integrator;
  double gravity, height, velocity[3];
  bool plate;    // presses it to a fifth of its height within 0.5 s and leaves at 0.6 s
  double water;  // m deep, in a tank three edges wide; 0: none
} fold_trial;

static mote_result pour(mote_world *world, const fold_trial *t, mote_error *error) {
  mote_material_def water = mote_material_def_default();
  mote_body_def pool = mote_body_def_default();
  double half = 1.5 * t->edge;
  water.name = "water", pool.name = "pool", pool.material = "water";
  pool.shape = mote_shape_def_box(-half, 0.0, -half, half, t->water, half);
  mote_result result = mote_world_add_material(world, &water, NULL, error);
  return result ? result : mote_world_add_body(world, &pool, NULL, error);
}

static mote_result fill(mote_world *world, const fold_trial *t, mote_error *error) {
  mote_material_def material;
  mote_body_def body = mote_body_def_default();
  mote_collider_def plate = mote_collider_def_default();
  double half = 0.5 * t->edge, top = t->height + t->edge;
  char motion[96];
  (void)mote_material_def_preset("jelly", &material);
  material.name = "stuff", material.friction = t->friction, material.elastic.law = t->law;
  material.elastic.young = t->young, material.elastic.poisson = t->poisson;
  material.elastic.strain_damping = t->damping, material.elastic.integrator = t->integrator;
  body.name = "block", body.material = "stuff";
  body.shape = mote_shape_def_box(-half, t->height, -half, half, top, half);
  body.velocity = mote_value3_make(t->velocity[0], t->velocity[1], t->velocity[2]);
  mote_result result = mote_world_add_material(world, &material, NULL, error);
  if (!result) result = mote_world_add_body(world, &body, NULL, error);
  if (!result && t->water > 0.0) result = pour(world, t, error);
  if (result || !t->plate) return result;
  plate.name = "plate", plate.shape = mote_shape_def_box(-2.0, top, -2.0, 2.0, top + 0.1, 2.0);
  snprintf(motion, sizeof motion, "-%.9g*min(2*t, 1) + 2*max(0, t - 0.6)", 0.8 * t->edge);
  plate.motion.move.y.formula = motion;
  return mote_world_add_collider(world, &plate, NULL, error);
}

static mote_world *make(validation *v, const fold_trial *t) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  mote_error error;
  def.dimensions = t->dimensions, def.spacing = t->edge / t->across, def.gravity[1] = -t->gravity;
  def.low[1] = 0.0, def.side[1][0] = MOTE_SIDE_WALL;
  for (int k = 0; k < 3 && t->water > 0.0; k += 2) {
    def.low[k] = -1.5 * t->edge, def.high[k] = 1.5 * t->edge;
    def.side[k][0] = def.side[k][1] = MOTE_SIDE_WALL;
  }
  mote_result result = mote_world_create(&def, validation_env(v), &world, &error);
  if (!result) result = fill(world, t, &error);
  if (!result) return world;
  validation_error(v, &error);
  mote_world_destroy(world);
  return NULL;
}

// What is seen at the ends of frames, and after every step of the energy.
typedef struct fold_result {
  double energy;  // the greatest over the first
  double volume_least, volume_end;
  size_t frames;    // the most in a row with inverted cells
  size_t inverted;  // cells in the end
} fold_result;

static double energy_of(const mote_totals *t) {
  return t->kinetic_energy + t->potential_energy + t->elastic_energy;
}

static size_t particle_at(const fold_trial *t, size_t cell, int corner) {
  APP_ASSERT(t->across > 1 && corner >= 0 && corner < 8);
  size_t n = (size_t)t->across, m = n - 1, x = cell % m, y = cell / m % m, z = cell / m / m;
  x += (size_t)(corner & 1), y += (size_t)(corner >> 1 & 1), z += (size_t)(corner >> 2 & 1);
  return x + n * (y + n * z);
}

// Places of the particles by their rows at rest: x fastest.
static void sort_by_rest(const mote_world *world, const fold_trial *t, double (*at)[3]) {
  const double *x = mote_world_elastic_view(world, "position").data,
               *X = mote_world_elastic_view(world, "rest").data;
  double d = t->edge / t->across,
         low[3] = {-0.5 * t->edge, t->height, t->dimensions == 3 ? -0.5 * t->edge : 0.0};
  for (size_t i = 0; i < mote_world_elastic_particles(world); ++i) {
    size_t place = 0, times = 1;
    for (int k = 0; k < t->dimensions; ++k, times *= (size_t)t->across)
      place += times * (size_t)floor((X[3 * i + (size_t)k] - low[k]) / d);
    APP_ASSERT(place < times);
    for (int k = 0; k < 3; ++k) at[place][k] = x[3 * i + (size_t)k];
  }
}

static double spanned(const double *o, const double *p, const double *q, const double *r) {
  double a[3], b[3], c[3];
  for (int k = 0; k < 3; ++k) a[k] = p[k] - o[k], b[k] = q[k] - o[k], c[k] = r[k] - o[k];
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Of a cell between eight particles: six tetrahedra about its diagonal. In 2D of a cell one metre deep.
static double cell_volume(const fold_trial *t, const double (*at)[3], size_t cell) {
  static const int order[6][2] = {{1, 3}, {2, 6}, {4, 5}, {1, 5}, {4, 6}, {2, 3}};
  double sum = 0.0;
  if (t->dimensions == 2) {
    const double *a = at[particle_at(t, cell, 0)], *b = at[particle_at(t, cell, 1)],
                 *c = at[particle_at(t, cell, 3)], *d = at[particle_at(t, cell, 2)];
    return 0.5 * ((c[0] - a[0]) * (d[1] - b[1]) - (c[1] - a[1]) * (d[0] - b[0]));
  }
  for (int k = 0; k < 6; ++k) {
    double one = spanned(at[particle_at(t, cell, 0)], at[particle_at(t, cell, order[k][0])],
                         at[particle_at(t, cell, order[k][1])], at[particle_at(t, cell, 7)]);
    sum += (k < 3 ? one : -one) / 6.0;
  }
  return sum;
}

// Volume of all cells over that at rest, and how many have a negative one.
static double measure_cells(const mote_world *world, const fold_trial *t, size_t *inverted) {
  static double at[1000][3];
  size_t m = (size_t)t->across - 1, cells = t->dimensions == 3 ? m * m * m : m * m;
  double sum = 0.0, d = t->edge / t->across;
  *inverted = 0;
  if (mote_world_elastic_particles(world) > 1000) return (double)NAN;
  sort_by_rest(world, t, at);
  for (size_t k = 0; k < cells; ++k) {
    double volume = cell_volume(t, (const double(*)[3])at, k);
    sum += volume;
    *inverted += !(volume > 0.0);
  }
  return sum / ((double)cells * (t->dimensions == 3 ? d * d * d : d * d));
}

static bool run_frames(validation *v, mote_world *world, const fold_trial *trial, int frames,
                       fold_result *out) {
  APP_ASSERT(frames > 0);
  mote_totals t;
  mote_error error;
  double first = 0.0;
  size_t row = 0;
  *out = (fold_result){.volume_least = 1.0};
  for (int k = 1; k <= frames; ++k) {
    while (mote_world_time(world) < k / 25.0) {
      if (mote_world_totals(world, &t, &error) || mote_world_step(world, k / 25.0, &error)) {
        validation_error(v, &error);
        return false;
      }
      if (first == 0.0) first = energy_of(&t);
      out->energy = fmax(out->energy, energy_of(&t) / first);
    }
    out->volume_end = measure_cells(world, trial, &out->inverted);
    row = out->inverted > 0 ? row + 1 : 0;
    if (row > out->frames) out->frames = row;
    out->volume_least = fmin(out->volume_least, out->volume_end);
  }
  return true;
}

static const char *const law_names[] = {"svk", "corotated", "neo_hookean"};

void validate_elastic_midpoint(validation *v) {
  static const double young[] = {1e6, 1e7, 1e9};
  for (int c = 0; c < 18; ++c) {
    fold_trial t = {.dimensions = 2, .across = 6, .edge = 0.3, .young = young[c / 2 % 3], .poisson = 0.3};
    t.friction = c % 2 == 0 ? 0.0 : 0.5, t.law = (mote_elastic_kind)(c / 6);
    t.integrator = MOTE_INTEGRATOR_MIDPOINT, t.gravity = 9.81, t.height = 0.01;
    t.velocity[0] = 0.5, t.velocity[1] = -1.0;
    mote_world *world = make(v, &t);
    fold_result r;
    char name[96];
    if (world == NULL) return;
    snprintf(name, sizeof name, "greatest energy, midpoint, %s, E %.0e, friction %g", law_names[t.law],
             t.young, t.friction);
    if (run_frames(v, world, &t, validation_quick(v) ? 5 : 25, &r))
      validation_near(v, name, r.energy, 1.0, 0.001, "kept");
    mote_world_destroy(world);
  }
}

static void compress(validation *v, const fold_trial *t) {
  static const char *const by[] = {"", "explicit", "implicit", "midpoint"};
  mote_world *world = make(v, t);
  fold_result r;
  char name[96];
  if (world == NULL) return;
  snprintf(name, sizeof name, "pressed to a fifth, %dD, %s, %s, %d across: ", t->dimensions,
           law_names[t->law], by[t->integrator], t->across);
  size_t length = strlen(name);
  if (run_frames(v, world, t, 35, &r)) {
    bool svk = t->law == MOTE_ELASTIC_SAINT_VENANT;
    snprintf(name + length, sizeof name - length, svk ? "reported" : "inverted");
    bool named = strstr(mote_inversion_text(mote_world_inversion_report(world)), "neo_hookean") != NULL;
    validation_near(v, name, svk ? named : (double)r.inverted, svk, 0.0, svk ? "names others" : "comes back");
    snprintf(name + length, sizeof name - length, "volume");
    if (!svk) validation_near(v, name, r.volume_end, 1.0, 0.01, "comes back");
  }
  mote_world_destroy(world);
}

void validate_elastic_folds(validation *v) {
  bool quick = validation_quick(v);
  for (int c = 0; c < (quick ? 3 : 18); ++c) {
    fold_trial t = {
        .dimensions = 2, .edge = 0.3, .young = 1e5, .poisson = 0.3, .damping = 0.005, .plate = true};
    t.across = 6 + 2 * (c / 6), t.law = (mote_elastic_kind)(c % 3);
    t.integrator = MOTE_INTEGRATOR_IMPLICIT;
    compress(v, &t);
    t.integrator = c / 3 % 2 == 0 ? MOTE_INTEGRATOR_EXPLICIT : MOTE_INTEGRATOR_MIDPOINT;
    if (!quick && t.law != MOTE_ELASTIC_SAINT_VENANT) compress(v, &t);
  }
}

// The 18 cm of the preset jelly, thrown on the floor, or into 25 cm of water from just above it.
static void throw_jelly(validation *v, int throw, int across, double poisson, double water, int frames) {
  static const double velocity[3][3] = {{1.2, -1.0, 0.0}, {2.0, -1.5, 0.5}, {0.0, -2.0, 0.0}};
  fold_trial t = {.dimensions = 3, .across = across, .edge = 0.18, .young = 5e3, .poisson = poisson};
  t.damping = 2e-3, t.friction = 0.5, t.law = MOTE_ELASTIC_NEO_HOOKEAN, t.water = water;
  t.integrator = MOTE_INTEGRATOR_IMPLICIT, t.gravity = 9.81, t.height = water > 0.0 ? water + 0.01 : 0.06;
  for (int k = 0; k < 3; ++k) t.velocity[k] = velocity[throw][k];
  bool exact = poisson > 0.495;
  mote_world *world = make(v, &t);
  fold_result r;
  char name[96];
  if (world == NULL) return;
  snprintf(name, sizeof name,
           "thrown %swith %g, %g m/s, nu %g, %d across: ", water > 0.0 ? "into water " : "", t.velocity[0],
           t.velocity[1], t.poisson, t.across);
  size_t length = strlen(name);
  if (run_frames(v, world, &t, frames, &r)) {
    snprintf(name + length, sizeof name - length, "frames inverted");
    validation_near(v, name, (double)r.frames, 0.0, 3.0, "few after a blow");
    snprintf(name + length, sizeof name - length, "least volume");
    validation_near(v, name, r.volume_least, 1.0, exact ? 0.02 : 0.15, "nearly incompressible");
    snprintf(name + length, sizeof name - length, "volume in the end");
    validation_near(v, name, r.volume_end, 1.0, exact ? 0.02 : 0.04, "nearly incompressible");
  }
  mote_world_destroy(world);
}

void validate_elastic_jelly(validation *v) {
  if (validation_quick(v)) {
    throw_jelly(v, 0, 5, 0.49, 0.0, 6);
    return;
  }
  for (int c = 0; c < (validation_release(v) ? 18 : 9); ++c)
    throw_jelly(v, c % 3, 6 + 2 * (c / 3 % 3), c < 9 ? 0.49 : 0.499, 0.0, 12);
  for (int c = 0; c < 3 && !validation_release(v); ++c) throw_jelly(v, c, 6, 0.499, 0.0, 12);
}

void validate_elastic_jelly_water(validation *v) {
  if (validation_quick(v)) {
    throw_jelly(v, 0, 5, 0.49, 0.25, 6);
    return;
  }
  for (int c = 0; c < 3; ++c) throw_jelly(v, c, 6, 0.49, 0.25, 12);
}

static void throw_finer(validation *v, int across, double poisson) {
  if (!validation_release(v)) {
    validation_skip(v, "some minutes long, with --release only");
    return;
  }
  for (int c = 0; c < 3; ++c) throw_jelly(v, c, across, poisson, 0.25, 12);
}

void validate_elastic_jelly_water_8(validation *v) {
  throw_finer(v, 8, 0.49);
}

void validate_elastic_jelly_water_10(validation *v) {
  throw_finer(v, 10, 0.49);
}

void validate_elastic_jelly_water_499_6(validation *v) {
  throw_finer(v, 6, 0.499);
}

void validate_elastic_jelly_water_499_8(validation *v) {
  throw_finer(v, 8, 0.499);
}

void validate_elastic_jelly_water_499_10(validation *v) {
  throw_finer(v, 10, 0.499);
}
