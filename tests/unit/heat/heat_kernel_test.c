// The kernel of conduction: exact on parabolas of a packing, walls that continue linear fields.
#include "heat/heat_kernel.h"

#include "test.h"

// Second difference of x^2 by the pairs of a full packing; the continuation of x by the planes of a wall.
static void parabolas(int dimensions) {
  double d = 0.02, sum = 0.0, volume = dimensions == 3 ? d * d * d : d * d;
  mote_heat_kernel k = mote_heat_kernel_make(dimensions, d);
  int across = dimensions == 3 ? 3 : 0;
  for (int a = -3; a <= 3; ++a)
    for (int b = -3; b <= 3; ++b)
      for (int c = -across; c <= across; ++c)
        sum += volume * mote_heat_kernel_pair(&k, d * sqrt(a * a + b * b + c * c)) * (a * d) * (a * d);
  CHECK_NEAR(sum, 2.0, 1e-12);
}

// A particle in the first row of a linear field T = x next to a wall of T = 0 at x = 0: what it gets from
// its neighbours it gives to the wall.
static void walls_continue_linear_fields(int dimensions) {
  double d = 0.02, volume = dimensions == 3 ? d * d * d : d * d;
  mote_heat_kernel k = mote_heat_kernel_make(dimensions, d);
  int across = dimensions == 3 ? 3 : 0;
  for (int row = 0; row < 3; ++row) {
    double x = (row + 0.5) * d, gets = 0.0, gives = mote_heat_kernel_wall(&k, x) * x;
    for (int a = -row; a <= 3; ++a)
      for (int b = -3; b <= 3; ++b)
        for (int c = -across; c <= across; ++c)
          gets += volume * mote_heat_kernel_pair(&k, d * sqrt(a * a + b * b + c * c)) * (a * d);
    CHECK_NEAR(gives, gets, 1e-9 * gives + 1e-9);
  }
  CHECK(mote_heat_kernel_wall(&k, 2.5 * d) == 0.0 && mote_heat_kernel_wall(&k, 1.0) == 0.0);
  CHECK(mote_heat_kernel_wall(&k, -d) == mote_heat_kernel_wall(&k, 0.25 * d));
}

// Wall and matter together are a full neighbourhood.
static void walls_fill_neighbourhoods(int dimensions) {
  double d = 0.02, value, slope, matter = 0.0, uphill = 0.0, volume = dimensions == 3 ? d * d * d : d * d;
  mote_heat_kernel k = mote_heat_kernel_make(dimensions, d);
  int across = dimensions == 3 ? 3 : 0;
  for (int a = 0; a <= 3; ++a)
    for (int b = -3; b <= 3; ++b)
      for (int c = -across; c <= across; ++c) {
        double r = d * sqrt(a * a + b * b + c * c);
        matter += volume * mote_pair_value(&k.kernel, r);
        uphill -= volume * mote_pair_gradient_factor(&k.kernel, r) * a * d;
      }
  mote_heat_kernel_wall_part(&k, 0.5 * d, &value, &slope);
  CHECK_NEAR(matter + value, 1.0, 0.05);
  CHECK_NEAR(slope, uphill, 1e-9 * uphill);
  CHECK_NEAR(slope, k.surface_slope, 1e-9 * slope);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    parabolas(dimensions);
    walls_continue_linear_fields(dimensions);
    walls_fill_neighbourhoods(dimensions);
  }
  return test_end();
}
