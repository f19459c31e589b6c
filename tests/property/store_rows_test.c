// Random growth, shrinking, removal and permutation of blocks against a plain list of ids per block:
// every value must stay with its id, and no other block may notice.
#include "base/arena.h"
#include "particles/sort.h"
#include "store_kit.h"
#include "test.h"

enum { BLOCKS = 5, MOST = 400 };

typedef struct model {
  size_t count[BLOCKS];
  uint64_t id[BLOCKS][MOST];
  uint64_t next_id;
} model;

static bool values_fit(const mote_store *store, const model *m, uint64_t seed) {
  size_t row = 0;
  for (size_t b = 0; b < BLOCKS; ++b) {
    if (store->block[b].count != m->count[b] || store->block[b].first[0] != row) return false;
    for (size_t r = 0; r < m->count[b]; ++r, ++row) {
      if (mote_store_ids(store)[row] != m->id[b][r]) return false;
    }
    for (int f = 0; f < store->table->fields; ++f) {
      const mote_field *field = &store->table->field[f];
      if (f == THING_ID || !mote_field_saved(field) || !mote_store_has(store, f, b)) continue;
      for (size_t r = 0; r < m->count[b]; ++r) {
        for (int k = 0; k < field->components; ++k) {
          uint64_t expected = 0, found = 0;
          size_t size = mote_type_size(field->type);
          kit_put(field->type, &expected, 0, kit_value(seed, f, m->id[b][r], k));
          const char *rows = mote_store_rows(store, f, b);
          memcpy(&found, rows + (r * (size_t)field->components + (size_t)k) * size, size);
          if (expected != found) return false;
        }
      }
    }
  }
  return store->count[0] == row && store->next_id == m->next_id;
}

static void resize(mote_store *store, model *m, size_t b, size_t count) {
  CHECK(mote_store_resize(store, b, count, NULL) == MOTE_OK);
  for (size_t r = m->count[b]; r < count; ++r) m->id[b][r] = m->next_id++;
  m->count[b] = count;
}

static void remove_some(mote_store *store, model *m, size_t b, uint64_t seed, unsigned one_in) {
  uint8_t gone[MOST];
  size_t kept = 0;
  for (size_t r = 0; r < m->count[b]; ++r) {
    gone[r] = mote_random(seed, 1, r).v[0] % one_in == 0 ? (uint8_t)(1 + r % 255) : 0;
    if (!gone[r]) m->id[b][kept++] = m->id[b][r];
  }
  mote_store_remove(store, b, gone);
  m->count[b] = kept;
}

static void shuffle(mote_store *store, model *m, size_t b, uint64_t seed, mote_arena *scratch) {
  uint32_t from[MOST];
  uint64_t old[MOST];
  for (size_t r = 0; r < m->count[b]; ++r) from[r] = (uint32_t)r, old[r] = m->id[b][r];
  for (size_t r = m->count[b]; r > 1; --r) {
    size_t other = mote_random(seed, 2, r).v[0] % r;
    uint32_t swapped = from[other];
    from[other] = from[r - 1], from[r - 1] = swapped;
  }
  CHECK(mote_store_permute(store, b, from, scratch, NULL) == MOTE_OK);
  for (size_t r = 0; r < m->count[b]; ++r) m->id[b][r] = old[from[r]];
}

static void run(uint64_t seed) {
  kit_memory memory;
  mote_env env = kit_env(&memory);
  mote_arena scratch = mote_arena_make(&env);
  mote_store store = mote_store_make(&thing_table, &env);
  model m = {0};
  for (size_t b = 0; b < BLOCKS; ++b) {
    size_t made, count = mote_random(seed, 3, b).v[0] % 20;
    CHECK(mote_store_add_block(&store, (uint32_t)b << 1 & (WARM | SOFT), 0, &made, NULL) == MOTE_OK);
    resize(&store, &m, b, count);
    kit_fill(&store, b, seed);
  }
  for (uint64_t step = 0; step < 60; ++step) {
    mote_random4 r = mote_random(seed, 4, step);
    size_t b = r.v[0] % BLOCKS;
    switch (r.v[1] % 4) {
      case 0: resize(&store, &m, b, r.v[2] % MOST); break;
      case 1: remove_some(&store, &m, b, seed + step, 1 + r.v[2] % 9); break;
      case 2: shuffle(&store, &m, b, seed + step, &scratch); break;
      case 3: mote_store_forget_derived(&store); break;
    }
    kit_fill(&store, b, seed);
    if (!CHECK(values_fit(&store, &m, seed))) break;
  }
  mote_store_destroy(&store);
  mote_arena_destroy(&scratch);
  CHECK(memory.live == 0);
}

int main(void) {
  for (uint64_t seed = 0; seed < 40; ++seed) run(seed);
  return test_end();
}
