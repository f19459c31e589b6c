// Half-edges of a mesh: see half_edges.h.
#include "mesh/half_edges.h"

#include <string.h>

#include "base/parallel.h"
#include "geom/mesh_edges.h"

#define CORNERS_PER_TASK 4096

typedef struct linking {
  mote_half_edges *edges;
  const uint32_t *begin;    // of each vertex's half-edges in `leaving`
  const uint32_t *leaving;  // half-edges by origin
} linking;

// Sorts the half-edges by their origins.
static void sort_edges(const mote_half_edges *e, uint32_t *begin, uint32_t *leaving) {
  size_t corners = 3 * e->triangles;
  memset(begin, 0, (e->vertices + 2) * sizeof *begin);
  for (size_t h = 0; h < corners; ++h) ++begin[e->origin[h] + 2];
  for (size_t v = 0; v < e->vertices; ++v) begin[v + 2] += begin[v + 1];
  for (uint32_t h = 0; h < corners; ++h) leaving[begin[e->origin[h] + 1]++] = h;
}

static void link_twins(void *data, size_t from, size_t to, int worker) {
  (void)worker;
  const linking *l = data;
  const mote_half_edges *e = l->edges;
  for (uint32_t h = (uint32_t)from; h < to; ++h) {
    uint32_t a = e->origin[h], b = mote_edge_end(e, h), found = MOTE_NO_EDGE;
    for (uint32_t k = l->begin[b]; k < l->begin[b + 1]; ++k) {
      if (mote_edge_end(e, l->leaving[k]) == a) found = l->leaving[k];
    }
    e->twin[h] = found;
  }
}

// Whether the half-edges of v make one closed fan.
static bool is_fan(const linking *l, uint32_t v) {
  const mote_half_edges *e = l->edges;
  uint32_t count = l->begin[v + 1] - l->begin[v], h = e->first[v], steps = 0;
  if (count < 3) return count == 0;
  do {
    uint32_t twin = e->twin[h], back = e->twin[mote_edge_previous(h)];
    if (twin == MOTE_NO_EDGE || back == MOTE_NO_EDGE || e->twin[twin] != h) return false;
    h = back;
    ++steps;
  } while (h != e->first[v] && steps <= count);
  return steps == count;
}

static mote_result check_fans(const linking *l, mote_error *error) {
  for (uint32_t v = 0; v < l->edges->vertices; ++v) {
    if (is_fan(l, v)) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh is not a closed manifold at vertex %u", v);
  }
  return MOTE_OK;
}

mote_result mote_half_edges_create(const mote_mesh *mesh, int threads, mote_arena *arena,
                                   mote_half_edges *out, mote_error *error) {
  MOTE_ASSERT(arena != NULL && out != NULL);
  MOTE_TRY(mote_mesh_check(mesh, error));
  size_t corners = 3 * mesh->triangles;
  mote_half_edges e = {.vertices = mesh->vertices, .triangles = mesh->triangles};
  MOTE_TAKE(e.origin, arena, corners, error);
  MOTE_TAKE(e.twin, arena, corners, error);
  MOTE_TAKE(e.first, arena, e.vertices, error);
  mote_arena_mark mark = mote_arena_here(arena);
  MOTE_TAKE_NEW(uint32_t, begin, arena, e.vertices + 2, error);
  MOTE_TAKE_NEW(uint32_t, leaving, arena, corners, error);
  if (corners) memcpy(e.origin, mesh->triangle, corners * sizeof *e.origin);
  sort_edges(&e, begin, leaving);
  linking l = {&e, begin, leaving};
  for (size_t v = 0; v < e.vertices; ++v) {
    e.first[v] = begin[v] < begin[v + 1] ? leaving[begin[v]] : MOTE_NO_EDGE;
  }
  mote_parallel_for(threads, corners, CORNERS_PER_TASK, link_twins, &l);
  MOTE_TRY(check_fans(&l, error));
  mote_arena_release(arena, mark);
  *out = e;
  mote_half_edges_check(out);
  return MOTE_OK;
}

#ifdef MOTE_ASSERTS
void mote_half_edges_check_triangle(const mote_half_edges *e, uint32_t t) {
  MOTE_ASSERT(t < e->triangles);
  for (uint32_t h = 3 * t; h < 3 * t + 3; ++h) {
    uint32_t twin = e->twin[h];
    MOTE_ASSERT(e->origin[h] < e->vertices);
    MOTE_ASSERT(twin < 3 * e->triangles);
    MOTE_ASSERT(e->twin[twin] == h);
    MOTE_ASSERT(e->origin[twin] == mote_edge_end(e, h) && e->origin[h] == mote_edge_end(e, twin));
    MOTE_ASSERT(e->origin[h] != e->origin[twin]);
    MOTE_ASSERT(e->first[e->origin[h]] < 3 * e->triangles);
  }
}

void mote_half_edges_check(const mote_half_edges *e) {
  for (uint32_t t = 0; t < e->triangles; ++t) {
    if (e->origin[3 * (size_t)t] < UINT32_MAX) mote_half_edges_check_triangle(e, t);
  }
  for (uint32_t v = 0; v < e->vertices; ++v) {
    MOTE_ASSERT(e->first[v] == MOTE_NO_EDGE || e->first[v] < 3 * e->triangles);
    MOTE_ASSERT(e->first[v] == MOTE_NO_EDGE || e->origin[e->first[v]] == v);
  }
}
#endif
