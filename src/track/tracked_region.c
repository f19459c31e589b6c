// Where a tracked mesh and a fresh one disagree, as clusters of cells: see tracked_surgery.h.
#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "track/tracked_surgery.h"

#define NEAR 0.4   // reaches to the nearest vertex of the other mesh, at most
#define LINK 2     // cells: seeds that are nearer to each other are one cluster
#define CELLS 256  // room at first

// --- Clusters ---------------------------------------------------------------------------------------------

uint32_t mote_cluster_root(const mote_surgery *g, uint32_t c) {
  while (g->cluster[c].root != c) c = g->cluster[c].root;
  return c;
}

void mote_cluster_join(mote_surgery *g, uint32_t a, uint32_t b) {
  a = mote_cluster_root(g, a), b = mote_cluster_root(g, b);
  if (a < b)
    g->cluster[b].root = a;
  else
    g->cluster[a].root = b;
}

// Whether any region has this state.
bool mote_cluster_any(const mote_surgery *g, mote_cluster_state state) {
  for (uint32_t c = 0; c < g->clusters; ++c) {
    if (g->cluster[c].grow > 0 && g->cluster[c].root == c && g->cluster[c].state == state) return true;
  }
  return false;
}

// Regions in which neither pieces nor handles change, and nothing is lost.
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

// --- Cells ------------------------------------------------------------------------------------------------

static size_t slot_of(const mote_region *r, const int32_t c[3]) {
  uint32_t key = (uint32_t)c[0] * 73856093u ^ (uint32_t)c[1] * 19349663u ^ (uint32_t)c[2] * 83492791u;
  size_t s = (key ^ key >> 15) & r->mask;
  while (r->slot[s] != 0 && memcmp(r->cell[r->slot[s] - 1], c, 3 * sizeof *c) != 0) s = (s + 1) & r->mask;
  return s;
}

static mote_result widen_region(mote_region *r, size_t most, mote_error *error) {
  size_t slots = 64;
  while (slots < 2 * most) slots *= 2;
  mote_region wider = *r;
  wider.capacity = most, wider.mask = slots - 1;
  wider.cell = mote_arena_take(r->arena, most, sizeof *r->cell);
  wider.owner = mote_arena_take(r->arena, most, sizeof *r->owner);
  wider.slot = mote_arena_take(r->arena, slots, sizeof *r->slot);
  if (wider.cell == NULL || wider.owner == NULL || wider.slot == NULL)
    return mote_fail_memory(error, most * 16 + slots * 4);
  memset(wider.slot, 0, slots * sizeof *r->slot);
  for (size_t i = 0; i < r->count; ++i) {
    memcpy(wider.cell[i], r->cell[i], sizeof *r->cell);
    wider.owner[i] = r->owner[i];
    wider.slot[slot_of(&wider, r->cell[i])] = (uint32_t)i + 1;
  }
  *r = wider;
  return MOTE_OK;
}

// Adds a cell; in *owner is whose it was before, or the same.
static mote_result add_cell(mote_region *r, const int32_t c[3], uint32_t *owner, mote_error *error) {
  if (r->count == r->capacity) MOTE_TRY(widen_region(r, r->capacity == 0 ? CELLS : 2 * r->capacity, error));
  size_t s = slot_of(r, c);
  if (r->slot[s] != 0) {
    *owner = r->owner[r->slot[s] - 1];
    return MOTE_OK;
  }
  memcpy(r->cell[r->count], c, 3 * sizeof *c);
  r->owner[r->count] = *owner;
  r->slot[s] = (uint32_t)++r->count;
  return MOTE_OK;
}

static void cell_of(const mote_region *r, const double x[3], int32_t c[3]) {
  for (int k = 0; k < 3; ++k) c[k] = (int32_t)floor(x[k] * r->per_cell);
}

uint32_t mote_region_owner(const mote_region *r, const double x[3]) {
  int32_t c[3];
  if (r->count == 0) return MOTE_NO_CLUSTER;
  cell_of(r, x, c);
  uint32_t cell = r->slot[slot_of(r, c)];
  return cell == 0 ? MOTE_NO_CLUSTER : r->owner[cell - 1];
}

