// Fuzzes the readers of snapshots: as tables, and into worlds, unchanged and with all hashes corrected. A
// world that loads invented state must still step, or report why not.
#include <mote/snapshot.h>

#include "archive_forge.h"
#include "matter/world_data.h"
#include "state/snapshot_head.h"
#include "world_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What the worlds hold; a snapshot is loaded into each of them.
typedef enum world_kind { FLUID, RIGID, ELASTIC, ADAMS, KINDS } world_kind;

static void two_bricks(world_kit *kit) {
  world_kit_tank(kit, 2, 0.1);
  kit->material[0].model = MOTE_KIND_RIGID;
  world_kit_body(kit, "brick", mote_shape_def_box(0.5, 0.001, 0.0, 0.7, 0.1, 0.0));
  world_kit_body(kit, "other", mote_shape_def_box(0.55, 0.11, 0.0, 0.65, 0.2, 0.0));
}

static void rubber_square(world_kit *kit) {
  world_kit_tank(kit, 2, 0.1);
  kit->material[0].model = MOTE_KIND_ELASTIC;
  kit->material[0].elastic.young = 2e4;
  kit->material[0].elastic.yield_strain = 0.001;
  world_kit_body(kit, "square", mote_shape_def_box(0.1, 0.001, 0.0, 0.4, 0.301, 0.0));
}

static void followed_drop(world_kit *kit) {
  world_kit_tank(kit, 3, 0.1);
  world_kit_body(kit, "drop", mote_shape_def_box(0.5, 0.5, 0.5, 0.7, 0.7, 0.7));
  kit->scene.outputs.surface.on = true;
  kit->scene.outputs.surface.def.method = MOTE_SURFACE_ADAMS;
}

static mote_world *small_world(world_kind kind) {
  world_kit kit;
  if (kind == RIGID) {
    two_bricks(&kit);
  } else if (kind == ELASTIC) {
    rubber_square(&kit);
  } else if (kind == ADAMS) {
    followed_drop(&kit);
  } else {
    world_kit_everything(&kit, 2, 0.1);
    kit.body[0].shape = mote_shape_def_box(0.0, 0.0, 0.0, 0.3, 0.3, 0.3);
  }
  mote_env env = world_kit_env(1);
  return world_kit_create(&kit, &env);
}

// Created once, and reset to its first state for each input.
static mote_world *fresh_world(world_kind kind) {
  static mote_world *world[KINDS];
  static kit_bytes start[KINDS];
  if (world[kind] == NULL) {
    world[kind] = small_world(kind);
    start[kind] = world_kit_save(world[kind]);
  }
  if (world_kit_load(world[kind], &start[kind], NULL) != MOTE_OK) abort();
  return world[kind];
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

static void build_surface(mote_world *world) {
  mote_surface surface = {0};
  mote_world_surface handle = mote_world_find_surface(world, "surface");
  (void)mote_world_build_surface(world, handle, NULL, 0, &surface, NULL);
  mote_surface_free(&surface, NULL);
}

static void load_world(world_kind kind, const kit_bytes *bytes) {
  mote_world *world = fresh_world(kind);
  kit_bytes from = {bytes->data, bytes->size, 0};
  uint64_t before = mote_world_hash(world);
  if (mote_world_load(world, kit_read, &from, from.size, NULL) != MOTE_OK) {
    if (mote_world_hash(world) != before) abort();
  } else {
    for (int k = 0; k < 3; ++k) (void)mote_world_step(world, mote_world_time(world) + 0.01, NULL);
    if (kind == ADAMS) build_surface(world);
    mote_totals totals;
    (void)mote_world_totals(world, &totals, NULL);
  }
}

// The hash of the tables of the present state, in the order of the head's entries; 0 when they cannot be
// read.
static uint64_t state_hash(const mote_world *world, const kit_bytes *head, uint32_t tables,
                           const kit_bytes *archives) {
  mote_env env = world_kit_env(1);
  mote_arena arena = mote_arena_make(&env);
  mote_state state;
  uint64_t hash = 0;
  if (mote_state_make(&env, 0, &state, NULL) != MOTE_OK) abort();
  if (mote_state_copy(&world->now, &state, NULL) != MOTE_OK) abort();
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

// Corrects all hashes, that of the definitions to the world's.
static void forge(world_kind kind, kit_bytes *bytes) {
  uint32_t tables;
  memcpy(&tables, bytes->data + 12, 4);
  size_t most = (bytes->size - MOTE_SNAPSHOT_FIXED - MOTE_SNAPSHOT_CHECKSUM) / MOTE_SNAPSHOT_ENTRY;
  if (tables > most) return;
  size_t size = MOTE_SNAPSHOT_FIXED + tables * MOTE_SNAPSHOT_ENTRY + MOTE_SNAPSHOT_CHECKSUM;
  kit_bytes archives = {bytes->data + size, bytes->size - size, 0}, rest = archives;
  for (size_t done; (done = forge_archive(&rest)) > 0 && done <= rest.size;)
    rest.data += done, rest.size -= done;
  const mote_world *world = fresh_world(kind);
  uint64_t definitions = world->definitions, state = state_hash(world, bytes, tables, &archives);
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
  for (int kind = 0; kind < KINDS; ++kind) load_world(kind, &bytes);
  for (int kind = 0; kind < KINDS && size > MOTE_SNAPSHOT_FIXED + MOTE_SNAPSHOT_CHECKSUM; ++kind) {
    forge(kind, &bytes);
    if (kind == 0) read_tables(&bytes);
    load_world(kind, &bytes);
  }
  free(bytes.data);
  return 0;
}
