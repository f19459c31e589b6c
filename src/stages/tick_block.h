// Individual time steps in the world (fluid/individual_steps.h): progress of the block, and other limits of
// steps. A step of the world is then a tick.
#ifndef MOTE_TICK_BLOCK_H
#define MOTE_TICK_BLOCK_H

#include "matter/world_data.h"

// Whether this step is a tick.
static inline bool mote_tick_block_on(const mote_world *world) {
  return world->fluid.steps != NULL;
}

// Whether a block has begun and is not over.
static inline bool mote_tick_block_inside(const mote_world *world) {
  return mote_world_stepped(world) && *mote_state_u64(&world->now, MOTE_WORLD_BLOCK_AT) > 0;
}

// Whether a state's block is valid.
bool mote_tick_block_possible(const mote_state *state);

// Finds the active particles of this step. After the fluid is bound and colliders are posed.
mote_result mote_tick_block_begin(mote_world *world, mote_error *error);

// Once accelerations are known and kicks given: writes world->dt and world->lands, and the state of the
// block.
void mote_tick_block_take(mote_world *world);

// The time at the end of the tick.
double mote_tick_block_end(mote_world *world);

#endif
