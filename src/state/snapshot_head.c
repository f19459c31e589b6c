// The head of a snapshot: see snapshot_head.h.
#include "state/snapshot_head.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"

static size_t head_bytes(size_t tables) {
  return MOTE_SNAPSHOT_FIXED + tables * MOTE_SNAPSHOT_ENTRY + MOTE_SNAPSHOT_CHECKSUM;
}

static void put_entry(const mote_snapshot_entry *entry, unsigned char *to) {
  uint32_t moment = (uint32_t)entry->moment;
  size_t length = strlen(entry->name);
  MOTE_ASSERT(length < MOTE_NAME_SIZE);
  memset(to, 0, MOTE_NAME_SIZE);
  memcpy(to, entry->name, length);
  memcpy(to + MOTE_NAME_SIZE, &entry->version, 4);
  memcpy(to + MOTE_NAME_SIZE + 4, &moment, 4);
  memcpy(to + MOTE_NAME_SIZE + 8, &entry->rows, 8);
}

static void put_head(const mote_snapshot_head *head, unsigned char *bytes) {
  uint32_t version = MOTE_SNAPSHOT_VERSION, tables = (uint32_t)head->tables;
  size_t size = head_bytes(head->tables);
  memcpy(bytes, MOTE_SNAPSHOT_MAGIC, 8);
  memcpy(bytes + 8, &version, 4);
  memcpy(bytes + 12, &tables, 4);
  memcpy(bytes + 16, &head->definitions, 8);
  memcpy(bytes + 24, &head->state, 8);
  for (size_t t = 0; t < head->tables; ++t) {
    put_entry(&head->entry[t], bytes + MOTE_SNAPSHOT_FIXED + t * MOTE_SNAPSHOT_ENTRY);
  }
  uint64_t checksum = mote_hash_bytes(0, bytes, size - MOTE_SNAPSHOT_CHECKSUM);
  memcpy(bytes + size - MOTE_SNAPSHOT_CHECKSUM, &checksum, MOTE_SNAPSHOT_CHECKSUM);
}

mote_result mote_snapshot_head_write(const mote_snapshot_head *head, mote_arena *scratch,
                                     const mote_sink *sink, mote_error *error) {
  MOTE_ASSERT(head->tables > 0 && head->entry != NULL);
  MOTE_ASSERT(scratch != NULL);
  MOTE_ASSERT(sink != NULL && sink->write != NULL);
  size_t size = head_bytes(head->tables);
  mote_arena_mark mark = mote_arena_here(scratch);
  unsigned char *bytes = mote_arena_take(scratch, size, 1);
  if (bytes == NULL) return mote_fail_memory(error, size);
  put_head(head, bytes);
  bool written = sink->write(sink->user, bytes, size);
  mote_arena_release(scratch, mark);
  if (written) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FILE, "the head of the snapshot could not be written");
}

static mote_result get_bytes(mote_source *source, void *to, size_t size, mote_error *error) {
  if (source->left < size) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "snapshot cut short: its head has %zu bytes at byte %" PRIu64 ", but only %" PRIu64
                     " are left",
                     size, source->offset, source->left);
  }
  if (!source->read(source->user, to, size)) {
    return mote_fail(error, MOTE_ERROR_FILE, "the head of the snapshot could not be read");
  }
  source->left -= size;
  source->offset += size;
  return MOTE_OK;
}

static mote_result check_fixed(const unsigned char *bytes, mote_error *error) {
  uint32_t version;
  memcpy(&version, bytes + 8, 4);
  if (memcmp(bytes, MOTE_SNAPSHOT_MAGIC, 8) != 0) {
    return mote_fail(error, MOTE_ERROR_FORMAT, "not a snapshot of a Mote world");
  }
  if (version == MOTE_SNAPSHOT_VERSION) return MOTE_OK;
  return mote_fail(
      error, MOTE_ERROR_FORMAT, "the snapshot is of version %" PRIu32 "; this program reads version %d: %s",
      version, MOTE_SNAPSHOT_VERSION,
      version < MOTE_SNAPSHOT_VERSION ? "continue it with the program that wrote it, or run the scene again"
                                      : "it was written by a newer program");
}

static mote_result get_entry(const unsigned char *from, mote_snapshot_entry *entry, mote_error *error) {
  uint32_t moment;
  entry->name = (const char *)from;
  memcpy(&entry->version, from + MOTE_NAME_SIZE, 4);
  memcpy(&moment, from + MOTE_NAME_SIZE + 4, 4);
  memcpy(&entry->rows, from + MOTE_NAME_SIZE + 8, 8);
  entry->moment = (mote_snapshot_moment)moment;
  if (from[MOTE_NAME_SIZE - 1] == 0 && moment < MOTE_MOMENTS) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT, "damaged snapshot: the head lists an impossible table");
}

mote_result mote_snapshot_head_read(mote_source *source, mote_arena *arena, mote_snapshot_head *head,
                                    mote_error *error) {
  MOTE_ASSERT(source != NULL && source->read != NULL);
  MOTE_ASSERT(arena != NULL && head != NULL);
  unsigned char fixed[MOTE_SNAPSHOT_FIXED];
  uint32_t tables;
  uint64_t checksum;
  MOTE_TRY(get_bytes(source, fixed, sizeof fixed, error));
  MOTE_TRY(check_fixed(fixed, error));
  memcpy(&tables, fixed + 12, 4);
  memcpy(&head->definitions, fixed + 16, 8);
  memcpy(&head->state, fixed + 24, 8);
  if (tables > source->left / MOTE_SNAPSHOT_ENTRY) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "damaged snapshot: the head lists more tables than there are bytes");
  }
  size_t size = head_bytes(tables);
  unsigned char *bytes = mote_arena_take(arena, size, 1);
  mote_snapshot_entry *entry = mote_arena_take(arena, tables + 1, sizeof *entry);
  if (bytes == NULL || entry == NULL) return mote_fail_memory(error, size + tables * sizeof *entry);
  memcpy(bytes, fixed, sizeof fixed);
  MOTE_TRY(get_bytes(source, bytes + sizeof fixed, size - sizeof fixed, error));
  memcpy(&checksum, bytes + size - MOTE_SNAPSHOT_CHECKSUM, sizeof checksum);
  if (checksum != mote_hash_bytes(0, bytes, size - MOTE_SNAPSHOT_CHECKSUM)) {
    return mote_fail(error, MOTE_ERROR_FORMAT, "damaged snapshot: the head has a wrong checksum");
  }
  for (uint32_t t = 0; t < tables; ++t) {
    MOTE_TRY(get_entry(bytes + MOTE_SNAPSHOT_FIXED + t * MOTE_SNAPSHOT_ENTRY, &entry[t], error));
  }
  head->tables = tables, head->entry = entry;
  return MOTE_OK;
}

mote_result mote_snapshot_check_end(const mote_source *source, mote_error *error) {
  MOTE_ASSERT(source != NULL);
  if (source->left == 0) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT,
                   "damaged snapshot: %" PRIu64 " bytes follow its end at byte %" PRIu64, source->left,
                   source->offset);
}
