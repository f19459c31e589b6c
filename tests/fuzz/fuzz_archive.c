// Fuzzes the reader of archives: the bytes as they are, and with their checksums put right, so that what
// lies behind the checksums is reached too. What loads must save and load again with the same hash.
#include "base/hash.h"
#include "particles/archive.h"
#include "store_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void load(const mote_table *table, const kit_bytes *bytes) {
  mote_env env = mote_env_default();
  env.threads = 1;
  mote_store store = mote_store_make(table, &env), again = mote_store_make(table, &env);
  mote_error error;
  if (kit_load(&(kit_bytes){bytes->data, bytes->size, 0}, &store, &error) == MOTE_OK) {
    kit_bytes saved = kit_save(&store);
    if (kit_load(&saved, &again, &error) != MOTE_OK || kit_hash(&again) != kit_hash(&store)) abort();
    free(saved.data);
  }
  mote_store_destroy(&store);
  mote_store_destroy(&again);
}

// As a store of our tables, and of the archive's own.
static void load_all(const kit_bytes *bytes) {
  load(&mote_particle_table, bytes);
  load(&thing_table, bytes);
  mote_arena arena = mote_arena_make(NULL);
  mote_source source = kit_source(&(kit_bytes){bytes->data, bytes->size, 0});
  const mote_archive_head *head;
  if (mote_archive_read_head(&source, &arena, &head, NULL) == MOTE_OK) load(&head->table, bytes);
  mote_arena_destroy(&arena);
}

// Bytes of the head by the numbers in it; 0 when it does not fit.
static size_t head_size(const kit_bytes *bytes) {
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

static void forge_head(kit_bytes *bytes, size_t head) {
  uint64_t checksum = mote_hash_bytes(0, bytes->data, head - 8);
  memcpy(bytes->data + head - 8, &checksum, 8);
}

static void forge_values(kit_bytes *bytes, size_t size) {
  mote_arena arena = mote_arena_make(NULL);
  mote_source source = kit_source(&(kit_bytes){bytes->data, bytes->size, 0});
  const mote_archive_head *head;
  if (mote_archive_read_head(&source, &arena, &head, NULL) == MOTE_OK) {
    size_t at = size, field = MOTE_ARCHIVE_FIXED + (size_t)head->table.groups * MOTE_ARCHIVE_GROUP;
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
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kit_bytes bytes = {.data = malloc(size + (size == 0)), .size = size};
  if (bytes.data == NULL) abort();
  if (size > 0) memcpy(bytes.data, data, size);
  load_all(&bytes);
  size_t head = head_size(&bytes);
  if (head > 0) {
    forge_head(&bytes, head);
    forge_values(&bytes, head);
    load_all(&bytes);
  }
  free(bytes.data);
  return 0;
}
