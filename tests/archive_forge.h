// Archives with their checksums put right, so that fuzzers reach what lies behind the checksums.
#ifndef MOTE_ARCHIVE_FORGE_H
#define MOTE_ARCHIVE_FORGE_H

#include "base/hash.h"
#include "store_kit.h"

// Bytes of the head by the numbers in it; 0 when it does not fit.
static inline size_t forge_head_size(const kit_bytes *bytes) {
  uint32_t number[3];
  uint64_t blocks;
  if (bytes->size < MOTE_ARCHIVE_FIXED) return 0;
  memcpy(number, bytes->data + 12, sizeof number);
  memcpy(&blocks, bytes->data + 24, sizeof blocks);
  uint64_t size = MOTE_ARCHIVE_FIXED + number[1] * (uint64_t)MOTE_ARCHIVE_GROUP +
                  number[0] * (uint64_t)MOTE_ARCHIVE_FIELD + MOTE_ARCHIVE_CHECKSUM;
  if (blocks > bytes->size || size + blocks * MOTE_ARCHIVE_BLOCK > bytes->size) return 0;
  return (size_t)(size + blocks * MOTE_ARCHIVE_BLOCK);
}

static inline void forge_head(kit_bytes *bytes, size_t head) {
  uint64_t checksum = mote_hash_bytes(0, bytes->data, head - 8);
  memcpy(bytes->data + head - 8, &checksum, 8);
}

// Returns the bytes of the whole archive, as far as it is there.
static inline size_t forge_values(kit_bytes *bytes, size_t size) {
  mote_arena arena = mote_arena_make(NULL);
  mote_source source = kit_source(&(kit_bytes){bytes->data, bytes->size, 0});
  const mote_archive_head *head;
  size_t at = size;
  if (mote_archive_read_head(&source, &arena, &head, NULL) == MOTE_OK) {
    size_t field = MOTE_ARCHIVE_FIXED + (size_t)head->table.groups * MOTE_ARCHIVE_GROUP;
    for (int f = 0; f < head->table.fields; ++f, field += MOTE_ARCHIVE_FIELD) {
      uint64_t length = head->rows[f] * mote_field_size(&head->field[f]);
      if (length > bytes->size - at) break;
      uint64_t checksum = mote_archive_checksum(bytes->data + at, (size_t)length, 0, 1);
      memcpy(bytes->data + field + 72, &checksum, 8);
      at += (size_t)length;
    }
  }
  mote_arena_destroy(&arena);
  forge_head(bytes, size);
  return at;
}

// Puts the archive at the beginning of the bytes right; returns its size, 0 when there is none.
static inline size_t forge_archive(kit_bytes *bytes) {
  size_t head = forge_head_size(bytes);
  if (head == 0) return 0;
  forge_head(bytes, head);
  return forge_values(bytes, head);
}

#endif
