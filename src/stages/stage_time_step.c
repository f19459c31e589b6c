// Stage time step: the longest step that fluid, colliders and emitters allow, shortened such that `until`
// is met exactly and the last step is no sliver.
#include "stages/stage_time_step.h"

#include "fluid/coupled_body.h"
#include "fluid/time_limit.h"
#include "kinds/elastic/fracture_bodies.h"
#include "matter/colliders.h"
#include "stages/stages.h"
#include "stages/tick_block.h"

#define STEP_TOLERANCE 1e-9  // rounding: relative; steps that differ by less count as equal

double mote_fastest_collider(const mote_world *world, double t, double seconds) {
  MOTE_ASSERT(seconds >= 0.0);
  double fastest = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    double speed = mote_collider_speed(mote_collider_at(world, k), t, seconds);
    if (speed > fastest) fastest = speed;
  }
  return fastest;
}

double mote_fastest_nozzle(const mote_world *world, double t) {
  MOTE_ASSERT(world->item[MOTE_ITEM_EMITTER].data != NULL || mote_world_items(world, MOTE_ITEM_EMITTER) == 0);
  double fastest = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    double speed = mote_nozzle_speed(mote_emitter_at(world, k)->nozzle, t);
    if (speed > fastest) fastest = speed;
  }
  for (size_t k = 0; k < world->fluid.coupled_count; ++k) {
    double speed = mote_coupled_speed(&world->fluid.coupled[k]);
    if (speed > fastest) fastest = speed;
  }
  return fastest;
}

// Colliders, nozzles and bodies move at most cfl spacings in a step too.
static double fastest_thing(const mote_world *world, double t, double seconds) {
  double most = max2(mote_fastest_collider(world, t, seconds), mote_fastest_nozzle(world, t));
  for (int kind = 0; kind < MOTE_KINDS; ++kind)
    if (world->kind[kind]->speed != NULL) most = max2(most, world->kind[kind]->speed(world, t, seconds));
  return most;
}

static mote_result longest_step(mote_world *world, double t, double *out, mote_error *error) {
  const mote_solver_def *solver = &world->def.solver;
  double longest = world->fluid.count > 0 ? mote_fluid_step_limit(&world->fluid) : solver->step_max;
  double speed = fastest_thing(world, t, longest), distance = solver->cfl * world->def.spacing;
  if (speed * longest > distance) longest = distance / speed;
  longest = min2(longest, mote_fracture_step_limit(world));
  for (int kind = 0; kind < MOTE_KINDS; ++kind)
    if (world->kind[kind]->limit_step != NULL)
      MOTE_TRY(world->kind[kind]->limit_step(world, &longest, error));
  *out = longest > solver->step_min ? longest : solver->step_min;
  return MOTE_OK;
}

mote_result mote_stage_time_step(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->until >= *mote_state_f64(&world->now, MOTE_WORLD_TIME));
  if (mote_tick_block_on(world)) return MOTE_OK;  // set by stage pressure, once accelerations are known
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME), left = world->until - t;
  double dt;
  MOTE_TRY(longest_step(world, t, &dt, error));
  dt *= *mote_state_f64(&world->now, MOTE_WORLD_FACTOR);
  world->lands = dt * (1.0 + STEP_TOLERANCE) >= left;
  if (world->lands) {
    dt = left;
  } else if (2.0 * dt * (1.0 - STEP_TOLERANCE) > left) {
    dt = 0.5 * left;
  }
  world->dt = dt;
  if (t + dt > t) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC, "time step %g s is below the resolution of the time %g s", dt,
                   t);
}
