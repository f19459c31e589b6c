// The pressure solves of Bender & Koschier 2015, 2017 in one form: see dfsph.h.
//
// Wanted are pressures P >= 0 such that c = s - dt^2 A P <= 0, with c_i = 0 where P_i > 0. Here s is the
// compression to come without them and -A P the rate of compression of their accelerations. Walls have means
// of the pressures near, and what is wrong there counts where these are (wall_pressure.h). P_i <- max(0, P_i
// + a c_i / (dt^2 A_ii)): projected gradients, with the lengths a of Barzilai & Borwein 1988, the long and
// the short by turns (Dai & Fletcher 2005). Each iteration gives its change of pressure to the velocities at
// once (docs/theory/fluids.md, "Convergence").
#include "fluid/dfsph.h"

#include <math.h>

#include "base/parallel.h"
#include "fluid/coupled_solve.h"
#include "fluid/density_target.h"
#include "fluid/pressure.h"
#include "fluid/shift.h"
#include "fluid/shifting.h"
#include "fluid/wall_pressure.h"

#define SHORTEST 0.2        // step, in that of Jacobi's iteration over the largest eigenvalue of a lattice
#define LONGEST 3.0         // longer ones would save little, and make chaos of rounding
#define FLOOR 0.1           // of the diagonal, in that of a full neighbourhood
#define SHIFT_ITERATIONS 3  // what is left is undone in the next steps
#define LEAST_DENSITY 0.8f  // particles with less are not full enough for a divergence

typedef enum solve_kind { DIVERGENCE, DENSITY, SHIFT } solve_kind;

typedef struct solve {
  mote_fluid *fluid;
  solve_kind kind;
  float dt, omega, least;
  float lively;              // MOTE_LIVELY, or 0
  float length;              // a
  mote_pressures pressures;  // changes of them, in the last iteration
  mote_wall_means means;
  mote_wet_solve wet;
  float *push;  // of each particle: V P so far
  float *step;  // V omega / (dt^2 A_ii); 0: there is no pressure
  float *left;  // c
} solve;

static mote_result take_arrays(solve *s, mote_error *error) {
  mote_arena *arena = s->fluid->scratch;
  size_t n = s->fluid->count;
  s->push = mote_arena_take(arena, n, sizeof(float));
  s->step = mote_arena_take(arena, n, sizeof(float));
  s->left = mote_arena_take(arena, n, sizeof(float));
  if (!s->push || !s->step || !s->left) return mote_fail_memory(error, 3 * n * sizeof(float));
  MOTE_TRY(mote_pressures_take(&s->pressures, s->fluid, error));
  MOTE_TRY(mote_wall_means_take(&s->means, s->fluid, error));
  MOTE_TRY(mote_wet_solve_take(&s->wet, s->fluid, s->kind != SHIFT, error));
  return mote_wet_solve_matrix(&s->wet, s->fluid, s->means.matrix, error);
}

// --- The beginning of a solve ---

// s, of the relative density and the compression to come in dt.
static inline float source_of(solve_kind kind, float D, float alone, float coming, float lively) {
  if (kind == DIVERGENCE) return coming;
  return coming + (D - mote_density_target(D, alone, kind == SHIFT ? MOTE_SHIFT_PART : lively, MOTE_SLACK));
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
    float D = f->relative[i];
    float own = f->air != NULL ? D - f->air[i] : D;
    bool free = s->kind == DIVERGENCE && own < LEAST_DENSITY;
    s->step[i] = free ? 0.0f : step_of(s, f->volume[i], f->rest_density[i], D, s->means.matrix[i]);
    s->push[i] = free ? 0.0f : f->volume[i] * (first_pressure(s, i) / (D * D));
    s->pressures.push[i] = s->push[i];
  }
}

// --- What is left ---

enum { ERROR, LENGTH, CURVE, BEND, SUMS };

// Adds what is wrong to the error: compression, and expansion by a pressure. Were only compression an error,
// pressures of the last step that are too high would stay so, and water at rest would breathe.
static inline void add_error(const solve *s, size_t i, double *sum) {
  float c = s->left[i];
  bool wrong = (c > 0.0f) | (s->push[i] + s->step[i] * c > 0.0f);  // half of them, in no order: no branch
  sum[ERROR] += wrong ? (double)fabsf(c) : 0.0;
}

