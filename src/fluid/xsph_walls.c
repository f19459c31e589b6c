// The part of walls in XSPH, EG09 (57): see xsph.h. Samples have their present velocities, so that a
// body that falls with the fluid around it is not braked. The impulses between a body and the fluid are
// divided by 1 + k (1/M + r^2 tr I^-1), k the sum of its weights xi_i m_i f_b V_b W_ib: otherwise the
// velocity of light bodies would change by more than the difference.
#include <string.h>

#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "fluid/xsph.h"
#include "pairs/fixed_positions.h"
#include "rows/smooth_row.h"

typedef struct wall_job {
  mote_fluid *fluid;
  const mote_wall_pairs *walls;
  mote_smooth_record *record;  // of the samples, one more, the dummy's
  float *sum;                  // four of each particle
  float *exchange;             // of each row: its part of k
  float *impulse;              // three of each row, N s
} wall_job;

// --- At particles ---

static void particle_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  mote_pair_view pairs = job->fluid->pairs;
  for (size_t n = begin; n < end; ++n) mote_wall_smooth_row(&pairs, job->walls, job->record, n, job->sum);
}

// --- At samples of bodies ---

// The impulse sum_i xi_i m_i f_b V_b W_ib (v_i - v_b), and the sum of these weights.
static void sample_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  const mote_fluid *f = job->fluid;
  const mote_pair_set *set = &job->walls->particle_neighbours;
  for (size_t b = begin; b < end; ++b) {
    const mote_smooth_record *own = &job->record[b];
    mote_lane sum[4] = {{0}};
    for (size_t g = set->first[b], last = g + set->number[b]; g < last; ++g) {
      const uint32_t *index = set->group[g].index;
      mote_pairs p =
          mote_pairs_load(&f->pairs.scale, &job->walls->fixed_position[b], f->fixed_position, index);
      mote_lane W = mote_pairs_value(&f->pairs.scale, &p);
      for (int k = 0; k < MOTE_LANES; ++k) {
        if (index[k] >= f->count) continue;
        size_t i = index[k];
        float w = f->xsph[i] * f->mass[i] * own->weight * W[k];
        for (size_t a = 0; a < 3; ++a) sum[a][k] += w * (f->velocity[3 * i + a] - own->velocity[a]);
        sum[3][k] += w;
      }
    }
    for (size_t a = 0; a < 3; ++a) job->impulse[3 * b + a] = mote_lane_sum(sum[a]);
    job->exchange[b] = mote_lane_sum(sum[3]);
  }
}

static void limit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    const mote_coupled_body *body = mote_coupled_touched(job->fluid, k);
    const double *I = body->inverse_inertia;
    double exchange = 0.0;
    for (size_t b = body->first; b < body->end; ++b) exchange += (double)job->exchange[b];
    double mobility = body->inverse_mass + body->radius * body->radius * (I[0] + I[4] + I[8]);
    float part = (float)(1.0 / (1.0 + exchange * mobility));
    for (size_t b = body->first; b < body->end; ++b) {
      job->record[b].weight *= part;
      for (size_t a = 0; a < 3; ++a) job->impulse[3 * b + a] *= part;
    }
  }
}

// Reduces the weights of records of floating bodies; *job->impulse is then their impulse.
static mote_result limit_bodies(wall_job *job, mote_error *error) {
  mote_fluid *f = job->fluid;
  size_t rows = job->walls->samples;
  MOTE_TAKE(job->exchange, f->scratch, rows, error);
  MOTE_TAKE(job->impulse, f->scratch, 3 * rows, error);
  mote_parallel_for(f->env.threads, rows, MOTE_FLUID_GRAIN, sample_chunk, job);
  mote_parallel_for(f->env.threads, f->touched_count, mote_coupled_grain(f), limit_chunk, job);
  return MOTE_OK;
}

// --- All ---

static mote_result make_records(wall_job *job, mote_error *error) {
  const mote_wall_pairs *w = job->walls;
  MOTE_TAKE(job->record, job->fluid->scratch, w->samples + 1, error);
  for (size_t b = 0; b < w->samples; ++b) {
    const float *of = w->smoothing + 4 * b;
    for (size_t a = 0; a < 3; ++a) job->record[b].velocity[a] = w->velocity[3 * b + a] + of[a];
    job->record[b].weight = of[3];
  }
  job->record[w->samples] = (mote_smooth_record){.weight = 0.0f};
  return MOTE_OK;
}

static mote_result add_part(mote_fluid *fluid, int part, bool gives, float *sum, mote_error *error) {
  wall_job job = {.fluid = fluid, .walls = &fluid->walls[part], .sum = sum};
  if (job.walls->smoothing == NULL) return MOTE_OK;
  MOTE_TRY(make_records(&job, error));
  bool floats = fluid->coupled_count > 0 && job.walls == mote_coupled_walls(fluid);
  if (floats) MOTE_TRY(limit_bodies(&job, error));
  mote_parallel_for(fluid->env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, particle_chunk,
                    &job);
  if (!floats || !gives) return MOTE_OK;
  mote_coupled_apply_forces(fluid, job.impulse, 1.0);
  return mote_coupled_flow(fluid, error);
}

mote_result mote_xsph_walls(mote_fluid *fluid, bool gives, float **sum, mote_error *error) {
  MOTE_ASSERT(fluid->xsph != NULL && sum != NULL);
  bool rough = false;
  *sum = NULL;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) rough = rough || fluid->walls[p].smoothing != NULL;
  if (!rough) return MOTE_OK;
  MOTE_TAKE(*sum, fluid->scratch, 4 * fluid->count, error);
  memset(*sum, 0, 4 * fluid->count * sizeof **sum);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) MOTE_TRY(add_part(fluid, p, gives, *sum, error));
  return MOTE_OK;
}
