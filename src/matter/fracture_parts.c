// Bodies that have come apart: see fracture.h.
#include <string.h>

#include "matter/bodies.h"
#include "matter/elastic_bodies.h"
#include "matter/fracture.h"

// Particles below which a part stays with the body that it broke off.
static size_t least_part(const mote_world *world) {
  return world->def.dimensions == 2 ? 4 : 8;
}

static uint32_t find_root(uint32_t *root, uint32_t i) {
  while (root[i] != i) root[i] = root[root[i]], i = root[i];
  return i;
}

// The lowest row of each particle's part: particles of one label that pairs join.
static void join_parts(const mote_elastic *b, const uint32_t *label, uint32_t *root) {
  for (uint32_t i = 0; i < b->count; ++i) root[i] = i;
  for (uint32_t i = 0; i < b->count; ++i) {
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      uint32_t j = b->neighbour[k];
      if (j > i || label[j] != label[i]) continue;
      uint32_t p = find_root(root, i), q = find_root(root, j);
      if (p != q) root[p > q ? p : q] = p > q ? q : p;
    }
  }
  for (uint32_t i = 0; i < b->count; ++i) root[i] = find_root(root, i);
}

// The largest part of a label keeps it, of equal ones the first.
static uint32_t keeper_of(const uint32_t *label, const uint32_t *root, const uint32_t *size, uint32_t count,
                          uint32_t own) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    if (label[i] == own && root[i] == i && (best == UINT32_MAX || size[i] > size[best])) best = i;
  }
  return best;
}

static mote_result bear(mote_world *world, uint32_t parent, uint32_t *id, mote_error *error) {
  mote_body_place place;
  bool there = mote_bodies_find(world, parent, &place);
  MOTE_ASSERT(there);
  (void)there;
  mote_store *bodies = mote_bodies(world);
  mote_body_birth birth = {.kind = MOTE_BODY_ELASTIC,
                           .origin = MOTE_ORIGIN_PARENT,
                           .material = mote_bodies_value(world, place, MOTE_BODY_MATERIAL),
                           .definition = (uint32_t)mote_bodies_definition(world, place),
                           .parent = parent + 1};
  MOTE_TRY(mote_bodies_add(world, &birth, id, error));
  size_t row = bodies->block[place.kind].first[0] + place.row;  // births come behind it
  mote_store_u32(bodies, MOTE_BODY_FLAGS)[row] |= MOTE_BODY_BROKEN;
  mote_store_f64(bodies, MOTE_DEFORMING_STRETCH)[bodies->block[place.kind].count - 1] = 1.0;
  return MOTE_OK;
}

static mote_result part(mote_world *world, size_t k, uint32_t *root, uint32_t *size, size_t *born,
                        mote_error *error) {
  const mote_elastic *b = mote_elastic_at(world, k)->elastic;
  uint32_t *label = mote_elastic_rows(world, MOTE_PARTICLE_BODY, k), count = (uint32_t)b->count;
  join_parts(b, label, root);
  memset(size, 0, b->count * sizeof *size);
  for (uint32_t i = 0; i < count; ++i) ++size[root[i]];
  for (uint32_t i = 0; i < count; ++i) {
    if (root[i] != i || size[i] < least_part(world) || label[i] == 0) continue;
    uint32_t own = label[i], id;
    if (keeper_of(label, root, size, count, own) == i) continue;
    MOTE_TRY(bear(world, own - 1, &id, error));
    for (uint32_t j = i; j < count; ++j) {
      if (root[j] == i) label[j] = id + 1;
    }
    ++*born;
  }
  return MOTE_OK;
}

mote_result mote_fracture_part(mote_world *world, size_t k, size_t *born, mote_error *error) {
  size_t n = mote_elastic_at(world, k)->elastic->count;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  uint32_t *root = mote_arena_take(&world->scratch, n, sizeof *root);
  uint32_t *size = mote_arena_take(&world->scratch, n, sizeof *size);
  mote_result result = root == NULL || size == NULL ? mote_fail_memory(error, 2 * n * sizeof *root)
                                                    : part(world, k, root, size, born, error);
  mote_arena_release(&world->scratch, mark);
  return result;
}
