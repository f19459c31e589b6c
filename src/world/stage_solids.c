// Elastic bodies in a step: what pushes them and what they touch, then steps of the solver, as many as
// stability asks for or one implicit one, and plastic flow. Theory: docs/theory/solids.md
#include <inttypes.h>
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "geom/triple.h"
#include "world/elastic_bodies.h"
#include "world/stages.h"

#define SAFE 0.9        // of the longest stable step
#define STRETCHING 1.1  // by which a particle may be stretched further within a step
#define STEPS_MOST 1e6  // explicit ones in a step
#define SLACK 0.1       // spacings that a particle may go beyond what its speed and outer forces tell

// --- What is held -------------------------------------------------------------------------------------

static double held_speed(const mote_world *world, size_t k, double t, double seconds) {
  const mote_soft_item *item = mote_soft_at(world, k);
  const double *rest = mote_soft_rows(world, MOTE_SOLID_REST, k);
  double most = 0.0;
  for (size_t h = 0; h < item->holds; ++h) {
    if (!mote_motion_moves(item->hold[h].motion)) continue;
    mote_pose before = mote_motion_at(item->hold[h].motion, t),
              after = mote_motion_at(item->hold[h].motion, t + seconds);
    for (size_t i = 0; i < item->elastic->count; ++i) {
      double a[3], b[3];
      if (item->held[i] != h + 1) continue;
      mote_pose_apply(&before, rest + 3 * i, a);
      mote_pose_apply(&after, rest + 3 * i, b);
      most = max2(most, distance3(a, b) / seconds);
    }
  }
  return most;
}

double mote_soft_speed(const mote_world *world, double t, double seconds) {
  const mote_store *store = &world->now.store[MOTE_STATE_SOLIDS];
  double most2 = 0.0, most = 0.0;
  for (size_t i = 0; i < store->count[0]; ++i) {
    const double *v = mote_store_f64(store, MOTE_SOLID_VELOCITY) + 3 * i;
    most2 = max2(most2, dot3(v, v));
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    most = max2(most, held_speed(world, k, t, seconds));
  }
  return max2(most, sqrt(most2));
}

// What is held goes straight to where it will be: with `arrived`, it is there.
static mote_result move_held_of(const mote_world *world, size_t k, bool arrived, mote_error *error) {
  const mote_soft_item *item = mote_soft_at(world, k);
  const double *rest = mote_soft_rows(world, MOTE_SOLID_REST, k);
  double *x = mote_soft_rows(world, MOTE_SOLID_POSITION, k),
         *v = mote_soft_rows(world, MOTE_SOLID_VELOCITY, k);
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  for (size_t h = 0; h < item->holds; ++h) {
    mote_pose pose = mote_motion_at(item->hold[h].motion, t + world->dt);
    if (!mote_pose_is_finite(&pose)) {
      return mote_fail(error, MOTE_ERROR_NUMERIC, "motion of hold %zu of body \"%s\": %g", h + 1, item->name,
                       (double)NAN);
    }
    for (size_t i = 0; i < item->elastic->count; ++i) {
      double to[3];
      if (item->held[i] != h + 1) continue;
      mote_pose_apply(&pose, rest + 3 * i, to);
      if (arrived) copy3(to, x + 3 * i);
      for (int a = 0; a < 3 && !arrived; ++a) v[3 * i + a] = (to[a] - x[3 * i + a]) / world->dt;
    }
  }
  return MOTE_OK;
}

static mote_result move_held(const mote_world *world, bool arrived, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    MOTE_TRY(move_held_of(world, k, arrived, error));
  }
  return MOTE_OK;
}

// --- Steps --------------------------------------------------------------------------------------------

static double *stretch_of(const mote_world *world) {
  return mote_store_f64(&world->now.store[MOTE_STATE_SOFT], MOTE_SOFT_STRETCH);
}

// The longest stable step with body k as stretched as it is and so much more; what touches adds the square of
// its frequency.
static double limit_of(const mote_world *world, size_t k, double more, double touch_rate) {
  const mote_soft_item *item = mote_soft_at(world, k);
  double found = item->pitch.found, bound = item->pitch.bound;
  mote_elastic_pitch both = {sqrt(found * found + touch_rate), sqrt(bound * bound + touch_rate)};
  return mote_elastic_step_limit(item->elastic, &both, more * stretch_of(world)[k]);
}

