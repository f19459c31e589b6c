// The pressure solves of Bender & Koschier 2015, 2017 in one form: see dfsph.h.
//
// Finds pressures P >= 0 such that c = s - dt^2 A P <= 0, with c_i = 0 where P_i > 0. Here s is the
// compression predicted without them and -A P the rate of compression of their accelerations. Wall samples
// have means of the pressures of neighbouring particles, and their error is distributed to those
// (wall_pressure.h).
//   P_i <- max(0, P_i + a c_i / (dt^2 A_ii)):
// projected gradients, with the step lengths a of Barzilai & Borwein 1988, the long and the short one
// alternating (Dai & Fletcher 2005). Each iteration applies its change of pressure to the velocities
// at once (docs/theory/fluids.md, "Convergence").
#include "fluid/dfsph.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "fluid/coupled_solve.h"
#include "fluid/density_target.h"
#include "fluid/pressure.h"
#include "fluid/shift.h"
#include "fluid/shifting.h"
#include "fluid/tuning.inc"
#include "fluid/wall_pressure.h"
#include "fluid/wall_work.h"

#define SHIFT_ITERATIONS 2  // the rest is removed in the next steps; chosen by eye
#define MOVING_PARTS 100    // see moves()

typedef enum solve_kind { DIVERGENCE, DENSITY, SHIFT } solve_kind;

typedef struct solve {
  mote_fluid *fluid;
  solve_kind kind;
  float dt, omega, least;
  float velocity_correction;  // MOTE_VELOCITY_CORRECTION, or 0
  float excess_left;          // MOTE_EXCESS_SLACK, or 0
  float length;               // a
  mote_pressures pressures;   // their changes in the last iteration
  mote_wall_pressure wall_pressure;
  mote_coupled_solve coupled;
  float *pressure_volume;  // V P of each particle, summed over the iterations
  float *step;             // V omega / (dt^2 A_ii); 0: there is no pressure
  float *left;             // c
  float *altered;          // its last change
} solve;

static mote_result take_arrays(solve *s, mote_error *error) {
  mote_arena *arena = s->fluid->scratch;
  size_t n = s->fluid->count;
  MOTE_TAKE(s->pressure_volume, arena, n, error);
  MOTE_TAKE(s->step, arena, n, error);
  MOTE_TAKE(s->left, arena, n, error);
  MOTE_TAKE(s->altered, arena, n, error);
  MOTE_TRY(mote_pressures_take(&s->pressures, s->fluid, error));
  // A shift removes excess of the summed density, so it takes the gradients of that.
  if (s->kind != SHIFT) MOTE_TRY(mote_pressures_correct(&s->pressures, s->fluid, error));
  MOTE_TRY(mote_wall_pressure_take(&s->wall_pressure, s->fluid, error));
  MOTE_TRY(mote_coupled_solve_take(&s->coupled, s->fluid, s->kind != SHIFT, error));
  return mote_coupled_solve_matrix(&s->coupled, s->fluid, s->wall_pressure.matrix, error);
}

// --- The beginning of a solve ---

// s: the predicted compression in dt, and the excess to remove.
static inline float source_of(const solve *s, float D, float alone, float full, float coming,
                              float velocity_correction) {
  if (s->kind == DIVERGENCE) return coming;
  float part = s->kind == SHIFT ? MOTE_SHIFT_CORRECTION : velocity_correction;
  return coming + (D - mote_density_target(D, alone, full, part, s->excess_left, MOTE_DEFICIT_SLACK));
}

// V omega / (dt^2 A_ii). A_ii is bounded from below by a part of that of a full neighbourhood, since it
// vanishes without neighbours. Crowded particles take smaller steps, because all of them correct the same
// error.
static inline float step_of(const solve *s, float volume, float rest_density, float D, float A) {
  float least = s->least / rest_density, crowd = D > 1.0f ? D : 1.0f;
  return volume * s->omega / (s->dt * s->dt * crowd * (A > least ? A : least));
}