static float wall_coming(const void *data, int part, size_t b) {
  const solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[part];
  return s->kind == SHIFT ? 0.0f : s->dt * (w->flow[b] + mote_pressures_wall_rate(&s->pressures, w, b));
}

// c = s of the velocities, which have the first pressures.
static void source_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    const float *v = f->velocity + 3 * i;
    float coming = 0.0f;
    if (s->step[i] == 0.0f) continue;
    if (s->kind != SHIFT) coming = s->dt * (mote_pressures_rate(&s->pressures, f, i) - f->wall_flow[i]);
    float lively = s->lively * s->dt * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (float)f->spacing;
    float alone = f->alone != NULL ? f->alone[i] : 0.0f;
    s->left[i] = source_of(s->kind, f->relative[i], alone, coming + s->means.sum[i], lively);
    add_error(s, i, sum);
  }
}

static float wall_altered(const void *data, int part, size_t b) {
  const solve *s = data;
  float rate = mote_pressures_wall_rate(&s->pressures, &s->fluid->walls[part], b);
  bool gives = s->wet.any && part == MOTE_BOUNDARY_PARTS - 1;
  return s->dt * s->dt * (gives ? rate + s->wet.rate[b] : rate);
}

// c after the changes of pressure, and the sums for the next length.
static void left_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    if (s->step[i] == 0.0f) continue;
    float by = s->dt * s->dt * mote_pressures_rate(&s->pressures, f, i) + s->means.sum[i];
    double change = (double)s->pressures.push[i], step = (double)s->step[i];
    s->left[i] += by;
    add_error(s, i, sum);
    if (change == 0.0) continue;
    sum[LENGTH] += change * change / step;
    sum[CURVE] -= change * (double)by;
    sum[BEND] += (double)by * (double)by * step;
  }
}

static void find_left(solve *s, mote_wall_wrong *wall, mote_sum_task *own, double sum[SUMS]) {
  mote_wall_means_gather(&s->means, wall, s);
  if (wall == wall_altered) mote_wet_solve_add(&s->wet, s->fluid, -s->dt * s->dt, s->means.sum);
  mote_parallel_sum(s->fluid->env.threads, s->fluid->count, SUMS, own, s, sum);
}

// --- An iteration ---

static void raise_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  for (size_t i = begin; i < end; ++i) {
    if (s->step[i] == 0.0f) continue;
    float raised = s->push[i] + s->length * s->step[i] * s->left[i], push = raised > 0.0f ? raised : 0.0f;
    s->pressures.push[i] = push - s->push[i];
    s->push[i] = push;
  }
}

// Gives the changes of pressure to the velocities, those of bodies too.
static void give(const solve *s) {
  mote_wall_means_push(&s->means, &s->pressures);
  mote_pressures_accelerate(&s->pressures, s->fluid);
  mote_pressures_kick(&s->pressures, s->fluid, (double)s->dt);
  mote_wet_solve_respond(&s->wet, s->fluid, &s->pressures);
  mote_wet_solve_give(&s->wet, s->fluid, (double)s->dt);
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
  mote_parallel_for(s->fluid->env.threads, s->fluid->count, 4 * MOTE_FLUID_GRAIN, first_chunk, s);
  if (s->kind != SHIFT) {
    give(s);
    mote_pressures_flow(&s->pressures, s->fluid);
    mote_wet_solve_flow(&s->wet, s->fluid);
  }
  find_left(s, wall_coming, source_chunk, sum);
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
    mote_parallel_for(f->env.threads, f->count, 4 * MOTE_FLUID_GRAIN, raise_chunk, s);
    give(s);
    if (last) break;
    find_left(s, wall_altered, left_chunk, sum);
  }
  mote_wet_solve_flow(&s->wet, f);
}

// --- The end ---

static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i], p = s->push[i] / f->volume[i] * (D * D);
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
    s.lively = shifted ? 0.0f : MOTE_LIVELY;
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
