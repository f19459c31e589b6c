// Saving, loading and copying a world: its tables now and at the beginning of the frame
// (state/state_archive.h).
#include <math.h>
#include <string.h>

#include "base/note.h"
#include "commands/command_record.h"
#include "commands/steering.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/fracture_bodies.h"
#include "matter/hand.h"
#include "matter/kind.h"
#include "matter/ledger.h"
#include "matter/world_data.h"
#include "matter/world_track.h"
#include "particles/id_map.h"
#include "stages/tick_block.h"
#include "state/state_archive.h"
#include "world/prepare_world.h"
#include "world/retry.h"
#include "world/step.h"
#include "world/world_surface.h"

// --- Saving --------------------------------------------------------------------------------------------

mote_result mote_world_save(const mote_world *world, mote_world_write_fn *write, void *user,
                            mote_error *error) {
  if (world == NULL || write == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "saving needs a world and a function that writes");
  }
  mote_arena scratch = mote_arena_make(&world->env);
  mote_result result = mote_state_write(&world->now, world->has_frame ? &world->frame : NULL,
                                        world->definitions, &scratch, &(mote_sink){write, user}, error);
  mote_arena_destroy(&scratch);
  return result;
}

// --- Loading -------------------------------------------------------------------------------------------

// Whether the body of the definition exists, with that kind and material.
static bool has_body(const mote_store *store, uint64_t id, mote_body_origin origin, size_t definition,
                     uint32_t material) {
  for (size_t r = 0; r < store->count[0]; ++r) {
    if (mote_store_ids(store)[r] != id) continue;
    return mote_store_u8(store, MOTE_BODY_ORIGIN)[r] == origin &&
           mote_store_u32(store, MOTE_BODY_DEFINITION)[r] == definition &&
           mote_store_u32(store, MOTE_BODY_MATERIAL)[r] == material;
  }
  return false;
}

static bool has_definition(const mote_world *world, const mote_state *state, size_t definition) {
  const mote_body_item *item = mote_body_at(world, definition);
  return has_body(&state->store[MOTE_TABLE_BODIES], item->id, MOTE_ORIGIN_BODY, definition, item->material);
}

// The blocks of a kind's items that are there, from *block on.
static bool item_blocks_fit(const mote_world *world, const mote_state *state, const mote_kind_row *kind,
                            size_t *block) {
  const mote_store *store = &state->store[MOTE_TABLE_PARTICLES];
  bool fits = true;
  for (size_t n = 0; n < world->item[kind->kind].all && fits; ++n) {
    const char *item = (const char *)world->item[kind->kind].data + n * kind->item_size;
    if (!has_definition(world, state, ((const mote_kind_item *)item)->body)) continue;
    fits = *block < store->blocks && store->block[*block].groups == (kind->groups(world, NULL, item) | 1u) &&
           (kind->rows_fit == NULL || kind->rows_fit(item, store, *block));
    ++*block;
  }
  return fits;
}

static bool material_blocks_fit(const mote_world *world, const mote_state *state, const mote_kind_row *kind,
                                size_t *block) {
  const mote_store *store = &state->store[MOTE_TABLE_PARTICLES];
  bool fits = true;
  for (size_t m = 0; m < mote_world_items(world, MOTE_ITEM_MATERIAL) && fits; ++m) {
    const mote_material_def *def = &mote_material_at(world, m)->def;
    if (kind->blocks == MOTE_BLOCKS_MATERIALS && def->model != kind->kind) continue;
    fits = *block < store->blocks && store->block[*block].groups == (kind->groups(world, def, NULL) | 1u);
    ++*block;
  }
  return fits;
}

// Blocks of particles, kind by kind.
static bool particles_fit(const mote_world *world, const mote_state *state) {
  const mote_store *store = &state->store[MOTE_TABLE_PARTICLES];
  size_t block = 0;
  bool fits = true;
  for (int k = 0; k < MOTE_KINDS && fits; ++k) {
    const mote_kind_row *kind = world->kind[k];
    if (kind->is_liquid) fits = store->count[kind->group] <= world->def.particles_max;
    if (kind->blocks == MOTE_BLOCKS_BODIES) {
      fits = fits && item_blocks_fit(world, state, kind, &block);
    } else if (kind->blocks != MOTE_BLOCKS_NONE) {
      fits = fits && material_blocks_fit(world, state, kind, &block);
    }
  }
  return fits && block == store->blocks;
}

