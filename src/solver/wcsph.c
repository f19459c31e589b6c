// Pressure from density, on particles and walls, and its acceleration: see wcsph.h.
#include "solver/wcsph.h"

#include "base/parallel.h"
#include "material/fluid_law.h"
#include "solver/pressure.h"

typedef struct wcsph_job {
  mote_fluid *fluid;
  mote_pressures pressures;
  int part;
} wcsph_job;

static float law(const mote_fluid *f, float rest_density, float D) {
  const mote_solver_def *s = &f->solver;
  double K = s->stiffness;
  if (isnan(K)) K = mote_law_stiffness((double)rest_density, f->sound_speed, s->exponent);
  return (float)mote_law_pressure(K, s->exponent, s->negative_pressure, (double)D);
}

static void law_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i];
    f->pressure[i] = law(f, f->rest_density[i], D);
    job->pressures.push[i] = f->volume[i] * (f->pressure[i] / (D * D));
  }
}

// Walls only push.
static void wall_law_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  const mote_wall_pairs *w = &job->fluid->walls[job->part];
  for (size_t b = begin; b < end; ++b) {
    float D = w->relative[b], p = law(job->fluid, w->rest_density[b], D);
    job->pressures.wall_push[job->part][b] = p > 0.0f ? w->volume[b] * (p / (D * D)) : 0.0f;
  }
}

mote_result mote_wcsph_pressure(mote_fluid *fluid, double dt, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  wcsph_job job = {.fluid = fluid};
  mote_result result = mote_pressures_take(&job.pressures, fluid, error);
  if (result == MOTE_OK) {
    mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_GRAIN, law_chunk, &job);
    for (job.part = 0; job.part < MOTE_BOUNDARY_PARTS; ++job.part) {
      size_t samples = fluid->walls[job.part].samples;
      mote_parallel_for(fluid->env.threads, samples, MOTE_FLUID_GRAIN, wall_law_chunk, &job);
    }
    mote_pressures_accelerate(&job.pressures, fluid);
    mote_pressures_kick(&job.pressures, fluid, dt);
  }
  mote_arena_release(fluid->scratch, mark);
  return result;
}
