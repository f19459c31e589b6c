// Values at planes against a sum by brute force in double; weights that make them even.
#include "surface/plane_values.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "test.h"

#define N 40
#define RADIUS 2.0  // of the kernels

typedef struct layer {
  mote_arena arena, scratch;
  mote_point_set set;
  mote_surface_plane plane[N * N];
  mote_kernel_shape shape[N * N];
  uint32_t of[N * N], label[N * N];
  mote_kernel_shapes shapes;
  float value[N * N];
} layer;

static double noise(size_t k, uint64_t what) {
  return 2.0 * mote_random_uniform(5, what, k) - 1.0;
}

// A layer of N x N round kernels with uneven weights, flat planes half a spacing above.
static void make_layer(layer *l, double uneven, const mote_env *env) {
  static double x[3 * N * N];
  for (int k = 0; k < N * N; ++k) x[3 * k] = k % N, x[3 * k + 1] = k / N, x[3 * k + 2] = 0.25;
  mote_domain open = mote_domain_open(3);
  mote_surface_particles particles = {.position = x, .count = N * N};
  mote_point_set_opts opts = {.domain = &open, .spacing = 1.0, .origin_step = 1.0, .threads = 2};
  memset(l, 0, sizeof *l);
  l->arena = mote_arena_make(env), l->scratch = mote_arena_make(env);
  CHECK(mote_point_set_build(&particles, &opts, &l->arena, &l->scratch, &l->set, NULL) == MOTE_OK);
  const float g = (float)(1.0 / RADIUS);
  for (size_t p = 0; p < l->set.count; ++p) {
    // A shape's number is not its point's; number 0 is that of points inside, which is left out.
    l->of[p] = (uint32_t)(l->set.count - 1 - p);
    l->plane[l->of[p]] = (mote_surface_plane){{0.0f, 0.0f, 1.0f}, 0.5f};
    l->shape[l->of[p]] = (mote_kernel_shape){.G = {g, 0.0f, 0.0f, g, 0.0f, g}};
    l->shape[l->of[p]].weight = (float)(1.0 + uneven * noise(l->set.row[p], 0));
    l->label[p] = noise(l->set.row[p], 1) > 0.0;
  }
  l->shapes = (mote_kernel_shapes){.count = N * N, .shape = l->shape, .of = l->of};
}

static mote_ripple_set ripple_set(const layer *l, const uint32_t *label) {
  return (mote_ripple_set){
      .set = &l->set, .plane = l->plane, .label = label, .shapes = &l->shapes, .reach = 1.25 * RADIUS};
}

static void free_layer(layer *l) {
  mote_arena_destroy(&l->scratch);
  mote_arena_destroy(&l->arena);
}

static double sum_by_force(const layer *l, const uint32_t *label, size_t point) {
  double sum = 0.0;
  for (size_t p = 0; p < l->set.count; ++p) {
    if (l->of[p] == MOTE_SHAPE_INSIDE || (label != NULL && label[p] != label[point])) continue;
    double q2 = 0.0;
    for (int a = 0; a < 3; ++a) {
      double d = l->set.position[3 * point + a] + (a == 2 ? 0.5 : 0.0) - l->set.position[3 * p + a];
      q2 += d * d / (RADIUS * RADIUS);
    }
    double t = q2 < 1.0 ? 1.0 - q2 : 0.0;
    sum += (double)l->shape[l->of[p]].weight * (t * t) * (t * t);
  }
  return sum;
}

static void check_values(const mote_env *env) {
  static layer l;
  make_layer(&l, 0.3, env);
  for (int labelled = 0; labelled < 2; ++labelled) {
    const uint32_t *label = labelled ? l.label : NULL;
    mote_ripple_set on = ripple_set(&l, label);
    CHECK(mote_plane_values(&on, 1.0, 2, &l.scratch, l.value, NULL) == MOTE_OK);
    double most = 0.0;
    for (size_t p = 0; p < l.set.count; ++p) {
      most = fmax(most, fabs((double)l.value[l.of[p]] - sqrt(sqrt(sum_by_force(&l, label, p)))));
    }
    CHECK_NEAR(most, 0.0, 1e-5);
  }
  free_layer(&l);
}

static double spread_of_values(layer *l) {
  mote_ripple_set on = ripple_set(l, NULL);
  CHECK(mote_plane_values(&on, 1.0, 2, &l->scratch, l->value, NULL) == MOTE_OK);
  double sum = 0.0, square = 0.0, count = 0.0;
  for (size_t p = 0; p < l->set.count; ++p) {
    int x = (int)(l->set.row[p] % N), y = (int)(l->set.row[p] / N);
    if (x < 10 || x >= 30 || y < 10 || y >= 30) continue;
    double v = (double)l->value[l->of[p]];
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
    CHECK(mote_ripple_even(&on, 0.08, 2, &l.scratch, NULL) == MOTE_OK);
    if (kind == 0) CHECK(spread_of_values(&l) < 0.5 * before);
    for (size_t p = 0; p < l.set.count; ++p) {
      int x = (int)(l.set.row[p] % N), y = (int)(l.set.row[p] / N);
      if (x < 10 || x >= 30 || y < 10 || y >= 30) continue;
      shift = fmax(shift, fabs((double)l.shape[l.of[p]].shift[2]));
      weight = fmax(weight, fabs((double)l.shape[l.of[p]].weight - 1.0));
    }
    CHECK_NEAR(shift, 0.0, 1e-6);
    if (kind == 1) CHECK_NEAR(weight, 0.0, 1e-3);
    free_layer(&l);
  }
}

int main(void) {
  mote_env env = mote_env_resolve(NULL);
  check_values(&env);
  check_evened(&env);
  return test_end();
}
