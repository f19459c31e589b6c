// The time step's limits: see time_limit.h. EG09 6.4; Becker & Teschner 2007.
#include "solver/time_limit.h"

#include "base/parallel.h"
#include "material/fluid_law.h"

#define VISCOUS 0.125  // of h^2 / nu: explicit diffusion is stable below 0.22 on a lattice of support 2 d
#define ACOUSTIC 0.4   // of h / c
#define DIFFUSIVE 0.1  // of h / (c delta): densities diffuse by delta h c

typedef struct limit_job {
  const mote_fluid *fluid;
  double least[MOTE_THREADS_MAX];  // of each worker
} limit_job;

// The time in which a particle of speed v and acceleration a may move by `way`: v t + a t^2 = way.
static double time_for(double way, double v, double a) {
  double root = sqrt(v * v + 4.0 * a * way);
  return 2.0 * way / (v + root);  // infinite at rest
}

static double length(const float *x) {
  double a = (double)x[0], b = (double)x[1], c = (double)x[2];
  return sqrt(a * a + b * b + c * c);
}

static void limit_chunk(void *data, size_t begin, size_t end, int worker) {
  limit_job *job = data;
  const mote_fluid *f = job->fluid;
  double h = 0.5 * f->support, least = job->least[worker];
  bool sound = f->solver.pressure == MOTE_PRESSURE_WCSPH;
  double delta = f->compression != NULL ? f->solver.density_diffusion : 0.0;
  double acoustic = delta * ACOUSTIC > DIFFUSIVE ? DIFFUSIVE / delta : ACOUSTIC;
  for (size_t i = begin; i < end; ++i) {
    double v = length(f->velocity + 3 * i), nu = (double)(f->viscosity[i] / f->rest_density[i]);
    double t = time_for(f->solver.cfl * f->spacing, v, length(f->acceleration + 3 * i));
    if (t < least) least = t;
    if (VISCOUS * (h * h) < nu * least) least = VISCOUS * (h * h) / nu;
    if (!sound) continue;
    double c = mote_law_sound_speed_of(&f->solver, f->sound_speed, (double)f->rest_density[i]);
    c = mote_law_sound_speed_at(&f->solver, c, (double)mote_fluid_relative(f, i));
    if (acoustic * h < least * c) least = acoustic * h / c;
  }
  job->least[worker] = least;
}

double mote_fluid_step_limit(const mote_fluid *fluid) {
  limit_job job = {.fluid = fluid};
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) job.least[w] = fluid->solver.step_max;
  mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, limit_chunk, &job);
  double least = fluid->solver.step_max;
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) least = job.least[w] < least ? job.least[w] : least;
  return least > fluid->solver.step_min ? least : fluid->solver.step_min;
}
