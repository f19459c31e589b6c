// Depth of particles below the surface. On the grid: the signed distance to the zero set of a sparse
// field, by fast marching from it, read at the particles. Without the grid: the field at the particles
// themselves, which sees drops and sheets that are thinner than cells. docs/theory/adams.md
#ifndef MOTE_SURFACE_DEPTH_H
#define MOTE_SURFACE_DEPTH_H

#include "surface/kernel_field.h"

typedef struct mote_depth_opts {
  double unit;            // m: the field changes by about 1 over this length near its zero
  double farthest;        // m: what is deeper, or where there are no nodes, is as deep as this
  const uint32_t *point;  // of the set, for each particle: itself, not an image
  const mote_env *env;
  mote_arena *scratch;
} mote_depth_opts;

// For each particle (row) its point in the set.
void mote_points_of_particles(const mote_point_set *set, const mote_domain *domain, uint32_t *point);

// depth: one per particle (row), m, negative outside.
mote_result mote_surface_depth(const mote_sparse_field *grid, const mote_point_set *set,
                               const mote_depth_opts *opts, float *depth, mote_error *error);

// The field, not clipped, at each point with near[p] = 1; value[p] of the others stays. list: one per worker.
mote_result mote_values_at_points(const mote_kernel_field *field, double cell, const uint8_t *near,
                                  mote_kernel_list *list, const mote_env *env, float *value,
                                  mote_error *error);

#endif
