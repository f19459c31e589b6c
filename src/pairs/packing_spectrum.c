// The spectrum of A on a regular packing, by Fourier modes: see packing_spectrum.h. There rho0 A multiplies
// a wave of pressures exp(i k x) by |S(k)|^2, S(k) = sum_j V grad W_ij sin(k x_ij); the maximum is searched
// along the axes and diagonals, where symmetry puts the extremes.
#include "pairs/packing_spectrum.h"

#include <math.h>
#include <mote/approx.h>
#include <mote/numeric.h>

#include "base/pi.h"

#define SPECTRUM_WAVES 32
#define INTEGRAL_SHELLS 512

typedef struct packing_sum {
  double density, diagonal,
      wave[3][SPECTRUM_WAVES][3];  // direction (axis, diagonal of a face, of the cube), wave, component
} packing_sum;

static void add_neighbour(packing_sum *sum, const double x[3], const double gradient[3], double spacing) {
  for (int a = 0; a < 3; ++a) sum->diagonal += gradient[a] * gradient[a];
  for (int d = 0; d < 3; ++d) {
    double along = x[0] + (d > 0 ? x[1] : 0.0) + (d > 1 ? x[2] : 0.0);
    for (int w = 0; w < SPECTRUM_WAVES; ++w) {
      double wave = mote_sin(MOTE_PI * (w + 1) / SPECTRUM_WAVES * along / spacing);
      for (int a = 0; a < 3; ++a) sum->wave[d][w][a] += gradient[a] * wave;
    }
  }
}

// int W r^2 dV, m^2.
static double second_moment(const mote_kernel *kernel) {
  double sum = 0.0, step = kernel->radius / INTEGRAL_SHELLS,
         sphere = kernel->dimensions == 2 ? 2.0 * MOTE_PI : 4.0 * MOTE_PI;
  for (int k = 0; k < INTEGRAL_SHELLS; ++k) {
    double r = (k + 0.5) * step, area = sphere * (kernel->dimensions == 2 ? r : r * r);
    sum += mote_kernel_value(kernel, r) * r * r * area * step;
  }
  return sum;
}

mote_packing_spectrum mote_packing_spectrum_of(const mote_kernel *kernel, double spacing) {
  MOTE_ASSERT(kernel->radius > 0.0 && spacing > 0.0);
  MOTE_ASSERT(kernel->dimensions == 2 || kernel->dimensions == 3);
  int n = (int)(kernel->radius / spacing) + 1, flat = kernel->dimensions < 3;
  double volume = flat ? spacing * spacing : spacing * spacing * spacing, largest = 0.0;
  packing_sum sum = {.diagonal = 0.0};
  for (int z = flat ? 0 : -n; z <= (flat ? 0 : n); ++z) {
    for (int y = -n; y <= n; ++y) {
      for (int x = -n; x <= n; ++x) {
        double at[3] = {x * spacing, y * spacing, z * spacing}, gradient[3];
        mote_kernel_gradient(kernel, at, gradient);
        sum.density +=
            volume * mote_kernel_value(kernel, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
        for (int a = 0; a < 3; ++a) gradient[a] *= volume;
        add_neighbour(&sum, at, gradient, spacing);
      }
    }
  }
  for (int d = 0; d < 3; ++d) {
    for (int w = 0; w < SPECTRUM_WAVES; ++w) {
      const double *S = sum.wave[d][w];
      largest = fmax(largest, S[0] * S[0] + S[1] * S[1] + S[2] * S[2]);
    }
  }
  double reach = (kernel->dimensions + 2.0) / kernel->dimensions * second_moment(kernel) / sum.density;
  return (mote_packing_spectrum){sum.density, sum.diagonal, largest / sum.diagonal, reach};
}
