// The weakly compressible family: which forms keep momentum, gradients that are right on linear fields,
// densities that are followed between walls, and shifts, for any number of threads.
#include "base/hash.h"
#include "fluid/gradient_correction.h"
#include "fluid/shifting.h"
#include "fluid_kit.h"
#include "rows/pair_lanes.h"

// A jittered drop that turns, in free space.
static tank *drop(int dimensions, const mote_solver_def *solver, int threads) {
  tank_def def = tank_def_default(dimensions);
  def.pressure = MOTE_PRESSURE_WCSPH, def.gravity = 0.0, def.threads = threads, def.support = 3.0;
  def.kernel = MOTE_KERNEL_WENDLAND_C2;
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = dimensions == 3 ? 8 : 16, def.open[a] = true;
  tank *t = tank_make(&def);
  t->fluid.solver = *solver;
  t->fluid.solver.support = 3.0;
  t->fluid.sound_speed = 20.0;
  if (solver->density == MOTE_DENSITY_FOLLOWED)
    t->fluid.compression = tank_take(t->fluid.count, sizeof(float));
  for (size_t i = 0; i < t->fluid.count; ++i) {
    float *v = t->fluid.velocity + 3 * i;
    v[0] = -3.0f * (float)t->position[3 * i + 1], v[1] = 3.0f * (float)t->position[3 * i];
    for (int a = 0; a < dimensions; ++a)
      t->position[3 * i + (size_t)a] += def.spacing * mote_random_between(5, (uint64_t)a, i, -0.1, 0.1);
  }
  return t;
}

static void drop_free(tank *t) {
  free(t->fluid.compression);
  tank_free(t);
}

static mote_solver_def solver_of(mote_pair_form form, mote_density_kind density, bool corrected,
                                 double shifting) {
  tank_def def = tank_def_default(2);
  def.pressure = MOTE_PRESSURE_WCSPH;
  mote_solver_def s = tank_solver(&def);
  s.pair_form = form, s.density = density, s.gradient_correction = corrected, s.shifting = shifting;
  s.negative_pressure = (double)NAN, s.density_diffusion = 0.1;
  return s;
}

// A step with shifting.
static void step(tank *t, double most) {
  mote_arena_mark mark = mote_arena_here(&t->arena);
  double dt = tank_stages(t, most);
  CHECK(mote_shifting(&t->fluid, dt, NULL) == MOTE_OK);
  tank_move(t, dt);
  mote_shift_settle(&t->fluid);
  mote_arena_release(&t->arena, mark);
}

#define STEPS 40
#define ROUNDING (STEPS * 0x1p-24)  // were every velocity rounded the same way in every step

// The change of linear momentum in some steps, over the sum of |m v|.
static double momentum_lost(int dimensions, const mote_solver_def *solver) {
  tank *t = drop(dimensions, solver, 1);
  double sum[2][3] = {{0}}, scale = 0.0, most = 0.0;
  for (int k = 0; k < 2; ++k) {
    for (size_t i = 0; i < t->fluid.count; ++i) {
      for (size_t a = 0; a < 3; ++a) {
        double m = (double)t->mass[i] * (double)t->fluid.velocity[3 * i + a];
        sum[k][a] += m, scale += 0.5 * fabs(m);
      }
    }
    for (int n = 0; n < STEPS && k == 0; ++n) step(t, 1e-3);
  }
  for (int a = 0; a < 3; ++a) most = fmax(most, fabs(sum[1][a] - sum[0][a]));
  drop_free(t);
  return most / scale;
}

// What is not kept is lost by more than twenty times what rounding could do: by the disorder of the jitter,
// chosen below the 7e-5 to 1e-3 that were found, only to see that the measure sees.
static void forms_and_momentum(int dimensions) {
  for (int density = 0; density < MOTE_DENSITY_KINDS; ++density) {
    mote_density_kind kind = (mote_density_kind)density;
    mote_solver_def symmetric = solver_of(MOTE_FORM_SYMMETRIC, kind, false, 4.0);
    mote_solver_def mean = solver_of(MOTE_FORM_MEAN, kind, false, 0.0);
    mote_solver_def plain = solver_of(MOTE_FORM_PLAIN, kind, false, 0.0);
    CHECK(momentum_lost(dimensions, &symmetric) < ROUNDING);
    CHECK(momentum_lost(dimensions, &mean) < ROUNDING);
    CHECK(momentum_lost(dimensions, &plain) > 20.0 * ROUNDING);
  }
}

// L sum V (f_j - f_i) grad W is the gradient of a linear f, at the surface too.
static void gradients_are_right(int dimensions) {
  mote_solver_def s = solver_of(MOTE_FORM_SYMMETRIC, MOTE_DENSITY_SUMMED, false, 0.0);
  tank *t = drop(dimensions, &s, 1);
  mote_fluid *f = &t->fluid;
  mote_gradient_fix *fix = NULL;
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  CHECK(mote_gradient_fix_take(f, true, &fix, NULL) == MOTE_OK);
  float *pressure_volume = tank_take(f->count, sizeof *pressure_volume),
        slope[3] = {0.3f, -0.7f, dimensions == 3 ? 0.5f : 0.0f};
  for (size_t i = 0; i < f->count; ++i) {
    for (size_t a = 0; a < 3; ++a)
      pressure_volume[i] += f->volume[i] * slope[a] * (float)t->position[3 * i + a];
  }
  double worst = 0.0;
  size_t skipped = 0;
  for (size_t i = 0; i < f->count; ++i) {
    bool unit = fix[i].m[0] == 1.0f && fix[i].m[1] == 0.0f;  // too few neighbours: a corner
    skipped += unit;
    if (unit) continue;
    float sum[3], got[3];
    mote_pair_lanes_gradient_sum(&f->pairs, i, pressure_volume, sum);
    for (size_t a = 0; a < 3; ++a) sum[a] -= pressure_volume[i] / f->volume[i] * f->gradient[3 * i + a];
    mote_gradient_fix_apply(&fix[i], sum, got);
    for (int a = 0; a < 3; ++a) worst = fmax(worst, (double)fabsf(got[a] - slope[a]));
  }
  CHECK(worst < 1e-4);
  CHECK(skipped < f->count / 8);
  free(pressure_volume);
  drop_free(t);
}