static double longest_step(const mote_world *world, const uint8_t *member, double more, double touch_rate) {
  double limit = HUGE_VAL;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    if (member[k] != 0) limit = min2(limit, limit_of(world, k, more, touch_rate));
  }
  return limit;
}

static void find_stretches(mote_world *world) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    mote_elastic_motion motion = mote_soft_motion(world, k);
    stretch_of(world)[k] = mote_elastic_stretch(mote_soft_at(world, k)->elastic, &motion);
  }
}

static double steps_of(const mote_world *world, double limit) {
  return ceil(world->dt / (SAFE * *mote_state_f64(&world->now, MOTE_WORLD_FACTOR) * limit));
}

double mote_soft_steps(const mote_world *world, size_t k, double rate) {
  return steps_of(world, limit_of(world, k, STRETCHING, rate));
}

// These bodies as a group of their own, in the arrays of all.
static mote_result group_of(mote_world *world, const uint8_t *member, mote_elastic_group *out,
                            mote_error *error) {
  const mote_elastic_group *all = &world->soft.group;
  *out = *all;
  out->bodies = 0;
  out->body = mote_arena_take(&world->scratch, all->bodies, sizeof *out->body);
  out->start = mote_arena_take(&world->scratch, all->bodies, sizeof *out->start);
  if (out->body == NULL || out->start == NULL)
    return mote_fail_memory(error, all->bodies * sizeof *out->body);
  for (size_t k = 0; k < all->bodies; ++k) {
    if (member[k] == 0) continue;
    out->body[out->bodies] = all->body[k];
    out->start[out->bodies++] = all->start[k];
  }
  return MOTE_OK;
}

static mote_result step_explicit(mote_world *world, const uint8_t *member, double *acceleration,
                                 double *force, mote_error *error) {
  mote_softs *soft = &world->soft;
  mote_elastic_motion motion = mote_softs_motion(world);
  mote_elastic_group group;
  double *rate = mote_arena_take(&world->scratch, soft->group.bodies, sizeof *rate);
  if (rate == NULL) return mote_fail_memory(error, soft->group.bodies * sizeof *rate);
  MOTE_TRY(group_of(world, member, &group, error));
  mote_soft_touch_rates(soft->touch, group.mass, rate);
  double most = 0.0;
  for (size_t k = 0; k < soft->group.bodies; ++k) most = member[k] != 0 ? max2(most, rate[k]) : most;
  double steps = steps_of(world, longest_step(world, member, STRETCHING, most));
  if (!(steps < STEPS_MOST)) {
    return mote_fail(error, MOTE_ERROR_NUMERIC,
                     "%g explicit steps of elastic bodies are needed, at most %g are made; integrator: "
                     "implicit needs one",
                     steps, STEPS_MOST);
  }
  mote_soft_wet_spread(world, member, acceleration);
  mote_soft_touch_soften(soft->touch, world->dt / steps);
  for (double n = 0.0; n < steps; n += 1.0) {
    mote_elastic_explicit_steps(&group, &motion, acceleration, world->dt / steps, force);
  }
  world->report.solid_steps = (int)steps;
  return MOTE_OK;
}

// The others are held where they are: the solver's system is that of all.
static mote_result step_implicit(mote_world *world, const uint8_t *member, const double *acceleration,
                                 double *place, mote_error *error) {
  const mote_elastic_group *group = &world->soft.group;
  mote_elastic_motion motion = mote_softs_motion(world);
  mote_elastic_report did;
  uint8_t *held = mote_arena_take(&world->scratch, group->count, 1);
  if (held == NULL) return mote_fail_memory(error, group->count);
  memcpy(place, motion.position, 3 * group->count * sizeof *place);
  for (size_t k = 0; k < group->bodies; ++k) {
    for (size_t i = group->start[k]; i < group->start[k + 1]; ++i) {
      held[i] = member[k] == 0 || (motion.held != NULL && motion.held[i] != 0);
    }
  }
  motion.held = held;
  MOTE_TRY(mote_elastic_implicit_step(world->soft.implicit, &motion, acceleration, world->dt, &did, error));
  for (size_t k = 0; k < group->bodies; ++k) {
    size_t first = 3 * group->start[k], count = 3 * group->body[k]->count;
    if (member[k] == 0) memcpy(motion.position + first, place + first, count * sizeof *place);
  }
  world->report.solid_newton = did.newton, world->report.solid_products = did.cg;
  world->report.converged = world->report.converged && did.converged;
  return MOTE_OK;
}

