// The state of an emitter in its row of the table.
#ifndef MOTE_NOZZLE_ROW_H
#define MOTE_NOZZLE_ROW_H

#include "matter/world_data.h"

static inline mote_nozzle_state mote_nozzle_row(const mote_world *world, size_t k) {
  const mote_store *nozzles = &world->now.store[MOTE_TABLE_NOZZLES];
  return (mote_nozzle_state){mote_store_f64(nozzles, MOTE_NOZZLE_ADVANCED)[k],
                             mote_store_u64(nozzles, MOTE_NOZZLE_EMITTED)[k]};
}

static inline void mote_nozzle_row_set(const mote_world *world, size_t k, const mote_nozzle_state *state) {
  const mote_store *nozzles = &world->now.store[MOTE_TABLE_NOZZLES];
  mote_store_f64(nozzles, MOTE_NOZZLE_ADVANCED)[k] = state->advanced;
  mote_store_u64(nozzles, MOTE_NOZZLE_EMITTED)[k] = state->emitted;
}

#endif
