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

typedef struct solve {
  mote_fluid *fluid;
  mote_solve_view view;
  int part;                  // of the walls
  mote_pressures pressures;  // their changes in the last iteration
  mote_wall_pressure wall_pressure;
  mote_coupled_solve coupled;
} solve;

// What the rows read: of all kinds of solves the same but `kind` and what removes excess.
static mote_result make_view(solve *s, mote_error *error) {
  mote_fluid *f = s->fluid;
  mote_solve_view *v = &s->view;
  float **one[] = {&v->pressure_volume, &v->step, &v->left, &v->altered};
  for (size_t k = 0; k < sizeof one / sizeof *one; ++k) MOTE_TAKE(*one[k], f->scratch, f->count, error);
  MOTE_TRY(mote_pressures_take(&s->pressures, f, error));
  // A shift removes excess of the summed density, so it takes the gradients of that.
  if (v->kind != MOTE_SOLVE_SHIFT) MOTE_TRY(mote_pressures_correct(&s->pressures, f, error));
  MOTE_TRY(mote_wall_pressure_take(&s->wall_pressure, f, error));
  MOTE_TRY(mote_coupled_solve_take(&s->coupled, f, v->kind != MOTE_SOLVE_SHIFT, error));
  v->omega = (float)(1.0 / f->spectrum.largest), v->least = (float)(DIAGONAL_MIN * f->spectrum.diagonal);
  v->density_least = DIVERGENCE_DENSITY_MIN, v->spacing = (float)f->spacing;
  v->pressures = mote_pressures_view(&s->pressures, f), v->change = s->pressures.pressure_volume;
  v->rest_density = f->rest_density, v->wall_flow = f->wall_flow;
  v->matrix = s->wall_pressure.matrix, v->wall_sum = s->wall_pressure.sum;
  v->pressure = f->pressure, v->divergence_pressure = f->divergence_pressure;
  return mote_coupled_solve_matrix(&s->coupled, f, s->wall_pressure.matrix, error);
}

static void first_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_solve_view v = ((const solve *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_first_row(&v, i);
}

// --- The residual ---

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[s->part];
  mote_solve_view v = s->view;
  float *error = s->wall_pressure.error[s->part];
  for (size_t b = begin; b < end; ++b) error[b] = w->share[b] * mote_wall_left_row(&v, w, b);
}

static void source_chunk(void *data, size_t begin, size_t end, double *term) {
  mote_solve_view v = ((const solve *)data)->view;
  for (size_t i = begin; i < end; ++i, ++term) {
    if (v.step[i] == 0.0f) continue;
    mote_source_row(&v, i);
    mote_error_row(&v, i, term);
  }
}

// The error, and the sums for the next length.
static void left_chunk(void *data, size_t begin, size_t end, double *term) {
  mote_solve_view v = ((const solve *)data)->view;
  for (size_t i = begin; i < end; ++i, term += MOTE_DESCENT_SUMS) {
    if (v.step[i] == 0.0f) continue;
    mote_altered_row(&v, i);
    mote_error_row(&v, i, term);
    mote_descent_add(term, v.change[i], v.altered[i], v.step[i]);
  }
}

static void find_left(solve *s, bool first, double sum[MOTE_DESCENT_SUMS]) {
  mote_fluid *f = s->fluid;
  s->view.first = first;
  for (s->part = 0; s->part < MOTE_BOUNDARY_PARTS; ++s->part) {
    bool gives = s->coupled.any && s->part == MOTE_BOUNDARY_PARTS - 1;
    s->view.coupled_rate = gives ? s->coupled.rate : NULL;
    mote_parallel_for(f->env.threads, f->walls[s->part].samples, MOTE_FLUID_GRAIN, wall_chunk, s);
  }
  mote_wall_pressure_gather(&s->wall_pressure);
  if (first) {
    for (int k = 0; k < MOTE_DESCENT_SUMS; ++k) sum[k] = 0.0;
    mote_parallel_sum(f->env.threads, f->count, 1, source_chunk, s, &sum[MOTE_DESCENT_ERROR]);
    return;
  }
  mote_coupled_solve_add(&s->coupled, f, -s->view.dt * s->view.dt, s->wall_pressure.sum);
  mote_parallel_sum(f->env.threads, f->count, MOTE_DESCENT_SUMS, left_chunk, s, sum);
}

// --- An iteration ---

static void raise_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_solve_view v = ((const solve *)data)->view;
  for (size_t i = begin; i < end; ++i)
    if (v.step[i] != 0.0f) mote_raise_row(&v, i);
}

// Applies the changes of pressure to the velocities of particles and bodies.
static void give(const solve *s, bool with_weight) {
  mote_wall_pressure_set(&s->wall_pressure, &s->pressures);
  if (with_weight) mote_wall_pressure_add_weight(&s->pressures, s->fluid);
  mote_pressures_accelerate(&s->pressures, s->fluid);
  mote_pressures_kick(&s->pressures, s->fluid, (double)s->view.dt);
  mote_coupled_solve_respond(&s->coupled, s->fluid, &s->pressures, (double)s->view.dt);
}

// Initial pressures and the remaining compression. A shift starts from zero.
static void start(solve *s, double sum[MOTE_DESCENT_SUMS]) {
  mote_parallel_for(s->fluid->env.threads, s->fluid->count, MOTE_FLUID_LIGHT_GRAIN, first_chunk, s);
  if (s->view.kind != MOTE_SOLVE_SHIFT) {
    give(s, s->view.kind == MOTE_SOLVE_DENSITY);
    mote_pressures_flow(&s->pressures, s->fluid);
    mote_coupled_solve_flow(&s->coupled, s->fluid);
  }
  find_left(s, true, sum);
}

