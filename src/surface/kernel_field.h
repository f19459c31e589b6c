// The fields whose level sets are surfaces: one kernel on each point, of spherical or ellipsoidal support.
//
//   sums   s^(1/4), s = sum_j weight_j P(|G_j (x - c_j)|)              blobs, density, mass, anisotropic
//   means  (r - |x - x_mean|) / d, r and x_mean weighted means of all  Zhu-Bridson, Adams
//
// Values are less that at the isovalue: positive inside. The root makes the values of sums nearly linear
// across the surface, as those of means are: vertices that are interpolated along edges come to lie where
// they should. YU11 (2.1)-(2.7), (4.1)-(4.5); docs/theory/surfaces.md
#ifndef MOTE_KERNEL_FIELD_H
#define MOTE_KERNEL_FIELD_H

#include <math.h>

#include "mesh/sparse_field.h"
#include "surface/anisotropy.h"
#include "surface/point_set.h"

// Shapes P(q), P(0) = 1. The first stands for YU11's cubic B-spline: as smooth a surface, but no square root.
typedef enum mote_bump {
  MOTE_BUMP_SMOOTH,   // (1 - q^2)^4: blobs, density, anisotropic
  MOTE_BUMP_DESBRUN,  // (1 - q)^3: mass
  MOTE_BUMP_MEAN,     // (1 - q^2)^3: the weight of means, as Zhu & Bridson have it
} mote_bump;

// From a bin's corner, m.
typedef struct mote_bin_box {
  float low[3], high[3];
} mote_bin_box;

typedef struct mote_kernel_field {
  const mote_point_set *set;
  mote_bump bump;
  double support;             // of spherical kernels, m; the largest
  const float *supports;      // of each; null: all have the same
  const float *weight;        // sums: one per point, with the factor that makes the bulk 1; means: radii, m;
                              // null where shapes have them
  mote_kernel_shapes shapes;  // ellipsoidal kernels; none: spheres at the points
  // Set by mote_kernel_field_bound, m.
  mote_bin_box *bin_box;  // around the kernels of each bin
  double reach;           // no kernel reaches farther from its bin along any axis
  float inside_half;      // radius of kernels inside
  double isovalue;
  double outside;  // the value where there is no kernel; negative
  double inside;   // sums may stop here; infinite: nowhere
  // Cut off outside of this box (relative to the set's origin), and closed there.
  double clip_low[3], clip_high[3];
  double clip_slope;  // of the value across the cut, 1/m
} mote_kernel_field;

// From a sum to its value.
static inline double mote_sum_measure(double sum) {
  return sqrt(sqrt(sum));
}

// P(q) for q^2.
double mote_bump_value(mote_bump bump, double q2);
// The integral of P over the unit ball.
double mote_bump_volume(mote_bump bump);

// Finds out how far kernels reach: to be called when set, support and shapes are known, before what follows.
mote_result mote_kernel_field_bound(mote_kernel_field *field, const mote_env *env, mote_arena *arena,
                                    mote_error *error);

// The box around the kernel of a point, m from the set's origin.
void mote_kernel_box(const mote_kernel_field *field, uint32_t point, double low[3], double high[3]);

// The kernels that overlap a box, ready for evaluation: lengths in cells, from the box's first node.
typedef struct mote_local_kernel {
  float centre[3], half[3];
  float form[6];  // q^2 = form . (x - centre)^2: xx, 2 xy, 2 xz, yy, 2 yz, zz
  float weight;
  uint32_t point;
} mote_local_kernel;

// Memory of one worker.
typedef struct mote_kernel_list {
  mote_env env;
  mote_local_kernel *kernel;
  size_t count, capacity;
  mote_point_run *run;
  size_t run_capacity;
} mote_kernel_list;
void mote_kernel_list_free(mote_kernel_list *list);

// The kernels that touch the box of `side` cells from node `at`, in ascending order. False: memory is out.
bool mote_kernel_list_collect(mote_kernel_list *list, const mote_kernel_field *field, double cell,
                              const int32_t at[3], int side);

// The values at the nodes of one block.
void mote_kernel_tile(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                      const int32_t block[3], float value[MOTE_BLOCK_NODES]);

// The value at one point, x in cells from the first node of the list's box, and its gradient (1/m; null: not
// wanted).
double mote_kernel_value_at(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                            const int32_t at[3], const float x[3], double gradient[3]);

// Values (null: not wanted) and gradients at up to four points that are best near each other; sums in floats.
void mote_kernel_values_at(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                           const int32_t at[3], const float (*x)[3], size_t count, double *value,
                           double (*gradient)[3]);

#endif
