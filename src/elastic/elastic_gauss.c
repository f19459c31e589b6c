// Corrected integration: see elastic_gauss.h. Slopes g_ij get the change c_ij that is smallest in the sum of
// V |c|^2/w, keeps linear fields exact, and satisfies sum_i V_i g_ij - V_j sum_k g_jk = A_j. It is the misfit
// w_ij (lambda_ij - Lambda_i X_ij) of a field lambda under linear fits; lambda solves K lambda = rest, where
// K is the stiffness of hourglass control of order 1. Theory: docs/theory/elastic.md
#include "elastic/elastic_gauss.h"

#include <math.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

#define GAUSS_ITERATIONS 400
#define GAUSS_PATIENCE 40  // iterations without improvement

// --- Shape functions at points of the surface --------------------------------------------------------------

typedef struct face_nodes {
  uint32_t *index;
  double *phi;
  size_t count;
} face_nodes;

static void face_basis(const mote_elastic *b, int order, const double x[3], double *p) {
  p[0] = 1.0;
  if (order > 0) mote_elastic_basis(b->dimensions, order, b->inverse_unit, x, p + 1);
}

static bool shape_functions(const mote_elastic *b, const double x[3], double reach, int order,
                            face_nodes *nodes) {
  int m = order > 0 ? 1 + mote_elastic_terms(b->dimensions, order) : 1;
  double M[(MOTE_ELASTIC_TERMS + 1) * (MOTE_ELASTIC_TERMS + 1)] = {0}, p[MOTE_ELASTIC_TERMS + 1], sum = 0.0;
  for (size_t k = 0; k < nodes->count; ++k) {
    double r[3];
    sub3(b->rest + 3 * (size_t)nodes->index[k], x, r);
    double q = length3(r) / reach, left = 1.0 - q * q, w = q < 1.0 ? left * left * left : 0.0;
    nodes->phi[k] = w;
    face_basis(b, order, r, p);
    for (int e = 0; e < m * m; ++e) M[e] += w * p[e / m] * p[e % m];
  }
  if (mote_dense_pseudo_inverse(m, M, 1e-10, M, NULL) < m) return false;
  for (size_t k = 0; k < nodes->count; ++k) {
    double r[3], value = 0.0;
    sub3(b->rest + 3 * (size_t)nodes->index[k], x, r);
    face_basis(b, order, r, p);
    for (int t = 0; t < m; ++t) value += M[t] * p[t];
    nodes->phi[k] *= value;
    sum += fabs(nodes->phi[k]);
  }
  return sum < FACE_WILD || order == 0;
}

// Candidates: the nearest particle and its neighbours, so that no particle across a slit is among them.
static void find_nodes(const mote_elastic *b, size_t nearest, const double x[3], face_nodes *nodes) {
  nodes->count = 0;
  nodes->index[nodes->count++] = (uint32_t)nearest;
  for (size_t k = b->first[nearest]; k < b->first[nearest + 1]; ++k)
    nodes->index[nodes->count++] = b->neighbour[k];
  double reach = max2(FACE_REACH * b->support[nearest],
                      1.5 * distance3(x, b->rest + 3 * nearest));  // at least one node has weight
  for (int order = b->order; order >= 0; --order)
    if (shape_functions(b, x, reach, order, nodes)) return;
}

mote_result mote_elastic_spread_to_particles(const mote_elastic *body, size_t count, const double *point,
                                             const double *value, double *out, mote_error *error) {
  MOTE_ASSERT(body != NULL && out != NULL && (count == 0 || (point != NULL && value != NULL)));
  const mote_elastic *b = body;
  size_t n = b->count;
  mote_kdtree *tree;
  MOTE_TRY(mote_kdtree_create(b->dimensions, b->rest, n, &b->env, &tree, error));
  face_nodes nodes = {.index = mote_alloc(&b->env, n + 1, sizeof(uint32_t)),
                      .phi = mote_alloc(&b->env, n + 1, sizeof(double))};
  bool ok = nodes.index != NULL && nodes.phi != NULL;
  memset(out, 0, 3 * n * sizeof *out);
  for (size_t k = 0; k < count && ok; ++k) {
    uint32_t nearest;
    double distance;
    mote_kdtree_nearest(tree, point + 3 * k, 1, &nearest, &distance);
    find_nodes(b, nearest, point + 3 * k, &nodes);
    for (size_t c = 0; c < nodes.count; ++c) {
      double *to = out + 3 * (size_t)nodes.index[c];
      step3(to, nodes.phi[c], value + 3 * k, to);
    }
  }
  mote_free(&b->env, nodes.index, n + 1, sizeof(uint32_t));
  mote_free(&b->env, nodes.phi, n + 1, sizeof(double));
  mote_kdtree_destroy(tree);
  return ok ? MOTE_OK : mote_fail_memory(error, n * sizeof(double));
}

