// The stiffness of an elastic body: see elastic_stiffness.h.
#include "elastic/elastic_stiffness.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "elastic/elastic_fold.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

// --- K --------------------------------------------------------------------------------------------------

typedef struct stiffness_loop {
  mote_elastic *body;
  const mote_elastic_motion *motion;
  bool definite;
  mote_elastic_tangent *make;
  const mote_elastic_tangent *use;
} stiffness_loop;

static void make_chunk(void *data, size_t begin, size_t end, size_t *bad) {
  const stiffness_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    double g[9];
    mote_green_part part = mote_elastic_part(s->body, s->motion, i);
    mote_elastic_gradient(s->body, s->body->fit, i, g);
    if (!mote_elastic_tangent_make(&s->body->law, &part, g, s->definite, &s->make[i])) ++bad[0];
  }
}

bool mote_elastic_stiffness_make(mote_elastic *body, const mote_elastic_motion *motion, bool definite,
                                 mote_elastic_tangent *tangent) {
  MOTE_ASSERT(motion->position != NULL && tangent != NULL);
  stiffness_loop s = {.body = body, .motion = motion, .definite = definite, .make = tangent};
  size_t bad;
  mote_elastic_fit(body, motion->position, true, body->fit);
  mote_parallel_count(body->env.threads, body->count, 1, make_chunk, &s, &bad);
  return bad == 0;
}

static void apply_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const stiffness_loop *s = data;
  mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    double dg[9], dP[9];
    mote_elastic_gradient(b, b->rate, i, dg);
    mote_elastic_tangent_apply(&s->use[i], dg, dP);
    mote_elastic_stress_moment(b, i, dP, b->rate, b->linear_rate, b->stress_moment);
  }
}

void mote_elastic_stiffness_apply(mote_elastic *body, const mote_elastic_tangent *tangent,
                                  const double *position, const double *direction, double *out) {
  MOTE_ASSERT(tangent != NULL && direction != NULL && out != NULL);
  stiffness_loop s = {.body = body, .use = tangent};
  mote_elastic_fit(body, direction, false, body->rate);
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, apply_chunk, &s);
  mote_elastic_gather(body, direction, false, body->stress_moment, out);
  for (size_t k = 0; k < 3 * body->count; ++k) out[k] = -out[k];
  if (position != NULL) mote_elastic_fold_apply(body, position, direction, out);
}

// --- The highest frequency ------------------------------------------------------------------------------

// A, by which the square of grad u is at most (largest eigenvalue of A) sum_j w_ij u_ij^2 (Cauchy-Schwarz):
// the sum of G G^T / w over the gradient's coefficients G; without slopes the linear block of the inverse.
static void weigh_gradient(const mote_elastic *b, size_t i, double A[9]) {
  int d = b->dimensions, m = b->terms;
  for (int e = 0; e < d * d; ++e) {
    int r = e / d, c = e % d;
    A[3 * r + c] = b->slopes > 0 ? 0.0 : b->inverse[(size_t)(m * m) * i + (size_t)(r * m + c)];
    for (size_t k = b->first[i]; k < b->first[i + 1] && b->slopes > 0; ++k)
      A[3 * r + c] += b->slope[6 * k + (size_t)r] * b->slope[6 * k + (size_t)c] / b->pair[k].weight;
  }
}

// s_i of E_i'' <= s_i sum_j w_ij u_ij^2. The fit and its residual are orthogonal, so the larger of both
// stiffnesses bounds it; an analytic gradient contains parts of both, so their sum does.
static double stiffness_bound(const mote_elastic *b, size_t i) {
  int d = b->dimensions;
  double lambda = b->law.lambda + b->law.volume, stiff = 2.0 * b->law.mu, linear[9] = {0}, values[3], Q[9];
  stiff = max2(stiff, stiff + d * lambda);
  weigh_gradient(b, i, linear);
  if (!mote_eigen3(linear, values, Q)) return HUGE_VAL;
  double seen = b->volume[i] * stiff * b->inverse_unit * b->inverse_unit * values[0];
  return b->slopes > 0 ? seen + b->hourglass_stiffness[i] : max2(seen, b->hourglass_stiffness[i]);
}

// As (u_j - u_i)^2 <= 2 u_i^2 + 2 u_j^2, Gershgorin's circles are sums.
static void find_bound(const mote_elastic *b, double *bound, mote_elastic_frequency *frequency) {
  double most = 0.0;
  for (size_t i = 0; i < b->count; ++i) bound[i] = stiffness_bound(b, i);
  for (size_t i = 0; i < b->count; ++i) {
    double sum = 0.0;
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      sum += 2.0 * b->pair[k].weight * (bound[i] + bound[b->neighbour[k]]);
    }
    most = max2(most, sum / b->mass[i]);
  }
  frequency->bound = sqrt(most);
}

