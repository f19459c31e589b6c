// Sorting against a plain insertion sort; inversion; permutation; refusal of memory.
#include "particles/sort.h"

#include "store_kit.h"
#include "test.h"

// By (key, id), equal ones by place: slow and plain.
static void plain_sort(const uint64_t *key, const uint64_t *id, size_t count, uint32_t *from) {
  for (size_t k = 0; k < count; ++k) {
    size_t place = k;
    for (; place > 0; --place) {
      uint32_t before = from[place - 1];
      bool later = key[before] > key[k] || (key[before] == key[k] && id != NULL && id[before] > id[k]);
      if (!later) break;
      from[place] = before;
    }
    from[place] = (uint32_t)k;
  }
}

static void sorts_as_the_plain_one(void) {
  enum { MOST = 700 };
  static uint64_t key[MOST], id[MOST];
  static uint32_t from[MOST], expected[MOST];
  const uint64_t mask[] = {
      0, 1, 7, 0xff, 0xf0000000000000ff, UINT64_MAX, 0x8000000000000001, 0x5555555555555555};
  mote_arena scratch = mote_arena_make(NULL);
  for (uint64_t seed = 0; seed < 400; ++seed) {
    size_t count = mote_random(seed, 0, 0).v[0] % (seed % 3 == 0 ? 5 : MOST);
    uint64_t keys = mask[seed % 8], ids = mask[seed / 8 % 8];
    for (size_t k = 0; k < count; ++k) {
      mote_random4 r = mote_random(seed, 1, k);
      key[k] = ((uint64_t)r.v[0] << 32 | r.v[1]) & keys;
      id[k] = ((uint64_t)r.v[2] << 32 | r.v[3]) & ids;
    }
    const uint64_t *names = seed % 5 == 0 ? NULL : id;
    plain_sort(key, names, count, expected);
    CHECK(mote_order_sort(key, names, count, 1 + (int)(seed % 3), &scratch, from, NULL) == MOTE_OK);
    if (!CHECK(memcmp(from, expected, count * sizeof *from) == 0)) break;
  }
  mote_arena_destroy(&scratch);
}

// Ties of all lengths around the one that changes the method.
static void long_ties_are_in_order(void) {
  enum { COUNT = 3000 };
  static uint64_t key[COUNT], id[COUNT];
  static uint32_t from[COUNT];
  mote_arena scratch = mote_arena_make(NULL);
  for (size_t length = 60; length < 70; ++length) {
    for (size_t k = 0; k < COUNT; ++k) key[k] = COUNT - k / length, id[k] = (COUNT - k) * 7919 % 10007;
    CHECK(mote_order_sort(key, id, COUNT, 2, &scratch, from, NULL) == MOTE_OK);
    bool sorted = mote_order_is_permutation(from, COUNT, &scratch);
    for (size_t k = 1; k < COUNT; ++k) {
      uint32_t a = from[k - 1], b = from[k];
      sorted = sorted && (key[a] < key[b] || (key[a] == key[b] && id[a] < id[b]));
    }
    CHECK(sorted);
  }
  mote_arena_destroy(&scratch);
}

static void permutations_are_known(void) {
  mote_arena scratch = mote_arena_make(NULL);
  CHECK(mote_order_is_permutation((const uint32_t[]){2, 0, 1}, 3, &scratch));
  CHECK(!mote_order_is_permutation((const uint32_t[]){2, 0, 2}, 3, &scratch));
  CHECK(!mote_order_is_permutation((const uint32_t[]){2, 0, 3}, 3, &scratch));
  CHECK(mote_order_is_permutation(NULL, 0, &scratch));
  mote_arena_destroy(&scratch);
}

static void refused_memory_changes_nothing(void) {
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_store store = kit_store(&env, 3000, 5);
  uint32_t *from = malloc(store.block[1].count * sizeof *from);
  uint64_t hash = kit_hash(&store), first = mote_store_ids(&store)[store.block[1].first[0]];
  for (size_t k = 0; k < store.block[1].count; ++k) from[k] = (uint32_t)(store.block[1].count - 1 - k);
  mote_arena scratch = mote_arena_make(&env);
  memory.refuse = 0;
  mote_error error;
  CHECK(mote_order_sort(mote_store_ids(&store), NULL, 10, 1, &scratch, from, &error) == MOTE_ERROR_MEMORY);
  CHECK(mote_store_permute(&store, 1, from, &scratch, &error) == MOTE_ERROR_MEMORY);
  CHECK(mote_store_ids(&store)[store.block[1].first[0]] == first && kit_hash(&store) == hash);
  mote_state_hash state;
  CHECK(mote_store_hash(&store, &scratch, &state, &error) == MOTE_ERROR_MEMORY);
  memory.refuse = SIZE_MAX;
  CHECK(mote_store_permute(&store, 1, from, &scratch, &error) == MOTE_OK);
  CHECK(mote_store_ids(&store)[store.block[1].first[0]] != first && kit_hash(&store) == hash);
  mote_store_destroy(&store);
  mote_arena_destroy(&scratch);
  CHECK(memory.live == 0);
  free(from);
}

static void too_many_rows_are_refused(void) {
#if SIZE_MAX > UINT32_MAX
  mote_arena scratch = mote_arena_make(NULL);
  CHECK(mote_order_sort(NULL, NULL, (size_t)1 << 32, 1, &scratch, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  mote_arena_destroy(&scratch);
#endif
}

int main(void) {
  sorts_as_the_plain_one();
  long_ties_are_in_order();
  permutations_are_known();
  refused_memory_changes_nothing();
  too_many_rows_are_refused();
  return test_end();
}
