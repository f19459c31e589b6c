// Keys and obstacles of a KEYS file as the library takes them, and the motion that they make.
#ifndef MOTE_ANIMATE_KEYS_H
#define MOTE_ANIMATE_KEYS_H

#include "cli/deform/deform_shape.h"

typedef struct animate_obstacle {
  mote_shape *shape;
  mote_collider_def motion;  // a small shape with the obstacle's motion
} animate_obstacle;

typedef struct animate_keys {
  mote_deform_key *key;
  mote_deform_obstacle *obstacle;
  animate_obstacle *moving;  // behind the obstacles
  size_t keys, obstacles;
  double pose_error;  // the largest of the handles' errors in a key, sizes
  int iterations;     // of all poses
  bool stopped;
} animate_keys;

// Solves for the pose of every key. Complains; gives the exit status.
int animate_keys_make(deform_shape *shape, const mote_animation *animation, deform_note_fn *note, void *user,
                      animate_keys *out);
void animate_keys_free(animate_keys *keys);

// How deep the deepest of these points is in an obstacle at a time, m; 0: none is inside.
double animate_depth(const animate_keys *keys, double time, const double *point, size_t count);

// Finds the motion. Complains; gives the exit status.
int animate_motion_solve(const deform_shape *shape, const mote_animation *animation, const animate_keys *keys,
                         mote_deform_motion **out, mote_deform_motion_report *report);

#endif
