// Bodies: a shape filled with particles, cut out of what is solid, clear of other bodies.
#include <math.h>
#include <mote/formula.h>
#include <string.h>

#include "base/parallel.h"
#include "scene/def_check.h"
#include "world/cut.h"
#include "world/definition_hash.h"
#include "world/items.h"
#include "world/quantity.h"
#include "world/rigid_body.h"
#include "world/spawn.h"
#include "world/world_data.h"

#define GRAIN 256
#define TOUCH 1e-3  // spacings by which bodies may overlap for want of exact numbers

// --- Overlap
// --------------------------------------------------------------------------------------------------

typedef struct finder {
  const mote_shape *shape;
  const double *position;
  double depth;
  uint8_t *inside;  // per chunk
} finder;

static void find_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  finder *f = data;
  bool found = false;
  for (size_t i = begin; i < end && !found; ++i) {
    found = mote_shape_distance(f->shape, f->position + 3 * i) < -f->depth;
  }
  f->inside[begin / GRAIN] = found;
}

// *row: a point deep inside of the shape, near the first; `count` when there is none.
static mote_result find_inside(mote_world *world, const mote_shape *shape, const double *position,
                               size_t count, size_t *row, mote_error *error) {
  double depth = TOUCH * world->def.spacing;
  size_t chunks = count / GRAIN + 1, c = 0;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  finder f = {shape, position, depth, mote_arena_take(&world->scratch, chunks, 1)};
  if (f.inside == NULL) return mote_fail_memory(error, chunks);
  memset(f.inside, 0, chunks);
  mote_parallel_for(world->env.threads, count, GRAIN, find_chunk, &f);
  while (c < chunks && !f.inside[c]) ++c;
  for (*row = c * GRAIN; *row < count; ++*row) {
    if (mote_shape_distance(shape, position + 3 * *row) < -depth) break;
  }
  if (*row > count) *row = count;
  mote_arena_release(&world->scratch, mark);
  return MOTE_OK;
}

static mote_result fail_overlap(const mote_world *world, const char *name, uint32_t body, mote_error *error) {
  size_t bodies = mote_world_items(world, MOTE_ITEM_BODY);
  const char *other = body >= 1 && body <= bodies ? mote_body_at(world, body - 1)->name : "another";
  return mote_fail_key(error, "shape", "\"%s\" overlaps \"%s\"", name, other);
}

// Before the first step bodies are where their shapes are, and a small one inside a large one shows only this
// way.
static mote_result check_shapes(mote_world *world, const char *name, const double *position, size_t count,
                                mote_error *error) {
  if (*mote_state_u64(&world->now, MOTE_WORLD_STEP) > 0) return MOTE_OK;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_BODY); ++b) {
    size_t row;
    MOTE_TRY(find_inside(world, mote_body_at(world, b)->shape, position, count, &row, error));
    if (row < count) return fail_overlap(world, name, (uint32_t)b + 1, error);
  }
  return MOTE_OK;
}

static mote_result check_overlap(mote_world *world, const char *name, const mote_shape *shape,
                                 const double *position, size_t count, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t row;
  MOTE_TRY(check_shapes(world, name, position, count, error));
  MOTE_TRY(
      find_inside(world, shape, mote_store_f64(store, MOTE_PARTICLE_POSITION), store->count[0], &row, error));
  if (row == store->count[0]) return MOTE_OK;
  return fail_overlap(world, name, mote_store_u32(store, MOTE_PARTICLE_BODY)[row], error);
}

// --- Velocities
// -----------------------------------------------------------------------------------------------

typedef struct initial_velocity {
  double constant[3];
  mote_formula *formula[3];
  double spin[3], centre[3];
} initial_velocity;

static void velocity_destroy(initial_velocity *v) {
  for (int a = 0; a < 3; ++a) mote_formula_destroy(v->formula[a]);
}

static mote_result velocity_make(const mote_body_def *def, const mote_env *env, initial_velocity *v,
                                 mote_error *error) {
  const mote_value *value[3] = {&def->velocity.x, &def->velocity.y, &def->velocity.z};
  mote_result result = MOTE_OK;
  for (int a = 0; a < 3 && result == MOTE_OK; ++a) {
    v->constant[a] = value[a]->constant;
    v->spin[a] = def->spin[a];
    if (value[a]->formula == NULL) continue;
    result = mote_formula_create(value[a]->formula, "x y z", env, &v->formula[a], error);
  }
  return mote_fail_within(error, result, "velocity");
}

static void find_centre(const double *position, size_t count, double centre[3]) {
  for (int a = 0; a < 3; ++a) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += position[3 * i + a] - position[a];
    centre[a] = position[a] + sum / (double)count;
  }
}

static void velocity_at(const initial_velocity *v, const double x[3], int dimensions, float out[3]) {
  const double *w = v->spin, r[3] = {x[0] - v->centre[0], x[1] - v->centre[1], x[2] - v->centre[2]};
  const double turn[3] = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]};
  for (int a = 0; a < 3; ++a) {
    double u = v->formula[a] != NULL ? mote_formula_value(v->formula[a], x) : v->constant[a];
    out[a] = a < dimensions ? (float)(u + turn[a]) : 0.0f;
  }
}

