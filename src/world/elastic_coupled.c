// Elastic bodies in a fluid: see elastic_bodies.h. What the fluid does to them: fluid/coupled_body.h. Theory:
// docs/theory/solids.md, "Fluids"
#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "world/elastic_bodies.h"

#define GRAIN 1024

static const mote_store *solids(const mote_world *world) {
  return &world->now.store[MOTE_STATE_SOLIDS];
}

static bool is_wet(const mote_world *world) {
  return world->soft.group.count > 0 && world->fluid.count > 0 && mote_soft_at(world, 0)->samples.count > 0;
}

mote_wet_body *mote_soft_wet_bodies(const mote_world *world) {
  return is_wet(world) ? world->fluid.wet + (world->fluid.wets - world->soft.group.count) : NULL;
}

void mote_soft_wet_make(mote_world *world) {
  mote_fluid *fluid = &world->fluid;
  if (!is_wet(world)) return;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    const mote_soft_item *item = mote_soft_at(world, k);
    const double *x = mote_soft_rows(world, MOTE_SOLID_POSITION, k),
                 *v = mote_soft_rows(world, MOTE_SOLID_VELOCITY, k);
    mote_boundary_place(world->boundary, item->samples, x, v);
    for (size_t i = 0; i < item->elastic->count; ++i) {
      bool held = item->held != NULL && item->held[i] != 0;
      mote_wet_body *body = &fluid->wet[fluid->wets++];
      *body = (mote_wet_body){.samples = {true, item->samples.first + i, 1},
                              .inverse_mass = held ? 0.0 : 1.0 / item->elastic->mass[i]};
      copy3(x + 3 * i, body->x);
      copy3(v + 3 * i, body->velocity);
    }
  }
}

// --- What pressure finds ------------------------------------------------------------------------------

typedef struct expectation {
  mote_wet_body *body;
  const double *velocity, *acceleration, *force;
  double dt;
} expectation;

static void expect_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const expectation *e = data;
  for (size_t i = begin; i < end; ++i) {
    mote_wet_body *body = &e->body[i];
    copy3(e->velocity + 3 * i, body->velocity);
    if (body->inverse_mass == 0.0) continue;  // goes as it is held
    step3(body->velocity, e->dt, e->acceleration + 3 * i, body->velocity);
    step3(body->velocity, e->dt * body->inverse_mass, e->force + 3 * i, body->velocity);
  }
}

// Elastic forces now are those that the last implicit step ended with: what was in balance with the fluid
// then. Damping is left to the step.
mote_result mote_soft_wet_expect(mote_world *world, mote_error *error) {
  size_t n = world->soft.group.count;
  if (!is_wet(world)) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  double *acceleration = mote_arena_take(&world->scratch, 3 * n, sizeof(double));
  double *force = mote_arena_take(&world->scratch, 3 * n, sizeof(double));
  double *strain = mote_arena_take(&world->scratch, 6 * n, sizeof(double));
  if (!acceleration || !force || !strain) return mote_fail_memory(error, 12 * n * sizeof(double));
  mote_elastic_motion motion = mote_softs_motion(world);
  mote_elastic_group_strains(&world->soft.group, motion.position, strain);
  motion.before = strain, motion.step = world->dt;
  mote_elastic_group_forces(&world->soft.group, &motion, force);
  MOTE_TRY(mote_soft_accelerations(world, acceleration, error));
  expectation e = {mote_soft_wet_bodies(world), motion.velocity, acceleration, force, world->dt};
  mote_parallel_for(world->env.threads, n, GRAIN, expect_chunk, &e);
  mote_arena_release(&world->scratch, mark);
  return MOTE_OK;
}

void mote_soft_wet_take(mote_world *world) {
  double *v = mote_store_f64(solids(world), MOTE_SOLID_VELOCITY);
  if (!is_wet(world)) return;
  for (size_t i = 0; i < world->soft.group.count; ++i) {
    mote_wet_body *body = mote_soft_wet_bodies(world) + i;
    step3(v + 3 * i, body->inverse_mass, body->impulse, v + 3 * i);
    step3(body->given, 1.0, body->impulse, body->given);
    set3(0.0, 0.0, 0.0, body->impulse);
    set3(0.0, 0.0, 0.0, body->twist);
  }
}

void mote_soft_wet_spread(mote_world *world, const uint8_t *member, double *acceleration) {
  const mote_elastic_group *group = &world->soft.group;
  double *v = mote_store_f64(solids(world), MOTE_SOLID_VELOCITY);
  if (!is_wet(world)) return;
  for (size_t k = 0; k < group->bodies; ++k) {
    for (size_t i = group->start[k]; member[k] != 0 && i < group->start[k + 1]; ++i) {
      mote_wet_body *body = mote_soft_wet_bodies(world) + i;
      step3(v + 3 * i, -body->inverse_mass, body->given, v + 3 * i);
      step3(acceleration + 3 * i, body->inverse_mass / world->dt, body->given, acceleration + 3 * i);
    }
  }
}
