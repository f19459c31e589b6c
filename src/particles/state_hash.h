// A hash of the saved fields: the sum over rows of a hash of (id, value). It does not depend on the order
// of rows, on blocks, or on how rows are spread over several stores; a single changed bit changes it.
#ifndef MOTE_STATE_HASH_H
#define MOTE_STATE_HASH_H

#include "base/arena.h"
#include "particles/store.h"

typedef struct mote_state_hash {
  uint64_t field[MOTE_FIELD_MAX];  // 0 for derived fields and for fields without rows
  bool used[MOTE_FIELD_MAX];       // whether any row has the field
} mote_state_hash;

// Rows of a table without ids are identified by their number.
mote_result mote_store_hash(const mote_store *store, mote_arena *scratch, mote_state_hash *hash,
                            mote_error *error);

// One number for all fields; fields count by their names, not by their position in the table. A field
// without rows, and a table without rows, count as 0. So new tables and groups do not change hashes
// of worlds that do not use them.
uint64_t mote_state_hash_total(const mote_table *table, const mote_state_hash *hash);

#endif
