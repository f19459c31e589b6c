// The head of a snapshot: the list of the tables whose archives follow (docs/formats.md).
#ifndef MOTE_SNAPSHOT_HEAD_H
#define MOTE_SNAPSHOT_HEAD_H

#include "particles/archive.h"
#include "state/state.h"

#define MOTE_SNAPSHOT_MAGIC "\211MOTW\r\n\032"
#define MOTE_SNAPSHOT_VERSION 2
enum {
  MOTE_SNAPSHOT_FIXED = 32,    // bytes of the first part
  MOTE_SNAPSHOT_ENTRY = 48,    // of a table
  MOTE_SNAPSHOT_CHECKSUM = 8,  // at the head's end
};

// The time of a table in a snapshot.
typedef enum mote_snapshot_moment { MOTE_MOMENT_NOW, MOTE_MOMENT_FRAME, MOTE_MOMENTS } mote_snapshot_moment;

typedef struct mote_snapshot_entry {
  const char *name;
  uint32_t version;
  mote_snapshot_moment moment;
  uint64_t rows;
} mote_snapshot_entry;

typedef struct mote_snapshot_head {
  uint64_t definitions;  // hash of the definitions
  uint64_t state;        // hash of the state
  size_t tables;         // archives, in the order of the entries
  const mote_snapshot_entry *entry;
} mote_snapshot_head;

// FILE if the sink fails.
mote_result mote_snapshot_head_write(const mote_snapshot_head *head, mote_arena *scratch,
                                     const mote_sink *sink, mote_error *error);

// The entries are in the arena. FORMAT: not a snapshot, of another version, damaged, truncated.
mote_result mote_snapshot_head_read(mote_source *source, mote_arena *arena, mote_snapshot_head *head,
                                    mote_error *error);

// Nothing may follow the last archive.
mote_result mote_snapshot_check_end(const mote_source *source, mote_error *error);

#endif
