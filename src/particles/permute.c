// Moving rows into a new order: see sort.h. Each field is gathered into scratch memory and copied back;
// chunks without change are skipped.
#include <string.h>

#include "base/parallel.h"
#include "particles/sort.h"

#define CHUNK ((size_t)1 << 11)

typedef struct permutation {
  const uint32_t *from;
  bool *still;     // per chunk: no row moves
  char *rows;      // of one field
  char *gathered;  // the same in the new order
  size_t size;     // bytes of a row
} permutation;

static void still_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  permutation *p = data;
  bool still = true;
  for (size_t k = begin; k < end && still; ++k) still = p->from[k] == k;
  p->still[begin / CHUNK] = still;
}

// Inlined with a constant size, so that a row is moved by one or two instructions.
static inline void gather(const permutation *p, size_t begin, size_t end, size_t size) {
  const uint32_t *from = p->from;
  const char *rows = p->rows;
  char *to = p->gathered + begin * size;
  for (size_t k = begin; k < end; ++k, to += size) memcpy(to, rows + from[k] * size, size);
}

static void gather_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const permutation *p = data;
  if (p->still[begin / CHUNK]) return;
  switch (p->size) {
    case 4: gather(p, begin, end, 4); break;
    case 8: gather(p, begin, end, 8); break;
    case 12: gather(p, begin, end, 12); break;
    case 24: gather(p, begin, end, 24); break;
    default: gather(p, begin, end, p->size); break;
  }
}

static void return_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const permutation *p = data;
  if (p->still[begin / CHUNK]) return;
  memcpy(p->rows + begin * p->size, p->gathered + begin * p->size, (end - begin) * p->size);
}

static size_t largest_row(const mote_table *table) {
  size_t largest = 1;
  for (int f = 0; f < table->fields; ++f) {
    size_t size = mote_field_size(&table->field[f]);
    if (size > largest) largest = size;
  }
  return largest;
}

bool mote_order_is_permutation(const uint32_t *from, size_t count, mote_arena *scratch) {
  MOTE_ASSERT(from != NULL || count == 0);
  MOTE_ASSERT(scratch != NULL);
  mote_arena_mark mark = mote_arena_here(scratch);
  bool *seen = mote_arena_take(scratch, count, sizeof *seen), good = true;
  if (seen != NULL) {
    memset(seen, 0, count);
    for (size_t k = 0; k < count && good; ++k) {
      good = from[k] < count && !seen[from[k]];
      if (good) seen[from[k]] = true;
    }
  }
  mote_arena_release(scratch, mark);
  return good;
}

mote_result mote_store_permute(mote_store *store, size_t block, const uint32_t *from, mote_arena *scratch,
                               mote_error *error) {
  MOTE_ASSERT(block < store->blocks);
  MOTE_ASSERT(from != NULL || store->block[block].count == 0);
  MOTE_ASSERT(scratch != NULL);
  size_t count = store->block[block].count;
  MOTE_ASSERT(mote_order_is_permutation(from, count, scratch));
  int threads = store->env.threads;
  mote_arena_mark mark = mote_arena_here(scratch);
  size_t largest = largest_row(store->table);
  permutation p = {
      .from = from,
      .still = mote_arena_take(scratch, count / CHUNK + 1, sizeof *p.still),
      .gathered = mote_arena_take(scratch, count, largest),
  };
  bool has_memory = p.still != NULL && p.gathered != NULL;
  if (has_memory) mote_parallel_for(threads, count, CHUNK, still_chunk, &p);
  for (int f = 0; has_memory && f < store->table->fields; ++f) {
    if (!mote_store_has(store, f, block)) continue;
    p.rows = mote_store_rows(store, f, block);
    p.size = mote_field_size(&store->table->field[f]);
    mote_parallel_for(threads, count, CHUNK, gather_chunk, &p);
    mote_parallel_for(threads, count, CHUNK, return_chunk, &p);
  }
  mote_arena_release(scratch, mark);
  return has_memory ? MOTE_OK : mote_fail_memory(error, count * largest);
}
