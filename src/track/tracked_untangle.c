// Removes crossings of triangles: the vertices around them are smoothed until none is left. Only triangles
// that moved or crossed are tested, and only against those of the zone around the crossings, until the mesh
// is mended. docs/theory/tracking.md
#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "track/tracked_cross.h"
#include "track/tracked_mesh.h"
#include "track/tuning.inc"

#define SMOOTH_ROUNDS 40   // of smoothing
#define UNTANGLE_TRIALS 6  // of smoothing and mending
#define ZONE_CELL_EDGES 4  // side of the cells of a zone
#define ZONE_CELL_MASK 0x7fffu

// --- Known crossings --------------------------------------------------------------------------------------

// The mesh at the last test: only triangles whose vertices are marked cross others.
typedef struct proof {
  mote_tracked *t;
  mote_arena *arena;
  double *position;  // of the vertices when all were looked at
  uint32_t *origin;  // of the half-edges
  size_t vertices, triangles;
  uint8_t *fresh, *marked;
  size_t crossings;
} proof;

static bool has_moved(const proof *p, uint32_t v) {
  const double *x = mote_tracked_at(p->t, v), *y = p->position + 3 * (size_t)v;
  return v >= p->vertices || x[0] != y[0] || x[1] != y[1] || x[2] != y[2];
}

// Triangles that changed since the last test, or cross others.
static void find_fresh(const proof *p) {
  const uint32_t *now = p->t->edges.origin;
  for (size_t f = 0; f < p->t->edges.triangles; ++f) {
    bool fresh = f >= p->triangles;
    for (size_t h = 3 * f; h < 3 * f + 3 && !fresh && now[h] != MOTE_TRIANGLE_GONE; ++h)
      fresh = now[h] != p->origin[h] || p->marked[now[h]] || has_moved(p, now[h]);
    p->fresh[f] = fresh;
  }
}

// Tests all triangles, or only those that changed since the last test.
static mote_result find_crossings(proof *p, mote_error *error) {
  mote_tracked *t = p->t;
  size_t vertices = t->edges.vertices, triangles = t->edges.triangles;
  bool first = p->position == NULL, more = !first && (vertices > p->vertices || triangles > p->triangles);
  proof old = *p;
  if (first || more) {
    MOTE_TAKE(p->position, p->arena, 3 * vertices, error);
    MOTE_TAKE(p->origin, p->arena, 3 * triangles, error);
    MOTE_TAKE(p->fresh, p->arena, triangles, error);
    MOTE_TAKE(p->marked, p->arena, vertices, error);
  }
  old.fresh = p->fresh;
  if (!first) find_fresh(&old);
  memset(p->marked, 0, vertices);
  mote_mesh mesh = mote_tracked_rows(t);
  MOTE_TRY(mote_cross_mark(&mesh, t->def.edge, first ? NULL : p->fresh, t->env.threads, p->arena, p->marked,
                           &p->crossings, error));
  memcpy(p->position, t->position, 3 * vertices * sizeof *p->position);
  memcpy(p->origin, t->edges.origin, 3 * triangles * sizeof *p->origin);
  p->vertices = vertices, p->triangles = triangles;
  return MOTE_OK;
}

// --- The zone about crossings -----------------------------------------------------------------------------

// A set of cells, with all triangles that overlap them.
typedef struct zone {
  proof *p;
  uint8_t *cell;  // by hash: is in the zone
  mote_mesh_cells cells;
  uint32_t *triangle;  // 3 vertices each
  uint8_t *fresh;      // of these triangles
  size_t triangles;
  uint32_t *list;  // vertices that are evened; of each vertex, whether it is one
  uint8_t *listed;
  size_t count;
  double *moved;  // of the list
} zone;

typedef enum cell_use { CELLS_TAKE, CELLS_ANY, CELLS_ALL } cell_use;

