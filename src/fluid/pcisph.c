// Predicted and corrected pressure (Solenthaler & Pajarola 2009): see pcisph.h.
//
// All is predicted to the end of the step with what forces there are, densities are summed there with the
// kernel itself, and pressures P >= 0 are raised or lowered by what is wrong with them:
//   P_i <- max(0, P_i + delta (D*_i - T_i)),   delta = omega / (dt^2 A),
// their (8) and (9) with A of a full neighbourhood at rest. Walls count as they
// are filled, and have means of the pressures near (wall_pressure.h). Two predictions are corrected so: the
// motion, where T is the density that there is (what is too dense stays so: undoing it by velocities would
// leave particles with speeds of the step's making), and then a shift, which takes apart half of what is too
// dense and is no velocity (shift.h). docs/theory/fluids.md says why, and what it costs to do both by
// velocities, and why what is full is predicted linearly, by dfsph.c.
#include "fluid/pcisph.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "fluid/coupled_solve.h"
#include "fluid/density_target.h"
#include "fluid/dfsph.h"
#include "fluid/shift.h"
#include "fluid/wall_pressure.h"
#include "pairs/fixed_positions.h"

#define RELAXATION 1.15  // over the largest eigenvalue of a lattice, where 2 is the limit
#define CALMER 0.7f      // times the relaxation, after an iteration that made the error larger
#define CALMEST 0.1f     // of the relaxation
#define MUCH 1.5f        // times a full neighbourhood's A: its own is taken
#define LEAST_ITERATIONS 3
#define LEAST_ROOM 5e-4  // mean of what densities lack; of dam breaks more than 0.003
#define MANY 30          // iterations, of which the second half does not halve the error: there is no room
#define DIVERGED 2.0  // times the least error there was: no more iterations, and back to the pressures of it
#define SHIFT_ITERATIONS 4  // what is left is undone in the next steps

typedef struct prediction {
  mote_fluid *fluid;
  bool shift;  // of the shift, else of the motion
  mote_pair_scale scale;
  float dt, omega, calm;
  float self;  // W(0)
  float full;  // rho0 A of a full neighbourhood
  mote_pressures pressures;
  mote_wall_means means;
  mote_wet_solve wet;
  float *tried, *best;                          // pushes before the last correction, and of the least error
  mote_place *ahead;                            // places at the end of the step; +
  float *near_walls;                            // the samples' part of densities there
  float *target;                                // T
  float *step;                                  // V delta
  mote_place *wall_ahead[MOTE_BOUNDARY_PARTS];  // +
  int part;
} prediction;

static mote_result take_arrays(prediction *p, mote_error *error) {
  mote_arena *arena = p->fluid->scratch;
  size_t n = p->fluid->count;
  MOTE_TRY(mote_pressures_take(&p->pressures, p->fluid, error));
  p->ahead = mote_arena_take(arena, n + 1, sizeof(mote_place));
  p->near_walls = mote_arena_take(arena, n, sizeof(float));
  p->target = mote_arena_take(arena, n, sizeof(float));
  p->step = mote_arena_take(arena, n, sizeof(float));
  p->tried = mote_arena_take(arena, n, sizeof(float));
  p->best = mote_arena_take(arena, n, sizeof(float));
  bool all = p->ahead && p->near_walls && p->target && p->step && p->tried && p->best;
  for (int k = 0; k < MOTE_BOUNDARY_PARTS; ++k) {
    size_t samples = p->fluid->walls[k].samples;
    p->wall_ahead[k] = mote_arena_take(arena, samples + 1, sizeof(mote_place));
    all = all && p->wall_ahead[k];
    if (all) p->wall_ahead[k][samples] = (mote_place){.volume = 0.0f};
  }
  if (!all) return mote_fail_memory(error, n * (sizeof(mote_place) + 5 * sizeof(float)));
  p->ahead[n] = (mote_place){.volume = 0.0f};
  MOTE_TRY(mote_wall_means_take(&p->means, p->fluid, error));
  MOTE_TRY(mote_wet_solve_take(&p->wet, p->fluid, !p->shift, error));
  return mote_wet_solve_matrix(&p->wet, p->fluid, p->means.matrix, error);
}

