// See deform_motion_matrix.h.
#include "deform/deform_motion_matrix.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "deform/deform_dense.h"
#include "deform/deform_system.h"
#include "deform/tuning.inc"

#define JACOBI_SWEEPS 30  // of Jacobi's method
#define FACTORS_MAX 4e8   // range: bytes; beyond, H is a number

// --- Matrices of time ----------------------------------------------------------------------------------

static void add_row(double *matrix, size_t n, const mote_motion_row *row, const double *weight,
                    double scale) {
  for (int i = 0; i < row->count; ++i)
    for (int j = 0; j < row->count; ++j)
      matrix[row->frame[i] * n + row->frame[j]] += scale * weight[i] * weight[j];
}

static void make_time(const mote_deform_motion *m, double *T, double *B) {
  const mote_deform_motion_weights *w = &m->def.weight;
  double L2 = m->length * m->length, keys = (double)m->keys, size = m->def.deform->size;
  double unit = 2.0 / ((double)m->nodes * size * size), trace = 0.0;
  size_t n = m->frames;
  memset(T, 0, n * n * sizeof *T), memset(B, 0, n * n * sizeof *B);
  for (size_t j = 0; j < m->keys; ++j) {
    if (m->key[j].held == NULL) add_row(T, n, m->at_key + j, m->at_key[j].value, unit * w->key / keys);
    if (m->key[j].velocity != NULL)
      add_row(T, n, m->at_key + j, m->at_key[j].slope, unit * w->velocity * L2 / keys);
  }
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) T[j * n + i] += unit * w->acceleration * L2 * L2 * m->smooth[j * n + i];
    add_row(B, n, m->at_frame + j, m->at_frame[j].value, m->share[j]);
  }
  for (size_t j = 0; j < n; ++j) trace += B[j * n + j];
  for (size_t j = 0; j < n; ++j) B[j * n + j] += MOTION_REGULARISATION * trace / (double)n;
}

bool mote_motion_cholesky(double *a, size_t n) {
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 0.0)) return false;
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  }
  return true;
}

// x = L^-1 x for the columns of x.
static void divide_rows(const double *l, size_t n, double *x) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k)
      for (size_t c = 0; c < n; ++c) x[i * n + c] -= l[i * n + k] * x[k * n + c];
    for (size_t c = 0; c < n; ++c) x[i * n + c] /= l[i * n + i];
  }
}

static void transpose(double *a, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < i; ++j) {
      double t = a[i * n + j];
      a[i * n + j] = a[j * n + i], a[j * n + i] = t;
    }
  }
}

static void rotate(double *a, double *q, size_t n, size_t i, size_t j) {
  double off = a[i * n + j], theta = (a[j * n + j] - a[i * n + i]) / (2.0 * off);
  double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0)),
         c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (size_t k = 0; k < n; ++k) {
    double x = a[k * n + i], y = a[k * n + j];
    a[k * n + i] = c * x - s * y, a[k * n + j] = s * x + c * y;
  }
  for (size_t k = 0; k < n; ++k) {
    double x = a[i * n + k], y = a[j * n + k];
    a[i * n + k] = c * x - s * y, a[j * n + k] = s * x + c * y;
    x = q[i * n + k], y = q[j * n + k];
    q[i * n + k] = c * x - s * y, q[j * n + k] = s * x + c * y;
  }
}

// Jacobi's method: a becomes diagonal, rows of q its eigenvectors.
static void diagonalise(double *a, double *q, size_t n) {
  memset(q, 0, n * n * sizeof *q);
  for (size_t i = 0; i < n; ++i) q[i * n + i] = 1.0;
  for (int sweep = 0; sweep < JACOBI_SWEEPS; ++sweep) {
    double off = 0.0, on = 0.0;
    for (size_t i = 0; i < n; ++i) {
      on += a[i * n + i] * a[i * n + i];
      for (size_t j = i + 1; j < n; ++j) off += a[i * n + j] * a[i * n + j];
    }
    if (off <= 1e-22 * on) return;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i + 1; j < n; ++j)
        if (a[i * n + j] * a[i * n + j] > 1e-30 * on) rotate(a, q, n, i, j);
  }
}

// --- The matrix of space -------------------------------------------------------------------------------

// Second derivatives of rigidity and volume at the middle of the motion, in the deformation's system.
static void assemble(mote_deform_motion *m) {
  mote_deform *d = m->def.deform;
  mote_deform_weights was = d->weight;
  size_t grips = d->grips;
  const double *u = m->field + m->frames / 2 * m->unknowns;
  d->weight.rigidity = m->def.weight.rigidity, d->weight.volume = m->def.weight.volume, d->grips = 0;
  mote_deform_assemble(d, u, true);
  mote_deform_system_renew(d->system);
  d->weight = was, d->grips = grips;
}

