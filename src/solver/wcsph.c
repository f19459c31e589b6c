// Pressure from density, on particles and walls, and its acceleration: see wcsph.h.
#include "solver/wcsph.h"

#include "base/parallel.h"
#include "material/fluid_law.h"
#include "solver/pressure.h"

#define BULK 0.2  // viscosity over h c; the acoustic limit of time steps allows 0.3

typedef struct wcsph_job {
  mote_fluid *fluid;
  mote_pressures pressures;
  int part;
} wcsph_job;

// Tait's pressure, and where it pushes that of a bulk viscosity: it damps sound, which would ring for ever,
// and leaves shear and vortices alone.
static float law(const mote_fluid *f, float rest_density, float D, float rate) {
  const mote_solver_def *s = &f->solver;
  double rho0 = (double)rest_density, c = mote_law_sound_speed_of(s, f->sound_speed, rho0);
  double p = mote_law_pressure(mote_law_stiffness(rho0, c, s->exponent), s->exponent, s->negative_pressure,
                               (double)D);
  if (!(p > 0.0)) return (float)p;
  p += rho0 * (BULK * c * 0.5 * f->support) * (double)rate;
  return p > 0.0 ? (float)p : 0.0f;
}

static void law_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i], rate = mote_pressures_rate(&job->pressures, f, i) - f->wall_flow[i];
    f->pressure[i] = law(f, f->rest_density[i], D, rate);
    job->pressures.push[i] = f->volume[i] * (f->pressure[i] / (D * D));
  }
}

// Walls only push.
static void wall_law_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  const mote_wall_pairs *w = &job->fluid->walls[job->part];
  for (size_t b = begin; b < end; ++b) {
    float D = w->relative[b], rate = w->flow[b] + mote_pressures_wall_rate(&job->pressures, w, b);
    float p = w->rest_density[b] > 0.0f ? law(job->fluid, w->rest_density[b], D, rate) : 0.0f;
    job->pressures.wall_push[job->part][b] = p > 0.0f ? w->volume[b] * (p / (D * D)) : 0.0f;
  }
}

mote_result mote_wcsph_pressure(mote_fluid *fluid, double dt, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  wcsph_job job = {.fluid = fluid};
  mote_result result = mote_pressures_take(&job.pressures, fluid, error);
  if (result == MOTE_OK) {
    mote_pressures_flow(&job.pressures, fluid);
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
