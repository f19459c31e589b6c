// Backward Euler for viscosity: see viscous_solve.h and docs/theory/fluids.md, "Viscosity".
//
// Finds the change x of velocities u = v + dt a_p such that
//   A (u + x) = m u + dt B w,   A = m + dt (L + B),
// with the pairs' matrix L (viscous_row.h), the walls' friction B and their velocity w. Conjugate gradients
// from x = 0, preconditioned by the masses and, for high viscosity, by rigid motions of cells, z = tau r / m
// + Z (Z^T A Z)^-1 Z^T r (viscous_coarse.h): residuals then have no momentum where L conserves it, so that
// every iterate conserves it, converged or not. Where the viscosity of a material varies with its temperature
// r / diagonal takes the place of tau r / m, and momentum is conserved as far as it converges. z
// approximates the error of the velocity. a_p is the acceleration by the last pressures, which the coming
// pressure solve will nearly reproduce: u is a better estimate of the flow that viscosity resists than v.
#include "fluid/viscous_solve.h"

#include <math.h>

#include "base/parallel.h"
#include "fluid/pressure.h"
#include "fluid/tuning.inc"
#include "fluid/viscous_coarse.h"
#include "fluid/viscous_coupled.h"
#include "fluid/viscous_pair.h"

#define ITERATIONS_MAX 1000
#define UNSEEN_ERROR 1e-9  // rounding: of the largest velocity: no step of it is seen in floats
#define RECORD (sizeof(viscous_record) / sizeof(float))

// A vector as neighbours gather it.
typedef struct viscous_record {
  float u[3], mu;
} viscous_record;

typedef struct viscous_solve {
  mote_fluid *fluid;
  float dt;
  mote_viscous_law law;
  mote_viscous_matrix matrix;  // coefficients in kg; the central form's, kg/m^2, belong to x x^T
  mote_viscous_coarse coarse;
  float *gradient_factor;  // the fluid's array, if any: holds the coefficients during the solve
  viscous_record *p;       // direction; first u; one more, the dummy's
  float *x, *r, *q;        // change, residual, A p
  float alpha, beta;
  float *diagonal;           // of A, the mean of its axes
  float ease;                // tau: weight of 1/m beside the coarse level
  bool varied;               // viscosities differ so much that 1 / diagonal takes the place of tau / m
  mote_pressures pressures;  // of the last step
  mote_viscous_coupled coupled;
  int part;
  double worst[MOTE_THREADS_MAX];  // of each worker
} viscous_solve;

// Rows lie in any order.
static size_t count_lane_groups(const mote_pair_view *set) {
  size_t most = 0;
  for (size_t i = 0; i < set->rows; ++i) {
    size_t end = (size_t)set->first[i] + set->number[i];
    most = end > most ? end : most;
  }
  return most;
}

static mote_result take_arrays(viscous_solve *s, mote_error *error) {
  const mote_fluid *f = s->fluid;
  mote_arena *arena = f->scratch;
  size_t n = f->count, groups = count_lane_groups(&f->pairs);
  s->gradient_factor = f->pairs.gradient_factor;
  s->matrix.coefficient = s->gradient_factor != NULL
                              ? s->gradient_factor
                              : mote_arena_take(arena, groups, MOTE_LANES * sizeof(float));
  s->matrix.own = mote_arena_take(arena, n, sizeof(float));
  s->diagonal = mote_arena_take(arena, n, sizeof(float));
  s->p = mote_arena_take(arena, n + 1, sizeof *s->p);
  s->x = mote_arena_take(arena, 3 * n, sizeof(float));
  s->r = mote_arena_take(arena, 3 * n, sizeof(float));
  s->q = mote_arena_take(arena, 3 * n, sizeof(float));
  bool all = s->matrix.coefficient && s->matrix.own && s->diagonal && s->p && s->x && s->r && s->q;
  if (!all) return mote_fail_memory(error, (4 * groups + 15 * n) * sizeof(float));
  s->p[n] = (viscous_record){.mu = 0.0f};
  MOTE_TRY(mote_viscous_coupled_take(&s->coupled, s->fluid, (double)s->dt, error));
  return mote_pressures_take(&s->pressures, s->fluid, error);
}

