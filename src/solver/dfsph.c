// The pressure solves of Bender & Koschier 2015, 2017 in one form: see dfsph.h.
//
// Wanted are pressures P >= 0 such that c = s - dt^2 A P <= 0, with c_i = 0 where P_i > 0. Here s is the
// compression to come without them and -A P the rate of compression of their accelerations. Walls near fluid
// have such a pressure too. P_i <- max(0, P_i + a c_i / (dt^2 A_ii)): projected gradients, with the lengths a
// of Barzilai & Borwein 1988, the long and the short by turns (Dai & Fletcher 2005). Each iteration gives its
// change of pressure to the velocities at once (docs/theory/fluids.md, "Convergence").
#include "solver/dfsph.h"

#include <math.h>

#include "base/parallel.h"
#include "solver/pressure.h"
#include "solver/shift.h"
#include "solver/shifting.h"

#define LIVELY 2.0f         // of the excess times the spacings moved in a step is undone by velocities
#define SHORTEST 0.2        // step, in that of Jacobi's iteration over the largest eigenvalue of a lattice
#define LONGEST 3.0         // longer ones would save little, and make chaos of rounding
#define FLOOR 0.1           // of the diagonal, in that of a full neighbourhood
#define SHIFT_PART 0.5f     // of the excess is undone by a shift
#define WORST 0.25f         // excess that counts: more is undone in several steps
#define SHIFT_ITERATIONS 3  // what is left is undone in the next steps
#define LEAST_DENSITY 0.8f  // particles with less are not full enough for a divergence

typedef enum solve_kind { DIVERGENCE, DENSITY, SHIFT } solve_kind;

// What a solve has of each particle, or of each sample of a wall.
typedef struct unknowns {
  float *push;    // V P so far
  float *step;    // V omega / (dt^2 A_ii); 0: there is no pressure
  float *left;    // c
  float *change;  // of push, in the last iteration; in mote_pressures
} unknowns;

typedef struct solve {
  mote_fluid *fluid;
  solve_kind kind;
  float dt, omega, least;
  float lively;  // LIVELY, or 0
  float length;  // a
  mote_pressures pressures;
  unknowns own, wall[MOTE_BOUNDARY_PARTS];
  int part;
} solve;

static bool take_unknowns(unknowns *u, mote_arena *arena, size_t n, float *change) {
  u->push = mote_arena_take(arena, n, sizeof(float));
  u->step = mote_arena_take(arena, n, sizeof(float));
  u->left = mote_arena_take(arena, n, sizeof(float));
  u->change = change;
  return u->push != NULL && u->step != NULL && u->left != NULL;
}

static mote_result take_arrays(solve *s, mote_error *error) {
  mote_arena *arena = s->fluid->scratch;
  size_t n = s->fluid->count;
  MOTE_TRY(mote_pressures_take(&s->pressures, s->fluid, error));
  bool all = take_unknowns(&s->own, arena, n, s->pressures.push);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    size_t samples = s->fluid->walls[p].samples;
    all = take_unknowns(&s->wall[p], arena, samples, s->pressures.wall_push[p]) && all;
  }
  return all ? MOTE_OK : mote_fail_memory(error, 3 * n * sizeof(float));
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

// The first pressures; all that is still to be given to the velocities.
static void first_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i], own = 0.0f;
    const float *g = f->gradient + 3 * i, *G = f->wall + 3 * i;
    for (int k = 0; k < 3; ++k) own += (g[k] + G[k]) * (g[k] + G[k]);
    bool free = s->kind == DIVERGENCE && D < LEAST_DENSITY;
    float A = own / f->rest_density[i] + f->diagonal[i];
    s->own.step[i] = free ? 0.0f : step_of(s, f->volume[i], f->rest_density[i], D, A);
    s->own.push[i] = free ? 0.0f : f->volume[i] * (first_pressure(s, i) / (D * D));
    s->own.change[i] = s->own.push[i];
  }
}

