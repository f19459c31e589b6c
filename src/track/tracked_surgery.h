// Two closed meshes that agree but in some places, joined: outside of a region the first, inside it the
// second, and along its border a strip of triangles from the loops of one to those of the other.
// docs/theory/tracking.md
#ifndef MOTE_TRACKED_SURGERY_H
#define MOTE_TRACKED_SURGERY_H

#include <mote/geom.h>

#include "base/arena.h"

#define MOTE_SURGERY_NEAR 8

// One of the meshes; `changes` per vertex: whether its part may be cut (the others are kept of the first, and
// left out of the second).
typedef struct mote_surgery_side {
  const mote_mesh *mesh;
  const uint8_t *changes;
  const uint32_t *nearest;  // vertices of the other mesh, MOTE_SURGERY_NEAR each, nearest first
  const double *distance2;
} mote_surgery_side;

typedef struct mote_surgery {
  mote_surgery_side old, fresh;
  double reach;  // m: surfaces that lie two fifths of it apart, or look elsewhere, disagree
} mote_surgery;

// Cells, half a reach wide, in which the meshes disagree, in clusters of those that are near each other.
typedef struct mote_surgery_seeds {
  int32_t (*cell)[3];
  uint32_t *cluster;  // of each cell
  uint8_t *lost;      // of each cluster: surfaces are farther apart than the reach
  size_t count, clusters;
} mote_surgery_seeds;
mote_result mote_surgery_find(const mote_surgery *surgery, mote_arena *arena, mote_surgery_seeds *out,
                              mote_error *error);

typedef struct mote_surgery_result {
  bool done;         // false: loops do not fit together
  mote_mesh mesh;    // in the arena
  uint32_t *source;  // of each vertex: in the old mesh, or behind its vertices in the fresh one
  size_t kept;       // vertices of the old mesh, which come first
} mote_surgery_result;

// In the cells of one cluster, and so many about them, the fresh mesh takes the place of the old one; of the
// sides only meshes and `changes` are read. Whether the result is a closed manifold is for the caller to
// check.
mote_result mote_surgery_run(const mote_surgery *surgery, const mote_surgery_seeds *seeds, size_t cluster,
                             int grow, const mote_env *env, mote_arena *arena, mote_surgery_result *out,
                             mote_error *error);

#endif