// --- The matrix ---

// dt times that of viscous_row.h, with g = c x in the central form; and their share of the diagonal, the
// mean of its axes.
static inline mote_lane coefficient_of(const viscous_solve *s, size_t i, mote_groups g, mote_lane *diagonal) {
  const mote_fluid *f = s->fluid;
  const uint32_t *j = f->pairs.lanes[g.at].index;
  mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
  mote_lane gradient_factor = mote_pair_lanes_gradient_factor(&f->pairs, g.at, &p);
  mote_viscous_pairs v = mote_viscous_pairs_make(&s->law, gradient_factor, &p);
  mote_lane mu = {s->p[j[0]].mu, s->p[j[1]].mu, s->p[j[2]].mu, s->p[j[3]].mu};
  mote_lane volumes = p.volume * f->volume[i], mean = mote_viscous_mean(s->p[i].mu, mu, v.square);
  mote_lane across = volumes * (mean * (-s->dt * v.along));
  *diagonal += across;
  if (!s->matrix.central) return across;
  return s->law.central * (volumes * (mean * (-s->dt * gradient_factor)));
}

static void coefficient_chunk(void *data, size_t begin, size_t end, double *term) {
  const viscous_solve *s = data;
  const mote_fluid *f = s->fluid;
  float axes = s->matrix.central ? s->law.central / (float)f->domain.dimensions : 1.0f;
  for (size_t i = begin; i < end; ++i, term += 2) {
    mote_lane diagonal = {0};
    for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
      mote_lane_store(s->matrix.coefficient + MOTE_LANES * g.at, coefficient_of(s, i, g, &diagonal));
    }
    float friction = f->wall_friction_sum == NULL ? 0.0f : f->wall_friction_sum[4 * i + 3];
    s->matrix.own[i] = f->mass[i] - 2.0f * s->dt * f->viscosity[i] * f->volume[i] * friction;
    term[0] = (double)f->mass[i];
    s->diagonal[i] = s->matrix.own[i] + axes * mote_lane_sum(diagonal);
    term[1] = (double)s->diagonal[i];
  }
}

static void gradient_factor_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const viscous_solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
      mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
      mote_lane_store(s->gradient_factor + MOTE_LANES * g.at,
                      mote_pairs_gradient_factor(&f->pairs.scale, &p));
    }
  }
}

static bool is_periodic(const mote_domain *domain) {
  for (int a = 0; a < domain->dimensions; ++a) {
    if (domain->periodic[a]) return true;
  }
  return false;
}

// Whether viscosities of a material differ by more than VARIED_RATIO.
static bool is_varied(const mote_fluid *f) {
  if (!f->viscosity_varies) return false;
  float least = f->viscosity[0], most = f->viscosity[0];
  for (size_t i = 1; i < f->count; ++i) {
    least = f->viscosity[i] < least ? f->viscosity[i] : least;
    most = f->viscosity[i] > most ? f->viscosity[i] : most;
  }
  return most > VARIED_RATIO * least;
}

// With the coarse level where the viscosity is high enough.
static mote_result make_matrix(viscous_solve *s, mote_error *error) {
  double sum[2];  // of masses, and of the diagonal
  mote_parallel_sum(s->fluid->env.threads, s->fluid->count, 2, coefficient_chunk, s, sum);
  s->fluid->pairs.gradient_factor = NULL;
  s->ease = 1.0f;
  if (sum[1] < COARSE_THRESHOLD * sum[0] || s->coupled.any || is_periodic(&s->fluid->domain)) return MOTE_OK;
  s->varied = is_varied(s->fluid);
  s->ease = s->varied ? 1.0f : (float)(sum[0] / sum[1]);
  return mote_viscous_coarse_make(&s->coarse, &s->matrix, error);
}

