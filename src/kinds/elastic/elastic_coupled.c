// Coupling of elastic bodies to fluids: see elastic_bodies.h. The fluid's side: fluid/coupled_body.h. Theory:
// docs/theory/elastic.md, "Fluids"
#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "matter/probe_forces.h"

#define PARTICLES_PER_CHUNK 1024

void mote_elastic_couple(mote_world *world) {
  MOTE_ASSERT(world->fluid.coupled != NULL || world->fluid.coupled_count == 0);
  size_t bodies = mote_world_items(world, MOTE_KIND_ELASTIC);
  if (bodies == 0 || world->fluid.count == 0 || mote_elastic_at(world, 0)->samples.count == 0) return;
  world->coupled[MOTE_KIND_ELASTIC] = world->fluid.coupled + world->fluid.coupled_count;
  for (size_t k = 0; k < bodies; ++k) {
    const mote_elastic_item *item = mote_elastic_at(world, k);
    MOTE_ASSERT(item->samples.count == item->elastic->count);
    mote_kind_couple_rows(world, MOTE_KIND_ELASTIC, mote_elastic_block(world, k), item->samples);
  }
}

// --- Input of the pressure solve ---------------------------------------------------------------------

typedef struct expectation {
  mote_coupled_body *body;
  const double *velocity, *acceleration, *force;
  double dt;
} expectation;

static void expect_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const expectation *e = data;
  for (size_t i = begin; i < end; ++i) {
    mote_coupled_body *body = &e->body[i];
    copy3(e->velocity + 3 * i, body->velocity);
    if (body->inverse_mass == 0.0) continue;  // held: prescribed motion
    step3(body->velocity, e->dt, e->acceleration + 3 * i, body->velocity);
    step3(body->velocity, e->dt * body->inverse_mass, e->force + 3 * i, body->velocity);
  }
}

// The current elastic forces are those at the end of the last implicit step, in balance with the fluid then.
// Damping is left to the step.
mote_result mote_elastic_coupled_expect(mote_world *world, mote_error *error) {
  size_t n = world->elastic_bodies.group.count;
  if (world->coupled[MOTE_KIND_ELASTIC] == NULL) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  MOTE_TAKE_NEW(double, acceleration, &world->scratch, 3 * n, error);
  MOTE_TAKE_NEW(double, force, &world->scratch, 3 * n, error);
  MOTE_TAKE_NEW(double, strain, &world->scratch, 6 * n, error);
  mote_elastic_motion motion = mote_elastic_bodies_motion(world);
  mote_elastic_group_strains(&world->elastic_bodies.group, motion.position, strain);
  motion.before = strain, motion.step = world->dt;
  mote_elastic_group_forces(&world->elastic_bodies.group, &motion, force);
  MOTE_TRY(mote_elastic_accelerations(world, acceleration, NULL, error));
  expectation e = {world->coupled[MOTE_KIND_ELASTIC], motion.velocity, acceleration, force, world->dt};
  mote_parallel_for(world->env.threads, n, PARTICLES_PER_CHUNK, expect_chunk, &e);
  mote_arena_release(&world->scratch, mark);
  return MOTE_OK;
}

void mote_elastic_coupled_take(mote_world *world) {
  const mote_elastic_group *group = &world->elastic_bodies.group;
  const mote_coupled_body *body = world->coupled[MOTE_KIND_ELASTIC];
  for (size_t i = 0, k = 0; body != NULL && i < group->count; ++i) {
    while (i >= group->start[k + 1]) ++k;
    mote_probe_forces_add(world, MOTE_KIND_ELASTIC, k, body[i].impulse);
  }
  mote_kind_take_impulses(world, MOTE_KIND_ELASTIC);
}

void mote_elastic_coupled_spread(mote_world *world, const uint8_t *member, double *acceleration) {
  MOTE_ASSERT(acceleration != NULL || world->elastic_bodies.group.count == 0);
  const mote_elastic_group *group = &world->elastic_bodies.group;
  for (size_t k = 0; k < group->bodies; ++k) {
    if (member[k] != 0)
      mote_kind_spread_impulses(world, MOTE_KIND_ELASTIC, group->start[k], group->start[k + 1], acceleration);
  }
}
