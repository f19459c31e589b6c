// The watchdog: after each step positions and velocities must be numbers, no particle faster than the limit,
// and the kinetic energy within what can be there (docs/theory/world.md, "The watchdog").
#include <math.h>
#include <stdio.h>

#include "base/parallel.h"
#include "matter/kind.h"
#include "matter/tuning.inc"
#include "matter/watchdog.h"
#include "stages/stages.h"
#include "stages/tuning.inc"

#define PARTICLES_PER_TASK 4096

// The fastest particle of a chunk; NaN counts as the fastest.
typedef struct fastest {
  double speed2;
  size_t row;
} fastest;

typedef struct checker {
  const double *position;
  const float *velocity;
  fastest *part;  // per chunk
} checker;

static double speed2_of(const checker *l, size_t i) {
  const float *v = l->velocity + 3 * i;
  const double *x = l->position + 3 * i;
  double speed2 = (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
  double zero = (x[0] + x[1] + x[2]) * 0.0;  // no number where a place is none
  return speed2 + zero < HUGE_VAL ? speed2 : HUGE_VAL;
}

static void check_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  checker *l = data;
  fastest f = {-1.0, begin};
  for (size_t i = begin; i < end; ++i) {
    double speed2 = speed2_of(l, i);
    if (speed2 > f.speed2) f = (fastest){speed2, i};
  }
  l->part[begin / PARTICLES_PER_TASK] = f;
}

static mote_result find_fastest(mote_world *world, fastest *out, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t count = mote_world_fluid_rows(world), chunks = count / PARTICLES_PER_TASK + 1;
  checker l = {mote_store_f64(store, MOTE_PARTICLE_POSITION), mote_store_f32(store, MOTE_PARTICLE_VELOCITY),
               mote_arena_take(&world->scratch, chunks, sizeof *l.part)};
  if (l.part == NULL) return mote_fail_memory(error, chunks * sizeof *l.part);
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, check_chunk, &l);
  *out = l.part[0];
  for (size_t c = 1; c * PARTICLES_PER_TASK < count; ++c) {
    if (l.part[c].speed2 > out->speed2) *out = l.part[c];
  }
  return MOTE_OK;
}

static mote_result check_speed(mote_world *world, double energy, double mass, mote_error *error) {
  fastest f = {0.0, 0};
  MOTE_TRY(find_fastest(world, &f, error));
  if (!(f.speed2 < HUGE_VAL))
    return mote_watchdog_fail(world, "position or velocity", f.row, (double)NAN, error);
  double limit = world->def.speed_limit;
  if (isnan(limit)) limit = MOTE_SPEED_MARGIN * (world->speed + sqrt(2.0 * energy / mass));
  if (!(sqrt(f.speed2) > limit)) return MOTE_OK;
  char what[64];
  snprintf(what, sizeof what, "speed (at most %g)", limit);
  return mote_watchdog_fail(world, what, f.row, sqrt(f.speed2), error);
}

static mote_result check_energy(mote_world *world, double energy, double mass, double kinetic,
                                mote_error *error) {
  double slack = mass * (0.5 * world->speed * world->speed + world->stirring * world->stirring);
  double limit = ENERGY_MARGIN * energy + slack;
  if (!(kinetic > limit)) return MOTE_OK;
  char what[64];
  snprintf(what, sizeof what, "kinetic energy in J (at most %g)", limit);
  return mote_watchdog_fail(world, what, SIZE_MAX, kinetic, error);
}

mote_result mote_stage_check(mote_world *world, mote_error *error) {
  for (int kind = 0; kind < MOTE_KINDS; ++kind)
    if (world->kind[kind]->check != NULL) MOTE_TRY(world->kind[kind]->check(world, error));
  size_t count = mote_world_fluid_rows(world);
  if (count == 0) return MOTE_OK;
  double sum[MOTE_BALANCE_SUMS], *work = mote_state_f64(&world->now, MOTE_WORLD_WORK);
  mote_watchdog_balance(world, 0, count, sum);
  *work += world->dt * sum[MOTE_BALANCE_POWER];
  double energy = *mote_state_f64(&world->now, MOTE_WORLD_ENERGY) + *work;
  if (!(energy > 0.0)) energy = 0.0;
  MOTE_TRY(check_speed(world, energy, sum[MOTE_BALANCE_MASS], error));
  return check_energy(world, energy, sum[MOTE_BALANCE_MASS], sum[MOTE_BALANCE_KINETIC], error);
}
