// The part of a motion's preconditioner that concerns single nodes: keys of a part of the shape, and nodes
// that touch obstacles. With A the rest of it, P = A + U U^T is inverted by Woodbury's formula, P^-1 = A^-1 -
// Y S^-1 Y^T, Y = A^-1 U, S = 1 + U^T Y. See deform_motion_matrix.h.
#include <math.h>
#include <string.h>

#include "deform/deform_motion_matrix.h"
#include "geom/triple.h"

#define RANK_MAX 240

// A column of U: a direction of one node, at the frames of a row.
typedef struct column {
  const mote_motion_row *row;
  uint32_t node;
  double direction[3];  // with the root of the stiffness
  double depth;         // m
} column;

typedef struct columns {
  column entry[RANK_MAX];
  size_t count;
} columns;

// The deepest contacts stay where there are too many.
static void add_column(columns *c, const column *one) {
  if (c->count < RANK_MAX) {
    c->entry[c->count++] = *one;
    return;
  }
  size_t least = 0;
  for (size_t k = 1; k < c->count; ++k)
    if (c->entry[k].depth < c->entry[least].depth) least = k;
  if (c->entry[least].depth < one->depth) c->entry[least] = *one;
}

static void add_keys(const mote_deform_motion *m, columns *c) {
  double size = m->def.deform->size,
         root = sqrt(2.0 * m->def.weight.key / ((double)(m->keys * m->nodes) * size * size));
  for (size_t j = 0; j < m->keys; ++j) {
    const uint8_t *held = m->key[j].held;
    for (size_t i = 0; held != NULL && i < m->nodes; ++i) {
      for (int k = 0; k < 3 && held[i]; ++k) {
        column one = {.row = m->at_key + j, .node = (uint32_t)i, .depth = HUGE_VAL};
        one.direction[k] = root;
        add_column(c, &one);
      }
    }
  }
}

// Nodes that touch an obstacle at the frames of the last evaluation.
static void add_contacts(const mote_deform_motion *m, columns *c) {
  const mote_deform *d = m->def.deform;
  for (size_t j = 0; j < m->frames && m->obstacles > 0; ++j) {
    const double *u = m->field + j * m->unknowns;
    const mote_moving_frame *moving = m->moving + j;
    double root = sqrt(2.0 * m->share[j] * m->def.weight.obstacle / (d->size * d->size * (double)m->nodes));
    for (size_t i = 0; i < m->nodes; ++i) {
      double x[3], n[3];
      column one = {.row = m->at_frame + j, .node = (uint32_t)i};
      mote_motion_place(m, moving, u, i, x);
      one.depth = m->radius[i] + m->def.margin - mote_motion_distance(m, x, m->time[j], n);
      if (!(one.depth > 0.0)) continue;
      unturn3(moving->rotation[0], n, one.direction);
      for (int k = 0; k < 3; ++k) one.direction[k] *= root;
      add_column(c, &one);
    }
  }
}

static double column_dot(const column *c, size_t unknowns, const double *x) {
  double sum = 0.0;
  for (int e = 0; e < c->row->count; ++e)
    sum += c->row->value[e] * dot3(c->direction, x + c->row->frame[e] * unknowns + 3 * (size_t)c->node);
  return sum;
}

mote_result mote_motion_rank_make(mote_deform_motion *m, mote_motion_matrix *x, mote_arena *memory,
                                  mote_error *error) {
  size_t n = m->frames * m->unknowns;
  MOTE_TAKE_NEW(columns, c, memory, 1, error);
  c->count = 0, x->rank = 0;
  add_keys(m, c), add_contacts(m, c);
  size_t rank = c->count;
  if (rank == 0) return MOTE_OK;
  MOTE_TAKE(x->reach, memory, rank * n, error);
  MOTE_TAKE(x->small, memory, rank * rank, error);
  MOTE_TAKE(x->part, memory, rank, error);
  memset(x->reach, 0, rank * n * sizeof *x->reach);
  for (size_t p = 0; p < rank; ++p) {
    const column *one = c->entry + p;
    double *y = x->reach + p * n;
    for (int e = 0; e < one->row->count; ++e) {
      double *to = y + one->row->frame[e] * m->unknowns + 3 * (size_t)one->node;
      step3(to, one->row->value[e], one->direction, to);
    }
    mote_motion_matrix_solve_whole(x, y);
  }
  for (size_t p = 0; p < rank; ++p)
    for (size_t q = 0; q < rank; ++q)
      x->small[p * rank + q] = column_dot(c->entry + p, m->unknowns, x->reach + q * n) + (p == q ? 1.0 : 0.0);
  if (mote_motion_cholesky(x->small, rank)) x->rank = rank;
  return MOTE_OK;
}

void mote_motion_matrix_solve(const mote_motion_matrix *matrix, double *x) {
  size_t n = matrix->frames * matrix->unknowns, rank = matrix->rank;
  const double *l = matrix->small;
  double *y = matrix->part;
  for (size_t p = 0; p < rank; ++p) {
    const double *reach = matrix->reach + p * n;
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) sum += reach[i] * x[i];
    for (size_t k = 0; k < p; ++k) sum -= l[p * rank + k] * y[k];
    y[p] = sum / l[p * rank + p];
  }
  for (size_t p = rank; p-- > 0;) {
    double sum = y[p];
    for (size_t k = p + 1; k < rank; ++k) sum -= l[k * rank + p] * y[k];
    y[p] = sum / l[p * rank + p];
  }
  mote_motion_matrix_solve_whole(matrix, x);
  for (size_t p = 0; p < rank; ++p) {
    const double *reach = matrix->reach + p * n;
    for (size_t i = 0; i < n; ++i) x[i] -= y[p] * reach[i];
  }
}
