// Predicted and corrected pressure (Solenthaler & Pajarola 2009): see pcisph.h.
//
// Positions are predicted to the end of the step with the current forces, densities are summed there with
// the kernel, and pressures P >= 0 are corrected by the density error:
//   P_i <- max(0, P_i + a delta (D*_i - T_i)),   delta = omega / (dt^2 A),
// their (8) and (9) with A of a full neighbourhood at rest, and with the step lengths a of dfsph.c. Wall
// samples count by their fill ratio and have means of the pressures of neighbouring particles
// (wall_pressure.h). Two predictions are corrected this way: the motion, with the present density as T
// (removing excess by velocities would leave particles with numerical speeds), and then a shift, which
// removes half of the excess without changing velocities (shift.h). docs/theory/fluids.md gives the reasons,
// the cost of doing both by velocities, and why a full vessel is predicted linearly, by dfsph.c.
#include "fluid/pcisph.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "fluid/coupled_solve.h"
#include "fluid/density_target.h"
#include "fluid/dfsph.h"
#include "fluid/shift.h"
#include "fluid/tuning.inc"
#include "fluid/wall_pressure.h"
#include "fluid/wall_work.h"
#include "pairs/fixed_positions.h"
#include "pairs/tuning.inc"
#include "rows/wall_sum_row.h"

#define ITERATIONS_MIN 3  // Solenthaler & Pajarola 2009
// Iterations after which the vessel counts as full if the second half did not halve the error; chosen by eye.
#define STUCK_ITERATIONS 30
#define SHIFT_ITERATIONS 4  // the rest is removed in the next steps; chosen by eye

typedef struct prediction {
  mote_fluid *fluid;
  bool shift;  // of the shift, else of the motion
  float dt, omega;
  float length;  // a
  float self;    // W(0)
  float full;    // rho0 A of a full neighbourhood
  mote_pressures pressures;
  mote_wall_pressure wall_pressure;
  mote_coupled_solve coupled;
  float *change, *best;        // the last change of V P, and V P of the least error
  float *wrong;                // D* - T
  mote_fixed_position *ahead;  // at the end of the step; +
  mote_flow *going;            // V times the predicted velocity, where rates are consistent; +
  float *by_walls;             // the samples' part of densities there
  float *target;               // T
  float *step;                 // V delta
  mote_fixed_position *wall_ahead[MOTE_BOUNDARY_PARTS];  // +
  int part;
} prediction;

static mote_result take_arrays(prediction *p, mote_error *error) {
  mote_arena *arena = p->fluid->scratch;
  size_t n = p->fluid->count;
  MOTE_TRY(mote_pressures_take(&p->pressures, p->fluid, error));
  if (!p->shift) MOTE_TRY(mote_pressures_correct(&p->pressures, p->fluid, error));
  if (p->pressures.fix != NULL) MOTE_TAKE(p->going, arena, n + 1, error);
  if (p->going != NULL) p->going[n] = (mote_flow){.zero = 0.0f};
  MOTE_TAKE(p->ahead, arena, n + 1, error);
  float **one[] = {&p->by_walls, &p->target, &p->step, &p->change, &p->wrong, &p->best};
  for (size_t k = 0; k < sizeof one / sizeof *one; ++k) MOTE_TAKE(*one[k], arena, n, error);
  for (int k = 0; k < MOTE_BOUNDARY_PARTS; ++k) {
    size_t samples = p->fluid->walls[k].samples;
    MOTE_TAKE(p->wall_ahead[k], arena, samples + 1, error);
    p->wall_ahead[k][samples] = (mote_fixed_position){.volume = 0.0f};
  }
  p->ahead[n] = (mote_fixed_position){.volume = 0.0f};
  MOTE_TRY(mote_wall_pressure_take(&p->wall_pressure, p->fluid, error));
  MOTE_TRY(mote_coupled_solve_take(&p->coupled, p->fluid, !p->shift, error));
  return mote_coupled_solve_matrix(&p->coupled, p->fluid, p->wall_pressure.matrix, error);
}

