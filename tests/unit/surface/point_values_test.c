// The field at the particles, against the sums of YU11 (2.4)-(2.7) written down, and which of the images of a
// particle it is itself.
#include <math.h>
#include <mote/numeric.h>

#include "surface/surface_depth.h"
#include "test.h"

enum { N = 400 };

static double x[N][3];

// r_mean - |x - x_mean| over d with weights (1 - q^2)^3.
static double expected_at(const mote_point_set *set, const float *radius, double support,
                          const double at[3]) {
  double w_sum = 0.0, r_sum = 0.0, mean[3] = {0.0, 0.0, 0.0};
  for (size_t p = 0; p < set->count; ++p) {
    const double *y = set->position + 3 * p;
    double q2 = ((at[0] - y[0]) * (at[0] - y[0]) + (at[1] - y[1]) * (at[1] - y[1]) +
                 (at[2] - y[2]) * (at[2] - y[2])) /
                (support * support);
    double t = q2 < 1.0 ? 1.0 - q2 : 0.0, w = t * t * t;
    w_sum += w, r_sum += w * (double)radius[p];
    for (int a = 0; a < 3; ++a) mean[a] += w * y[a];
  }
  double square = 0.0;
  for (int a = 0; a < 3; ++a) square += (at[a] - mean[a] / w_sum) * (at[a] - mean[a] / w_sum);
  return (r_sum / w_sum - sqrt(square)) / set->spacing;
}

static void test_values(bool periodic) {
  mote_env env = mote_env_default();
  mote_arena arena = mote_arena_make(&env), scratch = mote_arena_make(&env);
  mote_domain domain = mote_domain_open(3);
  for (int a = 0; a < 2 && periodic; ++a)
    domain.periodic[a] = true, domain.low[a] = -2.0, domain.high[a] = 2.0;
  for (size_t i = 0; i < N; ++i) {
    for (int a = 0; a < 3; ++a) x[i][a] = 4.0 * mote_random_uniform(3, (uint64_t)a, i) - 2.0;
  }
  mote_surface_particles particles = {.position = x[0], .count = N};
  mote_point_set_opts opts = {
      .domain = &domain, .spacing = 0.5, .pad = 1.0, .origin_step = 2.0, .threads = env.threads};
  mote_point_set set;
  CHECK(mote_point_set_build(&particles, &opts, &arena, &scratch, &set, NULL) == MOTE_OK);
  CHECK(periodic ? set.count > N : set.count == N);
  float *radius = mote_arena_take(&arena, set.count, sizeof *radius);
  float *value = mote_arena_take(&arena, set.count, sizeof *value);
  uint8_t *near = mote_arena_take(&arena, set.count, 1);
  uint32_t *point = mote_arena_take(&arena, N, sizeof *point);
  for (size_t p = 0; p < set.count; ++p) {
    radius[p] = 0.2f + 0.001f * (float)(set.row[p] % 100), value[p] = 99.0f, near[p] = p % 3 != 0;
  }
  mote_kernel_field field = {
      .set = &set, .bump = MOTE_BUMP_MEAN, .support = 1.0, .weight = radius, .outside = -1.0};
  CHECK(mote_kernel_field_bound(&field, &env, &arena, NULL) == MOTE_OK);
  for (int a = 0; a < 3; ++a) field.clip_low[a] = -0.1, field.clip_high[a] = 0.1;  // not to be seen
  field.inside = HUGE_VAL, field.clip_slope = 1.0;
  mote_kernel_list list[2];
  env.threads = 2;
  for (int k = 0; k < 2; ++k) list[k] = (mote_kernel_list){.env = env};
  CHECK(mote_values_at_points(&field, 0.3, near, list, &env, value, NULL) == MOTE_OK);
  for (int k = 0; k < 2; ++k) mote_kernel_list_free(&list[k]);
  for (size_t p = 0; p < set.count; ++p) {
    double wanted = near[p] ? expected_at(&set, radius, 1.0, set.position + 3 * p) : 99.0;
    CHECK_NEAR((double)value[p], wanted, 2e-5);  // floats of kernels' centres
  }
  mote_points_of_particles(&set, &domain, point);
  for (size_t i = 0; i < N; ++i) {
    CHECK(set.row[point[i]] == i);
    for (int a = 0; a < 3; ++a)
      CHECK_NEAR(set.position[3 * point[i] + (size_t)a] + set.origin[a], x[i][a], 1e-12);
  }
  mote_arena_destroy(&scratch);
  mote_arena_destroy(&arena);
}

int main(void) {
  test_values(false);
  test_values(true);
  return test_end();
}
