// Bodies of a world that can break: see fracture_bodies.h.
#include "kinds/elastic/fracture_bodies.h"

#include <math.h>
#include <mote/fracture.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cracks/elastic_split.h"
#include "fragments/tuning.inc"
#include "geom/symmetric.h"
#include "geom/triple.h"

static mote_fracture_law law_of(const mote_world *world, const mote_elastic_material_def *elastic,
                                const mote_elastic *body) {
  mote_fracture_law law = {.strength = elastic->strength,
                           .toughness = elastic->toughness,
                           .speed = elastic->crack_speed,
                           .transparency = elastic->transparency,
                           .weak_spots = elastic->weak_spots};
  if (isnan(law.toughness)) law.toughness = mote_fracture_toughness(law.strength, world->def.spacing);
  if (isnan(law.speed)) law.speed = MOTE_CRACK_SPEED_PART * sqrt(body->law.mu / body->def.density);
  return law;
}

void mote_fracture_free(mote_elastic_item *item, const mote_env *env) {
  mote_fracture *f = item->fracture;
  if (f == NULL) return;
  mote_crack_sheets_destroy(&f->cracks);
  mote_elastic_cut_end(&f->cut, item->origin);
  if (f->first != NULL && f->first != item->origin) {
    mote_elastic_cut_end(&f->first_cut, f->first);
    mote_free(env, f->first_filled, f->first_filled == NULL ? 0 : 3 * f->first->count, sizeof(double));
    mote_elastic_destroy(f->first);
  }
  mote_free(env, f->face, 6 * f->faces, sizeof *f->face);
  mote_body_grid_free(&f->grid);
  mote_free(env, f->label, f->label_capacity, sizeof *f->label);
  mote_free(env, f, 1, sizeof *f);
  item->fracture = NULL;
}

static double depth_in(void *user, const double x[3]) {
  return -mote_shape_distance(user, x);
}

mote_crack_matter mote_fracture_matter(const mote_world *world, size_t k, const double *stress,
                                       uint8_t *gripped) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture_mark_gripped(world, k, gripped);
  return (mote_crack_matter){.count = item->origin->count,
                             .rest = item->origin->rest,
                             .stress = stress,
                             .skip = gripped,
                             .spacing = world->def.spacing,
                             .flows = item->flows,
                             .depth = depth_in,
                             .user = (void *)(uintptr_t)item->shape,
                             .seed = world->def.seed + mote_body_at(world, item->body)->id};
}

// --- The cracks of a definition -----------------------------------------------------------------------

static mote_result add_polygon(const mote_world *world, const mote_crack_def *def, mote_crack_sheets *out,
                               mote_error *error) {
  MOTE_ALLOC_NEW(double, corner, &world->env, 3 * def->corners, error);
  for (size_t k = 0; k < def->corners; ++k) {
    copy3(def->corner[k].point, corner + 3 * k);
    if (world->def.dimensions == 2) corner[3 * k + 2] = 0.0;
  }
  mote_result result = mote_crack_add_polygon(out, corner, def->corners, world->def.spacing, error);
  mote_free(&world->env, corner, 3 * def->corners, sizeof *corner);
  return result;
}

// Half planes reach beyond the body.
static double reach_of(const mote_shape *shape, const double point[3]) {
  double low[3], high[3], far = 0.0;
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < 3; ++k) {
    if (isfinite(low[k]) && isfinite(high[k])) far += max2(fabs(high[k] - point[k]), fabs(low[k] - point[k]));
  }
  return far;
}

static mote_result add_crack(const mote_world *world, const mote_shape *shape, const mote_crack_def *def,
                             mote_crack_sheets *out, mote_error *error) {
  double d = world->def.spacing, point[3], normal[3], ahead[3];
  copy3(def->point, point), copy3(def->normal, normal), copy3(def->ahead, ahead);
  if (world->def.dimensions == 2) point[2] = normal[2] = ahead[2] = 0.0;
  if (isnan(ahead[2])) ahead[2] = 0.0;
  if (def->corners > 0) return add_polygon(world, def, out, error);
  if (!isnan(def->radius)) return mote_crack_add_disc(out, point, normal, def->radius, d, error);
  return mote_crack_add_half_plane(out, point, ahead, normal, reach_of(shape, point) + d, d, error);
}

