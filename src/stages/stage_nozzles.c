// Particles inside a nozzle move with its flow velocity.
#include "stages/nozzle_row.h"
#include "stages/stages.h"

mote_result mote_stage_nozzles(mote_world *world, mote_error *error) {
  (void)error;
  const mote_store *store = mote_world_store(world);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    mote_nozzle_state state = mote_nozzle_row(world, k);
    mote_nozzle_set_velocities(mote_emitter_at(world, k)->nozzle, &state,
                               *mote_state_f64(&world->now, MOTE_WORLD_TIME), mote_world_fluid_rows(world),
                               mote_store_f64(store, MOTE_PARTICLE_POSITION),
                               mote_store_f32(store, MOTE_PARTICLE_VELOCITY));
  }
  return MOTE_OK;
}
