// A step, stage by stage: the map of the program. No stage calls another; stages.h says what each reads and
// writes. What happens when one fails: retry.c.
#include "world/step.h"

#include <math.h>

#include "base/clock.h"
#include "kinds/elastic/fracture_bodies.h"
#include "kinds/elastic/inversion_watch.h"
#include "kinds/fluid/compression_watch.h"
#include "kinds/rigid/body_watch.h"
#include "matter/bodies.h"
#include "matter/hand.h"
#include "matter/kind.h"
#include "matter/ledger.h"
#include "matter/probe_forces.h"
#include "matter/world_track.h"
#include "stages/stages.h"
#include "stages/tick_block.h"
#include "world/initial_relaxation.h"
#include "world/prepare_world.h"
#include "world/retry.h"

typedef struct stage {
  const char *name;
  mote_stage *run;
  int entry;  // of the energy ledger, for the change that the stage has not booked itself
} stage;

static const stage stages[] = {
    {"sort", mote_stage_sort, MOTE_LEDGER_NONE},                    // rows by (cell, id)
    {"search", mote_stage_search, MOTE_LEDGER_MOVE},                // neighbours, densities, walls
    {"divergence", mote_stage_divergence, MOTE_LEDGER_DIVERGENCE},  // DFSPH: velocities without compression
    {"forces", mote_stage_forces, MOTE_LEDGER_NONE},                // accelerations of fluids
    {"time step", mote_stage_time_step, MOTE_LEDGER_NONE},          // length of the step
    {"heat", mote_stage_heat, MOTE_LEDGER_NONE},                    // enthalpies and temperatures
    {"pressure", mote_stage_pressure, MOTE_LEDGER_PRESSURE},        // forces applied, then pressure
    {"nozzles", mote_stage_nozzles, MOTE_LEDGER_NOZZLES},           // velocities of particles inside nozzles
    {NULL, NULL, MOTE_LEDGER_NONE},  // bodies of each kind (matter/kind.h): forces, contacts, positions
    {"move", mote_stage_move, MOTE_LEDGER_MOVE},              // positions
    {"collide", mote_stage_collide, MOTE_LEDGER_WRAP},        // particles out of walls and colliders
    {"phase", mote_stage_phase, MOTE_LEDGER_WRAP},            // melting and freezing
    {"surface", mote_stage_surface, MOTE_LEDGER_NONE},        // tracked mesh
    {"fracture", mote_fracture_step, MOTE_LEDGER_DEFORMING},  // cracks and fragments of elastic bodies
    {"emit", mote_stage_emit, MOTE_LEDGER_EMIT},              // new particles
    {"leave", mote_stage_leave, MOTE_LEDGER_LEAVE},           // particles that leave
    {"check", mote_stage_check, MOTE_LEDGER_NONE},            // NaN, speed limit, gain of energy
};

// Fluids, the first kind of the table, have the other stages.
enum { LINES = sizeof stages / sizeof *stages, KINDS = MOTE_KINDS - 1 };
enum { STAGES = LINES - 1 + KINDS, MEASURING = 2 };
_Static_assert(STAGES <= MOTE_STAGES_MAX, "capacity for the times of all stages");

// Kinds step in the opposite order of the table: rigid bodies take the impulses of the others.
static stage stage_at(const mote_world *world, int k) {
  int line = 0;
  while (line < k && stages[line].run != NULL) ++line;
  if (stages[line].run != NULL) return stages[line];
  if (k >= line + KINDS) return stages[k - KINDS + 1];
  const mote_kind_row *row = world->kinds[MOTE_KINDS - 1 - (k - line)];
  return (stage){row->name, row->step, row->ledger};
}

// Runs the first `count` stages; world->stage is then the one that failed, if any.
static mote_result run_stages(mote_world *world, int count, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = MOTE_OK;
  ++world->generation;
  world->report = (mote_step_report){.converged = true};
  for (int k = 0; k < count && result == MOTE_OK; ++k) {
    double begin = mote_clock_seconds();
    stage now = stage_at(world, k);
    world->stage = k;
    result = now.run(world, error);
    if (result == MOTE_OK && k == 0) mote_ledger_begin(world);
    if (result == MOTE_OK) mote_ledger_book(world, now.entry);
    world->seconds[k] += mote_clock_seconds() - begin;
  }
  mote_arena_release(&world->scratch, mark);
  mote_arena_settle(&world->scratch);
  world->contacts.before = NULL, world->contacts.velocity_before = NULL, world->contacts.pressed = NULL;
  world->contacts.met = NULL;
  return result;
}

