// Preconditioned conjugate gradients (Hestenes & Stiefel 1952) on a matrix given by its product with a
// vector. Sums do not depend on their order (base/sum.h), so iterates do not depend on the number of threads.
// The residual is kept scaled to size 1 by a power of two: squares of small or large right-hand sides are
// safe.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "base/parallel.h"
#include "num/scale.h"

#define ELEMENTS_PER_TASK 4096  // elements a thread takes at a time; no effect on results

typedef struct cg {
  const mote_cg_def *def;
  const double *b;
  double *x, *r, *z, *p, *q;  // iterate, residual, preconditioned residual, direction, A p
  double scale, inverse;      // r, z, p, q belong to inverse * b
  double alpha, beta;
} cg;

mote_cg_def mote_cg_def_default(void) {
  return (mote_cg_def){.tolerance = 1e-10, .max_iterations = 1000, .threads = mote_parallel_cores()};
}

// r = b - A x with A x in q; no direction yet. Sums r.r and b.b.
static void start_residual(void *data, size_t begin, size_t end, double *term) {
  cg *s = data;
  for (size_t k = begin; k < end; ++k) {
    double b = s->b[k] * s->inverse;
    s->r[k] = b - s->q[k] * s->inverse;
    s->p[k] = 0.0;
    term[0] = s->r[k] * s->r[k], term[1] = b * b, term += 2;
  }
}

static void sum_p_q(void *data, size_t begin, size_t end, double *term) {
  cg *s = data;
  for (size_t k = begin; k < end; ++k) *term++ = s->p[k] * s->q[k];
}

static void sum_r_z(void *data, size_t begin, size_t end, double *term) {
  cg *s = data;
  for (size_t k = begin; k < end; ++k) *term++ = s->r[k] * s->z[k];
}

static void reduce_residual(void *data, size_t begin, size_t end, double *term) {
  cg *s = data;
  for (size_t k = begin; k < end; ++k) {
    s->r[k] -= s->alpha * s->q[k];
    *term++ = s->r[k] * s->r[k];
  }
}

static void advance_x(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  cg *s = data;
  double step = s->alpha * s->scale;
  for (size_t k = begin; k < end; ++k) s->x[k] += step * s->p[k];
}

static void turn_direction(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  cg *s = data;
  for (size_t k = begin; k < end; ++k) s->p[k] = s->z[k] + s->beta * s->p[k];
}

static double sum_of(cg *s, mote_sum_task *task) {
  double sum;
  mote_parallel_sum(s->def->threads, s->def->size, 1, task, s, &sum);
  return sum;
}

static bool is_finite(double x) {
  return fabs(x) <= DBL_MAX;
}

static mote_result check_arguments(const mote_cg_def *def, const double *b, const double *x,
                                   const double *work, mote_error *error) {
  if (def == NULL || def->apply == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "conjugate gradients without a matrix");
  }
  if (def->size > 0 && (b == NULL || x == NULL || work == NULL)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "conjugate gradients: a vector is null");
  }
  if (!(def->tolerance >= 0.0) || def->max_iterations < 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "conjugate gradients: tolerance %g or iterations %d negative", def->tolerance,
                     def->max_iterations);
  }
  return MOTE_OK;
}

// z, and whether it is small enough.
static bool precondition(cg *s) {
  const mote_cg_def *def = s->def;
  double largest = 0.0;
  if (def->precondition != NULL) def->precondition(def->user, s->r, s->z);
  if (def->enough <= 0.0) return false;
  for (size_t k = 0; k < def->size; ++k) largest = mote_larger(fabs(s->z[k]), largest);
  return largest * s->scale <= def->enough;
}

// The next direction and the step along it: p = z + beta p, q = A p, alpha.
static mote_result find_step(cg *s, double rr, double *rz, mote_error *error) {
  const mote_cg_def *def = s->def;
  double before = *rz;
  *rz = def->precondition == NULL ? rr : sum_of(s, sum_r_z);
  if (!(*rz > 0.0 && is_finite(*rz))) {
    return mote_fail(error, MOTE_ERROR_NUMERIC, "the preconditioner is not positive definite: r.z = %g", *rz);
  }
  s->beta = before == 0.0 ? 0.0 : *rz / before;
  mote_parallel_for(def->threads, def->size, ELEMENTS_PER_TASK, turn_direction, s);
  def->apply(def->user, s->p, s->q);
  double pq = sum_of(s, sum_p_q);
  if (!(pq > 0.0 && is_finite(pq))) {
    return mote_fail(error, MOTE_ERROR_NUMERIC, "the matrix is not positive definite: p.Ap = %g", pq);
  }
  s->alpha = *rz / pq;
  return MOTE_OK;
}

static mote_result iterate(cg *s, mote_cg_report *report, mote_error *error) {
  const mote_cg_def *def = s->def;
  double sums[2], rz = 0.0;
  def->apply(def->user, s->x, s->q);
  mote_parallel_sum(def->threads, def->size, 2, start_residual, s, sums);
  double rr = sums[0], bb = sums[1];
  report->converged = false;
  if (!is_finite(rr)) return mote_fail(error, MOTE_ERROR_NUMERIC, "the matrix times the guess is not finite");
  for (report->iterations = 0;; ++report->iterations) {
    report->residual = sqrt(rr / bb);
    report->converged = report->residual <= def->tolerance;
    if (report->converged || report->iterations == def->max_iterations) return MOTE_OK;
    report->converged = precondition(s);
    if (report->converged) return MOTE_OK;
    MOTE_TRY(find_step(s, rr, &rz, error));
    rr = sum_of(s, reduce_residual);
    if (!is_finite(rr)) {
      return mote_fail(error, MOTE_ERROR_NUMERIC, "the residual is not finite after %d iterations",
                       report->iterations + 1);
    }
    mote_parallel_for(def->threads, def->size, ELEMENTS_PER_TASK, advance_x, s);
  }
}

mote_result mote_cg_solve(const mote_cg_def *def, const double *b, double *x, double *work,
                          mote_cg_report *report, mote_error *error) {
  MOTE_TRY(check_arguments(def, b, x, work, error));
  mote_cg_report unwanted;
  if (report == NULL) report = &unwanted;
  *report = (mote_cg_report){.converged = true};
  double largest = 0.0;
  for (size_t k = 0; k < def->size; ++k) {
    if (!is_finite(b[k])) {
      report->converged = false;
      return mote_fail(error, MOTE_ERROR_NUMERIC, "right-hand side %zu is not finite", k);
    }
    largest = mote_larger(fabs(b[k]), largest);
  }
  if (largest == 0.0) {
    for (size_t k = 0; k < def->size; ++k) x[k] = 0.0;
    return MOTE_OK;
  }
  cg s = {.def = def, .b = b, .x = x, .r = work, .p = work + def->size, .q = work + 2 * def->size};
  s.z = def->precondition == NULL ? s.r : work + 3 * def->size;
  s.scale = mote_scale_of(largest, &s.inverse);
  return iterate(&s, report, error);
}
