// How long the step is: as long as fluid, colliders and emitters allow, cut such that `until` is met exactly
// and no step is a crumb.
#include "world/stage_time_step.h"

#include "fluid/coupled_body.h"
#include "fluid/time_limit.h"
#include "world/colliders.h"
#include "world/elastic_bodies.h"
#include "world/stages.h"
#include "world/tick_block.h"

#define SAME 1e-9  // steps that differ by less are the same

double mote_fastest_collider(const mote_world *world, double t, double seconds) {
  double fastest = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    double speed = mote_collider_speed(mote_collider_at(world, k), t, seconds);
    if (speed > fastest) fastest = speed;
  }
  return fastest;
}

double mote_fastest_nozzle(const mote_world *world, double t) {
  double fastest = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    double speed = mote_nozzle_speed(mote_emitter_at(world, k)->nozzle, t);
    if (speed > fastest) fastest = speed;
  }
  for (size_t k = 0; k < world->fluid.wets; ++k) {
    double speed = mote_wet_speed(&world->fluid.wet[k]);
    if (speed > fastest) fastest = speed;
  }
  return fastest;
}

// Nothing that the solver does not see moves farther than cfl spacings either.
static double fastest_thing(const mote_world *world, double t, double seconds) {
  double collider = mote_fastest_collider(world, t, seconds), nozzle = mote_fastest_nozzle(world, t);
  double soft = mote_soft_speed(world, t, seconds), most = collider > nozzle ? collider : nozzle;
  return most > soft ? most : soft;
}

static double longest_step(const mote_world *world, double t) {
  const mote_solver_def *solver = &world->def.solver;
  double longest = world->fluid.count > 0 ? mote_fluid_step_limit(&world->fluid) : solver->step_max;
  double speed = fastest_thing(world, t, longest), way = solver->cfl * world->def.spacing;
  if (speed * longest > way) longest = way / speed;
  return longest > solver->step_min ? longest : solver->step_min;
}

mote_result mote_stage_time_step(mote_world *world, mote_error *error) {
  if (mote_tick_block_on(world)) return MOTE_OK;  // known once accelerations are
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME), left = world->until - t;
  double dt = longest_step(world, t) * *mote_state_f64(&world->now, MOTE_WORLD_FACTOR);
  world->lands = dt * (1.0 + SAME) >= left;
  if (world->lands) {
    dt = left;
  } else if (2.0 * dt * (1.0 - SAME) > left) {
    dt = 0.5 * left;
  }
  world->dt = dt;
  if (t + dt > t) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC, "a step of %g s is lost in the time, %g s", dt, t);
}
