// Sums over fluids, in double and in one order: see mote_totals.
#include <math.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "kinds/fluid/fluid_kind.h"

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

// Missing neighbours thin out the density at the surface; only compression is the fluid's.
static double compression_of(const tally *t, size_t i) {
  double D = (double)t->density[i] / t->rest;
  return D > 1.0 ? D - 1.0 : 0.0;
}

static void sum_rows(void *data, size_t begin, size_t end, double *term) {
  const tally *t = data;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(SUMS)) {
    const double *x = t->position + 3 * i, m = (double)t->mass[i], c = compression_of(t, i);
    const double v[3] = {(double)t->velocity[3 * i], (double)t->velocity[3 * i + 1],
                         (double)t->velocity[3 * i + 2]};
    term[MASS] = m;
    term[KINETIC] = 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, k = (a + 2) % 3;
      term[MOMENTUM + a] = m * v[a];
      term[ANGULAR + a] = m * (x[b] * v[k] - x[k] * v[b]);
      term[CENTRE + a] = m * (x[a] - t->origin[a]);
    }
    term[COMPRESSION] = m * c;
    term[VOLUME] = m / (t->rest * (1.0 + c));
    term[REST] = m / t->rest;
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

static void add_block(tally *t, const mote_store *store, size_t b, mote_totals_sum *total, mote_totals *out) {
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
  total->mass += sum[MASS], total->kinetic += sum[KINETIC], total->compression += sum[COMPRESSION];
  total->volume += sum[VOLUME], total->rest += sum[REST];
  for (int a = 0; a < 3; ++a) {
    total->momentum[a] += sum[MOMENTUM + a], total->angular[a] += sum[ANGULAR + a];
    total->centre[a] += sum[CENTRE + a];
  }
  t->grain = block->count / MAXIMUM_PARTS + 1;
  for (int k = 0; k < MAXIMUM_PARTS; ++k) t->speed2[k] = t->compression[k] = 0.0;
  mote_parallel_for(threads, block->count, t->grain, largest_rows, t);
  for (int k = 0; k < MAXIMUM_PARTS; ++k) {
    out->speed_max = fmax(out->speed_max, sqrt(t->speed2[k]));
    out->compression_max = fmax(out->compression_max, t->compression[k]);
  }
}

void mote_fluid_add_totals(const mote_world *world, mote_totals_sum *sum, mote_totals *out) {
  const mote_store *store = mote_world_store(world);
  tally t = {.world = world};
  copy3(sum->origin, t.origin);
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    if (store->block[b].count > 0) add_block(&t, store, b, sum, out);
  }
}
