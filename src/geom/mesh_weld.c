// Welding vertices and flipping flat triangles: see mesh_weld.h.
#include "geom/mesh_weld.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sets.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_parts.h"
#include "geom/point_cells.h"
#include "geom/triple.h"

#define FLIP_ROUNDS 32  // of flips; rows of flat triangles take one each

typedef struct vertex_position {
  double x[3];
  uint32_t vertex;
} vertex_position;

static int compare_positions(const void *left, const void *right) {
  const vertex_position *a = left, *b = right;
  for (int k = 0; k < 3; ++k) {
    if (a->x[k] != b->x[k]) return a->x[k] < b->x[k] ? -1 : 1;
  }
  return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static bool same_position(const vertex_position *a, const vertex_position *b) {
  return a->x[0] == b->x[0] && a->x[1] == b->x[1] && a->x[2] == b->x[2];
}

// For each vertex the first one at its position.
static mote_result find_firsts(const mote_mesh *mesh, const mote_env *env, uint32_t *first,
                               mote_error *error) {
  MOTE_ALLOC_NEW(vertex_position, positions, env, mesh->vertices, error);
  for (size_t v = 0; v < mesh->vertices; ++v) {
    copy3(mesh->vertex + 3 * v, positions[v].x);
    positions[v].vertex = (uint32_t)v;
  }
  qsort(positions, mesh->vertices, sizeof *positions, compare_positions);
  for (size_t k = 0, begin = 0; k < mesh->vertices; ++k) {
    if (!same_position(positions + k, positions + begin)) begin = k;
    first[positions[k].vertex] = positions[begin].vertex;
  }
  mote_free(env, positions, mesh->vertices, sizeof *positions);
  return MOTE_OK;
}

enum { NEAR_MOST = 64 };  // vertices that are welded to one at once

// first: UINT32_MAX for vertices that are left alone.
static void join_near(const mote_mesh *mesh, double tolerance, mote_point_cells *cells, uint32_t *first) {
  uint32_t near[NEAR_MOST];
  mote_point_cells_clear(cells, mesh->vertex);
  for (uint32_t v = 0; v < mesh->vertices; ++v) {
    bool rim = first[v] != UINT32_MAX;
    first[v] = v;
    if (!rim) continue;
    size_t found = mote_point_cells_near(cells, mesh->vertex + 3 * (size_t)v, tolerance, near, NEAR_MOST);
    for (size_t k = 0; k < found; ++k) mote_set_join(first, v, near[k]);
    mote_point_cells_add(cells, v);
  }
  for (uint32_t v = 0; v < mesh->vertices; ++v) first[v] = mote_set_root(first, v);
}

// Vertices of open edges have as first the lowest of those that are nearer than the tolerance, from one to
// the next; all others are their own.
static mote_result find_rim_firsts(const mote_mesh *mesh, double tolerance, const mote_env *env,
                                   uint32_t *first, mote_error *error) {
  mote_mesh_edges edges;
  mote_point_cells cells = {0};
  MOTE_TRY(mote_mesh_edges_create(mesh, env, &edges, error));
  mote_result result = mote_point_cells_create(env, mesh->vertices, tolerance, 3, &cells, error);
  if (result == MOTE_OK) {
    for (size_t v = 0; v < mesh->vertices; ++v) first[v] = UINT32_MAX;
    for (size_t e = 0, run; e < edges.count; e += run) {
      run = mote_mesh_edges_run(&edges, e);
      if (run == 1) first[edges.edge[e].low] = first[edges.edge[e].high] = 0;
    }
    join_near(mesh, tolerance, &cells, first);
    mote_point_cells_destroy(&cells);
  }
  mote_mesh_edges_destroy(&edges);
  return result;
}

// Takes over the triangles; number: of vertices in the new mesh, UINT32_MAX while they have none.
static void copy_welded(const mote_mesh *mesh, const uint32_t *first, uint32_t *number, mote_mesh *out) {
  for (size_t v = 0; v < mesh->vertices; ++v) number[v] = UINT32_MAX;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    uint32_t v[3];
    for (int k = 0; k < 3; ++k) v[k] = first[mesh->triangle[3 * t + k]];
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    for (int k = 0; k < 3; ++k) {
      if (number[v[k]] == UINT32_MAX) {
        copy3(mesh->vertex + 3 * (size_t)v[k], out->vertex + 3 * out->vertices);
        number[v[k]] = (uint32_t)out->vertices++;
      }
      out->triangle[3 * out->triangles + k] = number[v[k]];
    }
    ++out->triangles;
  }
}

// Blocks of exactly the final sizes, because mote_mesh_free knows only those.
static mote_result shrink(const mote_env *env, mote_mesh *mesh, size_t vertices, size_t triangles,
                          mote_error *error) {
  mote_mesh small = {.vertex = mote_alloc(env, mesh->vertices, 3 * sizeof(double)),
                     .triangle = mote_alloc(env, mesh->triangles, 3 * sizeof(uint32_t)),
                     .vertices = mesh->vertices,
                     .triangles = mesh->triangles};
  bool ok = small.vertex && small.triangle;
  for (size_t k = 0; ok && k < 3 * small.vertices; ++k) small.vertex[k] = mesh->vertex[k];
  for (size_t k = 0; ok && k < 3 * small.triangles; ++k) small.triangle[k] = mesh->triangle[k];
  mote_free(env, mesh->vertex, vertices, 3 * sizeof(double));
  mote_free(env, mesh->triangle, triangles, 3 * sizeof(uint32_t));
  *mesh = small;
  if (ok) return MOTE_OK;
  mote_mesh_free(mesh, env);
  return mote_fail_memory(error, vertices * 3 * sizeof(double));
}

