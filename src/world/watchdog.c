// The watchdog: see watchdog.h.
#include "world/watchdog.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "world/elastic_bodies.h"
#include "world/items.h"
#include "world/stages.h"

#define GRAIN 4096
#define SPEED_MARGIN 10.0  // times the speed that can be expected
#define ENERGY_MARGIN 2.0  // times the energy that is known to be there

// --- Telling
// --------------------------------------------------------------------------------------------------

static mote_result bark(mote_world *world, const char *what, size_t row, double value, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  uint64_t id = row < store->count[0] ? mote_store_ids(store)[row] : UINT64_MAX;
  if (id == UINT64_MAX) return mote_fail(error, MOTE_ERROR_NUMERIC, "%s: %g", what, value);
  return mote_fail(error, MOTE_ERROR_NUMERIC, "%s of particle %" PRIu64 ": %g", what, id, value);
}

mote_result mote_watchdog_positions(mote_world *world, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  size_t row = 0;
  while (row < store->count[0] && isfinite(x[3 * row]) && isfinite(x[3 * row + 1]) &&
         isfinite(x[3 * row + 2])) {
    ++row;
  }
  return bark(world, "position", row, row < store->count[0] ? (double)NAN : HUGE_VAL, error);
}

mote_result mote_watchdog_force(mote_world *world, const char *name, size_t row, mote_error *error) {
  char what[64];
  snprintf(what, sizeof what, "force field \"%s\" at the place", name);
  return bark(world, what, row, (double)NAN, error);
}

mote_result mote_watchdog_emitter(mote_world *world, const char *name, mote_error *error) {
  char what[64];
  snprintf(what, sizeof what, "speed of emitter \"%s\"", name);
  return bark(world, what, SIZE_MAX, (double)NAN, error);
}

mote_result mote_watchdog_motion(mote_world *world, const char *name, mote_error *error) {
  char what[64];
  snprintf(what, sizeof what, "motion of collider \"%s\"", name);
  return bark(world, what, SIZE_MAX, (double)NAN, error);
}

// --- The books
// --------------------------------------------------------------------------------------------------

typedef struct books {
  const float *velocity, *mass, *acceleration;
} books;

enum { KINETIC, POWER, MASS, SUMS };

static void book_rows(void *data, size_t begin, size_t end, double *sum) {
  const books *b = data;
  for (size_t i = begin; i < end; ++i) {
    const float *v = b->velocity + 3 * i, *a = b->acceleration + 3 * i;
    double m = (double)b->mass[i], x = (double)v[0], y = (double)v[1], z = (double)v[2];
    sum[KINETIC] += 0.5 * m * (x * x + y * y + z * z);
    sum[POWER] += m * ((double)a[0] * x + (double)a[1] * y + (double)a[2] * z);
    sum[MASS] += m;
  }
}

static void take_books(mote_world *world, size_t first, size_t count, double sum[SUMS]) {
  const mote_store *store = mote_world_store(world);
  books b = {mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * first,
             mote_store_f32(store, MOTE_PARTICLE_MASS) + first,
             mote_store_f32(store, MOTE_PARTICLE_ACCELERATION) + 3 * first};
  mote_parallel_sum(world->env.threads, count, SUMS, book_rows, &b, sum);
}

double mote_watchdog_kinetic(mote_world *world) {
  double sum[SUMS] = {0};
  size_t count = mote_world_store(world)->count[0];
  if (count > 0) take_books(world, 0, count, sum);
  return sum[KINETIC];
}

void mote_watchdog_gain(mote_world *world, size_t first, size_t count) {
  double sum[SUMS];
  if (count == 0) return;
  take_books(world, first, count, sum);
  *mote_state_f64(&world->now, MOTE_WORLD_WORK) += sum[KINETIC];
}

// --- Looking
// ----------------------------------------------------------------------------------------------------

// The fastest particle of a chunk; one that is no number is faster than all.
typedef struct fastest {
  double speed2;
  size_t row;
} fastest;

typedef struct looker {
  const double *position;
  const float *velocity;
  fastest *part;  // per chunk
} looker;

static double speed2_of(const looker *l, size_t i) {
  const float *v = l->velocity + 3 * i;
  const double *x = l->position + 3 * i;
  double speed2 = (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
  double zero = (x[0] + x[1] + x[2]) * 0.0;  // no number where a place is none
  return speed2 + zero < HUGE_VAL ? speed2 : HUGE_VAL;
}

static void look_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  looker *l = data;
  fastest f = {-1.0, begin};
  for (size_t i = begin; i < end; ++i) {
    double speed2 = speed2_of(l, i);
    if (speed2 > f.speed2) f = (fastest){speed2, i};
  }
  l->part[begin / GRAIN] = f;
}

