// Density and gradient sum of the rows below a flat surface of a packing: see surface_density.h.
#include "pairs/surface_density.h"

#include <math.h>
#include <mote/approx.h>

// Sums over the packing below the surface, for the particle in row `row` (0: the first).
static void sum_row(const mote_kernel *kernel, double spacing, int row, double *density, double *gradient) {
  int n = (int)(kernel->radius / spacing) + 1, flat = kernel->dimensions < 3;
  double volume = flat ? spacing * spacing : spacing * spacing * spacing;
  *density = *gradient = 0.0;
  for (int z = flat ? 0 : -n; z <= (flat ? 0 : n); ++z) {
    for (int y = -n; y <= (row < n ? row : n); ++y) {
      for (int x = -n; x <= n; ++x) {
        double at[3] = {x * spacing, y * spacing, z * spacing}, g[3];
        mote_kernel_gradient(kernel, at, g);
        *density += volume * mote_kernel_value(kernel, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
        *gradient += volume * g[1];
      }
    }
  }
}

mote_surface_density mote_surface_density_of(const mote_kernel *kernel, double spacing) {
  MOTE_ASSERT(kernel->radius > 0.0 && spacing > 0.0);
  mote_surface_density out = {.rows = 0};
  for (bool inside = false; !inside && out.rows < MOTE_SURFACE_ROWS; ++out.rows) {
    double density, gradient;
    sum_row(kernel, spacing, out.rows, &density, &gradient);
    inside = (out.rows + 1) * spacing >= kernel->radius || out.rows + 1 == MOTE_SURFACE_ROWS;
    out.density[out.rows] = inside ? 1.0f : (float)density;
    out.gradient[out.rows] = inside ? 0.0f : (float)fabs(gradient);
  }
  return out;
}
