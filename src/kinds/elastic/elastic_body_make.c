// Creation of elastic bodies: see elastic_bodies.h.
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <string.h>

#include "geom/shape_tree.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/fracture_bodies.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/bodies.h"
#include "matter/carve.h"
#include "matter/first_velocity.h"
#include "matter/items.h"
#include "matter/overlap.h"
#include "matter/tuning.inc"
#include "matter/world_heat.h"

_Static_assert((int)MOTE_GRADIENT_ANALYTIC == (int)MOTE_ELASTIC_ANALYTIC &&
                   (int)MOTE_ELASTIC_MATERIAL_GRADIENTS == (int)MOTE_ELASTIC_GRADIENTS,
               "gradients of definitions are those of the solver");

static const mote_elastic_material_def *elastic_of(const mote_world *world, const mote_body_item *body) {
  return &mote_material_at(world, body->material)->def.elastic;
}

// --- The rest shape -----------------------------------------------------------------------------------

void mote_elastic_path_lengths(void *user, const double from[3], const double *to, size_t count, double most,
                               double *length) {
  const mote_elastic_path *w = user;
  mote_shape_path_lengths(w->shape, w->spacing, from, to, count, most, length);
}

// Supports of graded particles; null: all particles have the same size.
static mote_result make_supports(mote_world *world, const mote_samples *samples, double support, double **out,
                                 mote_error *error) {
  const double *volume = samples->volume;
  double least = volume[0], most = volume[0];
  for (size_t i = 0; i < samples->count; ++i) least = min2(least, volume[i]), most = max2(most, volume[i]);
  *out = NULL;
  if (!(most > least)) return MOTE_OK;
  MOTE_TAKE(*out, &world->scratch, samples->count, error);
  for (size_t i = 0; i < samples->count; ++i) {
    double times = volume[i] / least;
    (*out)[i] = support * (world->def.dimensions == 2 ? sqrt(times) : mote_cbrt(times));
  }
  return MOTE_OK;
}

static mote_result make_elastic(mote_world *world, const mote_body_item *body, const mote_samples *samples,
                                const mote_elastic_handles *marks, mote_elastic_item *item,
                                mote_error *error) {
  const mote_elastic_material_def *elastic = elastic_of(world, body);
  mote_elastic_path through = {body->shape, world->def.spacing};
  mote_elastic_def def = mote_elastic_def_default();
  mote_error why;
  double *support;
  def.uniform_support = elastic->support * world->def.spacing;
  MOTE_TRY(make_supports(world, samples, def.uniform_support, &support, error));
  def.support = support;
  def.dimensions = world->def.dimensions;
  def.order = elastic->order != 0 ? elastic->order : isfinite(elastic->strength) ? 1 : 2;
  def.gradient = (mote_elastic_gradients)elastic->gradient;
  def.position = samples->position, def.count = samples->count;
  def.volume = samples->volume;
  def.density = mote_material_at(world, body->material)->def.density;
  def.kind = elastic->law, def.young = elastic->young, def.poisson = elastic->poisson;
  def.volume_stiffness = elastic->volume_stiffness;
  def.hourglass = elastic->hourglass, def.damping = elastic->strain_damping;
  if (isfinite(elastic->yield_strain)) def.fold = 0.0;  // flow may fold
  def.path_length = mote_elastic_path_lengths, def.user = &through;
  def.clamp = marks->clamp, def.deforming = marks->deforming;
  def.face_point = marks->free_point, def.face_area = marks->free_area, def.faces = marks->free_faces;
  mote_result result = mote_elastic_create(&def, &world->env, &item->origin, &why);
  item->elastic = item->origin;
  if (result == MOTE_ERROR_ARGUMENT)
    return mote_fail_key(error, "shape", "\"%s\" is too thin for this spacing: %.200s", item->name, why.text);
  if (result != MOTE_OK && error != NULL) *error = why;
  return result;
}

// --- Integration -------------------------------------------------------------------------------------

