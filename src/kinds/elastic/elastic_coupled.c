// Coupling of elastic bodies to fluids: see elastic_bodies.h. The fluid's side: fluid/coupled_body.h. Theory:
// docs/theory/elastic.md, "Fluids"
#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "matter/probe_forces.h"

#define PARTICLES_PER_CHUNK 1024

static bool is_coupled(const mote_world *world) {
  return world->elastic_bodies.group.count > 0 && world->fluid.count > 0 &&
         mote_elastic_at(world, 0)->samples.count > 0;
}

mote_coupled_body *mote_elastic_coupled_bodies(const mote_world *world) {
  return is_coupled(world) ? world->elastic_bodies.coupled : NULL;
}

void mote_elastic_couple(mote_world *world) {
  MOTE_ASSERT(world->fluid.coupled != NULL || world->fluid.coupled_count == 0);
  mote_fluid *fluid = &world->fluid;
  if (!is_coupled(world)) return;
  world->elastic_bodies.coupled = fluid->coupled + fluid->coupled_count;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    const mote_elastic_item *item = mote_elastic_at(world, k);
    const double *x = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k),
                 *v = mote_elastic_rows(world, MOTE_ELASTIC_VELOCITY, k);
    const uint8_t *hold = mote_elastic_rows(world, MOTE_ELASTIC_HOLD, k);
    MOTE_ASSERT(item->samples.count == item->elastic->count);
    MOTE_ASSERT(mote_world_store(world)->block[mote_elastic_block(world, k)].count == item->elastic->count);
    mote_boundary_set_positions(world->boundary, item->samples, x, v);
    for (size_t i = 0; i < item->elastic->count; ++i) {
      bool held = hold[i] != 0;
      mote_coupled_body *body = &fluid->coupled[fluid->coupled_count++];
      *body = (mote_coupled_body){.samples = {true, item->samples.first + i, 1},
                                  .inverse_mass = held ? 0.0 : 1.0 / item->elastic->mass[i]};
      copy3(x + 3 * i, body->x);
      copy3(v + 3 * i, body->velocity);
    }
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
  if (!is_coupled(world)) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  MOTE_TAKE_NEW(double, acceleration, &world->scratch, 3 * n, error);
  MOTE_TAKE_NEW(double, force, &world->scratch, 3 * n, error);
  MOTE_TAKE_NEW(double, strain, &world->scratch, 6 * n, error);
  mote_elastic_motion motion = mote_elastic_bodies_motion(world);
  mote_elastic_group_strains(&world->elastic_bodies.group, motion.position, strain);
  motion.before = strain, motion.step = world->dt;
  mote_elastic_group_forces(&world->elastic_bodies.group, &motion, force);
  MOTE_TRY(mote_elastic_accelerations(world, acceleration, NULL, error));
  expectation e = {mote_elastic_coupled_bodies(world), motion.velocity, acceleration, force, world->dt};
  mote_parallel_for(world->env.threads, n, PARTICLES_PER_CHUNK, expect_chunk, &e);
  mote_arena_release(&world->scratch, mark);
  return MOTE_OK;
}

void mote_elastic_coupled_take(mote_world *world) {
  MOTE_ASSERT(world->fluid.coupled != NULL || world->fluid.coupled_count == 0);
  const mote_elastic_group *group = &world->elastic_bodies.group;
  double *v = mote_elastic_velocities(world);
  if (!is_coupled(world)) return;
  for (size_t i = 0, k = 0; i < group->count; ++i) {
    mote_coupled_body *body = mote_elastic_coupled_bodies(world) + i;
    while (i >= group->start[k + 1]) ++k;
    mote_probe_forces_add_elastic(world, k, body->impulse);
    step3(v + 3 * i, body->inverse_mass, body->impulse, v + 3 * i);
    step3(body->given, 1.0, body->impulse, body->given);
    set3(0.0, 0.0, 0.0, body->impulse);
    set3(0.0, 0.0, 0.0, body->twist);
  }
}

void mote_elastic_coupled_spread(mote_world *world, const uint8_t *member, double *acceleration) {
  MOTE_ASSERT(acceleration != NULL || world->elastic_bodies.group.count == 0);
  const mote_elastic_group *group = &world->elastic_bodies.group;
  double *v = mote_elastic_velocities(world);
  if (!is_coupled(world)) return;
  for (size_t k = 0; k < group->bodies; ++k) {
    for (size_t i = group->start[k]; member[k] != 0 && i < group->start[k + 1]; ++i) {
      mote_coupled_body *body = mote_elastic_coupled_bodies(world) + i;
      step3(v + 3 * i, -body->inverse_mass, body->given, v + 3 * i);
      step3(acceleration + 3 * i, body->inverse_mass / world->dt, body->given, acceleration + 3 * i);
    }
  }
}