// The cells of a triangle and `rim` cells around them: adds them to the zone, or returns whether any or
// all are in it.
static bool visit_cells(const zone *z, const uint32_t v[3], int32_t rim, cell_use use) {
  const double *x = z->p->t->position, *a = x + 3 * (size_t)v[0], *b = x + 3 * (size_t)v[1],
               *c = x + 3 * (size_t)v[2];
  int32_t low[3], high[3];
  bool any = false, all = true;
  for (int k = 0; k < 3; ++k) {
    low[k] = mote_mesh_cell(&z->cells, min2(a[k], min2(b[k], c[k])), k) - rim;
    high[k] = mote_mesh_cell(&z->cells, max2(a[k], max2(b[k], c[k])), k) + rim;
  }
  for (int32_t i = low[2]; i <= high[2]; ++i) {
    for (int32_t j = low[1]; j <= high[1]; ++j) {
      for (int32_t k = low[0]; k <= high[0]; ++k) {
        uint32_t key = (uint32_t)k * 73856093u ^ (uint32_t)j * 19349663u ^ (uint32_t)i * 83492791u;
        uint8_t *cell = &z->cell[(key ^ key >> 15) & ZONE_CELL_MASK];
        if (use == CELLS_TAKE) *cell = 1;
        any |= *cell != 0, all &= *cell != 0;
      }
    }
  }
  return use == CELLS_ALL ? all : any;
}

// Lists the marked vertices among these, or among all, and `rings` rings of their neighbours.
static void list_vertices(zone *z, const uint32_t *vertex, size_t vertices, int rings) {
  const mote_half_edges *e = &z->p->t->edges;
  for (size_t i = 0; i < z->count; ++i) z->listed[z->list[i]] = 0;
  z->count = 0;
  for (size_t i = 0; i < vertices; ++i) {
    uint32_t v = vertex == NULL ? (uint32_t)i : vertex[i];
    if (z->p->marked[v] && !z->listed[v]) z->listed[v] = 1, z->list[z->count++] = v;
  }
  for (size_t begin = 0, end; rings > 0; --rings, begin = end) {
    end = z->count;
    for (size_t i = begin; i < end; ++i) {
      uint32_t h = e->first[z->list[i]];
      do {
        uint32_t v = mote_edge_end(e, h);
        if (!z->listed[v]) z->listed[v] = 1, z->list[z->count++] = v;
        h = mote_edge_around(e, h);
      } while (h != e->first[z->list[i]]);
    }
  }
}

// Moves the listed vertices by a fraction of the distance to the mean of their neighbours.
static void smooth(const zone *z) {
  const mote_half_edges *e = &z->p->t->edges;
  for (size_t i = 0; i < z->count; ++i) {
    double *to = z->moved + 3 * i, mean[3] = {0.0, 0.0, 0.0};
    uint32_t first = e->first[z->list[i]], h = first;
    int n = 0;
    copy3(mote_tracked_at(z->p->t, z->list[i]), to);
    do {
      step3(mean, 1.0, mote_tracked_at(z->p->t, mote_edge_end(e, h)), mean);
      ++n, h = mote_edge_around(e, h);
    } while (h != first);
    for (int k = 0; k < 3; ++k) to[k] += SMOOTH_SHARE * (mean[k] / n - to[k]);
  }
  for (size_t i = 0; i < z->count; ++i) copy3(z->moved + 3 * i, mote_tracked_at(z->p->t, z->list[i]));
}

// Whether the cells of all triangles of listed vertices are in the zone.
static bool visit_listed(const zone *z, int32_t rim, cell_use use) {
  const mote_half_edges *e = &z->p->t->edges;
  bool all = true;
  for (size_t i = 0; i < z->count; ++i) {
    uint32_t first = e->first[z->list[i]], h = first;
    do {
      all &= visit_cells(z, e->origin + 3 * (size_t)(h / 3), rim, use);
      h = mote_edge_around(e, h);
    } while (h != first);
  }
  return all;
}