// --- The beginning ---

// V delta. Where particles crowd, each must do less, as all do the same.
static inline float step_of(const prediction *p, float volume, float rest_density, float D, float A) {
  float crowd = D > 1.0f ? D : 1.0f;
  return volume * p->omega * rest_density / (p->dt * p->dt * crowd * A);
}

// A full neighbourhood's; the particle's own where that is much larger: among lighter particles, which give
// way more, and in a crowd. There the other would blow up.
static inline float matrix_of(const prediction *p, size_t i) {
  float A = p->fluid->rest_density[i] * p->means.matrix[i];
  return A > MUCH * p->full ? A : p->full;
}

static void start_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_fluid *f = p->fluid;
  for (size_t i = begin; i < end; ++i) {
    const float *v = f->velocity + 3 * i;
    float D = f->relative[i], speed = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    float lively = MOTE_LIVELY * p->dt * speed / (float)f->spacing;
    p->target[i] = mote_density_target(D, f->alone != NULL ? f->alone[i] : 0.0f,
                                       p->shift ? MOTE_SHIFT_PART : lively, 0.0f);
    p->step[i] = step_of(p, f->volume[i], f->rest_density[i], D, matrix_of(p, i));
    p->pressures.push[i] = p->shift ? 0.0f : f->volume[i] * (f->pressure[i] / (D * D));
  }
}

// A place moved by v dt; far more than a step allows is cut.
static inline void predict(const prediction *p, const mote_place *now, const float v[3], mote_place *ahead) {
  ahead->volume = now->volume;
  for (int a = 0; a < 3; ++a) {
    float unit = p->scale.unit[a], way = unit > 0.0f ? p->dt * v[a] / unit : 0.0f;
    way = way < 0x1p30f ? way : 0x1p30f;
    way = way > -0x1p30f ? way : -0x1p30f;
    ahead->x[a] = now->x[a] + (uint32_t)(int32_t)way;
  }
}

static void predict_wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_wall_pairs *w = &p->fluid->walls[p->part];
  bool gives = p->wet.any && p->part == MOTE_BOUNDARY_PARTS - 1;
  for (size_t b = begin; b < end; ++b) {
    float v[3];
    for (size_t a = 0; a < 3; ++a) {
      v[a] = w->velocity[3 * b + a] + (gives ? p->dt * p->wet.acceleration[3 * b + a] : 0.0f);
    }
    predict(p, &w->place[b], v, &p->wall_ahead[p->part][b]);
  }
}

static void predict_walls(prediction *p) {
  const mote_fluid *f = p->fluid;
  for (p->part = 0; p->part < MOTE_BOUNDARY_PARTS; ++p->part) {
    mote_parallel_for(f->env.threads, f->walls[p->part].samples, MOTE_FLUID_GRAIN, predict_wall_chunk, p);
  }
}

static void start(prediction *p) {
  mote_parallel_for(p->fluid->env.threads, p->fluid->count, 4 * MOTE_FLUID_GRAIN, start_chunk, p);
  if (!p->wet.any) predict_walls(p);
}

// --- An iteration ---

static void predict_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_fluid *f = p->fluid;
  for (size_t i = begin; i < end; ++i) {
    float v[3], scale = p->dt / f->volume[i];
    for (int a = 0; a < 3; ++a) v[a] = f->velocity[3 * i + a] + scale * p->pressures.flow[i].u[a];
    predict(p, &f->place[i], v, &p->ahead[i]);
    p->near_walls[i] = 0.0f;
  }
}

// V W of four pairs, at predicted places.
static inline mote_lane densities_of(const prediction *p, const mote_place *target, const mote_place *ahead,
                                     const uint32_t *index) {
  mote_pairs pairs = mote_pairs_load(&p->scale, target, ahead, index);
  return pairs.volume * mote_pairs_value(&p->scale, &pairs);
}