static void speed_chunk(void *data, size_t begin, size_t end, double *term) {
  const mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i, ++term) {
    const float *v = f->velocity + 3 * i;
    *term = (double)sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
}

// Whether water moves, on average, by more than a part of what `cfl` allows in a step. At rest it is calmer
// if every density solve goes on after its first estimate.
static bool moves(const solve *s) {
  mote_fluid *f = s->fluid;
  double sum;
  mote_parallel_sum(f->env.threads, f->count, 1, speed_chunk, f, &sum);
  return MOVING_PARTS * (double)s->view.dt * sum > f->solver.cfl * f->spacing * (double)f->count;
}

// The last step, on convergence or at the iteration limit, is a short one: it costs half an iteration and
// smooths the pressures, from which the next solve starts.
static void run(solve *s, double tolerance, mote_solve_report *report) {
  mote_fluid *f = s->fluid;
  int least = s->view.kind == MOTE_SOLVE_SHIFT ? SHIFT_ITERATIONS : f->solver.iterations_min;
  int most = s->view.kind == MOTE_SOLVE_SHIFT ? SHIFT_ITERATIONS : f->solver.iterations_max;
  double sum[MOTE_DESCENT_SUMS], before = HUGE_VAL;
  start(s, sum);
  for (;;) {
    report->error = sum[MOTE_DESCENT_ERROR] / (double)f->count;
    report->converged = report->error <= tolerance;
    ++report->iterations;
    if (s->view.kind == MOTE_SOLVE_DENSITY && report->iterations == 1 && report->converged && least == 2 &&
        moves(s))
      least = 1;
    bool last = report->iterations >= (report->converged ? least : most), grown = report->error > before;
    s->view.length = mote_descent_length(sum, report->iterations % 2 == 0 && !grown && !last);
    before = report->error;
    mote_parallel_for(f->env.threads, f->count, MOTE_FLUID_LIGHT_GRAIN, raise_chunk, s);
    give(s, false);
    if (last) break;
    find_left(s, false, sum);
  }
  mote_coupled_solve_flow(&s->coupled, f);
}

// --- The end ---

static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_solve_view v = ((const solve *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_keep_row(&v, i);
}

// By the pressures of all iterations together.
static mote_result add_wall_work(solve *s, mote_error *error) {
  mote_fluid *f = s->fluid;
  mote_coupled_pressure pressure[MOTE_BOUNDARY_PARTS];
  if (!mote_wall_work_is_asked(f)) return MOTE_OK;
  memcpy(s->pressures.pressure_volume, s->view.pressure_volume, f->count * sizeof(float));
  mote_wall_pressure_set(&s->wall_pressure, &s->pressures);
  mote_wall_work_pressures(f, &s->pressures, pressure);
  return mote_wall_work_add(f, pressure, (double)s->view.dt, error);
}

static void deficit_chunk(void *data, size_t begin, size_t end, double *term) {
  const mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i, term += 2) {
    float deficit = 1.0f - MOTE_DEFICIT_SLACK - f->relative[i];
    term[0] = (double)(f->volume[i] * (deficit > 0.0f ? deficit : 0.0f)), term[1] = (double)f->volume[i];
  }
}

bool mote_dfsph_is_full(mote_fluid *fluid) {
  double deficit[2];
  mote_parallel_sum(fluid->env.threads, fluid->count, 2, deficit_chunk, fluid, deficit);
  return deficit[0] < FULL_DEFICIT * deficit[1];
}

static mote_result solve_for(mote_fluid *fluid, double dt, int kind, mote_solve_report *report,
                             mote_error *error) {
  mote_solve_report did = {.converged = true};
  if (dt > 0.0 && fluid->count > 0) {
    solve s = {.fluid = fluid, .view = {.kind = kind, .dt = (float)dt}};
    // Then shifts do all of the correction. Consistent rates do not see the summed density grow, and excess
    // of a whole region is removed by velocities only.
    bool shifted = mote_shifting_strength(fluid) > 0.0;
    s.view.correction = shifted && fluid->corrected == NULL ? 0.0f : MOTE_VELOCITY_CORRECTION;
    if (kind == MOTE_SOLVE_SHIFT) s.view.correction = MOTE_SHIFT_CORRECTION;
    bool leaves = kind == MOTE_SOLVE_DENSITY && fluid->corrected != NULL && mote_dfsph_is_full(fluid);
    s.view.target = mote_target_view_make(fluid, leaves ? MOTE_EXCESS_SLACK : 0.0f, MOTE_DEFICIT_SLACK);
    mote_arena_mark mark = mote_arena_here(fluid->scratch);
    mote_result result = make_view(&s, error);
    if (result == MOTE_OK) {
      run(&s, kind == MOTE_SOLVE_DIVERGENCE ? fluid->solver.divergence_error : fluid->solver.density_error,
          &did);
      if (kind != MOTE_SOLVE_SHIFT)
        mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, keep_chunk, &s);
      if (kind != MOTE_SOLVE_SHIFT) result = add_wall_work(&s, error);
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
  return solve_for(fluid, dt, MOTE_SOLVE_DIVERGENCE, report, error);
}

mote_result mote_dfsph_density(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(fluid->diagonal != NULL || fluid->count == 0);
  MOTE_TRY(solve_for(fluid, dt, MOTE_SOLVE_DENSITY, report, error));
  MOTE_TRY(mote_shift_begin(fluid, error));
  MOTE_TRY(solve_for(fluid, dt, MOTE_SOLVE_SHIFT, NULL, error));
  mote_shift_end(fluid, dt);
  return MOTE_OK;
}
