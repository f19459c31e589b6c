// A state in a snapshot: its tables, by name.
#ifndef MOTE_STATE_ARCHIVE_H
#define MOTE_STATE_ARCHIVE_H

#include "state/snapshot_head.h"

// Writes head and archives of `now` and, if it is not null, of `frame`.
mote_result mote_state_write(const mote_state *now, const mote_state *frame, uint64_t definitions,
                             mote_arena *scratch, const mote_sink *sink, mote_error *error);

// Reads what head lists into both states, which have all tables that are expected; *has_frame: whether there
// was a frame. FORMAT names a table that is unknown, missing, there twice or of another version. On failure
// both states are a mixture.
mote_result mote_state_read(mote_source *source, const mote_snapshot_head *head, mote_state *now,
                            mote_state *frame, bool *has_frame, mote_arena *scratch, mote_error *error);

#endif
