// Repulsion under negative pressure: see tensile.h.
#include "fluid/tensile.h"

#include "base/parallel.h"

typedef struct tensile_job {
  const mote_pressures *pressures;
  const mote_fluid *fluid;
  float *repulsion;  // A; one more, the dummy's
  float per_value;   // 1 / W(d)
} tensile_job;

static void repulsion_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tensile_job *job = data;
  const mote_fluid *f = job->fluid;
  float epsilon = (float)f->solver.repulsion;
  for (size_t i = begin; i < end; ++i) {
    float D = mote_fluid_relative(f, i), p = f->pressure[i];
    job->repulsion[i] = f->stiffness[i] > 0.0f && p < 0.0f ? -epsilon * p / (D * D) : 0.0f;
  }
}

static void add_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const tensile_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    mote_lane sum[3] = {{0}};
    for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
      const uint32_t *j = f->pairs.lanes[g.at].index;
      mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
      mote_lane closeness = mote_pairs_value(&f->pairs.scale, &p) * job->per_value,
                square = closeness * closeness;
      mote_lane repulsion = {job->repulsion[j[0]], job->repulsion[j[1]], job->repulsion[j[2]],
                             job->repulsion[j[3]]};
      mote_lane strength = p.volume * (repulsion + job->repulsion[i]) * (square * square);
      mote_lane weight = strength * mote_pair_lanes_gradient_factor(&f->pairs, g.at, &p);
      for (int a = 0; a < 3; ++a) sum[a] += weight * p.x[a];
    }
    for (int a = 0; a < 3; ++a) job->pressures->flow[i].u[a] -= f->mobility[i] * mote_lane_sum(sum[a]);
  }
}

mote_result mote_tensile_add(const mote_pressures *pressures, mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(pressures->flow != NULL || fluid->count == 0);
  if (fluid->stiffness == NULL || fluid->solver.repulsion == 0.0) return MOTE_OK;
  size_t n = fluid->count;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  tensile_job job = {.pressures = pressures, .fluid = fluid};
  job.per_value = (float)(1.0 / mote_kernel_value(&fluid->kernel, fluid->spacing));
  MOTE_TAKE(job.repulsion, fluid->scratch, n + 1, error);
  job.repulsion[n] = 0.0f;
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, repulsion_chunk, &job);
  mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, add_chunk, &job);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}