// Initial guess, Pa: result of the last solve of this kind. `pressure` is the sum of both kinds.
static inline float first_pressure(const solve *s, size_t i) {
  const mote_fluid *f = s->fluid;
  if (s->kind == SHIFT) return 0.0f;
  if (s->kind == DIVERGENCE) return f->divergence_pressure[i];
  float p = f->pressure[i] - f->divergence_pressure[i];
  return p > 0.0f ? p : 0.0f;
}

// Initial pressures, not yet applied to the velocities.
static void first_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i];
    float own = f->free_surface_ghosts != NULL ? D - f->free_surface_ghosts[i] : D;
    bool free = s->kind == DIVERGENCE && own < DIVERGENCE_DENSITY_MIN;
    s->step[i] = free ? 0.0f : step_of(s, f->volume[i], f->rest_density[i], D, s->wall_pressure.matrix[i]);
    s->pressure_volume[i] = free ? 0.0f : f->volume[i] * (first_pressure(s, i) / (D * D));
    s->pressures.pressure_volume[i] = s->pressure_volume[i];
  }
}

// --- The residual ---

// Adds to the error: compression, and expansion where there is pressure. If only compression counted, too
// high pressures of the last step would remain, and water at rest would pulsate.
static inline void add_error(const solve *s, size_t i, double *sum) {
  float c = s->left[i];
  bool wrong =
      (c > 0.0f) | (s->pressure_volume[i] + s->step[i] * c > 0.0f);  // half of them, in no order: no branch
  sum[MOTE_DESCENT_ERROR] += wrong ? (double)fabsf(c) : 0.0;
}

static float wall_coming(const void *data, int part, size_t b) {
  const solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[part];
  return s->kind == SHIFT ? 0.0f : s->dt * (w->flow[b] + mote_pressures_wall_rate(&s->pressures, w, b));
}

// c = s of the velocities, after the initial pressures were applied.
static void source_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    const float *v = f->velocity + 3 * i;
    float coming = 0.0f;
    if (s->step[i] == 0.0f) continue;
    if (s->kind != SHIFT) coming = s->dt * (mote_pressures_rate(&s->pressures, f, i) - f->wall_flow[i]);
    float velocity_correction =
        s->velocity_correction * s->dt * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (float)f->spacing;
    float alone = f->alone != NULL ? f->alone[i] : 0.0f;
    s->left[i] = source_of(s, f->relative[i], alone, mote_density_full(f, i),
                           coming + s->wall_pressure.sum[i], velocity_correction);
    add_error(s, i, sum);
  }
}

static float wall_altered(const void *data, int part, size_t b) {
  const solve *s = data;
  float rate = mote_pressures_wall_rate(&s->pressures, &s->fluid->walls[part], b);
  bool gives = s->coupled.any && part == MOTE_BOUNDARY_PARTS - 1;
  return s->dt * s->dt * (gives ? rate + s->coupled.rate[b] : rate);
}

// c after the changes of pressure. Apart from the sums, whose chunks are too large for small fluids.
static void altered_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  for (size_t i = begin; i < end; ++i) {
    if (s->step[i] == 0.0f) continue;
    s->altered[i] = s->dt * s->dt * mote_pressures_rate(&s->pressures, s->fluid, i) + s->wall_pressure.sum[i];
    s->left[i] += s->altered[i];
  }
}

// The error, and the sums for the next length.
static void left_chunk(void *data, size_t begin, size_t end, double *sum) {
  const solve *s = data;
  for (size_t i = begin; i < end; ++i) {
    if (s->step[i] == 0.0f) continue;
    add_error(s, i, sum);
    mote_descent_add(sum, s->pressures.pressure_volume[i], s->altered[i], s->step[i]);
  }
}

