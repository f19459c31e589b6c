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
#include "rows/law_row.h"

typedef struct wcsph_job {
  mote_fluid *fluid;
  mote_pressures pressures;
  int part;
} wcsph_job;

static mote_law_view make_view(const mote_fluid *f, const mote_pressures *pressures) {
  return (mote_law_view){.law = mote_sound_law(f),
                         .bulk = BULK_VISCOSITY,
                         .support = f->support,
                         .gravity = {f->gravity[0], f->gravity[1], f->gravity[2]},
                         .rest_density = f->rest_density,
                         .volume = f->volume,
                         .relative = f->relative,
                         .compression = f->compression,
                         .stiffness = f->stiffness,
                         .flow = pressures->flow,
                         .pressure = f->pressure,
                         .pressure_volume = pressures->pressure_volume};
}

static void state_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_law_view v = make_view(data, &(mote_pressures){.flow = NULL});
  mote_law_material m = {.rho0 = 0.0};
  for (size_t i = begin; i < end; ++i) {
    m = mote_law_material_of(&v, m, (double)v.rest_density[i]);
    mote_state_row(&v, &m, i);
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
  mote_pressure_view rates = mote_pressures_view(&job->pressures, job->fluid);
  mote_law_view v = make_view(job->fluid, &job->pressures);
  mote_law_material m = {.rho0 = 0.0};
  for (size_t i = begin; i < end; ++i) {
    bool damps = mote_own_stiffness(&v, i) == 0.0 || job->fluid->steps != NULL;
    float rate = damps ? rate_of(job, &rates, i) : 0.0f;
    m = mote_law_material_of(&v, m, (double)v.rest_density[i]);
    mote_law_row(&v, &m, i, rate);
  }
}

static void wall_law_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wcsph_job *job = data;
  mote_law_view v = make_view(job->fluid, &job->pressures);
  const mote_wall_pairs *w = &job->fluid->walls[job->part];
  float *pressure_volume = job->pressures.wall_pressure_volume[job->part];
  for (size_t b = begin; b < end; ++b) pressure_volume[b] = mote_wall_law_row(&v, w, b);
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
