// Spreading the points of a layer: each is pushed away from its neighbours along the surface, all at once,
// until they are still; then areas by the density of points, A_i = 1 / sum_j W(x_ij) (Akinci et al. 2012).
#include "base/parallel.h"
#include "geom/crowd.h"
#include "geom/shell_layer.h"
#include "geom/tuning.inc"

#define SPREAD_ROUNDS_2D 2000
#define SPREAD_ROUNDS_3D 30  // there neighbours all around even out what is uneven, and few rounds do
#define NEAR_MOST 128

typedef struct spread {
  mote_shell_layer *layer;
  mote_crowd crowd;
  double *moved, *moved_weight;
  double *area;
} spread;

static mote_result gather_crowd(const mote_shell_layer *layer, double reach, mote_crowd *crowd,
                                mote_error *error) {
  return mote_crowd_create(&layer->task->env, layer->count, reach, layer->task->shape->dimensions, crowd,
                           error);
}

static void repulsion_of(const spread *s, size_t i, double repulsion[3]) {
  const double *x = s->layer->position + 3 * i;
  double reach = SPREAD_REACH * s->layer->apart, apart[3];
  const double *near[NEAR_MOST];
  size_t count = mote_crowd_near(&s->crowd, x, reach, near, NEAR_MOST);
  set3(0.0, 0.0, 0.0, repulsion);
  for (size_t k = 0; k < count; ++k) {
    sub3(x, near[k], apart);
    double r = length3(apart), q = 1.0 - r / reach;
    if (r > 0.0) step3(repulsion, q * q / r, apart, repulsion);
  }
}

static void spread_points(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const spread *s = data;
  double d = s->layer->apart;
  for (size_t i = begin; i < end; ++i) {
    const double *x = s->layer->position + 3 * i;
    double *to = s->moved + 3 * i, repulsion[3], n[3];
    repulsion_of(s, i, repulsion);
    mote_shape_closest(s->layer->task->shape, x, n);
    step3(repulsion, -dot3(repulsion, n), n, repulsion);
    double size = length3(repulsion);
    step3(x, d * SPREAD_STEP * (size > 1.0 ? 1.0 / size : 1.0), repulsion, to);
    if (mote_shell_layer_settle(s->layer, to, s->moved_weight + i)) continue;
    copy3(x, to);
    s->moved_weight[i] = s->layer->weight[i];
  }
}

// Of the last round; in the order of the points.
static double motion_of(const spread *s) {
  double sum = 0.0, apart[3];
  for (size_t i = 0; i < s->layer->count; ++i) {
    sub3(s->moved + 3 * i, s->layer->position + 3 * i, apart);
    sum += dot3(apart, apart);
  }
  return sqrt(sum / (double)(s->layer->count > 0 ? s->layer->count : 1));
}

mote_result mote_shell_layer_relax(mote_shell_layer *layer, mote_error *error) {
  MOTE_ASSERT(layer->position != NULL || layer->count == 0);
  spread s = {.layer = layer,
              .moved = mote_arena_take(layer->arena, layer->count, 3 * sizeof(double)),
              .moved_weight = mote_arena_take(layer->arena, layer->count, sizeof(double))};
  if (!s.moved || !s.moved_weight) return mote_fail_memory(error, layer->count * 4 * sizeof(double));
  MOTE_TRY(gather_crowd(layer, SPREAD_REACH * layer->apart, &s.crowd, error));
  int most = layer->task->shape->dimensions == 2 ? SPREAD_ROUNDS_2D : SPREAD_ROUNDS_3D;
  double motion = layer->apart;  // rms of a round; levels are kept no better than 1e-4
  for (int round = 0; round < most && motion > 1e-4 * layer->apart; ++round) {
    mote_crowd_sort(&s.crowd, layer->position);
    mote_parallel_for(layer->task->env.threads, layer->count, 256, spread_points, &s);
    motion = motion_of(&s);
    double *position = layer->position, *weight = layer->weight;
    layer->position = s.moved, layer->weight = s.moved_weight;
    s.moved = position, s.moved_weight = weight;
  }
  mote_crowd_destroy(&s.crowd);
  return MOTE_OK;
}

// The cubic spline of the surface's dimension: 2 for surfaces, 1 for curves, of support 2 h.
static double surface_spline(double q, double h, int dimensions) {
  double unit = dimensions == 2 ? 10.0 / (7.0 * MOTE_PI * h * h) : 2.0 / (3.0 * h), rest = 2.0 - q;
  return q >= 2.0 ? 0.0 : unit * (q < 1.0 ? 1.0 - q * q * (1.5 - 0.75 * q) : 0.25 * rest * rest * rest);
}

static void measure_points(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const spread *s = data;
  const mote_shell_task *task = s->layer->task;
  double reach = SPREAD_REACH * s->layer->apart;
  const double *near[NEAR_MOST];
  for (size_t i = begin; i < end; ++i) {
    const double *x = s->layer->position + 3 * i;
    size_t count = mote_crowd_near(&s->crowd, x, reach, near, NEAR_MOST);
    double sum = 0.0;
    for (size_t k = 0; k < count; ++k) {
      double r = distance3(x, near[k]);
      sum += surface_spline(2.0 * r / reach, 0.5 * reach, task->shape->dimensions - 1);
    }
    s->area[i] = 1.0 / sum;
  }
}

mote_result mote_shell_layer_areas(const mote_shell_layer *layer, double *area, mote_error *error) {
  MOTE_ASSERT(area != NULL || layer->count == 0);
  mote_shell_layer copy = *layer;
  spread s = {.layer = &copy, .area = area};
  MOTE_TRY(gather_crowd(layer, SPREAD_REACH * layer->apart, &s.crowd, error));
  mote_crowd_sort(&s.crowd, layer->position);
  mote_parallel_for(layer->task->env.threads, layer->count, 256, measure_points, &s);
  mote_crowd_destroy(&s.crowd);
  return MOTE_OK;
}
