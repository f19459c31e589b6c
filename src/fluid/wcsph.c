// Pressure from density, on particles and walls, and its acceleration: see wcsph.h.
#include "fluid/wcsph.h"

#include "base/parallel.h"
#include "fluid/continuity.h"
#include "fluid/coupled_body.h"
#include "fluid/gradient_correction.h"
#include "fluid/individual_steps.h"
#include "fluid/pressure.h"
#include "fluid/pressure_forms.h"
#include "fluid/sound_speed.h"
#include "fluid/tensile.h"
#include "fluid/tuning.inc"
#include "fluid/wall_work.h"

typedef struct wcsph_job {
  mote_fluid *fluid;
  mote_pressures pressures;
  int part;
} wcsph_job;

// Constants of a material.
typedef struct material {
  double rho0, c, K, zeta;
} material;

static material material_of(const mote_fluid *f, double rho0) {
  double c = mote_sound_at_density(f, rho0);
  return (material){rho0, c, mote_law_stiffness(rho0, c, f->solver.exponent), mote_law_zeta(&f->solver)};
}

static double state(const mote_fluid *f, const material *m, double D) {
  return mote_law_pressure(&f->solver, m->zeta, m->K, D);
}

// p plus the pressure of a bulk viscosity where p acts: damps sound waves but neither shear nor vortices.
static float damped(const mote_fluid *f, const material *m, double p, float rate) {
  bool keeps_negative = m->zeta > 0.0;
  if (!(p > 0.0) && !keeps_negative) return (float)p;
  p += m->rho0 * (BULK_VISCOSITY * m->c * 0.5 * f->support) * (double)rate;
  return p > 0.0 || keeps_negative ? (float)p : 0.0f;
}

static void state_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_fluid *f = data;
  material m = {.rho0 = 0.0};
  for (size_t i = begin; i < end; ++i) {
    double rho0 = (double)f->rest_density[i];
    if (rho0 != m.rho0) m = material_of(f, rho0);
    f->pressure[i] = (float)state(f, &m, (double)(1.0f + f->compression[i]));
  }
}

void mote_wcsph_state(mote_fluid *fluid) {
  if (fluid->compression == NULL) return;
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, state_chunk, fluid);
}

// Inactive particles have the rate of their last evaluation.
static inline float rate_of(const wcsph_job *job, const mote_pressure_view *v, size_t i) {
  mote_fluid *f = job->fluid;
  if (!mote_fluid_is_target(f, i)) return f->steps->rate[i];
  float rate = mote_rate_row(v, i) - f->wall_flow[i];
  if (f->steps != NULL) f->steps->rate[i] = rate;
  return rate;
}

static void law_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  mote_fluid *f = job->fluid;
  mote_pressure_view v = mote_pressures_view(&job->pressures, f);
  material m = {.rho0 = 0.0};
  for (size_t i = begin; i < end; ++i) {
    double rho0 = (double)f->rest_density[i];
    if (rho0 != m.rho0) m = material_of(f, rho0);
    double K = mote_sound_stiffness(f, i);
    float D = mote_fluid_relative(f, i), rate = K == 0.0 || f->steps != NULL ? rate_of(job, &v, i) : 0.0f;
    f->pressure[i] =
        K > 0.0 ? (float)mote_law_cohesive(K, (double)D) : damped(f, &m, state(f, &m, (double)D), rate);
    job->pressures.pressure_volume[i] = f->volume[i] * (f->pressure[i] / (D * D));
  }
}

// V P of a sample from its own density, by the law (DES96 (6)) of the neighbouring material.
static float cohesive_pressure_volume(const mote_wall_pairs *w, size_t b) {
  float D = w->relative[b], p = (float)mote_law_cohesive((double)w->stiffness[b], (double)D);
  return p > 0.0f ? w->volume[b] * (p / (D * D)) : 0.0f;
}

// Wall pressures are not negative. Where densities are followed, walls have the pressure of neighbouring
// particles plus the hydrostatic part (Adami, Hu & Adams 2012); else that of their own density.
static void wall_law_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  const mote_fluid *f = job->fluid;
  const mote_wall_pairs *w = &f->walls[job->part];
  for (size_t b = begin; b < end; ++b) {
    float *pressure_volume = &job->pressures.wall_pressure_volume[job->part][b];
    double rho0 = (double)w->rest_density[b], p, D = (double)w->relative[b];
    *pressure_volume = 0.0f;
    if (!(rho0 > 0.0)) continue;
    if (w->stiffness != NULL && w->stiffness[b] > 0.0f) {
      *pressure_volume = cohesive_pressure_volume(w, b);
      continue;
    }
    material m = material_of(f, rho0);
    if (f->compression != NULL) {
      const float *g = f->gravity, *lever = w->lever + 3 * b;
      p = (double)(w->pressure[b] + (g[0] * lever[0] + g[1] * lever[1] + g[2] * lever[2]));
      D = 1.0;
    } else {
      p = state(f, &m, D);
    }
    float rate = w->flow[b] + mote_wall_rate_row(job->pressures.flow, w, b);
    float damped_p = damped(f, &m, p, rate);
    if (damped_p > 0.0f) *pressure_volume = w->volume[b] * (damped_p / (float)(D * D));
  }
}

static mote_result accelerate(wcsph_job *job, double dt, mote_error *error) {
  const mote_solver_def *s = &job->fluid->solver;
  if (s->pair_form == MOTE_FORM_SYMMETRIC && !mote_gradient_fix_wanted(job->fluid)) {
    mote_pressures_accelerate(&job->pressures, job->fluid);
    mote_coupled_pressure pressure[MOTE_BOUNDARY_PARTS];
    mote_wall_work_pressures(job->fluid, &job->pressures, pressure);
    MOTE_TRY(mote_wall_work_add(job->fluid, pressure, dt, error));
    return mote_coupled_apply_pressure(job->fluid, &pressure[MOTE_BOUNDARY_PARTS - 1], dt, error);
  }
  return mote_pair_forms_accelerate(&job->pressures, job->fluid, dt, error);
}

static mote_result solve_pressure(wcsph_job *job, double dt, mote_error *error) {
  mote_fluid *fluid = job->fluid;
  MOTE_TRY(mote_pressures_take(&job->pressures, fluid, error));
  mote_pressures_flow(&job->pressures, fluid);
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_GRAIN, law_chunk, job);
  for (job->part = 0; job->part < MOTE_BOUNDARY_PARTS; ++job->part) {
    size_t samples = fluid->walls[job->part].samples;
    mote_parallel_for(fluid->env.threads, samples, MOTE_FLUID_GRAIN, wall_law_chunk, job);
  }
  MOTE_TRY(accelerate(job, dt, error));
  MOTE_TRY(mote_tensile_add(&job->pressures, fluid, error));
  if (fluid->steps != NULL) {
    MOTE_TRY(mote_individual_steps_kick(fluid, &job->pressures, error));
  } else {
    mote_pressures_kick(&job->pressures, fluid, dt);
  }
  return fluid->compression == NULL ? MOTE_OK : mote_continuity_advance(fluid, &job->pressures, dt, error);
}

mote_result mote_wcsph_pressure(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(fluid->scratch != NULL);
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  wcsph_job job = {.fluid = fluid};
  mote_result result = solve_pressure(&job, dt, error);
  mote_arena_release(fluid->scratch, mark);
  if (report != NULL) *report = (mote_solve_report){.converged = true};
  return result;
}
