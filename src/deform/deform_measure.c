// What became of the mesh: mote_deform_measure and mote_deform_pushed_through.
#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "deform/deform_data.h"
#include "deform/deform_handles.h"
#include "geom/triple.h"

// Of the size: shorter edges are not measured, as vertices move by numbers of four bytes.
#define EDGE_LEAST (100 * (double)FLT_EPSILON)
enum { WAY_STEPS = 400 };

static void measure_edge(const mote_deform *d, const double *vertex, uint32_t a, uint32_t b,
                         mote_deform_mesh_report *out) {
  const double *A = d->mesh.vertex + 3 * (size_t)a, *B = d->mesh.vertex + 3 * (size_t)b;
  double rest = distance3(A, B);
  if (!(rest > EDGE_LEAST * d->size)) return;
  double stretch = distance3(vertex + 3 * (size_t)a, vertex + 3 * (size_t)b) / rest;
  for (int k = 0; k < 3; ++k) {
    double middle = 0.5 * (A[k] + B[k]);
    if (stretch > out->stretch_most) out->stretch_most_at[k] = middle;
    if (stretch < out->stretch_least) out->stretch_least_at[k] = middle;
  }
  out->stretch_most = max2(out->stretch_most, stretch);
  out->stretch_least = min2(out->stretch_least, stretch);
}

mote_result mote_deform_measure(mote_deform *d, const double *vertex, mote_deform_mesh_report *report,
                                mote_error *error) {
  if (d == NULL || vertex == NULL || report == NULL)
    return mote_fail_key(error, d == NULL ? "deform" : vertex == NULL ? "vertex" : "report", "is null");
  MOTE_ALLOC_NEW(float, determinant, &d->env, d->mesh.vertices, error);
  mote_deform_skin_determinants(&d->skin, &d->space, d->position, d->env.threads, determinant);
  *report = (mote_deform_mesh_report){.stretch_least = HUGE_VAL, .beyond = d->skin.beyond};
  for (size_t t = 0; t < d->mesh.triangles; ++t) {
    const uint32_t *v = d->mesh.triangle + 3 * t;
    for (int k = 0; k < 3; ++k) measure_edge(d, vertex, v[k], v[(k + 1) % 3], report);
    report->inverted += !(determinant[v[0]] > 0.0f && determinant[v[1]] > 0.0f && determinant[v[2]] > 0.0f);
  }
  mote_free(&d->env, determinant, d->mesh.vertices, sizeof *determinant);
  if (!(report->stretch_least < HUGE_VAL)) report->stretch_most = report->stretch_least = 1.0;
  return MOTE_OK;
}

static bool is_inside(const mote_deform_grid *g, const double x[3]) {
  int64_t at[3];
  for (int k = 0; k < 3; ++k) at[k] = (int64_t)floor((x[k] - g->low[k]) / g->cell + 0.5);
  return mote_deform_grid_find(g, at[0], at[1], at[2]) != MOTE_DEFORM_NONE;
}

bool mote_deform_pushed_through(const mote_deform *d, mote_deform_handle handle) {
  if (d == NULL || handle >= d->grips) return false;
  const mote_deform_grip *g = d->grip + handle;
  mote_deform_transform t;
  double off[3], goal[3];
  mote_deform_grip_transform(g, true, &t);
  sub3(g->rest, t.pivot, off);
  turn3(t.rotation, off, goal);
  step3(goal, 1.0, t.image, goal);
  bool within = false;
  for (int k = 0; k <= WAY_STEPS; ++k) {
    double x[3];
    for (int c = 0; c < 3; ++c) x[c] = g->rest[c] + (goal[c] - g->rest[c]) * k / WAY_STEPS;
    bool inside = is_inside(&d->space.grid, x);
    if (within && !inside) return true;
    within = inside && distance3(x, g->rest) > g->extent;
  }
  return false;
}
