// Blocks by their places: open addressing, linear probing. See block_map.h.
#include "surface/block_map.h"

#include <string.h>

#include "base/hash.h"
#include "search/radix.h"

#define KEY_BITS 63

void mote_block_map_free(mote_block_map *map) {
  MOTE_ASSERT(map->count <= map->key_capacity);
  mote_free(&map->env, map->key, map->key_capacity, sizeof *map->key);
  mote_free(&map->env, map->slot, map->slot_capacity, sizeof *map->slot);
  *map = (mote_block_map){.env = map->env};
}

size_t mote_block_map_bytes(const mote_block_map *map) {
  return map->key_capacity * sizeof *map->key + map->slot_capacity * sizeof *map->slot;
}

void mote_block_map_clear(mote_block_map *map) {
  MOTE_ASSERT(map->slot != NULL || map->slots == 0);
  map->count = 0;
  if (map->slots > 0) memset(map->slot, 0xff, map->slots * sizeof *map->slot);
}

// The slot of a key, or the free one where it would stand.
static size_t find_slot(const mote_block_map *map, uint64_t key) {
  size_t mask = map->slots - 1, at = (size_t)mote_hash_mix(key) & mask;
  while (map->slot[at] != MOTE_BLOCK_ABSENT && map->key[map->slot[at]] != key) at = (at + 1) & mask;
  return at;
}

uint32_t mote_block_map_find(const mote_block_map *map, uint64_t key) {
  MOTE_ASSERT(map->slots == 0 || (map->slots & (map->slots - 1)) == 0);
  return map->slots == 0 ? MOTE_BLOCK_ABSENT : map->slot[find_slot(map, key)];
}

static void fill_slots(mote_block_map *map) {
  memset(map->slot, 0xff, map->slots * sizeof *map->slot);
  for (size_t n = 0; n < map->count; ++n) map->slot[find_slot(map, map->key[n])] = (uint32_t)n;
}

static mote_result grow(mote_block_map *map, mote_error *error) {
  size_t slots = map->slots == 0 ? 1024 : 2 * map->slots;
  MOTE_TRY(mote_reserve(&map->env, &map->slot, &map->slot_capacity, slots, sizeof *map->slot, error));
  map->slots = slots;
  fill_slots(map);
  return MOTE_OK;
}

mote_result mote_block_map_add(mote_block_map *map, uint64_t key, mote_error *error) {
  MOTE_ASSERT(map->count < UINT32_MAX);
  MOTE_ASSERT(map->slots == 0 || (map->slots & (map->slots - 1)) == 0);
  if (2 * (map->count + 1) > map->slots) MOTE_TRY(grow(map, error));
  size_t at = find_slot(map, key);
  if (map->slot[at] != MOTE_BLOCK_ABSENT) return MOTE_OK;
  MOTE_TRY(mote_reserve(&map->env, &map->key, &map->key_capacity, map->count + 1, sizeof *map->key, error));
  map->slot[at] = (uint32_t)map->count;
  map->key[map->count++] = key;
  return MOTE_OK;
}

mote_result mote_block_map_sort(mote_block_map *map, mote_error *error) {
  MOTE_ASSERT(map->count <= map->key_capacity);
  size_t n = map->count;
  if (n == 0) return MOTE_OK;
  mote_radix radix = {.threads = map->env.threads, .count = n, .key = map->key};
  size_t words = 2 * n, histogram = MOTE_RADIX_HISTOGRAM;
  radix.spare_key = mote_alloc(&map->env, n, sizeof *radix.spare_key);
  radix.value = mote_alloc(&map->env, words, sizeof *radix.value);
  radix.histogram = mote_alloc(&map->env, histogram, sizeof *radix.histogram);
  uint64_t *spare = radix.spare_key;
  uint32_t *value = radix.value;
  bool ok = spare != NULL && value != NULL && radix.histogram != NULL;
  if (ok) {
    radix.spare_value = value + n;
    memset(value, 0, words * sizeof *value);
    mote_radix_sort(&radix, KEY_BITS);
    if (radix.key != map->key) memcpy(map->key, radix.key, n * sizeof *map->key);
    fill_slots(map);
  }
  mote_free(&map->env, spare, n, sizeof *spare);
  mote_free(&map->env, value, words, sizeof *value);
  mote_free(&map->env, radix.histogram, histogram, sizeof *radix.histogram);
  return ok ? MOTE_OK : mote_fail_memory(error, n * 16);
}
