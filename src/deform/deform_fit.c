// The state that fits given vertices: mote_deform_fit. The vertices are one handle with a target for every
// node: with M = sum Phi_a Phi_b and b = sum Phi_a (x - X), the sum of squares is (u - u*)^T M (u - u*) and a
// constant, M u* = b. Rigidity places the nodes that no vertex determines.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "deform/deform_dense.h"
#include "deform/deform_energy.h"
#include "deform/deform_handles.h"
#include "deform/deform_system.h"
#include "deform/tuning.inc"
#include "geom/triple.h"

#define NODES_MAX 4000  // M is dense

typedef struct fitting {
  mote_deform *d;
  mote_deform_grip grip;
  const double *vertex;
  double *target;  // u* of the nodes
  double move[3], rotation[9],
      centre[3];  // the rigid motion that fits the vertices: x = move + rotation (X - centre)
} fitting;

// The rigid motion that fits the vertices best.
static void fit_rigid(fitting *f) {
  const mote_mesh *mesh = &f->d->mesh;
  double part = 1.0 / (double)mesh->vertices, sum[9] = {0}, x[3], y[3], stretch[9];
  set3(0.0, 0.0, 0.0, f->move), set3(0.0, 0.0, 0.0, f->centre);
  for (size_t i = 0; i < mesh->vertices; ++i) {
    step3(f->centre, part, mesh->vertex + 3 * i, f->centre);
    step3(f->move, part, f->vertex + 3 * i, f->move);
  }
  for (size_t i = 0; i < mesh->vertices; ++i) {
    sub3(mesh->vertex + 3 * i, f->centre, x), sub3(f->vertex + 3 * i, f->move, y);
    for (int k = 0; k < 9; ++k) sum[k] += y[k / 3] * x[k % 3];
  }
  if (!mote_polar3(sum, f->rotation, stretch)) {
    for (int k = 0; k < 9; ++k) f->rotation[k] = k % 4 == 0 ? 1.0 : 0.0;
  }
}

// Where the rigid motion takes X, as a displacement.
static void rigid_displacement(const fitting *f, const double X[3], double u[3]) {
  double off[3], to[3];
  sub3(X, f->centre, off);
  turn3(f->rotation, off, to);
  for (int k = 0; k < 3; ++k) u[k] = f->move[k] + to[k] - X[k];
}

// u* by (M + regular) (u* - rigid) = sum Phi (x - rigid X).
static mote_result solve_targets(fitting *f, mote_arena *own, mote_error *error) {
  mote_deform *d = f->d;
  size_t n = d->space.nodes, stride = (n + 7) / 4 * 4;
  MOTE_TAKE_NEW(double, a, own, (n + 4) * stride, error);
  MOTE_TAKE_NEW(double, b, own, 3 * (n + 4), error);
  memset(a, 0, (n + 4) * stride * sizeof *a), memset(b, 0, 3 * (n + 4) * sizeof *b);
  double trace = 0.0, part = 1.0 / ((double)d->mesh.vertices * d->size * d->size);
  const mote_deform_grip *g = &f->grip;
  for (uint32_t p = 0; p < g->nodes; ++p) {
    trace += g->matrix[(size_t)p * g->nodes + p];
    for (uint32_t q = 0; q <= p; ++q)
      a[g->node[p] * stride + g->node[q]] = g->matrix[(size_t)p * g->nodes + q];
  }
  for (size_t i = 0; i < n; ++i) a[i * stride + i] += FIT_REGULARISATION * trace / (double)n;
  for (size_t i = 0; i < d->mesh.vertices; ++i) {
    mote_deform_point at;
    double u[3];
    const double *X = d->mesh.vertex + 3 * i;
    mote_deform_shapes_at(&d->space, X, d->skin.anchor[i], &at);
    rigid_displacement(f, X, u);
    for (uint32_t e = 0; e < at.count; ++e)
      for (size_t k = 0; k < 3; ++k)
        b[k * (n + 4) + at.node[e]] += part * at.value[e] * (f->vertex[3 * i + k] - X[k] - u[k]);
  }
  if (!mote_deform_dense_factorise(n, stride, a))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "the vertices do not determine the nodes");
  for (size_t k = 0; k < 3; ++k) mote_deform_dense_substitute(n, stride, a, b + k * (n + 4));
  for (size_t i = 0; i < n; ++i) {
    double u[3];
    rigid_displacement(f, d->rest + 3 * i, u);
    for (size_t k = 0; k < 3; ++k) f->target[3 * i + k] = u[k] + b[k * (n + 4) + i];
  }
  return MOTE_OK;
}