static void find_left(solve *s, mote_wall_error *wall, mote_sum_task *own, double sum[MOTE_DESCENT_SUMS]) {
  mote_wall_pressure_gather(&s->wall_pressure, wall, s);
  if (wall == wall_altered) {
    mote_coupled_solve_add(&s->coupled, s->fluid, -s->dt * s->dt, s->wall_pressure.sum);
    mote_parallel_for(s->fluid->env.threads, s->fluid->count, MOTE_FLUID_GRAIN, altered_chunk, s);
  }
  mote_parallel_sum(s->fluid->env.threads, s->fluid->count, MOTE_DESCENT_SUMS, own, s, sum);
}

// --- An iteration ---

static void raise_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  for (size_t i = begin; i < end; ++i) {
    if (s->step[i] == 0.0f) continue;
    float raised = s->pressure_volume[i] + s->length * s->step[i] * s->left[i],
          pressure_volume = raised > 0.0f ? raised : 0.0f;
    s->pressures.pressure_volume[i] = pressure_volume - s->pressure_volume[i];
    s->pressure_volume[i] = pressure_volume;
  }
}

// Applies the changes of pressure to the velocities of particles and bodies.
static void give(const solve *s, bool with_weight) {
  mote_wall_pressure_set(&s->wall_pressure, &s->pressures);
  if (with_weight) mote_wall_pressure_add_weight(&s->pressures, s->fluid);
  mote_pressures_accelerate(&s->pressures, s->fluid);
  mote_pressures_kick(&s->pressures, s->fluid, (double)s->dt);
  mote_coupled_solve_respond(&s->coupled, s->fluid, &s->pressures, (double)s->dt);
}

// Initial pressures and the remaining compression. A shift starts from zero.
static void start(solve *s, double sum[MOTE_DESCENT_SUMS]) {
  mote_parallel_for(s->fluid->env.threads, s->fluid->count, MOTE_FLUID_LIGHT_GRAIN, first_chunk, s);
  if (s->kind != SHIFT) {
    give(s, s->kind == DENSITY);
    mote_pressures_flow(&s->pressures, s->fluid);
    mote_coupled_solve_flow(&s->coupled, s->fluid);
  }
  find_left(s, wall_coming, source_chunk, sum);
}

static void speed_chunk(void *data, size_t begin, size_t end, double *sum) {
  const mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) {
    const float *v = f->velocity + 3 * i;
    *sum += (double)sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
}

// Whether water moves, on average, by more than a part of what `cfl` allows in a step. At rest it is calmer
// if every density solve goes on after its first estimate.
static bool moves(const solve *s) {
  mote_fluid *f = s->fluid;
  double sum;
  mote_parallel_sum(f->env.threads, f->count, 1, speed_chunk, f, &sum);
  return MOVING_PARTS * (double)s->dt * sum > f->solver.cfl * f->spacing * (double)f->count;
}

// The last step, on convergence or at the iteration limit, is a short one: it costs half an iteration and
// smooths the pressures, from which the next solve starts.
static void run(solve *s, double tolerance, mote_solve_report *report) {
  mote_fluid *f = s->fluid;
  int least = s->kind == SHIFT ? SHIFT_ITERATIONS : f->solver.iterations_min;
  int most = s->kind == SHIFT ? SHIFT_ITERATIONS : f->solver.iterations_max;
  double sum[MOTE_DESCENT_SUMS], before = HUGE_VAL;
  start(s, sum);
  for (;;) {
    report->error = sum[MOTE_DESCENT_ERROR] / (double)f->count;
    report->converged = report->error <= tolerance;
    ++report->iterations;
    if (s->kind == DENSITY && report->iterations == 1 && report->converged && least == 2 && moves(s))
      least = 1;
    bool last = report->iterations >= (report->converged ? least : most), grown = report->error > before;
    s->length = mote_descent_length(sum, report->iterations % 2 == 0 && !grown && !last);
    before = report->error;
    mote_parallel_for(f->env.threads, f->count, MOTE_FLUID_LIGHT_GRAIN, raise_chunk, s);
    give(s, false);
    if (last) break;
    find_left(s, wall_altered, left_chunk, sum);
  }
  mote_coupled_solve_flow(&s->coupled, f);
}