// Each kind by itself: they do not touch in this step.
static mote_result step_kinds(mote_world *world, const mote_soft_kinds *kinds, double travel,
                              double *acceleration, double *work, mote_error *error) {
  bool both = kinds->count[0] > 0 && kinds->count[1] > 0;
  world->report.solid_steps = 1;
  for (int implicit = 0; implicit < 2; ++implicit) {
    const uint8_t *member = kinds->is[implicit];
    if (kinds->count[implicit] == 0) continue;
    if (both) MOTE_TRY(mote_soft_meet(world, member, travel, error));
    MOTE_TRY(implicit ? step_implicit(world, member, acceleration, work, error)
                      : step_explicit(world, member, acceleration, work, error));
    MOTE_TRY(mote_soft_leave(world, error));
  }
  return MOTE_OK;
}

static mote_result check(const mote_world *world, const mote_soft_kinds *kinds, mote_error *error) {
  const mote_store *store = &world->now.store[MOTE_STATE_SOLIDS];
  const double *x = mote_store_f64(store, MOTE_SOLID_POSITION),
               *v = mote_store_f64(store, MOTE_SOLID_VELOCITY);
  for (size_t i = 0; i < store->count[0]; ++i) {
    if (finite3(x + 3 * i) && finite3(v + 3 * i)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "position or velocity of elastic particle %" PRIu64 ": %g",
                     mote_store_ids(store)[i], (double)NAN);
  }
  if (kinds->count[0] == 0) return MOTE_OK;
  double own = world->dt / world->report.solid_steps;
  if (own < longest_step(world, kinds->is[0], 1.0, 0.0)) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC,
                   "stretch of elastic bodies within a step, for explicit steps of %g s", own);
}

static void flow(mote_world *world) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    const mote_soft_item *item = mote_soft_at(world, k);
    mote_elastic_motion motion = mote_soft_motion(world, k);
    if (item->flows) (void)mote_elastic_flow(item->elastic, &item->plastic, &motion, world->dt);
  }
}

static double largest_length(const double *x, size_t count) {
  double most2 = 0.0;
  for (size_t i = 0; i < count; ++i) most2 = max2(most2, dot3(x + 3 * i, x + 3 * i));
  return sqrt(most2);
}

mote_result mote_stage_solids(mote_world *world, mote_error *error) {
  size_t n = world->soft.group.count;
  if (n == 0) return MOTE_OK;
  double *acceleration = mote_arena_take(&world->scratch, 3 * n, sizeof *acceleration);
  double *work = mote_arena_take(&world->scratch, 3 * n, sizeof *work);
  if (acceleration == NULL || work == NULL) return mote_fail_memory(error, 6 * n * sizeof *work);
  MOTE_TRY(mote_soft_accelerations(world, acceleration, error));
  MOTE_TRY(move_held(world, false, error));
  const double *v = mote_store_f64(&world->now.store[MOTE_STATE_SOLIDS], MOTE_SOLID_VELOCITY);
  double faster = world->dt * largest_length(acceleration, n);
  double travel = world->dt * (largest_length(v, n) + faster) + SLACK * world->def.spacing;
  mote_soft_kinds kinds;
  MOTE_TRY(mote_soft_meet(world, NULL, travel, error));
  MOTE_TRY(mote_soft_choose(world, &kinds, error));
  MOTE_TRY(step_kinds(world, &kinds, travel, acceleration, work, error));
  MOTE_TRY(move_held(world, true, error));
  flow(world);
  find_stretches(world);
  mote_soft_blows(world);
  MOTE_TRY(check(world, &kinds, error));
  bool renewed = false;
  MOTE_TRY(mote_softs_renew(world, &renewed, error));
  if (renewed) find_stretches(world);
  return MOTE_OK;
}
