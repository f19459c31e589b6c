// Conduction: a slab with cold faces against its series, heat that is kept, the range of temperatures,
// substeps, melting against Stefan's solution, and the same bits for any number of threads.
#include "heat/conduction.h"

#include <string.h>

#include "heat_kit.h"
#include "test.h"

#define PI 3.14159265358979323846

// Carslaw & Jaeger 3.3: a slab from 0 to 2 that starts at 1 and has faces at 0.
static double slab(double x, double t) {
  double sum = 0.0;
  for (int n = 0; n < 60; ++n) {
    double w = (2 * n + 1) * PI / 2.0;
    sum += 4.0 / (PI * (2 * n + 1)) * mote_sin(w * x) * mote_exp(-w * w * t);
  }
  return sum;
}

static void slab_cools(int dimensions, double jitter, double most) {
  heat_kit kit = heat_kit_make(dimensions, 50, 1.0 / 25.0, jitter);
  for (size_t i = 0; i < kit.count; ++i) kit.enthalpy[i] = 1.0;
  heat_kit_faces(&kit, 0.0, true);
  double dt = 0.15 / 625.0, worst = 0.0;
  int steps = 0;
  for (; steps * dt < 0.2; ++steps) heat_kit_step(&kit, dt, 1);  // Fo 0.05
  for (size_t i = 0; i < kit.count; ++i)
    worst = fmax(worst, fabs(kit.enthalpy[i] - slab(kit.position[3 * i], steps * dt)));
  if (!CHECK(worst < most)) fprintf(stderr, "  %dD, jitter %g: %g\n", dimensions, jitter, worst);
  heat_kit_free(&kit);
}

static void heat_is_kept(void) {
  heat_kit kit = heat_kit_make(2, 30, 0.01, 0.2), other = heat_kit_make(2, 30, 0.01, 0.2);
  double low = 300.0, high = 400.0;
  kit.law[0] = mote_heat_law_make(2.0, 1000.0, 0.0, 0.0, 0.0, 0.0);
  kit.law[1] = mote_heat_law_make(200.0, 400.0, 320.0, 330.0, 5e4, 0.0);
  memcpy(other.law, kit.law, sizeof kit.law);
  for (size_t i = 0; i < kit.count; ++i) {
    kit.kind[i] = other.kind[i] = (uint32_t)(i % 3 == 0);
    kit.mass[i] = other.mass[i] = kit.volume[i] * 2000.0;
    double T = mote_random_between(7, 0, i, low, high);
    kit.enthalpy[i] = other.enthalpy[i] = mote_heat_enthalpy(&kit.law[kit.kind[i]], T, true);
  }
  double before = heat_kit_total(&kit), most = 0.0, least = HUGE_VAL;
  for (int step = 0; step < 400; ++step) heat_kit_step(&kit, 0.1, 1);
  for (int step = 0; step < 400; ++step) heat_kit_step(&other, 0.1, 2);
  CHECK(kit.report.substeps > 1);
  CHECK_NEAR(heat_kit_total(&kit), before, 1e-12 * before);
  CHECK(memcmp(kit.enthalpy, other.enthalpy, kit.count * sizeof(double)) == 0);
  for (size_t i = 0; i < kit.count; ++i) {
    double T = heat_kit_temperature(&kit, i);
    most = fmax(most, T), least = fmin(least, T);
  }
  CHECK(least >= low && most <= high && most - least < 0.7 * (high - low));
  heat_kit_free(&kit);
  heat_kit_free(&other);
}

// One long step is cut into such as many short ones would be.
static void long_steps_are_cut(void) {
  heat_kit kit = heat_kit_make(3, 12, 0.1, 0.0);
  for (size_t i = 0; i < kit.count; ++i) kit.enthalpy[i] = kit.position[3 * i] < 0.6 ? 1.0 : 0.0;
  heat_kit_step(&kit, 0.02, 1);
  CHECK(kit.report.substeps == 14);  // 0.02 / (0.15 d^2), rounded up
  for (size_t i = 0; i < kit.count; ++i) CHECK(kit.enthalpy[i] >= 0.0 && kit.enthalpy[i] <= 1.0);
  heat_kit_step(&kit, 0.0, 1);
  CHECK(kit.report.substeps == 0);
  heat_kit_free(&kit);
}

// Ste = 1: lambda exp(lambda^2) erf(lambda) = Ste / sqrt(pi) at 0.620063. Solid at its melting point, melted
// from x = 0.
static void melts_like_stefan(void) {
  heat_kit kit = heat_kit_make(2, 40, 0.025, 0.0);
  kit.law[0] = mote_heat_law_make(1.0, 1.0, 1.0, 1.0, 1.0, 0.0);
  for (size_t i = 0; i < kit.count; ++i) kit.enthalpy[i] = mote_heat_enthalpy(&kit.law[0], 1.0, false);
  heat_kit_faces(&kit, 2.0, false);
  double dt = 0.15 * 0.025 * 0.025, end = 0.25, melted = 0.0;
  int steps = (int)(end / dt);
  for (int step = 0; step < steps; ++step) heat_kit_step(&kit, dt, 1);
  for (size_t i = 0; i < kit.count; ++i)
    melted += 1.0 - mote_heat_solid_fraction(&kit.law[0], kit.enthalpy[i]);
  double front = 0.025 * melted / HEAT_KIT_ACROSS, exact = 2.0 * 0.620063 * sqrt(steps * dt);
  CHECK_NEAR(front, exact, 0.01 * exact);
  heat_kit_free(&kit);
}

int main(void) {
  slab_cools(2, 0.0, 0.005);
  TEST_LONG(slab_cools(3, 0.0, 0.005));
  slab_cools(2, 0.1, 0.015);
  TEST_LONG(slab_cools(3, 0.1, 0.015));
  heat_is_kept();
  long_steps_are_cut();
  melts_like_stefan();
  return test_end();
}