// The sum over a row: of fluid near a particle, and of pairs of a wall.
static inline float density_of(const prediction *p, size_t i) {
  mote_lane sum = mote_lane_splat(0.0f);
  const mote_fours *set = &p->fluid->pairs;
  const mote_four *four = set->four + set->first[i], *end = four + set->number[i];
  for (; four < end; ++four) sum += densities_of(p, &p->ahead[i], p->ahead, four->index);
  return mote_lane_sum(sum);
}

static inline float wall_density_of(const prediction *p, const mote_pair_set *set, size_t row,
                                    const mote_place *target, const mote_place *ahead) {
  mote_lane sum = mote_lane_splat(0.0f);
  const mote_pair_group *g = set->group + set->first[row], *end = g + set->number[row];
  for (; g < end; ++g) sum += densities_of(p, target, ahead, g->index);
  return mote_lane_sum(sum);
}

// Samples count as they will be filled.
static void fill_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_wall_pairs *w = &p->fluid->walls[p->part];
  mote_place *ahead = p->wall_ahead[p->part];
  for (size_t b = begin; b < end; ++b) {
    float slope, near = wall_density_of(p, &w->back, b, &ahead[b], p->ahead);
    ahead[b].volume = w->volume[b] * mote_wall_filled(w->own[b], near, &slope);
  }
}

static void near_walls_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_wall_pairs *w = &p->fluid->walls[p->part];
  for (size_t n = begin; n < end; ++n) {
    size_t i = w->index[n];
    p->near_walls[i] += wall_density_of(p, &w->near, n, &p->ahead[i], p->wall_ahead[p->part]);
  }
}

// Raises or lowers pressures, and adds what is wrong to the error: compression, and expansion by a pressure,
// without which pressures of the last step that are too high would stay so (dfsph.c).
static void correct_chunk(void *data, size_t begin, size_t end, double *sum) {
  const prediction *p = data;
  const mote_fluid *f = p->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->volume[i] * p->self + density_of(p, i) + p->near_walls[i];
    if (f->air != NULL) D += f->air[i];
    float wrong = D - p->target[i];
    float raised = p->pressures.push[i] + p->calm * p->step[i] * wrong;
    p->pressures.push[i] = raised > 0.0f ? raised : 0.0f;
    if (wrong > 0.0f || raised > 0.0f) *sum += (double)fabsf(wrong);
  }
}

static void accelerate(const prediction *p) {
  mote_wall_means_push(&p->means, &p->pressures);
  mote_pressures_accelerate(&p->pressures, p->fluid);
  mote_wet_solve_respond(&p->wet, p->fluid, &p->pressures);
}

// The sum of what was wrong before the pressures were corrected.
static double iterate(prediction *p) {
  const mote_fluid *f = p->fluid;
  int threads = f->env.threads;
  double sum = 0.0;
  accelerate(p);
  if (p->wet.any) predict_walls(p);  // bodies give way in every iteration
  mote_parallel_for(threads, f->count, 4 * MOTE_FLUID_GRAIN, predict_chunk, p);
  for (p->part = 0; p->part < MOTE_BOUNDARY_PARTS; ++p->part) {
    const mote_wall_pairs *w = &f->walls[p->part];
    mote_parallel_for(threads, w->samples, MOTE_FLUID_GRAIN, fill_chunk, p);
    mote_parallel_for(threads, w->near.rows, MOTE_FLUID_GRAIN, near_walls_chunk, p);
  }
  mote_parallel_sum(threads, f->count, 1, correct_chunk, p, &sum);
  return sum;
}

// --- All ---

static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const prediction *p = data;
  const mote_fluid *f = p->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i];
    f->pressure[i] = p->pressures.push[i] / f->volume[i] * (D * D);
  }
}

static bool has_no_room(const mote_solve_report *report) {
  return !report->converged && report->iterations >= MANY;
}

static void keep_best(prediction *p, double error, double *smallest) {
  if (!(error < *smallest)) return;
  float *tried = p->tried;
  p->tried = p->best, p->best = tried;
  *smallest = error;
}