static void restore_gradient_factors(viscous_solve *s) {
  if (s->gradient_factor == NULL) return;
  mote_parallel_for(s->fluid->env.threads, s->fluid->count, MOTE_FLUID_GRAIN, gradient_factor_chunk, s);
  s->fluid->pairs.gradient_factor = s->gradient_factor;
}

// dt (L p)_i.
static inline void resist(const viscous_solve *s, size_t i, bool central, float out[3]) {
  const mote_fluid *f = s->fluid;
  const float *own = s->p[i].u;
  mote_lane x = mote_lane_splat(0.0f), y = x, z = x;
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_lane u[4], c = mote_lane_load(s->matrix.coefficient + MOTE_LANES * g.at);
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(s->p + f->pairs.lanes[g.at].index[k]);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    for (int a = 0; a < 3; ++a) u[a] = own[a] - u[a];
    if (central) {
      mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
      mote_lane along = c * (u[0] * p.x[0] + u[1] * p.x[1] + u[2] * p.x[2]);
      x += along * p.x[0], y += along * p.x[1], z += along * p.x[2];
    } else {
      x += c * u[0], y += c * u[1], z += c * u[2];
    }
  }
  out[0] = mote_lane_sum(x), out[1] = mote_lane_sum(y), out[2] = mote_lane_sum(z);
}

static inline void resist_by_form(const viscous_solve *s, size_t i, float out[3]) {
  if (s->matrix.central) {
    resist(s, i, true, out);
  } else {
    resist(s, i, false, out);
  }
}

// --- The beginning ---

static inline double length(const float *v) {
  double a = (double)v[0], b = (double)v[1], c = (double)v[2];
  return sqrt(a * a + b * b + c * c);
}

static void last_pressure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const viscous_solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i) {
    float D = f->relative[i], p = f->pressure[i] - f->divergence_pressure[i];
    s->pressures.pressure_volume[i] = p > 0.0f ? f->volume[i] * (p / (D * D)) : 0.0f;
  }
}

static void last_wall_pressure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const viscous_solve *s = data;
  const mote_wall_pairs *w = &s->fluid->walls[s->part];
  for (size_t b = begin; b < end; ++b) {
    float D = w->relative[b], p = w->pressure[b];
    s->pressures.wall_pressure_volume[s->part][b] = p > 0.0f ? w->volume[b] * (p / (D * D)) : 0.0f;
  }
}

// V a_p, in pressures.flow.
static void accelerate_by_last_pressures(viscous_solve *s) {
  const mote_fluid *f = s->fluid;
  mote_parallel_for(f->env.threads, f->count, MOTE_FLUID_LIGHT_GRAIN, last_pressure_chunk, s);
  for (s->part = 0; s->part < MOTE_BOUNDARY_PARTS; ++s->part) {
    size_t samples = f->walls[s->part].samples;
    mote_parallel_for(f->env.threads, samples, MOTE_FLUID_LIGHT_GRAIN, last_wall_pressure_chunk, s);
  }
  mote_pressures_accelerate(&s->pressures, f);
}

// The speed of the walls near a particle.
static inline double wall_speed(const mote_fluid *f, size_t i) {
  const float *friction = f->wall_friction_sum == NULL ? NULL : f->wall_friction_sum + 4 * i;
  return friction == NULL || friction[3] == 0.0f ? 0.0 : length(friction) / fabs((double)friction[3]);
}

// u, and the largest velocity and change of velocity.
static void start_chunk(void *data, size_t begin, size_t end, int worker) {
  viscous_solve *s = data;
  const mote_fluid *f = s->fluid;
  double most = s->worst[worker];
  for (size_t i = begin; i < end; ++i) {
    float scale = s->dt / f->volume[i];
    for (int a = 0; a < 3; ++a) {
      s->p[i].u[a] = f->velocity[3 * i + a] + scale * s->pressures.flow[i].u[a];
      s->x[3 * i + a] = 0.0f;
    }
    s->p[i].mu = f->viscosity[i];
    double speed = length(s->p[i].u), change = (double)s->dt * length(f->acceleration + 3 * i);
    most = fmax(most, fmax(fmax(speed, change), wall_speed(f, i)));
  }
  s->worst[worker] = most;
}

