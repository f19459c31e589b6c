// The public fragments of a shape: see mote/fragments.h.
#include <math.h>
#include <mote/fragments.h>

#include "base/memory.h"
#include "geom/triple.h"
#include "mesh/cut_mesh.h"

#define DEFAULT_EDGES 64.0  // along the longest side of the bounds

struct mote_fragments {
  mote_env env;
  const mote_shape *shape;
  size_t least_nodes;
  mote_cut_grid *grid;
  mote_cut_mesh cut;
};

mote_fragments_def mote_fragments_def_default(void) {
  return (mote_fragments_def){.least_nodes = 8};
}

static double distance_to(void *user, const double x[3]) {
  return mote_shape_distance(user, x);
}

static mote_result renew(mote_fragments *f, mote_error *error) {
  MOTE_TRY(mote_cut_grid_divide(f->grid, f->least_nodes, NULL, 0, error));
  return mote_cut_mesh_make(f->grid, &f->cut, error);
}

static mote_result make(mote_fragments *f, const mote_fragments_def *def, mote_error *error) {
  mote_cut_grid_def grid = {.distance = distance_to, .edge = def->edge};
  double longest = 0.0;
  // The callback's user is not const; it only reads.
  grid.user = (void *)(uintptr_t)def->shape;
  mote_shape_bounds(def->shape, grid.low, grid.high);
  for (int k = 0; k < 3; ++k) longest = max2(longest, grid.high[k] - grid.low[k]);
  if (!isfinite(longest)) return mote_fail_key(error, "shape", "has no bounds");
  if (grid.edge == 0.0) grid.edge = longest / DEFAULT_EDGES;
  MOTE_TRY(mote_cut_grid_create(&grid, &f->env, &f->grid, error));
  return renew(f, error);
}

mote_result mote_fragments_create(const mote_fragments_def *def, const mote_env *env, mote_fragments **out,
                                  mote_error *error) {
  if (def == NULL || out == NULL || def->shape == NULL)
    return mote_fail_key(error, def == NULL ? "def" : out == NULL ? "out" : "shape", "is null");
  mote_env resolved = mote_env_resolve(env);
  mote_fragments *f = mote_alloc(&resolved, 1, sizeof *f);
  if (f == NULL) return mote_fail_memory(error, sizeof *f);
  *f = (mote_fragments){.env = resolved, .shape = def->shape, .least_nodes = def->least_nodes};
  mote_result result = make(f, def, error);
  if (result == MOTE_OK) {
    *out = f;
  } else {
    mote_fragments_destroy(f);
  }
  return result;
}

void mote_fragments_destroy(mote_fragments *fragments) {
  if (fragments == NULL) return;
  mote_env env = fragments->env;
  mote_cut_mesh_free(&fragments->cut, &env);
  mote_cut_grid_destroy(fragments->grid);
  mote_free(&env, fragments, 1, sizeof *fragments);
}

mote_result mote_fragments_cut(mote_fragments *fragments, const double *corner, size_t triangles,
                               mote_error *error) {
  if (fragments == NULL || (corner == NULL && triangles > 0))
    return mote_fail_key(error, fragments == NULL ? "fragments" : "corner", "is null");
  MOTE_TRY(mote_cut_grid_add(fragments->grid, corner, triangles, error));
  return renew(fragments, error);
}

mote_fragments_view mote_fragments_look(const mote_fragments *fragments) {
  if (fragments == NULL) return (mote_fragments_view){.fragments = 0};
  const mote_cut_mesh *cut = &fragments->cut;
  return (mote_fragments_view){cut->mesh, cut->fragment, cut->wall, fragments->grid->fragments};
}

mote_result mote_fragments_take(const mote_fragments *fragments, uint32_t fragment, const mote_env *env,
                                mote_mesh *out, mote_error *error) {
  if (fragments == NULL || out == NULL)
    return mote_fail_key(error, fragments == NULL ? "fragments" : "out", "is null");
  if (fragment >= fragments->grid->fragments)
    return mote_fail_key(error, "fragment", "is %u of %zu", fragment, fragments->grid->fragments);
  return mote_cut_mesh_take(&fragments->cut, fragment, env, out, error);
}