// Where a density does not answer to its pressure (two particles that are to be at one place, say), pressures
// would grow with every iteration. Then those of the least error are taken: wrong, but calm.
static void run(prediction *p, mote_solve_report *report) {
  mote_fluid *f = p->fluid;
  const mote_solver_def *solver = &f->solver;
  int most = p->shift ? SHIFT_ITERATIONS : solver->iterations_max;
  int least = solver->iterations_min > LEAST_ITERATIONS ? solver->iterations_min : LEAST_ITERATIONS;
  if (p->shift) least = 1;
  double smallest = HUGE_VAL, before = HUGE_VAL, halfway = HUGE_VAL;
  bool diverged = false, stuck = false;
  p->calm = 1.0f;
  start(p);
  do {
    memcpy(p->tried, p->pressures.push, f->count * sizeof(float));
    report->error = iterate(p) / (double)f->count;
    if (report->error > before && p->calm > CALMEST) p->calm *= CALMER;
    before = report->error;
    keep_best(p, report->error, &smallest);
    report->converged = report->error <= solver->density_error;
    diverged = ++report->iterations >= least && report->error > DIVERGED * smallest;
    if (report->iterations == MANY / 2) halfway = smallest;
    stuck = report->iterations == MANY && smallest > 0.5 * halfway;
  } while (report->iterations < most && !diverged && !stuck &&
           (report->iterations < least || !report->converged));
  if (!p->shift && has_no_room(report)) return;
  if (diverged) {
    memcpy(p->pressures.push, p->best, f->count * sizeof(float));
    report->error = smallest, report->converged = smallest <= solver->density_error;
  }
  accelerate(p);
  mote_pressures_kick(&p->pressures, f, (double)p->dt);
  mote_wet_solve_give(&p->wet, f, (double)p->dt);
  mote_wet_solve_flow(&p->wet, f);
  if (!p->shift) mote_parallel_for(f->env.threads, f->count, 4 * MOTE_FLUID_GRAIN, keep_chunk, p);
}

static mote_result correct_prediction(mote_fluid *fluid, double dt, bool shift, mote_solve_report *report,
                                      mote_error *error) {
  prediction p = {.fluid = fluid, .shift = shift, .dt = (float)dt, .scale = mote_pair_scale_make(fluid)};
  p.omega = (float)(RELAXATION / fluid->spectrum.largest);
  p.full = (float)fluid->spectrum.diagonal;
  p.self = p.scale.value * mote_shape_lane_value(p.scale.kind, mote_lane_splat(0.0f))[0];
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  mote_result result = take_arrays(&p, error);
  if (result == MOTE_OK) run(&p, report);
  mote_arena_release(fluid->scratch, mark);
  return result;
}

static void room_chunk(void *data, size_t begin, size_t end, double *sum) {
  const mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) {
    float room = 1.0f - MOTE_SLACK - f->relative[i];
    sum[0] += (double)(f->volume[i] * (room > 0.0f ? room : 0.0f)), sum[1] += (double)f->volume[i];
  }
}

// No room: nowhere a free surface, or one that has sunk until densities are full next to it, too, as that of
// water at rest.
static bool is_full(mote_fluid *fluid) {
  double room[2];
  mote_parallel_sum(fluid->env.threads, fluid->count, 2, room_chunk, fluid, room);
  return room[0] < LEAST_ROOM * room[1];
}

// What is full has no room for what is of second order in the motion: no velocities would do, pressures would
// grow with every step, and do work on the particles that their own disorder makes possible. Many iterations
// without success tell the same.
mote_result mote_pcisph_pressure(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  mote_solve_report did = {.converged = true}, shifted = {.converged = true};
  if (dt > 0.0 && is_full(fluid)) return mote_dfsph_density(fluid, dt, report, error);
  if (dt > 0.0 && fluid->count > 0) {
    MOTE_TRY(correct_prediction(fluid, dt, false, &did, error));
    if (has_no_room(&did)) return mote_dfsph_density(fluid, dt, report, error);
    MOTE_TRY(mote_shift_begin(fluid, error));
    MOTE_TRY(correct_prediction(fluid, dt, true, &shifted, error));
    mote_shift_end(fluid, dt);
  }
  if (report != NULL) *report = did;
  return MOTE_OK;
}