static mote_result make_steps(const mote_elastic_material_def *elastic, mote_elastic_item *item,
                              mote_error *error) {
  MOTE_TRY(
      mote_elastic_frequency_find(item->elastic, MOTE_ELASTIC_FREQUENCY_ITERATIONS, &item->frequency, error));
  item->renew_strain = elastic->renew_strain;
  item->renews = isfinite(elastic->yield_strain) && isfinite(elastic->renew_strain);
  item->flows = isfinite(elastic->yield_strain);
  item->plastic = (mote_plastic_law){elastic->yield_strain, elastic->creep_rate, elastic->plastic_max};
  item->integrator = elastic->integrator;
  return MOTE_OK;
}

void mote_elastic_item_free(void *made, const mote_env *env) {
  mote_elastic_item *item = made;
  MOTE_ASSERT(item->hold != NULL || item->holds == 0 || item->elastic == NULL);
  size_t n = item->elastic != NULL ? item->elastic->count : 0;
  for (size_t k = 0; k < item->holds && item->hold != NULL; ++k) mote_motion_destroy(item->hold[k].motion);
  for (size_t k = 0; k < item->loads && item->load != NULL; ++k) mote_elastic_load_free(&item->load[k], env);
  mote_fracture_free(item, env);
  mote_free(env, item->rest, 3 * n, sizeof *item->rest);
  mote_free(env, item->filled, 3 * item->filled_count, sizeof *item->filled);
  mote_free(env, item->hold, item->holds, sizeof *item->hold);
  mote_free(env, item->load, item->loads, sizeof *item->load);
  if (item->elastic != item->origin) mote_elastic_destroy(item->elastic);
  mote_elastic_destroy(item->origin);
  *item = (mote_elastic_item){0};
}

// --- Initial overlap ---------------------------------------------------------------------------------

static mote_result check_obstacle(const mote_world *world, const mote_elastic_item *item,
                                  const double *position, const uint8_t *hold,
                                  const mote_collider_item *obstacle, mote_error *error) {
  mote_pose pose = mote_pose_identity();
  if (obstacle->motion != NULL)
    pose = mote_motion_at(obstacle->motion, *mote_state_f64(&world->now, MOTE_WORLD_TIME));
  for (size_t i = 0; i < item->elastic->count; ++i) {
    double x[3];
    if (hold[i] != 0) continue;  // what is built in may reach into it
    mote_pose_unapply(&pose, position + 3 * i, x);
    double depth = -mote_shape_distance(obstacle->shape, x);
    if (depth <= MOTE_OVERLAP_ALLOWED * world->def.spacing) continue;
    return mote_fail_key(error, "shape", "\"%s\" overlaps %s by %.3g m", item->name, obstacle->name, depth);
  }
  return MOTE_OK;
}

static mote_result check_clear(mote_world *world, const mote_elastic_item *item, const double *position,
                               const uint8_t *hold, mote_error *error) {
  if (world->aside) return MOTE_OK;
  MOTE_TRY(mote_overlap_check(world, item->name, item->shape, position, item->elastic->count, true, error));
  if (world->walls.shape != NULL) MOTE_TRY(check_obstacle(world, item, position, hold, &world->walls, error));
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    MOTE_TRY(check_obstacle(world, item, position, hold, mote_collider_at(world, k), error));
  }
  return MOTE_OK;
}

// The pressure solve expects the elastic forces at the end of the last step: undamped vibration would be
// amplified (elastic_coupled.c).
static mote_result check_meets_fluid(const mote_world *world, mote_integrator integrator, double damping,
                                     mote_error *error) {
  if (mote_world_stepped(world))
    return mote_fail_key(error, "material", "elastic bodies and fluids need solver.steps: global");
  if (integrator == MOTE_INTEGRATOR_AUTO || integrator == MOTE_INTEGRATOR_IMPLICIT) return MOTE_OK;
  if (integrator == MOTE_INTEGRATOR_EXPLICIT && damping > 0.0) return MOTE_OK;
  return mote_fail_key(error, "material",
                       "elastic bodies in a world with fluids need integrator: auto or implicit, or explicit "
                       "with strain_damping");
}