mote_result mote_region_grow(mote_surgery *g, mote_arena *arena, mote_region *out, mote_error *error) {
  *out = (mote_region){.per_cell = 1.0 / (MOTE_SURGERY_CELL * g->reach), .arena = arena};
  for (uint32_t c = 0; c < g->clusters; ++c) g->cluster[c].root = c;
  for (size_t i = 0; i < g->cells; ++i) {
    uint32_t owner = g->cluster_of[i];
    if (g->cluster[owner].grow > 0) MOTE_TRY(add_cell(out, g->cell[i], &owner, error));
  }
  for (int axis = 0; axis < 3; ++axis) {
    size_t before = out->count;
    for (size_t i = 0; i < before; ++i) {
      uint32_t own = out->owner[i];
      int32_t at[3] = {out->cell[i][0], out->cell[i][1], out->cell[i][2]}, middle = at[axis];
      for (int32_t k = -g->cluster[own].grow; k <= g->cluster[own].grow; ++k) {
        uint32_t owner = own;
        at[axis] = middle + k;
        MOTE_TRY(add_cell(out, at, &owner, error));
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

// The vertex of the other mesh with which v agrees: near, and looking the same way (at edges one near by
// does). UINT32_MAX: none.
static uint32_t twin_of(const mote_surgery *g, int side, size_t v) {
  const mote_surgery_side *s = &g->side[side], *other = &g->side[1 - side];
  const uint32_t *nearest = s->nearest + MOTE_SURGERY_NEAR * v;
  const double *distance2 = s->distance2 + MOTE_SURGERY_NEAR * v, *a = s->normal + 3 * v;
  if (s->crossed != NULL && s->crossed[v]) return UINT32_MAX;
  if (!(distance2[0] <= NEAR * g->reach * NEAR * g->reach)) return UINT32_MAX;
  for (int k = 0; k < MOTE_SURGERY_NEAR && distance2[k] <= g->reach * g->reach; ++k) {
    const double *b = other->normal + 3 * (size_t)nearest[k];
    if (dot3(a, b) < g->look * length3(a) * length3(b)) continue;
    double apart[3];
    sub3(s->mesh->vertex + 3 * v, other->mesh->vertex + 3 * (size_t)nearest[k], apart);
    return fabs(dot3(apart, b)) <= g->far * g->reach * length3(b) ? nearest[k] : UINT32_MAX;
  }
  return UINT32_MAX;
}

// Gives the cells near a cell its cluster, and puts them behind the queue.
static size_t link_near(const mote_surgery *g, const mote_region *seed, uint32_t at, uint32_t *queue,
                        size_t waiting) {
  const int32_t *c = g->cell[at];
  for (int32_t z = -LINK; z <= LINK; ++z) {
    for (int32_t y = -LINK; y <= LINK; ++y) {
      for (int32_t x = -LINK; x <= LINK; ++x) {
        uint32_t j = seed->slot[slot_of(seed, (const int32_t[3]){c[0] + x, c[1] + y, c[2] + z})];
        if (j == 0 || g->cluster_of[j - 1] != MOTE_NO_CLUSTER) continue;
        g->cluster_of[j - 1] = g->cluster_of[at], queue[waiting++] = j - 1;
      }
    }
  }
  return waiting;
}

// Clusters in the order of their first cells.
static mote_result link_cells(mote_surgery *g, const mote_region *seed, mote_arena *arena,
                              mote_error *error) {
  uint32_t *queue = mote_arena_take(arena, g->cells, sizeof *queue);
  g->cluster_of = mote_arena_take(arena, g->cells, sizeof *g->cluster_of);
  if (queue == NULL || g->cluster_of == NULL) return mote_fail_memory(error, g->cells * 8);
  for (size_t i = 0; i < g->cells; ++i) g->cluster_of[i] = MOTE_NO_CLUSTER;
  for (uint32_t i = 0; i < g->cells; ++i) {
    size_t done = 0, waiting = 0;
    if (g->cluster_of[i] != MOTE_NO_CLUSTER) continue;
    g->cluster_of[i] = (uint32_t)g->clusters++, queue[waiting++] = i;
    while (done < waiting) waiting = link_near(g, seed, queue[done++], queue, waiting);
  }
  g->cluster = mote_arena_take(arena, g->clusters, sizeof *g->cluster);
  if (g->cluster == NULL) return mote_fail_memory(error, g->clusters * sizeof *g->cluster);
  for (uint32_t c = 0; c < g->clusters; ++c) g->cluster[c] = (mote_cluster){.root = c};
  return MOTE_OK;
}

// Cells of vertices that disagree (first), or whether clusters have such out of reach.
static mote_result look_at_side(mote_surgery *g, int side, bool first, mote_region *seed, mote_error *error) {
  const mote_surgery_side *s = &g->side[side];
  double most = g->lost * g->reach;
  for (size_t v = 0; v < s->mesh->vertices; ++v) {
    uint32_t twin = twin_of(g, side, v), owner = 0;
    int32_t c[3];
    if (side == 1) g->twin[v] = twin;
    if (!s->changes[v] || twin != UINT32_MAX) continue;
    cell_of(seed, s->mesh->vertex + 3 * v, c);
    if (first)
      MOTE_TRY(add_cell(seed, c, &owner, error));
    else if (!(s->distance2[MOTE_SURGERY_NEAR * v] <= most * most) || (s->crossed != NULL && s->crossed[v]))
      g->cluster[g->cluster_of[seed->slot[slot_of(seed, c)] - 1]].lost = true;
  }
  return MOTE_OK;
}

mote_result mote_surgery_find(mote_surgery *g, const mote_env *env, mote_arena *arena, mote_error *error) {
  g->clusters = 0;
  mote_region seed = {.per_cell = 1.0 / (MOTE_SURGERY_CELL * g->reach), .arena = arena};
  for (int k = 0; k < 2; ++k) {
    mote_surgery_side *s = &g->side[k];
    MOTE_TRY(mote_half_edges_create(s->mesh, env->threads, arena, &s->edges, error));
    MOTE_TRY(find_normals(s, arena, error));
  }
  g->twin = mote_arena_take(arena, g->side[1].mesh->vertices, sizeof *g->twin);
  if (g->twin == NULL) return mote_fail_memory(error, g->side[1].mesh->vertices * sizeof *g->twin);
  for (int k = 0; k < 2; ++k) MOTE_TRY(look_at_side(g, k, true, &seed, error));
  g->cell = seed.cell, g->cells = seed.count;
  MOTE_TRY(link_cells(g, &seed, arena, error));
  for (int k = 0; k < 2; ++k) MOTE_TRY(look_at_side(g, k, false, &seed, error));
  return MOTE_OK;
}
