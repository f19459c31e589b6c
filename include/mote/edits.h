// What `mote deform` and `mote animate` are asked for: handles with their poses, keys and obstacles, as EDITS
// and KEYS files say them in the scene language. Plain data; the keys are rows of the table of keys (keys.h).
// docs/deforming.md
#ifndef MOTE_EDITS_H
#define MOTE_EDITS_H

#include <mote/deform.h>
#include <mote/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

// A rotation of a handle.
typedef struct mote_turn_def {
  double axis[3], angle;  // rad
  double about[3];        // a point on the axis; NaN: the middle of the handle's bounds
} mote_turn_def;

// Vertices by number, from 1; both ends belong to it.
typedef struct mote_vertex_range {
  uint64_t first, last;
} mote_vertex_range;

typedef struct mote_handle_def {
  const char *name;
  // The region, by one of them: a shape (no kind: not given), vertices as texts and as ranges, a group of the
  // mesh.
  mote_shape_def shape;
  const char *const *vertex;
  size_t vertices;
  const mote_vertex_range *range;  // one for each text
  const char *group;               // null: not given
  // Its pose: turned, then moved.
  bool fix;
  mote_turn_def rotate;
  double move[3];
  bool posed;  // one of fix, rotate, move was given
} mote_handle_def;

// An EDITS file. The mesh of the definition is not part of it.
typedef struct mote_edits {
  mote_shape_def shape;  // instead of a mesh file; no kind: not given
  int cells;             // of the grid on which it becomes a mesh, along its longest side
  mote_deform_def def;
  mote_deform_solve_opts solve;
  const mote_handle_def *handle;
  size_t handles;
} mote_edits;

typedef struct mote_keyframe_def {
  double time;
  const mote_handle_def *handle;  // names and poses; none of it and no mesh: the shape at rest
  size_t handles;
  const char *mesh;      // a file with the same vertices in the pose; null: none
  const char *snapshot;  // a file of a run whose elastic body carries the mesh; null: none
  const char *body;      // of that run; null: the only one
  bool part;             // only the handles are prescribed, not the rest of the shape
  double velocity[3];    // m/s, of all that is prescribed; NaN: any
} mote_keyframe_def;

typedef struct mote_obstacle_def {
  const char *name;
  mote_shape_def shape;
  mote_motion_def motion;
} mote_obstacle_def;

// A KEYS file.
typedef struct mote_animation {
  mote_edits deform;           // nodes, and handles with their regions
  mote_deform_motion_def def;  // without the deformation
  double fps;                  // frames per second that are written
  const mote_keyframe_def *key;
  const mote_obstacle_def *obstacle;
  size_t keys, obstacles;
} mote_animation;

#ifdef __cplusplus
}
#endif
#endif