// --- The field lambda --------------------------------------------------------------------------------------

typedef struct gauss {
  mote_elastic *body;
  double *lambda, *best;             // three each: one field for each component of the slopes
  double *rest, *direction, *image;  // of conjugate gradients
  double *linear;                    // nine each: gradients of a field's linear fit
  const double *field;               // input of the loops
  double *out;
} gauss;

static bool fixed_at(const mote_elastic *b, size_t i) {
  return b->clamp != NULL && b->clamp[i] != 0;
}

static void fit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const gauss *s = data;
  const mote_elastic *b = s->body;
  size_t d = (size_t)b->dimensions;
  for (size_t i = begin; i < end; ++i) {
    double sum[9] = {0}, unit2 = b->inverse_unit * b->inverse_unit;
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      const double *X = b->pair[k].rest, *other = s->field + 3 * (size_t)b->neighbour[k];
      for (size_t c = 0; c < d; ++c) {
        double u = b->pair[k].weight * (other[c] - s->field[3 * i + c]);
        for (size_t a = 0; a < d; ++a) sum[3 * c + a] += u * X[a];
      }
    }
    for (size_t c = 0; c < d; ++c) {
      for (size_t a = 0; a < d; ++a) {
        double slope = 0.0;
        for (size_t e = 0; e < d; ++e)
          slope += b->linear_inverse[d * d * i + d * a + e] * sum[3 * c + e] * unit2;
        s->linear[9 * i + 3 * c + a] = slope;
      }
    }
  }
}

// Residual of the linear fit of i for component c of pair k: X from i to the neighbour.
static double misfit(const gauss *s, size_t i, size_t k, size_t c) {
  const mote_elastic *b = s->body;
  const double *L = s->linear + 9 * i + 3 * c, *X = b->pair[k].rest;
  return s->field[3 * (size_t)b->neighbour[k] + c] - s->field[3 * i + c] - L[0] * X[0] - L[1] * X[1] -
         (b->dimensions == 3 ? L[2] * X[2] : 0.0);
}

static void product_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const gauss *s = data;
  const mote_elastic *b = s->body;
  size_t d = (size_t)b->dimensions;
  for (size_t j = begin; j < end; ++j) {
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t k = b->first[j]; k < b->first[j + 1] && !fixed_at(b, j); ++k) {
      size_t i = b->neighbour[k];
      const double *X = b->pair[k].rest;
      for (size_t c = 0; c < d; ++c) {
        const double *L = s->linear + 9 * i + 3 * c;
        double from = s->field[3 * j + c] - s->field[3 * i + c] + L[0] * X[0] + L[1] * X[1] +
                      (d == 3 ? L[2] * X[2] : 0.0);
        sum[c] += b->pair[k].weight * (b->volume[i] * from - b->volume[j] * misfit(s, j, k, c));
      }
    }
    copy3(sum, s->out + 3 * j);
  }
}

static void apply(gauss *s, const double *field, double *out) {
  const mote_elastic *b = s->body;
  s->field = field, s->out = out;
  mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, fit_chunk, s);
  mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, product_chunk, s);
}

