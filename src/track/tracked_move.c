// Advection of a tracked mesh.
#include "geom/triple.h"
#include "track/tracked_mesh.h"

static bool all_finite(const double *x, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!isfinite(x[i])) return false;
  }
  return true;
}

// Classical Runge-Kutta and midpoint rule: times of the velocities, and their weights.
typedef struct rule {
  int stages;
  double ahead[4], share[4];
} rule;
static const rule classical = {4, {0.0, 0.5, 0.5, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};
static const rule midpoint = {2, {0.0, 0.5, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}};

mote_result mote_tracked_move(mote_tracked *t, int order, mote_flow_fn *flow, void *user, double time,
                              double dt, mote_error *error) {
  if (t == NULL || flow == NULL || (order != 2 && order != 4))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a mesh, a flow and an order of 2 or 4 are needed");
  const rule *r = order == 4 ? &classical : &midpoint;
  size_t rows = t->edges.vertices, n = 3 * rows;
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  MOTE_TAKE_NEW(double, at, &t->scratch, n, error);
  MOTE_TAKE_NEW(double, sum, &t->scratch, n, error);
  MOTE_TAKE_NEW(double, velocity, &t->scratch, n, error);
  for (size_t i = 0; i < n; ++i) at[i] = t->position[i], sum[i] = velocity[i] = 0.0;
  for (int k = 0; k < r->stages; ++k) {
    for (size_t i = 0; i < n && k > 0; ++i) at[i] = t->position[i] + r->ahead[k] * dt * velocity[i];
    flow(user, time + r->ahead[k] * dt, at, rows, velocity);
    for (size_t i = 0; i < n; ++i) sum[i] += r->share[k] * velocity[i];
  }
  if (!all_finite(sum, n))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "the flow has a velocity that is not finite");
  for (size_t i = 0; i < n; ++i) t->position[i] += dt * sum[i];
  return MOTE_OK;
}
