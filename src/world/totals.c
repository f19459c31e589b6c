// Sums over all particles, in double and in one order: see mote_totals.
#include <math.h>

#include "base/parallel.h"
#include "matter/kind.h"
#include "matter/world_heat.h"

typedef struct heat_tally {
  const mote_world *world;
  const double *origin;
} heat_tally;

static void sum_heat(void *data, size_t begin, size_t end, double *term) {
  const heat_tally *t = data;
  const mote_world *world = t->world;
  const mote_store *store = mote_world_store(world);
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  const float *liquid = mote_store_f32(store, MOTE_PARTICLE_LIQUID);
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(6)) {
    double m = mote_heat_row_mass(world, i);
    term[0] = m * mote_store_f64(store, MOTE_PARTICLE_ENTHALPY)[i];
    term[1] = m * (1.0 - (double)liquid[i]);
    double share = m * (double)liquid[i] * (1.0 - (double)liquid[i]);
    term[2] = share;
    for (int a = 0; a < 3; ++a) term[3 + a] = share * (x[3 * i + (size_t)a] - t->origin[a]);
  }
}

static void add_heat(const mote_world *world, const double origin[3], mote_totals *out) {
  double sum[6];
  if (!world->def.heat) return;
  heat_tally t = {world, origin};
  mote_parallel_sum(world->env.threads, mote_world_store(world)->count[0], 6, sum_heat, &t, sum);
  for (int a = 0; a < 3 && sum[2] > 0.0; ++a) out->front[a] = origin[a] + sum[3 + a] / sum[2];
  out->enthalpy = sum[0], out->frozen_mass = sum[1];
  out->melted = *mote_state_u64(&world->now, MOTE_WORLD_MELTED);
  out->frozen = *mote_state_u64(&world->now, MOTE_WORLD_FROZEN);
}

static void conclude(const mote_world *world, const mote_totals_sum *sum, mote_totals *out) {
  out->mass = sum->mass;
  out->kinetic_energy = sum->kinetic;
  for (int a = 0; a < 3; ++a) {
    out->momentum[a] = sum->momentum[a];
    out->angular_momentum[a] = sum->angular[a];
    out->centre[a] = sum->origin[a] + sum->centre[a] / sum->mass;
    out->potential_energy -= world->def.gravity[a] * sum->mass * out->centre[a];
  }
  out->compression_mean = sum->compression / sum->mass;
  if (sum->rest > 0.0) out->volume_error = sum->volume / sum->rest - 1.0;
}

// Near what there is: the first fluid particle, else the first body without particles, else the first
// particle.
static void choose_origin(const mote_world *world, double origin[3]) {
  const mote_store *store = mote_world_store(world);
  for (size_t a = 0; a < 3 && store->count[0] > 0; ++a)
    origin[a] = mote_store_f64(store, MOTE_PARTICLE_POSITION)[a];
  for (int kind = 0; kind < MOTE_KINDS && mote_world_fluid_rows(world) == 0; ++kind) {
    mote_body_state state;
    if (world->kind[kind]->read_body == NULL || mote_world_items(world, kind) == 0) continue;
    world->kind[kind]->read_body(world, 0, &state);
    for (int a = 0; a < 3; ++a) origin[a] = state.position[a];
  }
}

mote_result mote_world_totals(const mote_world *world, mote_totals *out, mote_error *error) {
  if (world == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "world and out must not be NULL");
  }
  *out = (mote_totals){
      .front = {(double)NAN, (double)NAN, (double)NAN},
      .time = *mote_state_f64(&world->now, MOTE_WORLD_TIME),
      .step = *mote_state_u64(&world->now, MOTE_WORLD_STEP),
      .particles = mote_world_fluid_rows(world),
      .elastic_particles = mote_world_elastic_rows(world),
      .emitted = *mote_state_u64(&world->now, MOTE_WORLD_EMITTED),
      .drained = *mote_state_u64(&world->now, MOTE_WORLD_DRAINED),
      .left = *mote_state_u64(&world->now, MOTE_WORLD_LEFT),
  };
  if (mote_world_stepped(world)) {
    out->evaluations = *mote_state_u64(&world->now, MOTE_WORLD_EVALUATED);
    out->evaluations_all = *mote_state_u64(&world->now, MOTE_WORLD_EVALUATED_ALL);
  }
  out->lattice_particles = mote_world_lattice_rows(world);
  out->lattice_objects = mote_world_lattice_objects(world);
  mote_totals_sum sum = {.mass = 0.0};
  choose_origin(world, sum.origin);
  for (int kind = 0; kind < MOTE_KINDS; ++kind)
    if (world->kind[kind]->add_totals != NULL) world->kind[kind]->add_totals(world, &sum, out);
  add_heat(world, sum.origin, out);
  if (sum.mass > 0.0) conclude(world, &sum, out);
  return MOTE_OK;
}
