// Thickness of the matter behind each vertex: distance along the inward normal to a vertex with an opposite
// normal. Fairing is weaker in thin parts (docs/theory/tracking.md).
#include <math.h>
#include <mote/search.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "track/tracked_mesh.h"
#include "track/tuning.inc"

#define VERTICES_PER_TASK 256

typedef struct measuring {
  const double *position, *normal;
  mote_lists near;
  double most, beside;
  double *thickness;
} measuring;

static void measure_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const measuring *m = data;
  for (size_t v = begin; v < end; ++v) {
    const uint32_t *near = m->near.index + m->near.first[v];
    const double *n = m->normal + 3 * v;
    m->thickness[v] = m->most;
    for (size_t k = 0; k < m->near.number[v]; ++k) {
      size_t u = near[k];
      double apart[3];
      if (dot3(n, m->normal + 3 * u) > OPPOSITE_COSINE) continue;
      sub3(m->position + 3 * v, m->position + 3 * u, apart);
      double along = dot3(apart, n), across2 = dot3(apart, apart) - along * along;
      if (along > 0.0 && across2 <= m->beside * m->beside) m->thickness[v] = min2(m->thickness[v], along);
    }
  }
}

// All candidates lie in a ball around the middle of the line.
static mote_result measure(measuring *m, size_t n, mote_grid *grid, int threads, mote_arena *arena,
                           mote_error *error) {
  MOTE_TAKE_NEW(double, middle, arena, 3 * n, error);
  for (size_t v = 0; v < n; ++v)
    step3(m->position + 3 * v, -0.5 * m->most, m->normal + 3 * v, middle + 3 * v);
  MOTE_TRY(mote_grid_build(grid, m->position, n, error));
  MOTE_TRY(mote_grid_neighbours_at(grid, middle, n, NULL, MOTE_REACH_GATHER, &m->near, error));
  mote_parallel_for(threads, n, VERTICES_PER_TASK, measure_task, m);
  return MOTE_OK;
}

mote_result mote_tracked_thickness(mote_tracked *t, const double *normal, double most, mote_arena *arena,
                                   double *thickness, mote_error *error) {
  measuring m = {.position = t->position,
                 .normal = normal,
                 .most = most,
                 .beside = LINE_DISTANCE_MAX * t->def.edge,
                 .thickness = thickness};
  double radius = sqrt(0.25 * most * most + m.beside * m.beside);
  mote_grid_def def = mote_grid_def_default(radius);
  mote_grid *grid;
  MOTE_TRY(mote_grid_create(&def, &t->env, &grid, error));
  mote_result result = measure(&m, t->edges.vertices, grid, t->env.threads, arena, error);
  mote_grid_destroy(grid);
  return result;
}
