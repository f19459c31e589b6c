// A new reference after large plastic flow: see mote/elastic.h.
#include "elastic/elastic_renew.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_api.h"
#include "elastic/tuning.inc"
#include "geom/symmetric.h"
#include "material/plastic_law.h"

// Averages over neighbourhoods: only the smooth part of the change of reference is used.
#define SMOOTHING_PASSES 3
#define POSITION_ITERATIONS_MAX 1000

typedef struct renewal {
  mote_elastic *body, *next;
  const mote_elastic_motion *motion;
  double *position, *metric;       // of the new reference
  double *plastic;                 // plastic strain relative to it; not finite where it cannot be computed
  const double *gradient;          // of the new by the old reference, nine each
  double *smoother, *sum, *spare;  // smoothed gradient; right-hand sides; work space of conjugate gradients
} renewal;

static void for_all(const renewal *s, mote_task *task) {
  mote_parallel_for(s->body->env.threads, s->body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, task,
                    (void *)(uintptr_t)s);
}

static void add_one(double m[9]) {
  m[0] += 1.0, m[4] += 1.0, m[8] += 1.0;
}

// Returns false, with out not finite, where m is singular.
static bool invert(const double m[9], double out[9]) {
  double c[9];
  cross3(m + 3, m + 6, c), cross3(m + 6, m, c + 3), cross3(m, m + 3, c + 6);
  double determinant = dot3(m, c);
  for (int e = 0; e < 9; ++e) out[e] = c[e % 3 * 3 + e / 3] / determinant;
  return finite3(out) && finite3(out + 3) && finite3(out + 6);
}

// --- The unloaded shape ------------------------------------------------------------------------------

// G = Ve^-1 F: F without the elastic stretch Ve = U diag(s) U^T of Fe = F K.
static void unload(const renewal *s, size_t i, double G[9]) {
  double Fe[9], U[9], stretch[3], V[9], inverse[9];
  mote_green_part part = mote_green_part_make(&s->body->law, s->motion->plastic + 6 * i);
  mote_elastic_gradient(s->body, s->body->fit, i, G);
  mote_green_part_within(&part, G, Fe);
  add_one(Fe), add_one(G);
  if (!mote_svd3(Fe, U, stretch, V)) return;
  for (int k = 0; k < 3; ++k) stretch[k] = 1.0 / max2(fabs(stretch[k]), STRETCH_MIN);
  symmetric_compose(U, stretch, inverse);
  multiply3(inverse, G, G);
  if (s->body->dimensions == 3) return;
  G[2] = G[5] = G[6] = G[7] = 0.0;  // plane strain: flow normal to the plane stays in K
  G[8] = 1.0;
}

static void unload_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const renewal *s = data;
  for (size_t i = begin; i < end; ++i) unload(s, i, s->smoother + 9 * i);
}

static void mean_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const renewal *s = data;
  const mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    double *mean = s->smoother + 9 * i, all = 1.0;
    memcpy(mean, s->gradient + 9 * i, 9 * sizeof *mean);
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      const double *other = s->gradient + 9 * (size_t)b->neighbour[k];
      for (int e = 0; e < 9; ++e) mean[e] += b->pair[k].weight * other[e];
      all += b->pair[k].weight;
    }
    for (int e = 0; e < 9; ++e) mean[e] /= all;
  }
}

// In s->gradient.
static void find_gradient(renewal *s, double *a, double *b) {
  mote_elastic_fit(s->body, s->motion->position, true, s->body->fit);
  s->smoother = a;
  for_all(s, unload_chunk);
  for (int k = 0; k < SMOOTHING_PASSES; ++k) {
    s->gradient = k % 2 == 0 ? a : b, s->smoother = k % 2 == 0 ? b : a;
    for_all(s, mean_chunk);
  }
  s->gradient = s->smoother;
}

// --- Particles of the new reference ------------------------------------------------------------------

// H^2 becomes G^-T H^2 G^-1: unit lengths are preserved.
static void move_metric(const double G[9], double metric[6]) {
  double inverse[9], H[9], A[9], C[9], value[3], Q[9];
  if (!invert(G, inverse)) return;
  symmetric_open(metric, H);
  add_one(H);
  multiply3(H, inverse, A);
  for (int e = 0; e < 9; ++e) {
    int r = e / 3, c = e % 3;
    C[e] = A[r] * A[c] + A[3 + r] * A[3 + c] + A[6 + r] * A[6 + c];
  }
  if (!mote_eigen3(C, value, Q)) return;
  for (int k = 0; k < 3; ++k) value[k] = sqrt(max2(value[k], 0.0)) - 1.0;
  symmetric_compose(Q, value, H);
  symmetric_close(H, metric);
}