static mote_result add_cracks(mote_world *world, const mote_body_def *def, mote_elastic_item *item,
                              mote_error *error) {
  mote_crack_sheets *cracks = &item->fracture->cracks;
  for (size_t n = 0; n < def->cracks; ++n) {
    char outer[32];
    snprintf(outer, sizeof outer, "cracks[%zu]", n);
    MOTE_TRY(mote_fail_within(error, add_crack(world, item->shape, def->crack + n, cracks, error), outer));
  }
  mote_crack_matter matter = {.depth = depth_in, .user = (void *)(uintptr_t)item->shape};
  mote_crack_sheets changed = mote_crack_sheets_make(world->def.dimensions, &world->env);
  mote_result result = mote_crack_end_outside(cracks, &matter, &changed, error);
  mote_crack_sheets_destroy(&changed);
  return result;
}

static mote_result keep_first(mote_world *world, const mote_elastic_material_def *elastic,
                              const mote_elastic_handles *marks, mote_elastic_item *item, mote_error *error) {
  mote_fracture *f = item->fracture;
  size_t n = 3 * marks->free_faces;
  double most = elastic->split_most * (double)item->origin->count;
  f->first = item->origin, f->first_filled = item->filled;
  f->split_min = isnan(elastic->split_min) ? 0.5 * world->def.spacing : elastic->split_min;
  f->split_most = most < 4e9 ? (size_t)most : SIZE_MAX;
  if (n == 0) return MOTE_OK;
  MOTE_ALLOC(f->face, &world->env, 2 * n, error);
  f->faces = marks->free_faces;
  memcpy(f->face, marks->free_point, n * sizeof *f->face);
  memcpy(f->face + n, marks->free_area, n * sizeof *f->face);
  return MOTE_OK;
}

mote_result mote_fracture_make(mote_world *world, const mote_body_def *def,
                               const mote_elastic_material_def *elastic, const mote_elastic_handles *marks,
                               mote_elastic_item *item, mote_error *error) {
  if (!isfinite(elastic->strength)) return MOTE_OK;
  MOTE_ALLOC_NEW(mote_fracture, f, &world->env, 1, error);
  *f = (mote_fracture){.law = law_of(world, elastic, item->origin),
                       .cracks = mote_crack_sheets_make(world->def.dimensions, &world->env)};
  f->cut = (mote_elastic_cut){.spacing = 1.0 / elastic->support, .transparency = elastic->transparency};
  f->grid = mote_body_grid_make(item->shape, world->def.dimensions, world->def.spacing,
                                MOTE_BODY_GRID_EDGE * world->def.spacing, &world->env);
  item->fracture = f;
  MOTE_TRY(keep_first(world, elastic, marks, item, error));
  MOTE_TRY(mote_elastic_cut_begin(&f->cut, item->origin, error));
  MOTE_TRY(add_cracks(world, def, item, error));
  return mote_fracture_register(world, error);
}

// --- Weights -----------------------------------------------------------------------------------------

static mote_result recut(mote_world *world, size_t k, const mote_crack_sheets *changed, bool *weights,
                         mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture *f = item->fracture;
  mote_elastic_recut_report report;
  size_t count = item->origin->count;
  f->cut.eye = mote_elastic_rows(world, MOTE_ELASTIC_EYE, k);
  f->cut.label = mote_elastic_rows(world, MOTE_PARTICLE_BODY, k);
  MOTE_TRY(mote_reserve(&world->env, &f->label, &f->label_capacity, count, sizeof *f->label, error));
  memcpy(f->label, f->cut.label, count * sizeof *f->label);
  MOTE_TRY(mote_elastic_recut(item->origin, &f->cut, &f->cracks, changed, &report, error));
  *weights = report.changed > 0;
  return MOTE_OK;
}

mote_result mote_fracture_find_frequency(mote_world *world, size_t k, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  if (item->elastic != item->origin) return MOTE_OK;  // found when it was made of its reference
  return mote_elastic_frequency_of_cut(item->origin, &item->frequency, error);
}

mote_result mote_fracture_recut(mote_world *world, size_t k, mote_error *error) {
  bool weights;
  return recut(world, k, NULL, &weights, error);
}

mote_result mote_fracture_cut(mote_world *world, size_t k, const mote_crack_sheets *changed, bool *weights,
                              mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture *f = item->fracture;
  f->cut.eye = mote_elastic_rows(world, MOTE_ELASTIC_EYE, k);
  mote_elastic_cut_keep_off(&f->cut, item->origin, &f->cracks, changed);
  MOTE_TRY(mote_fracture_part_grid(world, k, error));
  MOTE_TRY(recut(world, k, changed, weights, error));
  // A body with another reference is made anew of its first one.
  if (*weights && item->elastic != item->origin) MOTE_TRY(mote_elastic_body_refer(world, k, error));
  return mote_fracture_part_pairs(world, k, error);
}

