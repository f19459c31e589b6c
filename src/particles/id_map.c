// Rows by their ids: see id_map.h.
#include "particles/id_map.h"

#include "particles/sort.h"

static bool ascends(const uint64_t *id, size_t count) {
  size_t k = 1;
  while (k < count && id[k - 1] < id[k]) ++k;
  return k >= count;
}

mote_result mote_id_map_make(const uint64_t *id, size_t count, int threads, mote_arena *arena,
                             mote_id_map *out, mote_error *error) {
  MOTE_ASSERT(arena != NULL && out != NULL);
  MOTE_ASSERT(id != NULL || count == 0);
  *out = (mote_id_map){.id = id, .count = count};
  if (ascends(id, count)) return MOTE_OK;
  MOTE_TAKE_NEW(uint32_t, order, arena, count, error);
  out->order = order;
  return mote_order_sort(id, NULL, count, threads, arena, order, error);
}

size_t mote_id_map_find(const mote_id_map *map, uint64_t id) {
  MOTE_ASSERT(map->id != NULL || map->count == 0);
  size_t low = 0, high = map->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2, row = map->order != NULL ? map->order[middle] : middle;
    if (map->id[row] == id) return row;
    if (map->id[row] < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return SIZE_MAX;
}