// Right-hand side sum_j w_ij (G_i + G_j)/2 X_ji of sum_j w_ij (x_i - x_j).
static void sum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const renewal *s = data;
  const mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    double *sum = s->sum + 3 * i;
    set3(0.0, 0.0, 0.0, sum);
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      const double *own = s->gradient + 9 * i, *other = s->gradient + 9 * (size_t)b->neighbour[k];
      double G[9], x[3];
      for (int e = 0; e < 9; ++e) G[e] = 0.5 * (own[e] + other[e]);
      turn3(G, b->pair[k].rest, x);
      step3(sum, -b->pair[k].weight, x, sum);
    }
    if (b->dimensions == 2) sum[2] = 0.0;
    move_metric(s->gradient + 9 * i, s->metric + 6 * i);
  }
}

typedef struct graph {
  const mote_elastic *body;
  const double *in;
  double *out;
} graph;

static void differences_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const graph *s = data;
  const mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    double sum[3] = {0}, x[3];
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      sub3(s->in + 3 * i, s->in + 3 * (size_t)b->neighbour[k], x);
      step3(sum, b->pair[k].weight, x, sum);
    }
    copy3(sum, s->out + 3 * i);
  }
}

static void scale_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const graph *s = data;
  const mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    double all = 0.0;
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) all += b->pair[k].weight;
    for (size_t a = 3 * i; a < 3 * i + 3; ++a) s->out[a] = all > 0.0 ? s->in[a] / all : 0.0;
  }
}

static void on_graph(const mote_elastic *body, mote_task *task, const double *in, double *out) {
  graph s = {body, in, out};
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, task, &s);
}

static void differences(void *user, const double *in, double *out) {
  on_graph(user, differences_chunk, in, out);
}

static void scale(void *user, const double *in, double *out) {
  on_graph(user, scale_chunk, in, out);
}

// Least-squares positions whose differences are (G_i + G_j)/2 X_ij. Starts at the current positions and keeps
// their weighted centre.
static mote_result find_positions(const renewal *s, mote_error *error) {
  mote_cg_def cg = mote_cg_def_default();
  mote_cg_report report;
  for_all(s, sum_chunk);
  cg.size = 3 * s->body->count, cg.apply = differences, cg.precondition = scale, cg.user = s->body;
  cg.tolerance = POSITION_TOLERANCE, cg.max_iterations = POSITION_ITERATIONS_MAX,
  cg.threads = s->body->env.threads;
  memcpy(s->position, s->motion->position, cg.size * sizeof *s->position);
  for (size_t i = 0; s->body->dimensions == 2 && i < s->body->count; ++i) s->position[3 * i + 2] = 0.0;
  return mote_cg_solve(&cg, s->sum, s->position, s->spare, &report, error);
}

// --- Plastic strain relative to the new reference ----------------------------------------------------

// F K = F' K' up to a rotation, to which the laws are invariant: K' = F'^-1 F K.
static void see_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const renewal *s = data;
  for (size_t i = begin; i < end; ++i) {
    double g[9], F[9], inverse[9], t[9];
    mote_green_part part = mote_green_part_make(&s->body->law, s->motion->plastic + 6 * i);
    mote_elastic_gradient(s->body, s->body->fit, i, g);
    mote_elastic_gradient(s->next, s->next->fit, i, F);
    mote_green_part_within(&part, g, t);
    for (int e = 0; e < 9; ++e) t[e] -= F[e];
    add_one(F);
    bool invertible = invert(F, inverse);
    multiply3(inverse, t, t);
    if (!invertible || !mote_plastic_take(t, s->plastic + 6 * i)) s->plastic[6 * i] = HUGE_VAL;
  }
}

static bool has_flowed(const mote_elastic *body, double strain, const double *plastic, const double *flowed) {
  for (size_t i = 0; i < body->count; ++i) {
    if (mote_plastic_size(plastic + 6 * i) > flowed[i] + strain) return true;
  }
  return false;
}

