// Every sum of the fluid stages against a brute-force twin in double, on random sets: 2D and 3D, both
// kernels, open and periodic, two fluids, standing and moving walls.
#include "fluid_twin.h"

#include "fluid/pressure.h"

// Rounding of a float sum over N neighbours of terms as large as `scale`.
static double rounding(double scale) {
  return 3e-6 * scale;
}

static void check_sums(const twin_set *s) {
  const mote_fluid *f = &s->tank->fluid;
  double d = s->tank->def.spacing;
  for (size_t i = 0; i < f->count; ++i) {
    twin_sums t = twin_sums_at(s, s->tank->position + 3 * i, i);
    CHECK_NEAR((double)f->relative[i], t.relative + t.wall, rounding(t.relative + t.wall));
    CHECK_NEAR((double)f->density[i], (double)f->rest_density[i] * (t.relative + t.wall),
               rounding(3000.0 * (t.relative + t.wall)));
    CHECK_NEAR((double)f->wall_flow[i], t.wall_flow, rounding(20.0 / d));
    for (int a = 0; a < 3; ++a) {
      CHECK_NEAR((double)f->gradient[3 * i + a], t.gradient[a], rounding(10.0 / d));
      CHECK_NEAR((double)f->wall[3 * i + a], t.wall_gradient[a], rounding(10.0 / d));
    }
  }
}

// Densities of samples, and the rate of compression of a flow there and at particles.
static void check_walls(const twin_set *s) {
  const mote_fluid *f = &s->tank->fluid;
  double d = s->tank->def.spacing;
  for (size_t b = 0, slot = 0; b < s->samples; ++b) {
    if (!twin_sample_used(s, b)) continue;
    twin_sums t = twin_sums_at(s, s->sample + 3 * b, SIZE_MAX);
    double own = t.whole < 1.0 ? t.whole : 1.0, flow = 0.0;
    for (int a = 0; a < 3; ++a) flow += s->velocity[3 * b + a] * t.gradient[a];
    CHECK_NEAR((double)f->walls[1].relative[slot], t.relative + own, rounding(t.relative + own));
    CHECK_NEAR((double)f->walls[1].flow[slot], flow, rounding(20.0 / d));
    ++slot;
  }
}

static void check_flow(const twin_set *s) {
  mote_fluid *f = &s->tank->fluid;
  mote_pressures p;
  CHECK(mote_pressures_take(&p, f, NULL) == MOTE_OK);
  for (size_t i = 0; i < f->count; ++i) {
    for (int a = 0; a < 3; ++a) p.flow[i].u[a] = f->volume[i] * f->velocity[3 * i + a];
  }
  for (size_t i = 0; i < f->count; ++i) {
    double expected = twin_flow(s, s->tank->position + 3 * i);
    CHECK_NEAR((double)mote_pair_lanes_flow(&f->pairs, i, p.flow), expected,
               rounding(20.0 / s->tank->def.spacing));
  }
  for (size_t b = 0, slot = 0; b < s->samples; ++b) {
    if (!twin_sample_used(s, b)) continue;
    double expected = twin_flow(s, s->sample + 3 * b);
    CHECK_NEAR((double)mote_pair_set_flow(&f->walls[1].particle_neighbours, slot, p.flow), expected,
               rounding(20.0 / s->tank->def.spacing));
    ++slot;
  }
}

// Of random pressures on particles and walls.
static void check_pressure(const twin_set *s) {
  mote_fluid *f = &s->tank->fluid;
  mote_pressures p;
  CHECK(mote_pressures_take(&p, f, NULL) == MOTE_OK);
  for (size_t i = 0; i < f->count; ++i) {
    p.pressure_volume[i] = f->volume[i] * (float)mote_random_between(s->seed, 7, i, 0.0, 1e4);
  }
  size_t used = 0;
  for (size_t b = 0; b < s->samples; ++b) used += s->used[b] = twin_sample_used(s, b);
  CHECK(used > 0 && f->walls[1].samples == used);
  for (size_t b = 0; b < f->walls[1].samples; ++b) {
    p.wall_pressure_volume[1][b] =
        f->walls[1].volume[b] * (float)mote_random_between(s->seed, 8, b, 0.0, 1e4);
  }
  mote_pressures_accelerate(&p, f);
  double scale = 1e4 / s->tank->def.spacing / 500.0;
  for (size_t i = 0; i < f->count; ++i) {
    double a[3];
    twin_acceleration(s, p.pressure_volume, p.wall_pressure_volume[1], i, a);
    for (int k = 0; k < 3; ++k) {
      CHECK_NEAR((double)(p.flow[i].u[k] / f->volume[i]), a[k], rounding(10.0 * scale));
    }
  }
}

