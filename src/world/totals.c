// Sums over all particles, in double and in one order: see mote_totals.
#include <math.h>

#include "base/parallel.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/inversion_watch.h"
#include "kinds/lattice/lattice_bodies.h"
#include "matter/world_data.h"
#include "matter/world_heat.h"

#define MAXIMUM_PARTS 64  // that the largest of each is taken of

enum {
  MASS,
  MOMENTUM,
  ANGULAR = MOMENTUM + 3,
  KINETIC = ANGULAR + 3,
  CENTRE,
  COMPRESSION = CENTRE + 3,
  VOLUME,
  REST,
  SUMS
};
_Static_assert(SUMS <= MOTE_SUM_MAX, "all sums at once");

typedef struct tally {
  const mote_world *world;
  const double *position;
  const float *velocity, *mass, *density;
  double origin[3];  // of the centre's sum, so that far from 0 nothing is lost
  double rest;       // density of the block's material
  size_t grain;
  double speed2[MAXIMUM_PARTS], compression[MAXIMUM_PARTS];  // the largest of each part
} tally;

// Missing neighbours reduce the summed density at the surface, so only compression is counted.
static double compression_of(const tally *t, size_t i) {
  double D = (double)t->density[i] / t->rest;
  return D > 1.0 ? D - 1.0 : 0.0;
}

static void sum_rows(void *data, size_t begin, size_t end, double *sum) {
  const tally *t = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = t->position + 3 * i, m = (double)t->mass[i], c = compression_of(t, i);
    const double v[3] = {(double)t->velocity[3 * i], (double)t->velocity[3 * i + 1],
                         (double)t->velocity[3 * i + 2]};
    sum[MASS] += m;
    sum[KINETIC] += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, k = (a + 2) % 3;
      sum[MOMENTUM + a] += m * v[a];
      sum[ANGULAR + a] += m * (x[b] * v[k] - x[k] * v[b]);
      sum[CENTRE + a] += m * (x[a] - t->origin[a]);
    }
    sum[COMPRESSION] += m * c;
    sum[VOLUME] += m / (t->rest * (1.0 + c));
    sum[REST] += m / t->rest;
  }
}