static void first_wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[s->part];
  const unknowns *u = &s->wall[s->part];
  for (size_t b = begin; b < end; ++b) {
    float D = w->relative[b];
    bool free = w->rest_density[b] == 0.0f || (s->kind == DIVERGENCE && D < LEAST_DENSITY);
    u->step[b] = free ? 0.0f : step_of(s, w->volume[b], w->rest_density[b], D, w->diagonal[b]);
    u->push[b] = free || s->kind != DENSITY ? 0.0f : w->volume[b] * (w->pressure[b] / (D * D));
    u->change[b] = u->push[b];
  }
}

// --- What is left ---

enum { ERROR, LENGTH, CURVE, BEND, SUMS };

// Adds what is wrong to the error: compression, and expansion by a pressure. Were only compression an error,
// pressures of the last step that are too high would stay so, and water at rest would breathe.
static inline void add_error(const unknowns *u, size_t i, double *sum) {
  float c = u->left[i];
  bool wrong = (c > 0.0f) | (u->push[i] + u->step[i] * c > 0.0f);  // half of them, in no order: no branch
  sum[ERROR] += wrong ? (double)fabsf(c) : 0.0;
}

// c after a change of pressures that alters it by `by`; and the sums for the next length.
static inline void alter(const unknowns *u, size_t i, float by, double *sum) {
  double change = (double)u->change[i], step = (double)u->step[i];
  u->left[i] += by;
  add_error(u, i, sum);
  if (change == 0.0) return;
  sum[LENGTH] += change * change / step;
  sum[CURVE] -= change * (double)by;
  sum[BEND] += (double)by * (double)by * step;
}

// c = s of the velocities, which have the first pressures.
static void source_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    const float *v = f->velocity + 3 * i;
    float coming = 0.0f;
    if (s->own.step[i] == 0.0f) continue;
    if (s->kind != SHIFT) coming = s->dt * (mote_pressures_rate(&s->pressures, f, i) - f->wall_flow[i]);
    float lively = s->lively * s->dt * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (float)f->spacing;
    s->own.left[i] = source_of(s->kind, f->relative[i], coming, lively);
    add_error(&s->own, i, sum);
  }
}

static void wall_source_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[s->part];
  const unknowns *u = &s->wall[s->part];
  for (size_t b = begin; b < end; ++b) {
    float coming = 0.0f;
    if (u->step[b] == 0.0f) continue;
    if (s->kind != SHIFT) coming = s->dt * (w->flow[b] + mote_pressures_wall_rate(&s->pressures, w, b));
    u->left[b] = source_of(s->kind, w->relative[b], coming, 0.0f);
    add_error(u, b, sum);
  }
}

static void left_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    if (s->own.step[i] == 0.0f) continue;
    alter(&s->own, i, s->dt * s->dt * mote_pressures_rate(&s->pressures, f, i), sum);
  }
}

static void wall_left_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[s->part];
  const unknowns *u = &s->wall[s->part];
  for (size_t b = begin; b < end; ++b) {
    if (u->step[b] == 0.0f) continue;
    alter(u, b, s->dt * s->dt * mote_pressures_wall_rate(&s->pressures, w, b), sum);
  }
}

// Sums over all particles and samples.
static void sum_all(solve *s, mote_sum_task *own, mote_sum_task *wall, double sum[SUMS]) {
  int threads = s->fluid->env.threads;
  double part[SUMS];
  mote_parallel_sum(threads, s->fluid->count, SUMS, own, s, sum);
  for (s->part = 0; s->part < MOTE_BOUNDARY_PARTS; ++s->part) {
    mote_parallel_sum(threads, s->fluid->walls[s->part].samples, SUMS, wall, s, part);
    for (int k = 0; k < SUMS; ++k) sum[k] += part[k];
  }
}

static void for_all(solve *s, mote_task *own, mote_task *wall) {
  int threads = s->fluid->env.threads;
  mote_parallel_for(threads, s->fluid->count, 4 * MOTE_FLUID_GRAIN, own, s);
  for (s->part = 0; s->part < MOTE_BOUNDARY_PARTS; ++s->part) {
    mote_parallel_for(threads, s->fluid->walls[s->part].samples, 4 * MOTE_FLUID_GRAIN, wall, s);
  }
}

