// Copies of stores in memory, to go back to: see store.h.
#include <string.h>

#include "base/parallel.h"
#include "particles/store.h"

#define CHUNK ((size_t)1 << 18)  // bytes that one task copies

typedef struct copier {
  char *to;
  const char *from;
} copier;

static void copy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const copier *c = data;
  memcpy(c->to + begin, c->from + begin, end - begin);
}

static mote_result reserve(const mote_store *from, mote_store *to, mote_error *error) {
  MOTE_TRY(mote_reserve(&to->env, &to->block, &to->block_capacity, from->blocks, sizeof *to->block, error));
  for (int f = 0; f < from->table->fields; ++f) {
    const mote_field *field = &from->table->field[f];
    mote_column *column = &to->column[f];
    size_t count = from->count[field->group];
    if (count == 0) continue;  // a group that no row uses
    if (to->bare && !mote_field_saved(field)) continue;
    MOTE_TRY(mote_reserve(&to->env, &column->data, &column->capacity, count, mote_field_size(field), error));
  }
  return MOTE_OK;
}

static void copy_columns(const mote_store *from, mote_store *to, bool saved) {
  for (int f = 0; f < from->table->fields; ++f) {
    const mote_field *field = &from->table->field[f];
    if (mote_field_saved(field) != saved) continue;
    copier c = {.to = to->column[f].data, .from = from->column[f].data};
    size_t bytes = from->count[field->group] * mote_field_size(field);
    mote_parallel_for(to->env.threads, bytes, CHUNK, copy_chunk, &c);
  }
}

void mote_store_copy_derived(const mote_store *from, mote_store *to) {
  MOTE_ASSERT(from->table == to->table && !from->bare && !to->bare);
  MOTE_ASSERT(memcmp(from->count, to->count, sizeof to->count) == 0);
  copy_columns(from, to, false);
}

mote_result mote_store_copy(const mote_store *from, mote_store *to, mote_error *error) {
  MOTE_ASSERT(from != to);
  MOTE_ASSERT(from->count[0] == 0 || from->block != NULL);
  MOTE_ASSERT(from->table == to->table);
  MOTE_TRY(reserve(from, to, error));
  copy_columns(from, to, true);
  if (from->blocks > 0) memcpy(to->block, from->block, from->blocks * sizeof *to->block);
  memcpy(to->count, from->count, sizeof to->count);
  to->blocks = from->blocks;
  to->next_id = from->next_id;
  if (!to->bare) mote_store_forget_derived(to);
  mote_store_check(to);
  return MOTE_OK;
}
