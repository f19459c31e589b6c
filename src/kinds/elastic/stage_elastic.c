// Stage of elastic bodies: external accelerations and contacts, then as many explicit steps as stability
// requires or one implicit step, and plastic flow. Theory: docs/theory/elastic.md
#include <inttypes.h>
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/tuning.inc"
#include "matter/bodies.h"
#include "matter/ledger.h"
#include "matter/tuning.inc"

#define EXPLICIT_STEPS_MAX 1e6  // range: per step of the world
#define FACTOR_MIN 0.125        // range: what steps of this part do not solve is taken as it is

// --- Held particles ----------------------------------------------------------------------------------

// Held particles move in a straight line to their final position: sets their velocity, or with `arrived`
// their position.
static mote_result move_held_of(const mote_world *world, size_t k, bool arrived, mote_error *error) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  const double *rest = mote_elastic_rows(world, MOTE_ELASTIC_REST, k);
  double *x = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k),
         *v = mote_elastic_rows(world, MOTE_ELASTIC_VELOCITY, k);
  const uint8_t *hold = mote_elastic_rows(world, MOTE_ELASTIC_HOLD, k);
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  for (size_t h = 0; h < item->holds; ++h) {
    mote_pose pose = mote_motion_at(item->hold[h].motion, t + world->dt);
    if (!mote_pose_is_finite(&pose)) {
      return mote_fail(error, MOTE_ERROR_NUMERIC, "motion of hold %zu of body \"%s\": %g", h + 1, item->name,
                       (double)NAN);
    }
    for (size_t i = 0; i < item->elastic->count; ++i) {
      double to[3];
      if (hold[i] != h + 1) continue;
      mote_pose_apply(&pose, rest + 3 * i, to);
      if (arrived) copy3(to, x + 3 * i);
      for (int a = 0; a < 3 && !arrived; ++a) v[3 * i + a] = (to[a] - x[3 * i + a]) / world->dt;
    }
  }
  return MOTE_OK;
}

static mote_result move_held(const mote_world *world, bool arrived, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    MOTE_TRY(move_held_of(world, k, arrived, error));
  }
  return MOTE_OK;
}

// --- Steps --------------------------------------------------------------------------------------------

// The marked bodies as a group, in the arrays of all.
static mote_result group_of(mote_world *world, const uint8_t *member, mote_elastic_group *out,
                            mote_error *error) {
  const mote_elastic_group *all = &world->elastic_bodies.group;
  *out = *all;
  out->bodies = 0;
  MOTE_TAKE(out->body, &world->scratch, all->bodies, error);
  MOTE_TAKE(out->start, &world->scratch, all->bodies, error);
  for (size_t k = 0; k < all->bodies; ++k) {
    if (member[k] == 0) continue;
    out->body[out->bodies] = all->body[k];
    out->start[out->bodies++] = all->start[k];
  }
  return MOTE_OK;
}

static mote_result step_explicit(mote_world *world, const uint8_t *member, double *acceleration,
                                 double *force, mote_error *error) {
  mote_elastic_motion motion = mote_elastic_bodies_motion(world);
  mote_elastic_group group;
  MOTE_TRY(group_of(world, member, &group, error));
  double steps = mote_elastic_group_step_count(world, member);
  if (!(steps < EXPLICIT_STEPS_MAX)) {
    return mote_fail(error, MOTE_ERROR_NUMERIC,
                     "%g explicit steps of elastic bodies are needed, at most %g are made; integrator: "
                     "implicit needs one",
                     steps, EXPLICIT_STEPS_MAX);
  }
  mote_elastic_coupled_spread(world, member, acceleration);
  for (double n = 0.0; n < steps; n += 1.0) {
    mote_elastic_explicit_steps(&group, &motion, acceleration, world->dt / steps, force);
  }
  world->report.elastic_steps = (int)steps;
  return MOTE_OK;
}

