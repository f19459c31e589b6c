// Elastic bodies as a kind of matter: see matter/kind.h.
#include <inttypes.h>
#include <math.h>

#include "elastic/elastic_gauss.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/fracture_bodies.h"
#include "kinds/elastic/inversion_watch.h"
#include "matter/collider_samples.h"
#include "matter/items.h"
#include "matter/ledger.h"
#include "matter/tuning.inc"

// --- Bodies -------------------------------------------------------------------------------------------

static uint32_t groups(const mote_world *world, const mote_material_def *material, const void *item) {
  (void)material;
  const mote_elastic_item *elastic = item;
  if (elastic == NULL) return mote_world_elastic_groups(world, true, true);
  return mote_world_elastic_groups(world, elastic->renews, elastic->fracture != NULL);
}

static bool rows_fit(const void *item, const mote_store *store, size_t block) {
  const mote_elastic_item *elastic = item;
  return elastic->fracture != NULL ? mote_fracture_rows_possible(elastic, store, block)
                                   : store->block[block].count == elastic->elastic->count;
}

static void begin_part(mote_world *world) {
  size_t last = mote_bodies_of(world, MOTE_KIND_ELASTIC) - 1;
  mote_store_f64(mote_bodies(world), MOTE_DEFORMING_STRETCH)[last] = 1.0;
}

// Parts of it are in its block, and end with it.
static void end_parts(mote_world *world, size_t definition) {
  for (size_t r = mote_bodies_of(world, MOTE_KIND_ELASTIC); r > 0; --r) {
    mote_body_place place = {MOTE_KIND_ELASTIC, r - 1};
    if (mote_bodies_definition(world, place) == definition)
      mote_bodies_end(world, mote_bodies_id(world, place));
  }
}

static mote_result remove_body(mote_world *world, mote_body_place place, mote_error *error) {
  size_t definition = mote_bodies_definition(world, place);
  size_t k = mote_kind_find_definition(world, MOTE_KIND_ELASTIC, definition);
  MOTE_TRY(mote_items_expect_removal(world, MOTE_KIND_ELASTIC, error));
  MOTE_TRY(mote_fracture_forget(world, mote_body_at(world, definition)->id, error));
  mote_store_remove_block(mote_world_store(world), mote_elastic_block(world, k));
  end_parts(world, definition);
  mote_items_remove(world, MOTE_KIND_ELASTIC, k);
  world->ready = world->measured = false;
  return MOTE_OK;
}

// Before the first step it is where its shape is.
static bool pose_of(const mote_world *world, size_t k, mote_pose *out) {
  (void)k;
  *out = mote_pose_identity();
  return mote_world_steps(world) == 0;
}

// --- Samples for fluids: its particles ----------------------------------------------------------------

static mote_result add_samples_of(mote_world *world, mote_boundary *boundary, size_t k, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_samples samples = {item->elastic->count, item->rest, item->elastic->whole_volume};
  item->samples = (mote_boundary_range){.moving = true};
  if (!mote_world_flows(world)) return MOTE_OK;
  MOTE_TRY(mote_boundary_add(boundary, &samples, MOTE_BODY_FRICTION, true, &item->samples, error));
  return mote_boundary_set_owner(boundary, item->samples, mote_kind_owner(world, MOTE_KIND_ELASTIC, k),
                                 error);
}

static mote_result add_samples(mote_world *world, mote_boundary *boundary, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    MOTE_TRY(add_samples_of(world, boundary, k, error));
  }
  return MOTE_OK;
}

// --- The watchdog -------------------------------------------------------------------------------------

// How fast a body's own waves can make a particle of it: those of pressure.
static double wave_speed(const mote_world *world, const mote_elastic_item *item) {
  const mote_elastic_law *law = &item->elastic->law;
  uint32_t material = mote_body_at(world, item->body)->material;
  double stiffness = law->lambda + 2.0 * law->mu + law->volume;
  return sqrt(stiffness / mote_material_at(world, material)->def.density);
}

// By the definition's limit; without one against the body's mean velocity, for bodies fall as far as they
// may, but no part of one is much faster than the scene and than what its own stiffness can throw.
static mote_result check_body(const mote_world *world, size_t k, mote_error *error) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  const uint64_t *id = mote_elastic_rows(world, MOTE_PARTICLE_ID, k);
  const double *v = mote_elastic_rows(world, MOTE_ELASTIC_VELOCITY, k);
  const double *x = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k);
  size_t count = item->elastic->count;
  double mean[3] = {0.0, 0.0, 0.0}, limit = world->def.speed_limit;
  if (isnan(limit)) {
    limit = MOTE_SPEED_MARGIN * (world->speed + wave_speed(world, item));
    for (size_t i = 0; i < count; ++i) step3(mean, 1.0 / (double)count, v + 3 * i, mean);
  }
  for (size_t i = 0; i < count; ++i) {
    double speed = distance3(v + 3 * i, mean);
    if (speed <= limit && finite3(x + 3 * i)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "speed (at most %g) of elastic particle %" PRIu64 ": %g",
                     limit, id[i], speed);
  }
  return MOTE_OK;
}

