// XSPH: see xsph.h.
#include "fluid/xsph.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/shift.h"
#include "rows/pair_lanes.h"

// Data gathered per neighbour: its velocity without the shift, and xi.
typedef struct smooth_record {
  float velocity[3], xi;
} smooth_record;

typedef struct smooth_job {
  mote_fluid *fluid;
  smooth_record *record;  // one more, the dummy's
  const float *wall;      // sums over wall samples; null: none
  float *out;             // three each: velocity, which changes, or the motion to be added
  bool adds;              // to what `out` has
} smooth_job;

static bool any(const float *value, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (value[i] != 0.0f) return true;
  }
  return false;
}

static void record_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smooth_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    for (size_t a = 0; a < 3; ++a) {
      float shift = f->shift != NULL ? f->shift[3 * i + a] : 0.0f;
      job->record[i].velocity[a] = f->velocity[3 * i + a] - shift;
    }
    job->record[i].xi = f->xsph[i];
  }
}

// xi_ij m_j / rho_ij W_ij with arithmetic means.
static inline mote_lane smooth_weight(const smooth_job *job, size_t i, const mote_pair_lanes *lanes,
                                      const mote_pairs *p, mote_lane xi) {
  const mote_fluid *f = job->fluid;
  mote_lane mass, density;
  for (int k = 0; k < MOTE_LANES; ++k) {
    bool dummy = lanes->index[k] >= f->count;
    mass[k] = dummy ? 0.0f : f->mass[lanes->index[k]];
    density[k] = dummy ? 0.0f : f->density[lanes->index[k]];
  }
  return (f->xsph[i] + xi) * mass / (f->density[i] + density) * mote_pairs_value(&f->pairs.scale, p);
}

static void smooth_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smooth_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    const float *v = job->record[i].velocity;
    mote_lane sum[3] = {mote_lane_splat(0.0f), mote_lane_splat(0.0f), mote_lane_splat(0.0f)};
    for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
      const mote_pair_lanes *lanes = &f->pairs.lanes[g.at];
      mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
      mote_lane u[4];
      for (int n = 0; n < 4; ++n) u[n] = mote_lane_load(job->record + lanes->index[n]);
      mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
      mote_lane w = smooth_weight(job, i, lanes, &p, u[3]);
      for (int a = 0; a < 3; ++a) sum[a] += w * (v[a] - u[a]);
    }
    for (size_t a = 0; a < 3; ++a) {
      float change = mote_lane_sum(sum[a]);
      if (job->wall != NULL) change += f->xsph[i] * (job->wall[4 * i + 3] * v[a] - job->wall[4 * i + a]);
      job->out[3 * i + a] = job->adds ? job->out[3 * i + a] - change : -change;
    }
  }
}

static mote_result smooth_into(mote_fluid *fluid, float *out, bool keeps, mote_error *error) {
  size_t n = fluid->count;
  smooth_job job = {.fluid = fluid, .out = out, .adds = keeps};
  MOTE_TAKE(job.record, fluid->scratch, n + 1, error);
  job.record[n] = (smooth_record){.xi = 0.0f};
  float *wall;
  MOTE_TRY(mote_xsph_walls(fluid, keeps, &wall, error));
  job.wall = wall;
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, record_chunk, &job);
  mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, smooth_chunk, &job);
  return MOTE_OK;
}

static bool smooths(const mote_fluid *fluid) {
  return fluid->xsph != NULL && any(fluid->xsph, fluid->count);
}

mote_result mote_fluid_smooth(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  if (!smooths(fluid)) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  mote_result result = smooth_into(fluid, fluid->velocity, true, error);
  mote_arena_release(fluid->scratch, mark);
  return result;
}

mote_result mote_fluid_smooth_motion(mote_fluid *fluid, double dt, mote_error *error) {
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  MOTE_ASSERT(dt > 0.0);
  if (!smooths(fluid)) return MOTE_OK;
  MOTE_TRY(mote_shift_make(fluid, error));  // lives until the particles have moved: before the mark
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  MOTE_TAKE_NEW(float, motion, fluid->scratch, 3 * fluid->count, error);
  memset(motion, 0, 3 * fluid->count * sizeof *motion);
  mote_result result = smooth_into(fluid, motion, false, error);
  if (result == MOTE_OK) mote_shift_add(fluid, motion, dt);
  mote_arena_release(fluid->scratch, mark);
  return result;
}
