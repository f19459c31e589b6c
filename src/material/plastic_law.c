// Plastic flow: see plastic_law.h.
#include "material/plastic_law.h"

#include <math.h>
#include <mote/numeric.h>

#include "geom/symmetric.h"
#include "material/elastic_law.h"
#include "material/tuning.inc"

#define YIELD_ROUNDING 1e-12  // rounding: of the yield strain

// plastic = 1 - K with K K = (1 + t)(1 + t)^T: what is left of 1 + t without its turn. By small differences.
bool mote_plastic_take(const double t[9], double plastic[6]) {
  double m[9], value[3], Q[9];
  for (int e = 0; e < 9; ++e) {
    int a = e / 3, b = e % 3;
    m[e] = t[3 * a + b] + t[3 * b + a] + dot3(t + 3 * a, t + 3 * b);
  }
  if (!mote_eigen3(m, value, Q)) return false;
  for (int k = 0; k < 3; ++k) {
    double square = max2(value[k], STRETCH_MIN * STRETCH_MIN - 1.0);
    value[k] = -square / (1.0 + sqrt(1.0 + square));
  }
  symmetric_compose(Q, value, m);
  symmetric_close(m, plastic);
  return true;
}

// Logarithms of stretches and the size of all three.
static double logarithms(const double s[3], double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = mote_log(max2(fabs(s[k]), STRETCH_MIN));
  return length3(out);
}

static void add_one(double m[9]) {
  m[0] += 1.0, m[4] += 1.0, m[8] += 1.0;
}

// Stretches of K, their axes, and the size of the logarithms.
static double all_flow(const double plastic[6], double value[3], double Q[9]) {
  double p[9], logs[3];
  symmetric_open(plastic, p);
  if (!mote_eigen3(p, value, Q)) return 0.0;
  for (int k = 0; k < 3; ++k) value[k] = 1.0 - value[k];
  double size = logarithms(value, logs);
  copy3(logs, value);
  return size;
}

double mote_plastic_size(const double plastic[6]) {
  double logs[3], Q[9];
  return all_flow(plastic, logs, Q);
}

double mote_plastic_total(const double plastic[6], const double metric[6]) {
  double H[9], p[9], t[9], both[6];
  symmetric_open(metric, H);
  symmetric_open(plastic, p);
  multiply3(p, H, t);
  for (int e = 0; e < 9; ++e) t[e] = H[e] - p[e] - t[e];  // K H - 1
  return mote_plastic_take(t, both) ? mote_plastic_size(both) : 0.0;
}

// Fp to the power that makes its size `most`.
static void limit_size(double most, double plastic[6]) {
  double logs[3], Q[9], K[9], size = all_flow(plastic, logs, Q);
  if (!(size > most)) return;
  for (int k = 0; k < 3; ++k) logs[k] = 1.0 - mote_exp(most / size * logs[k]);
  symmetric_compose(Q, logs, K);
  symmetric_close(K, plastic);
}

bool mote_plastic_flow(const mote_plastic_law *law, const double g[9], double dt, double plastic[6]) {
  mote_green_part part = mote_green_part_make(&(mote_elastic_law){0}, plastic);
  double Fe[9], U[9], s[3], V[9], e[3], more[9], p[9], t[9];
  mote_green_part_within(&part, g, Fe);
  add_one(Fe);
  if (!mote_svd3(Fe, U, s, V)) return false;
  logarithms(s, e);
  double mean = (e[0] + e[1] + e[2]) / 3.0;
  for (int k = 0; k < 3; ++k) e[k] -= mean;
  double size = length3(e);
  if (!(size > law->yield * (1.0 + YIELD_ROUNDING))) return false;
  double left = law->rate < HUGE_VAL ? size * mote_exp(-law->rate * dt) : 0.0;
  left = max2(left, law->yield);
  for (int k = 0; k < 3; ++k) e[k] = mote_exp((left / size - 1.0) * e[k]) - 1.0;
  symmetric_compose(V, e, more);  // Fe becomes Fe (1 + more), and K the same
  symmetric_open(plastic, p);
  multiply3(p, more, t);
  for (int k = 0; k < 9; ++k) t[k] = more[k] - p[k] - t[k];
  if (!mote_plastic_take(t, plastic)) return false;
  if (law->most < HUGE_VAL) limit_size(law->most, plastic);
  return true;
}
