// The pressure solves of Bender & Koschier 2015, 2017 in one form: see dfsph.h.
//
// Wanted are pressures P >= 0 such that c = s - dt^2 A P <= 0, with c_i = 0 where P_i > 0. Here s is the
// compression to come without them and -A P the rate of compression of their accelerations. Walls near fluid
// have such a pressure too. P_i <- max(0, P_i + omega c_i / (dt^2 A_ii)): a projected Jacobi iteration
// (docs/theory/fluids.md says when it converges).
#include "solver/dfsph.h"

#include <math.h>

#include "base/parallel.h"
#include "solver/pressure.h"
#include "solver/shift.h"
#include "solver/shifting.h"

#define LIVELY 2.0f      // of the excess times the spacings moved in a step is undone by velocities
#define RELAXATION 1.15  // over the largest eigenvalue of a lattice, where 2 is the limit; flows have had 1.5
#define CALMER 0.7f      // times the relaxation, after an iteration that made the error larger
#define FLOOR 0.1        // of the diagonal, in that of a full neighbourhood
#define SHIFT_PART 0.5f  // of the excess is undone by a shift
#define WORST 0.25f      // excess that counts: more is undone in several steps
#define SHIFT_ITERATIONS 4  // what is left is undone in the next steps
#define LEAST_DENSITY 0.8f  // particles with less are not full enough for a divergence

typedef enum solve_kind { DIVERGENCE, DENSITY, SHIFT } solve_kind;

typedef struct solve {
  mote_fluid *fluid;
  solve_kind kind;
  float dt, omega, least;
  float lively;  // LIVELY, or 0
  float calm;    // times omega
  mote_pressures pressures;
  float *source;  // s
  float *step;    // V omega / (dt^2 A_ii); 0: there is no pressure
  float *wall_source[MOTE_BOUNDARY_PARTS], *wall_step[MOTE_BOUNDARY_PARTS];
  int part;
} solve;

static mote_result take_arrays(solve *s, mote_error *error) {
  mote_arena *arena = s->fluid->scratch;
  size_t n = s->fluid->count;
  MOTE_TRY(mote_pressures_take(&s->pressures, s->fluid, error));
  s->source = mote_arena_take(arena, n, sizeof(float));
  s->step = mote_arena_take(arena, n, sizeof(float));
  bool all = s->source != NULL && s->step != NULL;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    s->wall_source[p] = mote_arena_take(arena, s->fluid->walls[p].samples, sizeof(float));
    s->wall_step[p] = mote_arena_take(arena, s->fluid->walls[p].samples, sizeof(float));
    all = all && s->wall_source[p] != NULL && s->wall_step[p] != NULL;
  }
  return all ? MOTE_OK : mote_fail_memory(error, 2 * n * sizeof(float));
}

// --- The beginning of a solve ---

// s, of the relative density and the compression to come in dt. Velocities may fill what room there is, but
// do not undo what is too dense: that would leave particles with speeds of the step's making. Shifts do.
static inline float source_of(solve_kind kind, float D, float coming, float lively) {
  float excess = D - 1.0f;
  if (kind == DIVERGENCE) return coming;
  if (kind == DENSITY)
    return coming +
           (excess < 0.0f ? excess : (lively < 1.0f ? lively : 1.0f) * (excess < WORST ? excess : WORST));
  return excess < 0.0f ? excess : SHIFT_PART * (excess < WORST ? excess : WORST);
}

// V omega / (dt^2 A_ii). A_ii is bounded from below by that of a full neighbourhood: without neighbours there
// is nothing to push; and where particles crowd, each must do less, as all do the same.
static inline float step_of(const solve *s, float volume, float rest_density, float D, float A) {
  float least = s->least / rest_density, crowd = D > 1.0f ? D : 1.0f;
  return volume * s->omega / (s->dt * s->dt * crowd * (A > least ? A : least));
}

// What a solve starts from, Pa: the result of the last of its kind. `pressure` is the sum of both.
static inline float first_pressure(const solve *s, size_t i) {
  const mote_fluid *f = s->fluid;
  if (s->kind == SHIFT) return 0.0f;
  if (s->kind == DIVERGENCE) return f->divergence_pressure[i];
  float p = f->pressure[i] - f->divergence_pressure[i];
  return p > 0.0f ? p : 0.0f;
}

static void start_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    const float *g = f->gradient + 3 * i, *G = f->wall + 3 * i;
    float D = f->relative[i], own = 0.0f, coming = 0.0f;
    for (int k = 0; k < 3; ++k) own += (g[k] + G[k]) * (g[k] + G[k]);
    if (s->kind != SHIFT) coming = s->dt * (mote_pressures_rate(&s->pressures, f, i) - f->wall_flow[i]);
    const float *v = f->velocity + 3 * i;
    float lively = s->lively * s->dt * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (float)f->spacing;
    s->source[i] = source_of(s->kind, D, coming, lively);
    bool free = s->kind == DIVERGENCE && D < LEAST_DENSITY;
    float A = own / f->rest_density[i] + f->diagonal[i];
    s->step[i] = free ? 0.0f : step_of(s, f->volume[i], f->rest_density[i], D, A);
    s->pressures.push[i] = free ? 0.0f : f->volume[i] * (first_pressure(s, i) / (D * D));
  }
}

