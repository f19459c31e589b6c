// The state hash, the order after a sort, and the bytes of an archive of a store with reproducible values:
// the same for 1, 2 and 7 threads, for every compiler, build type and machine. Change a constant only with
// the reason in the commit.
#include <inttypes.h>

#include "base/hash.h"
#include "particles/sort.h"
#include "store_kit.h"
#include "test.h"

typedef struct hashes {
  uint64_t state, order, archive;
} hashes;

static const hashes golden = {0xf23fc00bbc98c3cf, 0x2c038a2f613ec4a8, 0x83f9d5a00861dc80};

static hashes run(int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_arena scratch = mote_arena_make(&env);
  mote_store store = kit_store(&env, 120000, 1);
  const mote_block *block = &store.block[2];
  uint64_t *key = malloc(block->count * sizeof *key);
  uint32_t *from = malloc(block->count * sizeof *from);
  for (size_t r = 0; r < block->count; ++r) key[r] = mote_random(2, 0, r).v[0] % 9000 * 0x100000001u;
  const uint64_t *id = mote_store_ids(&store) + block->first[0];
  CHECK(mote_order_sort(key, id, block->count, threads, &scratch, from, NULL) == MOTE_OK);
  CHECK(mote_store_permute(&store, 2, from, &scratch, NULL) == MOTE_OK);
  kit_bytes bytes = kit_save(&store);
  hashes h = {
      .state = kit_hash(&store),
      .order = mote_hash_bytes(0, from, block->count * sizeof *from),
      .archive = mote_hash_bytes(0, bytes.data, bytes.size),
  };
  mote_store_destroy(&store);
  mote_arena_destroy(&scratch);
  free(key), free(from), free(bytes.data);
  return h;
}

int main(void) {
  const int threads[] = {1, 2, 7};
  for (int k = 0; k < 3; ++k) {
    hashes h = run(threads[k]);
    if (!CHECK(memcmp(&h, &golden, sizeof h) == 0)) {
      printf("{0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 "}\n", h.state, h.order, h.archive);
    }
  }
  return test_end();
}
