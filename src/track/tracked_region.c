// Clusters of cells where a tracked mesh and a fresh one disagree: see tracked_surgery.h.
#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "track/tracked_surgery.h"
#include "track/tuning.inc"

#define CLUSTER_LINK_CELLS 2  // cells: seeds that are nearer to each other are one cluster
#define CELLS_FIRST 256       // room at first
#define BLOCK_CELLS 8u        // cells along an axis
#define SIGN_BIT 0x80000000u  // makes the order of signed numbers that of unsigned ones

// --- Clusters ---------------------------------------------------------------------------------------------

uint32_t mote_cluster_root(const mote_surgery *g, uint32_t c) {
  while (g->cluster[c].root != c) c = g->cluster[c].root;
  return c;
}

void mote_cluster_join(mote_surgery *g, uint32_t a, uint32_t b) {
  uint32_t first = mote_cluster_root(g, a), other = mote_cluster_root(g, b);
  if (other < first) first = other, other = mote_cluster_root(g, a);
  g->cluster[other].root = g->cluster[a].root = g->cluster[b].root = first;
}

// Whether any region has this state.
bool mote_cluster_any(const mote_surgery *g, mote_cluster_state state) {
  for (uint32_t c = 0; c < g->clusters; ++c) {
    if (g->cluster[c].grow > 0 && g->cluster[c].root == c && g->cluster[c].state == state) return true;
  }
  return false;
}

// Regions in which neither the number of components nor the genus changes, and no surface is lost.
void mote_cluster_find_same(mote_surgery *g) {
  for (uint32_t c = 0; c < g->clusters; ++c) {
    mote_cluster *own = &g->cluster[c];
    if (own->grow > 0 && own->lost) g->cluster[mote_cluster_root(g, c)].lost = true;
  }
  for (uint32_t c = 0; c < g->clusters; ++c) {
    mote_cluster *own = &g->cluster[c];
    if (own->root == c && own->state == MOTE_CLUSTER_DONE && !own->lost && own->euler == 0 &&
        own->patches[0] == own->patches[1])
      own->state = MOTE_CLUSTER_SAME;
  }
}

// --- Sizes of regions -------------------------------------------------------------------------------------

#define GROWTH_CELLS_MAX 32
static const int grows[] = {1, 2, 4, 8, 16, GROWTH_CELLS_MAX};  // cells about a cluster, tried in turn
#define SHRUNK_TRIAL 3                                          // place in `grows`

// Whether the largest regions of two clusters overlap.
static bool are_near(const mote_cluster *a, const mote_cluster *b) {
  bool near = true;
  for (int k = 0; k < 3; ++k)
    near &= (int64_t)a->low[k] - b->high[k] <= 2 * GROWTH_CELLS_MAX &&
            (int64_t)b->low[k] - a->high[k] <= 2 * GROWTH_CELLS_MAX;
  return near;
}

// Gives up a cluster unless one near it was given up in this round: without it its neighbours may fit, and
// are tried with smaller regions again.
static void give_up(mote_surgery *g, mote_cluster *own) {
  for (uint32_t c = 0; c < g->clusters; ++c) {
    if (g->cluster[c].given_up_now && are_near(&g->cluster[c], own)) return;
  }
  own->grow = 0, own->given_up = own->given_up_now = true;
  for (uint32_t c = 0; c < g->clusters; ++c) {
    mote_cluster *other = &g->cluster[c];
    if (other->grow == 0 || other->trial <= SHRUNK_TRIAL || !are_near(other, own)) continue;
    other->trial = SHRUNK_TRIAL, other->grow = grows[SHRUNK_TRIAL];
  }
}

bool mote_cluster_choose(mote_surgery *g) {
  bool again = false;
  for (uint32_t c = 0; c < g->clusters; ++c) g->cluster[c].given_up_now = false;
  for (uint32_t c = 0; c < g->clusters; ++c) {
    mote_cluster *own = &g->cluster[c];
    if (own->grow == 0) continue;
    mote_cluster_state state = g->cluster[mote_cluster_root(g, c)].state;
    bool largest = own->grow == GROWTH_CELLS_MAX, crossed = state == MOTE_CLUSTER_CROSSED;
    if (state == MOTE_CLUSTER_SAME) {
      own->grow = 0, again = true;
    } else if (own->blamed && state != MOTE_CLUSTER_DONE && !(crossed && largest)) {
      again = true;
      if (largest)
        give_up(g, own);
      else
        own->grow = grows[++own->trial];
    }
  }
  return again;
}