// rims: within this of each other only vertices of open edges are merged; 0: all that are at the same place.
static mote_result weld(const mote_mesh *mesh, double rims, const mote_env *env, mote_mesh *out,
                        mote_error *error) {
  size_t n = mesh->vertices;
  uint32_t *first = mote_alloc(env, n, 2 * sizeof *first);
  mote_mesh welded = {.vertex = mote_alloc(env, n, 3 * sizeof(double)),
                      .triangle = mote_alloc(env, mesh->triangles, 3 * sizeof(uint32_t))};
  mote_result result =
      first && welded.vertex && welded.triangle ? MOTE_OK : mote_fail_memory(error, n * 3 * sizeof(double));
  if (!result) {
    result =
        rims > 0.0 ? find_rim_firsts(mesh, rims, env, first, error) : find_firsts(mesh, env, first, error);
  }
  if (!result) {
    copy_welded(mesh, first, first + n, &welded);
    result = shrink(env, &welded, n, mesh->triangles, error);
    if (!result) *out = welded;
  } else {
    mote_free(env, welded.vertex, n, 3 * sizeof(double));
    mote_free(env, welded.triangle, mesh->triangles, 3 * sizeof(uint32_t));
  }
  mote_free(env, first, n, 2 * sizeof *first);
  return result;
}

mote_result mote_mesh_weld(const mote_mesh *mesh, const mote_env *env, mote_mesh *out, mote_error *error) {
  MOTE_ASSERT(env != NULL && out != NULL && out != mesh);
  return weld(mesh, 0.0, env, out, error);
}

mote_result mote_mesh_weld_rims(const mote_mesh *mesh, double tolerance, const mote_env *env, mote_mesh *out,
                                mote_error *error) {
  MOTE_ASSERT(env != NULL && out != NULL && out != mesh);
  MOTE_ASSERT(tolerance > 0.0);
  return weld(mesh, tolerance, env, out, error);
}

// --- Flat triangles ----------------------------------------------------------------------------------------

static int longest_side(const mote_mesh *mesh, size_t t) {
  const uint32_t *v = mesh->triangle + 3 * t;
  double length[3];
  int side = 0;
  for (int k = 0; k < 3; ++k) {
    length[k] = distance3(mesh->vertex + 3 * (size_t)v[k], mesh->vertex + 3 * (size_t)v[(k + 1) % 3]);
    if (length[k] > length[side]) side = k;
  }
  return side;
}

// (a, b, c) with b on the side c a, and its neighbour (a, c, x) become (a, b, x) and (b, c, x).
static bool flip(mote_mesh *mesh, uint32_t t, int side, const mote_mesh_edge *neighbour) {
  uint32_t *v = mesh->triangle + 3 * (size_t)t, *w = mesh->triangle + 3 * (size_t)neighbour->triangle;
  uint32_t c = v[side], a = v[(side + 1) % 3], b = v[(side + 2) % 3];
  uint32_t from = w[neighbour->side], x = w[(neighbour->side + 2) % 3];
  if (x == b || from != a) return false;
  v[0] = a, v[1] = b, v[2] = x;
  w[0] = b, w[1] = c, w[2] = x;
  return true;
}

// Every triangle takes part in one flip of a round at most, since the edges are those before it.
static bool flip_round(mote_mesh *mesh, const mote_mesh_edges *edges, bool *touched) {
  bool changed = false;
  double area;
  for (size_t t = 0; t < mesh->triangles; ++t) touched[t] = false;
  for (size_t first = 0, run; first < edges->count; first += run) {
    run = mote_mesh_edges_run(edges, first);
    const mote_mesh_edge *e = edges->edge + first;
    for (int k = 0; k < 2 && run == 2 && !touched[e[0].triangle] && !touched[e[1].triangle]; ++k) {
      uint32_t t = e[k].triangle;
      if (!mote_mesh_is_flat(mesh, t, &area) || longest_side(mesh, t) != e[k].side) continue;
      if (!flip(mesh, t, e[k].side, e + (1 - k))) continue;
      touched[e[0].triangle] = touched[e[1].triangle] = changed = true;
    }
  }
  return changed;
}

mote_result mote_mesh_flip_flat(mote_mesh *mesh, const mote_env *env, mote_error *error) {
  MOTE_ASSERT(env != NULL);
  MOTE_ASSERT(mesh->triangle != NULL || mesh->triangles == 0);
  bool *touched = mote_alloc(env, mesh->triangles, sizeof *touched), changed = true;
  mote_result result = touched ? MOTE_OK : mote_fail_memory(error, mesh->triangles);
  for (int round = 0; round < FLIP_ROUNDS && changed && !result; ++round) {
    mote_mesh_edges edges;
    result = mote_mesh_edges_create(mesh, env, &edges, error);
    if (result) break;
    changed = flip_round(mesh, &edges, touched);
    mote_mesh_edges_destroy(&edges);
  }
  mote_free(env, touched, mesh->triangles, sizeof *touched);
  return result;
}