// --- The beginning ---

// V delta. Crowded particles take smaller steps, because all of them correct the same error.
static inline float step_of(const prediction *p, float volume, float rest_density, float D, float A) {
  float crowd = D > 1.0f ? D : 1.0f;
  return volume * p->omega * rest_density / (p->dt * p->dt * crowd * A);
}

// A of a full neighbourhood; the particle's own where that is much larger, among lighter particles and where
// particles are crowded: there the iteration would diverge with the former.
static inline float matrix_of(const prediction *p, size_t i) {
  float A = p->fluid->rest_density[i] * p->wall_pressure.matrix[i];
  return A > DIAGONAL_RATIO * p->full ? A : p->full;
}

static void start_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_fluid *f = p->fluid;
  mote_target_view target = mote_target_view_make(f, 0.0f, 0.0f);
  for (size_t i = begin; i < end; ++i) {
    const float *v = f->velocity + 3 * i;
    float D = f->relative[i], speed = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    float velocity_correction = MOTE_VELOCITY_CORRECTION * p->dt * speed / (float)f->spacing;
    p->target[i] = mote_target_row(&target, i, p->shift ? MOTE_SHIFT_CORRECTION : velocity_correction);
    p->step[i] = step_of(p, f->volume[i], f->rest_density[i], D, matrix_of(p, i));
    p->pressures.pressure_volume[i] = p->shift ? 0.0f : f->volume[i] * (f->pressure[i] / (D * D));
    p->change[i] = p->wrong[i] = 0.0f;
  }
}

// The position moved by v dt, clamped to far more than a step allows.
static inline void predict(const prediction *p, const mote_fixed_position *now, const float v[3],
                           mote_fixed_position *ahead) {
  ahead->volume = now->volume;
  for (int a = 0; a < 3; ++a) {
    float unit = p->fluid->pairs.scale.unit[a], distance = unit > 0.0f ? p->dt * v[a] / unit : 0.0f;
    distance = distance < 0x1p30f ? distance : 0x1p30f;
    distance = distance > -0x1p30f ? distance : -0x1p30f;
    ahead->x[a] = now->x[a] + (uint32_t)(int32_t)distance;
  }
}

static void predict_wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_wall_pairs *w = &p->fluid->walls[p->part];
  bool gives = p->coupled.any && p->part == MOTE_BOUNDARY_PARTS - 1;
  for (size_t b = begin; b < end; ++b) {
    float v[3];
    for (size_t a = 0; a < 3; ++a) {
      v[a] = w->velocity[3 * b + a] + (gives ? p->dt * p->coupled.acceleration[3 * b + a] : 0.0f);
    }
    predict(p, &w->fixed_position[b], v, &p->wall_ahead[p->part][b]);
  }
}

static void predict_walls(prediction *p) {
  const mote_fluid *f = p->fluid;
  for (p->part = 0; p->part < MOTE_BOUNDARY_PARTS; ++p->part) {
    mote_parallel_for(f->env.threads, f->walls[p->part].samples, MOTE_FLUID_GRAIN, predict_wall_chunk, p);
  }
}

static void start(prediction *p) {
  mote_parallel_for(p->fluid->env.threads, p->fluid->count, MOTE_FLUID_LIGHT_GRAIN, start_chunk, p);
  if (!p->coupled.any) predict_walls(p);
}

// --- An iteration ---

static void predict_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_fluid *f = p->fluid;
  for (size_t i = begin; i < end; ++i) {
    float v[3], scale = p->dt / f->volume[i];
    for (int a = 0; a < 3; ++a) v[a] = f->velocity[3 * i + a] + scale * p->pressures.flow[i].u[a];
    predict(p, &f->fixed_position[i], v, &p->ahead[i]);
    p->by_walls[i] = 0.0f;
    if (p->going == NULL) continue;
    for (int a = 0; a < 3; ++a) p->going[i].u[a] = f->volume[i] * v[a];
    p->going[i].zero = 0.0f;
  }
}

