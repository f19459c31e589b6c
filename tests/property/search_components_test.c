// Connected components equal a brute-force flood fill over random sets, open and periodic, 1D to 3D; and the
// labels come in the order of first points.
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "base/random.h"
#include "search/components.h"
#include "test.h"

#define MOST 250

static void flood(const mote_domain *domain, const double *x, size_t count, double distance, uint32_t *label,
                  uint32_t from, uint32_t name) {
  uint32_t stack[MOST], depth = 0;
  stack[depth++] = from;
  label[from] = name;
  while (depth > 0) {
    uint32_t i = stack[--depth];
    for (uint32_t j = 0; j < count; ++j) {
      double d[3];
      mote_domain_difference(domain, x + 3 * i, x + 3 * j, d);
      if (label[j] != UINT32_MAX || d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > distance * distance) continue;
      label[j] = name;
      stack[depth++] = j;
    }
  }
}

static size_t brute_force(const mote_domain *domain, const double *x, size_t count, double distance,
                          uint32_t *label) {
  uint32_t components = 0;
  for (size_t i = 0; i < count; ++i) label[i] = UINT32_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    if (label[i] == UINT32_MAX) flood(domain, x, count, distance, label, i, components++);
  }
  return components;
}

static void check_seed(uint64_t seed) {
  double x[3 * MOST] = {0};
  int dimensions = 1 + (int)(seed % 3);
  size_t count = seed % 11 == 0 ? seed / 11 % 3 : MOST;
  for (size_t i = 0; i < count; ++i) {
    for (int a = 0; a < dimensions; ++a) x[3 * i + a] = mote_random_between(seed, (uint64_t)a, i, 0, 1);
    if (seed % 4 == 0 && i % 3 == 0) x[3 * i] *= 0.01;  // clusters
  }
  mote_domain domain = mote_domain_open(dimensions);
  for (int a = 0; a < 3; ++a) domain.periodic[a] = seed >> a & 8, domain.low[a] = 0, domain.high[a] = 1;
  double spacing = dimensions == 1 ? 1.0 / MOST : dimensions == 2 ? 1.0 / 16 : 1.0 / 6;
  double distance = spacing * mote_random_between(seed, 5, 0, 0.4, 1.6);
  uint32_t label[MOST], expected[MOST];
  size_t components = 0;
  mote_env env = mote_env_default();
  env.threads = 1 + (int)(seed % 2) * 6;
  CHECK(mote_components(&domain, x, count, distance, &env, label, &components, NULL) == MOTE_OK);
  CHECK(components == brute_force(&domain, x, count, distance, expected));
  CHECK(count == 0 || memcmp(label, expected, count * sizeof *label) == 0);
}

// A sheet drawn out to 2 is whole though its points are farther apart than the distance; two blocks as far
// from each other stay two.
static void sparse_points_are_linked_farther(void) {
  enum { SIDE = 5 };
  double sheet[3 * SIDE * SIDE] = {0}, blocks[3 * 2 * SIDE * SIDE * SIDE] = {0};
  uint32_t label[2 * SIDE * SIDE * SIDE];
  size_t n = 0, components;
  for (int i = 0; i < SIDE * SIDE; ++i) sheet[3 * i] = 2.0 * (i % SIDE), sheet[3 * i + 1] = 2.0 * (i / SIDE);
  for (int i = 0; i < 2 * SIDE * SIDE * SIDE; ++i, n += 3) {
    int k = i % (SIDE * SIDE * SIDE);
    blocks[n] = k % SIDE + (i == k ? 0.0 : SIDE + 1.0), blocks[n + 1] = k / SIDE % SIDE,
    blocks[n + 2] = k / (SIDE * SIDE);
  }
  mote_domain domain = mote_domain_open(3);
  mote_link_rule rule = {.distance = 1.5, .sparse_distance = 2.4, .sparse_neighbours = 4};
  CHECK(mote_components_linked(&domain, sheet, SIDE * SIDE, &rule, NULL, label, &components, NULL) ==
        MOTE_OK);
  CHECK(components == 1);
  CHECK(mote_components_linked(&domain, blocks, n / 3, &rule, NULL, label, &components, NULL) == MOTE_OK);
  CHECK(components == 2);
  rule.sparse_distance = 0.0;
  CHECK(mote_components_linked(&domain, sheet, SIDE * SIDE, &rule, NULL, label, &components, NULL) ==
        MOTE_OK);
  CHECK(components == SIDE * SIDE);
}

static void bad_input_is_refused(void) {
  double x[3] = {(double)NAN, 0, 0};
  uint32_t label;
  size_t components;
  mote_domain domain = mote_domain_open(3);
  CHECK(mote_components(&domain, x, 1, 1, NULL, &label, &components, NULL) == MOTE_ERROR_ARGUMENT);
  x[0] = 0;
  CHECK(mote_components(&domain, x, 1, -1, NULL, &label, &components, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_components(NULL, x, 1, 1, NULL, &label, &components, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_components(&domain, x, 1, 1, NULL, NULL, &components, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_components(&domain, x, 1, 1, NULL, &label, &components, NULL) == MOTE_OK && components == 1 &&
        label == 0);
}

int main(void) {
  for (uint64_t seed = 0; seed < 240; ++seed) check_seed(seed);
  sparse_points_are_linked_farther();
  bad_input_is_refused();
  return test_end();
}
