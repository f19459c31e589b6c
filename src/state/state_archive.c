// A state in a snapshot: see state_archive.h.
#include "state/state_archive.h"

#include <inttypes.h>
#include <string.h>

static mote_result write_tables(const mote_state *state, mote_arena *scratch, const mote_sink *sink,
                                mote_error *error) {
  for (size_t t = 0; t < state->tables; ++t)
    MOTE_TRY(mote_archive_write(&state->store[t], scratch, sink, error));
  return MOTE_OK;
}

static void list_tables(const mote_state *state, mote_snapshot_moment moment, mote_snapshot_entry *entry) {
  for (size_t t = 0; t < state->tables; ++t) {
    const mote_store *store = &state->store[t];
    entry[t] = (mote_snapshot_entry){store->table->name, store->table->version, moment, store->count[0]};
  }
}

mote_result mote_state_write(const mote_state *now, const mote_state *frame, uint64_t definitions,
                             mote_arena *scratch, const mote_sink *sink, mote_error *error) {
  MOTE_ASSERT(now->tables >= MOTE_TABLES);
  MOTE_ASSERT(frame == NULL || frame->tables >= MOTE_TABLES);
  MOTE_ASSERT(scratch != NULL);
  MOTE_ASSERT(sink != NULL && sink->write != NULL);
  size_t tables = now->tables + (frame != NULL ? frame->tables : 0);
  MOTE_TAKE_NEW(mote_snapshot_entry, entry, scratch, tables, error);
  mote_snapshot_head head = {.definitions = definitions, .tables = tables, .entry = entry};
  list_tables(now, MOTE_MOMENT_NOW, entry);
  if (frame != NULL) list_tables(frame, MOTE_MOMENT_FRAME, entry + now->tables);
  MOTE_TRY(mote_state_hash_all(now, scratch, &head.state, error));
  MOTE_TRY(mote_snapshot_head_write(&head, scratch, sink, error));
  MOTE_TRY(write_tables(now, scratch, sink, error));
  return frame != NULL ? write_tables(frame, scratch, sink, error) : MOTE_OK;
}

// The first table that the head does not list for this moment, or lists twice; null: none.
static const char *find_missing(const mote_snapshot_head *head, const mote_state *state,
                                mote_snapshot_moment moment) {
  for (size_t t = 0; t < state->tables; ++t) {
    size_t times = 0;
    for (size_t e = 0; e < head->tables; ++e) {
      times +=
          head->entry[e].moment == moment && strcmp(head->entry[e].name, state->store[t].table->name) == 0;
    }
    if (times != 1) return state->store[t].table->name;
  }
  return NULL;
}

static mote_result check_lists(const mote_snapshot_head *head, const mote_state *state, bool has_frame,
                               mote_error *error) {
  for (int moment = 0; moment < (has_frame ? MOTE_MOMENTS : MOTE_MOMENT_FRAME); ++moment) {
    const char *name = find_missing(head, state, (mote_snapshot_moment)moment);
    if (name == NULL) continue;
    return mote_fail(error, MOTE_ERROR_FORMAT, "the snapshot has no table \"%s\"%s, or has it twice", name,
                     moment == MOTE_MOMENT_FRAME ? " of the beginning of its frame" : "");
  }
  return MOTE_OK;
}

static mote_result read_table(mote_source *source, const mote_snapshot_entry *entry, mote_state *state,
                              mote_arena *scratch, mote_error *error) {
  size_t t = mote_state_find(state, entry->name);
  if (t == SIZE_MAX) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "the snapshot has a table \"%s\", which this world does not have", entry->name);
  }
  mote_store *store = &state->store[t];
  if (entry->version != store->table->version) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "table \"%s\" of the snapshot is of version %" PRIu32
                     "; this program reads version %" PRIu32,
                     entry->name, entry->version, store->table->version);
  }
  MOTE_TRY(mote_archive_read(source, store, scratch, error));
  if (store->count[0] == entry->rows) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT,
                   "damaged snapshot: table \"%s\" has other rows than the head says", entry->name);
}

mote_result mote_state_read(mote_source *source, const mote_snapshot_head *head, mote_state *now,
                            mote_state *frame, bool *has_frame, mote_arena *scratch, mote_error *error) {
  MOTE_ASSERT(head->tables == 0 || head->entry != NULL);
  MOTE_ASSERT(now != NULL && now->tables >= MOTE_TABLES);
  MOTE_ASSERT(frame != NULL && frame->tables >= MOTE_TABLES);
  MOTE_ASSERT(has_frame != NULL && scratch != NULL);
  *has_frame = false;
  for (size_t e = 0; e < head->tables; ++e)
    *has_frame = *has_frame || head->entry[e].moment == MOTE_MOMENT_FRAME;
  MOTE_TRY(check_lists(head, now, *has_frame, error));
  for (size_t e = 0; e < head->tables; ++e) {
    mote_state *state = head->entry[e].moment == MOTE_MOMENT_NOW ? now : frame;
    MOTE_TRY(read_table(source, &head->entry[e], state, scratch, error));
  }
  uint64_t hash;
  MOTE_TRY(mote_snapshot_check_end(source, error));
  MOTE_TRY(mote_state_hash_all(now, scratch, &hash, error));
  if (hash == head->state) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT,
                   "damaged snapshot: its state is not the one it was written with");
}