static double take_worst(viscous_solve *s) {
  double worst = 0.0;
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) {
    worst = s->worst[w] > worst ? s->worst[w] : worst;
    s->worst[w] = 0.0;
  }
  return worst;
}

// Squares of residuals over masses: r . z of the preconditioner.
static inline double square_of(const viscous_solve *s, size_t i) {
  const float *r = s->r + 3 * i;
  double x = (double)r[0], y = (double)r[1], z = (double)r[2];
  return (x * x + y * y + z * z) / (double)(s->varied ? s->diagonal[i] : s->fluid->mass[i]);
}

static void residual_chunk(void *data, size_t begin, size_t end, double *term) {
  const viscous_solve *s = data;
  const mote_fluid *f = s->fluid;
  for (size_t i = begin; i < end; ++i, ++term) {
    resist_by_form(s, i, s->r + 3 * i);
    const float *friction = f->wall_friction_sum == NULL ? NULL : f->wall_friction_sum + 4 * i;
    float by_wall = 2.0f * s->dt * f->viscosity[i] * f->volume[i];
    for (int a = 0; a < 3; ++a) {
      float wall = friction == NULL ? 0.0f : by_wall * (friction[3] * s->p[i].u[a] - friction[a]);
      s->r[3 * i + a] = wall - s->r[3 * i + a];
      if (s->coupled.any) s->r[3 * i + a] += s->coupled.body_friction[3 * i + (size_t)a];
    }
    term[0] = square_of(s, i);
  }
}

// --- An iteration ---

// p = z + beta p, z = tau r / m + Z y, and the largest error: r / m, or r / diagonal + Z y, since tau does
// not damp fluids of low viscosity beside those of high viscosity.
static void turn_chunk(void *data, size_t begin, size_t end, int worker) {
  viscous_solve *s = data;
  const float *weight = s->coarse.matrix != NULL ? s->diagonal : s->fluid->mass;
  double most = s->worst[worker];
  for (size_t i = begin; i < end; ++i) {
    const float *r = s->r + 3 * i;
    float ease = s->varied ? 1.0f / s->diagonal[i] : s->ease / s->fluid->mass[i],
          per_weight = 1.0f / weight[i], wrong[3];
    double coarse[3] = {0};
    if (s->coarse.matrix != NULL) mote_viscous_coarse_velocity(&s->coarse, i, coarse);
    for (int a = 0; a < 3; ++a) {
      s->p[i].u[a] = (ease * r[a] + (float)coarse[a]) + s->beta * s->p[i].u[a];
      wrong[a] = per_weight * r[a] + (float)coarse[a];
    }
    double size = length(wrong);
    most = most > size ? most : size;
  }
  s->worst[worker] = most;
}

// q = A p and p . q.
static void apply_chunk(void *data, size_t begin, size_t end, double *term) {
  const viscous_solve *s = data;
  for (size_t i = begin; i < end; ++i, ++term) {
    float *q = s->q + 3 * i;
    const float *p = s->p[i].u;
    resist_by_form(s, i, q);
    for (int a = 0; a < 3; ++a) {
      q[a] += s->matrix.own[i] * p[a];
      if (s->coupled.any) q[a] -= s->coupled.body_friction[3 * i + (size_t)a];
      term[0] += (double)p[a] * (double)q[a];
    }
  }
}

static void advance_chunk(void *data, size_t begin, size_t end, double *term) {
  const viscous_solve *s = data;
  for (size_t i = begin; i < end; ++i, ++term) {
    for (int a = 0; a < 3; ++a) {
      s->x[3 * i + a] += s->alpha * s->p[i].u[a];
      s->r[3 * i + a] -= s->alpha * s->q[3 * i + a];
    }
    term[0] = square_of(s, i);
  }
}

