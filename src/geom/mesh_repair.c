// Making a mesh fit to be an obstacle, or saying why it cannot be.
#include "base/memory.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_weld.h"
#include "geom/tri_cross.h"

// --- What is not clean, in the numbers of the caller's mesh ---------------------------------------------

typedef struct closed_mesh {
  const mote_mesh *original;
  mote_mesh mesh;
  const mote_env *env;
} closed_mesh;

static bool same_place(const double *a, const double *b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static size_t original_vertex(const closed_mesh *m, uint32_t vertex) {
  size_t v = 0;
  while (v + 1 < m->original->vertices &&
         !same_place(m->original->vertex + 3 * v, m->mesh.vertex + 3 * (size_t)vertex)) {
    ++v;
  }
  return v;
}

// Whether all corners of the triangle t are corners of the original triangle s.
static bool same_triangle(const closed_mesh *m, size_t s, size_t t) {
  for (int k = 0; k < 3; ++k) {
    const double *x = m->mesh.vertex + 3 * (size_t)m->mesh.triangle[3 * t + k];
    bool found = false;
    for (int l = 0; l < 3 && !found; ++l) {
      found = same_place(x, m->original->vertex + 3 * (size_t)m->original->triangle[3 * s + l]);
    }
    if (!found) return false;
  }
  return true;
}

static size_t original_triangle(const closed_mesh *m, size_t t, size_t from) {
  size_t s = from;
  while (s + 1 < m->original->triangles && !same_triangle(m, s, t)) ++s;
  return s;
}

static mote_result check_closed(const closed_mesh *m, mote_error *error) {
  mote_mesh_edges edges;
  size_t open = 0, crowded = 0, first_open = 0, first_crowded = 0;
  MOTE_TRY(mote_mesh_edges_create(&m->mesh, m->env, &edges, error));
  for (size_t first = 0, run; first < edges.count; first += run) {
    run = mote_mesh_edges_run(&edges, first);
    if (run == 1 && open++ == 0) first_open = first;
    if (run > 2 && crowded++ == 0) first_crowded = first;
  }
  mote_mesh_edge e = edges.count ? edges.edge[open ? first_open : first_crowded] : (mote_mesh_edge){0};
  mote_mesh_edges_destroy(&edges);
  if (open + crowded == 0) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT,
                   "the mesh is %s: %zu edges have %s, the first from vertex %zu to %zu (counted from 1)",
                   open ? "open" : "not a surface", open ? open : crowded,
                   open ? "one triangle" : "more than two triangles", original_vertex(m, e.low) + 1,
                   original_vertex(m, e.high) + 1);
}

static mote_result check_crossings(const closed_mesh *m, mote_error *error) {
  mote_crossings crossings;
  MOTE_TRY(mote_mesh_crossings(&m->mesh, m->env, &crossings, error));
  if (crossings.count == 0) return MOTE_OK;
  size_t s = original_triangle(m, crossings.first[0], 0), t = original_triangle(m, crossings.first[1], s + 1);
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "triangles %zu and %zu, counted from 1, cross (%zu pairs do)",
                   s + 1, t + 1, crossings.count);
}

// A mesh without faults, or with ones that change no place: vertices at the same place, flat triangles, wrong
// turns.
static mote_result mend_clean(closed_mesh *m, size_t *turned, mote_error *error) {
  if (m->mesh.triangles == 0) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh has no triangles");
  MOTE_TRY(check_closed(m, error));
  MOTE_TRY(mote_mesh_orient(&m->mesh, m->env, turned, error));
  MOTE_TRY(mote_mesh_flip_flat(&m->mesh, m->env, error));
  MOTE_TRY(check_closed(m, error));
  return check_crossings(m, error);
}

static mote_result repair_clean(const mote_mesh *mesh, const mote_env *env, mote_mesh *out,
                                mote_mesh_mending *mending, mote_error *error) {
  closed_mesh m = {.original = mesh, .env = env};
  MOTE_TRY(mote_mesh_weld(mesh, env, &m.mesh, error));
  mote_result result = mend_clean(&m, &mending->turned, error);
  if (result) {
    mote_mesh_free(&m.mesh, env);
    return result;
  }
  mending->exact = true;
  *out = m.mesh;
  return MOTE_OK;
}

mote_result mote_mesh_repair(const mote_mesh *mesh, const mote_env *env, mote_mesh *out,
                             mote_mesh_mending *mending, mote_error *error) {
  if (!out) return mote_fail(error, MOTE_ERROR_ARGUMENT, "out must not be NULL");
  MOTE_TRY(mote_mesh_check(mesh, error));
  mote_env resolved = mote_env_resolve(env);
  mote_error why = {0};
  mote_mesh_mending clean = {0}, other = {0};
  mote_result result = repair_clean(mesh, &resolved, out, &clean, &why);
  bool mend = result == MOTE_ERROR_ARGUMENT && mesh->triangles > 0;
  if (mend) result = mote_mesh_mend(mesh, &resolved, out, &other, &why);
  if (result == MOTE_OK && mending != NULL) *mending = mend ? other : clean;
  if (result != MOTE_OK && error != NULL) *error = why;
  return result;
}
