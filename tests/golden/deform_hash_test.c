// Hashes of deformed meshes and of a motion: the same for 1 and 7 threads (with sanitizers 2), and on every
// compiler and machine.
#include <math.h>

#include "base/hash.h"
#include "deform_kit.h"
#include "test.h"

static const uint64_t expected[2] = {0x8a426cfae842e01e, 0x71e21ef5758354a4};

static uint64_t hash_of(size_t nodes, int threads) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, nodes, threads);
  if (!CHECK(d != NULL)) return 0;
  mote_pose pose = kit_pose(0.6, 0.8, 0.3);
  CHECK(mote_deform_set_pose(d, 1, &pose, NULL) == MOTE_OK);
  CHECK(mote_deform_solve(d, NULL, NULL, NULL) == MOTE_OK);
  size_t bytes = 3 * b.mesh.vertices * sizeof(double);
  double *x = malloc(bytes), *n = malloc(bytes);
  CHECK(mote_deform_read(d, x, n, NULL) == MOTE_OK);
  uint64_t hash = mote_hash_bytes(mote_hash_bytes(0, x, bytes), n, bytes);
  free(x), free(n);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
  return hash;
}

static const uint64_t expected_motion = 0xf69edb46b8ff2e6e;

static double ball(void *user, const double x[3], double t, double normal[3]) {
  (void)user, (void)t;
  const double d[3] = {x[0] - 3.0, x[1] - 1.4, x[2] - 2.0},
               length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  for (int k = 0; k < 3; ++k) normal[k] = d[k] / length;
  return length - 0.5;
}

// From rest to a bent state that has moved, around a ball.
static uint64_t hash_of_motion(int threads) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, 30, threads);
  if (!CHECK(d != NULL)) return 0;
  mote_pose pose = kit_pose(0.8, 0.6, 0.0);
  size_t n = 3 * mote_deform_nodes(d), bytes = n * sizeof(double);
  double *key = malloc(bytes), *x = malloc(bytes);
  CHECK(mote_deform_set_pose(d, 1, &pose, NULL) == MOTE_OK &&
        mote_deform_solve(d, NULL, NULL, NULL) == MOTE_OK);
  memcpy(key, mote_deform_state(d), bytes);
  for (size_t i = 0; i < n / 3; ++i) key[3 * i] += 6.0;
  const mote_deform_key keys[2] = {{0.0, mote_deform_rest(d), NULL, NULL}, {1.0, key, NULL, NULL}};
  const mote_deform_obstacle obstacle = {.distance = ball};
  mote_deform_motion_def def = mote_deform_motion_def_default();
  mote_deform_motion *m;
  def.deform = d, def.frames_max = 9;
  uint64_t hash = 0;
  if (CHECK(mote_deform_motion_create(&def, keys, 2, &obstacle, 1, &m, NULL) == MOTE_OK)) {
    CHECK(mote_deform_motion_solve(m, HUGE_VAL, NULL, NULL) == MOTE_OK);
    for (int k = 0; k <= 4; ++k) {
      CHECK(mote_deform_motion_evaluate(m, 0.25 * k, x, NULL, NULL, NULL) == MOTE_OK);
      hash = mote_hash_bytes(hash, x, bytes);
    }
    mote_deform_motion_destroy(m);
  }
  free(key), free(x);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
  return hash;
}

int main(void) {
  static const size_t nodes[2] = {60, 320};
  for (int k = 0; k < 2; ++k) {
    uint64_t one = hash_of(nodes[k], TEST_SHORT ? 2 : 1);
    TEST_LONG(CHECK(hash_of(nodes[k], 7) == one));
    if (!CHECK(one == expected[k])) fprintf(stderr, "    0x%016llx,\n", (unsigned long long)one);
  }
  uint64_t motion = hash_of_motion(TEST_SHORT ? 2 : 1);
  TEST_LONG(CHECK(hash_of_motion(2) == motion));
  TEST_LONG(CHECK(hash_of_motion(7) == motion));
  if (!CHECK(motion == expected_motion)) fprintf(stderr, "    0x%016llx\n", (unsigned long long)motion);
  return test_end();
}