// The other bodies are held in place: the solver's system contains all bodies.
static mote_result step_implicit(mote_world *world, const uint8_t *member,
                                 const mote_elastic_external *external, const double *acceleration, double dt,
                                 double *place, mote_error *error) {
  const mote_elastic_group *group = &world->elastic_bodies.group;
  mote_elastic_motion motion = mote_elastic_bodies_motion(world);
  mote_elastic_report done;
  MOTE_TAKE_NEW(uint8_t, held, &world->scratch, group->count, error);
  memcpy(place, motion.position, 3 * group->count * sizeof *place);
  for (size_t k = 0; k < group->bodies; ++k) {
    for (size_t i = group->start[k]; i < group->start[k + 1]; ++i) {
      held[i] = member[k] == 0 || (motion.held != NULL && motion.held[i] != 0);
    }
  }
  motion.held = held, motion.external = external;
  MOTE_TRY(
      mote_elastic_implicit_step(world->elastic_bodies.implicit, &motion, acceleration, dt, &done, error));
  for (size_t k = 0; k < group->bodies; ++k) {
    size_t first = 3 * group->start[k], count = 3 * group->body[k]->count;
    if (member[k] == 0) memcpy(motion.position + first, place + first, count * sizeof *place);
  }
  if (!done.converged && done.change > NEWTON_CHANGE_MAX * world->def.spacing && world->has_frame &&
      *mote_state_tries(&world->now) < MOTE_STEP_TRIES &&
      *mote_state_f64(&world->now, MOTE_WORLD_FACTOR) > FACTOR_MIN) {
    return mote_fail(error, MOTE_ERROR_NUMERIC,
                     "the implicit step of elastic bodies is not solved: its last change was %g m",
                     done.change);
  }
  world->report.elastic_newton += done.newton, world->report.elastic_products += done.cg;
  world->report.converged = world->report.converged && done.converged;
  return MOTE_OK;
}

// Steps each kind separately: bodies of different kinds have no contact in this step.
static mote_result step_kinds(mote_world *world, mote_elastic_tick *tick, mote_error *error) {
  const mote_elastic_integrators *kinds = &tick->kinds;
  mote_elastic_contact *contact = world->elastic_bodies.contact;
  bool both = kinds->count[0] > 0 && kinds->count[1] > 0;
  world->report.elastic_steps = 1;
  for (int implicit = 0; implicit < 2; ++implicit) {
    const uint8_t *member = kinds->is[implicit];
    if (kinds->count[implicit] == 0) continue;
    if (both) MOTE_TRY(mote_elastic_contact_stage_begin(world, member, tick->travel, false, error));
    MOTE_TRY(implicit ? step_implicit(world, member, &contact->external, tick->acceleration, world->dt,
                                      tick->work, error)
                      : step_explicit(world, member, tick->acceleration, tick->work, error));
    MOTE_TRY(mote_elastic_contact_stage_end(world, contact, error));
  }
  return MOTE_OK;
}

static mote_result check(const mote_world *world, const mote_elastic_integrators *kinds, mote_error *error) {
  const double *x = mote_elastic_positions(world), *v = mote_elastic_velocities(world);
  for (size_t i = 0; i < mote_world_elastic_rows(world); ++i) {
    if (finite3(x + 3 * i) && finite3(v + 3 * i)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "position or velocity of elastic particle %" PRIu64 ": %g",
                     mote_elastic_ids(world)[i], (double)NAN);
  }
  if (kinds->count[0] == 0) return MOTE_OK;
  double own = world->dt / world->report.elastic_steps;
  if (own < mote_elastic_longest_step(world, kinds->is[0])) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC,
                   "stretch of elastic bodies within a step, for explicit steps of %g s", own);
}

static void flow(mote_world *world) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    const mote_elastic_item *item = mote_elastic_at(world, k);
    mote_elastic_motion motion = mote_elastic_body_motion(world, k);
    if (item->flows) (void)mote_elastic_flow(item->elastic, &item->plastic, &motion, world->dt);
  }
}

static double largest_length(const double *x, size_t count) {
  double most2 = 0.0;
  for (size_t i = 0; i < count; ++i) most2 = max2(most2, dot3(x + 3 * i, x + 3 * i));
  return sqrt(most2);
}

typedef struct load_work {
  const double *mass, *x, *start, *loads;
} load_work;

static void work_rows(void *data, size_t begin, size_t end, double *term) {
  const load_work *w = data;
  for (size_t i = begin; i < end; ++i, ++term) {
    double moved[3];
    sub3(w->x + 3 * i, w->start + 3 * i, moved);
    *term = w->mass[i] * dot3(w->loads + 3 * i, moved);
  }
}

// Loads are constant within a step, so this is their work.
static void book_loads(mote_world *world, const double *loads, const double *start) {
  load_work w = {world->elastic_bodies.group.mass, mote_elastic_positions(world), start, loads};
  double work;
  mote_parallel_sum(world->env.threads, world->elastic_bodies.group.count, 1, work_rows, &w, &work);
  *mote_ledger_value(world, MOTE_LEDGER_WORK_LOADS) += work;
}

// --- The stage ---------------------------------------------------------------------------------------