static void factorise_modes(const mote_deform_motion *m, mote_motion_matrix *x) {
  const mote_deform_system *s = m->def.deform->system;
  double trace = 0.0, regular = REGULARISATION_LOOSE;
  for (size_t j = 0; j < m->keys; ++j) regular = m->key[j].held == NULL ? MOTION_REGULARISATION : regular;
  size_t rows = x->unknowns + 4, size = rows * x->stride;
  for (size_t i = 0; i < x->unknowns; ++i) trace += s->matrix[i * s->stride + i];
  for (size_t k = 0; k < x->frames; ++k) {
    double *a = x->factor + k * size, add = x->mode[k] + regular * trace / (double)x->unknowns;
    memcpy(a, s->matrix, size * sizeof *a);
    for (size_t i = 0; i < x->unknowns; ++i) a[i * x->stride + i] += add;
    if (!mote_deform_dense_factorise(x->unknowns, x->stride, a)) a[0] = -1.0;  // solved as a number
  }
}

mote_result mote_motion_matrix_make(mote_deform_motion *m, mote_arena *memory, mote_motion_matrix *out,
                                    mote_error *error) {
  size_t n = m->frames, u = m->unknowns;
  const mote_deform_system *s = m->def.deform->system;
  *out = (mote_motion_matrix){.frames = n, .unknowns = u, .stride = s->stride, .env = &m->env};
  bool dense = s->matrix != NULL && (double)(n * (u + 4)) * (double)s->stride * sizeof(double) <= FACTORS_MAX;
  double *T = mote_arena_take(memory, n * n, sizeof *T), *B = mote_arena_take(memory, n * n, sizeof *B);
  out->inverse = mote_arena_take(memory, n * n, sizeof *out->inverse);
  out->mode = mote_arena_take(memory, n, sizeof *out->mode);
  out->work = mote_arena_take(memory, n * (u + 4), sizeof *out->work);
  if (dense) out->factor = mote_arena_take(memory, n * (u + 4) * s->stride, sizeof *out->factor);
  if (!T || !B || !out->inverse || !out->mode || !out->work || (dense && !out->factor))
    return mote_fail_memory(error, n * (u + 4) * s->stride * sizeof(double));
  make_time(m, T, B);
  if (!mote_motion_cholesky(B, n))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "frames of the motion are too close to each other");
  // C = L^-1 T L^-T = Q^T M Q, Z^-1 = Q L^-1
  divide_rows(B, n, T), transpose(T, n), divide_rows(B, n, T);
  diagonalise(T, out->inverse, n);
  for (size_t k = 0; k < n; ++k) out->mode[k] = T[k * n + k] > 0.0 ? T[k * n + k] : 0.0;
  transpose(out->inverse, n);  // Q^T; L^-T Q^T has the rows of (Q L^-1)^T
  for (size_t i = n; i-- > 0;) {
    double *row = out->inverse + i * n;
    for (size_t k = i + 1; k < n; ++k)
      for (size_t c = 0; c < n; ++c) row[c] -= B[k * n + i] * out->inverse[k * n + c];
    for (size_t c = 0; c < n; ++c) row[c] /= B[i * n + i];
  }
  transpose(out->inverse, n);
  if (dense) {
    assemble(m);
    factorise_modes(m, out);
    return MOTE_OK;
  }
  double spacing = m->def.deform->space.spacing;
  for (size_t k = 0; k < n; ++k)
    out->mode[k] += MODE_STIFFNESS * m->def.weight.rigidity * 2.0 / ((double)m->nodes * spacing * spacing);
  return MOTE_OK;
}

// --- Solution ------------------------------------------------------------------------------------------

typedef struct matrix_job {
  const mote_motion_matrix *matrix;
  double *x;
} matrix_job;

// One mode: its combination of the frames, and the solution in space.
static void mode_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const matrix_job *job = data;
  const mote_motion_matrix *m = job->matrix;
  size_t u = m->unknowns;
  for (size_t k = begin; k < end; ++k) {
    double *y = m->work + k * (u + 4);
    memset(y, 0, (u + 4) * sizeof *y);
    for (size_t j = 0; j < m->frames; ++j) {
      double part = m->inverse[k * m->frames + j];
      for (size_t c = 0; c < u; ++c) y[c] += part * job->x[j * u + c];
    }
    const double *factor = m->factor != NULL ? m->factor + k * (u + 4) * m->stride : NULL;
    if (factor != NULL && factor[0] > 0.0) {
      mote_deform_dense_substitute(u, m->stride, factor, y);
    } else {
      for (size_t c = 0; c < u; ++c) y[c] /= m->mode[k] + 1e-300;
    }
  }
}

static void frame_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const matrix_job *job = data;
  const mote_motion_matrix *m = job->matrix;
  size_t u = m->unknowns;
  for (size_t j = begin; j < end; ++j) {
    double *x = job->x + j * u;
    memset(x, 0, u * sizeof *x);
    for (size_t k = 0; k < m->frames; ++k) {
      double part = m->inverse[k * m->frames + j];
      const double *y = m->work + k * (u + 4);
      for (size_t c = 0; c < u; ++c) x[c] += part * y[c];
    }
  }
}

void mote_motion_matrix_solve_whole(const mote_motion_matrix *matrix, double *x) {
  matrix_job job = {matrix, x};
  mote_parallel_for(matrix->env->threads, matrix->frames, 1, mode_chunk, &job);
  mote_parallel_for(matrix->env->threads, matrix->frames, 1, frame_chunk, &job);
}
