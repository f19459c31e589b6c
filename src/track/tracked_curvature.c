// Mean curvature of a tracked mesh, and its flow. docs/theory/tracking.md
#include "geom/triple.h"
#include "track/mesh_operators.h"
#include "track/tracked_mesh.h"
#include "track/tuning.inc"

#define FLOW_TOLERANCE 1e-10  // rounding: residual of the flow by mean curvature

mote_result mote_tracked_curvature(mote_tracked *t, double *curvature, mote_error *error) {
  if (t == NULL || curvature == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "tracked and curvature must not be NULL");
  mote_mesh_operators o;
  size_t n = t->edges.vertices, at = 0;
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  MOTE_TRY(mote_mesh_operators_make(&t->edges, t->position, t->env.threads, &t->scratch, &o, error));
  MOTE_TAKE_NEW(double, bend, &t->scratch, 3 * n, error);
  mote_mesh_operators_apply(&o, t->position, 3, bend);
  for (uint32_t v = 0; v < n; ++v) {
    double normal[3];
    if (t->edges.first[v] == MOTE_NO_EDGE) continue;
    mote_tracked_normal(t, v, normal);
    double size = length3(bend + 3 * (size_t)v);
    double sign = dot3(bend + 3 * (size_t)v, normal) < 0.0 ? -1.0 : 1.0;
    curvature[at++] = o.area[v] > 0.0 ? 0.5 * sign * size / o.area[v] : 0.0;
  }
  return MOTE_OK;
}

mote_result mote_tracked_curvature_flow(mote_tracked *t, double dt, mote_error *error) {
  if (t == NULL || !(dt >= 0.0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a mesh and a time of 0 or more are needed");
  mote_mesh_operators o;
  size_t n = t->edges.vertices;
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  MOTE_TRY(mote_mesh_operators_make(&t->edges, t->position, t->env.threads, &t->scratch, &o, error));
  MOTE_TAKE_NEW(double, b, &t->scratch, n, error);
  MOTE_TAKE_NEW(double, x, &t->scratch, 3 * n, error);
  for (size_t k = 0; k < 3; ++k) {
    for (size_t v = 0; v < n; ++v) b[v] = x[k * n + v] = t->position[3 * v + k];
    MOTE_TRY(mote_mesh_operators_solve(&o, 1, 1.0, dt, NULL, NULL, b, x + k * n, FLOW_TOLERANCE, &t->scratch,
                                       error));
  }
  for (size_t i = 0; i < 3 * n; ++i) t->position[i] = x[i % 3 * n + i / 3];
  return MOTE_OK;
}
