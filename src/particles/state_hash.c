// A hash of the saved fields: see state_hash.h. Sums of integers modulo 2^64 do not depend on the order, so
// neither threads nor the order of rows change them.
#include "particles/state_hash.h"

#include <string.h>

#include "base/hash.h"
#include "base/parallel.h"

#define CHUNK ((size_t)1 << 13)

typedef struct hasher {
  const uint64_t *id;  // null: the row number counts
  size_t first;        // number of the first row
  const unsigned char *rows;
  size_t size;    // bytes of a row
  uint64_t *sum;  // per chunk
} hasher;

// Inlined with a constant size.
static inline uint64_t sum_rows(const hasher *h, size_t begin, size_t end, size_t size) {
  uint64_t sum = 0;
  for (size_t r = begin; r < end; ++r) {
    uint64_t hash = mote_hash_mix(h->id != NULL ? h->id[r] : h->first + r);
    const unsigned char *row = h->rows + r * size;
    for (size_t done = 0; done < size; done += 8) {
      uint64_t word = 0;
      memcpy(&word, row + done, size - done < 8 ? size - done : 8);
      hash = mote_hash_mix(hash ^ word);
    }
    sum += hash;
  }
  return sum;
}

static void hash_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  hasher *h = data;
  uint64_t *sum = &h->sum[begin / CHUNK];
  switch (h->size) {
    case 4: *sum = sum_rows(h, begin, end, 4); break;
    case 8: *sum = sum_rows(h, begin, end, 8); break;
    case 12: *sum = sum_rows(h, begin, end, 12); break;
    case 24: *sum = sum_rows(h, begin, end, 24); break;
    default: *sum = sum_rows(h, begin, end, h->size); break;
  }
}

static uint64_t hash_rows(const mote_store *store, int f, size_t b, uint64_t *sum) {
  const mote_block *block = &store->block[b];
  const uint64_t *id = mote_store_ids(store);
  hasher h = {
      .id = id == NULL ? NULL : id + block->first[0],
      .first = block->first[0],
      .rows = mote_store_rows(store, f, b),
      .size = mote_field_size(&store->table->field[f]),
      .sum = sum,
  };
  mote_parallel_for(store->env.threads, block->count, CHUNK, hash_chunk, &h);
  uint64_t total = 0;
  for (size_t c = 0; c * CHUNK < block->count; ++c) total += sum[c];
  return total;
}

mote_result mote_store_hash(const mote_store *store, mote_arena *scratch, mote_state_hash *hash,
                            mote_error *error) {
  MOTE_ASSERT(store->table != NULL);
  MOTE_ASSERT(scratch != NULL && hash != NULL);
  mote_arena_mark mark = mote_arena_here(scratch);
  size_t chunks = store->count[0] / CHUNK + 1;
  MOTE_TAKE_NEW(uint64_t, sum, scratch, chunks, error);
  *hash = (mote_state_hash){0};
  for (int f = 0; f < store->table->fields; ++f) {
    if (!mote_field_saved(&store->table->field[f])) continue;
    for (size_t b = 0; b < store->blocks; ++b) {
      if (mote_store_has(store, f, b)) hash->field[f] += hash_rows(store, f, b, sum);
      hash->used[f] = hash->used[f] || (mote_store_has(store, f, b) && store->block[b].count > 0);
    }
  }
  mote_arena_release(scratch, mark);
  return MOTE_OK;
}

uint64_t mote_state_hash_total(const mote_table *table, const mote_state_hash *hash) {
  MOTE_ASSERT(table->fields <= MOTE_FIELD_MAX);
  MOTE_ASSERT(hash != NULL);
  uint64_t total = 0;
  for (int f = 0; f < table->fields; ++f) {
    const mote_field *field = &table->field[f];
    if (hash->used[f] && mote_field_saved(field))
      total += mote_hash_bytes(hash->field[f], field->name, strlen(field->name));
  }
  return total;
}