// V W of four pairs, at predicted positions.
static inline mote_lane densities_of(const prediction *p, const mote_fixed_position *target,
                                     const mote_fixed_position *ahead, const uint32_t *index) {
  mote_pairs pairs = mote_pairs_load(&p->fluid->pairs.scale, target, ahead, index);
  return pairs.volume * mote_pairs_value(&p->fluid->pairs.scale, &pairs);
}

// The sum over a row: of a particle's fluid neighbours, and of pairs with a wall.
static inline float density_of(const prediction *p, size_t i) {
  mote_lane sum = mote_lane_splat(0.0f);
  const mote_pair_view *v = &p->fluid->pairs;
  for (mote_groups g = mote_pair_groups(v, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE)
    sum += densities_of(p, &p->ahead[i], p->ahead, v->lanes[g.at].index);
  return mote_lane_sum(sum);
}

static inline float wall_density_of(const prediction *p, const mote_pair_set *set, size_t row,
                                    const mote_fixed_position *target, const mote_fixed_position *ahead) {
  mote_lane sum = mote_lane_splat(0.0f);
  for (mote_groups g = mote_wall_groups(set, row); g.at < g.end; g.at += MOTE_GROUP_STRIDE)
    sum += densities_of(p, target, ahead, set->group[g.at].index);
  return mote_lane_sum(sum);
}

// Samples count by their predicted fill ratio.
static void fill_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_wall_pairs *w = &p->fluid->walls[p->part];
  mote_fixed_position *ahead = p->wall_ahead[p->part];
  for (size_t b = begin; b < end; ++b) {
    float slope, by_fluid = wall_density_of(p, &w->particle_neighbours, b, &ahead[b], p->ahead);
    ahead[b].volume =
        w->volume[b] * mote_wall_filled(MOTE_WALL_CAPACITY_MIN, w->capacity[b], by_fluid, &slope);
  }
}

static void wall_density_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_wall_pairs *w = &p->fluid->walls[p->part];
  for (size_t n = begin; n < end; ++n) {
    size_t i = w->index[n];
    p->by_walls[i] += wall_density_of(p, &w->sample_neighbours, n, &p->ahead[i], p->wall_ahead[p->part]);
  }
}

// Difference of the consistent change of density from that of the summed one, to first order: the rate with L
// - 1 in place of L (consistent.h).
static inline float missing_of(const prediction *p, size_t i) {
  const mote_fluid *f = p->fluid;
  mote_gradient_fix rest = p->pressures.fix[i];
  rest.m[0] -= 1.0f, rest.m[3] -= 1.0f, rest.m[5] -= 1.0f;
  mote_columns columns = mote_columns_of(rest, &f->pairs.scale, 1.0f);
  float own[3], sum = 0.0f;
  mote_gradient_fix_apply(&rest, f->gradient + 3 * i, own);
  for (int a = 0; a < 3; ++a) sum += own[a] * p->going[i].u[a];
  return p->dt * (sum / f->volume[i] - mote_pair_lanes_matrix_flow(&f->pairs, i, p->going, &columns));
}

enum { MISSED = MOTE_DESCENT_SUMS, MOTION, MASS, SUMS };

static inline double square_of_motion(const prediction *p, size_t i) {
  const mote_fluid *f = p->fluid;
  double square = 0.0;
  for (int a = 0; a < 3; ++a) {
    float v = f->velocity[3 * i + a] + p->dt / f->volume[i] * p->pressures.flow[i].u[a];
    square += (double)(v * v);
  }
  return square;
}

