// Stage forces: accelerations of fluids by gravity, explicit viscosity, surface tension, force fields. Stage
// pressure applies them. Writes acceleration, and the speed of sound of solvers that have none of their own.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "fluid/tension.h"
#include "fluid/viscosity.h"
#include "material/fluid_law.h"
#include "matter/body_forces.h"
#include "matter/ledger.h"
#include "matter/watchdog.h"
#include "matter/world_track.h"
#include "stages/stages.h"

typedef struct adding {
  float *acceleration, *field;
} adding;

// Accelerations by force fields, in scratch memory; null where none acts.
static mote_result take_fields(mote_world *world, double t, float **out, mote_error *error) {
  const mote_fluid *fluid = &world->fluid;
  *out = NULL;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_FORCE); ++k) {
    const mote_force_item *item = mote_force_at(world, k);
    if (!mote_field_force_acts(item->force, t)) continue;
    if (*out == NULL) {
      MOTE_TAKE(*out, &world->scratch, 3 * fluid->count, error);
      memset(*out, 0, 3 * fluid->count * sizeof **out);
    }
    size_t bad =
        mote_field_force_add(item->force, t, fluid->count, fluid->position, *out, world->env.threads);
    if (bad != SIZE_MAX) return mote_watchdog_force(world, item->name, bad, error);
  }
  return MOTE_OK;
}

static void magnitude_rows(void *data, size_t begin, size_t end, double *term) {
  const float *field = data;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(3)) {
    for (size_t a = 0; a < 3; ++a) term[a] = fabs((double)field[3 * i + a]);
  }
}

// Solvers without sound damp noise by the speed of sound that the expected speed has. That of the scene
// counts gravity's fall; the fall along the mean magnitudes of force fields is counted here.
static void expect_fields(mote_world *world, float *field) {
  mote_fluid *fluid = &world->fluid;
  if (mote_pressure_properties_of(&fluid->solver)->has_sound_speed) return;
  double mean[3] = {0.0, 0.0, 0.0}, speed = world->steering.own_speed;
  if (field != NULL) mote_parallel_sum(world->env.threads, fluid->count, 3, magnitude_rows, field, mean);
  for (int a = 0; a < 3; ++a) mean[a] /= (double)fluid->count;
  speed = sqrt(speed * speed + 2.0 * mote_world_fall(world, mean));
  fluid->sound_speed = mote_law_sound_speed(speed, fluid->solver.compression);
}

static void add_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const adding *job = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k) job->acceleration[k] += job->field[k];
}

static mote_result damp(mote_world *world, double t, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_FORCE); ++k) {
    const mote_force_item *item = mote_force_at(world, k);
    if (!mote_field_force_acts(item->force, t)) continue;
    size_t bad =
        mote_field_force_damp(item->force, t, 1.0 / fluid->solver.step_max, fluid->count, fluid->position,
                              fluid->velocity, fluid->acceleration, world->env.threads);
    if (bad != SIZE_MAX) return mote_watchdog_force(world, item->name, bad, error);
  }
  return MOTE_OK;
}

mote_result mote_stage_forces(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->fluid.count == mote_world_fluid_rows(world));
  mote_fluid *fluid = &world->fluid;
  if (fluid->count == 0) return MOTE_OK;
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  adding job = {.acceleration = fluid->acceleration};
  MOTE_TRY(take_fields(world, t, &job.field, error));
  expect_fields(world, job.field);
  MOTE_TRY(mote_fluid_forces(fluid, error));
  MOTE_TRY(mote_ledger_keep_forces(world, false, error));
  MOTE_TRY(mote_tension_forces(fluid, error));
  MOTE_TRY(mote_world_track_tension(world, error));
  MOTE_TRY(mote_ledger_keep_forces(world, true, error));
  if (job.field != NULL)
    mote_parallel_for(world->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, add_chunk, &job);
  MOTE_TRY(damp(world, t, error));
  mote_body_forces_accelerate(world, mote_kind_of_liquids(world), fluid->acceleration, NULL);
  return MOTE_OK;
}
