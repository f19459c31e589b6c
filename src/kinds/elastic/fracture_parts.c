// Fragments: see fracture_bodies.h. Theory: docs/theory/fragments.md, "Labels"
#include <string.h>

#include "base/sets.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/fracture_bodies.h"
#include "matter/bodies.h"

size_t mote_fracture_least_part(const mote_world *world) {
  return world->def.dimensions == 2 ? 4 : 8;
}

// Connected components of particles with one label, by pairs: the lowest row of each particle's component.
static void join_parts(const mote_elastic *b, const uint32_t *label, uint32_t *root) {
  for (uint32_t i = 0; i < b->count; ++i) root[i] = i;
  for (uint32_t i = 0; i < b->count; ++i) {
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      uint32_t j = b->neighbour[k];
      if (j > i || label[j] != label[i]) continue;
      mote_set_join(root, i, j);
    }
  }
  for (uint32_t i = 0; i < b->count; ++i) root[i] = mote_set_root(root, i);
}

// The largest component of a label keeps it; of equal ones the first.
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
  mote_body_birth birth = {.kind = MOTE_KIND_ELASTIC,
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

// Components become bodies, in the order of their lowest rows, except the largest of each label, and small
// ones.
static mote_result part(mote_world *world, size_t k, const uint32_t *root, uint32_t *size,
                        mote_error *error) {
  uint32_t *label = mote_elastic_rows(world, MOTE_PARTICLE_BODY, k);
  uint32_t count = (uint32_t)mote_elastic_at(world, k)->elastic->count;
  memset(size, 0, count * sizeof *size);
  for (uint32_t i = 0; i < count; ++i) ++size[root[i]];
  for (uint32_t i = 0; i < count; ++i) {
    if (root[i] != i || size[i] < mote_fracture_least_part(world) || label[i] == 0) continue;
    uint32_t own = label[i], id;
    if (keeper_of(label, root, size, count, own) == i) continue;
    MOTE_TRY(bear(world, own - 1, &id, error));
    for (uint32_t j = i; j < count; ++j) {
      if (root[j] == i) label[j] = id + 1;
    }
  }
  return MOTE_OK;
}

void mote_fracture_main_nodes(const mote_world *world, size_t k, const uint32_t *node, uint32_t *root,
                              uint32_t *held) {
  const mote_elastic *b = mote_elastic_at(world, k)->elastic;
  const uint32_t *label = mote_elastic_rows(world, MOTE_PARTICLE_BODY, k);
  uint32_t count = (uint32_t)b->count, keeper = UINT32_MAX, of = UINT32_MAX;
  join_parts(b, label, root);
  memset(held, 0, count * sizeof *held);
  for (uint32_t i = 0; i < count; ++i) ++held[root[i]];
  // The size of all components except the largest of a label is set to 0, which marks their rows.
  for (uint32_t i = 0; i < count; ++i) {
    if (root[i] != i) continue;
    if (label[i] != of) of = label[i], keeper = keeper_of(label, root, held, count, of);
    if (keeper != i) held[i] = 0;
  }
  for (uint32_t i = count; i-- > 0;) held[i] = held[root[i]] > 0 ? node[i] : MOTE_CUT_NONE;
}

// Components of the cut grid, as roots; particles without a node belong to the first of their label.
static void join_fragments(const mote_cut_grid *g, const uint32_t *node, const uint32_t *label,
                           uint32_t *first, uint32_t *root, uint32_t count) {
  for (size_t f = 0; f < g->fragments; ++f) first[f] = UINT32_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    root[i] = i;
    if (node[i] == MOTE_CUT_NONE) continue;
    uint32_t f = g->fragment[node[i]];
    if (first[f] == UINT32_MAX) first[f] = i;
    if (label[first[f]] == label[i]) root[i] = first[f];
  }
}

// Scratch: three numbers per particle, and one per fragment.
typedef struct parts {
  uint32_t *root, *size, *held;
} parts;

static mote_result take_parts(mote_world *world, size_t n, parts *r, mote_error *error) {
  MOTE_TAKE(r->root, &world->scratch, n, error);
  MOTE_TAKE(r->size, &world->scratch, n, error);
  MOTE_TAKE(r->held, &world->scratch, n, error);
  return MOTE_OK;
}

static mote_result part_grid(mote_world *world, size_t k, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture *f = item->fracture;
  uint32_t *label = mote_elastic_rows(world, MOTE_PARTICLE_BODY, k), count = (uint32_t)item->origin->count;
  const double *eye = mote_elastic_rows(world, MOTE_ELASTIC_EYE, k);
  bool renewed;
  parts r;
  MOTE_TRY(take_parts(world, count, &r, error));
  MOTE_TRY(mote_body_grid_follow(&f->grid, &f->cracks, eye, count, &renewed, error));
  mote_fracture_main_nodes(world, k, f->grid.node, r.root, r.held);
  mote_cut_matter matter = {.node = r.held,
                            .label = label,
                            .position = eye,
                            .count = count,
                            .least = mote_fracture_least_part(world)};
  MOTE_TRY(mote_cut_grid_divide(f->grid.grid, MOTE_BODY_GRID_LEAST, &matter, error));
  MOTE_TAKE_NEW(uint32_t, first, &world->scratch, f->grid.grid->fragments, error);
  join_fragments(f->grid.grid, f->grid.node, label, first, r.root, count);
  return part(world, k, r.root, r.size, error);
}

mote_result mote_fracture_part_grid(mote_world *world, size_t k, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = part_grid(world, k, error);
  mote_arena_release(&world->scratch, mark);
  return result;
}

mote_result mote_fracture_part_pairs(mote_world *world, size_t k, mote_error *error) {
  const mote_elastic *b = mote_elastic_at(world, k)->elastic;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  parts r;
  mote_result result = take_parts(world, b->count, &r, error);
  if (result == MOTE_OK) {
    join_parts(b, mote_elastic_rows(world, MOTE_PARTICLE_BODY, k), r.root);
    result = part(world, k, r.root, r.size, error);
  }
  mote_arena_release(&world->scratch, mark);
  return result;
}
