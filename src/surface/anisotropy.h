// The shape of each particle's kernel: YU11 (4.3), (4.6)-(4.14), with centres that keep the volume.
// docs/theory/anisotropy.md
#ifndef MOTE_ANISOTROPY_H
#define MOTE_ANISOTROPY_H

#include "surface/point_set.h"

typedef struct mote_kernel_shape {
  float shift[3];  // from the particle to the kernel's centre, m
  float G[6];      // |G (x - centre)| <= 1 is the kernel's support; upper triangle, 1/m
  float weight;    // what the kernel is multiplied with; inside, where particles have volumes: by volume
} mote_kernel_shape;

// Most points lie inside and share one shape.
#define MOTE_SHAPE_INSIDE 0
typedef struct mote_kernel_shapes {
  size_t count;
  mote_kernel_shape *shape;  // the first is that of all points inside
  uint32_t *of;              // the shape of each point; images share their particle's
} mote_kernel_shapes;

typedef enum mote_nearness {
  MOTE_NEAR_INSIDE,   // not stretched
  MOTE_NEAR_SURFACE,  // 4.5 tags the point
  MOTE_NEAR_TOUCHES,  // stretched, and its kernel may touch the surface
} mote_nearness;

// The shapes of all points of the set, from `arena`. `def` has no NaN left but `scale`,
// which may be one (20/(3 r^2)). label: component of each point, null: one for all. near receives a
// mote_nearness for each.
mote_result mote_anisotropy(const mote_point_set *set, const mote_surface_def *def, const uint32_t *label,
                            const mote_env *env, mote_arena *arena, mote_arena *scratch,
                            mote_kernel_shapes *out, uint8_t *near, mote_error *error);

#endif
