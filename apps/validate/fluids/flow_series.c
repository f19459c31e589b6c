// Exact and published solutions: see flow_series.h.
#include "validate/fluids/flow_series.h"

#include <mote/numeric.h>

#include "cli/base/app_assert.h"

#define PI 3.14159265358979323846
#define SERIES_TERMS 200

double poiseuille_velocity(const plate_flow *flow, double y, double t) {
  APP_ASSERT(flow->width > 0.0 && flow->viscosity > 0.0 && t >= 0.0);
  double L = flow->width, nu = flow->viscosity, F = flow->acceleration;
  double u = 0.5 * F * y * (L - y) / nu;
  for (int n = 1; n < SERIES_TERMS; n += 2) {
    double k = n * PI / L;
    u -= 4.0 * F / (nu * L * k * k * k) * mote_sin(k * y) * mote_exp(-nu * k * k * t);
  }
  return u;
}

double couette_velocity(const plate_flow *flow, double y, double t) {
  APP_ASSERT(flow->width > 0.0 && t >= 0.0);
  double L = flow->width, sign = -1.0;
  double u = flow->speed * y / L;
  for (int n = 1; n < SERIES_TERMS; ++n, sign = -sign) {
    double k = n * PI / L;
    u += sign * 2.0 * flow->speed / (n * PI) * mote_sin(k * y) * mote_exp(-flow->viscosity * k * k * t);
  }
  return u;
}

double taylor_green_rate(double reynolds) {
  APP_ASSERT(reynolds > 0.0);
  return 8.0 * PI * PI / reynolds;
}

void taylor_green_velocity(double x, double y, double amplitude, double v[2]) {
  v[0] = -amplitude * mote_cos(2.0 * PI * x) * mote_sin(2.0 * PI * y);
  v[1] = amplitude * mote_sin(2.0 * PI * x) * mote_cos(2.0 * PI * y);
}

double taylor_green_pressure(double x, double y, double amplitude) {
  return -0.25 * amplitude * amplitude * (mote_cos(4.0 * PI * x) + mote_cos(4.0 * PI * y));
}

static const double ghia_y[GHIA_POINTS] = {1.0000, 0.9766, 0.9688, 0.9609, 0.9531, 0.8516,
                                           0.7344, 0.6172, 0.5000, 0.4531, 0.2813, 0.1719,
                                           0.1016, 0.0703, 0.0625, 0.0547, 0.0000};
static const double ghia_x[GHIA_POINTS] = {1.0000, 0.9688, 0.9609, 0.9531, 0.9453, 0.9063,
                                           0.8594, 0.8047, 0.5000, 0.2344, 0.2266, 0.1563,
                                           0.0938, 0.0781, 0.0703, 0.0625, 0.0000};
static const double ghia_u_100[GHIA_POINTS] = {1.00000,  0.84123,  0.78871,  0.73722,  0.68717,  0.23151,
                                               0.00332,  -0.13641, -0.20581, -0.21090, -0.15662, -0.10150,
                                               -0.06434, -0.04775, -0.04192, -0.03717, 0.00000};
static const double ghia_v_100[GHIA_POINTS] = {0.00000,  -0.05906, -0.07391, -0.08864, -0.10313, -0.16914,
                                               -0.22445, -0.24533, 0.05454,  0.17527,  0.17507,  0.16077,
                                               0.12317,  0.10890,  0.10091,  0.09233,  0.00000};
static const double ghia_u_1000[GHIA_POINTS] = {1.00000,  0.65928,  0.57492,  0.51117,  0.46604,  0.33304,
                                                0.18719,  0.05702,  -0.06080, -0.10648, -0.27805, -0.38289,
                                                -0.29730, -0.22220, -0.20196, -0.18109, 0.00000};
static const double ghia_v_1000[GHIA_POINTS] = {0.00000,  -0.21388, -0.27669, -0.33714, -0.39188, -0.51550,
                                                -0.42665, -0.31966, 0.02526,  0.32235,  0.33075,  0.37095,
                                                0.32627,  0.30353,  0.29012,  0.27485,  0.00000};

ghia_lines ghia_lines_of(int reynolds) {
  APP_ASSERT(reynolds == 100 || reynolds == 1000);
  if (reynolds == 100) return (ghia_lines){ghia_y, ghia_u_100, ghia_x, ghia_v_100};
  return (ghia_lines){ghia_y, ghia_u_1000, ghia_x, ghia_v_1000};
}
