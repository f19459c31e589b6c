// Saving and loading a world: a head, then the archives of all stores now and at the frame's beginning.
#include <math.h>

#include "base/note.h"
#include "state/snapshot_head.h"
#include "world/elastic_bodies.h"
#include "world/retry.h"
#include "world/step.h"
#include "world/tick_block.h"
#include "world/world_data.h"

// --- Saving
// -----------------------------------------------------------------------------------------------------

static mote_result save_state(const mote_state *state, mote_arena *scratch, const mote_sink *sink,
                              mote_error *error) {
  for (int s = 0; s < mote_state_stores(state); ++s) {
    MOTE_TRY(mote_archive_write(&state->store[s], scratch, sink, error));
  }
  return MOTE_OK;
}

static mote_result save(const mote_world *world, mote_arena *scratch, const mote_sink *sink,
                        mote_error *error) {
  uint32_t stores = (uint32_t)mote_state_stores(&world->now);
  mote_snapshot_head head = {.archives = stores * (world->has_frame ? 2 : 1),
                             .definitions = world->definitions};
  MOTE_TRY(mote_state_hash_all(&world->now, scratch, &head.state, error));
  unsigned char bytes[MOTE_SNAPSHOT_HEAD];
  mote_snapshot_head_put(&head, bytes);
  if (!sink->write(sink->user, bytes, sizeof bytes)) {
    return mote_fail(error, MOTE_ERROR_FILE, "the head of the snapshot could not be written");
  }
  MOTE_TRY(save_state(&world->now, scratch, sink, error));
  return world->has_frame ? save_state(&world->frame, scratch, sink, error) : MOTE_OK;
}

mote_result mote_world_save(const mote_world *world, mote_world_write_fn *write, void *user,
                            mote_error *error) {
  if (world == NULL || write == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "saving needs a world and a function that writes");
  }
  mote_arena scratch = mote_arena_make(&world->env);
  mote_result result = save(world, &scratch, &(mote_sink){write, user}, error);
  mote_arena_destroy(&scratch);
  return result;
}

// --- Loading
// ----------------------------------------------------------------------------------------------------

static bool solids_fit(const mote_world *world, const mote_state *state) {
  const mote_store *solids = &state->store[MOTE_STATE_SOLIDS], *soft = &state->store[MOTE_STATE_SOFT];
  size_t bodies = mote_world_items(world, MOTE_ITEM_SOFT);
  bool fits = state->store[MOTE_STATE_TOUCHES].blocks == 1 && soft->blocks == 1 && soft->count[0] == bodies &&
              solids->blocks == bodies;
  for (size_t k = 0; k < bodies && fits; ++k) {
    const mote_soft_item *item = mote_soft_at(world, k);
    bool renews = (solids->block[k].groups & 1u << MOTE_GROUP_RENEWED) != 0;
    fits = solids->block[k].count == item->elastic->count && renews == item->renews;
  }
  return fits;
}

// The checksums are right, and yet someone may have made it up.
static mote_result check_state(const mote_world *world, const mote_state *state, mote_error *error) {
  const mote_store *own = &state->store[MOTE_STATE_WORLD], *nozzles = &state->store[MOTE_STATE_NOZZLES],
                   *particles = &state->store[MOTE_STATE_PARTICLES], *rigid = &state->store[MOTE_STATE_RIGID],
                   *contacts = &state->store[MOTE_STATE_CONTACTS];
  bool followed = (mote_world_groups(world) & 1u << MOTE_GROUP_FOLLOWED) != 0;
  bool fits = own->count[0] == 1 && nozzles->blocks == 1 &&
              nozzles->count[0] == mote_world_items(world, MOTE_ITEM_EMITTER) &&
              particles->blocks == mote_world_items(world, MOTE_ITEM_MATERIAL) &&
              particles->count[0] == particles->count[MOTE_GROUP_FLUID] &&
              particles->count[MOTE_GROUP_FOLLOWED] == (followed ? particles->count[0] : 0) &&
              particles->count[MOTE_GROUP_STEPPED] == (mote_world_stepped(world) ? particles->count[0] : 0) &&
              particles->count[MOTE_GROUP_STEPPED_LAYERS] ==
                  (mote_world_stepped(world) && followed ? particles->count[0] : 0) &&
              own->count[MOTE_GROUP_TICKS] == (mote_world_stepped(world) ? 1 : 0) &&
              particles->count[0] <= world->def.particles_max &&  //
              rigid->blocks == 1 && contacts->blocks == 1 &&
              rigid->count[0] == mote_world_items(world, MOTE_ITEM_RIGID) && solids_fit(world, state);
  if (!fits) return mote_fail(error, MOTE_ERROR_FORMAT, "the snapshot does not fit the world");
  double time = *mote_state_f64(state, MOTE_WORLD_TIME), length = *mote_state_f64(state, MOTE_WORLD_LENGTH);
  double factor = *mote_state_f64(state, MOTE_WORLD_FACTOR);
  if (mote_world_stepped(world) && !mote_tick_block_possible(state))
    return mote_fail(error, MOTE_ERROR_FORMAT, "the snapshot holds an impossible block of time");
  if (isfinite(time) && length >= 0.0 && isfinite(length) && factor > 0.0 && factor <= 1.0) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT, "the snapshot holds an impossible time or step");
}

