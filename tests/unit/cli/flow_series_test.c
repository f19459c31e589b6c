// Exact solutions of flows against values tabulated from their papers.
// Links apps/validate/fluids/flow_series.c
#include "validate/fluids/flow_series.h"

#include <math.h>
#include <mote/numeric.h>

#include "test.h"

// Morris, Fox & Zhu 1997: L = 1 mm, nu = 1e-6 m^2/s, F = 1e-4 m/s^2, V0 = 12.5e-6 m/s; in 1e-6 m/s.
static void plates_start(void) {
  static const double time[5] = {0.0225, 0.045, 0.1125, 0.225, 100.0};
  static const double table[4][5] = {{2.23274, 4.23457, 8.24991, 11.0998, 12.5},
                                     {1.86564, 3.12820, 5.50183, 7.17698, 8.0},
                                     {0.230277, 1.19475, 3.62844, 5.38629, 6.25},
                                     {4.32223, 6.31231, 8.41432, 9.49180, 10.0}};
  const plate_flow flow = {1e-3, 1e-6, 1e-4, 1.25e-5};
  for (int k = 0; k < 5; ++k) {
    CHECK_NEAR(1e6 * poiseuille_velocity(&flow, 0.5e-3, time[k]), table[0][k], 1e-4);
    CHECK_NEAR(1e6 * poiseuille_velocity(&flow, 0.2e-3, time[k]), table[1][k], 1e-4);
    CHECK_NEAR(1e6 * couette_velocity(&flow, 0.5e-3, time[k]), table[2][k], 1e-4);
    CHECK_NEAR(1e6 * couette_velocity(&flow, 0.8e-3, time[k]), table[3][k], 1e-4);
  }
  CHECK_NEAR(poiseuille_velocity(&flow, 0.3e-3, 0.0), 0.0, 1e-9);
  CHECK_NEAR(couette_velocity(&flow, 1e-3, 0.05), 1.25e-5, 1e-12);
}

// Re = 100: amplitudes at .25, .5, 1, 2, 3; and what the equations say of the field.
static void whirls_decay(void) {
  static const double time[5] = {0.25, 0.5, 1.0, 2.0, 3.0};
  static const double table[5] = {0.820869, 0.673825, 0.454041, 0.206153, 0.0936019};
  for (int k = 0; k < 5; ++k) CHECK_NEAR(mote_exp(-taylor_green_rate(100.0) * time[k]), table[k], 1e-6);
  const double e = 1e-4, x = 0.13, y = 0.31, A = 0.7;
  double at[2], east[2], west[2], north[2], south[2];
  taylor_green_velocity(x, y, A, at);
  taylor_green_velocity(x + e, y, A, east), taylor_green_velocity(x - e, y, A, west);
  taylor_green_velocity(x, y + e, A, north), taylor_green_velocity(x, y - e, A, south);
  CHECK_NEAR((east[0] - west[0] + north[1] - south[1]) / (2 * e), 0.0, 1e-6);  // no divergence
  double steer = (at[0] * (east[0] - west[0]) + at[1] * (north[0] - south[0])) / (2 * e);
  double push = (taylor_green_pressure(x + e, y, A) - taylor_green_pressure(x - e, y, A)) / (2 * e);
  CHECK_NEAR(steer + push, 0.0, 1e-5);  // u . grad u = -grad p
}

// Ghia, Ghia & Shin 1982: what they say of extremes, and walls at the ends.
static void cavities_are_as_printed(void) {
  ghia_lines slow = ghia_lines_of(100), fast = ghia_lines_of(1000);
  CHECK(slow.y[1] == 0.9766 && slow.u[1] == 0.84123 && slow.y[9] == 0.4531 && slow.u[9] == -0.21090);
  CHECK(slow.x[7] == 0.8047 && slow.v[7] == -0.24533 && slow.v[9] == 0.17527);
  CHECK(fast.y[11] == 0.1719 && fast.u[11] == -0.38289);
  CHECK(fast.x[11] == 0.1563 && fast.v[11] == 0.37095 && fast.x[5] == 0.9063 && fast.v[5] == -0.51550);
  for (int k = 0; k < 2; ++k) {
    const ghia_lines *lines = k == 0 ? &slow : &fast;
    CHECK(lines->u[0] == 1.0 && lines->u[16] == 0.0 && lines->v[0] == 0.0 && lines->v[16] == 0.0);
    for (int n = 1; n < GHIA_POINTS; ++n)
      CHECK(lines->y[n] < lines->y[n - 1] && lines->x[n] < lines->x[n - 1]);
  }
}

int main(void) {
  plates_start();
  whirls_decay();
  cavities_are_as_printed();
  return test_end();
}