// Replaces d by M^-1 K d, normalised in the mass norm. Returns the Rayleigh quotient.
static double iterate(mote_elastic *b, const mote_elastic_tangent *tangent, double *d, double *Kd) {
  double above = 0.0, below = 0.0, size = 0.0;
  mote_elastic_stiffness_apply(b, tangent, NULL, d, Kd);
  for (size_t i = 0; i < b->count; ++i) {
    above += dot3(d + 3 * i, Kd + 3 * i);
    below += b->mass[i] * dot3(d + 3 * i, d + 3 * i);
    size += dot3(Kd + 3 * i, Kd + 3 * i) / b->mass[i];
  }
  if (!(size > 0.0)) return 0.0;
  for (size_t i = 0; i < b->count; ++i) {
    for (int k = 0; k < 3; ++k) d[3 * i + (size_t)k] = Kd[3 * i + (size_t)k] / (b->mass[i] * sqrt(size));
  }
  return above / below;
}

static bool rest_tangents(mote_elastic *b, mote_elastic_tangent *tangent) {
  const double g[9] = {0};
  mote_green_part part = mote_green_part_make(&b->law, NULL);
  if (!mote_elastic_tangent_make(&b->law, &part, g, false, &tangent[0])) return false;
  for (size_t i = 1; i < b->count; ++i) tangent[i] = tangent[0];
  return true;
}

// What both ways to the highest frequency need.
typedef struct frequency_arrays {
  mote_elastic_tangent *tangent;  // at rest
  double *d, *Kd, *last;          // three each
} frequency_arrays;

static mote_result take_arrays(mote_elastic *body, frequency_arrays *r, mote_error *error) {
  size_t n = body->count;
  MOTE_TAKE(r->tangent, &body->memory, n, error);
  MOTE_TAKE(r->d, &body->memory, 3 * n, error);
  MOTE_TAKE(r->Kd, &body->memory, 3 * n, error);
  MOTE_TAKE(r->last, &body->memory, 3 * n, error);
  if (!rest_tangents(body, r->tangent))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "elastic: the stiffness at rest is not finite");
  memset(body->fold_stiffness, 0, n * sizeof *body->fold_stiffness);
  return MOTE_OK;
}

mote_result mote_elastic_frequency_find(mote_elastic *body, int iterations, mote_elastic_frequency *frequency,
                                        mote_error *error) {
  MOTE_ASSERT(iterations > 0 && frequency != NULL);
  mote_arena_mark mark = mote_arena_here(&body->memory);
  frequency_arrays r;
  mote_result result = take_arrays(body, &r, error);
  if (result == MOTE_OK) {
    find_bound(body, r.d, frequency);
    for (size_t k = 0; k < 3 * body->count; ++k)
      r.d[k] = k % 3 < (size_t)body->dimensions ? mote_random_uniform(1, 0, k) - 0.5 : 0.0;
    double most = 0.0;
    for (int t = 0; t < iterations; ++t) most = max2(most, iterate(body, r.tangent, r.d, r.Kd));
    frequency->found = sqrt(most);
  }
  mote_arena_release(&body->memory, mark);
  return result;
}

// --- The highest frequency of a body with cracks ----------------------------------------------------------

// Lanczos' method finds most of it in far fewer iterations than the power does, from any start: with n
// unknowns and a random start, k iterations find less than 1 - e of the largest eigenvalue with a probability
// below 1.65 sqrt(n) exp(-(2k - 1) sqrt(e)), whatever the others are (Kuczynski & Wozniakowski 1992,
// theorem 4.2). 16, CUT_MARGIN and the 0.9 that steps keep below the limit: 4e-6 for n = 13,000.
#define CUT_ITERATIONS 16

// Normally distributed, so that no direction of the start is preferred (Box & Muller 1958).
static double random_normal(uint64_t index) {
  double u = 1.0 - mote_random_uniform(2, 0, 2 * index), v = mote_random_uniform(2, 0, 2 * index + 1);
  return sqrt(-2.0 * mote_log(u)) * mote_cos(2.0 * MOTE_PI * v);
}

