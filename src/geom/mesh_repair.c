// Making a mesh fit to bound a solid. A clean one takes a way of its own, in which no vertex moves.
#include "base/memory.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_weld.h"
#include "geom/tri_cross.h"

static mote_result is_closed(const mote_mesh *mesh, const mote_env *env, bool *closed, mote_error *error) {
  mote_mesh_edges edges;
  MOTE_TRY(mote_mesh_edges_create(mesh, env, &edges, error));
  *closed = edges.count > 0;
  for (size_t first = 0, run; first < edges.count; first += run) {
    run = mote_mesh_edges_run(&edges, first);
    *closed = *closed && run == 2;
  }
  mote_mesh_edges_destroy(&edges);
  return MOTE_OK;
}

// clean: the mesh is closed, has an outside and does not cross itself.
static mote_result mend_clean(mote_mesh *mesh, const mote_env *env, size_t *turned, bool *clean,
                              mote_error *error) {
  mote_crossings crossings;
  MOTE_TRY(is_closed(mesh, env, clean, error));
  if (!*clean) return MOTE_OK;
  MOTE_TRY(mote_mesh_orient(mesh, env, turned, error));
  MOTE_TRY(mote_mesh_flip_flat(mesh, env, error));
  MOTE_TRY(is_closed(mesh, env, clean, error));
  MOTE_TRY(mote_mesh_crossings(mesh, env, &crossings, error));
  *clean = *clean && crossings.count == 0;
  return MOTE_OK;
}

mote_result mote_mesh_repair(const mote_mesh *mesh, const mote_env *env, mote_mesh *out,
                             mote_mesh_mending *mending, mote_error *error) {
  if (!out) return mote_fail(error, MOTE_ERROR_ARGUMENT, "out must not be NULL");
  MOTE_TRY(mote_mesh_check(mesh, error));
  if (mesh->triangles == 0) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh has no triangles");
  mote_env resolved = mote_env_resolve(env);
  mote_mesh mended;
  mote_mesh_mending done = {.exact = true};
  bool clean = false;
  MOTE_TRY(mote_mesh_weld(mesh, &resolved, &mended, error));
  mote_result result = mend_clean(&mended, &resolved, &done.turned, &clean, error);
  if (result != MOTE_OK || !clean) mote_mesh_free(&mended, &resolved);
  if (result == MOTE_OK && !clean) result = mote_mesh_mend(mesh, &resolved, &mended, &done, error);
  if (result != MOTE_OK) return result;
  if (mending != NULL) *mending = done;
  *out = mended;
  return MOTE_OK;
}
