// The rows of one table, one array per field (structure of arrays), in contiguous blocks: one per material or
// body. Each field has one array for all blocks; a field of a group other than 0 holds only the rows of the
// blocks that use the group. A call that fails changes nothing. Rows are identified by permanent ids, also
// when they move to another block; row numbers are valid until rows are added, removed or moved.
#ifndef MOTE_STORE_H
#define MOTE_STORE_H

#include "base/arena.h"
#include "base/memory.h"
#include "particles/fields.h"

typedef struct mote_block {
  size_t count;                  // rows
  size_t first[MOTE_GROUP_MAX];  // their offset in the arrays of each group; first[0]: in the store
  uint32_t groups;               // bit g: its rows have the fields of group g; bit 0 is always set
} mote_block;

typedef struct mote_column {
  void *data;
  size_t capacity;  // rows
} mote_column;

typedef struct mote_store {
  const mote_table *table;  // lives at least as long as the store
  mote_env env;
  size_t count[MOTE_GROUP_MAX];  // rows in the arrays of each group; count[0]: of the store
  mote_column column[MOTE_FIELD_MAX];
  mote_block *block;
  size_t blocks, block_capacity;
  uint64_t next_id;  // of the next new row
  bool bare;         // only for mote_store_copy, from and to: derived fields have no arrays
} mote_store;

// --- Life -----------------------------------------------------------------------------------------------

// Empty, without memory. The table must pass mote_table_check.
mote_store mote_store_make(const mote_table *table, const mote_env *env);
void mote_store_destroy(mote_store *store);

// --- Rows -----------------------------------------------------------------------------------------------

// Appends a block of `count` new rows that use `groups` (bit 0 is implied) and returns its index.
mote_result mote_store_add_block(mote_store *store, uint32_t groups, size_t count, size_t *block,
                                 mote_error *error);

// The same before block `at`, which moves behind it with all that follow.
mote_result mote_store_insert_block(mote_store *store, size_t at, uint32_t groups, size_t count,
                                    mote_error *error);

// Gives the block `count` rows: removes its last ones or appends new ones. New rows have new ids
// and initial values; derived fields are NaN where asserts are on.
mote_result mote_store_resize(mote_store *store, size_t block, size_t count, mote_error *error);

// Removes a block with all its rows; those behind it move up.
void mote_store_remove_block(mote_store *store, size_t block);

// Removes the rows r of the block (r = 0 .. count-1) with gone[r] != 0; the others keep their order.
void mote_store_remove(mote_store *store, size_t block, const uint8_t *gone);

// Moves `count` rows of block `from` (rows: ascending, 0 .. its count - 1) behind those of block `to`, in
// their order. They keep their ids and all fields that both blocks have; a field of one name in two
// precisions is converted; what only `to` has is as in new rows. The rows that stay keep their order.
mote_result mote_store_move(mote_store *store, const uint32_t *rows, size_t count, size_t from, size_t to,
                            mote_arena *scratch, mote_error *error);

// Makes `to`, of the same table, a copy of the saved fields, blocks and next id; derived fields are as in new
// rows. Existing memory is reused.
mote_result mote_store_copy(const mote_store *from, mote_store *to, mote_error *error);

// Then the derived fields, too: of the same rows.
void mote_store_copy_derived(const mote_store *from, mote_store *to);

// The block of row r of the store.
size_t mote_store_block_of(const mote_store *store, size_t row);

// With asserts enabled, fills all derived fields with NaN, so that no stage reads values not yet written.
void mote_store_forget_derived(mote_store *store);

// --- Invariants: where asserts are on, checked after every change; the ids once a step -------------------

#ifdef MOTE_ASSERTS
// The blocks of each group are contiguous and fill its arrays, which are large enough.
void mote_store_check(const mote_store *store);
// Ids are unique and below the next one.
void mote_store_check_ids(const mote_store *store);
#else
static inline void mote_store_check(const mote_store *store) {
  (void)store;
}
static inline void mote_store_check_ids(const mote_store *store) {
  (void)store;
}
#endif

// --- Access: valid until rows are added or removed, or the store is loaded --------------------------

// The whole array of a field (null while it has no rows), whose type must be `type`.
void *mote_store_array(const mote_store *store, int field, mote_type type);

static inline float *mote_store_f32(const mote_store *store, int field) {
  return mote_store_array(store, field, MOTE_TYPE_F32);
}
static inline double *mote_store_f64(const mote_store *store, int field) {
  return mote_store_array(store, field, MOTE_TYPE_F64);
}
static inline uint8_t *mote_store_u8(const mote_store *store, int field) {
  return mote_store_array(store, field, MOTE_TYPE_U8);
}
static inline uint32_t *mote_store_u32(const mote_store *store, int field) {
  return mote_store_array(store, field, MOTE_TYPE_U32);
}
static inline uint64_t *mote_store_u64(const mote_store *store, int field) {
  return mote_store_array(store, field, MOTE_TYPE_U64);
}
static inline int32_t *mote_store_i32(const mote_store *store, int field) {
  return mote_store_array(store, field, MOTE_TYPE_I32);
}

// The ids of all rows; null where the table has none.
const uint64_t *mote_store_ids(const mote_store *store);

// Whether the rows of the block have the field.
bool mote_store_has(const mote_store *store, int field, size_t block);

// The first row of the block in the field's array; the block must have the field.
void *mote_store_rows(const mote_store *store, int field, size_t block);

#define MOTE_ALL_BLOCKS SIZE_MAX

// The field called `name` in one block, or the first one of that name in all blocks that have it. All zero
// when the name is unknown or the block does not have the field.
mote_field_view mote_store_view(const mote_store *store, const char *name, size_t block);

// The values of field f, of all rows that have it.
mote_field_view mote_store_view_field(const mote_store *store, int field);

#endif