// --- Cells ------------------------------------------------------------------------------------------------

// Regions are compact: with blocks of cells, few cells need a lookup in the hash.
struct mote_region_block {
  int32_t at[3];
  uint32_t cell[BLOCK_CELLS * BLOCK_CELLS * BLOCK_CELLS];  // its number + 1; 0: not in the region
};

static size_t slot_of(const mote_region *r, const int32_t at[3]) {
  uint32_t key = (uint32_t)at[0] * 73856093u ^ (uint32_t)at[1] * 19349663u ^ (uint32_t)at[2] * 83492791u;
  size_t s = (key ^ key >> 15) & r->mask;
  while (r->block[s] != NULL && memcmp(r->block[s]->at, at, sizeof r->block[s]->at) != 0)
    s = (s + 1) & r->mask;
  return s;
}

// Index of a cell in its block; *at: coordinates of the block.
static size_t place_of(const int32_t c[3], int32_t at[3]) {
  size_t place = 0;
  for (int k = 2; k >= 0; --k) {
    place = place * BLOCK_CELLS + ((uint32_t)c[k] & (BLOCK_CELLS - 1));
    at[k] = (int32_t)(((uint32_t)c[k] ^ SIGN_BIT) / BLOCK_CELLS);
  }
  return place;
}

// The number of a cell, or UINT32_MAX.
static uint32_t find_cell(const mote_region *r, const int32_t c[3]) {
  int32_t at[3];
  size_t place = place_of(c, at);
  const mote_region_block *block = r->mask > 0 ? r->block[slot_of(r, at)] : NULL;
  return block == NULL ? UINT32_MAX : block->cell[place] - 1;
}

static mote_result widen_hash(mote_region *r, mote_error *error) {
  mote_region wider = *r;
  size_t slots = r->mask == 0 ? 64 : 2 * (r->mask + 1);
  wider.mask = slots - 1;
  MOTE_TAKE(wider.block, r->arena, slots, error);
  for (size_t s = 0; s < slots; ++s) wider.block[s] = NULL;
  for (size_t s = 0; s <= r->mask && r->blocks > 0; ++s) {
    if (r->block[s] != NULL) wider.block[slot_of(&wider, r->block[s]->at)] = r->block[s];
  }
  *r = wider;
  return MOTE_OK;
}

// The block at these coordinates; created if there is none.
static mote_result take_block(mote_region *r, const int32_t at[3], mote_region_block **out,
                              mote_error *error) {
  if (2 * r->blocks >= r->mask) MOTE_TRY(widen_hash(r, error));
  size_t s = slot_of(r, at);
  if (r->block[s] == NULL) {
    mote_region_block *made = r->block[s] = mote_arena_take(r->arena, 1, sizeof *made);
    if (made == NULL) return mote_fail_memory(error, sizeof *made);
    *made = (mote_region_block){.at = {at[0], at[1], at[2]}};
    ++r->blocks;
  }
  *out = r->block[s];
  return MOTE_OK;
}

static mote_result widen_list(mote_region *r, mote_error *error) {
  size_t most = r->capacity == 0 ? CELLS_FIRST : 2 * r->capacity;
  int32_t(*cell)[3];
  MOTE_TAKE(cell, r->arena, most, error);
  MOTE_TAKE_NEW(uint32_t, owner, r->arena, most, error);
  if (r->count > 0) {
    memcpy(cell, r->cell, r->count * sizeof *cell);
    memcpy(owner, r->owner, r->count * sizeof *owner);
  }
  r->cell = cell, r->owner = owner, r->capacity = most;
  return MOTE_OK;
}

// Adds a cell. *owner: the cluster that had it before, else the same. *near: the block of the last call.
static mote_result add_cell(mote_region *r, const int32_t c[3], mote_region_block **near, uint32_t *owner,
                            mote_error *error) {
  int32_t at[3];
  size_t place = place_of(c, at);
  if (*near == NULL || memcmp((*near)->at, at, sizeof at) != 0) MOTE_TRY(take_block(r, at, near, error));
  uint32_t *cell = &(*near)->cell[place];
  if (*cell != 0) {
    *owner = r->owner[*cell - 1];
    return MOTE_OK;
  }
  if (r->count == r->capacity) MOTE_TRY(widen_list(r, error));
  memcpy(r->cell[r->count], c, 3 * sizeof *c);
  r->owner[r->count] = *owner;
  *cell = (uint32_t)++r->count;
  return MOTE_OK;
}

