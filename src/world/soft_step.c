// Elastic bodies in a step: gravity, force fields and loads, then steps of the solver, as many as stability
// asks for or one implicit one, and plastic flow. Theory: docs/theory/solids.md
#include <inttypes.h>
#include <math.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "world/soft_body.h"
#include "world/stages.h"

#define SAFE 0.9        // of the longest stable step
#define STRETCHING 1.1  // by which a particle may be stretched further within a step

// --- Motion -------------------------------------------------------------------------------------------

mote_elastic_motion mote_soft_motion(const mote_world *world, size_t k) {
  const mote_soft_item *item = mote_soft_at(world, k);
  return (mote_elastic_motion){.position = mote_soft_rows(world, MOTE_SOLID_POSITION, k),
                               .velocity = mote_soft_rows(world, MOTE_SOLID_VELOCITY, k),
                               .plastic = item->flows ? mote_soft_rows(world, MOTE_SOLID_PLASTIC, k) : NULL,
                               .held = item->held};
}

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
static mote_result move_held(const mote_world *world, size_t k, bool arrived, mote_error *error) {
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

// --- Forces -------------------------------------------------------------------------------------------

static mote_result add_fields(mote_world *world, size_t k, double *acceleration, mote_error *error) {
  const mote_soft_item *item = mote_soft_at(world, k);
  size_t n = item->elastic->count;
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  float *push = mote_arena_take(&world->scratch, 3 * n, sizeof *push);
  if (push == NULL) return mote_fail_memory(error, 3 * n * sizeof *push);
  for (size_t f = 0; f < mote_world_items(world, MOTE_ITEM_FORCE); ++f) {
    const mote_force_item *force = mote_force_at(world, f);
    if (!mote_field_force_acts(force->force, t)) continue;
    for (size_t c = 0; c < 3 * n; ++c) push[c] = 0.0f;
    size_t bad = mote_field_force_add(force->force, t, n, mote_soft_rows(world, MOTE_SOLID_POSITION, k), push,
                                      world->env.threads);
    if (bad != SIZE_MAX) {
      return mote_fail(error, MOTE_ERROR_NUMERIC, "force field \"%s\" at particle %zu of body \"%s\": %g",
                       force->name, bad, item->name, (double)NAN);
    }
    for (size_t c = 0; c < 3 * n; ++c) acceleration[c] += (double)push[c];
  }
  return MOTE_OK;
}

static mote_result add_loads(mote_world *world, size_t k, double *acceleration, mote_error *error) {
  const mote_soft_item *item = mote_soft_at(world, k);
  size_t n = item->elastic->count;
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  for (size_t l = 0; l < item->loads; ++l) {
    double a[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < world->def.dimensions; ++c) {
      a[c] = mote_quantity_at(&item->load[l].force[c], &t) / item->load[l].mass;
    }
    if (!finite3(a)) {
      return mote_fail(error, MOTE_ERROR_NUMERIC, "load %zu of body \"%s\": %g", l + 1, item->name,
                       (double)NAN);
    }
    for (size_t i = 0; i < n; ++i) {
      if (item->loaded[l * n + i] != 0) step3(acceleration + 3 * i, 1.0, a, acceleration + 3 * i);
    }
  }
  return MOTE_OK;
}

static mote_result find_acceleration(mote_world *world, size_t k, double *acceleration, mote_error *error) {
  for (size_t i = 0; i < mote_soft_at(world, k)->elastic->count; ++i) {
    copy3(world->def.gravity, acceleration + 3 * i);
  }
  MOTE_TRY(add_fields(world, k, acceleration, error));
  return add_loads(world, k, acceleration, error);
}

// --- Steps --------------------------------------------------------------------------------------------

// How far the particles are stretched at most: by s^2 <= 1 + 2 |strain|.
static double find_stretch(mote_world *world, size_t k, double *strain) {
  mote_elastic *body = mote_soft_at(world, k)->elastic;
  double most = 0.0;
  mote_elastic_strains(body, mote_soft_rows(world, MOTE_SOLID_POSITION, k), strain);
  for (size_t i = 0; i < body->count; ++i) {
    double size = mote_strain_size(strain + 6 * i);
    if (!(size <= most)) most = size;  // also what is no number
  }
  return sqrt(1.0 + 2.0 * most);
}

static void step_explicit(mote_world *world, size_t k, const double *acceleration, double *force,
                          double *longest) {
  const mote_soft_item *item = mote_soft_at(world, k);
  mote_elastic_motion motion = mote_soft_motion(world, k);
  double stretch = mote_store_f64(&world->now.store[MOTE_STATE_SOFT], MOTE_SOFT_STRETCH)[k];
  double limit = SAFE * *mote_state_f64(&world->now, MOTE_WORLD_FACTOR) *
                 mote_elastic_step_limit(item->elastic, &item->pitch, STRETCHING * stretch);
  double steps = ceil(world->dt / limit);
  *longest = world->dt / steps;
  for (double n = 0.0; n < steps; n += 1.0) {
    mote_elastic_explicit_step(item->elastic, &motion, acceleration, *longest, force);
  }
  world->report.solid_steps += (int)min2(steps, 1e9);
}

static mote_result step_implicit(mote_world *world, size_t k, const double *acceleration, mote_error *error) {
  const mote_soft_item *item = mote_soft_at(world, k);
  mote_elastic_motion motion = mote_soft_motion(world, k);
  mote_elastic_report did;
  MOTE_TRY(mote_elastic_implicit_step(item->implicit, &motion, acceleration, world->dt, &did, error));
  world->report.solid_steps += 1;
  world->report.solid_newton += did.newton, world->report.solid_products += did.cg;
  world->report.converged = world->report.converged && did.converged;
  return MOTE_OK;
}

static mote_result check(const mote_world *world, size_t k, double longest, double stretch,
                         mote_error *error) {
  const mote_soft_item *item = mote_soft_at(world, k);
  const double *x = mote_soft_rows(world, MOTE_SOLID_POSITION, k),
               *v = mote_soft_rows(world, MOTE_SOLID_VELOCITY, k);
  for (size_t i = 0; i < item->elastic->count; ++i) {
    if (finite3(x + 3 * i) && finite3(v + 3 * i)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "position or velocity of particle %zu of body \"%s\": %g", i,
                     item->name, (double)NAN);
  }
  if (longest < mote_elastic_step_limit(item->elastic, &item->pitch, stretch)) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC, "stretch of body \"%s\", for explicit steps of %.3g s: %g",
                   item->name, longest, stretch);
}