// The targets, or as near to them from the rigid motion as no sample is inverted.
static void set_start(fitting *f) {
  mote_deform *d = f->d;
  mote_deform_report r;
  double part = 1.0;
  for (int k = 0; k < 20; ++k, part *= 0.7) {
    for (uint32_t a = 0; a < d->space.nodes; ++a) {
      double u[3];
      rigid_displacement(f, d->rest + 3 * (size_t)a, u);
      for (uint32_t c = 0; c < 3; ++c)
        d->displacement[3 * a + c] = u[c] + part * (f->target[3 * a + c] - u[c]);
    }
    mote_deform_evaluate(d, d->displacement, true, &r, NULL);
    if (r.least_determinant > LEAST_START) break;
  }
  for (size_t i = 0; i < d->system->unknowns; ++i) d->position[i] = d->rest[i] + d->displacement[i];
}

static mote_result fit(fitting *f, double *distance, mote_arena *own, mote_error *error) {
  mote_deform *d = f->d;
  MOTE_TAKE(f->target, own, 3 * (size_t)d->space.nodes, error);
  MOTE_TAKE_NEW(double, was, own, d->system->unknowns, error);
  MOTE_TAKE_NEW(double, x, own, 3 * d->mesh.vertices, error);
  fit_rigid(f);
  MOTE_TRY(solve_targets(f, own, error));
  f->grip.target = f->target;
  memcpy(was, d->position, d->system->unknowns * sizeof *was);
  // Only this handle counts.
  mote_deform_grip *grip = d->grip;
  size_t grips = d->grips;
  d->grip = &f->grip, d->grips = 1;
  mote_deform_system_forget(d->system);
  set_start(f);
  mote_result result = mote_deform_solve(d, NULL, NULL, error);
  d->grip = grip, d->grips = grips;
  mote_deform_system_forget(d->system);
  if (result != MOTE_OK) memcpy(d->position, was, d->system->unknowns * sizeof *was);
  if (result != MOTE_OK || distance == NULL) return result;
  double sum = 0.0;
  MOTE_TRY(mote_deform_read(d, x, NULL, error));
  for (size_t k = 0; k < 3 * d->mesh.vertices; ++k) sum += (x[k] - f->vertex[k]) * (x[k] - f->vertex[k]);
  *distance = sqrt(sum / (double)d->mesh.vertices);
  return MOTE_OK;
}

mote_result mote_deform_fit(mote_deform *d, const double *vertex, double *distance, mote_error *error) {
  if (d == NULL || vertex == NULL) return mote_fail_key(error, d == NULL ? "deform" : "vertex", "is null");
  for (size_t k = 0; k < 3 * d->mesh.vertices; ++k)
    if (!isfinite(vertex[k])) return mote_fail_key(error, "vertex", "is not finite at %zu", k / 3);
  if (d->space.nodes > NODES_MAX) return mote_fail_key(error, "deform", "has more than %d nodes", NODES_MAX);
  fitting f = {.d = d, .vertex = vertex};
  mote_arena own = mote_arena_make(&d->env);
  mote_result result = mote_deform_grip_of_all(d, &f.grip, error);
  if (result == MOTE_OK) {
    result = fit(&f, distance, &own, error);
    mote_deform_grip_free(&d->env, &f.grip);
  }
  mote_arena_destroy(&own);
  return result;
}