static mote_result check(const mote_world *world, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k)
    MOTE_TRY(check_body(world, k, error));
  return MOTE_OK;
}

// --- Reading ------------------------------------------------------------------------------------------

static double stored_energy(const mote_world *world) {
  double sum = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    mote_elastic_motion motion = mote_elastic_body_motion(world, k);
    mote_elastic_energies stored = mote_elastic_stored(mote_elastic_at(world, k)->elastic, &motion);
    sum += stored.strain + stored.hourglass;
  }
  return sum;
}

static void add_totals(const mote_world *world, mote_totals_sum *sum, mote_totals *out) {
  if (mote_world_elastic_rows(world) == 0) return;
  mote_kind_sum_particles(world, MOTE_KIND_ELASTIC, sum, out);
  out->elastic_energy += stored_energy(world);
  out->inverted = mote_world_inverted(world);
}

static mote_result read_point(mote_world *world, size_t k, const double from[3], mote_reading *out,
                              mote_error *error) {
  const mote_elastic *body = mote_elastic_at(world, k)->origin;
  const double *x = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k),
               *v = mote_elastic_rows(world, MOTE_ELASTIC_VELOCITY, k);
  const double at[3] = {from[0], from[1], world->def.dimensions == 3 ? from[2] : 0.0},
               one[3] = {1.0, 0.0, 0.0};
  MOTE_TAKE_NEW(double, share, &world->scratch, 3 * body->count, error);
  MOTE_TRY(mote_elastic_spread_to_particles(body, 1, at, one, share, error));
  for (size_t i = 0; i < body->count; ++i) {
    step3(out->position, share[3 * i], x + 3 * i, out->position);
    step3(out->velocity, share[3 * i], v + 3 * i, out->velocity);
  }
  sub3(out->position, at, out->displacement);
  return MOTE_OK;
}

// The opposite of what the body does to its held particles.
static mote_result read_force(mote_world *world, size_t k, mote_reading *out, mote_error *error) {
  mote_elastic *body = mote_elastic_at(world, k)->elastic;
  mote_elastic_motion motion = mote_elastic_body_motion(world, k);
  const uint8_t *hold = mote_elastic_rows(world, MOTE_ELASTIC_HOLD, k);
  MOTE_TAKE_NEW(double, force, &world->scratch, 3 * body->count, error);
  mote_elastic_forces(body, &motion, force);
  for (size_t i = 0; i < body->count; ++i)
    if (hold[i] != 0) step3(out->reaction, -1.0, force + 3 * i, out->reaction);
  return MOTE_OK;
}

_Static_assert(offsetof(mote_elastic_item, body) == offsetof(mote_kind_item, body),
               "it begins as all items do");
const mote_kind_row mote_kind_row_elastic = {
    .kind = MOTE_KIND_ELASTIC,
    .name = "elastic",
    .blocks = MOTE_BLOCKS_BODIES,
    .group = MOTE_GROUP_ELASTIC,
    .velocity = MOTE_ELASTIC_VELOCITY,
    .mass = MOTE_ELASTIC_MASS,
    .hold = MOTE_ELASTIC_HOLD,
    .is_split = true,
    .groups = groups,
    .rows_fit = rows_fit,
    .body_groups = 1u << MOTE_GROUP_DEFORMING,
    .item_size = sizeof(mote_elastic_item),
    .free_item = mote_elastic_item_free,
    .allow_fluid = mote_elastic_check_fluid,
    .make = mote_elastic_body_make,
    .prepare = mote_elastic_bodies_make,
    .remove = remove_body,
    .begin_part = begin_part,
    .pose = pose_of,
    .add_samples = add_samples,
    .couple = mote_elastic_couple,
    .expect = mote_elastic_coupled_expect,
    .take_impulses = mote_elastic_coupled_take,
    .limit_step = mote_strike_limit,
    .step = mote_elastic_bodies_step,
    .ledger = MOTE_LEDGER_DEFORMING,
    .speed = mote_elastic_bodies_speed,
    .check = check,
    .stored_energy = stored_energy,
    .add_totals = add_totals,
    .read_point = read_point,
    .read_force = read_force,
};