// --- The end ---

static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i], p = s->pressure_volume[i] / f->volume[i] * (D * D);
    if (s->kind == DENSITY) {
      f->pressure[i] = p + f->divergence_pressure[i];
    } else {
      f->pressure[i] += p - f->divergence_pressure[i];
      f->divergence_pressure[i] = p;
    }
  }
}

// By the pressures of all iterations together.
static mote_result add_wall_work(solve *s, mote_error *error) {
  mote_fluid *f = s->fluid;
  mote_coupled_pressure pressure[MOTE_BOUNDARY_PARTS];
  if (!mote_wall_work_is_asked(f)) return MOTE_OK;
  memcpy(s->pressures.pressure_volume, s->pressure_volume, f->count * sizeof(float));
  mote_wall_pressure_set(&s->wall_pressure, &s->pressures);
  mote_wall_work_pressures(f, &s->pressures, pressure);
  return mote_wall_work_add(f, pressure, (double)s->dt, error);
}

static void deficit_chunk(void *data, size_t begin, size_t end, double *sum) {
  const mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) {
    float deficit = 1.0f - MOTE_DEFICIT_SLACK - f->relative[i];
    sum[0] += (double)(f->volume[i] * (deficit > 0.0f ? deficit : 0.0f)), sum[1] += (double)f->volume[i];
  }
}

bool mote_dfsph_is_full(mote_fluid *fluid) {
  double deficit[2];
  mote_parallel_sum(fluid->env.threads, fluid->count, 2, deficit_chunk, fluid, deficit);
  return deficit[0] < FULL_DEFICIT * deficit[1];
}

static mote_result solve_for(mote_fluid *fluid, double dt, solve_kind kind, mote_solve_report *report,
                             mote_error *error) {
  mote_solve_report did = {.converged = true};
  if (dt > 0.0 && fluid->count > 0) {
    solve s = {.fluid = fluid, .dt = (float)dt, .kind = kind};
    // Then shifts do all of the correction. Consistent rates do not see the summed density grow, and excess
    // of a whole region is removed by velocities only.
    bool shifted = mote_shifting_strength(fluid) > 0.0;
    s.velocity_correction = shifted && fluid->corrected == NULL ? 0.0f : MOTE_VELOCITY_CORRECTION;
    bool leaves = kind == DENSITY && fluid->corrected != NULL && mote_dfsph_is_full(fluid);
    s.excess_left = leaves ? MOTE_EXCESS_SLACK : 0.0f;
    s.omega = (float)(1.0 / fluid->spectrum.largest);
    s.least = (float)(DIAGONAL_MIN * fluid->spectrum.diagonal);
    mote_arena_mark mark = mote_arena_here(fluid->scratch);
    mote_result result = take_arrays(&s, error);
    if (result == MOTE_OK) {
      run(&s, kind == DIVERGENCE ? fluid->solver.divergence_error : fluid->solver.density_error, &did);
      if (kind != SHIFT)
        mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, keep_chunk, &s);
      if (kind != SHIFT) result = add_wall_work(&s, error);
    }
    mote_arena_release(fluid->scratch, mark);
    MOTE_TRY(result);
  }
  if (report != NULL) *report = did;
  return MOTE_OK;
}

mote_result mote_dfsph_divergence(mote_fluid *fluid, double dt, mote_solve_report *report,
                                  mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(fluid->diagonal != NULL || fluid->count == 0);
  return solve_for(fluid, dt, DIVERGENCE, report, error);
}

mote_result mote_dfsph_density(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(fluid->diagonal != NULL || fluid->count == 0);
  MOTE_TRY(solve_for(fluid, dt, DENSITY, report, error));
  MOTE_TRY(mote_shift_begin(fluid, error));
  MOTE_TRY(solve_for(fluid, dt, SHIFT, NULL, error));
  mote_shift_end(fluid, dt);
  return MOTE_OK;
}
