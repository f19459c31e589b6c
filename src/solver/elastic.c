// Fits, forces and energy of an elastic body: see elastic_body.h. Three loops over particles, each of which
// writes its own only: the fit of displacements, the stress, the sum over pairs.
#include "base/parallel.h"
#include "geom/triple.h"
#include "solver/elastic_basis.h"
#include "solver/elastic_body.h"

// u_j - u_i. Of positions: small differences of two distances, in doubles.
static inline void difference(const double *field, size_t i, size_t j, const double *rest, double u[3]) {
  sub3(field + 3 * j, field + 3 * i, u);
  if (rest != NULL) sub3(u, rest, u);
}

// --- The fit --------------------------------------------------------------------------------------------

typedef struct field_loop {
  const mote_elastic *body;
  const double *field;
  bool positions;
  double *fit;         // of the first loop
  const double *push;  // of the last
  double *out;
} field_loop;

static inline void fit_one(const field_loop *s, size_t i, int d, int order) {
  const mote_elastic *b = s->body;
  int m = mote_elastic_terms(d, order);
  double sum[3 * MOTE_ELASTIC_TERMS] = {0}, p[MOTE_ELASTIC_TERMS], u[3];
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    mote_elastic_basis(d, order, b->inverse_unit, pair->rest, p);
    difference(s->field, i, b->near[k], s->positions ? pair->rest : NULL, u);
    for (int r = 0; r < d; ++r) {
      double wu = pair->weight * u[r];
      for (int t = 0; t < m; ++t) sum[r * m + t] += wu * p[t];
    }
  }
  const double *inverse = b->inverse + (size_t)(m * m) * i;
  double *fit = s->fit + (size_t)(d * m) * i;
  for (int e = 0; e < d * m; ++e) {
    double value = 0.0;
    for (int t = 0; t < m; ++t) value += sum[e / m * m + t] * inverse[t * m + e % m];
    fit[e] = value;
  }
}

static void fit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const field_loop *s = data;
  int d = s->body->dimensions, order = s->body->order;
  for (size_t i = begin; i < end; ++i) {  // with constants, so that the loops unroll
    if (d == 2 && order == 1) fit_one(s, i, 2, 1);
    if (d == 2 && order == 2) fit_one(s, i, 2, 2);
    if (d == 3 && order == 1) fit_one(s, i, 3, 1);
    if (d == 3 && order == 2) fit_one(s, i, 3, 2);
  }
}

void mote_elastic_fit(const mote_elastic *body, const double *field, bool positions, double *fit) {
  field_loop s = {.body = body, .field = field, .positions = positions, .fit = fit};
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_GRAIN, fit_chunk, &s);
}

void mote_elastic_gradient(const mote_elastic *body, const double *fit, size_t i, double g[9]) {
  int d = body->dimensions, m = body->terms;
  const double *own = fit + (size_t)(d * m) * i;
  for (int e = 0; e < 9; ++e) {
    g[e] = e / 3 < d && e % 3 < d ? body->inverse_unit * own[e / 3 * m + e % 3] : 0.0;
  }
}

// --- Stress ---------------------------------------------------------------------------------------------

void mote_elastic_push(const mote_elastic *body, size_t i, const double P[9], const double *fit,
                       double *push) {
  int d = body->dimensions, m = body->terms;
  const double *inverse = body->inverse + (size_t)(m * m) * i, *own = fit + (size_t)(d * m) * i;
  double *out = push + (size_t)(d * m) * i, scale = body->volume[i] * body->inverse_unit;
  for (int r = 0; r < d; ++r) {
    for (int t = 0; t < m; ++t) {
      double value = 0.0;
      for (int c = 0; c < d; ++c) value += P[3 * r + c] * inverse[c * m + t];
      out[r * m + t] = scale * value - body->hold[i] * own[r * m + t];
    }
  }
}

typedef struct stress_loop {
  mote_elastic *body;
  const mote_elastic_motion *motion;
} stress_loop;

mote_green_part mote_elastic_part(const mote_elastic *body, const mote_elastic_motion *motion, size_t i) {
  const double *plastic = motion->plastic == NULL ? NULL : motion->plastic + 6 * i;
  mote_green_part part = mote_green_part_make(&body->law, plastic);
  if (motion->before != NULL)
    mote_green_part_hold(&part, body->damping / motion->step, motion->before + 6 * i);
  return part;
}

