// Messages and energy balance of the watchdog: see watchdog.h.
#include "matter/watchdog.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/parallel.h"
#include "matter/kind.h"

mote_result mote_watchdog_fail(mote_world *world, const char *what, size_t row, double value,
                               mote_error *error) {
  const mote_store *store = mote_world_store(world);
  uint64_t id = row < mote_world_fluid_rows(world) ? mote_store_ids(store)[row] : UINT64_MAX;
  if (id == UINT64_MAX) return mote_fail(error, MOTE_ERROR_NUMERIC, "%s: %g", what, value);
  return mote_fail(error, MOTE_ERROR_NUMERIC, "%s of particle %" PRIu64 ": %g", what, id, value);
}

mote_result mote_watchdog_positions(mote_world *world, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  size_t row = 0;
  while (row < mote_world_fluid_rows(world) && isfinite(x[3 * row]) && isfinite(x[3 * row + 1]) &&
         isfinite(x[3 * row + 2])) {
    ++row;
  }
  return mote_watchdog_fail(world, "position", row,
                            row < mote_world_fluid_rows(world) ? (double)NAN : HUGE_VAL, error);
}

mote_result mote_watchdog_force(mote_world *world, const char *name, size_t row, mote_error *error) {
  MOTE_ASSERT(name != NULL);
  char what[64];
  snprintf(what, sizeof what, "force field \"%s\" at the place", name);
  return mote_watchdog_fail(world, what, row, (double)NAN, error);
}

mote_result mote_watchdog_emitter(mote_world *world, const char *name, mote_error *error) {
  MOTE_ASSERT(name != NULL);
  char what[64];
  snprintf(what, sizeof what, "speed of emitter \"%s\"", name);
  return mote_watchdog_fail(world, what, SIZE_MAX, (double)NAN, error);
}

mote_result mote_watchdog_motion(mote_world *world, const char *name, mote_error *error) {
  MOTE_ASSERT(name != NULL);
  char what[64];
  snprintf(what, sizeof what, "motion of collider \"%s\"", name);
  return mote_watchdog_fail(world, what, SIZE_MAX, (double)NAN, error);
}

typedef struct balance {
  const float *velocity, *mass, *acceleration;
} balance;

static void balance_rows(void *data, size_t begin, size_t end, double *term) {
  const balance *b = data;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(MOTE_BALANCE_SUMS)) {
    const float *v = b->velocity + 3 * i, *a = b->acceleration + 3 * i;
    double m = (double)b->mass[i], x = (double)v[0], y = (double)v[1], z = (double)v[2];
    term[MOTE_BALANCE_KINETIC] = 0.5 * m * (x * x + y * y + z * z);
    term[MOTE_BALANCE_POWER] = m * ((double)a[0] * x + (double)a[1] * y + (double)a[2] * z);
    term[MOTE_BALANCE_MASS] = m;
  }
}

void mote_watchdog_balance(mote_world *world, size_t first, size_t count, double sum[MOTE_BALANCE_SUMS]) {
  const mote_store *store = mote_world_store(world);
  balance b = {mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * first,
               mote_store_f32(store, MOTE_PARTICLE_MASS) + first,
               mote_store_f32(store, MOTE_PARTICLE_ACCELERATION) + 3 * first};
  mote_parallel_sum(world->env.threads, count, MOTE_BALANCE_SUMS, balance_rows, &b, sum);
}

double mote_watchdog_kinetic(mote_world *world) {
  double sum[MOTE_BALANCE_SUMS];
  mote_totals_sum bodies = {0};
  mote_totals out = {0};
  if (mote_world_fluid_rows(world) == 0) return 0.0;
  mote_watchdog_balance(world, 0, mote_world_fluid_rows(world), sum);
  for (int kind = 0; kind < MOTE_KINDS; ++kind)
    if (!world->kind[kind]->is_liquid && world->kind[kind]->add_totals != NULL)
      world->kind[kind]->add_totals(world, &bodies, &out);
  return sum[MOTE_BALANCE_KINETIC] + bodies.kinetic;
}

void mote_watchdog_gain(mote_world *world, size_t first, size_t count) {
  double sum[MOTE_BALANCE_SUMS];
  if (count == 0) return;
  mote_watchdog_balance(world, first, count, sum);
  *mote_state_f64(&world->now, MOTE_WORLD_WORK) += sum[MOTE_BALANCE_KINETIC];
}