static double dot_all(const double *a, const double *b, size_t n) {
  double sum = 0.0;
  for (size_t k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

static double largest(const double *a, size_t n) {
  double most = 0.0;
  for (size_t k = 0; k < n; ++k) most = max2(most, fabs(a[k]));
  return most;
}

// Preconditioned with the diagonal, about: s->out receives the result.
static void precondition(const gauss *s, const double *in, double *out) {
  const mote_elastic *b = s->body;
  for (size_t j = 0; j < b->count; ++j) {
    double diagonal = 0.0;
    for (size_t k = b->first[j]; k < b->first[j + 1]; ++k)
      diagonal += b->pair[k].weight * (b->volume[j] + b->volume[b->neighbour[k]]);
    double by = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
    set3(by * in[3 * j], by * in[3 * j + 1], by * in[3 * j + 2], out + 3 * j);
  }
}

// K lambda = rest by conjugate gradients, from 0. The system is singular for linear fields where few
// particles are clamped, and then consistent up to errors of the surface: the best iterate is used.
static void solve(gauss *s, double *z, double tolerance) {
  size_t n = 3 * s->body->count;
  double least = largest(s->rest, n), rz;
  int since = 0;
  precondition(s, s->rest, z);
  memcpy(s->direction, z, n * sizeof *z);
  rz = dot_all(s->rest, z, n);
  for (int k = 0; k < GAUSS_ITERATIONS && least > tolerance && since < GAUSS_PATIENCE; ++k, ++since) {
    apply(s, s->direction, s->image);
    double curvature = dot_all(s->direction, s->image, n);
    if (!(curvature > 0.0)) break;
    double step = rz / curvature;
    for (size_t c = 0; c < n; ++c) s->lambda[c] += step * s->direction[c], s->rest[c] -= step * s->image[c];
    double left = largest(s->rest, n);
    if (left < least) {
      least = left, since = 0;
      memcpy(s->best, s->lambda, n * sizeof *s->best);
    }
    precondition(s, s->rest, z);
    double next = dot_all(s->rest, z, n);
    for (size_t c = 0; c < n; ++c) s->direction[c] = z[c] + next / rz * s->direction[c];
    rz = next;
  }
}

// rest = A - sum_i V_i g_ij + V_j sum_k g_jk. In m^2.
static void find_imbalance(gauss *s, const double *area) {
  const mote_elastic *b = s->body;
  for (size_t j = 0; j < b->count; ++j) {
    copy3(area + 3 * j, s->rest + 3 * j);
    for (size_t k = b->first[j]; k < b->first[j + 1]; ++k) {
      const double *own = b->slope + 6 * k, *other = own + 3;
      for (size_t c = 0; c < (size_t)b->dimensions; ++c) {
        s->rest[3 * j + c] -=
            b->inverse_unit * (b->volume[b->neighbour[k]] * other[c] - b->volume[j] * own[c]);
      }
    }
    if (fixed_at(b, j)) set3(0.0, 0.0, 0.0, s->rest + 3 * j);
  }
}

static void change_slopes(gauss *s) {
  mote_elastic *b = s->body;
  apply(s, s->best, s->image);
  for (size_t i = 0; i < b->count; ++i) {
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      size_t back = mote_elastic_lists_find(&b->lists, b->neighbour[k], i);
      for (size_t c = 0; c < (size_t)b->dimensions; ++c) {
        double change = b->pair[k].weight * misfit(s, i, k, c) / b->inverse_unit;
        b->slope[6 * k + c] += change;
        b->slope[6 * back + 3 + c] += change;
      }
    }
  }
}

mote_result mote_elastic_correct_slopes(mote_elastic *body, size_t faces, const double *point,
                                        const double *area, mote_error *error) {
  MOTE_ASSERT(body->slopes > 0 && body->volume != NULL);
  size_t n = body->count;
  MOTE_ALLOC_NEW(double, work, &body->env, 30 * n, error);
  memset(work, 0, 30 * n * sizeof *work);
  gauss s = {.body = body,
             .lambda = work,
             .best = work + 3 * n,
             .rest = work + 6 * n,
             .direction = work + 9 * n,
             .image = work + 12 * n,
             .linear = work + 15 * n};
  double *share = work + 24 * n, *z = work + 27 * n;
  mote_result result = mote_elastic_spread_to_particles(body, faces, point, area, share, error);
  if (result == MOTE_OK) {
    find_imbalance(&s, share);
    solve(&s, z, GAUSS_TOLERANCE * largest(share, 3 * n));
    change_slopes(&s);
  }
  mote_free(&body->env, work, 30 * n, sizeof *work);
  return result;
}
