// Pressure from density and its acceleration: see wcsph.h.
#include "solver/wcsph.h"

#include "base/parallel.h"
#include "material/fluid_law.h"
#include "solver/passes.h"

typedef struct wcsph_job {
  mote_fluid *fluid;
  float *push;  // V P
  float dt;
} wcsph_job;

static void law_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  mote_fluid *f = job->fluid;
  const mote_solver_def *s = &f->solver;
  for (size_t i = begin; i < end; ++i) {
    double D = (double)f->relative[i], K = s->stiffness;
    if (isnan(K)) K = mote_law_stiffness((double)f->rest_density[i], f->sound_speed, s->exponent);
    f->pressure[i] = (float)mote_law_pressure(K, s->exponent, s->negative_pressure, D);
    job->push[i] = f->volume[i] * (f->pressure[i] / (f->relative[i] * f->relative[i]));
  }
}

static void push_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    float a[3];
    mote_pass_pressure(f, job->push[i] / f->volume[i], job->push, i, a);
    for (int k = 0; k < 3; ++k) f->velocity[3 * i + k] += job->dt * a[k];
  }
}

mote_result mote_wcsph_pressure(mote_fluid *fluid, double dt, mote_error *error) {
  size_t n = fluid->count;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  wcsph_job job = {fluid, mote_arena_take(fluid->scratch, n + 1, sizeof(float)), (float)dt};
  if (job.push == NULL) return mote_fail_memory(error, (n + 1) * sizeof(float));
  job.push[n] = 0.0f;
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_GRAIN, law_chunk, &job);
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_GRAIN, push_chunk, &job);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}
