// The time step's limits: see time_limit.h. EG09 6.4; Becker & Teschner 2007.
#include "solver/time_limit.h"

#include <math.h>

#include "base/parallel.h"
#include "solver/sound.h"

#define VISCOUS 0.125  // of h^2 / nu: explicit diffusion is stable below 0.22 on a lattice of support 2 d
#define CENTRAL 3.0    // as much: the central form stretches and squeezes with three times the viscosity
#define ACOUSTIC 0.4   // of h / c
#define DIFFUSIVE 0.1  // of h / (c delta): densities diffuse by delta h c

typedef struct limit_job {
  const mote_fluid *fluid;
  double flow[MOTE_THREADS_MAX], thickest[MOTE_THREADS_MAX];  // of each worker: s; largest nu
} limit_job;

typedef struct limits {
  double flow, viscous;  // s
} limits;

// The time in which a particle of speed v and acceleration a may move by `way`: v t + a t^2 = way.
static double time_for(double way, double v, double a) {
  double root = sqrt(v * v + 4.0 * a * way);
  return 2.0 * way / (v + root);  // infinite at rest
}

static double length(const float *x) {
  double a = (double)x[0], b = (double)x[1], c = (double)x[2];
  return sqrt(a * a + b * b + c * c);
}

// Whether time_for is more than t, by a bound without roots: |x| + |y| + |z| is at least the length.
static bool is_slow(double way, double t, const float *v, const float *a) {
  double speed = 0.0, pull = 0.0;
  for (int k = 0; k < 3; ++k) speed += fabs((double)v[k]), pull += fabs((double)a[k]);
  return (speed + pull * t) * t < (1.0 - 1e-9) * way;
}

static void limit_chunk(void *data, size_t begin, size_t end, int worker) {
  limit_job *job = data;
  const mote_fluid *f = job->fluid;
  const mote_solver_def *solver = &f->solver;
  double h = 0.5 * f->support, way = solver->cfl * f->spacing, least = job->flow[worker],
         thickest = job->thickest[worker];
  double nu_of = CENTRAL * mote_law_artificial_shear(f->domain.dimensions);
  bool sound = solver->pressure == MOTE_PRESSURE_WCSPH;
  double delta = f->compression != NULL ? solver->density_diffusion : 0.0;
  double acoustic = delta * ACOUSTIC > DIFFUSIVE ? DIFFUSIVE / delta : ACOUSTIC;
  for (size_t i = begin; i < end; ++i) {
    const float *v = f->velocity + 3 * i, *a = f->acceleration + 3 * i;
    double nu = (double)(f->viscosity[i] / f->rest_density[i]);
    if (nu > thickest) thickest = nu;
    if (!is_slow(way, least, v, a)) least = fmin(least, time_for(way, length(v), length(a)));
    double alpha = mote_sound_damping(f, i);
    if (!sound && alpha == 0.0) continue;
    double c = mote_sound_of(f, i);
    if (solver->state == MOTE_STATE_GAS)
      c = mote_law_sound_speed_at(solver, c, (double)mote_fluid_relative(f, i));
    if (sound && acoustic * h < least * c) least = acoustic * h / c;
    if (VISCOUS * h < least * (nu_of * alpha * c)) least = VISCOUS * h / (nu_of * alpha * c);
  }
  job->flow[worker] = least, job->thickest[worker] = thickest;
}

static limits find_limits(const mote_fluid *fluid) {
  limit_job job = {.fluid = fluid};
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) job.flow[w] = fluid->solver.step_max;
  mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, limit_chunk, &job);
  double flow = fluid->solver.step_max, nu = 0.0, h = 0.5 * fluid->support;
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) {
    if (job.flow[w] < flow) flow = job.flow[w];
    if (job.thickest[w] > nu) nu = job.thickest[w];
  }
  if (fluid->solver.viscosity_form == MOTE_VISCOSITY_CENTRAL) nu *= CENTRAL;
  return (limits){flow, nu > 0.0 ? VISCOUS * (h * h) / nu : HUGE_VAL};
}

double mote_fluid_step_limit(const mote_fluid *fluid) {
  limits l = find_limits(fluid);
  double least = !fluid->implicit && l.viscous < l.flow ? l.viscous : l.flow;
  return least > fluid->solver.step_min ? least : fluid->solver.step_min;
}

bool mote_fluid_wants_implicit(const mote_fluid *fluid) {
  if (fluid->solver.viscosity_solve != MOTE_VISCOSITY_AUTO) {
    return fluid->solver.viscosity_solve == MOTE_VISCOSITY_IMPLICIT;
  }
  limits l = find_limits(fluid);
  return l.viscous < (l.flow > fluid->solver.step_min ? l.flow : fluid->solver.step_min);
}
