// Fits, forces and energy of an elastic body: see elastic_body.h. Three loops over particles, each of which
// writes only its own values: the fit of displacements, the stress, the sum over pairs.
#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/elastic_body.h"
#include "elastic/elastic_fold.h"
#include "geom/triple.h"

#define REAL double
#define LANE_PARTS 2
#define SUMS(name) wide_##name
#include "elastic/elastic_sums.inc"

static MOTE_INLINE wide_lane three(const double *x) {
  return (wide_lane){{{x[0], x[1]}, {x[2], 0.0}}};
}

// u_j - u_i. For positions a small difference of two distances, hence in double precision.
static MOTE_INLINE wide_lane difference(const double *field, wide_lane own, size_t j, const double *rest) {
  wide_lane u = wide_sub(three(field + 3 * j), own);
  return rest != NULL ? wide_sub(u, three(rest)) : u;
}

// w p of pair k, then the slopes of both ends.
static MOTE_INLINE void weigh(const mote_elastic *b, size_t k, int d, int order, int slopes, double *wp) {
  const mote_elastic_pair *pair = &b->pair[k];
  int m = mote_elastic_terms(d, order);
  double y[3];
  set3(b->inverse_unit * pair->rest[0], b->inverse_unit * pair->rest[1], b->inverse_unit * pair->rest[2], y);
  wide_weigh(d, order, y, pair->weight, wp);
#pragma GCC unroll 3
  for (int c = 0; c < slopes; ++c) {
    wp[m + c] = b->slope[6 * k + (size_t)c];
    wp[m + slopes + c] = b->slope[6 * k + (size_t)(3 + c)];
  }
}

// --- The fit --------------------------------------------------------------------------------------------

typedef struct field_loop {
  const mote_elastic *body;
  const double *field;
  bool positions;
  double *fit;                  // output of the fit
  double *linear;               // of the linear fit; null: no fold control
  const double *stress_moment;  // input of the gather loop
  double *out;
} field_loop;

static MOTE_INLINE void fit_one(const field_loop *s, size_t i, int d, int order, int slopes) {
  const mote_elastic *b = s->body;
  int m = mote_elastic_terms(d, order), rows = m + slopes;
  wide_lane sum[MOTE_ELASTIC_ROWS], own = three(s->field + 3 * i), squares = {{{0}}};
  double wp[MOTE_ELASTIC_ROWS + 3];
#pragma GCC unroll 9
  for (int t = 0; t < rows; ++t) sum[t] = (wide_lane){{{0}}};
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    wide_lane u = difference(s->field, own, b->neighbour[k], s->positions ? pair->rest : NULL);
    weigh(b, k, d, order, slopes, wp);
    wide_add_fit(rows, u, wp, sum);
    squares = wide_add(squares, wide_times(wide_product(u, u), pair->weight));
  }
  wide_finish_fit(m, slopes, sum, b->inverse + (size_t)(m * m) * i, s->fit + (size_t)(4 * rows) * i);
  if (s->linear == NULL) return;
  double *linear = s->linear + (size_t)(4 * d) * i;
  wide_finish_fit(d, 0, sum, b->linear_inverse + (size_t)(d * d) * i, linear);
  if (!s->positions) return;
  for (int t = 0; t < d; ++t) squares = wide_sub(squares, wide_product(wide_load(linear + 4 * t), sum[t]));
  b->fold_strain2[i] = (squares.part[0][0] + squares.part[0][1] + squares.part[1][0]) / b->spread[i];
  b->fold_stiffness[i] = mote_elastic_fold_stiffness(b, i, b->fold_strain2[i]);
}

static void fit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const field_loop *s = data;
  int d = s->body->dimensions, order = s->body->order;
  bool slopes = s->body->slopes > 0;
  for (size_t i = begin; i < end; ++i) {  // with constant arguments, so that the loops unroll
    if (d == 2 && order == 1) slopes ? fit_one(s, i, 2, 1, 2) : fit_one(s, i, 2, 1, 0);
    if (d == 2 && order == 2) slopes ? fit_one(s, i, 2, 2, 2) : fit_one(s, i, 2, 2, 0);
    if (d == 3 && order == 1) slopes ? fit_one(s, i, 3, 1, 3) : fit_one(s, i, 3, 1, 0);
    if (d == 3 && order == 2) slopes ? fit_one(s, i, 3, 2, 3) : fit_one(s, i, 3, 2, 0);
  }
}

