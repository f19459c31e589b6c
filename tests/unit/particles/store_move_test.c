// Rows that move between blocks keep their ids and the fields that both blocks have; a field of one name in
// two precisions is converted; the hash of common fields does not depend on where rows lie. And maps from ids
// to rows.
#include "particles/id_map.h"
#include "store_kit.h"
#include "test.h"

enum { FLUID = 1 << MOTE_GROUP_FLUID, ELASTIC = 1 << MOTE_GROUP_ELASTIC };

// Two fluid blocks and an elastic one.
static mote_store particles(void) {
  mote_store store = mote_store_make(&mote_particle_table, NULL);
  size_t block;
  CHECK(mote_store_add_block(&store, FLUID, 5, &block, NULL) == MOTE_OK);
  CHECK(mote_store_add_block(&store, FLUID, 3, &block, NULL) == MOTE_OK);
  CHECK(mote_store_add_block(&store, ELASTIC, 4, &block, NULL) == MOTE_OK);
  for (size_t b = 0; b < 3; ++b) kit_fill(&store, b, 7);
  return store;
}

static mote_result move(mote_store *store, const uint32_t *rows, size_t count, size_t from, size_t to) {
  mote_arena arena = mote_arena_make(NULL);
  mote_result result = mote_store_move(store, rows, count, from, to, &arena, NULL);
  mote_arena_destroy(&arena);
  return result;
}

static uint64_t id_at(const mote_store *store, size_t block, size_t row) {
  return mote_store_ids(store)[store->block[block].first[0] + row];
}

static void fluid_becomes_elastic_and_fluid_again(void) {
  mote_store store = particles();
  const uint32_t rows[] = {1, 3};
  const float *v = mote_store_rows(&store, MOTE_PARTICLE_VELOCITY, 0);
  float before[3] = {v[9], v[10], v[11]};
  double x[3];
  memcpy(x, (double *)mote_store_rows(&store, MOTE_PARTICLE_POSITION, 0) + 9, sizeof x);
  uint64_t next = store.next_id, moved = id_at(&store, 0, 3), last = id_at(&store, 2, 3);
  CHECK(move(&store, rows, 2, 0, 2) == MOTE_OK);
  CHECK(store.block[0].count == 3 && store.block[1].count == 3 && store.block[2].count == 6);
  CHECK(store.next_id == next && id_at(&store, 2, 5) == moved && id_at(&store, 2, 3) == last);
  CHECK(id_at(&store, 0, 0) == 0 && id_at(&store, 0, 1) == 2 && id_at(&store, 0, 2) == 4);
  const double *w = (const double *)mote_store_rows(&store, MOTE_ELASTIC_VELOCITY, 2) + 15;
  for (int a = 0; a < 3; ++a) CHECK(w[a] == (double)before[a]);
  CHECK(memcmp(x, (double *)mote_store_rows(&store, MOTE_PARTICLE_POSITION, 2) + 15, sizeof x) == 0);
  CHECK(((uint8_t *)mote_store_rows(&store, MOTE_ELASTIC_HOLD, 2))[5] ==
        0);  // only elastic rows have it: as new
  const uint32_t back[] = {5};
  CHECK(move(&store, back, 1, 2, 1) == MOTE_OK);
  const float *u = (const float *)mote_store_rows(&store, MOTE_PARTICLE_VELOCITY, 1) + 9;
  CHECK(memcmp(u, before, sizeof before) == 0 && id_at(&store, 1, 3) == moved);
  mote_store_destroy(&store);
}

// Between two blocks of the same groups nothing but the place changes, and so no hash.
static void hashes_do_not_see_blocks(void) {
  mote_store store = particles();
  const uint32_t all[] = {0, 1, 2, 3, 4};
  uint64_t before = kit_hash(&store);
  CHECK(move(&store, all + 2, 2, 0, 1) == MOTE_OK && kit_hash(&store) == before);
  CHECK(move(&store, all, 5, 1, 0) == MOTE_OK && kit_hash(&store) == before);
  CHECK(store.block[1].count == 0 && store.block[0].count == 8 && move(&store, NULL, 0, 0, 1) == MOTE_OK);
  mote_store_destroy(&store);
}

