// Archives that were cut or changed anywhere: never a crash, never a changed value taken for good, and
// the store that was to be loaded stays as it was.
#include "base/hash.h"
#include "particles/archive.h"
#include "store_kit.h"
#include "test.h"

// Loads a copy of exactly this size, so that reading beyond its end is found out.
static mote_result load(const unsigned char *data, size_t size, mote_store *store) {
  kit_bytes copy = {.data = malloc(size + (size == 0)), .size = size};
  memcpy(copy.data, data, size);
  mote_error error = {0};
  mote_result result = kit_load(&copy, store, &error);
  CHECK(result == error.code && (result == MOTE_OK) == (error.text[0] == 0));
  free(copy.data);
  return result;
}

static void every_cut_is_seen(const kit_bytes *good, mote_store *store) {
  for (size_t size = 0; size < good->size; ++size) CHECK(load(good->data, size, store) == MOTE_ERROR_FORMAT);
}

static void every_changed_byte_is_seen(const kit_bytes *good, mote_store *store) {
  for (size_t k = 0; k < good->size; ++k) {
    unsigned char flip = (unsigned char)(1 << mote_random(1, 0, k).v[0] % 8);
    good->data[k] ^= flip;
    CHECK(load(good->data, good->size, store) == MOTE_ERROR_FORMAT);
    good->data[k] ^= flip;
  }
}

static void many_changed_bytes_are_seen(const kit_bytes *good, mote_store *store) {
  unsigned char *bad = malloc(good->size);
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    memcpy(bad, good->data, good->size);
    unsigned changes = 1 + mote_random(seed, 0, 0).v[0] % 20;
    for (unsigned c = 0; c < changes; ++c) {
      mote_random4 r = mote_random(seed, 1, c);
      bad[r.v[0] % good->size] = (unsigned char)r.v[1];
    }
    if (memcmp(bad, good->data, good->size) == 0) continue;
    CHECK(load(bad, good->size, store) == MOTE_ERROR_FORMAT);
  }
  free(bad);
}

// Someone who knows the format: changes in the head under a right checksum. What loads must be whole.
static void forged_heads_do_no_harm(const kit_bytes *good) {
  size_t head = 88 + 3 * 32 + 8 * 80 + 3 * 16;
  unsigned char *bad = malloc(good->size);
  int loaded = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    memcpy(bad, good->data, good->size);
    unsigned changes = 1 + mote_random(seed, 2, 0).v[0] % 3;
    for (unsigned c = 0; c < changes; ++c) {
      mote_random4 r = mote_random(seed, 3, c);
      const unsigned char likely[] = {0, 1, 2, 3, 4, 8, 255, (unsigned char)r.v[2]};
      bad[r.v[0] % head] = likely[r.v[1] % 8];
    }
    uint64_t checksum = mote_hash_bytes(0, bad, head);
    memcpy(bad + head, &checksum, 8);
    mote_store store = mote_store_make(&thing_table, NULL);
    if (load(bad, good->size, &store) == MOTE_OK) {
      ++loaded;
      kit_bytes again = kit_save(&store);
      CHECK(again.size > 0);
      free(again.data);
    } else {
      CHECK(store.count[0] == 0 && store.blocks == 0);
    }
    mote_store_destroy(&store);
  }
  CHECK(loaded > 0);
  free(bad);
}

int main(void) {
  mote_store saved = kit_store(NULL, 6, 1), store = kit_store(NULL, 10, 2);
  uint64_t hash = kit_hash(&store);
  kit_bytes good = kit_save(&saved);
  every_cut_is_seen(&good, &store);
  every_changed_byte_is_seen(&good, &store);
  many_changed_bytes_are_seen(&good, &store);
  CHECK(kit_hash(&store) == hash);
  forged_heads_do_no_harm(&good);
  CHECK(load(good.data, good.size, &store) == MOTE_OK && kit_hash(&store) == kit_hash(&saved));
  mote_store_destroy(&saved);
  mote_store_destroy(&store);
  free(good.data);
  return test_end();
}
