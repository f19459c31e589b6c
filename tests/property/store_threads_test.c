// Sort, permute and hash a large store: the same bits for 1, 2 and 7 threads, the hash untouched by the
// new order, and no memory taken once everything has been done once.
#include "base/hash.h"
#include "particles/sort.h"
#include "store_kit.h"
#include "test.h"

enum { ROWS = 200000 };

typedef struct result {
  uint64_t before, after;  // state hashes
  uint64_t order;          // of the new order of ids
} result;

static result run(int threads, uint64_t seed) {
  kit_memory memory;
  mote_env env = kit_env(&memory);
  env.threads = threads;
  mote_arena scratch = mote_arena_make(&env);
  mote_store store = mote_store_make(&mote_particle_table, &env);
  size_t block;
  CHECK(mote_store_add_block(&store, 1 << MOTE_GROUP_FLUID, ROWS, &block, NULL) == MOTE_OK);
  kit_fill(&store, block, seed);
  uint64_t *key = malloc(ROWS * sizeof *key);
  uint32_t *from = malloc(ROWS * sizeof *from);
  result out = {0};
  size_t calls = 0;
  for (int round = 0; round < 4; ++round) {
    for (size_t k = 0; k < ROWS; ++k) {
      mote_random4 r = mote_random(seed, (uint64_t)round, mote_store_ids(&store)[k]);
      key[k] = (uint64_t)(r.v[0] % 30) | (uint64_t)(r.v[1] % 30) << 21 | (uint64_t)(r.v[2] % 30) << 42;
      if (round >= 2) key[k] = (uint64_t)r.v[0] << 32 | r.v[1];  // too long for one piece
    }
    mote_state_hash hash;
    CHECK(mote_store_hash(&store, &scratch, &hash, NULL) == MOTE_OK);
    out.before = mote_state_hash_total(store.table, &hash);
    CHECK(mote_order_sort(key, mote_store_ids(&store), ROWS, threads, &scratch, from, NULL) == MOTE_OK);
    CHECK(mote_store_permute(&store, block, from, &scratch, NULL) == MOTE_OK);
    CHECK(mote_store_hash(&store, &scratch, &hash, NULL) == MOTE_OK);
    out.after = mote_state_hash_total(store.table, &hash);
    for (size_t k = 0; k < ROWS; ++k) out.order = mote_hash_mix(out.order ^ mote_store_ids(&store)[k]);
    if (round == 0) calls = memory.calls;
    CHECK(memory.calls == calls);
  }
  mote_store_destroy(&store);
  mote_arena_destroy(&scratch);
  CHECK(memory.live == 0);
  free(key);
  free(from);
  return out;
}

int main(void) {
  result one = run(1, 1);
  CHECK(one.before == one.after);
  const int threads[] = {2, 7};
  for (int k = 0; k < 2; ++k) {
    result many = run(threads[k], 1);
    CHECK(memcmp(&many, &one, sizeof one) == 0);
  }
  CHECK(run(2, 2).after != one.after);
  return test_end();
}