mote_result mote_elastic_tick_begin(mote_world *world, mote_elastic_tick *tick, mote_error *error) {
  MOTE_ASSERT(world->elastic_bodies.group.count == mote_world_elastic_rows(world));
  size_t n = world->elastic_bodies.group.count;
  *tick = (mote_elastic_tick){0};
  MOTE_TAKE(tick->acceleration, &world->scratch, 3 * n, error);
  MOTE_TAKE(tick->work, &world->scratch, 3 * n, error);
  if (mote_ledger_value(world, MOTE_LEDGER_WORK_LOADS) != NULL) {
    MOTE_TAKE(tick->loads, &world->scratch, 6 * n, error);
    tick->start = tick->loads + 3 * n;
    memcpy(tick->start, mote_elastic_positions(world), 3 * n * sizeof *tick->start);
  }
  MOTE_TRY(mote_elastic_accelerations(world, tick->acceleration, tick->loads, error));
  MOTE_TRY(move_held(world, false, error));
  const double *v = mote_elastic_velocities(world);
  double faster = world->dt * largest_length(tick->acceleration, n);
  tick->travel = world->dt * (largest_length(v, n) + faster) + MOTE_TRAVEL_SLACK * world->def.spacing;
  if (isfinite(tick->travel)) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC, "distance of elastic particles in a step: %g m", tick->travel);
}

mote_result mote_elastic_tick_step(mote_world *world, mote_elastic_tick *tick, const uint8_t *member,
                                   mote_error *error) {
  MOTE_TRY(mote_elastic_contact_stage_begin(world, member, tick->travel, true, error));
  MOTE_TRY(mote_elastic_integrators_choose(world, member, &tick->kinds, error));
  return step_kinds(world, tick, error);
}

mote_result mote_elastic_tick_implicit(mote_world *world, mote_elastic_tick *tick, const uint8_t *member,
                                       const mote_elastic_external *external, double dt, mote_error *error) {
  MOTE_ASSERT(dt > 0.0);
  return step_implicit(world, member, external, tick->acceleration, dt, tick->work, error);
}

void mote_elastic_tick_forces(const mote_world *world, const uint8_t *member, double *force) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    mote_elastic_motion motion = mote_elastic_body_motion(world, k);
    size_t first = 3 * world->elastic_bodies.group.start[k];
    if (member[k] != 0) mote_elastic_forces(mote_elastic_at(world, k)->elastic, &motion, force + first);
  }
}

void mote_elastic_tick_kick(const mote_world *world, const uint8_t *member, const mote_elastic_kick *kick) {
  const mote_elastic_group *all = &world->elastic_bodies.group;
  double *v = mote_elastic_velocities(world);
  for (size_t k = 0; k < all->bodies; ++k) {
    for (size_t i = all->start[k]; i < all->start[k + 1] && member[k] != 0; ++i) {
      if (kick->held[i] != 0) continue;
      step3(v + 3 * i, kick->dt / all->mass[i], kick->force + 3 * i, v + 3 * i);
      step3(v + 3 * i, kick->dt, kick->acceleration + 3 * i, v + 3 * i);
    }
  }
}

void mote_elastic_tick_drift(const mote_world *world, const uint8_t *member, double dt) {
  const mote_elastic_group *all = &world->elastic_bodies.group;
  double *x = mote_elastic_positions(world);
  const double *v = mote_elastic_velocities(world);
  for (size_t k = 0; k < all->bodies; ++k) {
    for (size_t c = 3 * all->start[k]; c < 3 * all->start[k + 1] && member[k] != 0; ++c) x[c] += dt * v[c];
  }
}

mote_result mote_elastic_tick_end(mote_world *world, mote_elastic_tick *tick, mote_error *error) {
  MOTE_TRY(move_held(world, true, error));
  if (tick->loads != NULL) book_loads(world, tick->loads, tick->start);
  flow(world);
  mote_elastic_bodies_find_stretches(world);
  MOTE_TRY(mote_elastic_fluid_impulses(world, error));
  MOTE_TRY(check(world, &tick->kinds, error));
  bool renewed = false;
  MOTE_TRY(mote_elastic_bodies_renew_references(world, &renewed, error));
  if (renewed) mote_elastic_bodies_find_stretches(world);
  return MOTE_OK;
}

mote_result mote_elastic_bodies_step(mote_world *world, mote_error *error) {
  mote_elastic_tick tick;
  if (mote_world_elastic_rows(world) == 0 || mote_world_lattice_rows(world) > 0) return MOTE_OK;
  MOTE_TRY(mote_elastic_tick_begin(world, &tick, error));
  MOTE_TRY(mote_elastic_tick_step(world, &tick, NULL, error));
  return mote_elastic_tick_end(world, &tick, error);
}