static mote_result check_world(const mote_world *world, const mote_elastic_material_def *elastic,
                               mote_error *error) {
  if (mote_world_flows(world))
    MOTE_TRY(check_meets_fluid(world, elastic->integrator, elastic->strain_damping, error));
  for (int a = 0; a < world->def.dimensions; ++a) {
    if (!world->domain.periodic[a]) continue;
    return mote_fail_key(error, "material", "elastic bodies cannot be in a periodic domain yet");
  }
  return MOTE_OK;
}

mote_result mote_elastic_check_fluid(const mote_world *world, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    const mote_elastic_item *item = mote_elastic_at(world, k);
    MOTE_TRY(check_meets_fluid(world, item->integrator, item->elastic->damping, error));
  }
  return MOTE_OK;
}

// --- Creation ----------------------------------------------------------------------------------------

static mote_result set_rows(mote_world *world, const mote_body_def *def, const mote_elastic_item *item,
                            const double *position, const mote_elastic_handles *marks, size_t k,
                            mote_body_item *body, mote_error *error) {
  mote_first_velocity start = {0};
  size_t count = item->elastic->count;
  double *x = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k),
         *v = mote_elastic_rows(world, MOTE_ELASTIC_VELOCITY, k);
  uint32_t *label = mote_elastic_rows(world, MOTE_PARTICLE_BODY, k);
  memcpy(x, position, 3 * count * sizeof *x);
  memcpy(mote_elastic_rows(world, MOTE_ELASTIC_REST, k), position, 3 * count * sizeof *x);
  memcpy(mote_elastic_rows(world, MOTE_ELASTIC_MASS, k), item->elastic->mass, count * sizeof *x);
  memcpy(mote_elastic_rows(world, MOTE_ELASTIC_HOLD, k), marks->hold, count * sizeof *marks->hold);
  memcpy(mote_elastic_rows(world, MOTE_ELASTIC_LOAD, k), marks->load, count * sizeof *marks->load);
  mote_store_f64(mote_bodies(world), MOTE_DEFORMING_STRETCH)[mote_bodies_of(world, MOTE_KIND_ELASTIC) - 1] =
      1.0;
  if (item->fracture != NULL)
    memcpy(mote_elastic_rows(world, MOTE_ELASTIC_EYE, k), position, 3 * count * sizeof *x);
  if (item->renews)
    memcpy(mote_elastic_rows(world, MOTE_ELASTIC_REFERENCE, k), position, 3 * count * sizeof *x);
  mote_result result = mote_first_velocity_make(def, position, count, &world->env, &start, error);
  body->speed = 0.0;
  for (size_t i = 0; i < count && result == MOTE_OK; ++i) {
    bool held = marks->hold[i] != 0;
    label[i] = body->id + 1;
    set3(0.0, 0.0, 0.0, v + 3 * i);
    if (!held) mote_first_velocity_at(&start, x + 3 * i, world->def.dimensions, v + 3 * i);
    double speed = length3(v + 3 * i);
    if (!(speed <= 1e30)) {
      result = mote_fail_key(error, "velocity", "at (%g, %g, %g) the velocity is (%g, %g, %g)", x[3 * i],
                             x[3 * i + 1], x[3 * i + 2], v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    }
    body->speed = max2(speed, body->speed);
  }
  mote_first_velocity_free(&start);
  size_t first = mote_world_store(world)->block[mote_elastic_block(world, k)].first[0];
  const mote_material_def *material = &mote_material_at(world, body->material)->def;
  return result != MOTE_OK ? result
                           : mote_heat_start(world, material, &def->temperature, first, count, error);
}

