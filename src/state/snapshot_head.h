// The head of a snapshot: what stands before its archives (docs/formats.md).
#ifndef MOTE_SNAPSHOT_HEAD_H
#define MOTE_SNAPSHOT_HEAD_H

#include "particles/archive.h"
#include "state/state.h"

#define MOTE_SNAPSHOT_MAGIC "\211MOTW\r\n\032"
#define MOTE_SNAPSHOT_VERSION 1
enum { MOTE_SNAPSHOT_HEAD = 40 };  // bytes

typedef struct mote_snapshot_head {
  uint32_t archives;     // those of the state now, and those of the frame's beginning where there is one
  uint64_t definitions;  // hash of the definitions
  uint64_t state;        // hash of the state
} mote_snapshot_head;

void mote_snapshot_head_put(const mote_snapshot_head *head, unsigned char bytes[MOTE_SNAPSHOT_HEAD]);

// How many stores a state has in it, whose archives come once, or twice with that of the frame's beginning;
// 0: no state has so many.
int mote_snapshot_stores(const mote_snapshot_head *head);

// FORMAT: no snapshot, of another version, damaged, cut short.
mote_result mote_snapshot_head_read(mote_source *source, mote_snapshot_head *head, mote_error *error);

// Nothing may follow the last archive.
mote_result mote_snapshot_check_end(const mote_source *source, mote_error *error);

#endif