static mote_result renew(renewal *s, const mote_elastic *rest, const mote_elastic_reference *reference,
                         mote_error *error) {
  size_t n = s->body->count;
  memcpy(s->metric, reference->metric, 6 * n * sizeof *s->metric);
  MOTE_TRY(find_positions(s, error));
  mote_elastic_origin origin = {rest, s->position, s->metric};
  MOTE_TRY(mote_elastic_create_again(&origin, &s->next, error));
  mote_elastic_fit(s->next, s->motion->position, true, s->next->fit);
  for_all(s, see_chunk);
  for (size_t i = 0; i < n; ++i) {
    if (isfinite(s->plastic[6 * i])) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "elastic: particle %zu would be crushed", i);
  }
  memcpy(s->motion->plastic, s->plastic, 6 * n * sizeof *s->plastic);
  memcpy(reference->position, s->position, 3 * n * sizeof *s->position);
  memcpy(reference->metric, s->metric, 6 * n * sizeof *s->metric);
  return MOTE_OK;
}

// --- Public functions --------------------------------------------------------------------------------

static mote_result check_reference(const mote_elastic *rest, const mote_elastic_reference *reference,
                                   mote_error *error) {
  if (rest == NULL || reference == NULL)
    return mote_fail_key(error, rest == NULL ? "rest" : "reference", "is null");
  MOTE_TRY(mote_elastic_check_numbers("position", reference->position, 3 * rest->count, error));
  return mote_elastic_check_numbers("metric", reference->metric, 6 * rest->count, error);
}

mote_result mote_elastic_create_from_reference(const mote_elastic *rest,
                                               const mote_elastic_reference *reference, mote_elastic **out,
                                               mote_error *error) {
  MOTE_TRY(check_reference(rest, reference, error));
  if (out == NULL) return mote_fail_key(error, "out", "is null");
  mote_elastic_origin origin = {rest, reference->position, reference->metric};
  return mote_elastic_create_again(&origin, out, error);
}

static mote_result check_renewal(const mote_elastic *rest, const mote_elastic *body, double strain,
                                 const mote_elastic_motion *motion, const mote_elastic_reference *reference,
                                 mote_elastic *const *out, mote_error *error) {
  MOTE_TRY(check_reference(rest, reference, error));
  MOTE_TRY(mote_elastic_check_motion(body, motion, false, error));
  if (body->count != rest->count) return mote_fail_key(error, "body", "is not one of `rest`");
  if (motion->plastic == NULL) return mote_fail_key(error, "plastic", "is null");
  if (out == NULL) return mote_fail_key(error, "out", "is null");
  if (!(strain > 0.0)) return mote_fail_key(error, "strain", "is %g, not positive", strain);
  return mote_elastic_check_numbers("flowed", reference->flowed, rest->count, error);
}

mote_result mote_elastic_renew(const mote_elastic *rest, mote_elastic *body, double strain,
                               const mote_elastic_motion *motion, const mote_elastic_reference *reference,
                               mote_elastic **out, mote_error *error) {
  MOTE_TRY(check_renewal(rest, body, strain, motion, reference, out, error));
  *out = NULL;
  if (!has_flowed(body, strain, motion->plastic, reference->flowed)) return MOTE_OK;
  size_t n = body->count, capacity = (2 * 9 + 3 + 12 + 3 + 6 + 6) * n;
  MOTE_ALLOC_NEW(double, work, &body->env, capacity, error);
  renewal s = {.body = body, .motion = motion, .sum = work + 18 * n, .spare = work + 21 * n};
  s.position = work + 33 * n, s.metric = work + 36 * n, s.plastic = work + 42 * n;
  find_gradient(&s, work, work + 9 * n);
  mote_result result = renew(&s, rest, reference, error);
  mote_free(&body->env, work, capacity, sizeof *work);
  bool renewed = result == MOTE_OK;
  if (result == MOTE_ERROR_ARGUMENT || result == MOTE_ERROR_NUMERIC)
    result = MOTE_OK;  // the body keeps its reference
  for (size_t i = 0; i < n && result == MOTE_OK; ++i) {
    reference->flowed[i] = mote_plastic_size(motion->plastic + 6 * i);
  }
  if (s.next != NULL && !renewed) mote_elastic_destroy(s.next), s.next = NULL;
  *out = s.next;
  return result;
}