static void cell_of(const mote_region *r, const double x[3], int32_t c[3]) {
  for (int k = 0; k < 3; ++k) c[k] = mote_mesh_cell(&r->cells, x[k], k);
}

uint32_t mote_region_owner(const mote_region *r, const double x[3]) {
  int32_t c[3];
  cell_of(r, x, c);
  uint32_t cell = find_cell(r, c);
  return cell == UINT32_MAX ? MOTE_NO_CLUSTER : r->owner[cell];
}

mote_result mote_region_grow(mote_surgery *g, mote_arena *arena, mote_region *out, mote_error *error) {
  *out = (mote_region){.cells = g->grid, .arena = arena};
  mote_region_block *near = NULL;
  for (uint32_t c = 0; c < g->clusters; ++c) g->cluster[c].root = c;
  for (size_t i = 0; i < g->cells; ++i) {
    uint32_t owner = g->cluster_of[i];
    if (g->cluster[owner].grow > 0) MOTE_TRY(add_cell(out, g->cell[i], &near, &owner, error));
  }
  for (int axis = 0; axis < 3; ++axis) {
    size_t before = out->count;
    for (size_t i = 0; i < before; ++i) {
      uint32_t own = out->owner[i];
      int32_t at[3] = {out->cell[i][0], out->cell[i][1], out->cell[i][2]}, middle = at[axis];
      for (int32_t k = -g->cluster[own].grow; k <= g->cluster[own].grow; ++k) {
        uint32_t owner = own;
        at[axis] = middle + k;
        MOTE_TRY(add_cell(out, at, &near, &owner, error));
        if (owner != own) mote_cluster_join(g, owner, own);
      }
    }
  }
  return MOTE_OK;
}

// --- Seeds ------------------------------------------------------------------------------------------------

static mote_result find_normals(mote_surgery_side *s, mote_arena *arena, mote_error *error) {
  const mote_mesh *mesh = s->mesh;
  double *normal = s->normal = mote_arena_take(arena, 3 * mesh->vertices, sizeof *normal);
  if (normal == NULL) return mote_fail_memory(error, 3 * mesh->vertices * sizeof *normal);
  for (size_t i = 0; i < 3 * mesh->vertices; ++i) normal[i] = 0.0;
  for (size_t f = 0; f < mesh->triangles; ++f) {
    const uint32_t *v = mesh->triangle + 3 * f;
    double u[3], w[3], n[3];
    sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], u);
    sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], w);
    cross3(u, w, n);
    for (int k = 0; k < 3; ++k) step3(normal + 3 * (size_t)v[k], 1.0, n, normal + 3 * (size_t)v[k]);
  }
  return MOTE_OK;
}

// The vertex of the other mesh with which v agrees: near, with a similar normal (at sharp edges: with a
// neighbour of similar normal). UINT32_MAX: none.
static uint32_t twin_of(const mote_surgery *g, int side, size_t v) {
  const mote_surgery_side *s = &g->side[side], *other = &g->side[1 - side];
  const uint32_t *nearest = s->nearest + MOTE_SURGERY_NEAR * v;
  const double *distance2 = s->distance2 + MOTE_SURGERY_NEAR * v, *a = s->normal + 3 * v;
  if (s->crossed != NULL && s->crossed[v]) return UINT32_MAX;
  if (!(distance2[0] <= SEED_DISTANCE_MAX * g->reach * SEED_DISTANCE_MAX * g->reach)) return UINT32_MAX;
  for (int k = 0; k < MOTE_SURGERY_NEAR && distance2[k] <= g->reach * g->reach; ++k) {
    const double *b = other->normal + 3 * (size_t)nearest[k];
    if (dot3(a, b) < g->cosine * length3(a) * length3(b)) continue;
    double apart[3];
    sub3(s->mesh->vertex + 3 * v, other->mesh->vertex + 3 * (size_t)nearest[k], apart);
    return fabs(dot3(apart, b)) <= g->far * g->reach * length3(b) ? nearest[k] : UINT32_MAX;
  }
  return UINT32_MAX;
}

