// Fuzzes the readers of snapshots: as tables, and into a world, as they are and with all hashes put right. A
// world that loads what someone made up must still step, or say why not.
#include <mote/snapshot.h>

#include "archive_forge.h"
#include "state/snapshot_head.h"
#include "world/world_data.h"
#include "world_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static mote_world *small_world(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.1);
  kit.body[0].shape = mote_shape_def_box(0.0, 0.0, 0.0, 0.3, 0.3, 0.3);
  mote_env env = world_kit_env(1);
  return world_kit_create(&kit, &env);
}

// Made once, and put back to its beginning for each input.
static mote_world *fresh_world(void) {
  static mote_world *world;
  static kit_bytes start;
  if (world == NULL) {
    world = small_world();
    start = world_kit_save(world);
  }
  if (world_kit_load(world, &start, NULL) != MOTE_OK) abort();
  return world;
}

static void read_tables(const kit_bytes *bytes) {
  kit_bytes from = {bytes->data, bytes->size, 0};
  mote_env env = world_kit_env(1);
  mote_snapshot *snapshot;
  if (mote_snapshot_read(kit_read, &from, from.size, &env, &snapshot, NULL) != MOTE_OK) return;
  (void)mote_snapshot_about(snapshot);
  for (int t = 0; t < mote_snapshot_tables(snapshot); ++t) {
    mote_diff diff;
    (void)mote_snapshot_diff(snapshot, t, snapshot, 0, &diff, NULL);
    for (int k = 0; mote_snapshot_view(snapshot, t, k).name != NULL; ++k) {
    }
  }
  mote_snapshot_destroy(snapshot);
}

static void load_world(const kit_bytes *bytes) {
  mote_world *world = fresh_world();
  kit_bytes from = {bytes->data, bytes->size, 0};
  uint64_t before = mote_world_hash(world);
  if (mote_world_load(world, kit_read, &from, from.size, NULL) != MOTE_OK) {
    if (mote_world_hash(world) != before) abort();
  } else {
    for (int k = 0; k < 3; ++k) (void)mote_world_step(world, mote_world_time(world) + 0.01, NULL);
    mote_totals totals;
    (void)mote_world_totals(world, &totals, NULL);
  }
}

// The hash that the state in the first three archives has; 0 when they cannot be read.
static uint64_t state_hash(const kit_bytes *bytes) {
  mote_env env = world_kit_env(1);
  mote_arena arena = mote_arena_make(&env);
  mote_state state;
  uint64_t hash = 0;
  if (mote_state_make(&env, 0, &state, NULL) != MOTE_OK) abort();
  mote_source source = kit_source(&(kit_bytes){bytes->data, bytes->size, 0});
  bool good = true;
  for (int s = 0; s < MOTE_STATE_BASIC && good; ++s) {
    good = mote_archive_read(&source, &state.store[s], &arena, NULL) == MOTE_OK;
  }
  if (good && mote_state_hash_all(&state, &arena, &hash, NULL) != MOTE_OK) abort();
  mote_state_destroy(&state);
  mote_arena_destroy(&arena);
  return hash;
}

static void forge(kit_bytes *bytes) {
  mote_snapshot_head head = {0};
  memcpy(&head.archives, bytes->data + 12, 4);
  kit_bytes archives = {bytes->data + MOTE_SNAPSHOT_HEAD, bytes->size - MOTE_SNAPSHOT_HEAD, 0},
            rest = archives;
  for (size_t size; (size = forge_archive(&rest)) > 0 && size <= rest.size;)
    rest.data += size, rest.size -= size;
  head.definitions = fresh_world()->definitions;
  head.state = state_hash(&archives);
  mote_snapshot_head_put(&head, bytes->data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kit_bytes bytes = {.data = malloc(size + (size == 0)), .size = size};
  if (bytes.data == NULL) abort();
  if (size > 0) memcpy(bytes.data, data, size);
  read_tables(&bytes);
  load_world(&bytes);
  if (size > MOTE_SNAPSHOT_HEAD) {
    forge(&bytes);
    read_tables(&bytes);
    load_world(&bytes);
  }
  free(bytes.data);
  return 0;
}
