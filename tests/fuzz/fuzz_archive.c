// Fuzzes the reader of archives: the bytes as they are, and with their checksums put right, so that what
// lies behind the checksums is reached too. What loads must save and load again with the same hash.
#include "archive_forge.h"
#include "particles/archive.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kit_bytes bytes = {.data = malloc(size + (size == 0)), .size = size};
  if (bytes.data == NULL) abort();
  if (size > 0) memcpy(bytes.data, data, size);
  load_all(&bytes);
  if (forge_archive(&bytes) > 0) load_all(&bytes);
  free(bytes.data);
  return 0;
}