static mote_result load_state(const mote_world *world, int stores, mote_source *source, mote_arena *scratch,
                              mote_state *state, mote_error *error) {
  for (int s = 0; s < stores; ++s) {
    MOTE_TRY(mote_archive_read(source, &state->store[s], scratch, error));
  }
  return check_state(world, state, error);
}

typedef struct loaded {
  mote_state now, frame;
  bool has_frame;
} loaded;

static mote_result load(const mote_world *world, mote_source *source, mote_arena *scratch, loaded *to,
                        mote_error *error) {
  mote_snapshot_head head;
  uint64_t hash;
  MOTE_TRY(mote_snapshot_head_read(source, &head, error));
  if (head.definitions != world->definitions) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "the snapshot belongs to another scene: its definitions are not those of this world");
  }
  int stores = mote_snapshot_stores(&head);
  MOTE_TRY(load_state(world, stores, source, scratch, &to->now, error));
  to->has_frame = head.archives == 2 * (uint32_t)stores;
  if (to->has_frame) MOTE_TRY(load_state(world, stores, source, scratch, &to->frame, error));
  MOTE_TRY(mote_snapshot_check_end(source, error));
  MOTE_TRY(mote_state_hash_all(&to->now, scratch, &hash, error));
  if (hash == head.state) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT,
                   "damaged snapshot: its state is not the one it was written with");
}

static void swap_states(mote_state *a, mote_state *b) {
  mote_state held = *a;
  *a = *b;
  *b = held;
}

static mote_result take_over(mote_world *world, loaded *from, mote_error *error) {
  swap_states(&world->now, &from->now);
  if (from->has_frame) swap_states(&world->frame, &from->frame);
  world->has_frame = from->has_frame;
  world->report = (mote_step_report){.tries = (int)*mote_state_tries(&world->now)};
  mote_retry_forget(world);
  MOTE_TRY(mote_softs_refer(world, error));
  if (mote_step_measure(world, NULL) == MOTE_OK) return MOTE_OK;
  mote_note(&world->env, MOTE_LOG_WARNING, "densities are not known before the next step");
  return MOTE_OK;
}

mote_result mote_world_load(mote_world *world, mote_world_read_fn *read, void *user, uint64_t size,
                            mote_error *error) {
  if (world == NULL || read == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "loading needs a world and a function that reads");
  }
  mote_source source = {.read = read, .user = user, .left = size};
  mote_arena scratch = mote_arena_make(&world->env);
  loaded fresh = {0};
  mote_result result = mote_state_make(&world->env, 0, &fresh.now, error);
  if (result == MOTE_OK) {
    result = mote_state_make(&world->env, 0, &fresh.frame, error);
    if (result == MOTE_OK) result = load(world, &source, &scratch, &fresh, error);
    if (result == MOTE_OK) result = take_over(world, &fresh, error);
    mote_state_destroy(&fresh.frame);
    mote_state_destroy(&fresh.now);
  }
  mote_arena_destroy(&scratch);
  return result;
}
