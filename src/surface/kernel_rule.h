// The shape of a point's kernel from the sums over its neighbours: YU11 (4.3), (4.9)-(4.13), 4.5, and centres
// that keep the volume. Pure functions of the sums; docs/theory/anisotropy.md.
#ifndef MOTE_KERNEL_RULE_H
#define MOTE_KERNEL_RULE_H

#include "surface/anisotropy.h"
#include "surface/half_space.h"
#include "surface/neighbour_sums.h"
#include "surface/ripple.h"

typedef struct mote_kernel_rule {
  double reach, support, spacing;  // r, R, d in m
  double full_count, full_weight;  // of a full neighbourhood: particles, and the sum of their weights
  double fewest, offset;  // 4.5: near the surface with fewer particles, or a mean farther away (in r)
  double smoothing, stretch, scale, lone_scale, lone_neighbours;  // lambda, k_r, k_s r^2, k_n, N_eps
  double lone_growth;  // factor of the radius of lone kernels, for the volume that the mesh cuts off
  bool keep_volume, whole;
  mote_half_space half_space;
} mote_kernel_rule;

// d: the spacing in m.
mote_kernel_rule mote_kernel_rule_make(const mote_surface_def *def, double d);

// Of a particle of another spacing: `cell` is that of the set, m.
void mote_kernel_rule_resize(mote_kernel_rule *rule, double d, double cell);

// 4.5.
bool mote_kernel_rule_near_surface(const mote_kernel_rule *rule, const mote_neighbour_sums *sums);

// Moments of the weighted neighbours of a point, in units of r: weight, mean and its length, covariance (xx,
// xy, xz, yy, yz, zz); and their number, with the point itself.
typedef struct mote_near_moments {
  double weight, mean[3], length, covariance[6], count;
} mote_near_moments;
mote_near_moments mote_near_moments_of(const mote_neighbour_sums *sums);

// Whether the surface may lie within the kernel's reach.
bool mote_kernel_rule_touches(const mote_kernel_rule *rule, const mote_near_moments *m);

// The kernel of a point inside: G = I/R, not shifted. The weight of a shape is 1 except for lone kernels,
// which have grown.
mote_kernel_shape mote_kernel_rule_inside(const mote_kernel_rule *rule);

// The kernel of a point near the surface, and the plane of the surface there; depth infinite in films, drops
// and threads, which have none.
mote_kernel_shape mote_kernel_rule_shape(const mote_kernel_rule *rule, const mote_near_moments *m,
                                         mote_surface_plane *plane);

#endif
