// Operations of cleaning that would make triangles cross: see clean_cross.h.
#include "mesh/clean_cross.h"

#include <math.h>
#include <string.h>

#include "geom/tri_cross.h"
#include "geom/triple.h"

#define NEW_MOST 34  // triangles about a vertex, and two

typedef struct box {
  double low[3], high[3];
} box;

static box box_of(const double *position, const uint32_t v[3]) {
  box b;
  for (int a = 0; a < 3; ++a) {
    double x = position[3 * (size_t)v[0] + (size_t)a], y = position[3 * (size_t)v[1] + (size_t)a],
           z = position[3 * (size_t)v[2] + (size_t)a];
    b.low[a] = min2(x, min2(y, z)), b.high[a] = max2(x, max2(y, z));
  }
  return b;
}

static bool overlap(const box *a, const box *b) {
  return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
         b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static size_t hash_of(const mote_clean_cells *c, const int64_t at[3]) {
  uint64_t h = (uint64_t)at[0] * 0x9e3779b97f4a7c15u ^ (uint64_t)at[1] * 0xc2b2ae3d27d4eb4fu ^
               (uint64_t)at[2] * 0x165667b19e3779f9u;
  return (size_t)(h ^ h >> 29) & c->mask;
}

static void cells_of(const mote_clean_cells *c, const box *b, int64_t low[3], int64_t high[3]) {
  for (int a = 0; a < 3; ++a) {
    low[a] = (int64_t)floor(b->low[a] * c->per_cell);
    high[a] = (int64_t)floor(b->high[a] * c->per_cell);
  }
}

// --- Entering ---------------------------------------------------------------------------------------------

static bool grow(mote_clean_cells *c) {
  size_t capacity = 2 * c->capacity;
  mote_clean_entry *entry = mote_arena_take(c->arena, capacity, sizeof *entry);
  if (entry == NULL || capacity >= UINT32_MAX) return false;
  memcpy(entry, c->entry, c->entries * sizeof *entry);
  c->entry = entry, c->capacity = capacity;
  return true;
}

static bool enter(mote_clean_cells *c, const double *position, const uint32_t v[3], uint32_t triangle) {
  box b = box_of(position, v);
  int64_t low[3], high[3], at[3];
  cells_of(c, &b, low, high);
  for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
    for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
      for (at[0] = low[0]; at[0] <= high[0]; ++at[0]) {
        if (c->entries == c->capacity && !grow(c)) return false;
        uint32_t *head = &c->head[hash_of(c, at)];
        c->entry[c->entries] = (mote_clean_entry){triangle, *head};
        *head = (uint32_t)++c->entries;
      }
  return true;
}

mote_result mote_clean_cells_make(const mote_half_edges *edges, const double *position, mote_arena *arena,
                                  mote_clean_cells *out, mote_error *error) {
  size_t n = edges->triangles, values = 1024;
  double sum = 0.0, size = 0.0;
  for (size_t t = 0; t < n; ++t) {
    box b = box_of(position, edges->origin + 3 * t);
    for (int a = 0; a < 3; ++a) {
      sum += b.high[a] - b.low[a];
      size = max2(size, max2(fabs(b.low[a]), fabs(b.high[a])));
    }
  }
  while (values < 2 * n) values *= 2;
  // A third of the sum is the mean extent; far from the origin cells are no smaller than numbers tell apart.
  double cell = n > 0 ? max2(2.0 * sum / (3.0 * (double)n), 1e-12 * size) : 1.0;
  *out = (mote_clean_cells){.per_cell = cell > 0.0 ? 1.0 / cell : 1.0,
                            .head = mote_arena_take(arena, values, sizeof *out->head),
                            .mask = values - 1,
                            .entry = mote_arena_take(arena, 8 * n + 64, sizeof *out->entry),
                            .capacity = 8 * n + 64,
                            .arena = arena,
                            .stamp = mote_arena_take(arena, n, sizeof *out->stamp)};
  bool ok = out->head != NULL && out->entry != NULL && out->stamp != NULL;
  if (ok) memset(out->head, 0, values * sizeof *out->head);
  for (size_t t = 0; ok && t < n; ++t) {
    out->stamp[t] = 0;
    ok = enter(out, position, edges->origin + 3 * t, (uint32_t)t);
  }
  return ok ? MOTE_OK : mote_fail_memory(error, 8 * n * sizeof *out->entry);
}

bool mote_clean_cells_enter(mote_clean_cells *cells, const mote_half_edges *edges, const double *position,
                            uint32_t v) {
  uint32_t first = edges->first[v], h = first;
  if (h == MOTE_NO_EDGE) return true;
  do {
    if (!enter(cells, position, edges->origin + 3 * (size_t)(h / 3), h / 3)) return false;
    h = mote_edge_around(edges, h);
  } while (h != first);
  return true;
}

// --- Asking -----------------------------------------------------------------------------------------------

// What an operation would make, and which triangles it takes the place of.
typedef struct change {
  uint32_t made[NEW_MOST][3];
  int count;
  uint32_t gone[NEW_MOST];
  int changed;
} change;

static void take_ring(const mote_half_edges *e, uint32_t h, uint32_t becomes, change *out) {
  uint32_t at = h, own = e->origin[h];
  do {
    const uint32_t *v = e->origin + 3 * (size_t)(at / 3);
    out->gone[out->changed++] = at / 3;
    bool vanishes = becomes != own && (v[0] == becomes || v[1] == becomes || v[2] == becomes);
    for (int k = 0; k < 3 && !vanishes; ++k) out->made[out->count][k] = v[k] == own ? becomes : v[k];
    out->count += !vanishes;
    at = mote_edge_around(e, at);
  } while (at != h && out->changed < NEW_MOST);
}

static change change_of(const mote_edge_op *op, const mote_half_edges *e) {
  change c = {.count = 0};
  uint32_t h = op->edge, g = e->twin[h];
  if (op->kind == MOTE_EDGE_FLIP) {
    uint32_t a = e->origin[h], b = e->origin[g], left = e->origin[mote_edge_previous(h)],
             right = e->origin[mote_edge_previous(g)];
    const uint32_t made[2][3] = {{a, right, left}, {b, left, right}};
    memcpy(c.made, made, sizeof made);
    c.count = c.changed = 2;
    c.gone[0] = h / 3, c.gone[1] = g / 3;
  } else {
    take_ring(e, h, op->kind == MOTE_EDGE_COLLAPSE ? e->origin[g] : e->origin[h], &c);
  }
  return c;
}

// Whether the two triangles cross, by their corners.
static bool cross(double *position, const uint32_t s[3], const uint32_t t[3]) {
  uint32_t both[6];
  memcpy(both, s, 3 * sizeof *both), memcpy(both + 3, t, 3 * sizeof *both);
  const mote_mesh mesh = {.vertex = position, .triangle = both, .triangles = 2};
  return mote_triangles_cross(&mesh, 0, 1);
}

static bool crosses_near(mote_clean_cells *cells, const mote_half_edges *e, double *position,
                         const uint32_t v[3]) {
  box own = box_of(position, v);
  int64_t low[3], high[3], at[3];
  cells_of(cells, &own, low, high);
  for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
    for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
      for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
        for (uint32_t k = cells->head[hash_of(cells, at)]; k != 0; k = cells->entry[k - 1].next) {
          uint32_t t = cells->entry[k - 1].triangle;
          if (cells->stamp[t] == cells->query || mote_triangle_is_gone(e, t)) continue;
          const uint32_t *other = e->origin + 3 * (size_t)t;
          box b = box_of(position, other);
          if (overlap(&own, &b) && cross(position, v, other)) return true;
        }
  return false;
}

bool mote_clean_crosses(mote_clean_cells *cells, const mote_edge_op *op, const mote_half_edges *edges,
                        double *position) {
  change c = change_of(op, edges);
  double *x = position + 3 * (size_t)edges->origin[op->edge], kept[3];
  copy3(x, kept);
  if (op->kind == MOTE_EDGE_MOVE) copy3(op->to, x);
  if (op->kind == MOTE_EDGE_SLIDE) {
    const double *p = position + 3 * (size_t)mote_edge_end(edges, op->side),
                 *q = position + 3 * (size_t)edges->origin[mote_edge_previous(op->side)];
    for (int a = 0; a < 3; ++a) x[a] = op->weight[0] * kept[a] + op->weight[1] * p[a] + op->weight[2] * q[a];
  }
  ++cells->query;
  for (int k = 0; k < c.changed; ++k) cells->stamp[c.gone[k]] = cells->query;
  bool found = false;
  for (int k = 0; k < c.count && !found; ++k) {
    for (int m = 0; m < k && !found; ++m) found = cross(position, c.made[k], c.made[m]);
    found = found || crosses_near(cells, edges, position, c.made[k]);
  }
  copy3(kept, x);
  return found;
}