static void largest_rows(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  tally *t = data;
  double *speed2 = &t->speed2[begin / t->grain], *compression = &t->compression[begin / t->grain];
  for (size_t i = begin; i < end; ++i) {
    const float *v = t->velocity + 3 * i;
    double s = (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
    double c = compression_of(t, i);
    if (s > *speed2) *speed2 = s;
    if (c > *compression) *compression = c;
  }
}

static void tally_block(tally *t, const mote_store *store, size_t b, double total[SUMS], mote_totals *out) {
  const mote_block *block = &store->block[b];
  size_t first = block->first[0];
  int threads = t->world->env.threads;
  double sum[SUMS];
  t->position = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first;
  t->velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * first;
  t->mass = mote_store_f32(store, MOTE_PARTICLE_MASS) + first;
  t->density = mote_store_rows(store, MOTE_PARTICLE_DENSITY, b);
  t->rest = mote_material_at(t->world, b)->def.density;
  mote_parallel_sum(threads, block->count, SUMS, sum_rows, t, sum);
  for (int k = 0; k < SUMS; ++k) total[k] += sum[k];
  t->grain = block->count / MAXIMUM_PARTS + 1;
  for (int k = 0; k < MAXIMUM_PARTS; ++k) t->speed2[k] = t->compression[k] = 0.0;
  mote_parallel_for(threads, block->count, t->grain, largest_rows, t);
  for (int k = 0; k < MAXIMUM_PARTS; ++k) {
    out->speed_max = fmax(out->speed_max, sqrt(t->speed2[k]));
    out->compression_max = fmax(out->compression_max, t->compression[k]);
  }
}

// Movable rigid bodies; of hinged ones the rotation, with the mass where it was defined.
static void tally_bodies(const tally *t, double total[SUMS], mote_totals *out) {
  const mote_store *store = &t->world->now.store[MOTE_TABLE_BODIES];
  for (size_t k = 0; k < store->count[MOTE_GROUP_RIGID]; ++k) {
    const mote_rigid *rigid = &mote_rigid_at(t->world, k)->rigid;
    const double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k;
    const double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
    const double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
    const double *L = mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k;
    if (!mote_rigid_moves(rigid)) continue;
    double m = rigid->mass, lever[3];
    mote_pose pose = mote_rigid_pose(rigid, x, q);
    mote_pose_turn(&pose, rigid->lever, lever);
    total[MASS] += m;
    total[KINETIC] += mote_rigid_energy(rigid, q, v, L);
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      total[MOMENTUM + a] += m * v[a];
      total[ANGULAR + a] += m * (x[b] * v[c] - x[c] * v[b]) + L[a];
      total[CENTRE + a] += m * (x[a] + lever[a] - t->origin[a]);
    }
    out->speed_max = fmax(out->speed_max, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
}

static void sum_elastic(void *data, size_t begin, size_t end, double *sum) {
  const tally *t = data;
  const mote_store *store = mote_world_store(t->world);
  const double *position =
      mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * mote_world_fluid_rows(t->world);
  for (size_t i = begin; i < end; ++i) {
    const double *x = position + 3 * i;
    const double *v = mote_store_f64(store, MOTE_ELASTIC_VELOCITY) + 3 * i;
    double m = mote_store_f64(store, MOTE_ELASTIC_MASS)[i];
    sum[KINETIC] += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      sum[MOMENTUM + a] += m * v[a];
      sum[ANGULAR + a] += m * (x[b] * v[c] - x[c] * v[b]);
      sum[CENTRE + a] += m * (x[a] - t->origin[a]);
    }
  }
}

// With the error of each addition (Knuth's two-sum), so that the sum is the same to the bit when particles
// are split.
static double sum_masses(const double *mass, size_t count) {
  double sum = 0.0, rest = 0.0;
  for (size_t i = 0; i < count; ++i) {
    double next = sum + mass[i], part = next - sum;
    rest += (sum - (next - part)) + (mass[i] - part);
    sum = next;
  }
  return sum + rest;
}

// Elastic bodies, held particles included.
static void tally_elastic(tally *t, double total[SUMS], mote_totals *out) {
  const mote_world *world = t->world;
  const mote_store *store = mote_world_store(world);
  double sum[SUMS];
  size_t count = mote_world_elastic_rows(world);
  if (count == 0) return;
  mote_parallel_sum(world->env.threads, count, SUMS, sum_elastic, t, sum);
  sum[MASS] = sum_masses(mote_store_f64(store, MOTE_ELASTIC_MASS), count);
  for (int k = 0; k < SUMS; ++k) total[k] += sum[k];
  for (size_t i = 0; i < count; ++i) {
    const double *v = mote_store_f64(store, MOTE_ELASTIC_VELOCITY) + 3 * i;
    out->speed_max = fmax(out->speed_max, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    mote_elastic_motion motion = mote_elastic_body_motion(world, k);
    mote_elastic_energies stored = mote_elastic_stored(mote_elastic_at(world, k)->elastic, &motion);
    out->elastic_energy += stored.strain + stored.hourglass;
  }
  if (world->elastic_bodies.contact != NULL) out->contact_energy = world->elastic_bodies.contact->stored;
  out->inverted = mote_world_inverted(world);
}

typedef struct lattice_tally {
  const tally *t;
  const double *position, *velocity, *mass;
} lattice_tally;

static void sum_lattice(void *data, size_t begin, size_t end, double *sum) {
  const lattice_tally *l = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = l->position + 3 * i, *v = l->velocity + 3 * i, m = l->mass[i];
    sum[MASS] += m;
    sum[KINETIC] += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      sum[MOMENTUM + a] += m * v[a];
      sum[ANGULAR + a] += m * (x[b] * v[c] - x[c] * v[b]);
      sum[CENTRE + a] += m * (x[a] - l->t->origin[a]);
    }
  }
}