// Ids ascend in each block and are below the next one; definitions exist, parents are older, and no body is
// younger than the state, whose step is given.
static bool rows_fit(const mote_world *world, const mote_store *store, uint64_t step) {
  bool fits = true;
  for (size_t b = 0; b < store->blocks; ++b) {
    for (size_t r = store->block[b].first[0], k = 0; k < store->block[b].count && fits; ++k, ++r) {
      const uint64_t *id = mote_store_ids(store);
      uint8_t origin = mote_store_u8(store, MOTE_BODY_ORIGIN)[r];
      int of = origin == MOTE_ORIGIN_EMITTER ? MOTE_ITEM_EMITTER : MOTE_ITEM_BODY;
      fits = id[r] < store->next_id && (k == 0 || id[r - 1] < id[r]) && origin < MOTE_ORIGINS &&
             (mote_store_u32(store, MOTE_BODY_PARENT)[r] != 0) == (origin == MOTE_ORIGIN_PARENT) &&
             mote_store_u32(store, MOTE_BODY_PARENT)[r] <= id[r] &&
             mote_store_u64(store, MOTE_BODY_FIRST_STEP)[r] <= step &&
             mote_store_u32(store, MOTE_BODY_DEFINITION)[r] < mote_world_items(world, of) &&
             mote_store_u32(store, MOTE_BODY_MATERIAL)[r] < mote_world_items(world, MOTE_ITEM_MATERIAL);
    }
  }
  return fits && store->next_id < UINT32_MAX;
}

// Whether a command removed it.
static bool is_removed(const mote_state *state, const char *body) {
  bool removed = false;
  for (size_t k = 0; k < mote_commands_count(state) && !removed; ++k) {
    mote_command command = mote_commands_at(state, k);
    removed = mote_command_removes(&command, body);
  }
  return removed;
}

// Bodies that do not flow are those of the definitions, but for those that commands have removed; where no
// part can be split off, there are no others.
static bool definitions_fit(const mote_world *world, const mote_state *state) {
  const mote_store *store = &state->store[MOTE_TABLE_BODIES];
  size_t count[MOTE_KINDS] = {0};
  bool fits = true;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY) && fits; ++k) {
    const mote_body_item *item = mote_body_at(world, k);
    const mote_material_def *material = &mote_material_at(world, item->material)->def;
    bool flows = mote_material_properties(material)->flows, there = !flows && has_definition(world, state, k);
    count[material->model] += there;
    fits = there || flows || item->waiting != NULL || is_removed(state, item->name);
  }
  for (int kind = 0; kind < MOTE_KINDS && fits; ++kind) {
    uint32_t groups = world->kind[kind]->body_groups;
    if (groups == 0) continue;
    size_t rows = store->block[kind].count;
    fits = world->kind[kind]->is_split ? rows >= count[kind] : rows == count[kind];
  }
  return fits;
}

static bool bodies_fit(const mote_world *world, const mote_state *state) {
  const mote_store *store = &state->store[MOTE_TABLE_BODIES];
  bool fits = store->blocks == MOTE_KINDS;
  for (int kind = 0; kind < MOTE_KINDS && fits; ++kind)
    fits = store->block[kind].groups == (1u | world->kind[kind]->body_groups);
  fits = fits && rows_fit(world, store, *mote_state_u64(state, MOTE_WORLD_STEP)) &&
         definitions_fit(world, state);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER) && fits; ++k) {
    fits = has_body(store, mote_emitter_at(world, k)->id, MOTE_ORIGIN_EMITTER, k,
                    mote_emitter_at(world, k)->material);
  }
  return fits;
}

// An id names one particle.
static mote_result check_ids(const mote_store *store, mote_arena *scratch, mote_error *error) {
  const uint64_t *id = mote_store_ids(store);
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_id_map map;
  MOTE_TRY(mote_id_map_make(id, store->count[0], store->env.threads, scratch, &map, error));
  bool good = true;
  for (size_t k = 0; k < map.count && good; ++k) {
    uint64_t own = id[map.order != NULL ? map.order[k] : k];
    good = own < store->next_id && (k == 0 || id[map.order != NULL ? map.order[k - 1] : k - 1] < own);
  }
  mote_arena_release(scratch, mark);
  return good ? MOTE_OK
              : mote_fail(error, MOTE_ERROR_FORMAT, "the snapshot holds impossible ids of particles");
}