mote_result mote_fracture_begin(mote_world *world, mote_error *error) {
  size_t k = mote_world_items(world, MOTE_KIND_ELASTIC) - 1;
  bool weights;
  mote_fracture *f = mote_elastic_at(world, k)->fracture;
  f->cut.eye = mote_elastic_rows(world, MOTE_ELASTIC_EYE, k);
  mote_elastic_cut_keep_off(&f->cut, mote_elastic_at(world, k)->origin, &f->cracks, NULL);
  MOTE_TRY(recut(world, k, NULL, &weights, error));
  MOTE_TRY(mote_fracture_find_frequency(world, k, error));
  return mote_fracture_save(world, error);
}

// --- From the state ----------------------------------------------------------------------------------

static bool same_nodes(const mote_crack_sheets *a, const mote_crack_sheets *b) {
  if (a->nodes != b->nodes || a->fronts != b->fronts) return false;
  for (size_t k = 0; k < a->nodes; ++k) {
    if (a->node[k].live != b->node[k].live || distance3(a->node[k].position, b->node[k].position) != 0.0)
      return false;
  }
  return true;
}

static bool same_cracks(const mote_crack_sheets *a, const mote_crack_sheets *b) {
  if (a->triangles != b->triangles || a->sheets != b->sheets || !same_nodes(a, b)) return false;
  if (a->triangles == 0) return true;
  return memcmp(a->corner, b->corner, 9 * a->triangles * sizeof *a->corner) == 0 &&
         memcmp(a->sheet, b->sheet, a->triangles * sizeof *a->sheet) == 0;
}

static bool same_labels(const mote_world *world, size_t k) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  return memcmp(item->fracture->label, mote_elastic_rows(world, MOTE_PARTICLE_BODY, k),
                item->origin->count * sizeof *item->fracture->label) == 0;
}

mote_result mote_fracture_load(mote_world *world, size_t k, bool *changed, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture *f = item->fracture;
  mote_crack_sheets state = mote_crack_sheets_make(world->def.dimensions, &world->env);
  uint64_t id = mote_body_at(world, item->body)->id;
  mote_result result = mote_fracture_read(world, id, &state, error);
  *changed = false;
  if (result == MOTE_OK) result = mote_fracture_load_split(world, k, changed, error);
  if (result == MOTE_OK && (*changed || !same_cracks(&state, &f->cracks) || !same_labels(world, k)))
    *changed = true;
  mote_crack_sheets old = f->cracks;
  if (result == MOTE_OK) f->cracks = state, state = old;
  mote_crack_sheets_destroy(&state);
  bool weights;
  if (result == MOTE_OK && *changed) result = recut(world, k, NULL, &weights, error);
  if (result == MOTE_OK && *changed) result = mote_fracture_find_frequency(world, k, error);
  return result;
}

// --- Stresses ----------------------------------------------------------------------------------------

// R^T S R with the rotation R of 1 + gradient.
static void turn_back(const double gradient[9], double stress[6]) {
  double F[9], R[9], stretch[9], S[9], T[9];
  for (int e = 0; e < 9; ++e) F[e] = gradient[e] + (e % 4 == 0);
  if (!mote_polar3(F, R, stretch)) return;
  symmetric_open(stress, S);
  multiply3(S, R, T);
  for (int e = 0; e < 9; ++e) {
    int r = e / 3, c = e % 3;
    S[e] = R[r] * T[c] + R[3 + r] * T[3 + c] + R[6 + r] * T[6 + c];
  }
  symmetric_close(S, stress);
}

mote_result mote_fracture_stresses(const mote_world *world, size_t k, double *stress, mote_error *error) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  mote_elastic_motion motion = mote_elastic_body_motion(world, k);
  size_t n = item->elastic->count;
  mote_elastic_stresses(item->elastic, &motion, stress);
  if (item->elastic == item->origin) return MOTE_OK;
  MOTE_ALLOC_NEW(double, gradient, &world->env, 9 * n, error);
  mote_result result = mote_elastic_split_gradients(
      item->origin, mote_elastic_rows(world, MOTE_ELASTIC_REFERENCE, k), gradient, error);
  for (size_t i = 0; i < n && result == MOTE_OK; ++i) turn_back(gradient + 9 * i, stress + 6 * i);
  mote_free(&world->env, gradient, 9 * n, sizeof *gradient);
  return result;
}

// --- Steps -------------------------------------------------------------------------------------------

double mote_fracture_step_limit(const mote_world *world) {
  double limit = HUGE_VAL;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    const mote_fracture *f = mote_elastic_at(world, k)->fracture;
    for (size_t n = 0; f != NULL && n < f->cracks.fronts; ++n) {
      if (f->cracks.front[n].moving) limit = min2(limit, world->def.spacing / f->law.speed);
    }
  }
  return limit;
}
