// Sums over packings: see heat_kernel.h.
#include "heat/heat_kernel.h"

#include "base/check.h"
#include "heat/tuning.inc"

// Sums over the points of a plane of the packing at height z above the particle, one of which is vertically
// above it: V W, and V (-W'/r).
static void plane_sums(const mote_heat_kernel *k, double z, double *value, double *factor) {
  double d = k->spacing, R = k->kernel.radius, volume = k->kernel.dimensions == 3 ? d * d * d : d * d;
  int reach = (int)(R / d) + 1, across = k->kernel.dimensions == 3 ? reach : 0;
  *value = *factor = 0.0;
  for (int a = -reach; a <= reach; ++a) {
    for (int b = -across; b <= across; ++b) {
      double r = sqrt(z * z + d * d * (double)(a * a + b * b));
      *value += volume * mote_pair_value(&k->kernel, r);
      *factor -= volume * mote_pair_gradient_factor(&k->kernel, r);
    }
  }
}

// Planes at d/2, 3d/2, ... behind the surface, at `distance` in front of it.
static void wall_sums(mote_heat_kernel *k, int entry) {
  double d = k->spacing, distance = k->kernel.radius * entry / MOTE_HEAT_TABLE;
  k->wall[entry] = k->slope[entry] = k->value[entry] = 0.0;
  for (double z = distance + 0.5 * d; z < k->kernel.radius; z += d) {
    double value, factor;
    plane_sums(k, z, &value, &factor);
    k->wall[entry] += k->norm * factor * z / d;
    k->slope[entry] += factor * z;
    k->value[entry] += value;
  }
}

mote_heat_kernel mote_heat_kernel_make(int dimensions, double spacing) {
  MOTE_ASSERT((dimensions == 2 || dimensions == 3) && spacing > 0.0);
  mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_WENDLAND_C2, dimensions, MOTE_HEAT_SUPPORT * spacing);
  mote_heat_kernel k = {.kernel = mote_kernel_ready(&kernel), .spacing = spacing};
  double sum = 0.0, value, factor;
  for (double z = spacing; z < k.kernel.radius; z += spacing) {
    plane_sums(&k, z, &value, &factor);
    sum += 2.0 * factor * (z * z);
    k.surface_slope += factor * z;
  }
  k.norm = 2.0 / sum;
  k.own =
      mote_pair_value(&k.kernel, 0.0) * (dimensions == 3 ? spacing * spacing * spacing : spacing * spacing);
  for (int entry = 0; entry <= MOTE_HEAT_TABLE; ++entry) wall_sums(&k, entry);
  return k;
}

static double interpolate(const mote_heat_kernel *k, const double *table, double distance) {
  double at = MOTE_HEAT_TABLE * (distance > 0.0 ? distance : 0.0) / k->kernel.radius;
  if (at >= MOTE_HEAT_TABLE) return 0.0;
  int n = (int)at;
  return table[n] + (at - n) * (table[n + 1] - table[n]);
}

double mote_heat_kernel_wall(const mote_heat_kernel *k, double distance) {
  double least = WALL_DISTANCE_MIN * k->spacing, apart = distance > least ? distance : least;
  return interpolate(k, k->wall, apart) * k->spacing / apart;
}

void mote_heat_kernel_wall_part(const mote_heat_kernel *k, double distance, double *value, double *slope) {
  *value = interpolate(k, k->value, distance);
  *slope = interpolate(k, k->slope, distance);
}