static mote_result find_fastest(mote_world *world, fastest *out, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t count = store->count[0], chunks = count / GRAIN + 1;
  looker l = {mote_store_f64(store, MOTE_PARTICLE_POSITION), mote_store_f32(store, MOTE_PARTICLE_VELOCITY),
              mote_arena_take(&world->scratch, chunks, sizeof *l.part)};
  if (l.part == NULL) return mote_fail_memory(error, chunks * sizeof *l.part);
  mote_parallel_for(world->env.threads, count, GRAIN, look_chunk, &l);
  *out = l.part[0];
  for (size_t c = 1; c * GRAIN < count; ++c) {
    if (l.part[c].speed2 > out->speed2) *out = l.part[c];
  }
  return MOTE_OK;
}

static mote_result check_speed(mote_world *world, double energy, double mass, mote_error *error) {
  fastest f = {0.0, 0};
  MOTE_TRY(find_fastest(world, &f, error));
  if (!(f.speed2 < HUGE_VAL)) return bark(world, "position or velocity", f.row, (double)NAN, error);
  double limit = world->def.speed_limit;
  if (isnan(limit)) limit = SPEED_MARGIN * (world->speed + sqrt(2.0 * energy / mass));
  if (!(sqrt(f.speed2) > limit)) return MOTE_OK;
  char what[64];
  snprintf(what, sizeof what, "speed (at most %g)", limit);
  return bark(world, what, f.row, sqrt(f.speed2), error);
}

static mote_result check_energy(mote_world *world, double energy, double mass, double kinetic,
                                mote_error *error) {
  double slack = mass * (0.5 * world->speed * world->speed + world->stirring * world->stirring);
  double limit = ENERGY_MARGIN * energy + slack;
  if (!(kinetic > limit)) return MOTE_OK;
  char what[64];
  snprintf(what, sizeof what, "kinetic energy in J (at most %g)", limit);
  return bark(world, what, SIZE_MAX, kinetic, error);
}

// How fast a body's own waves can make a particle of it: those of pressure.
static double wave_speed(const mote_world *world, const mote_soft_item *item) {
  const mote_elastic_law *law = &item->elastic->law;
  uint32_t material = mote_body_at(world, item->body)->material;
  double stiffness = law->lambda + 2.0 * law->mu + law->volume;
  return sqrt(stiffness / mote_material_at(world, material)->def.density);
}

// By the definition's limit; without one against the body's mean velocity, for bodies fall as far as they
// may, but no part of one is much faster than the scene and than what its own stiffness can throw.
static mote_result check_soft(const mote_world *world, size_t k, mote_error *error) {
  const mote_soft_item *item = mote_soft_at(world, k);
  const mote_store *store = &world->now.store[MOTE_STATE_SOLIDS];
  const double *v = mote_soft_rows(world, MOTE_SOLID_VELOCITY, k);
  const double *x = mote_soft_rows(world, MOTE_SOLID_POSITION, k);
  size_t count = item->elastic->count, first = store->block[k].first[0];
  double mean[3] = {0.0, 0.0, 0.0}, limit = world->def.speed_limit;
  if (isnan(limit)) {
    limit = SPEED_MARGIN * (world->speed + wave_speed(world, item));
    for (size_t i = 0; i < count; ++i) step3(mean, 1.0 / (double)count, v + 3 * i, mean);
  }
  for (size_t i = 0; i < count; ++i) {
    double speed = distance3(v + 3 * i, mean);
    if (speed <= limit && finite3(x + 3 * i)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "speed (at most %g) of elastic particle %" PRIu64 ": %g",
                     limit, mote_store_ids(store)[first + i], speed);
  }
  return MOTE_OK;
}

mote_result mote_stage_check(mote_world *world, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) MOTE_TRY(check_soft(world, k, error));
  size_t count = mote_world_store(world)->count[0];
  if (count == 0) return MOTE_OK;
  double sum[SUMS], *work = mote_state_f64(&world->now, MOTE_WORLD_WORK);
  take_books(world, 0, count, sum);
  *work += world->dt * sum[POWER];
  double energy = *mote_state_f64(&world->now, MOTE_WORLD_ENERGY) + *work;
  if (!(energy > 0.0)) energy = 0.0;
  MOTE_TRY(check_speed(world, energy, sum[MASS], error));
  return check_energy(world, energy, sum[MASS], sum[KINETIC], error);
}
