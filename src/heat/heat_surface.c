// Area of free surfaces: see heat_surface.h.
#include "heat/heat_surface.h"

#include "heat/tuning.inc"

void mote_heat_sum(const mote_heat_rows *rows, const mote_heat_kernel *kernel, const mote_domain *domain,
                   const mote_lists *lists, size_t i, double *value, double slope[3]) {
  MOTE_ASSERT(i < lists->count);
  *value = kernel->own;
  slope[0] = slope[1] = slope[2] = 0.0;
  for (size_t n = lists->first[i], last = n + lists->number[i]; n < last; ++n) {
    size_t j = lists->index[n];
    double x[3];
    mote_domain_difference(domain, rows->position + 3 * i, rows->position + 3 * j, x);
    double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    double c = rows->volume[j] * mote_pair_gradient_factor(&kernel->kernel, r);
    *value += rows->volume[j] * mote_pair_value(&kernel->kernel, r);
    for (int a = 0; a < 3; ++a) slope[a] += c * x[a];
  }
}

double mote_heat_faces(int dimensions, double value, double slope) {
  double lone = value < LONE_VALUE ? dimensions * (1.0 - value / LONE_VALUE) : 0.0, most = 2.0 * dimensions;
  double faces = slope > lone ? slope : lone;
  return faces < most ? faces : most;
}