// A forged snapshot has valid checksums, too.
static mote_result check_state(const mote_world *world, const mote_state *state, mote_arena *scratch,
                               mote_error *error) {
  const mote_store *own = &state->store[MOTE_TABLE_WORLD], *nozzles = &state->store[MOTE_TABLE_NOZZLES];
  bool fits = own->count[0] == 1 && own->count[MOTE_GROUP_TICKS] == (mote_world_stepped(world) ? 1 : 0) &&
              own->count[MOTE_GROUP_PHASES] == (world->def.heat ? 1 : 0) && nozzles->blocks == 1 &&
              nozzles->count[0] == mote_world_items(world, MOTE_ITEM_EMITTER) &&
              state->store[MOTE_TABLE_CONTACTS].blocks == 1 &&
              state->store[MOTE_TABLE_FRICTION].blocks == 1 && mote_commands_possible(state) &&
              mote_hand_possible(state) && bodies_fit(world, state) && particles_fit(world, state) &&
              mote_surfaces_possible(state) && mote_ledger_possible(state) && mote_fracture_possible(state) &&
              mote_world_track_possible(world, state);
  if (!fits) return mote_fail(error, MOTE_ERROR_FORMAT, "the snapshot does not fit the world");
  MOTE_TRY(check_ids(&state->store[MOTE_TABLE_PARTICLES], scratch, error));
  double time = *mote_state_f64(state, MOTE_WORLD_TIME), length = *mote_state_f64(state, MOTE_WORLD_LENGTH);
  double factor = *mote_state_f64(state, MOTE_WORLD_FACTOR);
  if (mote_world_stepped(world) && !mote_tick_block_possible(state))
    return mote_fail(error, MOTE_ERROR_FORMAT, "the snapshot holds an impossible block of time");
  if (isfinite(time) && length >= 0.0 && isfinite(length) && factor > 0.0 && factor <= 1.0) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT, "the snapshot holds an impossible time or step");
}

typedef struct loaded {
  mote_state now, frame;
  bool has_frame;
} loaded;

// Tables that a world gets with its first command, or pull.
static bool is_of_commands(const mote_table *table) {
  return table == &mote_command_table || table == &mote_command_particle_table || table == &mote_hand_table ||
         table == &mote_hand_particle_table;
}

// Matches the tables of a loaded state to those of the world: data of surfaces and the energy ledger may be
// missing, or unused here.
static mote_result arrange(const mote_world *world, mote_state *state, mote_error *error) {
  for (size_t t = MOTE_TABLES, at; t < world->now.tables; ++t) {
    const mote_table *table = world->now.store[t].table;
    at = mote_state_find(state, table->name);
    if (at == SIZE_MAX) MOTE_TRY(mote_state_register(state, table, &at, error));
    if (at == t) continue;
    mote_store held = state->store[t];
    state->store[t] = state->store[at];
    state->store[at] = held;
  }
  // Of tables that the world does not have, only those of commands are taken over.
  size_t kept = world->now.tables;
  for (size_t t = kept; t < state->tables; ++t) {
    const mote_table *table = state->store[t].table;
    if (!is_of_commands(table)) continue;
    mote_store held = state->store[kept];
    state->store[kept++] = state->store[t];
    state->store[t] = held;
  }
  while (state->tables > kept) mote_store_destroy(&state->store[--state->tables]);
  MOTE_TRY(mote_ledger_match(world, state, error));
  return mote_surfaces_match(world, state, error);
}

static mote_result load(const mote_world *world, mote_source *source, mote_arena *scratch, loaded *to,
                        mote_error *error) {
  mote_snapshot_head head;
  MOTE_TRY(mote_snapshot_head_read(source, scratch, &head, error));
  if (head.definitions != world->definitions) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "the snapshot belongs to another scene: its definitions are not those of this world");
  }
  MOTE_TRY(mote_surfaces_expect(&head, &to->now, error));
  MOTE_TRY(mote_surfaces_expect(&head, &to->frame, error));
  MOTE_TRY(mote_ledger_expect(&head, &to->now, error));
  MOTE_TRY(mote_ledger_expect(&head, &to->frame, error));
  MOTE_TRY(mote_commands_expect(&head, &to->now, error));
  MOTE_TRY(mote_commands_expect(&head, &to->frame, error));
  MOTE_TRY(mote_hand_expect(&head, &to->now, error));
  MOTE_TRY(mote_hand_expect(&head, &to->frame, error));
  MOTE_TRY(mote_state_read(source, &head, &to->now, &to->frame, &to->has_frame, scratch, error));
  MOTE_TRY(check_state(world, &to->now, scratch, error));
  MOTE_TRY(arrange(world, &to->now, error));
  if (!to->has_frame) return MOTE_OK;
  MOTE_TRY(check_state(world, &to->frame, scratch, error));
  return arrange(world, &to->frame, error);
}

