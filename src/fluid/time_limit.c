// The time step's limits: see time_limit.h. EG09 6.4; Becker & Teschner 2007.
#include "fluid/time_limit.h"

#include <math.h>

#include "base/parallel.h"
#include "fluid/sound_speed.h"
#include "fluid/tension.h"
#include "material/tuning.inc"
#include "rows/limit_row.h"

typedef struct limit_job {
  const mote_fluid *fluid;
  double *limit;  // of each target
  mote_limit_view view;
  double flow[MOTE_THREADS_MAX], thickest[MOTE_THREADS_MAX];  // of each worker: s; largest nu
} limit_job;

typedef struct limits {
  double flow, viscous;  // s
} limits;

static mote_limit_view make_view(const mote_fluid *f, const float *acceleration) {
  const mote_solver_def *solver = &f->solver;
  bool central = mote_fluid_viscosity_form(f) == MOTE_VISCOSITY_CENTRAL;
  double h = 0.5 * f->support, delta = f->compression != NULL ? solver->density_diffusion : 0.0;
  return (mote_limit_view){.law = mote_sound_law(f),
                           .sound = mote_pressure_properties_of(solver)->has_sound_speed,
                           .distance = solver->cfl * f->spacing,
                           .acoustic = mote_law_acoustic(delta) * h,
                           .damped = MOTE_STEP_VISCOUS * h,
                           .nu_of = MOTE_STEP_CENTRAL * mote_law_artificial_shear(f->domain.dimensions),
                           .artificial = mote_law_artificial(solver),
                           .noise = mote_law_noise(solver),
                           .viscous = MOTE_STEP_VISCOUS * h * h,
                           .thick = central ? MOTE_STEP_CENTRAL : 1.0,
                           .most = solver->step_max,
                           .velocity = f->velocity,
                           .acceleration = acceleration,
                           .rest_density = f->rest_density,
                           .viscosity = f->viscosity,
                           .stiffness = f->stiffness,
                           .damping = f->damping,
                           .relative = f->relative,
                           .compression = f->compression};
}

static void limit_chunk(void *data, size_t begin, size_t end, int worker) {
  limit_job *job = data;
  mote_limit_view v = job->view;
  double least = job->flow[worker], thickest = job->thickest[worker];
  for (size_t i = begin; i < end; ++i) {
    double nu = mote_viscosity_row(&v, i);
    if (nu > thickest) thickest = nu;
    least = mote_sound_limit_row(&v, i, mote_flow_limit_row(&v, i, least));
  }
  job->flow[worker] = least, job->thickest[worker] = thickest;
}

static void own_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const limit_job *job = data;
  mote_limit_view v = job->view;
  for (size_t k = begin; k < end; ++k) mote_own_limit_row(&v, mote_fluid_row(job->fluid, k), &job->limit[k]);
}

void mote_fluid_own_limits(const mote_fluid *fluid, const float *acceleration, double *limit) {
  MOTE_ASSERT((acceleration != NULL && limit != NULL) || fluid->count == 0);
  limit_job job = {.fluid = fluid, .limit = limit, .view = make_view(fluid, acceleration)};
  mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_LIGHT_GRAIN, own_chunk, &job);
}

static limits find_limits(const mote_fluid *fluid) {
  limit_job job = {.view = make_view(fluid, fluid->acceleration)};
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) job.flow[w] = fluid->solver.step_max;
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, limit_chunk, &job);
  double flow = fluid->solver.step_max, nu = 0.0, h = 0.5 * fluid->support;
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) {
    if (job.flow[w] < flow) flow = job.flow[w];
    if (job.thickest[w] > nu) nu = job.thickest[w];
  }
  if (mote_fluid_viscosity_form(fluid) == MOTE_VISCOSITY_CENTRAL) nu *= MOTE_STEP_CENTRAL;
  return (limits){flow, nu > 0.0 ? MOTE_STEP_VISCOUS * (h * h) / nu : HUGE_VAL};
}

static void potential_chunk(void *data, size_t begin, size_t end, double *term) {
  const mote_fluid *f = ((const limit_job *)data)->fluid;
  for (size_t i = begin; i < end; ++i) term[i - begin] = (double)(f->pressure[i] / f->rest_density[i]);
}

// Second-order terms of predicted positions go with p dt^2 / (rho d^2); where they are large, a deep pool
// oscillates (docs/theory/fluids.md, "Time steps"). Uses the mean of the last pressures, not single peaks.
static double prediction_limit(const mote_fluid *fluid) {
  limit_job job = {.fluid = fluid};
  const mote_solver_def *solver = &fluid->solver;
  double part = mote_pressure_properties_of(solver)->pressure_step, sum = 0.0;
  if (part <= 0.0 || !mote_pressure_has_consistent_rates(solver)) return HUGE_VAL;
  mote_parallel_sum(fluid->env.threads, fluid->count, 1, potential_chunk, &job, &sum);
  return sum > 0.0 ? part * fluid->spacing / sqrt(sum / (double)fluid->count) : HUGE_VAL;
}

double mote_fluid_step_limit(const mote_fluid *fluid) {
  MOTE_ASSERT(fluid->spacing > 0.0 && fluid->support > 0.0);
  limits l = find_limits(fluid);
  double least = !fluid->implicit && l.viscous < l.flow ? l.viscous : l.flow;
  double capillary = mote_tension_step_limit(fluid);
  if (capillary < least) least = capillary;
  double prediction = prediction_limit(fluid);
  if (prediction < least) least = prediction;
  return least > fluid->solver.step_min ? least : fluid->solver.step_min;
}

bool mote_fluid_wants_implicit(const mote_fluid *fluid) {
  MOTE_ASSERT(fluid->spacing > 0.0);
  if (fluid->solver.steps == MOTE_STEPS_INDIVIDUAL) return false;
  if (fluid->solver.viscosity_solve != MOTE_VISCOSITY_AUTO) {
    return fluid->solver.viscosity_solve == MOTE_VISCOSITY_IMPLICIT;
  }
  limits l = find_limits(fluid);
  return l.viscous < (l.flow > fluid->solver.step_min ? l.flow : fluid->solver.step_min);
}
