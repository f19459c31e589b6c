// The particles of a surface, sorted into cubic bins, with the images of periodic sides: later stages see an
// open domain. All lengths in m; positions relative to `origin`, to keep precision far from 0.
#ifndef MOTE_POINT_SET_H
#define MOTE_POINT_SET_H

#include <mote/surface.h>

#include "base/arena.h"

typedef struct mote_point_row {
  int32_t y, z;
  uint32_t first_bin;
} mote_point_row;

typedef struct mote_point_set {
  double origin[3];
  double spacing;           // d
  size_t count, particles;  // with images, without
  const double *position;   // 3 each, sorted by (bin, row)
  const float *volume;      // m^3; null: d^3 each
  const float *size;        // own spacings, m; null: d each
  double largest;           // of them
  const uint32_t *row;      // of the particle as given; images repeat it
  // Bins: cubes of edge bin_edge, bin (x, y, z) = floor(position / bin_edge). Only occupied bins are held,
  // sorted by (z, y, x); points of bin b are first_point[b] .. first_point[b + 1] - 1.
  double bin_edge;
  size_t bins;
  const int32_t *bin_at;  // 3 each
  const uint32_t *first_point;
  // Bins of the same (y, z) are a row.
  size_t rows;
  const mote_point_row *bin_row;  // rows + 1; the last begins behind the last bin
} mote_point_set;

typedef struct mote_point_set_opts {
  const mote_domain *domain;
  double spacing;      // d, m
  double pad;          // how far beyond periodic sides there are images, m
  double origin_step;  // the origin is a multiple of this, m
  int threads;
} mote_point_set_opts;

static inline float mote_point_volume(const mote_point_set *set, size_t point) {
  double d = set->spacing;
  return set->volume != NULL ? set->volume[point] : (float)(d * d * d);
}

static inline double mote_point_size(const mote_point_set *set, size_t point) {
  return set->size != NULL ? (double)set->size[point] : set->spacing;
}

// Gives each point of a set with volumes a spacing of its own, from `arena`.
mote_result mote_point_set_sizes(mote_point_set *set, mote_arena *arena, mote_error *error);

// Memory with the lifetime of the set is taken from `arena`. ARGUMENT: positions or volumes that are not
// finite or not positive (the first is named), too many points, bins too far apart.
mote_result mote_point_set_build(const mote_surface_particles *particles, const mote_point_set_opts *opts,
                                 mote_arena *arena, mote_arena *scratch, mote_point_set *set,
                                 mote_error *error);

// Points of the bins that touch [low, high], as runs of consecutive points and bins, in ascending order.
// Returns how many runs there are; writes at most `capacity`.
typedef struct mote_point_run {
  uint32_t begin, end;
  uint32_t first_bin, end_bin;
} mote_point_run;
size_t mote_point_set_runs(const mote_point_set *set, const double low[3], const double high[3],
                           mote_point_run *run, size_t capacity);

// Estimates the spacing d of particles: the median over a sample of estimates from the distances to the
// nearest six; with volumes, the cube root of their mean. ARGUMENT (key "spacing"): it cannot be estimated.
mote_result mote_point_spacing(const mote_surface_particles *particles, const mote_env *env, double *spacing,
                               mote_error *error);

#endif