// Adds to the error: compression, and expansion where there is pressure; otherwise too high pressures of the
// last step would remain (dfsph.c). And to the sums of has_settled.
static void wrong_chunk(void *data, size_t begin, size_t end, double *term) {
  const prediction *p = data;
  const mote_fluid *f = p->fluid;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(SUMS)) {
    float D = f->volume[i] * p->self + density_of(p, i) + p->by_walls[i];
    if (f->free_surface_ghosts != NULL) D += f->free_surface_ghosts[i];
    if (p->going != NULL) D += missing_of(p, i);
    float wrong = D - p->target[i], by = wrong - p->wrong[i];
    double mass = (double)(f->volume[i] * f->rest_density[i]);
    p->wrong[i] = wrong;
    term[MASS] = mass;
    term[MOTION] = mass * square_of_motion(p, i);
    if (wrong > 0.0f || p->pressures.pressure_volume[i] + p->step[i] * wrong > 0.0f) {
      term[MOTE_DESCENT_ERROR] = (double)fabsf(wrong);
      term[MISSED] = (double)p->step[i] * (double)wrong * (double)wrong;
    }
    mote_descent_add(term, p->change[i], by, p->step[i]);
  }
}

static void raise_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  float *pressure_volume = p->pressures.pressure_volume;
  for (size_t i = begin; i < end; ++i) {
    float was = pressure_volume[i], raised = was + p->length * p->step[i] * p->wrong[i];
    float kept = raised > 0.0f ? raised : 0.0f;
    pressure_volume[i] = kept;
    p->change[i] = kept - was;
  }
}

static void accelerate(const prediction *p) {
  mote_wall_pressure_set(&p->wall_pressure, &p->pressures);
  if (p->coupled.any) mote_wall_pressure_add_weight(&p->pressures, p->fluid);
  mote_pressures_accelerate(&p->pressures, p->fluid);
  mote_coupled_solve_respond(&p->coupled, p->fluid, &p->pressures, 0.0);
}

// Errors of the densities predicted with the present pressures.
static void find_wrong(prediction *p, double sum[SUMS]) {
  const mote_fluid *f = p->fluid;
  int threads = f->env.threads;
  accelerate(p);
  if (p->coupled.any) predict_walls(p);  // bodies move in every iteration
  mote_parallel_for(threads, f->count, MOTE_FLUID_LIGHT_GRAIN, predict_chunk, p);
  for (p->part = 0; p->part < MOTE_BOUNDARY_PARTS; ++p->part) {
    const mote_wall_pairs *w = &f->walls[p->part];
    mote_parallel_for(threads, w->samples, MOTE_FLUID_GRAIN, fill_chunk, p);
    mote_parallel_for(threads, w->sample_neighbours.rows, MOTE_FLUID_GRAIN, wall_density_chunk, p);
  }
  mote_parallel_sum(threads, f->count, SUMS, wrong_chunk, p, sum);
}

// --- All ---

static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_fluid *f = p->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i];
    f->pressure[i] = p->pressures.pressure_volume[i] / f->volume[i] * (D * D);
  }
}

static bool is_stuck_full(const mote_solve_report *report) {
  return !report->converged && report->iterations >= STUCK_ITERATIONS;
}

// Whether the remaining change of velocity is small compared with the motion, or with density_error spacings
// per step. Errors of one sign throughout a column add up to a velocity of its surface, which a mean of
// errors does not show. The kinetic energy of the remaining change is r A^-1 r / (2
// dt^2), with the error r; A is known from the last change of pressures, which had the form of r.
static bool has_settled(const prediction *p, const double sum[SUMS]) {
  double inverse = sum[MOTE_DESCENT_CURVE] > 0.0 ? sum[MOTE_DESCENT_LENGTH] / sum[MOTE_DESCENT_CURVE] : 1.0;
  double least = p->fluid->solver.density_error * p->fluid->spacing / (double)p->dt;  // m/s
  return sqrt(inverse * sum[MISSED]) <= least * sqrt(sum[MASS]) + MOTION_LEFT * sqrt(sum[MOTION]);
}