// The largest eigenvalue of a symmetric matrix with these diagonals, by bisection: beyond it all pivots of
// x - T are positive.
static double largest_of_tridiagonal(const double *diagonal, const double *beside, int count) {
  double low = 0.0, high = 0.0;
  for (int k = 0; k < count; ++k) {
    low = max2(low, diagonal[k]);
    high = max2(high, diagonal[k] + (k > 0 ? beside[k - 1] : 0.0) + (k + 1 < count ? beside[k] : 0.0));
  }
  for (int step = 0; step < 40; ++step) {
    double x = 0.5 * (low + high), pivot = x - diagonal[0];
    for (int k = 1; k < count && pivot > 0.0; ++k)
      pivot = x - diagonal[k] - beside[k - 1] * beside[k - 1] / pivot;
    if (pivot > 0.0) high = x;
    if (!(pivot > 0.0)) low = x;
  }
  return high;
}

// d, last: directions times the root of the mass. Returns the diagonal's number, and the one beside it.
static double lanczos_step(mote_elastic *b, const frequency_arrays *r, double before, double *beside) {
  size_t numbers = 3 * b->count;
  double along = 0.0, square = 0.0;
  for (size_t k = 0; k < numbers; ++k) r->d[k] /= sqrt(b->mass[k / 3]);
  mote_elastic_stiffness_apply(b, r->tangent, NULL, r->d, r->Kd);
  for (size_t k = 0; k < numbers; ++k) {
    double root = sqrt(b->mass[k / 3]);
    r->d[k] *= root, r->Kd[k] /= root;
    along += r->d[k] * r->Kd[k];
  }
  for (size_t k = 0; k < numbers; ++k) {
    r->Kd[k] -= along * r->d[k] + before * r->last[k];
    square += r->Kd[k] * r->Kd[k];
  }
  *beside = sqrt(square);
  if (!(*beside > 0.0)) return along;
  for (size_t k = 0; k < numbers; ++k) r->last[k] = r->d[k], r->d[k] = r->Kd[k] / *beside;
  return along;
}

static double lanczos(mote_elastic *b, const frequency_arrays *r) {
  double diagonal[CUT_ITERATIONS], beside[CUT_ITERATIONS], square = 0.0;
  size_t numbers = 3 * b->count;
  int count = 0;
  for (size_t k = 0; k < numbers; ++k) {
    r->last[k] = 0.0, r->d[k] = k % 3 < (size_t)b->dimensions ? random_normal(k) : 0.0;
    square += r->d[k] * r->d[k];
  }
  for (size_t k = 0; k < numbers; ++k) r->d[k] /= sqrt(square);
  do {
    diagonal[count] = lanczos_step(b, r, count > 0 ? beside[count - 1] : 0.0, &beside[count]);
  } while (beside[count++] > 0.0 && count < CUT_ITERATIONS);
  return sqrt(max2(0.0, largest_of_tridiagonal(diagonal, beside, count)));
}

mote_result mote_elastic_frequency_of_cut(mote_elastic *body, mote_elastic_frequency *frequency,
                                          mote_error *error) {
  mote_arena_mark mark = mote_arena_here(&body->memory);
  frequency_arrays r;
  mote_result result = take_arrays(body, &r, error);
  if (result == MOTE_OK) {
    find_bound(body, r.d, frequency);
    frequency->found = CUT_MARGIN / FREQUENCY_MARGIN * lanczos(body, &r);
  }
  mote_arena_release(&body->memory, mark);
  return result;
}

// A stretch s gives stiffness s^2 C + S, so frequencies grow up to about s^2. That of the corotated law does
// not: its largest eigenvalue is 2 mu + 3 lambda, until lambda (s - 1) of the turns across a stretch exceeds
// it, beyond s = 4. Only bodies that break use it, in which single particles between two parts are far
// stretched.
static double growth_by(const mote_elastic *body, double stretch) {
  bool linear = body->breaks && body->law.kind == MOTE_ELASTIC_COROTATED;
  return max2(linear ? stretch / 4.0 : stretch * stretch, 1.0);
}

// Damping of time tau gives the limit (2/w)(sqrt(1 + z^2) - z), z = tau w / 2 (Belytschko 1983).
double mote_elastic_step_limit(const mote_elastic *body, const mote_elastic_frequency *frequency,
                               double stretch) {
  MOTE_ASSERT(!(frequency->bound < 0.0));
  MOTE_ASSERT(!(stretch < 0.0));
  if (!(frequency->bound > 0.0)) return HUGE_VAL;  // every particle is held
  double w = min2(FREQUENCY_MARGIN * frequency->found, frequency->bound) * growth_by(body, stretch),
         z = 0.5 * body->damping * w;
  return 2.0 / w * (sqrt(1.0 + z * z) - z);
}