// Invariants between steps, also after a failed one.
static void check_invariants(const mote_world *world) {
  for (size_t t = 0; t < world->now.tables; ++t) {
    mote_store_check(&world->now.store[t]);
    mote_store_check_ids(&world->now.store[t]);
  }
  mote_bodies_check(world);
  mote_arena_check(&world->scratch);
}

mote_result mote_step_measure(mote_world *world, mote_error *error) {
  MOTE_TRY(mote_world_make_ready(world, error));
  return world->measured ? MOTE_OK : run_stages(world, MEASURING, error);
}

// The tracked surface is made of sorted rows: sums must not depend on whether the world was measured before.
static mote_result begin_surface(mote_world *world, mote_error *error) {
  if (world->track == NULL || mote_world_track_begun(world)) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  ++world->generation;
  mote_result result = mote_stage_sort(world, error);
  mote_arena_release(&world->scratch, mark);
  return result == MOTE_OK ? mote_world_track_begin(world, error) : result;
}

mote_result mote_step_begin_surface(mote_world *world, mote_error *error) {
  MOTE_TRY(mote_world_make_ready(world, error));
  return begin_surface(world, error);
}

// One step, not beyond `until`. On failure the state is that of the middle of a step: the caller restores it.
static mote_result run_step(mote_world *world, double until, mote_error *error) {
  MOTE_TRY(mote_world_make_ready(world, error));
  MOTE_TRY(begin_surface(world, error));
  MOTE_TRY(mote_initial_relaxation(world, error));
  MOTE_TRY(mote_probe_forces_begin(world, error));
  mote_hand_begin_step(world);
  world->until = until;
  world->stepping = true;
  mote_result result = run_stages(world, STAGES, error);
  world->stepping = false;
  if (result != MOTE_OK) return result;
  double *time = mote_state_f64(&world->now, MOTE_WORLD_TIME);
  if (mote_tick_block_on(world)) {
    *time = mote_tick_block_end(world);
  } else {
    *time = world->lands ? until : *time + world->dt;
  }
  *mote_state_f64(&world->now, MOTE_WORLD_LENGTH) = world->dt;
  ++*mote_state_u64(&world->now, MOTE_WORLD_STEP);
  world->report.step = world->dt;
  mote_compression_watch_step(world, *time == until);
  if (*time == until) mote_inversion_watch_frame(world);
  mote_body_watch_step(world, *time == until);
  check_invariants(world);
  return MOTE_OK;
}

static mote_result check_until(const mote_world *world, double until, mote_error *error) {
  if (world == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "world must not be NULL");
  if (!isfinite(until))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "until must be finite, but is %g", until);
  if (until >= mote_world_time(world)) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "%g s is in the past: the world is at %g s", until,
                   mote_world_time(world));
}

mote_result mote_world_step(mote_world *world, double until, mote_error *error) {
  MOTE_TRY(check_until(world, until, error));
  if (until <= mote_world_time(world)) return MOTE_OK;
  MOTE_TRY(mote_retry_enter_frame(world, until, error));
  mote_error why;
  mote_result result = run_step(world, until, &why);
  if (result != MOTE_OK) result = mote_retry_handle_failure(world, &why, error);
  world->report.tries = (int)*mote_state_tries(&world->now);
  return result;
}

mote_result mote_world_advance(mote_world *world, double until, mote_error *error) {
  MOTE_TRY(check_until(world, until, error));
  while (mote_world_time(world) < until) MOTE_TRY(mote_world_step(world, until, error));
  return MOTE_OK;
}

const char *mote_step_stage(const mote_world *world) {
  MOTE_ASSERT(world->stage >= 0 && world->stage < STAGES);
  return stage_at(world, world->stage).name;
}

int mote_world_stages(const mote_world *world) {
  (void)world;
  return STAGES;
}

const char *mote_world_stage(const mote_world *world, int k, double *seconds) {
  if (k < 0 || k >= STAGES) return NULL;
  if (seconds != NULL) *seconds = world->seconds[k];
  return stage_at(world, k).name;
}
