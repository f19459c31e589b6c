// The rows of one table: see store.h.
#include "particles/store.h"

#include <string.h>

#ifdef MOTE_ASSERTS
#define FORGET_DERIVED 1
#else
#define FORGET_DERIVED 0
#endif

mote_store mote_store_make(const mote_table *table, const mote_env *env) {
  MOTE_ASSERT(mote_table_check(table, NULL) == MOTE_OK);
  return (mote_store){.table = table, .env = mote_env_resolve(env)};
}

void mote_store_destroy(mote_store *store) {
  MOTE_ASSERT(store->table != NULL);
  for (int f = 0; f < store->table->fields; ++f) {
    mote_column *column = &store->column[f];
    mote_free(&store->env, column->data, column->capacity, mote_field_size(&store->table->field[f]));
  }
  mote_free(&store->env, store->block, store->block_capacity, sizeof *store->block);
  *store = mote_store_make(store->table, &store->env);
}

static bool uses(const mote_block *block, int group) {
  return block->groups >> group & 1;
}

// --- Rows -----------------------------------------------------------------------------------------------

static char *row_address(const mote_store *store, int f, size_t row) {
  char *data = store->column[f].data;
  return data == NULL ? NULL : data + row * mote_field_size(&store->table->field[f]);
}

// All ones: NaN in floating point, the largest number in unsigned integers.
static void forget(const mote_store *store, int f, size_t row, size_t count) {
  if (count > 0) memset(row_address(store, f, row), 0xff, count * mote_field_size(&store->table->field[f]));
}

// One component of a field's value in new rows, as bytes.
static void initial_value(const mote_field *field, unsigned char value[8]) {
  bool unknown = field->kept == MOTE_KEPT_REQUIRED && mote_type_is_float(field->type);
  memset(value, unknown ? 0xff : 0, 8);
  if (unknown) return;
  double x = field->initial;
  switch (field->type) {
    case MOTE_TYPE_F32: memcpy(value, &(float){(float)x}, sizeof(float)); break;
    case MOTE_TYPE_F64: memcpy(value, &x, sizeof x); break;
    case MOTE_TYPE_U8: value[0] = (uint8_t)x; break;
    case MOTE_TYPE_U32: memcpy(value, &(uint32_t){(uint32_t)x}, sizeof(uint32_t)); break;
    case MOTE_TYPE_U64: memcpy(value, &(uint64_t){(uint64_t)x}, sizeof(uint64_t)); break;
    case MOTE_TYPE_I32: memcpy(value, &(int32_t){(int32_t)x}, sizeof(int32_t)); break;
    case MOTE_TYPE_COUNT: MOTE_ASSERT(false);
  }
}

static void fill_rows(mote_store *store, int f, size_t row, size_t count) {
  const mote_field *field = &store->table->field[f];
  char *to = row_address(store, f, row);
  if (f == store->table->id) {
    for (size_t k = 0; k < count; ++k, ++store->next_id) memcpy(to + 8 * k, &store->next_id, 8);
    return;
  }
  if (FORGET_DERIVED && field->kept == MOTE_KEPT_DERIVED) {
    forget(store, f, row, count);
    return;
  }
  unsigned char value[8];
  initial_value(field, value);
  size_t size = mote_type_size(field->type), values = count * (size_t)field->components;
  for (size_t k = 0; k < values; ++k) memcpy(to + k * size, value, size);
}

// Capacity for `more` rows in every array of the groups; filled with NaN if asserts are enabled.
static mote_result reserve_rows(mote_store *store, uint32_t groups, size_t more, mote_error *error) {
  for (int f = 0; f < store->table->fields; ++f) {
    const mote_field *field = &store->table->field[f];
    if (!(groups >> field->group & 1)) continue;
    size_t size = mote_field_size(field), count = store->count[field->group];
    if (more > SIZE_MAX / size - count) return mote_fail_memory(error, SIZE_MAX);
    mote_column *column = &store->column[f];
    size_t capacity = column->capacity;
    MOTE_TRY(mote_reserve(&store->env, &column->data, &column->capacity, count + more, size, error));
    if (FORGET_DERIVED && column->capacity > capacity)
      forget(store, f, capacity, column->capacity - capacity);
  }
  return MOTE_OK;
}

// Moves the rows of field f from `from` on so that they begin at `to`.
static void shift_rows(mote_store *store, int f, size_t from, size_t to) {
  const mote_field *field = &store->table->field[f];
  size_t count = store->count[field->group] - from;
  if (count == 0 || from == to) return;
  memmove(row_address(store, f, to), row_address(store, f, from), count * mote_field_size(field));
}

// The beginnings of the blocks behind this one, and the counts of the store, from the blocks' own counts.
static void place_blocks(mote_store *store, const mote_block *changed) {
  for (int g = 0; g < store->table->groups; ++g) {
    size_t row = changed->first[g];
    for (size_t b = (size_t)(changed - store->block); b < store->blocks; ++b) {
      mote_block *block = &store->block[b];
      block->first[g] = row;
      if (uses(block, g)) row += block->count;
    }
    store->count[g] = row;
  }
}

static void change_count(mote_store *store, mote_block *block, size_t count) {
  size_t old = block->count;
  if (count == old) return;
  for (int f = 0; f < store->table->fields; ++f) {
    int group = store->table->field[f].group;
    if (!uses(block, group)) continue;
    size_t first = block->first[group];
    shift_rows(store, f, first + old, first + count);
    if (count > old) fill_rows(store, f, first + old, count - old);
  }
  block->count = count;
  place_blocks(store, block);
}