static void swap_states(mote_state *a, mote_state *b) {
  mote_state held = *a;
  *a = *b;
  *b = held;
}

static mote_result take_over(mote_world *world, loaded *from, mote_error *error) {
  bool steered = mote_commands_count(&world->now) > 0 || mote_commands_count(&from->now) > 0;
  ++world->generation;
  swap_states(&world->now, &from->now);
  if (from->has_frame) swap_states(&world->frame, &from->frame);
  world->has_frame = from->has_frame;
  world->report = (mote_step_report){.tries = (int)*mote_state_tries(&world->now)};
  world->compression_watch = (mote_compression_watch){.seconds = 0.0};
  world->inversion_watch = (mote_inversion_watch){0};
  world->body_watch = (mote_body_watch){.bodies = 0};
  mote_retry_forget(world);
  if (steered) MOTE_TRY(mote_steering_load(world, error));
  return mote_elastic_bodies_load_references(world, error);
}

// An empty state with the tables of another one, except those of outputs, which a snapshot may lack.
static mote_result make_alike(const mote_state *like, mote_state *out, mote_error *error) {
  MOTE_TRY(mote_state_make(&like->env, 0, out, error));
  mote_result result = MOTE_OK;
  for (size_t t = MOTE_TABLES, made; t < like->tables && result == MOTE_OK; ++t) {
    const mote_table *table = like->store[t].table;
    if (table == &mote_surface_table || table == &mote_distance_table || table == &mote_ledger_table ||
        is_of_commands(table))
      continue;
    result = mote_state_register(out, table, &made, error);
  }
  if (result != MOTE_OK) mote_state_destroy(out);
  return result;
}

mote_result mote_world_load(mote_world *world, mote_world_read_fn *read, void *user, uint64_t size,
                            mote_error *error) {
  if (world == NULL || read == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "loading needs a world and a function that reads");
  }
  mote_source source = {.read = read, .user = user, .left = size};
  mote_arena scratch = mote_arena_make(&world->env);
  loaded fresh = {0};
  mote_result result = make_alike(&world->now, &fresh.now, error);
  if (result == MOTE_OK) {
    result = make_alike(&world->now, &fresh.frame, error);
    if (result == MOTE_OK) result = load(world, &source, &scratch, &fresh, error);
    if (result == MOTE_OK) result = take_over(world, &fresh, error);
    if (result == MOTE_OK && mote_step_measure(world, NULL) != MOTE_OK)
      mote_note(&world->env, MOTE_LOG_WARNING, "densities are not known before the next step");
    mote_state_destroy(&fresh.frame);
    mote_state_destroy(&fresh.now);
  }
  mote_arena_destroy(&scratch);
  return result;
}

// --- Copying -------------------------------------------------------------------------------------------

static mote_result copy_states(const mote_world *world, const mote_world *from, loaded *to,
                               mote_error *error) {
  MOTE_TRY(mote_state_make(&world->now.env, 0, &to->now, error));
  MOTE_TRY(mote_state_make(&world->now.env, 0, &to->frame, error));
  to->has_frame = from->has_frame;
  to->frame.store[MOTE_TABLE_PARTICLES].bare = true;
  MOTE_TRY(mote_state_copy(&from->now, &to->now, error));
  MOTE_TRY(arrange(world, &to->now, error));
  if (!from->has_frame) return MOTE_OK;
  MOTE_TRY(mote_state_copy(&from->frame, &to->frame, error));
  return arrange(world, &to->frame, error);
}

mote_result mote_world_copy(mote_world *world, const mote_world *from, mote_error *error) {
  if (world == NULL || from == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "copying needs two worlds");
  if (world == from) return MOTE_OK;
  if (world->definitions != from->definitions) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "the worlds are of different scenes: their definitions are not the same");
  }
  MOTE_TRY(mote_world_keep_ledger(world, mote_ledger_value(from, MOTE_LEDGER_LAST) != NULL, error));
  loaded fresh = {.now = mote_state_empty(&world->env), .frame = mote_state_empty(&world->env)};
  mote_result result = copy_states(world, from, &fresh, error);
  if (result == MOTE_OK) result = take_over(world, &fresh, error);
  if (result == MOTE_OK) {
    mote_store_copy_derived(mote_world_store(from), mote_world_store(world));
    world->report = from->report;
    (void)mote_world_make_ready(world, NULL);  // where it fails, the next step says so
  }
  mote_state_destroy(&fresh.frame);
  mote_state_destroy(&fresh.now);
  return result;
}