static void start_wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[s->part];
  for (size_t b = begin; b < end; ++b) {
    float D = w->relative[b], coming = 0.0f;
    if (s->kind != SHIFT) coming = s->dt * (w->flow[b] + mote_pressures_wall_rate(&s->pressures, w, b));
    s->wall_source[s->part][b] = source_of(s->kind, D, coming, 0.0f);
    bool free = w->rest_density[b] == 0.0f || (s->kind == DIVERGENCE && D < LEAST_DENSITY);
    s->wall_step[s->part][b] = free ? 0.0f : step_of(s, w->volume[b], w->rest_density[b], D, w->diagonal[b]);
    float start = free || s->kind != DENSITY ? 0.0f : w->volume[b] * (w->pressure[b] / (D * D));
    s->pressures.wall_push[s->part][b] = start;
  }
}

// --- An iteration ---

// Raises or lowers a pressure by the compression left, and adds what is wrong to the error: compression, and
// expansion by a pressure. Were only compression an error, pressures of the last step that are too high would
// stay so, and water at rest would breathe.
static inline void correct(float *push, float step, float c, double *sum) {
  float raised = *push + step * c;
  *push = raised > 0.0f ? raised : 0.0f;
  if (c > 0.0f || raised > 0.0f) *sum += (double)fabsf(c);
}

static void iterate_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    if (s->step[i] == 0.0f) continue;
    float c = s->source[i] + s->dt * s->dt * mote_pressures_rate(&s->pressures, f, i);
    correct(&s->pressures.push[i], s->calm * s->step[i], c, sum);
  }
}

static void iterate_wall_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[s->part];
  for (size_t b = begin; b < end; ++b) {
    float step = s->wall_step[s->part][b];
    if (step == 0.0f) continue;
    float rate = mote_pressures_wall_rate(&s->pressures, w, b);
    float c = s->wall_source[s->part][b] + s->dt * s->dt * rate;
    correct(&s->pressures.wall_push[s->part][b], s->calm * step, c, sum);
  }
}

// The sum of compressions before the pressures were corrected.
static double iterate(solve *s) {
  int threads = s->fluid->env.threads;
  double sum = 0.0, part = 0.0;
  mote_pressures_accelerate(&s->pressures, s->fluid);
  mote_parallel_sum(threads, s->fluid->count, 1, iterate_chunk, s, &sum);
  for (s->part = 0; s->part < MOTE_BOUNDARY_PARTS; ++s->part) {
    mote_parallel_sum(threads, s->fluid->walls[s->part].samples, 1, iterate_wall_chunk, s, &part);
    sum += part;
  }
  return sum;
}

static void start(solve *s) {
  const mote_fluid *f = s->fluid;
  int threads = f->env.threads;
  mote_pressures_flow(&s->pressures, f);
  mote_parallel_for(threads, f->count, MOTE_FLUID_GRAIN, start_chunk, s);
  for (s->part = 0; s->part < MOTE_BOUNDARY_PARTS; ++s->part) {
    mote_parallel_for(threads, f->walls[s->part].samples, MOTE_FLUID_GRAIN, start_wall_chunk, s);
  }
}

static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i], p = s->pressures.push[i] / f->volume[i] * (D * D);
    if (s->kind == DENSITY) {
      f->pressure[i] = p + f->divergence_pressure[i];
    } else {
      f->pressure[i] += p - f->divergence_pressure[i];
      f->divergence_pressure[i] = p;
    }
  }
}

static void run(solve *s, double tolerance, mote_solve_report *report) {
  mote_fluid *f = s->fluid;
  int least = s->kind == SHIFT ? 1 : f->solver.iterations_min;
  int most = s->kind == SHIFT ? SHIFT_ITERATIONS : f->solver.iterations_max;
  s->calm = 1.0f;
  start(s);
  do {
    double before = report->error;
    report->error = iterate(s) / (double)f->count;
    if (report->iterations > 1 && report->error > before) s->calm *= CALMER;
    report->converged = report->error <= tolerance;
    ++report->iterations;
  } while (report->iterations < least || (!report->converged && report->iterations < most));
  mote_pressures_accelerate(&s->pressures, f);
  mote_pressures_kick(&s->pressures, f, (double)s->dt);
  if (s->kind != SHIFT) mote_parallel_for(f->env.threads, f->count, 4 * MOTE_FLUID_GRAIN, keep_chunk, s);
}

static mote_result solve_for(mote_fluid *fluid, double dt, solve_kind kind, mote_solve_report *report,
                             mote_error *error) {
  mote_solve_report did = {.converged = true};
  if (dt > 0.0 && fluid->count > 0) {
    solve s = {.fluid = fluid, .dt = (float)dt, .kind = kind};
    bool shifted = mote_shifting_strength(&fluid->solver) > 0.0;  // then nothing is left to velocities
    s.lively = shifted ? 0.0f : LIVELY;
    s.omega = (float)(RELAXATION / fluid->spectrum.largest);
    s.least = (float)(FLOOR * fluid->spectrum.diagonal);
    mote_arena_mark mark = mote_arena_here(fluid->scratch);
    mote_result result = take_arrays(&s, error);
    if (result == MOTE_OK) {
      run(&s, kind == DIVERGENCE ? fluid->solver.divergence_error : fluid->solver.density_error, &did);
    }
    mote_arena_release(fluid->scratch, mark);
    MOTE_TRY(result);
  }
  if (report != NULL) *report = did;
  return MOTE_OK;
}

mote_result mote_dfsph_divergence(mote_fluid *fluid, double dt, mote_solve_report *report,
                                  mote_error *error) {
  return solve_for(fluid, dt, DIVERGENCE, report, error);
}

mote_result mote_dfsph_density(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  MOTE_TRY(solve_for(fluid, dt, DENSITY, report, error));
  MOTE_TRY(mote_shift_begin(fluid, error));
  MOTE_TRY(solve_for(fluid, dt, SHIFT, NULL, error));
  mote_shift_end(fluid, dt);
  return MOTE_OK;
}
