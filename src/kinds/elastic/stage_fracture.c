// Stage fracture: cracks start and grow by the stresses at the end of the step. Weights cut by them are
// recomputed, and parts that are no longer connected become bodies.
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/fracture_bodies.h"

static mote_result grow(mote_world *world, size_t k, mote_crack_sheets *changed, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture *f = item->fracture;
  mote_crack_report report = {0};
  MOTE_TAKE_NEW(double, stress, &world->scratch, 6 * item->elastic->count, error);
  MOTE_TAKE_NEW(uint8_t, gripped, &world->scratch, item->elastic->count, error);
  MOTE_TRY(mote_fracture_stresses(world, k, stress, error));
  mote_crack_matter matter = mote_fracture_matter(world, k, stress, gripped);
  MOTE_TRY(mote_crack_grow(&f->cracks, &f->law, &matter, world->dt, changed, &report, error));
  return mote_crack_start(&f->cracks, &f->law, &matter, changed, &report, error);
}

// *remake: weights have changed, so solvers and contacts must be rebuilt.
static mote_result break_body(mote_world *world, size_t k, bool *remake, mote_error *error) {
  mote_crack_sheets changed = mote_crack_sheets_make(world->def.dimensions, &world->env);
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  bool weights = false, split = false;
  mote_result result = grow(world, k, &changed, error);
  // Cracks of the scene may separate it before the first step.
  bool first = *mote_state_u64(&world->now, MOTE_WORLD_STEP) == 0;
  if (result == MOTE_OK && (changed.triangles > 0 || first))
    result = mote_fracture_cut(world, k, &changed, &weights, error);
  if (result == MOTE_OK) result = mote_fracture_split(world, k, &split, error);
  if (result == MOTE_OK && (weights || split)) result = mote_fracture_find_frequency(world, k, error);
  *remake = *remake || weights || split;
  mote_arena_release(&world->scratch, mark);
  mote_crack_sheets_destroy(&changed);
  return result;
}

mote_result mote_fracture_step(mote_world *world, mote_error *error) {
  bool any = false, remake = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    if (mote_elastic_at(world, k)->fracture == NULL) continue;
    any = true;
    MOTE_TRY(break_body(world, k, &remake, error));
  }
  if (!any) return MOTE_OK;
  MOTE_TRY(mote_fracture_save(world, error));
  if (!remake) return MOTE_OK;
  mote_elastic_bodies_find_stretches(world);  // of the new fits: they say how short the next steps are
  return mote_elastic_bodies_make(world, error);
}