// Damping by velocities: stress C (damping strain_rate), as a shift of the reference.
static void add_damping(const mote_elastic *b, size_t i, const double g[9], mote_green_part *part) {
  double h[9], rate[6], strain[6];
  mote_elastic_gradient(b, b->rate, i, h);
  mote_elastic_strain_rate(g, h, rate);
  mote_elastic_strain(g, strain);
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
    mote_elastic_push(b, i, P, b->fit, b->push);
  }
}

// --- Forces ---------------------------------------------------------------------------------------------

static inline void gather_one(const field_loop *s, size_t i, int d, int order) {
  const mote_elastic *b = s->body;
  int m = mote_elastic_terms(d, order);
  const double *own = s->push + (size_t)(d * m) * i;
  double sum[3] = {0}, p[MOTE_ELASTIC_TERMS], u[3];
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    size_t j = b->near[k];
    const double *other = s->push + (size_t)(d * m) * j;
    mote_elastic_basis(d, order, b->inverse_unit, pair->rest, p);
    difference(s->field, i, j, s->positions ? pair->rest : NULL, u);
    double hold = b->hold[i] + b->hold[j];
    for (int r = 0; r < d; ++r) {
      double force = hold * u[r];
      for (int t = 0; t < d; ++t) force += (own[r * m + t] + other[r * m + t]) * p[t];
      for (int t = d; t < m; ++t) force += (own[r * m + t] - other[r * m + t]) * p[t];
      sum[r] += pair->weight * force;
    }
  }
  copy3(sum, s->out + 3 * i);
}

static void gather_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const field_loop *s = data;
  int d = s->body->dimensions, order = s->body->order;
  for (size_t i = begin; i < end; ++i) {
    if (d == 2 && order == 1) gather_one(s, i, 2, 1);
    if (d == 2 && order == 2) gather_one(s, i, 2, 2);
    if (d == 3 && order == 1) gather_one(s, i, 3, 1);
    if (d == 3 && order == 2) gather_one(s, i, 3, 2);
  }
}

void mote_elastic_gather(const mote_elastic *body, const double *field, bool positions, const double *push,
                         double *out) {
  field_loop s = {.body = body, .field = field, .positions = positions, .push = push, .out = out};
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_GRAIN, gather_chunk, &s);
}

void mote_elastic_forces(mote_elastic *body, const mote_elastic_motion *motion, double *force) {
  stress_loop s = {.body = body, .motion = motion};
  mote_elastic_fit(body, motion->position, true, body->fit);
  if (damps_by_velocity(body, motion)) mote_elastic_fit(body, motion->velocity, false, body->rate);
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_GRAIN, stress_chunk, &s);
  mote_elastic_gather(body, motion->position, true, body->push, force);
}

// --- Energy ---------------------------------------------------------------------------------------------

// Sum of w |u_ij - fit|^2: what the fit of (36) leaves.
static double residual(const mote_elastic *b, const double *x, size_t i) {
  int d = b->dimensions, m = b->terms;
  const double *fit = b->fit + (size_t)(d * m) * i;
  double sum = 0.0, p[MOTE_ELASTIC_TERMS], u[3];
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    mote_elastic_basis(d, b->order, b->inverse_unit, pair->rest, p);
    difference(x, i, b->near[k], pair->rest, u);
    for (int r = 0; r < d; ++r) {
      for (int t = 0; t < m; ++t) u[r] -= fit[r * m + t] * p[t];
      sum += pair->weight * u[r] * u[r];
    }
  }
  return sum;
}

static void energy_chunk(void *data, size_t begin, size_t end, double *sum) {
  const stress_loop *s = data;
  const mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    double g[9];
    mote_green_part part = mote_elastic_part(b, s->motion, i);
    mote_elastic_gradient(b, b->fit, i, g);
    sum[0] += b->volume[i] * mote_elastic_law_energy(&b->law, &part, g);
    sum[1] += 0.5 * b->hold[i] * residual(b, s->motion->position, i);
  }
}

mote_elastic_energies mote_elastic_stored(mote_elastic *body, const mote_elastic_motion *motion) {
  stress_loop s = {.body = body, .motion = motion};
  double sum[2];
  mote_elastic_fit(body, motion->position, true, body->fit);
  mote_parallel_sum(body->env.threads, body->count, 2, energy_chunk, &s, sum);
  return (mote_elastic_energies){.strain = sum[0], .hourglass = sum[1]};
}