void mote_elastic_fit(const mote_elastic *body, const double *field, bool positions, double *fit) {
  MOTE_ASSERT(field != NULL && fit != NULL);
  field_loop s = {.body = body, .field = field, .positions = positions, .fit = fit};
  if (body->fold_modulus > 0.0) s.linear = fit == body->rate ? body->linear_rate : body->linear_fit;
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, fit_chunk, &s);
}

void mote_elastic_gradient(const mote_elastic *body, const double *fit, size_t i, double g[9]) {
  MOTE_ASSERT(i < body->count);
  int d = body->dimensions, first = body->slopes > 0 ? body->terms : 0;
  const double *own = fit + 4 * ((size_t)body->rows * i + (size_t)first);
  for (int e = 0; e < 9; ++e) {
    g[e] = e / 3 < d && e % 3 < d ? body->inverse_unit * own[e % 3 * 4 + e / 3] : 0.0;
  }
}

// --- Stress ---------------------------------------------------------------------------------------------

void mote_elastic_stress_moment(const mote_elastic *body, size_t i, const double P[9], const double *fit,
                                const double *linear, double *stress_moment) {
  MOTE_ASSERT(i < body->count);
  MOTE_ASSERT(stress_moment != NULL);
  int d = body->dimensions, m = body->terms;
  size_t at = (size_t)(4 * body->rows) * i;
  wide_stress_moment(d, m, body->slopes, P, body->volume[i] * body->inverse_unit,
                     body->hourglass_stiffness[i], body->inverse + (size_t)(m * m) * i, fit + at,
                     stress_moment + at);
  if (body->fold_stiffness[i] == 0.0) return;
  for (size_t t = 0; t < (size_t)(4 * d); ++t)
    stress_moment[at + t] -= body->fold_stiffness[i] * linear[(size_t)(4 * d) * i + t];
}

typedef struct stress_loop {
  mote_elastic *body;
  const mote_elastic_motion *motion;
} stress_loop;

mote_green_part mote_elastic_part(const mote_elastic *body, const mote_elastic_motion *motion, size_t i) {
  MOTE_ASSERT(i < body->count);
  const double *plastic = motion->plastic == NULL ? NULL : motion->plastic + 6 * i;
  mote_green_part part = mote_green_part_make(&body->law, plastic);
  if (motion->more != NULL) part.more = motion->more + MOTE_MIDPOINT_NUMBERS * i;
  if (motion->before != NULL)
    mote_green_part_damp(&part, body->damping / motion->step, motion->before + 6 * i);
  return part;
}

// Damping from velocities: stress C (damping strain_rate), as a shift of the reference strain.
static void add_damping(const mote_elastic *b, size_t i, const double g[9], mote_green_part *part) {
  double h[9], elastic[9], rate[6], strain[6];
  mote_elastic_gradient(b, b->rate, i, h);
  mote_green_part_times(part, h, h);
  mote_green_part_within(part, g, elastic);
  mote_elastic_strain_rate(elastic, h, rate);
  mote_elastic_strain(elastic, strain);
  for (int k = 0; k < 6; ++k) {
    if (part->scale == 0.0) part->reference[k] = strain[k];
    part->reference[k] -= b->damping * rate[k];
  }
  part->scale = 1.0;
}

static bool damps_by_velocity(const mote_elastic *b, const mote_elastic_motion *motion) {
  return b->damping > 0.0 && motion->before == NULL;
}

static void stress_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const stress_loop *s = data;
  mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    double g[9], P[9];
    mote_elastic_gradient(b, b->fit, i, g);
    mote_green_part part = mote_elastic_part(b, s->motion, i);
    if (damps_by_velocity(b, s->motion)) add_damping(b, i, g, &part);
    mote_elastic_law_stress(&b->law, &part, g, P);
    b->fold_stiffness[i] = mote_elastic_fold_of(b, s->motion, i);
    mote_elastic_stress_moment(b, i, P, b->fit, b->linear_fit, b->stress_moment);
  }
}

// --- Forces ---------------------------------------------------------------------------------------------

static MOTE_INLINE double control(const mote_elastic *b, size_t i) {
  return b->hourglass_stiffness[i] + b->fold_stiffness[i];
}

static MOTE_INLINE void gather_one(const field_loop *s, size_t i, int d, int order, int slopes) {
  const mote_elastic *b = s->body;
  int m = mote_elastic_terms(d, order), rows = m + slopes;
  wide_lane sum = {{{0}}}, from[MOTE_ELASTIC_ROWS], own = three(s->field + 3 * i);
  double own_control = control(b, i), wp[MOTE_ELASTIC_ROWS + 3];
#pragma GCC unroll 9
  for (int t = 0; t < rows; ++t) from[t] = wide_load(s->stress_moment + 4 * ((size_t)rows * i + (size_t)t));
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    size_t j = b->neighbour[k];
    wide_lane u = difference(s->field, own, j, s->positions ? pair->rest : NULL);
    weigh(b, k, d, order, slopes, wp);
    u = wide_times(u, pair->weight * (own_control + control(b, j)));
    sum =
        wide_add(sum, wide_pair_force(d, m, slopes, u, from, s->stress_moment + (size_t)(4 * rows) * j, wp));
  }
  set3(sum.part[0][0], sum.part[0][1], d == 3 ? sum.part[1][0] : 0.0, s->out + 3 * i);
}