// Its block and the items; its row of the table of bodies is there.
static mote_result add(mote_world *world, const mote_body_def *def, const mote_elastic_item *item,
                       const double *position, const mote_elastic_handles *marks, mote_body_item *body,
                       mote_error *error) {
  mote_store *store = mote_world_store(world);
  size_t k = mote_world_items(world, MOTE_KIND_ELASTIC), block = mote_elastic_block(world, k);
  uint32_t number, groups = mote_world_elastic_groups(world, item->renews, item->fracture != NULL);
  uint64_t next_id = store->next_id;
  MOTE_TRY(mote_store_insert_block(store, block, groups, item->elastic->count, error));
  mote_result result = set_rows(world, def, item, position, marks, k, body, error);
  if (result == MOTE_OK) result = mote_items_add(world, MOTE_KIND_ELASTIC, item, &number, error);
  if (result == MOTE_OK) {
    result = mote_items_add(world, MOTE_ITEM_BODY, body, &number, error);
    if (result == MOTE_OK && item->fracture != NULL) {
      result = mote_fracture_begin(world, error);
      if (result != MOTE_OK) mote_items_undo(world, MOTE_ITEM_BODY);
    }
    if (result != MOTE_OK) mote_items_undo(world, MOTE_KIND_ELASTIC);
  }
  if (result != MOTE_OK) {
    mote_store_remove_block(store, block);
    store->next_id = next_id;
  }
  return result;
}

static mote_result make_parts(mote_world *world, const mote_body_def *def, mote_samples *samples,
                              mote_body_item *body, mote_elastic_item *item, mote_elastic_handles *marks,
                              mote_error *error) {
  size_t n = samples->count;
  uint8_t *gone = NULL;
  MOTE_TRY(mote_elastic_holds_make(world, def, elastic_of(world, body), samples, item, marks, error));
  MOTE_TRY(make_elastic(world, body, samples, marks, item, error));
  MOTE_ALLOC(item->rest, &world->env, 3 * n, error);
  memcpy(item->rest, samples->position, 3 * n * sizeof *item->rest);
  MOTE_TRY(mote_elastic_loads_make(world, def, samples->position, item, marks, error));
  MOTE_TRY(check_clear(world, item, samples->position, marks->hold, error));
  MOTE_TRY(make_steps(elastic_of(world, body), item, error));
  MOTE_TRY(mote_fracture_make(world, def, elastic_of(world, body), marks, item, error));
  MOTE_TRY(mote_cut_find(world, item->shape, item->name, &gone, error));
  MOTE_TRY(add(world, def, item, samples->position, marks, body, error));
  mote_cut_remove(world, gone);
  return MOTE_OK;
}

static mote_result make(mote_world *world, const mote_body_def *def, mote_samples *samples,
                        mote_body_item *body, mote_elastic_item *item, mote_error *error) {
  mote_elastic_handles marks = {0};
  mote_result result = make_parts(world, def, samples, body, item, &marks, error);
  mote_faces_free(&marks.faces, &world->env);
  return result;
}

static mote_result fill(mote_world *world, const mote_body_def *def, const mote_shape *shape, size_t most,
                        mote_samples *samples, mote_error *error) {
  const mote_world_def *w = &world->def;
  if (def->grading == 1)
    return mote_shape_fill(shape, w->spacing, def->fill, w->seed, most, &world->env, samples, error);
  return mote_shape_fill_graded(shape, w->spacing, def->grading, mote_world_def_grading_depth(w), most,
                                &world->env, samples, error);
}

mote_result mote_elastic_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                   mote_error *error) {
  MOTE_ASSERT(def->name != NULL && item != NULL);
  const mote_world_def *w = &world->def;
  mote_elastic_item made = {.name = def->name, .body = (uint32_t)mote_world_items(world, MOTE_ITEM_BODY)};
  mote_samples samples = {0};
  MOTE_TRY(check_world(world, elastic_of(world, item), error));
  MOTE_TRY(mote_items_expect(world, MOTE_KIND_ELASTIC, def->name, error));
  MOTE_TRY(mote_contacts_make(world, error));
  mote_result result = mote_shape_create(&def->shape, w->dimensions, &world->env, &item->shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  made.shape = item->shape;
  size_t most = w->particles_max - mote_world_elastic_rows(world);
  result = fill(world, def, item->shape, most, &samples, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  result = make(world, def, &samples, item, &made, error);
  mote_arena_release(&world->scratch, mark);
  mote_samples_free(&samples, &world->env);
  if (result != MOTE_OK) mote_elastic_item_free(&made, &world->env);
  if (result == MOTE_OK) (void)mote_store_resize(&world->now.store[MOTE_TABLE_FRICTION], 0, 0, NULL);
  return result;
}
