// The rate of strain: see strain.h.
#include "fluid/strain.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/gradient_correction.h"
#include "fluid/sound_speed.h"
#include "fluid/tuning.inc"

typedef struct strain_job {
  const mote_fluid *fluid;
  const float (*velocity)[4];  // of each particle, and the dummy
  mote_strain *strain;
  float *flow;  // the square of the flow's rate at each particle
  bool sound;   // the fluid has sound, and sound is noise: it does not return to the flow
} strain_job;

// sum_j V_j (v_j - v_i) grad W_ij^T: rows are components of the velocity.
static inline void sum_gradient(const strain_job *job, size_t i, float out[3][3]) {
  const mote_fluid *f = job->fluid;
  const float *v = job->velocity[i];
  mote_lane sum[3][3] = {{{0}}};
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    const uint32_t *j = f->pairs.lanes[g.at].index;
    mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
    mote_lane c = mote_pair_lanes_gradient_factor(&f->pairs, g.at, &p) * p.volume, u[4];
    for (int k = 0; k < MOTE_LANES; ++k) u[k] = mote_lane_load(job->velocity[j[k]]);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    for (int a = 0; a < 3; ++a) {
      mote_lane weighted = c * (u[a] - v[a]);
      for (int b = 0; b < 3; ++b) sum[a][b] += weighted * p.x[b];
    }
  }
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) out[a][b] = mote_lane_sum(sum[a][b]);
  }
}

static void strain_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const strain_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    float sum[3][3], G[3][3];
    sum_gradient(job, i, sum);
    for (int a = 0; a < 3; ++a) mote_gradient_fix_apply(&f->linear[i], sum[a], G[a]);
    // Few neighbours, or all in a plane: the correction is then the identity.
    const float *m = f->linear[i].m;
    float flow = m[0] == 1.0f && m[1] == 0.0f && m[3] == 1.0f ? MOTE_STRAIN_UNKNOWN : 0.0f;
    job->strain[i] = (mote_strain){{G[0][0], G[0][1] + G[1][0], G[0][2] + G[2][0], G[1][1], G[1][2] + G[2][1],
                                    G[2][2], flow, f->rest_density[i]}};
  }
}

// E : E of the mean strain of the neighbours: a mean, because the strain of one particle is full of noise.
static inline float mean_strain_square(const strain_job *job, size_t i) {
  const mote_fluid *f = job->fluid;
  mote_lane sum[7] = {{0}};
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
    mote_lane e[8], weight = mote_pair_lanes_gradient_factor(&f->pairs, g.at, &p) * p.volume;
    mote_strain_load(job->strain, f->pairs.lanes[g.at].index, e);
    weight = mote_lane_choose(e[6] == mote_lane_splat(0.0f), weight, mote_lane_splat(0.0f));
    for (int k = 0; k < 6; ++k) sum[k] += weight * e[k];
    sum[6] += weight;
  }
  float e[7];
  for (int k = 0; k < 7; ++k) e[k] = mote_lane_sum(sum[k]);
  if (e[6] == 0.0f) return 0.0f;
  float square = e[0] * e[0] + e[3] * e[3] + e[5] * e[5] + 0.5f * (e[1] * e[1] + e[2] * e[2] + e[4] * e[4]);
  return square / (e[6] * e[6]);
}

static void flow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const strain_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    float square = job->sound ? 0.0f : mean_strain_square(job, i),
          still = STILL_STRAIN_MAX * (float)(mote_sound_of(f, i) / f->spacing);
    bool known = job->strain[i].e[6] == 0.0f;
    job->flow[i] =
        known ? FLOW_SHARE * square * (square / (square + still * still + FLT_MIN)) : MOTE_STRAIN_UNKNOWN;
  }
}

static void put_flow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const strain_job *job = data;
  for (size_t i = begin; i < end; ++i) job->strain[i].e[6] = job->flow[i];
}

mote_result mote_strain_take(const mote_fluid *fluid, const float (*velocity)[4], mote_strain **out,
                             mote_error *error) {
  MOTE_ASSERT(out != NULL);
  MOTE_ASSERT(fluid->linear != NULL || fluid->count == 0);
  size_t n = fluid->count;
  strain_job job = {.fluid = fluid, .velocity = velocity};
  job.sound = mote_pressure_properties_of(&fluid->solver)->has_sound_speed;
  MOTE_TAKE(job.strain, fluid->scratch, n + 1, error);
  MOTE_TAKE(job.flow, fluid->scratch, n + 1, error);
  job.strain[n] = (mote_strain){.e = {[6] = MOTE_STRAIN_UNKNOWN, [7] = 1.0f}};  // divisible by
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_GRAIN, strain_chunk, &job);
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_GRAIN, flow_chunk, &job);
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, put_flow_chunk, &job);
  *out = job.strain;
  return MOTE_OK;
}
