// Hashes of deformed meshes: the same for 1, 2 and 7 threads, and on every compiler and machine.
#include "base/hash.h"
#include "deform_kit.h"
#include "test.h"

static const uint64_t expected[2] = {0x69eeac81cf2a2e53, 0x0dcb9e06bb51ffa8};

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

int main(void) {
  static const size_t nodes[2] = {60, 320};
  for (int k = 0; k < 2; ++k) {
    uint64_t one = hash_of(nodes[k], 1);
    CHECK(hash_of(nodes[k], 2) == one);
    CHECK(hash_of(nodes[k], 7) == one);
    if (!CHECK(one == expected[k])) fprintf(stderr, "    0x%016llx,\n", (unsigned long long)one);
  }
  return test_end();
}