// --- An iteration ---

static void raise(const solve *s, const unknowns *u, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (u->step[i] == 0.0f) continue;
    float raised = u->push[i] + s->length * u->step[i] * u->left[i], push = raised > 0.0f ? raised : 0.0f;
    u->change[i] = push - u->push[i];
    u->push[i] = push;
  }
}

static void raise_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  raise(s, &s->own, begin, end);
}

static void raise_wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  raise(s, &s->wall[s->part], begin, end);
}

// Gives the changes of pressure to the velocities.
static void give(const solve *s) {
  mote_pressures_accelerate(&s->pressures, s->fluid);
  mote_pressures_kick(&s->pressures, s->fluid, (double)s->dt);
}

// Barzilai & Borwein's lengths: of all that fit the last change, the long and the short by turns. An error
// that has grown is in few directions, which the short one puts right.
static float next_length(const double sum[SUMS], bool may_be_long) {
  if (!(sum[CURVE] > 0.0)) return 1.0f;
  double length = may_be_long ? sum[LENGTH] / sum[CURVE] : sum[CURVE] / sum[BEND];
  return (float)fmin(fmax(length, SHORTEST), LONGEST);
}

// The first pressures and what they leave. A shift begins with none.
static void start(solve *s, double sum[SUMS]) {
  for_all(s, first_chunk, first_wall_chunk);
  if (s->kind != SHIFT) {
    give(s);
    mote_pressures_flow(&s->pressures, s->fluid);
  }
  sum_all(s, source_chunk, wall_source_chunk, sum);
}

// The last step, after an error that is small enough or when there may be no more, is a short one: it is half
// an iteration, and takes out what is rough in the pressures, which the next solve starts from.
static void run(solve *s, double tolerance, mote_solve_report *report) {
  mote_fluid *f = s->fluid;
  int least = s->kind == SHIFT ? SHIFT_ITERATIONS : f->solver.iterations_min;
  int most = s->kind == SHIFT ? SHIFT_ITERATIONS : f->solver.iterations_max;
  double sum[SUMS], before = HUGE_VAL;
  start(s, sum);
  for (;;) {
    report->error = sum[ERROR] / (double)f->count;
    report->converged = report->error <= tolerance;
    ++report->iterations;
    bool last = report->iterations >= (report->converged ? least : most), grown = report->error > before;
    s->length = next_length(sum, report->iterations % 2 == 0 && !grown && !last);
    before = report->error;
    for_all(s, raise_chunk, raise_wall_chunk);
    give(s);
    if (last) break;
    sum_all(s, left_chunk, wall_left_chunk, sum);
  }
}

// --- The end ---

static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i], p = s->own.push[i] / f->volume[i] * (D * D);
    if (s->kind == DENSITY) {
      f->pressure[i] = p + f->divergence_pressure[i];
    } else {
      f->pressure[i] += p - f->divergence_pressure[i];
      f->divergence_pressure[i] = p;
    }
  }
}

static mote_result solve_for(mote_fluid *fluid, double dt, solve_kind kind, mote_solve_report *report,
                             mote_error *error) {
  mote_solve_report did = {.converged = true};
  if (dt > 0.0 && fluid->count > 0) {
    solve s = {.fluid = fluid, .dt = (float)dt, .kind = kind};
    bool shifted = mote_shifting_strength(&fluid->solver) > 0.0;  // then nothing is left to velocities
    s.lively = shifted ? 0.0f : LIVELY;
    s.omega = (float)(1.0 / fluid->spectrum.largest);
    s.least = (float)(FLOOR * fluid->spectrum.diagonal);
    mote_arena_mark mark = mote_arena_here(fluid->scratch);
    mote_result result = take_arrays(&s, error);
    if (result == MOTE_OK) {
      run(&s, kind == DIVERGENCE ? fluid->solver.divergence_error : fluid->solver.density_error, &did);
      if (kind != SHIFT)
        mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, keep_chunk, &s);
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
