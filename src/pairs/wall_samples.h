// Internal arrays of a boundary's samples: one part that never moves, and one that may.
#ifndef MOTE_WALL_SAMPLES_H
#define MOTE_WALL_SAMPLES_H

#include "pairs/boundary.h"
#include "pairs/near_map.h"
#include "pairs/pair_set.h"

enum { STANDING, MOVING };

typedef struct mote_sample_part {
  size_t count;
  double *rest, *position;              // as added (of those that may move), and now
  mote_fixed_position *fixed_position;  // one more, the dummy's
  mote_flow *velocity;                  // one more; null: at rest
  float *friction;                      // null where none has any
  float *belt;      // three each: tangential velocity of the surface, used by friction only; null: none
  float *own;       // sum of V_b' W_bb' over the part, of bodies over their own samples, at most 1
  uint32_t *owner;  // a body's number + 1, or 0; null: no sample belongs to a body
  size_t rest_capacity, position_capacity, fixed_position_capacity, velocity_capacity, friction_capacity,
      belt_capacity, own_capacity, owner_capacity;
  mote_grid *grid;
  mote_near_map map;
  bool stale;   // grid, map and fixed positions are out of date
  bool summed;  // `own` of all is up to date
  bool loose;   // samples move relative to each other: only the sums of those in use are computed
} mote_sample_part;

struct mote_boundary {
  mote_env env;
  mote_domain domain;
  double support;
  bool rough;  // some sample has friction
  mote_sample_part part[MOTE_BOUNDARY_PARTS];
};

#endif
