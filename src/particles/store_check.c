// The invariants of a store (store.h): what every function of it relies on, and leaves behind.
#include "particles/store.h"

#ifdef MOTE_ASSERTS

#include <stdlib.h>

static void check_blocks(const mote_store *store, int group) {
  size_t row = 0;
  for (size_t b = 0; b < store->blocks; ++b) {
    const mote_block *block = &store->block[b];
    MOTE_ASSERT(block->first[group] == row);
    if (block->groups >> group & 1) row += block->count;
  }
  MOTE_ASSERT(store->count[group] == row);
}

void mote_store_check(const mote_store *store) {
  MOTE_ASSERT(store->table != NULL);
  MOTE_ASSERT(store->blocks <= store->block_capacity);
  MOTE_ASSERT(store->block != NULL || store->blocks == 0);
  for (size_t b = 0; b < store->blocks; ++b) {
    MOTE_ASSERT(store->block[b].groups & 1);
    MOTE_ASSERT(store->block[b].groups >> (store->table->groups - 1) <= 1);
  }
  for (int g = 0; g < store->table->groups; ++g) check_blocks(store, g);
  for (int f = 0; f < store->table->fields; ++f) {
    const mote_field *field = &store->table->field[f];
    if (store->bare && !mote_field_saved(field)) continue;
    MOTE_ASSERT(store->count[field->group] <= store->column[f].capacity || store->count[field->group] == 0);
    MOTE_ASSERT(store->column[f].data != NULL || store->count[field->group] == 0);
  }
}

void mote_store_check_ids(const mote_store *store) {
  const uint64_t *id = mote_store_ids(store);
  if (id == NULL) return;
  for (size_t r = 0; r < store->count[0]; ++r) MOTE_ASSERT(id[r] < store->next_id);
  // Not through the environment, so that tests that count or refuse its memory see no difference. Without
  // memory, or with far more ids than rows, only the range of ids is checked.
  if (store->next_id / 64 > store->count[0] + 4096) return;
  uint64_t *seen = calloc(store->next_id / 64 + 1, sizeof *seen);
  for (size_t r = 0; seen != NULL && r < store->count[0]; ++r) {
    uint64_t bit = UINT64_C(1) << id[r] % 64;
    MOTE_ASSERT(!(seen[id[r] / 64] & bit));
    seen[id[r] / 64] |= bit;
  }
  free(seen);
}

#endif
