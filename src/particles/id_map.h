// Rows by their ids. If ids ascend, as in blocks whose rows were never moved, creation costs one pass over
// them.
#ifndef MOTE_ID_MAP_H
#define MOTE_ID_MAP_H

#include "base/arena.h"
#include "base/check.h"

typedef struct mote_id_map {
  const uint64_t *id;
  const uint32_t *order;  // rows by ascending id; null: the rows are in that order
  size_t count;
} mote_id_map;

// `id` must live as long as the map, whose own memory is the arena's.
mote_result mote_id_map_make(const uint64_t *id, size_t count, int threads, mote_arena *arena,
                             mote_id_map *out, mote_error *error);

// The row with that id; SIZE_MAX: none.
size_t mote_id_map_find(const mote_id_map *map, uint64_t id);

#endif
