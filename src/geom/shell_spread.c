// Spreading the points of a layer: each is pushed away from its neighbours along the surface, all at once,
// and keeps a growing part of its motion (Nesterov 1983, Soviet Math. Dokl. 27:372), until they lie evenly;
// then areas by the density of points, A_i = 1 / sum_j W(x_ij) (Akinci et al. 2012).
#include "base/parallel.h"
#include "geom/crowd.h"
#include "geom/shell_layer.h"
#include "geom/tuning.inc"

#define SPREAD_ROUNDS_2D 200
#define SPREAD_ROUNDS_3D 15  // there neighbours all around even out what is uneven, and few rounds do
#define NEAR_MOST 128

typedef struct spread {
  mote_shell_layer *layer;
  mote_crowd crowd;
  double *moved, *moved_weight;  // before a round the positions of the round before it, then the new ones
  double kept;                   // of the motion of the round before
  double *area;
} spread;

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
  for (size_t i = begin; i < end; ++i) {
    const double *x = s->layer->position + 3 * i;
    double *to = s->moved + 3 * i, repulsion[3], motion[3], n[3];
    sub3(x, to, motion);
    repulsion_of(s, i, repulsion);
    mote_shape_closest(s->layer->task->shape, x, n);
    step3(repulsion, -dot3(repulsion, n), n, repulsion);
    double size = length3(repulsion);
    step3(x, s->kept, motion, to);
    step3(to, s->layer->apart * SPREAD_STEP * (size > 1.0 ? 1.0 / size : 1.0), repulsion, to);
    if (mote_shell_layer_settle(s->layer, to, s->moved_weight + i)) continue;
    copy3(x, to);
    s->moved_weight[i] = s->layer->weight[i];
  }
}

// The cubic spline of the surface's dimension: 2 for surfaces, 1 for curves, of support 2 h.
static double surface_spline(double q, double h, int dimensions) {
  double unit = dimensions == 2 ? 10.0 / (7.0 * MOTE_PI * h * h) : 2.0 / (3.0 * h), rest = 2.0 - q;
  return q >= 2.0 ? 0.0 : unit * (q < 1.0 ? 1.0 - q * q * (1.5 - 0.75 * q) : 0.25 * rest * rest * rest);
}

static void measure_points(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const spread *s = data;
  double reach = SPREAD_REACH * s->layer->apart;
  const double *near[NEAR_MOST];
  for (size_t i = begin; i < end; ++i) {
    const double *x = s->layer->position + 3 * i;
    size_t count = mote_crowd_near(&s->crowd, x, reach, near, NEAR_MOST);
    double sum = 0.0;
    for (size_t k = 0; k < count; ++k) {
      double r = distance3(x, near[k]);
      sum += surface_spline(2.0 * r / reach, 0.5 * reach, s->layer->task->shape->dimensions - 1);
    }
    s->area[i] = 1.0 / sum;
  }
}

mote_result mote_shell_layer_spread(mote_shell_layer *layer, double *area, mote_error *error) {
  MOTE_ASSERT((layer->position != NULL && area != NULL) || layer->count == 0);
  const mote_shape *shape = layer->task->shape;
  spread s = {.layer = layer, .area = area};
  MOTE_TAKE(s.moved, layer->arena, 3 * layer->count, error);
  MOTE_TAKE(s.moved_weight, layer->arena, layer->count, error);
  for (size_t i = 0; i < 3 * layer->count; ++i) s.moved[i] = layer->position[i];
  MOTE_TRY(mote_crowd_create(&layer->task->env, layer->count, SPREAD_REACH * layer->apart, shape->dimensions,
                             &s.crowd, error));
  int most = shape->dimensions == 2 ? SPREAD_ROUNDS_2D : SPREAD_ROUNDS_3D;
  for (int round = 0; round < most; ++round) {
    s.kept = round / (round + 3.0);  // Nesterov 1983: as good as without in the square of the rounds
    mote_crowd_sort(&s.crowd, layer->position);
    mote_parallel_for(layer->task->env.threads, layer->count, 256, spread_points, &s);
    double *position = layer->position, *weight = layer->weight;
    layer->position = s.moved, layer->weight = s.moved_weight;
    s.moved = position, s.moved_weight = weight;
  }
  mote_crowd_sort(&s.crowd, layer->position);
  mote_parallel_for(layer->task->env.threads, layer->count, 256, measure_points, &s);
  mote_crowd_destroy(&s.crowd);
  return MOTE_OK;
}