static void check_viscosity(const twin_set *s, mote_viscosity_form form) {
  mote_fluid *f = &s->tank->fluid;
  f->solver.viscosity_form = form, f->solver.viscosity_solve = MOTE_VISCOSITY_EXPLICIT;
  CHECK(mote_fluid_prepare(f, s->tank->boundary, s->tank->grid, NULL) == MOTE_OK);  // friction of the form
  CHECK(mote_fluid_forces(f, NULL) == MOTE_OK);
  double scale = 10.0 / (s->tank->def.spacing * s->tank->def.spacing) / 500.0;
  if (form == MOTE_VISCOSITY_CENTRAL) scale *= f->domain.dimensions + 2;
  for (size_t i = 0; i < f->count; ++i) {
    double a[3];
    twin_viscosity(s, i, a);
    for (int k = 0; k < 3; ++k) {
      CHECK_NEAR((double)f->acceleration[3 * i + k], a[k] + (double)f->gravity[k], rounding(20.0 * scale));
    }
  }
}

static void check_smoothing(const twin_set *s) {
  mote_fluid *f = &s->tank->fluid;
  double *expected = tank_take(3 * f->count, sizeof(double));
  for (size_t i = 0; i < f->count; ++i) twin_smooth(s, i, expected + 3 * i);
  float *before = tank_take(3 * f->count, sizeof(float));
  memcpy(before, f->velocity, 3 * f->count * sizeof(float));
  CHECK(mote_fluid_smooth_motion(f, 1e-6, NULL) == MOTE_OK);  // the smoothed velocity, for this step only
  for (size_t k = 0; k < 3 * f->count; ++k) CHECK_NEAR((double)f->velocity[k], expected[k], rounding(4.0));
  mote_shift_settle(f);
  for (size_t k = 0; k < 3 * f->count; ++k)
    CHECK_NEAR((double)f->velocity[k], (double)before[k], rounding(4.0));
  memcpy(f->velocity, before, 3 * f->count * sizeof(float));
  free(before);
  CHECK(mote_fluid_smooth(f, NULL) == MOTE_OK);
  for (size_t k = 0; k < 3 * f->count; ++k) CHECK_NEAR((double)f->velocity[k], expected[k], rounding(4.0));
  free(expected);
}

static void check_set(int dimensions, mote_kernel_kind kernel, double support, bool periodic, uint64_t seed) {
  twin_set s = twin_set_make(dimensions, kernel, support, periodic, seed);
  mote_fluid *f = &s.tank->fluid;
  CHECK(mote_fluid_prepare(f, s.tank->boundary, s.tank->grid, NULL) == MOTE_OK);
  twin_weigh(&s);
  check_sums(&s);
  check_walls(&s);
  check_flow(&s);
  check_pressure(&s);
  check_viscosity(&s, MOTE_VISCOSITY_PAIR);
  check_viscosity(&s, MOTE_VISCOSITY_CENTRAL);
  check_smoothing(&s);
  twin_set_free(&s);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    for (int d = 2; d <= 3; ++d) {
      check_set(d, MOTE_KERNEL_CUBIC_SPLINE, 2.0, false, seed);
      check_set(d, MOTE_KERNEL_WENDLAND_C2, 3.0, false, 10 + seed);
      check_set(d, MOTE_KERNEL_CUBIC_SPLINE, 2.5, true, 20 + seed);
    }
  }
  return test_end();
}