// The triangles around the marked vertices, and in `rings` further rings.
static mote_result make_zone(zone *z, int rings, mote_error *error) {
  mote_tracked *t = z->p->t;
  mote_arena *arena = z->p->arena;
  size_t vertices = t->edges.vertices, triangles = t->edges.triangles;
  mote_mesh mesh = mote_tracked_rows(t);
  MOTE_TRY(mote_mesh_cells_make(&mesh, 1, ZONE_CELL_EDGES * t->def.edge, &z->cells, error));
  MOTE_TAKE(z->cell, arena, ZONE_CELL_MASK + 1, error);
  MOTE_TAKE(z->triangle, arena, 3 * triangles, error);
  MOTE_TAKE(z->fresh, arena, triangles, error);
  MOTE_TAKE(z->list, arena, vertices, error);
  MOTE_TAKE(z->listed, arena, vertices, error);
  MOTE_TAKE(z->moved, arena, 3 * vertices, error);
  memset(z->cell, 0, ZONE_CELL_MASK + 1), memset(z->listed, 0, vertices);
  z->count = z->triangles = 0;
  list_vertices(z, NULL, vertices, rings);
  visit_listed(z, 1, CELLS_TAKE);
  for (size_t f = 0; f < triangles; ++f) {
    const uint32_t *v = t->edges.origin + 3 * f;
    if (v[0] == MOTE_TRIANGLE_GONE || !visit_cells(z, v, 0, CELLS_ANY)) continue;
    memcpy(z->triangle + 3 * z->triangles++, v, 3 * sizeof *v);
  }
  return MOTE_OK;
}

// Tests the triangles of the zone; those of listed vertices have changed.
static mote_result find_zone_crossings(const zone *z, mote_error *error) {
  proof *p = z->p;
  mote_mesh mesh = {p->t->position, z->triangle, p->t->edges.vertices, z->triangles};
  for (size_t f = 0; f < z->triangles; ++f) {
    const uint32_t *v = z->triangle + 3 * f;
    z->fresh[f] = z->listed[v[0]] || z->listed[v[1]] || z->listed[v[2]];
  }
  for (size_t i = 0; i < 3 * z->triangles; ++i) p->marked[z->triangle[i]] = 0;
  return mote_cross_mark(&mesh, p->t->def.edge, z->fresh, p->t->env.threads, p->arena, p->marked,
                         &p->crossings, error);
}

// --- Untangling -------------------------------------------------------------------------------------------

// Smooths marked vertices, and `rings` rings around them, until no triangles cross.
static mote_result smooth_crossings(proof *p, int rings, mote_error *error) {
  zone z = {.p = p};
  bool covered = false;
  for (int round = 0; round < SMOOTH_ROUNDS && p->crossings > 0; ++round) {
    if (!covered) MOTE_TRY(make_zone(&z, rings, error));
    list_vertices(&z, z.triangle, 3 * z.triangles, rings);
    smooth(&z);
    covered = visit_listed(&z, 0, CELLS_ALL);
    MOTE_TRY(covered ? find_zone_crossings(&z, error) : find_crossings(p, error));
  }
  return MOTE_OK;
}

static mote_result untangle(proof *p, mote_error *error) {
  if (p->t->edges.triangles > 0) MOTE_TRY(find_crossings(p, error));
  for (int trial = 0; p->crossings > 0 && trial < UNTANGLE_TRIALS; ++trial) {
    mote_arena_mark mark = mote_arena_here(p->arena);
    MOTE_TRY(smooth_crossings(p, trial + 1, error));
    mote_arena_release(p->arena, mark);
    // Smoothing leaves thin triangles; improving these may cause new crossings.
    MOTE_TRY(mote_tracked_improve(p->t, NULL, error));
    MOTE_TRY(find_crossings(p, error));
  }
  return MOTE_OK;
}

mote_result mote_tracked_untangle(mote_tracked *t, size_t *crossings, mote_error *error) {
  if (t == NULL || crossings == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "tracked and crossings must not be NULL");
  mote_arena arena = mote_arena_make(&t->env);
  proof p = {.t = t, .arena = &arena};
  mote_result result = untangle(&p, error);
  mote_arena_destroy(&arena);
  *crossings = p.crossings;
#ifdef MOTE_ASSERTS
  size_t all = 0;  // debug builds test all triangles
  if (result == MOTE_OK) result = mote_tracked_crossings(t, &all, error);
  MOTE_ASSERT(result != MOTE_OK || (all > 0) == (*crossings > 0));
#endif
  return result;
}
