// Values at planes against a sum by brute force in double; weights that make them even.
#include "surface/plane_values.h"

#include <math.h>
#include <mote/numeric.h>

#include "layer_kit.h"

#define RADIUS 2.0  // of the kernels

typedef struct layer {
  layer_kit kit;
  mote_kernel_shapes shapes;
  float value[LAYER_POINTS];
} layer;

static double noise(size_t k, uint64_t what) {
  return 2.0 * mote_random_uniform(5, what, k) - 1.0;
}

// Round kernels with uneven weights, flat planes half a spacing above.
static void make_layer(layer *l, double uneven, const mote_env *env) {
  layer_kit *kit = &l->kit;
  layer_kit_begin(kit, env);
  const float g = (float)(1.0 / RADIUS);
  for (size_t p = 0; p < LAYER_POINTS; ++p) {
    // A shape's number is not its point's; number 0 is that of points inside, which is left out.
    kit->of[p] = (uint32_t)(LAYER_POINTS - 1 - p);
    kit->plane[kit->of[p]] = (mote_surface_plane){{0.0f, 0.0f, 1.0f}, 0.5f};
    kit->shape[kit->of[p]] = (mote_kernel_shape){.G = {g, 0.0f, 0.0f, g, 0.0f, g}};
    kit->shape[kit->of[p]].weight = (float)(1.0 + uneven * noise(kit->set.row[p], 0));
    kit->label[p] = noise(kit->set.row[p], 1) > 0.0;
  }
  l->shapes = (mote_kernel_shapes){.count = LAYER_POINTS, .shape = kit->shape, .of = kit->of};
}

static mote_ripple_set ripple_set(const layer *l, const uint32_t *label) {
  return (mote_ripple_set){.set = &l->kit.set,
                           .plane = l->kit.plane,
                           .label = label,
                           .shapes = &l->shapes,
                           .reach = 1.25 * RADIUS};
}

static double sum_by_force(const layer *l, const uint32_t *label, size_t point) {
  double sum = 0.0;
  for (size_t p = 0; p < LAYER_POINTS; ++p) {
    if (l->kit.of[p] == MOTE_SHAPE_INSIDE || (label != NULL && label[p] != label[point])) continue;
    double q2 = 0.0;
    for (int a = 0; a < 3; ++a) {
      double d = l->kit.set.position[3 * point + a] + (a == 2 ? 0.5 : 0.0) - l->kit.set.position[3 * p + a];
      q2 += d * d / (RADIUS * RADIUS);
    }
    double t = q2 < 1.0 ? 1.0 - q2 : 0.0;
    sum += (double)l->kit.shape[l->kit.of[p]].weight * (t * t) * (t * t);
  }
  return sum;
}

static void check_values(const mote_env *env) {
  static layer l;
  make_layer(&l, 0.3, env);
  for (int labelled = 0; labelled < 2; ++labelled) {
    const uint32_t *label = labelled ? l.kit.label : NULL;
    mote_ripple_set on = ripple_set(&l, label);
    CHECK(mote_plane_values(&on, 1.0, 2, &l.kit.scratch, l.value, NULL) == MOTE_OK);
    double most = 0.0;
    for (size_t p = 0; p < LAYER_POINTS; ++p) {
      most = fmax(most, fabs((double)l.value[l.kit.of[p]] - sqrt(sqrt(sum_by_force(&l, label, p)))));
    }
    CHECK_NEAR(most, 0.0, 1e-5);
  }
  layer_kit_end(&l.kit);
}

static double spread_of_values(layer *l) {
  mote_ripple_set on = ripple_set(l, NULL);
  CHECK(mote_plane_values(&on, 1.0, 2, &l->kit.scratch, l->value, NULL) == MOTE_OK);
  double sum = 0.0, square = 0.0, count = 0.0;
  for (size_t p = 0; p < LAYER_POINTS; ++p) {
    if (!layer_kit_inner(&l->kit, p)) continue;
    double v = (double)l->value[l->kit.of[p]];
    sum += v, square += v * v, count += 1.0;
  }
  return sqrt(square / count - sum / count * (sum / count));
}

// Weights that differ at random make values that do; after evening, less than half of it is left. Even ones
// stay, and nothing moves.
static void check_evened(const mote_env *env) {
  static layer l;
  for (int kind = 0; kind < 2; ++kind) {
    make_layer(&l, kind == 0 ? 0.3 : 0.0, env);
    double before = spread_of_values(&l), shift = 0.0, weight = 0.0;
    mote_ripple_set on = ripple_set(&l, NULL);
    CHECK(mote_ripple_even(&on, 0.08, 2, &l.kit.scratch, NULL) == MOTE_OK);
    if (kind == 0) CHECK(spread_of_values(&l) < 0.5 * before);
    for (size_t p = 0; p < LAYER_POINTS; ++p) {
      if (!layer_kit_inner(&l.kit, p)) continue;
      shift = fmax(shift, fabs((double)l.kit.shape[l.kit.of[p]].shift[2]));
      weight = fmax(weight, fabs((double)l.kit.shape[l.kit.of[p]].weight - 1.0));
    }
    CHECK_NEAR(shift, 0.0, 1e-6);
    if (kind == 1) CHECK_NEAR(weight, 0.0, 1e-3);
    layer_kit_end(&l.kit);
  }
}

int main(void) {
  mote_env env = mote_env_resolve(NULL);
  check_values(&env);
  check_evened(&env);
  return test_end();
}