// `first`: the error without any change.
static double limit_of(double tolerance, double first) {
  double limit = fmax(CHANGE_ERROR * first, TOLERANCE_FLOOR * tolerance);
  return limit < tolerance ? limit : tolerance;
}

static mote_result run(viscous_solve *s, double tolerance, mote_solve_report *report, mote_error *error) {
  const mote_fluid *f = s->fluid;
  int threads = f->env.threads;
  size_t n = f->count;
  double square, pq, before, rz, of_bodies, limit = tolerance;
  accelerate_by_last_pressures(s);
  mote_parallel_for(threads, n, MOTE_FLUID_LIGHT_GRAIN, start_chunk, s);
  double scale = take_worst(s), strict = 1.0;
  MOTE_TRY(make_matrix(s, error));
  if (s->coarse.matrix != NULL) strict = COARSE_STRICTNESS;
  of_bodies = mote_viscous_coupled_start(&s->coupled, &s->pressures, s->p->u, RECORD);
  mote_parallel_sum(threads, n, 1, residual_chunk, s, &square);
  rz = (double)s->ease * square + mote_viscous_coarse_solve(&s->coarse, s->r) + of_bodies;
  for (s->beta = 0.0f;; ++report->iterations) {
    mote_parallel_for(threads, n, MOTE_FLUID_LIGHT_GRAIN, turn_chunk, s);
    mote_viscous_coupled_turn(&s->coupled, (double)s->beta);
    report->error = scale > 0.0 ? strict * take_worst(s) / scale : 0.0;
    if (report->iterations == 0) limit = limit_of(tolerance, report->error);
    report->converged = report->error <= limit && (report->iterations > 0 || report->error <= UNSEEN_ERROR);
    if (report->converged || report->iterations == ITERATIONS_MAX) break;
    mote_parallel_sum(threads, n, 1, apply_chunk, s, &pq);
    pq += mote_viscous_coupled_apply(&s->coupled, s->p->u, RECORD);
    if (!(pq > 0.0)) break;  // not a number; the watchdog reports it
    before = rz;
    s->alpha = (float)(rz / pq);
    mote_parallel_sum(threads, n, 1, advance_chunk, s, &square);
    of_bodies = mote_viscous_coupled_advance(&s->coupled, (double)s->alpha);
    rz = (double)s->ease * square + mote_viscous_coarse_solve(&s->coarse, s->r) + of_bodies;
    s->beta = (float)(rz / before);
  }
  return MOTE_OK;
}

static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const viscous_solve *s = data;
  mote_fluid *f = s->fluid;
  for (size_t k = 3 * begin; k < 3 * end; ++k) {
    f->velocity[k] += s->x[k];
    f->acceleration[k] += s->x[k] / s->dt;
  }
}

mote_result mote_viscous_solve(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  mote_solve_report did = {.converged = true};
  if (fluid->implicit && dt > 0.0 && fluid->count > 0) {
    mote_arena_mark mark = mote_arena_here(fluid->scratch);
    viscous_solve s = {.fluid = fluid, .dt = (float)dt};
    s.law = mote_viscous_law_make(fluid);
    s.matrix = (mote_viscous_matrix){.fluid = fluid, .central = s.law.is_central};
    mote_result result = take_arrays(&s, error);
    if (result == MOTE_OK) {
      result = run(&s, fluid->solver.viscosity_error, &did, error);
      mote_viscous_coarse_end(&s.coarse);
      restore_gradient_factors(&s);
    }
    if (result == MOTE_OK) {
      result = mote_viscous_coupled_end(&s.coupled, error);
      mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, keep_chunk, &s);
    }
    mote_arena_release(fluid->scratch, mark);
    MOTE_TRY(result);
  }
  if (report != NULL) *report = did;
  return MOTE_OK;
}