static void gather_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const field_loop *s = data;
  int d = s->body->dimensions, order = s->body->order;
  bool slopes = s->body->slopes > 0;
  for (size_t i = begin; i < end; ++i) {
    if (d == 2 && order == 1) slopes ? gather_one(s, i, 2, 1, 2) : gather_one(s, i, 2, 1, 0);
    if (d == 2 && order == 2) slopes ? gather_one(s, i, 2, 2, 2) : gather_one(s, i, 2, 2, 0);
    if (d == 3 && order == 1) slopes ? gather_one(s, i, 3, 1, 3) : gather_one(s, i, 3, 1, 0);
    if (d == 3 && order == 2) slopes ? gather_one(s, i, 3, 2, 3) : gather_one(s, i, 3, 2, 0);
  }
}

void mote_elastic_gather(const mote_elastic *body, const double *field, bool positions,
                         const double *stress_moment, double *out) {
  MOTE_ASSERT(field != NULL && stress_moment != NULL && out != NULL);
  field_loop s = {
      .body = body, .field = field, .positions = positions, .stress_moment = stress_moment, .out = out};
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, gather_chunk, &s);
}

void mote_elastic_forces(mote_elastic *body, const mote_elastic_motion *motion, double *force) {
  MOTE_ASSERT(motion->position != NULL && force != NULL);
  stress_loop s = {.body = body, .motion = motion};
  mote_elastic_fit(body, motion->position, true, body->fit);
  if (damps_by_velocity(body, motion)) mote_elastic_fit(body, motion->velocity, false, body->rate);
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, stress_chunk, &s);
  mote_elastic_gather(body, motion->position, true, body->stress_moment, force);
}

// --- Energy ---------------------------------------------------------------------------------------------

// Sum of w (u_ij - fit)^2: the residual of the fit (36).
static MOTE_INLINE double left_over(const mote_elastic *b, const double *x, size_t i, int d, int order) {
  int m = mote_elastic_terms(d, order);
  const double *fit = b->fit + (size_t)(4 * b->rows) * i;
  wide_lane own = three(x + 3 * i);
  double p[MOTE_ELASTIC_TERMS], sum = 0.0;
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    wide_lane u = difference(x, own, b->neighbour[k], pair->rest);
    mote_elastic_basis(d, order, b->inverse_unit, pair->rest, p);
#pragma GCC unroll 9
    for (int t = 0; t < m; ++t) u = wide_sub(u, wide_times(wide_load(fit + 4 * t), p[t]));
    mote_pair square = u.part[0] * u.part[0];
    sum += pair->weight * (square[0] + square[1] + u.part[1][0] * u.part[1][0]);
  }
  return sum;
}

static double residual(const mote_elastic *b, const double *x, size_t i) {
  if (b->dimensions == 2) return b->order == 1 ? left_over(b, x, i, 2, 1) : left_over(b, x, i, 2, 2);
  return b->order == 1 ? left_over(b, x, i, 3, 1) : left_over(b, x, i, 3, 2);
}

static void energy_chunk(void *data, size_t begin, size_t end, double *term) {
  const stress_loop *s = data;
  const mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i, term += 2) {
    double g[9];
    mote_green_part part = mote_elastic_part(b, s->motion, i);
    mote_elastic_gradient(b, b->fit, i, g);
    term[0] = b->volume[i] * mote_elastic_law_energy(&b->law, &part, g);
    term[1] = 0.5 * b->hourglass_stiffness[i] * residual(b, s->motion->position, i) +
              mote_elastic_fold_energy(b, s->motion, i);
  }
}

mote_elastic_energies mote_elastic_stored(mote_elastic *body, const mote_elastic_motion *motion) {
  MOTE_ASSERT(motion->position != NULL);
  stress_loop s = {.body = body, .motion = motion};
  double sum[2];
  mote_elastic_fit(body, motion->position, true, body->fit);
  mote_parallel_sum(body->env.threads, body->count, 2, energy_chunk, &s, sum);
  return (mote_elastic_energies){.strain = sum[0], .hourglass = sum[1]};
}
