// Two pressure solves of Bender & Koschier 2015, 2017 in one form: see dfsph.h.
//
// Wanted are pressures P >= 0 such that s_i + dt^2 (A P)_i <= 0, with equality where P_i > 0. Here s is the
// compression to come without them, D - 1 + dt dD/dt (density) or dt dD/dt (divergence), and -A P is the rate
// of compression of their accelerations. P_i <- max(0, P_i + omega c_i / (dt^2 A_ii)), c_i the compression
// left: a projected Jacobi iteration (docs/theory/fluids.md says when it converges).
#include "solver/dfsph.h"

#include "base/parallel.h"
#include "solver/passes.h"
#include "solver/relaxation.h"

#define WARM 0.5f           // how much of the last pressure a solve starts from
#define RELAXATION 1.25     // over the largest eigenvalue; 2 is the limit on a lattice
#define FLOOR 0.1           // of the diagonal, in that of a full neighbourhood
#define WORST 0.25f         // compression that one step undoes: more is undone in several
#define LEAST_DENSITY 0.8f  // particles with less are not full enough for a divergence

typedef struct solve {
  mote_fluid *fluid;
  float dt, omega, least;
  bool density;     // else divergence
  float *state;     // Pa, of the last solve and of the next
  float *P, *push;  // p / D^2; V P
  float *source;    // s
  float *step;      // omega / (dt^2 A_ii); 0: the pressure is 0
  mote_flow *flow;  // V v, then V a
} solve;

static mote_result take_arrays(solve *s, mote_error *error) {
  mote_arena *arena = s->fluid->scratch;
  size_t n = s->fluid->count;
  s->P = mote_arena_take(arena, n, sizeof(float));
  s->push = mote_arena_take(arena, n + 1, sizeof(float));
  s->source = mote_arena_take(arena, n, sizeof(float));
  s->step = mote_arena_take(arena, n, sizeof(float));
  s->flow = mote_arena_take(arena, n + 1, sizeof(mote_flow));
  if (!s->P || !s->push || !s->source || !s->step || !s->flow) {
    return mote_fail_memory(error, n * (sizeof(mote_flow) + 16));
  }
  s->push[n] = 0.0f;
  s->flow[n] = (mote_flow){.zero = 0.0f};
  return MOTE_OK;
}

static inline void set_pressure(const solve *s, size_t i, float P) {
  s->P[i] = P;
  s->push[i] = s->fluid->volume[i] * P;
}

// A_ii, from below by that of a full neighbourhood: without neighbours there is nothing to push.
static float diagonal(const solve *s, size_t i) {
  const mote_fluid *f = s->fluid;
  const float *g = f->gradient + 3 * i, *G = f->wall + 3 * i;
  float own = 0.0f;
  for (int k = 0; k < 3; ++k) own += (g[k] + MOTE_WALL_FACTOR * G[k]) * (g[k] + G[k]);
  float A = (own > 0.0f ? own : 0.0f) / f->rest_density[i] + f->diagonal[i];
  float least = s->least / f->rest_density[i];
  return A > least ? A : least;
}

static void flow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    for (int k = 0; k < 3; ++k) s->flow[i].u[k] = f->volume[i] * f->velocity[3 * i + k];
    s->flow[i].zero = 0.0f;
  }
}

static void start_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i], excess = D - 1.0f;
    float rate = s->dt * (mote_pass_compression(f, s->flow, i) - f->wall_flow[i]);
    bool free = !s->density && D < LEAST_DENSITY;
    s->source[i] = s->density ? (excess < WORST ? excess : WORST) + rate : rate;
    s->step[i] = free ? 0.0f : s->omega / (s->dt * s->dt * diagonal(s, i));
    set_pressure(s, i, free ? 0.0f : WARM * s->state[i] / (D * D));
  }
}

static void accelerate_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float a[3];
    mote_pass_pressure(f, s->P[i], s->push, i, a);
    for (int k = 0; k < 3; ++k) s->flow[i].u[k] = f->volume[i] * a[k];
  }
}

static void iterate_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  for (size_t i = begin; i < end; ++i) {
    if (s->step[i] == 0.0f) continue;
    float c = s->source[i] + s->dt * s->dt * mote_pass_compression(s->fluid, s->flow, i);
    float P = s->P[i] + s->step[i] * c;
    set_pressure(s, i, P > 0.0f ? P : 0.0f);
    if (c > 0.0f) sum[0] += (double)c;
  }
}

static void finish_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float a[3], D = f->relative[i];
    mote_pass_pressure(f, s->P[i], s->push, i, a);
    for (int k = 0; k < 3; ++k) f->velocity[3 * i + k] += s->dt * a[k];
    s->state[i] = s->P[i] * (D * D);
  }
}

static void run(solve *s, double tolerance, mote_solve_report *report) {
  const mote_fluid *f = s->fluid;
  int threads = f->env.threads;
  mote_parallel_for(threads, f->count, 4 * MOTE_FLUID_GRAIN, flow_chunk, s);
  mote_parallel_for(threads, f->count, MOTE_FLUID_GRAIN, start_chunk, s);
  do {
    double sum = 0.0;
    mote_parallel_for(threads, f->count, MOTE_FLUID_GRAIN, accelerate_chunk, s);
    mote_parallel_sum(threads, f->count, 1, iterate_chunk, s, &sum);
    report->error = sum / (double)f->count;
    report->converged = report->error <= tolerance;
    ++report->iterations;
  } while (report->iterations < f->solver.iterations_min ||
           (!report->converged && report->iterations < f->solver.iterations_max));
  mote_parallel_for(threads, f->count, MOTE_FLUID_GRAIN, finish_chunk, s);
}

static void find_spectrum(mote_fluid *fluid) {
  if (fluid->spectrum.diagonal > 0.0) return;
  mote_kernel kernel = mote_kernel_make(fluid->solver.kernel, fluid->domain.dimensions, fluid->support);
  fluid->spectrum = mote_lattice_spectrum_of(&kernel, fluid->spacing);
}

static mote_result solve_for(mote_fluid *fluid, double dt, bool density, mote_solve_report *report,
                             mote_error *error) {
  mote_solve_report did = {.converged = true};
  if (dt > 0.0 && fluid->count > 0) {
    find_spectrum(fluid);
    solve s = {.fluid = fluid, .dt = (float)dt, .density = density};
    s.omega = (float)(RELAXATION / fluid->spectrum.largest);
    s.least = (float)(FLOOR * fluid->spectrum.diagonal);
    s.state = density ? fluid->pressure : fluid->divergence_pressure;
    mote_arena_mark mark = mote_arena_here(fluid->scratch);
    mote_result result = take_arrays(&s, error);
    if (result == MOTE_OK) {
      run(&s, density ? fluid->solver.density_error : fluid->solver.divergence_error, &did);
    }
    mote_arena_release(fluid->scratch, mark);
    MOTE_TRY(result);
  }
  if (report != NULL) *report = did;
  return MOTE_OK;
}

mote_result mote_dfsph_divergence(mote_fluid *fluid, double dt, mote_solve_report *report,
                                  mote_error *error) {
  return solve_for(fluid, dt, false, report, error);
}

mote_result mote_dfsph_density(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  return solve_for(fluid, dt, true, report, error);
}