static void tally_lattices(const tally *t, double total[SUMS], mote_totals *out) {
  const mote_store *store = mote_world_store(t->world);
  size_t count = mote_world_lattice_rows(t->world);
  if (count == 0) return;
  lattice_tally l = {t, mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * mote_lattice_first_row(t->world),
                     mote_store_f64(store, MOTE_LATTICE_VELOCITY), mote_store_f64(store, MOTE_LATTICE_MASS)};
  double sum[SUMS];
  mote_parallel_sum(t->world->env.threads, count, SUMS, sum_lattice, &l, sum);
  for (int k = 0; k < SUMS; ++k) total[k] += sum[k];
  for (size_t i = 0; i < count; ++i) {
    const double *v = l.velocity + 3 * i;
    out->speed_max = fmax(out->speed_max, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
  out->elastic_energy += t->world->lattice_energy;
}

static void sum_heat(void *data, size_t begin, size_t end, double *sum) {
  const tally *t = data;
  const mote_world *world = t->world;
  const mote_store *store = mote_world_store(world);
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  const float *liquid = mote_store_f32(store, MOTE_PARTICLE_LIQUID);
  for (size_t i = begin; i < end; ++i) {
    double m = mote_heat_row_mass(world, i);
    sum[0] += m * mote_store_f64(store, MOTE_PARTICLE_ENTHALPY)[i];
    sum[1] += m * (1.0 - (double)liquid[i]);
    double share = m * (double)liquid[i] * (1.0 - (double)liquid[i]);
    sum[2] += share;
    for (int a = 0; a < 3; ++a) sum[3 + a] += share * (x[3 * i + (size_t)a] - t->origin[a]);
  }
}

static void tally_heat(tally *t, mote_totals *out) {
  const mote_world *world = t->world;
  double sum[6];
  if (!world->def.heat) return;
  mote_parallel_sum(world->env.threads, mote_world_store(world)->count[0], 6, sum_heat, t, sum);
  for (int a = 0; a < 3 && sum[2] > 0.0; ++a) out->front[a] = t->origin[a] + sum[3 + a] / sum[2];
  out->enthalpy = sum[0], out->frozen_mass = sum[1];
  out->melted = *mote_state_u64(&world->now, MOTE_WORLD_MELTED);
  out->frozen = *mote_state_u64(&world->now, MOTE_WORLD_FROZEN);
}

static void conclude(const mote_world *world, const double origin[3], const double sum[SUMS],
                     mote_totals *out) {
  out->mass = sum[MASS];
  out->kinetic_energy = sum[KINETIC];
  for (int a = 0; a < 3; ++a) {
    out->momentum[a] = sum[MOMENTUM + a];
    out->angular_momentum[a] = sum[ANGULAR + a];
    out->centre[a] = origin[a] + sum[CENTRE + a] / sum[MASS];
    out->potential_energy -= world->def.gravity[a] * sum[MASS] * out->centre[a];
  }
  out->compression_mean = sum[COMPRESSION] / sum[MASS];
  if (sum[REST] > 0.0) out->volume_error = sum[VOLUME] / sum[REST] - 1.0;
}

mote_result mote_world_totals(const mote_world *world, mote_totals *out, mote_error *error) {
  if (world == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "world and out must not be NULL");
  }
  const mote_store *store = mote_world_store(world), *bodies = &world->now.store[MOTE_TABLE_BODIES];
  size_t fluid = mote_world_fluid_rows(world), elastic = mote_world_elastic_rows(world);
  size_t rigid = bodies->count[MOTE_GROUP_RIGID];
  *out = (mote_totals){
      .front = {(double)NAN, (double)NAN, (double)NAN},
      .time = *mote_state_f64(&world->now, MOTE_WORLD_TIME),
      .step = *mote_state_u64(&world->now, MOTE_WORLD_STEP),
      .particles = fluid,
      .elastic_particles = elastic,
      .emitted = *mote_state_u64(&world->now, MOTE_WORLD_EMITTED),
      .drained = *mote_state_u64(&world->now, MOTE_WORLD_DRAINED),
      .left = *mote_state_u64(&world->now, MOTE_WORLD_LEFT),
  };
  if (mote_world_stepped(world)) {
    out->evaluations = *mote_state_u64(&world->now, MOTE_WORLD_EVALUATED);
    out->evaluations_all = *mote_state_u64(&world->now, MOTE_WORLD_EVALUATED_ALL);
  }
  size_t lattice = out->lattice_particles = mote_world_lattice_rows(world);
  out->lattice_objects = mote_world_lattice_objects(world);
  if (fluid + rigid + elastic + lattice == 0) return MOTE_OK;
  double total[SUMS] = {0};
  const double *first = fluid == 0 && rigid > 0 ? mote_store_f64(bodies, MOTE_RIGID_POSITION)
                                                : mote_store_f64(store, MOTE_PARTICLE_POSITION);
  tally t = {.world = world, .origin = {first[0], first[1], first[2]}};
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    if (store->block[b].count > 0) tally_block(&t, store, b, total, out);
  }
  tally_bodies(&t, total, out);
  tally_elastic(&t, total, out);
  tally_lattices(&t, total, out);
  tally_heat(&t, out);
  if (total[MASS] > 0.0) conclude(world, t.origin, total, out);
  return MOTE_OK;
}
