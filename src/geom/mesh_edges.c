// Sorted edges: see mesh_edges.h.
#include "geom/mesh_edges.h"

#include <stdlib.h>

#include "base/memory.h"
#include "geom/triple.h"

static int compare_edges(const void *left, const void *right) {
  const mote_mesh_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  if (a->triangle != b->triangle) return a->triangle < b->triangle ? -1 : 1;
  return a->side - b->side;
}

bool mote_mesh_repeats_vertex(const mote_mesh *mesh, size_t triangle) {
  MOTE_ASSERT(triangle < mesh->triangles);
  const uint32_t *v = mesh->triangle + 3 * triangle;
  return v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
}

static void add_edge(const mote_mesh *mesh, uint32_t t, uint8_t side, mote_mesh_edge *edge, uint32_t *end) {
  uint32_t a = mesh->triangle[3 * (size_t)t + side], b = mesh->triangle[3 * (size_t)t + (side + 1) % 3];
  uint32_t low = a < b ? a : b;
  edge[end[low]++] = (mote_mesh_edge){low, a < b ? b : a, t, side, a > b};
}

// First the edges of each lower vertex come to stand together, then these few are sorted: sorting all at once
// takes a copy of them.
static void set_edges(const mote_mesh *mesh, mote_mesh_edges *edges, uint32_t *end) {
  for (size_t v = 0; v <= mesh->vertices; ++v) end[v] = 0;
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    uint32_t a = mesh->triangle[k], b = mesh->triangle[k % 3 == 2 ? k - 2 : k + 1];
    if (!mote_mesh_repeats_vertex(mesh, k / 3)) ++end[(a < b ? a : b) + 1];
  }
  for (size_t v = 0; v < mesh->vertices; ++v) end[v + 1] += end[v];
  edges->count = end[mesh->vertices];
  for (uint32_t t = 0; t < mesh->triangles; ++t) {
    if (mote_mesh_repeats_vertex(mesh, t)) continue;
    for (uint8_t side = 0; side < 3; ++side) add_edge(mesh, t, side, edges->edge, end);
  }
  for (size_t v = 0, begin = 0; v < mesh->vertices; begin = end[v++]) {
    if (end[v] > begin) qsort(edges->edge + begin, end[v] - begin, sizeof *edges->edge, compare_edges);
  }
}

mote_result mote_mesh_edges_create(const mote_mesh *mesh, const mote_env *env, mote_mesh_edges *out,
                                   mote_error *error) {
  MOTE_ASSERT(env != NULL && out != NULL);
  MOTE_ASSERT(mesh->triangle != NULL || mesh->triangles == 0);
  MOTE_ASSERT(mesh->triangles <= UINT32_MAX / 3);
  mote_mesh_edges edges = {.env = *env, .capacity = 3 * mesh->triangles};
  MOTE_ALLOC(edges.edge, env, edges.capacity, error);
  uint32_t *end = mote_alloc(env, mesh->vertices + 1, sizeof *end);
  if (end) set_edges(mesh, &edges, end);
  mote_free(env, end, mesh->vertices + 1, sizeof *end);
  if (!end) mote_mesh_edges_destroy(&edges);
  *out = edges;
  return end ? MOTE_OK : mote_fail_memory(error, mesh->vertices * sizeof *end);
}

void mote_mesh_edges_destroy(mote_mesh_edges *edges) {
  MOTE_ASSERT(edges->count <= edges->capacity);
  mote_free(&edges->env, edges->edge, edges->capacity, sizeof *edges->edge);
  *edges = (mote_mesh_edges){0};
}

size_t mote_mesh_edges_run(const mote_mesh_edges *edges, size_t first) {
  MOTE_ASSERT(first < edges->count);
  const mote_mesh_edge *e = edges->edge + first;
  size_t run = 1;
  while (first + run < edges->count && e[run].low == e->low && e[run].high == e->high) ++run;
  return run;
}

mote_result mote_mesh_check(const mote_mesh *mesh, mote_error *error) {
  if (!mesh || (mesh->vertices && !mesh->vertex) || (mesh->triangles && !mesh->triangle)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh has no arrays");
  }
  if (mesh->vertices >= UINT32_MAX || mesh->triangles >= UINT32_MAX / 3) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh is too large: %zu triangles", mesh->triangles);
  }
  for (size_t v = 0; v < mesh->vertices; ++v) {
    for (int k = 0; k < 3; ++k) {
      if (fabs(mesh->vertex[3 * v + k]) <= 1e100) continue;
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "vertex %zu is not finite, or beyond 1e100", v);
    }
  }
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    if (mesh->triangle[k] < mesh->vertices) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "triangle %zu names vertex %u of %zu", k / 3,
                     (unsigned)mesh->triangle[k], mesh->vertices);
  }
  return MOTE_OK;
}

void mote_mesh_free(mote_mesh *mesh, const mote_env *env) {
  if (!mesh) return;
  mote_env resolved = mote_env_resolve(env);
  mote_free(&resolved, mesh->vertex, mesh->vertices, 3 * sizeof(double));
  mote_free(&resolved, mesh->triangle, mesh->triangles, 3 * sizeof(uint32_t));
  *mesh = (mote_mesh){0};
}
