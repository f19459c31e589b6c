// References of free-surface flows: see free_references.h.
#include "validate/fluids/free_references.h"

#include <math.h>
#include <mote/numeric.h>

#include "cli/base/app_assert.h"

#define PI 3.14159265358979323846

// --- The stretched drop
// -------------------------------------------------------------------------------------

#define DROP_STEPS 2000

// dA/dt = A^2 (a^4 - 1)/(a^4 + 1), da/dt = -a A.
static void drop_rates(const double y[2], double dy[2]) {
  double a4 = y[1] * y[1] * y[1] * y[1];
  dy[0] = y[0] * y[0] * (a4 - 1.0) / (a4 + 1.0);
  dy[1] = -y[1] * y[0];
}

static void drop_step(double y[2], double h) {
  static const double reach[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  double k[2] = {0}, sum[2] = {0};
  for (int s = 0; s < 4; ++s) {
    double at[2] = {y[0] + reach[s] * h * k[0], y[1] + reach[s] * h * k[1]};
    drop_rates(at, k);
    for (int n = 0; n < 2; ++n) sum[n] += weight[s] * k[n] / 6.0;
  }
  for (int n = 0; n < 2; ++n) y[n] += h * sum[n];
}

drop_exact drop_exact_at(double time) {
  APP_ASSERT(time >= 0.0);
  double y[2] = {DROP_RATE, 1.0}, dy[2];
  for (int n = 0; n < DROP_STEPS; ++n) drop_step(y, time / DROP_STEPS);
  drop_rates(y, dy);
  return (drop_exact){y[1], 1.0 / y[1], y[0], 0.5 * y[1] * y[1] * (y[0] * y[0] - dy[0])};
}

// --- The square that turns
// ----------------------------------------------------------------------------------

#define PATCH_TERMS 400

// Laplace p = 2 rho omega^2 with p = 0 on the sides, as a double sine series.
double patch_pressure(double x, double y) {
  double sum = 0.0;
  for (int m = 1; m < PATCH_TERMS; m += 2) {
    for (int n = 1; n < PATCH_TERMS; n += 2) {
      double k2 = (m * PI) * (m * PI) + (n * PI) * (n * PI);
      sum -= 32.0 * mote_sin(m * PI * x) * mote_sin(n * PI * y) / (m * n * PI * PI * k2);
    }
  }
  return sum;
}

// --- Waves
// --------------------------------------------------------------------------------------------------

double wave_frequency(double gravity, double k, double depth) {
  APP_ASSERT(gravity > 0.0 && k > 0.0 && depth > 0.0);
  double e = mote_exp(-2.0 * k * depth);
  return sqrt(gravity * k * (1.0 - e) / (1.0 + e));
}

// --- Martin & Moyce 1952
// ------------------------------------------------------------------------------------

static const double front_1[][2] = {{0.43, 1.11}, {0.62, 1.22}, {0.80, 1.44}, {0.97, 1.67}, {1.14, 1.89},
                                    {1.29, 2.11}, {1.45, 2.33}, {1.62, 2.56}, {1.76, 2.78}, {1.93, 3.00},
                                    {2.24, 3.44}, {2.54, 3.89}, {2.87, 4.33}, {3.21, 4.78}};
static const double height_1[][2] = {{0.80, 0.89}, {1.29, 0.78}, {1.74, 0.67}, {2.15, 0.56}};
// Table 2
static const double front_2[][2] = {{0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89},
                                    {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
                                    {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11}};
// Table 6
static const double height_2[][2] = {{0.56, 0.94}, {0.77, 0.89}, {0.93, 0.83}, {1.08, 0.78},
                                     {1.28, 0.72}, {1.46, 0.67}, {1.66, 0.61}, {1.84, 0.56},
                                     {2.00, 0.50}, {2.21, 0.44}, {2.45, 0.39}};
#define CURVE(table) ((curve){table, sizeof table / sizeof table[0]})

curve martin_moyce_front(int n2) {
  APP_ASSERT(n2 == 1 || n2 == 2);
  return n2 == 1 ? CURVE(front_1) : CURVE(front_2);
}

curve martin_moyce_height(int n2) {
  APP_ASSERT(n2 == 1 || n2 == 2);
  return n2 == 1 ? CURVE(height_1) : CURVE(height_2);
}
