// Water at the default settings: a pool at rest comes to rest, a wave keeps its energy. Depth 1 m. Quality
// fast fails both: its pool boils at an rms speed of 0.03 sqrt(g H), its waves lose 0.23 to 0.27 per period.
#include "test.h"
#include "world_kit.h"

#define GRAVITY 9.81
#define PI 3.14159265358979323846

static double rms_speed(const mote_world *world) {
  const float *v = mote_world_view(world, "velocity").data;
  size_t n = mote_world_particles(world);
  double sum = 0.0;
  for (size_t k = 0; k < 3 * n; ++k) sum += (double)v[k] * (double)v[k];
  return sqrt(sum / (double)n);
}

// A cube from rest without pressure: the first 0.3 s have its fall by a part of a spacing, which is damped.
// What feeds itself does not decay, and reaches three times the limit within a second.
static void pool_comes_to_rest(mote_pressure_kind pressure) {
  world_kit kit;
  world_kit_tank(&kit, 3, 1.0 / 10);
  world_kit_standard(&kit);
  kit.scene.world.high[1] = 1.5;
  kit.scene.world.solver.pressure = pressure;
  world_kit_body(&kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0));
  mote_world *world = world_kit_create(&kit, NULL);
  double wave_speed = sqrt(GRAVITY * 1.0), early = 0.0, late = 0.0;
  for (int n = 1; n <= 24; ++n) {
    CHECK(mote_world_advance(world, 0.1 * n, NULL) == MOTE_OK);
    if (n == 3) early = rms_speed(world) / wave_speed;
    if (n > 20) late = fmax(late, rms_speed(world) / wave_speed);
  }
  printf("pool, solver %d: rms %.4f sqrt(g H) at 0.3 s, %.4f from 2.1 s on\n", (int)pressure, early, late);
  CHECK(late < 0.01 && late < 0.5 * early);
  mote_world_destroy(world);
}

typedef struct swing {
  double peaks[8];  // distance of the centre from the middle, in half periods
  int halves;
} swing;

// The first mode of a tank twice as long as deep, amplitude 0.1 H, set going by its velocities:
// phi = cosh(k y) cos(k x).
static swing slosh(mote_pressure_kind pressure, int rows, double periods) {
  const double length = 2.0, k = PI / length, omega = sqrt(GRAVITY * k * tanh(k)),
               half = 0.5 * 0.1 * omega / sinh(k);
  world_kit kit;
  world_kit_tank(&kit, 2, 1.0 / rows);
  world_kit_standard(&kit);
  kit.scene.world.solver.pressure = pressure;
  kit.scene.world.high[0] = length, kit.scene.world.high[1] = 1.5;
  mote_body_def *body = world_kit_body(&kit, "water", mote_shape_def_box(0.0, 0.0, 0.0, length, 1.0, 1.0));
  char x[160], y[160];
  snprintf(x, sizeof x, "%.17g*sin(%.17g*x)*(exp(%.17g*y)+exp(-%.17g*y))", -half, k, k, k);
  snprintf(y, sizeof y, "%.17g*cos(%.17g*x)*(exp(%.17g*y)-exp(-%.17g*y))", half, k, k, k);
  body->velocity.x.formula = x, body->velocity.y.formula = y;
  mote_world *world = world_kit_create(&kit, NULL);
  swing s = {.halves = 0};
  double before = 0.0;
  for (int n = 1; n <= (int)(40.0 * periods); ++n) {
    mote_totals totals = {0};
    CHECK(mote_world_advance(world, 2.0 * PI / omega * n / 40.0, NULL) == MOTE_OK);
    CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
    double away = totals.centre[0] - 0.5 * length;
    if (away * before < 0.0 && s.halves < 7) ++s.halves;
    s.peaks[s.halves] = fmax(s.peaks[s.halves], fabs(away));
    before = away;
  }
  mote_world_destroy(world);
  return s;
}

// The centre of the linear wave swings by (2 / pi^2) A L / H.
static void wave_keeps_its_energy(mote_pressure_kind pressure) {
  swing s = slosh(pressure, 20, 2.9);
  double decay = log(s.peaks[0] / s.peaks[4]) / 2.0;
  printf("sloshing, solver %d: decay %.3f per period\n", (int)pressure, decay);
  CHECK(s.halves == 5);
  CHECK_NEAR(s.peaks[0], 2.0 / (PI * PI) * 0.1 * 2.0, 0.05 * s.peaks[0]);
  CHECK(decay > 0.0 && decay < 0.08);
}

// Builds with asserts are ten times as slow and have the same bits: one run is enough there.
int main(void) {
  wave_keeps_its_energy(MOTE_PRESSURE_DFSPH);
  TEST_LONG(wave_keeps_its_energy(MOTE_PRESSURE_PCISPH));
  TEST_LONG(pool_comes_to_rest(MOTE_PRESSURE_DFSPH));
  TEST_LONG(pool_comes_to_rest(MOTE_PRESSURE_PCISPH));
  return test_end();
}