// Assigns the cluster of a cell to the cells near it, and appends them to the queue.
static size_t link_near(const mote_surgery *g, const mote_region *seed, uint32_t at, uint32_t *queue,
                        size_t waiting) {
  const int32_t *c = g->cell[at];
  for (int32_t z = -CLUSTER_LINK_CELLS; z <= CLUSTER_LINK_CELLS; ++z) {
    for (int32_t y = -CLUSTER_LINK_CELLS; y <= CLUSTER_LINK_CELLS; ++y) {
      for (int32_t x = -CLUSTER_LINK_CELLS; x <= CLUSTER_LINK_CELLS; ++x) {
        uint32_t j = find_cell(seed, (const int32_t[3]){c[0] + x, c[1] + y, c[2] + z});
        if (j == UINT32_MAX || g->cluster_of[j] != MOTE_NO_CLUSTER) continue;
        g->cluster_of[j] = g->cluster_of[at], queue[waiting++] = j;
      }
    }
  }
  return waiting;
}

// Clusters in the order of their first cells.
static mote_result link_cells(mote_surgery *g, const mote_region *seed, mote_arena *arena,
                              mote_error *error) {
  MOTE_TAKE_NEW(uint32_t, queue, arena, g->cells, error);
  MOTE_TAKE(g->cluster_of, arena, g->cells, error);
  for (size_t i = 0; i < g->cells; ++i) g->cluster_of[i] = MOTE_NO_CLUSTER;
  for (uint32_t i = 0; i < g->cells; ++i) {
    size_t done = 0, waiting = 0;
    if (g->cluster_of[i] != MOTE_NO_CLUSTER) continue;
    g->cluster_of[i] = (uint32_t)g->clusters++, queue[waiting++] = i;
    while (done < waiting) waiting = link_near(g, seed, queue[done++], queue, waiting);
  }
  MOTE_TAKE(g->cluster, arena, g->clusters, error);
  for (uint32_t c = 0; c < g->clusters; ++c)
    g->cluster[c] = (mote_cluster){.grow = grows[0],
                                   .root = c,
                                   .low = {INT32_MAX, INT32_MAX, INT32_MAX},
                                   .high = {INT32_MIN, INT32_MIN, INT32_MIN}};
  for (size_t i = 0; i < g->cells; ++i) {
    mote_cluster *c = &g->cluster[g->cluster_of[i]];
    for (int k = 0; k < 3; ++k) {
      if (g->cell[i][k] < c->low[k]) c->low[k] = g->cell[i][k];
      if (g->cell[i][k] > c->high[k]) c->high[k] = g->cell[i][k];
    }
  }
  return MOTE_OK;
}

// First pass: the cells of vertices that disagree. Second: marks clusters with vertices out of reach.
static mote_result compare_side(mote_surgery *g, int side, bool first, mote_region *seed, mote_error *error) {
  const mote_surgery_side *s = &g->side[side];
  double most = g->lost * g->reach;
  mote_region_block *near = NULL;
  for (size_t v = 0; v < s->mesh->vertices; ++v) {
    uint32_t twin = twin_of(g, side, v), owner = 0;
    int32_t c[3];
    if (side == 1) g->twin[v] = twin;
    if (!s->changes[v] || twin != UINT32_MAX) continue;
    cell_of(seed, s->mesh->vertex + 3 * v, c);
    if (first)
      MOTE_TRY(add_cell(seed, c, &near, &owner, error));
    else if (!(s->distance2[MOTE_SURGERY_NEAR * v] <= most * most) || (s->crossed != NULL && s->crossed[v]))
      g->cluster[g->cluster_of[find_cell(seed, c)]].lost = true;
  }
  return MOTE_OK;
}

mote_result mote_surgery_find(mote_surgery *g, const mote_env *env, mote_arena *arena, mote_error *error) {
  g->clusters = 0;
  mote_mesh both[2] = {*g->side[0].mesh, *g->side[1].mesh};
  MOTE_TRY(mote_mesh_cells_make(both, 2, MOTE_SURGERY_CELL * g->reach, &g->grid, error));
  mote_region seed = {.cells = g->grid, .arena = arena};
  for (int k = 0; k < 2; ++k) {
    mote_surgery_side *s = &g->side[k];
    MOTE_TRY(mote_half_edges_create(s->mesh, env->threads, arena, &s->edges, error));
    MOTE_TRY(find_normals(s, arena, error));
  }
  MOTE_TAKE(g->twin, arena, g->side[1].mesh->vertices, error);
  for (int k = 0; k < 2; ++k) MOTE_TRY(compare_side(g, k, true, &seed, error));
  g->cell = seed.cell, g->cells = seed.count;
  MOTE_TRY(link_cells(g, &seed, arena, error));
  for (int k = 0; k < 2; ++k) MOTE_TRY(compare_side(g, k, false, &seed, error));
  return MOTE_OK;
}
