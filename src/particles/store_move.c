// Moving rows between blocks: see store.h. The values are copied out first, then removed, then appended.
#include <string.h>

#include "particles/store.h"

// The field of `to` that receives field f of `from`; -1: none.
static int heir_of(const mote_store *store, int f, size_t to) {
  if (mote_store_has(store, f, to)) return f;
  const mote_field *field = &store->table->field[f];
  int heir = mote_table_find_in(store->table, field->name, store->block[to].groups);
  if (heir < 0 || store->table->field[heir].components != field->components) return -1;
  return mote_type_is_float(field->type) && mote_type_is_float(store->table->field[heir].type) ? heir : -1;
}

static double load_float(mote_type type, const char *from) {
  float single;
  double value;
  if (type == MOTE_TYPE_F64) return memcpy(&value, from, sizeof value), value;
  memcpy(&single, from, sizeof single);
  return (double)single;
}

static void store_float(mote_type type, double value, char *to) {
  float single = (float)value;
  if (type == MOTE_TYPE_F64) {
    memcpy(to, &value, sizeof value);
  } else {
    memcpy(to, &single, sizeof single);
  }
}

// Copies one row of field `f` into field `heir`, converted where their types differ.
static void hand_over(const mote_store *store, int f, const char *from, int heir, char *to) {
  const mote_field *a = &store->table->field[f], *b = &store->table->field[heir];
  if (a->type == b->type) {
    memcpy(to, from, mote_field_size(a));
    return;
  }
  size_t size_a = mote_type_size(a->type), size_b = mote_type_size(b->type);
  for (size_t k = 0; k < (size_t)a->components; ++k) {
    store_float(b->type, load_float(a->type, from + k * size_a), to + k * size_b);
  }
}

// The rows' values of all fields of their block, field after field, into `kept`.
static void copy_out(const mote_store *store, size_t block, const uint32_t *rows, size_t count, char *kept) {
  for (int f = 0; f < store->table->fields; ++f) {
    if (!mote_store_has(store, f, block)) continue;
    const char *column = mote_store_rows(store, f, block);
    size_t size = mote_field_size(&store->table->field[f]);
    for (size_t k = 0; k < count; ++k, kept += size) memcpy(kept, column + rows[k] * size, size);
  }
}

static void copy_in(const mote_store *store, uint32_t groups, const char *kept, size_t count, size_t to) {
  size_t first = store->block[to].count - count;
  for (int f = 0; f < store->table->fields; ++f) {
    const mote_field *field = &store->table->field[f];
    if (!(groups >> field->group & 1)) continue;
    int heir = heir_of(store, f, to);
    size_t size = mote_field_size(field);
    if (heir >= 0) {
      size_t step = mote_field_size(&store->table->field[heir]);
      char *column = (char *)mote_store_rows(store, heir, to) + first * step;
      for (size_t k = 0; k < count; ++k) hand_over(store, f, kept + k * size, heir, column + k * step);
    }
    kept += count * size;
  }
}

static size_t row_bytes(const mote_store *store, size_t block) {
  size_t bytes = 0;
  for (int f = 0; f < store->table->fields; ++f) {
    if (mote_store_has(store, f, block)) bytes += mote_field_size(&store->table->field[f]);
  }
  return bytes;
}

mote_result mote_store_move(mote_store *store, const uint32_t *rows, size_t count, size_t from, size_t to,
                            mote_arena *scratch, mote_error *error) {
  MOTE_ASSERT(from < store->blocks && to < store->blocks && from != to);
  MOTE_ASSERT(count <= store->block[from].count);
  MOTE_ASSERT(rows != NULL || count == 0);
  MOTE_ASSERT(scratch != NULL);
  for (size_t k = 0; k < count; ++k)
    MOTE_ASSERT(rows[k] < store->block[from].count && (k == 0 || rows[k] > rows[k - 1]));
  if (count == 0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(scratch);
  size_t bytes = row_bytes(store, from), had = store->block[from].count;
  char *kept = mote_arena_take(scratch, count, bytes);
  uint8_t *gone = mote_arena_take(scratch, had, 1);
  uint64_t next_id = store->next_id;
  mote_result result = kept == NULL || gone == NULL
                           ? mote_fail_memory(error, count * bytes + had)
                           : mote_store_resize(store, to, store->block[to].count + count, error);
  if (result == MOTE_OK) {
    store->next_id = next_id;  // the new rows get existing ids
    copy_out(store, from, rows, count, kept);
    memset(gone, 0, had);
    for (size_t k = 0; k < count; ++k) gone[rows[k]] = 1;
    copy_in(store, store->block[from].groups, kept, count, to);
    mote_store_remove(store, from, gone);
  }
  mote_arena_release(scratch, mark);
  return result;
}