// Where a density does not respond to its pressure (two particles predicted at one position, for example),
// pressures would grow with every iteration. Then those of the least error are used.
static void run(prediction *p, mote_solve_report *report) {
  mote_fluid *f = p->fluid;
  const mote_solver_def *solver = &f->solver;
  int most = p->shift ? SHIFT_ITERATIONS : solver->iterations_max;
  int least = solver->iterations_min > ITERATIONS_MIN ? solver->iterations_min : ITERATIONS_MIN;
  if (p->shift) least = 1;
  double smallest = HUGE_VAL, before = HUGE_VAL, halfway = HUGE_VAL, sum[SUMS];
  bool diverged = false, last = false;
  start(p);
  while (!last) {
    find_wrong(p, sum);
    report->error = sum[MOTE_DESCENT_ERROR] / (double)f->count;
    report->converged = report->error <= solver->density_error;
    if (report->error < smallest) {
      memcpy(p->best, p->pressures.pressure_volume, f->count * sizeof(float));
      smallest = report->error;
    }
    diverged = ++report->iterations >= least && report->error > DIVERGED_ERROR_GROWTH * smallest;
    if (report->iterations == STUCK_ITERATIONS / 2) halfway = smallest;
    bool near = !report->converged && smallest <= NEARLY_CONVERGED * solver->density_error;
    bool stuck = report->iterations == STUCK_ITERATIONS && smallest > 0.5 * halfway && !near;
    bool done = report->converged && (p->shift || has_settled(p, sum));
    last = report->iterations >= (done ? least : most) || diverged || stuck;
    bool may_be_long = report->iterations % 2 == 0 && report->error <= before && !last;
    p->length = mote_descent_length(sum, may_be_long);
    before = report->error;
    mote_parallel_for(f->env.threads, f->count, MOTE_FLUID_LIGHT_GRAIN, raise_chunk, p);
  }
  if (!p->shift && is_stuck_full(report)) return;
  if (diverged) {
    memcpy(p->pressures.pressure_volume, p->best, f->count * sizeof(float));
    report->error = smallest, report->converged = smallest <= solver->density_error;
  }
  accelerate(p);
  mote_pressures_kick(&p->pressures, f, (double)p->dt);
  mote_coupled_solve_apply(&p->coupled, f, (double)p->dt);
  mote_coupled_solve_flow(&p->coupled, f);
  if (!p->shift) mote_parallel_for(f->env.threads, f->count, MOTE_FLUID_LIGHT_GRAIN, keep_chunk, p);
}

static mote_result add_wall_work(const prediction *p, mote_error *error) {
  mote_coupled_pressure pressure[MOTE_BOUNDARY_PARTS];
  if (!mote_wall_work_is_asked(p->fluid)) return MOTE_OK;
  mote_wall_work_pressures(p->fluid, &p->pressures, pressure);
  return mote_wall_work_add(p->fluid, pressure, (double)p->dt, error);
}

static mote_result correct_prediction(mote_fluid *fluid, double dt, bool shift, mote_solve_report *report,
                                      mote_error *error) {
  prediction p = {.fluid = fluid, .shift = shift, .dt = (float)dt};
  p.omega = (float)(1.0 / fluid->spectrum.largest);
  p.full = (float)fluid->spectrum.diagonal;
  p.self = mote_pairs_self(&fluid->pairs.scale);
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  mote_result result = take_arrays(&p, error);
  if (result == MOTE_OK) run(&p, report);
  if (result == MOTE_OK && !shift && !is_stuck_full(report)) result = add_wall_work(&p, error);
  mote_arena_release(fluid->scratch, mark);
  return result;
}

// In a full vessel no velocities satisfy the second-order terms of the predicted densities: pressures would
// grow with every step and do work on disordered particles. Many iterations without success show the same.
mote_result mote_pcisph_pressure(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(fluid->diagonal != NULL || fluid->count == 0);
  mote_solve_report did = {.converged = true}, shifted = {.converged = true};
  if (dt > 0.0 && mote_dfsph_is_full(fluid)) return mote_dfsph_density(fluid, dt, report, error);
  if (dt > 0.0 && fluid->count > 0) {
    MOTE_TRY(correct_prediction(fluid, dt, false, &did, error));
    if (is_stuck_full(&did)) return mote_dfsph_density(fluid, dt, report, error);
    MOTE_TRY(mote_shift_begin(fluid, error));
    MOTE_TRY(correct_prediction(fluid, dt, true, &shifted, error));
    mote_shift_end(fluid, dt);
  }
  if (report != NULL) *report = did;
  return MOTE_OK;
}
