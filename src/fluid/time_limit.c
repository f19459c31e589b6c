// The time step's limits: see time_limit.h. EG09 6.4; Becker & Teschner 2007.
#include "fluid/time_limit.h"

#include <math.h>

#include "base/parallel.h"
#include "fluid/sound_speed.h"
#include "fluid/tension.h"
#include "material/tuning.inc"

typedef struct limit_job {
  const mote_fluid *fluid;
  double flow[MOTE_THREADS_MAX], thickest[MOTE_THREADS_MAX];  // of each worker: s; largest nu
} limit_job;

typedef struct limits {
  double flow, viscous;  // s
} limits;

// The time in which a particle of speed v and acceleration a moves by `distance`: v t + a t^2 = distance.
static double time_for(double distance, double v, double a) {
  double root = sqrt(v * v + 4.0 * a * distance);
  return 2.0 * distance / (v + root);  // infinite at rest
}

static double length(const float *x) {
  double a = (double)x[0], b = (double)x[1], c = (double)x[2];
  return sqrt(a * a + b * b + c * c);
}

// True if time_for exceeds t, by a bound without square roots: |x| + |y| + |z| is at least the length.
static bool is_slow(double distance, double t, const float *v, const float *a) {
  double speed = 0.0, acceleration = 0.0;
  for (int k = 0; k < 3; ++k) speed += fabs((double)v[k]), acceleration += fabs((double)a[k]);
  return (speed + acceleration * t) * t < (1.0 - 1e-9) * distance;
}

// Constants of all particles.
typedef struct limit_rule {
  double h, distance, nu_of, acoustic;
  bool sound;
} limit_rule;

static limit_rule make_rule(const mote_fluid *f) {
  const mote_solver_def *solver = &f->solver;
  double delta = f->compression != NULL ? solver->density_diffusion : 0.0;
  return (limit_rule){.h = 0.5 * f->support,
                      .distance = solver->cfl * f->spacing,
                      .nu_of = MOTE_STEP_CENTRAL * mote_law_artificial_shear(f->domain.dimensions),
                      .acoustic = mote_law_acoustic(delta),
                      .sound = mote_pressure_properties_of(solver)->has_sound_speed};
}

// The least of `least` and the limit of particle i by speed and acceleration.
static inline double flow_limit(const limit_rule *r, const mote_fluid *f, size_t i, const float *a,
                                double least) {
  const float *v = f->velocity + 3 * i;
  return is_slow(r->distance, least, v, a) ? least : fmin(least, time_for(r->distance, length(v), length(a)));
}

// The least of `least` and the limits of particle i by sound and artificial viscosity.
static inline double sound_limit(const limit_rule *r, const mote_fluid *f, size_t i, double least) {
  const mote_solver_def *solver = &f->solver;
  double alpha = mote_sound_damping(f, i);
  if (!r->sound && alpha == 0.0) return least;
  double c = mote_sound_of(f, i);
  if (solver->state == MOTE_STATE_GAS)
    c = mote_law_sound_speed_at(solver, c, (double)mote_fluid_relative(f, i));
  if (r->sound && r->acoustic * r->h < least * c) least = r->acoustic * r->h / c;
  double damped = r->nu_of * alpha * c;
  return MOTE_STEP_VISCOUS * r->h < least * damped ? MOTE_STEP_VISCOUS * r->h / damped : least;
}

static void limit_chunk(void *data, size_t begin, size_t end, int worker) {
  limit_job *job = data;
  const mote_fluid *f = job->fluid;
  limit_rule rule = make_rule(f);
  double least = job->flow[worker], thickest = job->thickest[worker];
  for (size_t i = begin; i < end; ++i) {
    double nu = (double)(f->viscosity[i] / f->rest_density[i]);
    if (nu > thickest) thickest = nu;
    least = sound_limit(&rule, f, i, flow_limit(&rule, f, i, f->acceleration + 3 * i, least));
  }
  job->flow[worker] = least, job->thickest[worker] = thickest;
}

typedef struct row_job {
  const mote_fluid *fluid;
  const float *acceleration;
  double *limit;
} row_job;

static void row_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const row_job *job = data;
  const mote_fluid *f = job->fluid;
  limit_rule rule = make_rule(f);
  double thick = mote_fluid_viscosity_form(f) == MOTE_VISCOSITY_CENTRAL ? MOTE_STEP_CENTRAL : 1.0;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    double nu = thick * (double)(f->viscosity[i] / f->rest_density[i]),
           viscous = MOTE_STEP_VISCOUS * rule.h * rule.h;
    double least = sound_limit(&rule, f, i, f->solver.step_max);  // first: most are slower, and need no root
    least = flow_limit(&rule, f, i, job->acceleration + 3 * i, least);
    job->limit[k] = viscous < least * nu ? viscous / nu : least;
  }
}

void mote_fluid_own_limits(const mote_fluid *fluid, const float *acceleration, double *limit) {
  MOTE_ASSERT((acceleration != NULL && limit != NULL) || fluid->count == 0);
  row_job job = {fluid, acceleration, limit};
  mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_LIGHT_GRAIN, row_chunk, &job);
}

static limits find_limits(const mote_fluid *fluid) {
  limit_job job = {.fluid = fluid};
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
