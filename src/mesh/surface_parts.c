// Parts of a surface, and dropping the small ones.
#include "mesh/surface_parts.h"

#include "base/sets.h"
#include "geom/triple.h"
#include "mesh/surface_rows.h"

// Sets of vertices, named by their lowest, which is met first.
size_t mote_surface_parts(const mote_mesh *mesh, uint32_t *part) {
  MOTE_ASSERT(part != NULL || mesh->vertices == 0);
  size_t parts = 0;
  for (uint32_t v = 0; v < mesh->vertices; ++v) part[v] = v;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    for (int k = 1; k < 3; ++k) {
      mote_set_join(part, mesh->triangle[3 * t], mesh->triangle[3 * t + k]);
    }
  }
  for (uint32_t v = 0; v < mesh->vertices; ++v) part[v] = mote_set_root(part, v);
  for (uint32_t v = 0; v < mesh->vertices; ++v) part[v] = part[v] == v ? (uint32_t)parts++ : part[part[v]];
  return parts;
}

// Volumes seen from the first vertex of each part, so that far worlds lose nothing.
static void measure_parts(const mote_mesh *mesh, const uint32_t *part, size_t parts, uint32_t *first,
                          double *volume) {
  for (size_t p = 0; p < parts; ++p) volume[p] = 0.0;
  for (size_t v = mesh->vertices; v-- > 0;) first[part[v]] = (uint32_t)v;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *corner = mesh->triangle + 3 * t;
    uint32_t p = part[corner[0]];
    double x[3][3], n[3];
    for (int k = 0; k < 3; ++k) {
      sub3(mesh->vertex + 3 * (size_t)corner[k], mesh->vertex + 3 * (size_t)first[p], x[k]);
    }
    cross3(x[1], x[2], n);
    volume[p] += dot3(x[0], n) / 6.0;
  }
}

mote_result mote_surface_keep_parts(mote_surface *surface, const uint32_t *part, const bool *stays,
                                    mote_arena *arena, const mote_env *env, mote_error *error) {
  MOTE_ASSERT((part != NULL && stays != NULL) || surface->mesh.vertices == 0);
  MOTE_ASSERT(arena != NULL && env != NULL);
  const mote_mesh *mesh = &surface->mesh;
  size_t vertices = 0, triangles = 0;
  for (size_t v = 0; v < mesh->vertices; ++v) vertices += stays[part[v]];
  if (vertices == mesh->vertices) return MOTE_OK;
  vertices = 0;
  MOTE_TAKE_NEW(uint32_t, number, arena, mesh->vertices, error);
  MOTE_TAKE_NEW(uint32_t, triangle, arena, 3 * mesh->triangles, error);
  for (size_t v = 0; v < mesh->vertices; ++v) {
    number[v] = stays[part[v]] ? (uint32_t)vertices++ : MOTE_ROW_GONE;
  }
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *corner = mesh->triangle + 3 * t;
    if (number[corner[0]] == MOTE_ROW_GONE) continue;
    for (int k = 0; k < 3; ++k) triangle[3 * triangles + k] = corner[k];
    ++triangles;
  }
  mote_surface made;
  MOTE_TRY(mote_surface_select(surface, number, vertices, triangle, triangles, env, &made, error));
  mote_surface_replace(surface, &made, env);
  return MOTE_OK;
}

// A hollow is a part with a negative volume: it is removed, and so filled, by its own size. Parts inside of a
// removed part are smaller and are removed with it.
static mote_result drop(mote_surface *surface, double volume, mote_arena *arena, const mote_env *env,
                        mote_error *error) {
  size_t n = surface->mesh.vertices;
  MOTE_TAKE_NEW(uint32_t, part, arena, n, error);
  size_t parts = mote_surface_parts(&surface->mesh, part);
  MOTE_TAKE_NEW(uint32_t, first, arena, parts, error);
  MOTE_TAKE_NEW(double, size, arena, parts, error);
  MOTE_TAKE_NEW(bool, stays, arena, parts, error);
  measure_parts(&surface->mesh, part, parts, first, size);
  for (size_t p = 0; p < parts; ++p) stays[p] = fabs(size[p]) >= volume;
  return mote_surface_keep_parts(surface, part, stays, arena, env, error);
}

mote_result mote_surface_drop_parts(mote_surface *surface, double volume, const mote_env *env,
                                    mote_error *error) {
  MOTE_TRY(mote_surface_check(surface, error));
  if (!(volume >= 0.0)) return mote_fail(error, MOTE_ERROR_ARGUMENT, "a volume of at least 0 is needed");
  mote_env resolved = mote_env_resolve(env);
  mote_arena arena = mote_arena_make(&resolved);
  mote_result result = drop(surface, volume, &arena, &resolved, error);
  mote_arena_destroy(&arena);
  return result;
}
