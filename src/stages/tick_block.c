// Blocks and ticks: see tick_block.h and docs/theory/time_steps.md.
#include "stages/tick_block.h"

#include "stages/stage_time_step.h"

bool mote_tick_block_possible(const mote_state *state) {
  MOTE_ASSERT(state->tables >= MOTE_TABLES);
  double begin = *mote_state_f64(state, MOTE_WORLD_BLOCK_BEGIN);
  double end = *mote_state_f64(state, MOTE_WORLD_BLOCK_END);
  return end >= begin && end - begin < HUGE_VAL &&
         *mote_state_u64(state, MOTE_WORLD_BLOCK_AT) < MOTE_STEPS_BLOCK;
}

static mote_individual_steps bind_steps(mote_world *world) {
  const mote_store *store = mote_world_store(world);
  bool layers = store->count[MOTE_GROUP_STEPPED_LAYERS] > 0;
  return (mote_individual_steps){
      .level = mote_store_u8(store, MOTE_PARTICLE_LEVEL),
      .surface = mote_store_u8(store, MOTE_PARTICLE_SURFACE),
      .kick = mote_store_f32(store, MOTE_PARTICLE_KICK),
      .density = mote_store_f32(store, MOTE_PARTICLE_CROWDING),
      .rate = mote_store_f32(store, MOTE_PARTICLE_RATE),
      .slope = layers ? mote_store_f32(store, MOTE_PARTICLE_SLOPE) : NULL,
      .drift = mote_store_f32(store, MOTE_PARTICLE_VELOCITY),
      .position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
      .wall_distance = mote_store_f32(store, MOTE_PARTICLE_WALL_DISTANCE),
  };
}

// A block that would end after `until` is cut short.
static void enter_block(mote_world *world, mote_individual_steps *s) {
  double begin = *mote_state_f64(&world->now, MOTE_WORLD_BLOCK_BEGIN);
  double end = *mote_state_f64(&world->now, MOTE_WORLD_BLOCK_END);
  s->at = *mote_state_u64(&world->now, MOTE_WORLD_BLOCK_AT);
  s->length = end - begin;
  s->cut = s->at > 0 && end > world->until;
  s->together = s->at == 0 || s->cut;
  s->last = *mote_state_f64(&world->now, MOTE_WORLD_LENGTH);
  s->left = world->until - *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  s->factor = *mote_state_f64(&world->now, MOTE_WORLD_FACTOR);
}

// Limits ticks, and the steps of particles near moving colliders, such that no collider passes a particle
// unseen.
static mote_result limit_by_things(mote_world *world, mote_individual_steps *s, mote_error *error) {
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME), seconds = world->fluid.solver.step_max;
  double distance = world->def.solver.cfl * world->def.spacing;
  double tool = mote_fastest_collider(world, t, seconds), nozzle = mote_fastest_nozzle(world, t);
  double speed = tool > nozzle ? tool : nozzle;
  s->longest = speed > 0.0 ? distance / speed : HUGE_VAL;
  s->longest_near_walls = tool > 0.0 ? distance / tool : HUGE_VAL;
  if (!(tool > 0.0) || world->boundary == NULL) return MOTE_OK;
  MOTE_TAKE(s->near_moving_walls, &world->scratch, world->fluid.count, error);
  return mote_boundary_near_moving(world->boundary, &world->fluid, s->near_moving_walls, error);
}

mote_result mote_tick_block_begin(mote_world *world, mote_error *error) {
  MOTE_ASSERT(mote_world_stepped(world));
  world->steps = bind_steps(world);
  enter_block(world, &world->steps);
  MOTE_TRY(limit_by_things(world, &world->steps, error));
  world->fluid.steps = &world->steps;
  return mote_individual_steps_begin(&world->fluid, error);
}

void mote_tick_block_take(mote_world *world) {
  MOTE_ASSERT(mote_world_stepped(world));
  mote_individual_steps *s = &world->steps;
  double *begin = mote_state_f64(&world->now, MOTE_WORLD_BLOCK_BEGIN);
  double *end = mote_state_f64(&world->now, MOTE_WORLD_BLOCK_END);
  mote_individual_steps_tick(s);
  if (s->together) {
    *begin = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
    *end = s->length < s->left ? *begin + s->length : world->until;
    *mote_state_u64(&world->now, MOTE_WORLD_BLOCK_AT) = 0;
  }
  world->dt = s->step;
  *mote_state_u64(&world->now, MOTE_WORLD_EVALUATED) += world->fluid.active_count;
  *mote_state_u64(&world->now, MOTE_WORLD_EVALUATED_ALL) += world->fluid.count;
}

double mote_tick_block_end(mote_world *world) {
  MOTE_ASSERT(mote_world_stepped(world));
  double begin = *mote_state_f64(&world->now, MOTE_WORLD_BLOCK_BEGIN);
  double end = *mote_state_f64(&world->now, MOTE_WORLD_BLOCK_END);
  uint64_t *at = mote_state_u64(&world->now, MOTE_WORLD_BLOCK_AT);
  *at += world->steps.tick;
  double time = begin + (end - begin) * ((double)*at / (double)MOTE_STEPS_BLOCK);
  if (*at < MOTE_STEPS_BLOCK) return time;
  *at = 0;
  return end;
}
