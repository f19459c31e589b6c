// Saving a store: see archive.h. The head is built in scratch memory; values are written in the layout
// of the store.
#include <string.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "particles/archive.h"

#define CHECKSUM_PARTS 64  // that one checksum is cut into, for threads

typedef struct checksummer {
  const char *values;
  size_t size;
  size_t grain;    // pieces of one sum
  uint64_t first;  // number of the first piece
  uint64_t sum[CHECKSUM_PARTS];
} checksummer;

static void sum_pieces(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  checksummer *c = data;
  uint64_t sum = 0;
  for (size_t k = begin; k < end; ++k) {
    size_t at = k * MOTE_ARCHIVE_PIECE, left = c->size - at;
    sum +=
        mote_hash_bytes(c->first + k, c->values + at, left < MOTE_ARCHIVE_PIECE ? left : MOTE_ARCHIVE_PIECE);
  }
  c->sum[begin / c->grain] = sum;
}

uint64_t mote_archive_checksum(const void *values, size_t size, uint64_t first, int threads) {
  MOTE_ASSERT(values != NULL || size == 0);
  size_t pieces = size / MOTE_ARCHIVE_PIECE + (size % MOTE_ARCHIVE_PIECE != 0);
  checksummer c = {.values = values, .size = size, .grain = pieces / CHECKSUM_PARTS + 1, .first = first};
  mote_parallel_for(threads, pieces, c.grain, sum_pieces, &c);
  uint64_t sum = 0;
  for (int k = 0; k < CHECKSUM_PARTS; ++k) sum += c.sum[k];
  return sum;
}

static unsigned char *put(unsigned char *to, const void *bytes, size_t size) {
  memcpy(to, bytes, size);
  return to + size;
}

static unsigned char *put_u32(unsigned char *to, uint32_t value) {
  return put(to, &value, sizeof value);
}

static unsigned char *put_u64(unsigned char *to, uint64_t value) {
  return put(to, &value, sizeof value);
}

// Zeros up to `size`.
static unsigned char *put_text(unsigned char *to, const char *text, size_t size) {
  size_t length = strlen(text);
  MOTE_ASSERT(length < size);
  memset(to, 0, size);
  memcpy(to, text, length);
  return to + size;
}

static size_t column_bytes(const mote_store *store, int f) {
  const mote_field *field = &store->table->field[f];
  return store->count[field->group] * mote_field_size(field);
}

// The first part; offsets as in docs/formats.md.
static unsigned char *put_fixed(unsigned char *to, const mote_store *store) {
  const mote_table *table = store->table;
  uint32_t saved = 0, id = 0;
  uint64_t bytes = 0;
  for (int f = 0; f < table->fields; ++f) {
    if (!mote_field_saved(&table->field[f])) continue;
    ++saved;
    bytes += column_bytes(store, f);
    if (f == table->id) id = saved;
  }
  to = put(to, MOTE_ARCHIVE_MAGIC, 8);
  to = put_u32(to, MOTE_ARCHIVE_VERSION);
  to = put_u32(to, saved);
  to = put_u32(to, (uint32_t)table->groups);
  to = put_u32(to, id);
  to = put_u64(to, store->blocks);
  to = put_u64(to, store->count[0]);
  to = put_u64(to, store->next_id);
  to = put_u64(to, bytes);
  return put_text(to, table->name, MOTE_NAME_SIZE);
}

static unsigned char *put_field(unsigned char *to, const mote_store *store, int f) {
  const mote_field *field = &store->table->field[f];
  to = put_text(to, field->name, MOTE_NAME_SIZE);
  to = put_text(to, field->unit, MOTE_UNIT_SIZE);
  to = put_u32(to, field->type);
  to = put_u32(to, (uint32_t)field->components);
  to = put_u32(to, (uint32_t)field->group);
  to = put_u32(to, 0);
  to = put_u64(to, store->count[field->group]);
  const void *values = store->column[f].data;
  return put_u64(to, mote_archive_checksum(values, column_bytes(store, f), 0, store->env.threads));
}

static size_t head_bytes(const mote_store *store) {
  size_t fields = 0;
  for (int f = 0; f < store->table->fields; ++f) fields += mote_field_saved(&store->table->field[f]);
  return MOTE_ARCHIVE_FIXED + (size_t)store->table->groups * MOTE_ARCHIVE_GROUP +
         fields * MOTE_ARCHIVE_FIELD + store->blocks * MOTE_ARCHIVE_BLOCK + MOTE_ARCHIVE_CHECKSUM;
}

static void put_head(unsigned char *head, size_t size, const mote_store *store) {
  const mote_table *table = store->table;
  unsigned char *to = put_fixed(head, store);
  for (int g = 0; g < table->groups; ++g) to = put_text(to, table->group[g], MOTE_NAME_SIZE);
  for (int f = 0; f < table->fields; ++f) {
    if (mote_field_saved(&table->field[f])) to = put_field(to, store, f);
  }
  for (size_t b = 0; b < store->blocks; ++b) {
    to = put_u64(to, store->block[b].count);
    to = put_u64(to, store->block[b].groups);
  }
  to = put_u64(to, mote_hash_bytes(0, head, (size_t)(to - head)));
  MOTE_ASSERT(to == head + size);
  (void)size;
}

static mote_result send(const mote_sink *sink, const void *bytes, size_t size, const char *what,
                        mote_error *error) {
  if (size == 0 || sink->write(sink->user, bytes, size)) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FILE, "%s of the archive (%zu bytes) could not be written", what, size);
}

mote_result mote_archive_write(const mote_store *store, mote_arena *scratch, const mote_sink *sink,
                               mote_error *error) {
  MOTE_ASSERT(store != NULL && store->table != NULL && scratch != NULL);
  MOTE_ASSERT(sink != NULL && sink->write != NULL);
  mote_arena_mark mark = mote_arena_here(scratch);
  size_t size = head_bytes(store);
  unsigned char *head = mote_arena_take(scratch, size, 1);
  if (head == NULL) return mote_fail_memory(error, size);
  put_head(head, size, store);
  mote_result result = send(sink, head, size, "the head", error);
  mote_arena_release(scratch, mark);
  for (int f = 0; result == MOTE_OK && f < store->table->fields; ++f) {
    const mote_field *field = &store->table->field[f];
    if (!mote_field_saved(field)) continue;
    result = send(sink, store->column[f].data, column_bytes(store, f), field->name, error);
  }
  return result;
}