mote_result mote_store_resize(mote_store *store, size_t block, size_t count, mote_error *error) {
  MOTE_ASSERT(block < store->blocks);
  MOTE_ASSERT(store->count[0] >= store->block[block].count);
  mote_block *changed = &store->block[block];
  if (count > changed->count) {
    MOTE_TRY(reserve_rows(store, changed->groups, count - changed->count, error));
  }
  change_count(store, changed, count);
  mote_store_check(store);
  return MOTE_OK;
}

mote_result mote_store_add_block(mote_store *store, uint32_t groups, size_t count, size_t *block,
                                 mote_error *error) {
  MOTE_ASSERT(block != NULL);
  *block = store->blocks;
  return mote_store_insert_block(store, store->blocks, groups, count, error);
}

mote_result mote_store_insert_block(mote_store *store, size_t at, uint32_t groups, size_t count,
                                    mote_error *error) {
  MOTE_ASSERT(store->blocks <= store->block_capacity);
  MOTE_ASSERT(at <= store->blocks);
  groups |= 1;
  MOTE_ASSERT(groups >> (store->table->groups - 1) <= 1);
  MOTE_TRY(mote_reserve(&store->env, &store->block, &store->block_capacity, store->blocks + 1,
                        sizeof *store->block, error));
  if (count > 0) MOTE_TRY(reserve_rows(store, groups, count, error));
  mote_block *added = &store->block[at], fresh = {.groups = groups};
  memcpy(fresh.first, at == store->blocks ? store->count : added->first, sizeof fresh.first);
  memmove(added + 1, added, (store->blocks - at) * sizeof *added);
  *added = fresh;
  ++store->blocks;
  change_count(store, added, count);
  mote_store_check(store);
  return MOTE_OK;
}

void mote_store_remove_block(mote_store *store, size_t block) {
  MOTE_ASSERT(block < store->blocks);
  (void)mote_store_resize(store, block, 0, NULL);  // fewer: cannot fail
  memmove(store->block + block, store->block + block + 1, (store->blocks - block - 1) * sizeof *store->block);
  --store->blocks;
  mote_store_check(store);
}

// Moves the kept rows to the front, run by run.
static void keep_rows(char *rows, size_t size, size_t count, const uint8_t *gone) {
  size_t kept = 0;
  for (size_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && !gone[end] == !gone[begin]) ++end;
    if (gone[begin]) continue;
    if (kept != begin) memmove(rows + kept * size, rows + begin * size, (end - begin) * size);
    kept += end - begin;
  }
}

void mote_store_remove(mote_store *store, size_t block, const uint8_t *gone) {
  MOTE_ASSERT(block < store->blocks);
  MOTE_ASSERT(gone != NULL || store->block[block].count == 0);
  mote_block *changed = &store->block[block];
  size_t left = 0;
  for (size_t r = 0; r < changed->count; ++r) left += !gone[r];
  if (left == changed->count) return;
  for (int f = 0; f < store->table->fields; ++f) {
    if (!mote_store_has(store, f, block)) continue;
    keep_rows(mote_store_rows(store, f, block), mote_field_size(&store->table->field[f]), changed->count,
              gone);
  }
  change_count(store, changed, left);
  mote_store_check(store);
}

size_t mote_store_block_of(const mote_store *store, size_t row) {
  MOTE_ASSERT(store->blocks > 0);
  MOTE_ASSERT(row < store->count[0]);
  size_t low = 0, high = store->blocks;  // block[low] begins at or before the row, block[high] behind it
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (store->block[middle].first[0] <= row) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

void mote_store_forget_derived(mote_store *store) {
  MOTE_ASSERT(!store->bare);
  for (int f = 0; FORGET_DERIVED && f < store->table->fields; ++f) {
    const mote_field *field = &store->table->field[f];
    if (field->kept == MOTE_KEPT_DERIVED) forget(store, f, 0, store->count[field->group]);
  }
}

// --- Access ---------------------------------------------------------------------------------------------

void *mote_store_array(const mote_store *store, int field, mote_type type) {
  MOTE_ASSERT(field >= 0 && field < store->table->fields);
  MOTE_ASSERT(store->table->field[field].type == type);
  MOTE_ASSERT(store->column[field].data != NULL || store->count[store->table->field[field].group] == 0 ||
              store->bare);
  (void)type;
  return store->column[field].data;
}

const uint64_t *mote_store_ids(const mote_store *store) {
  MOTE_ASSERT(store->table->id < store->table->fields);
  return store->table->id < 0 ? NULL : mote_store_u64(store, store->table->id);
}

bool mote_store_has(const mote_store *store, int field, size_t block) {
  MOTE_ASSERT(field >= 0 && field < store->table->fields && block < store->blocks);
  return uses(&store->block[block], store->table->field[field].group);
}

void *mote_store_rows(const mote_store *store, int field, size_t block) {
  MOTE_ASSERT(mote_store_has(store, field, block));
  return row_address(store, field, store->block[block].first[store->table->field[field].group]);
}

mote_field_view mote_store_view_field(const mote_store *store, int f) {
  MOTE_ASSERT(f >= 0 && f < store->table->fields);
  const mote_field *field = &store->table->field[f];
  return (mote_field_view){
      .name = field->name,
      .unit = field->unit,
      .type = field->type,
      .components = field->components,
      .count = store->count[field->group],
      .data = store->column[f].data,
  };
}

mote_field_view mote_store_view(const mote_store *store, const char *name, size_t block) {
  MOTE_ASSERT(name != NULL);
  bool all = block == MOTE_ALL_BLOCKS;
  if (!all && block >= store->blocks) return (mote_field_view){0};
  int f = all ? mote_table_find(store->table, name)
              : mote_table_find_in(store->table, name, store->block[block].groups);
  if (f < 0) return (mote_field_view){0};
  mote_field_view view = mote_store_view_field(store, f);
  if (!all) view.count = store->block[block].count, view.data = mote_store_rows(store, f, block);
  return view;
}