static mote_result step_body(mote_world *world, size_t k, mote_error *error) {
  const mote_soft_item *item = mote_soft_at(world, k);
  size_t n = item->elastic->count;
  double longest = 0.0, *acceleration = mote_arena_take(&world->scratch, 3 * n, sizeof *acceleration);
  double *work = mote_arena_take(&world->scratch, 6 * n, sizeof *work);
  if (acceleration == NULL || work == NULL) return mote_fail_memory(error, 9 * n * sizeof *work);
  MOTE_TRY(find_acceleration(world, k, acceleration, error));
  MOTE_TRY(move_held(world, k, false, error));
  if (item->implicit != NULL) {
    MOTE_TRY(step_implicit(world, k, acceleration, error));
  } else {
    step_explicit(world, k, acceleration, work, &longest);
  }
  MOTE_TRY(move_held(world, k, true, error));
  mote_elastic_motion motion = mote_soft_motion(world, k);
  if (item->flows) (void)mote_elastic_flow(item->elastic, &item->plastic, &motion, world->dt);
  double stretch = find_stretch(world, k, work);
  mote_store_f64(&world->now.store[MOTE_STATE_SOFT], MOTE_SOFT_STRETCH)[k] = stretch;
  return check(world, k, longest, stretch, error);
}

mote_result mote_stage_solids(mote_world *world, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    mote_arena_mark mark = mote_arena_here(&world->scratch);
    mote_result result = step_body(world, k, error);
    mote_arena_release(&world->scratch, mark);
    if (result != MOTE_OK) return result;
  }
  return MOTE_OK;
}