// Random moves against a list of ids in each block.
static void many_moves(void) {
  mote_store store = particles();
  for (uint64_t n = 0; n < 300; ++n) {
    size_t from = mote_random(3, n, 0).v[0] % 3, to = (from + 1 + mote_random(3, n, 1).v[0] % 2) % 3,
           count = 0;
    uint32_t rows[12];
    uint64_t stay[12], go[12];
    size_t staying = 0, had = store.block[to].count;
    for (size_t r = 0; r < store.block[from].count; ++r) {
      if (mote_random(3, n, 2 + r).v[0] % 2) {
        go[count] = id_at(&store, from, r), rows[count++] = (uint32_t)r;
      } else {
        stay[staying++] = id_at(&store, from, r);
      }
    }
    CHECK(move(&store, rows, count, from, to) == MOTE_OK);
    CHECK(store.block[from].count == staying && store.block[to].count == had + count && store.count[0] == 12);
    for (size_t r = 0; r < staying; ++r) CHECK(id_at(&store, from, r) == stay[r]);
    for (size_t r = 0; r < count; ++r) CHECK(id_at(&store, to, had + r) == go[r]);
  }
  mote_store_destroy(&store);
}

static void memory_may_be_refused(void) {
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_store store = kit_store(&env, 30, 5);
  uint64_t before = kit_hash(&store);
  const uint32_t rows[] = {0, 4};
  mote_result result = MOTE_ERROR_MEMORY;
  for (size_t k = 0; result != MOTE_OK && k < 50; ++k) {
    mote_arena arena = mote_arena_make(&env);
    memory.refuse = memory.calls + k;
    result = mote_store_move(&store, rows, 2, 0, 2, &arena, NULL);
    memory.refuse = SIZE_MAX;
    mote_arena_destroy(&arena);
    if (result != MOTE_OK) CHECK(result == MOTE_ERROR_MEMORY && kit_hash(&store) == before);
  }
  CHECK(result == MOTE_OK && store.block[0].count == 8);
  mote_store_destroy(&store);
  CHECK(memory.live == 0);
}

static void blocks_are_inserted(void) {
  mote_store store = particles();
  uint64_t before = kit_hash(&store), first = id_at(&store, 2, 0);
  CHECK(mote_store_insert_block(&store, 2, FLUID, 0, NULL) == MOTE_OK);
  CHECK(store.blocks == 4 && kit_hash(&store) == before && id_at(&store, 3, 0) == first);
  CHECK(mote_store_resize(&store, 2, 2, NULL) == MOTE_OK && id_at(&store, 3, 0) == first);
  CHECK(store.count[MOTE_GROUP_FLUID] == 10 && store.block[3].first[0] == 10);
  mote_store_destroy(&store);
}

static void ids_are_found(void) {
  const uint64_t rising[] = {2, 5, 9}, mixed[] = {9, 2, 5, 1};
  mote_arena arena = mote_arena_make(NULL);
  mote_id_map map;
  CHECK(mote_id_map_make(rising, 3, 1, &arena, &map, NULL) == MOTE_OK && map.order == NULL);
  CHECK(mote_id_map_find(&map, 5) == 1 && mote_id_map_find(&map, 9) == 2 &&
        mote_id_map_find(&map, 3) == SIZE_MAX);
  CHECK(mote_id_map_make(mixed, 4, 1, &arena, &map, NULL) == MOTE_OK && map.order != NULL);
  for (size_t k = 0; k < 4; ++k) CHECK(mote_id_map_find(&map, mixed[k]) == k);
  CHECK(mote_id_map_find(&map, 0) == SIZE_MAX && mote_id_map_find(&map, 10) == SIZE_MAX);
  CHECK(mote_id_map_make(NULL, 0, 1, &arena, &map, NULL) == MOTE_OK && mote_id_map_find(&map, 0) == SIZE_MAX);
  mote_arena_destroy(&arena);
}

int main(void) {
  fluid_becomes_elastic_and_fluid_again();
  hashes_do_not_see_blocks();
  many_moves();
  memory_may_be_refused();
  blocks_are_inserted();
  ids_are_found();
  return test_end();
}
