// What one line does to a particle: acceleration by gravity, velocity by acceleration, position by velocity.
#ifndef MOTE_MOTION_ROW_H
#define MOTE_MOTION_ROW_H

#include "base/prelude.h"

// A row reads and writes what it names; the rest may be null.
typedef struct mote_motion_view {
  double dt;
  float gravity[3];
  MOTE_GLOBAL float *acceleration, *velocity;
  MOTE_GLOBAL double *position, *from;  // now, and before the move
} mote_motion_view;

static inline void mote_gravity_row(const mote_motion_view *v, size_t i) {
  for (size_t a = 0; a < 3; ++a) v->acceleration[3 * i + a] = v->gravity[a];
}

static inline void mote_kick_row(const mote_motion_view *v, size_t i) {
  float dt = (float)v->dt;
  for (size_t a = 0; a < 3; ++a) v->velocity[3 * i + a] += dt * v->acceleration[3 * i + a];
}

static inline void mote_move_row(const mote_motion_view *v, size_t i) {
  for (size_t a = 0; a < 3; ++a) {
    double x = v->position[3 * i + a];
    v->from[3 * i + a] = x;
    v->position[3 * i + a] = x + v->dt * (double)v->velocity[3 * i + a];
  }
}

#endif