// Writes positions and velocities; *speed: the largest.
static mote_result place_particles(mote_world *world, const initial_velocity *v, const double *position,
                                   size_t first, size_t count, double *speed, mote_error *error) {
  mote_store *store = mote_world_store(world);
  double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first;
  float *u = mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * first;
  *speed = 0.0;
  for (size_t i = 0; i < count; ++i) {
    memcpy(x + 3 * i, position + 3 * i, 3 * sizeof *x);
    velocity_at(v, x + 3 * i, world->def.dimensions, u + 3 * i);
    mote_domain_wrap(&world->domain, x + 3 * i);
    double a = (double)u[3 * i], b = (double)u[3 * i + 1], c = (double)u[3 * i + 2];
    double own = sqrt(a * a + b * b + c * c);
    if (!(own <= 1e30)) {
      return mote_fail_key(error, "velocity", "at (%g, %g, %g) the velocity is (%g, %g, %g)", x[3 * i],
                           x[3 * i + 1], x[3 * i + 2], a, b, c);
    }
    if (own > *speed) *speed = own;
  }
  return MOTE_OK;
}

// --- Pressures
// ------------------------------------------------------------------------------------------------

static mote_result place_pressures(mote_world *world, const mote_body_def *def, uint32_t material,
                                   size_t first, size_t count, mote_error *error) {
  mote_store *store = mote_world_store(world);
  const size_t *rows = store->block[material].first;
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first;
  float *p = mote_store_f32(store, MOTE_PARTICLE_PRESSURE) + (first - rows[0] + rows[MOTE_GROUP_FLUID]);
  mote_quantity pressure = {0};
  MOTE_TRY(mote_quantity_make(&def->pressure, "x y z", "pressure", &world->env, &pressure, error));
  mote_result result = MOTE_OK;
  for (size_t i = 0; i < count && result == MOTE_OK; ++i) {
    p[i] = (float)mote_quantity_at(&pressure, x + 3 * i);
    if (isfinite(p[i])) continue;
    result = mote_fail_key(error, "pressure", "at (%g, %g, %g) it is %g", x[3 * i], x[3 * i + 1],
                           x[3 * i + 2], (double)p[i]);
  }
  mote_quantity_free(&pressure);
  return result;
}

// --- The whole
// ------------------------------------------------------------------------------------------------

static mote_result fill_world(mote_world *world, const mote_body_def *def, mote_body_item *item,
                              const mote_samples *samples, size_t count, mote_error *error) {
  initial_velocity v = {0};
  mote_store *store = mote_world_store(world);
  size_t first, old = store->block[item->material].count;
  uint64_t next_id = store->next_id;
  uint32_t number;
  find_centre(samples->position, count, v.centre);
  mote_result result = velocity_make(def, &world->env, &v, error);
  if (result == MOTE_OK) {
    uint32_t body = (uint32_t)mote_world_items(world, MOTE_ITEM_BODY) + 1;
    result = mote_spawn(world, item->material, body, samples->volume[0], count, &first, error);
  }
  if (result == MOTE_OK) {
    result = place_particles(world, &v, samples->position, first, count, &item->speed, error);
  }
  if (result == MOTE_OK) result = place_pressures(world, def, item->material, first, count, error);
  if (result == MOTE_OK) result = mote_items_add(world, MOTE_ITEM_BODY, item, &number, error);
  if (result != MOTE_OK) {
    (void)mote_store_resize(store, item->material, old, NULL);  // to fewer rows: cannot fail
    store->next_id = next_id;
  }
  velocity_destroy(&v);
  return result;
}

static mote_result make_body(mote_world *world, const mote_body_def *def, mote_body_item *item,
                             mote_error *error) {
  const mote_world_def *w = &world->def;
  mote_result result = mote_shape_create(&def->shape, w->dimensions, &world->env, &item->shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  size_t most = w->particles_max - mote_world_store(world)->count[0];
  mote_samples samples = {0};
  result = mote_shape_fill(item->shape, w->spacing, def->fill, w->seed, most, &world->env, &samples, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  size_t kept;
  result = mote_cut_samples(world, item->shape, &samples, &kept, error);
  if (result == MOTE_OK) {
    result = check_overlap(world, def->name, item->shape, samples.position, kept, error);
  }
  if (result == MOTE_OK) result = fill_world(world, def, item, &samples, kept, error);
  mote_arena_release(&world->scratch, mark);
  mote_samples_free(&samples, &world->env);
  return result;
}

mote_result mote_world_add_body(mote_world *world, const mote_body_def *def, mote_body *out,
                                mote_error *error) {
  if (world == NULL || def == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "adding needs a world and a definition");
  }
  MOTE_TRY(mote_body_def_check(def, &world->env, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_BODY, def->name, error));
  if (mote_world_steps(world) > 0 && (def->pressure.formula != NULL || def->pressure.constant != 0.0)) {
    return mote_fail_key(error, "pressure", "only bodies that are there before the first step have one");
  }
  size_t material = mote_items_find(world, MOTE_ITEM_MATERIAL, def->material);
  if (material == mote_world_items(world, MOTE_ITEM_MATERIAL)) {
    return mote_fail_key(error, "material", "there is no material \"%.31s\"", def->material);
  }
  const mote_material_def *of = &mote_material_at(world, material)->def;
  MOTE_TRY(mote_body_def_check_model(def, of, world->def.dimensions, error));
  mote_body_item item = {.name = def->name, .material = (uint32_t)material};
  mote_result result = of->model == MOTE_MODEL_RIGID ? mote_rigid_body_make(world, def, &item, error)
                                                     : make_body(world, def, &item, error);
  if (result != MOTE_OK) {
    mote_shape_destroy(item.shape);
    return result;
  }
  world->definitions = mote_definition_hash_body(world->definitions, def);
  world->ready = world->measured = world->has_frame = false;
  if (out != NULL) *out = (mote_body){(uint32_t)mote_world_items(world, MOTE_ITEM_BODY) - 1, 1};
  return MOTE_OK;
}
