// Ripples: remaining noise of the surface after the kernels have been shaped, waves with lengths of some
// spacings and heights of a few hundredths of a spacing. docs/theory/anisotropy.md
#ifndef MOTE_RIPPLE_H
#define MOTE_RIPPLE_H

#include "surface/anisotropy.h"

// The surface above one particle, as estimated from its neighbours.
typedef struct mote_surface_plane {
  float normal[3];  // outward, unit
  float depth;      // of the particle below it, spacings; infinite: it knows of none
} mote_surface_plane;

// The input of the smoothing: kernels with their planes.
typedef struct mote_ripple_set {
  const mote_point_set *set;
  const mote_surface_plane *plane;  // one for each shape
  const uint32_t *label;            // of each point; null: one for all
  const uint32_t *owner;            // of each row: the point that is its particle; null: all points are
  const mote_kernel_shapes *shapes;
  double reach;  // of kernels from their centres, near a surface, m
} mote_ripple_set;

static inline bool mote_ripple_is_owner(const mote_ripple_set *on, size_t point) {
  return on->owner == NULL || on->owner[on->set->row[point]] == point;
}

static inline const mote_surface_plane *mote_ripple_plane(const mote_ripple_set *on, size_t point) {
  return &on->plane[on->shapes->of[point]];
}

static inline int32_t mote_ripple_label(const mote_ripple_set *on, size_t point) {
  return on->label == NULL ? 0 : (int32_t)on->label[point];
}

// The intersection of the plane of a point with its normal, from `corner` in units of 1/per.
void mote_ripple_place(const mote_ripple_set *on, size_t point, const double corner[3], double per,
                       float x[3]);

// Moves the kernels of points near the surface along their normals: to the mean height of the surrounding
// surface if that is nearer than `ripple` spacings (in full up to half of it), and slightly away from it if
// it is farther, since higher features are real and were flattened by the kernels. Then sets their weights so
// that the field on their planes equals that on the planes around (plane_values.h). Points without a plane
// stay.
mote_result mote_ripple_even(const mote_ripple_set *on, double ripple, int threads, mote_arena *scratch,
                             mote_error *error);

#endif
