// Saving and loading a store by field name: the snapshot format of docs/formats.md. Bytes go through
// callbacks; several archives may follow one another in a stream.
#ifndef MOTE_ARCHIVE_H
#define MOTE_ARCHIVE_H

#include "base/arena.h"
#include "particles/store.h"

// Writes all `size` bytes, or returns false.
typedef bool mote_write_fn(void *user, const void *bytes, size_t size);
// Reads exactly `size` bytes, or returns false.
typedef bool mote_read_fn(void *user, void *bytes, size_t size);

typedef struct mote_sink {
  mote_write_fn *write;
  void *user;
} mote_sink;

// `left` must be known: it bounds the memory that a damaged or hostile archive can request.
typedef struct mote_source {
  mote_read_fn *read;
  void *user;
  uint64_t left;    // bytes still to come; counted down
  uint64_t offset;  // bytes read so far; counted up, for messages
} mote_source;

// Writes the saved fields. FILE if the sink fails.
mote_result mote_archive_write(const mote_store *store, mote_arena *scratch, const mote_sink *sink,
                               mote_error *error);

// Replaces the store's rows and blocks by those of the archive, which must be of a table of the same
// name; on failure the store is as before. Fields are found by name. FORMAT names field and byte when
// the archive is cut short, damaged, foreign, of a later version, or does not fit the store's table.
// Fields that the table lacks or derives are skipped, optional ones missing in the archive get initial
// values; both are logged. Derived fields are as in new rows.
mote_result mote_archive_read(mote_source *source, mote_store *store, mote_arena *scratch, mote_error *error);

// --- The same in two parts, for archives of any table --------------------------------------------------

typedef struct mote_archive_block {
  uint64_t rows;
  uint64_t groups;  // bits, numbered as in the archive's own table
} mote_archive_block;

// The description of an archive: a store can be made with its own table (as long as the
// arena's memory is held).
typedef struct mote_archive_head {
  mote_table table;  // all fields required
  mote_field field[MOTE_FIELD_MAX];
  uint64_t rows[MOTE_FIELD_MAX];      // of each field
  uint64_t checksum[MOTE_FIELD_MAX];  // of each field
  const char *group[MOTE_GROUP_MAX];
  uint64_t blocks;
  const mote_archive_block *block;
  uint64_t next_id;
} mote_archive_head;

// The head is in the arena.
mote_result mote_archive_read_head(mote_source *source, mote_arena *arena, const mote_archive_head **head,
                                   mote_error *error);
mote_result mote_archive_read_body(mote_source *source, const mote_archive_head *head, mote_store *store,
                                   mote_error *error);

// --- The format -----------------------------------------------------------------------------------------

#define MOTE_ARCHIVE_MAGIC "\211MOTE\r\n\032"
#define MOTE_ARCHIVE_VERSION 1
enum {
  MOTE_ARCHIVE_FIXED = 88,    // bytes of the first part of the head
  MOTE_ARCHIVE_GROUP = 32,    // of a group
  MOTE_ARCHIVE_FIELD = 80,    // of a field
  MOTE_ARCHIVE_BLOCK = 16,    // of a block
  MOTE_ARCHIVE_CHECKSUM = 8,  // at the head's end
  MOTE_ARCHIVE_PIECE = 4096,  // of values hashed together
};

// The checksum of a field's values: the sum over its pieces k of the hash of the piece with seed k. Here of
// the pieces from `first` on; every call except the last processes whole pieces.
uint64_t mote_archive_checksum(const void *values, size_t size, uint64_t first, int threads);

#endif
