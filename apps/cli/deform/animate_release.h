// The end of a motion as the beginning of an elastic simulation: commands (docs/steering.md) that give the
// particles of an elastic body of a scene the places and velocities that the motion has there.
#ifndef MOTE_ANIMATE_RELEASE_H
#define MOTE_ANIMATE_RELEASE_H

#include "cli/deform/deform_shape.h"

typedef struct animate_release {
  const char *scene, *body;  // body: null, the only elastic one
  double time;               // s, of the motion
  size_t particles;          // output: whose state was written
  double speed;              // output, m/s: the largest
} animate_release;

// Writes them to a file for `mote run SCENE --commands FILE`. Complains; gives the exit status.
int animate_release_write(const deform_shape *shape, const mote_deform_motion *motion, animate_release *r,
                          const char *path);

#endif