// Shifts make the concentration of a shaken periodic box even, and leave the velocities: of a box that the
// flow deforms, or one under tension. Slope after over slope before.
static double evenness(double flow, float pressure) {
  tank_def def = tank_def_default(2);
  def.pressure = MOTE_PRESSURE_WCSPH, def.gravity = 0.0, def.support = 3.0;
  def.kernel = MOTE_KERNEL_WENDLAND_C2;
  for (int a = 0; a < 2; ++a) def.tank[a] = def.water[a] = 16, def.periodic[a] = true;
  tank *t = tank_make(&def);
  mote_fluid *f = &t->fluid;
  f->solver.shifting = 1.0;
  for (size_t i = 0; i < f->count; ++i) {
    f->velocity[3 * i] = (float)mote_random_between(3, 0, i, -flow, flow);
    f->pressure[i] = pressure;
    for (size_t a = 0; a < 2; ++a)
      t->position[3 * i + a] += def.spacing * mote_random_between(4, a, i, -0.3, 0.3);
  }
  double slope[2] = {0.0, 0.0};
  uint64_t before = mote_hash_bytes(1, f->velocity, 3 * f->count * sizeof(float));
  for (int k = 0; k < 40; ++k) {
    mote_arena_mark mark = mote_arena_here(&t->arena);
    CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
    double sum = 0.0;
    for (size_t n = 0; n < 3 * f->count; ++n) sum += (double)(f->gradient[n] * f->gradient[n]);
    if (k == 0) slope[0] = sum;
    slope[1] = sum;
    float *kept = tank_take(3 * f->count, sizeof *kept);
    memcpy(kept, f->velocity, 3 * f->count * sizeof *kept);
    CHECK(mote_shifting(f, 1e-3, NULL) == MOTE_OK);
    tank_move(t, 1e-3);
    for (size_t n = 0; n < 3 * f->count; ++n) t->position[n] -= 1e-3 * (double)kept[n];  // of the shift alone
    mote_shift_settle(f);
    memcpy(f->velocity, kept, 3 * f->count * sizeof *kept);
    free(kept);
    mote_arena_release(&t->arena, mark);
  }
  CHECK(mote_hash_bytes(1, f->velocity, 3 * f->count * sizeof(float)) == before);
  tank_free(t);
  return slope[1] / slope[0];
}

static void shifts_make_even(void) {
  CHECK(evenness(1.0, 0.0f) < 0.2);      // arbitrary: long waves diffuse slowly; 0.09 was found
  CHECK(evenness(0.0, -1000.0f) < 0.2);  // sqrt(-p/rho) = 1 m/s
  CHECK_NEAR(evenness(0.0, 1000.0f), 1.0, 1e-5);
}

static uint64_t hash_after(const mote_solver_def *solver, int threads) {
  tank *t = drop(3, solver, threads);
  for (int k = 0; k < 6; ++k) step(t, 2e-3);
  uint64_t hash = mote_hash_bytes(1, t->position, 3 * t->fluid.count * sizeof(double));
  if (t->fluid.compression != NULL)
    hash = mote_hash_bytes(hash, t->fluid.compression, t->fluid.count * sizeof(float));
  drop_free(t);
  return hash;
}

static void any_threads(void) {
  const mote_solver_def solver[] = {solver_of(MOTE_FORM_SYMMETRIC, MOTE_DENSITY_FOLLOWED, true, 4.0),
                                    solver_of(MOTE_FORM_MEAN, MOTE_DENSITY_SUMMED, false, 1.0)};
  for (int k = 0; k < 2; ++k) {
    uint64_t one = hash_after(&solver[k], 1);
    CHECK(hash_after(&solver[k], 2) == one);
    CHECK(hash_after(&solver[k], 7) == one);
  }
}

// Followed densities between walls: a tank that stands has the pressure of its depth.
static void followed_tank_stands(void) {
  tank_def def = tank_def_default(2);
  def.pressure = MOTE_PRESSURE_WCSPH, def.tank[0] = def.water[0] = 12, def.tank[1] = 20, def.water[1] = 12;
  tank *t = tank_make(&def);
  t->fluid.solver.density = MOTE_DENSITY_FOLLOWED, t->fluid.solver.density_diffusion = 0.1;
  t->fluid.solver.shifting = t->fluid.solver.negative_pressure = (double)NAN;
  t->fluid.compression = tank_take(t->fluid.count, sizeof(float));
  double slope = 0.0, speed = 0.0;
  for (int k = 0; k < 3000; ++k) {
    step(t, 1.0);
    if (k < 2000) continue;
    slope += tank_slope(t) / 1000.0;
    speed = fmax(speed, tank_speed(t));
  }
  CHECK_NEAR(slope, 1.0, 0.05);
  CHECK(speed < 0.05 * sqrt(9.81 * 12 * def.spacing));
  drop_free(t);
}

int main(void) {
  for (int d = 2; d <= 3; ++d) forms_and_momentum(d), gradients_are_right(d);
  shifts_make_even();
  any_threads();
  followed_tank_stands();
  return test_end();
}
