// Fuzzes the readers of snapshots: as tables, and into a world, as they are and with all hashes put right. A
// world that loads what someone made up must still step, or say why not.
#include <mote/snapshot.h>

#include "archive_forge.h"
#include "matter/world_data.h"
#include "state/snapshot_head.h"
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

// The hash of the tables that are as they are now, in the order of the head's entries; 0 when they cannot be
// read.
static uint64_t state_hash(const kit_bytes *head, uint32_t tables, const kit_bytes *archives) {
  mote_env env = world_kit_env(1);
  mote_arena arena = mote_arena_make(&env);
  mote_state state;
  uint64_t hash = 0;
  if (mote_state_make(&env, 0, &state, NULL) != MOTE_OK) abort();
  mote_source source = kit_source(&(kit_bytes){archives->data, archives->size, 0});
  bool good = true;
  for (uint32_t t = 0; t < tables && good; ++t) {
    const uint8_t *entry = head->data + MOTE_SNAPSHOT_FIXED + t * MOTE_SNAPSHOT_ENTRY;
    size_t at = entry[MOTE_NAME_SIZE - 1] == 0 ? mote_state_find(&state, (const char *)entry) : SIZE_MAX;
    if (at == SIZE_MAX || entry[MOTE_NAME_SIZE + 4] != MOTE_MOMENT_NOW) break;
    good = mote_archive_read(&source, &state.store[at], &arena, NULL) == MOTE_OK;
  }
  if (good && mote_state_hash_all(&state, &arena, &hash, NULL) != MOTE_OK) abort();
  mote_state_destroy(&state);
  mote_arena_destroy(&arena);
  return hash;
}

// Puts all hashes right.
static void forge(kit_bytes *bytes) {
  uint32_t tables;
  memcpy(&tables, bytes->data + 12, 4);
  size_t most = (bytes->size - MOTE_SNAPSHOT_FIXED - MOTE_SNAPSHOT_CHECKSUM) / MOTE_SNAPSHOT_ENTRY;
  if (tables > most) return;
  size_t size = MOTE_SNAPSHOT_FIXED + tables * MOTE_SNAPSHOT_ENTRY + MOTE_SNAPSHOT_CHECKSUM;
  kit_bytes archives = {bytes->data + size, bytes->size - size, 0}, rest = archives;
  for (size_t done; (done = forge_archive(&rest)) > 0 && done <= rest.size;)
    rest.data += done, rest.size -= done;
  uint64_t definitions = fresh_world()->definitions, state = state_hash(bytes, tables, &archives);
  memcpy(bytes->data + 16, &definitions, 8);
  memcpy(bytes->data + 24, &state, 8);
  uint64_t checksum = mote_hash_bytes(0, bytes->data, size - MOTE_SNAPSHOT_CHECKSUM);
  memcpy(bytes->data + size - MOTE_SNAPSHOT_CHECKSUM, &checksum, 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kit_bytes bytes = {.data = malloc(size + (size == 0)), .size = size};
  if (bytes.data == NULL) abort();
  if (size > 0) memcpy(bytes.data, data, size);
  read_tables(&bytes);
  load_world(&bytes);
  if (size > MOTE_SNAPSHOT_FIXED + MOTE_SNAPSHOT_CHECKSUM) {
    forge(&bytes);
    read_tables(&bytes);
    load_world(&bytes);
  }
  free(bytes.data);
  return 0;
}
