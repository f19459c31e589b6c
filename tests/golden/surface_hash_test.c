// Hashes of meshes of all methods: the same for 1, 2 and 7 threads, and on every compiler and machine.
#include "base/hash.h"
#include "field_kit.h"
#include "test.h"

static const uint64_t expected[MOTE_SURFACE_METHODS] = {
    0x7e49ca898db9701a, 0x11b84a99c525c512, 0x7dd99bfadf4c3939,
    0x7ea93b2f10c3bbbf, 0x0b8c4ec8eaca3d4e, 0xda710ce5189b2112,
};

static uint64_t hash_of(mote_surface_method method, const field_kit_set *set, int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_surface_def def = mote_surface_def_default();
  def.method = method;
  def.spacing = 1.0;
  def.grid_smoothing = method == MOTE_SURFACE_ZHU_BRIDSON ? 2 : 0;
  def.root_steps = method == MOTE_SURFACE_MASS ? 3 : 0;
  def.clip_high[2] = 15.2;
  mote_surfacer *surfacer;
  mote_surface surface = {0};
  if (!CHECK(mote_surfacer_create(&def, &env, &surfacer, NULL) == MOTE_OK)) return 0;
  mote_surface_particles particles = {.position = set->x, .count = set->count};
  CHECK(mote_surfacer_build(surfacer, &particles, &surface, NULL) == MOTE_OK);
  uint64_t hash = mote_hash_bytes(0, surface.mesh.vertex, 3 * surface.mesh.vertices * sizeof(double));
  hash = mote_hash_bytes(hash, surface.mesh.triangle, 3 * surface.mesh.triangles * sizeof(uint32_t));
  hash = mote_hash_bytes(hash, surface.normal, 3 * surface.mesh.vertices * sizeof(float));
  mote_surface_free(&surface, &env);
  mote_surfacer_destroy(surfacer);
  return hash;
}

int main(void) {
  field_kit_set set = field_kit_everything(9, 0.15);
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    uint64_t one = hash_of((mote_surface_method)m, &set, TEST_SHORT ? 2 : 1);
    TEST_LONG(CHECK(hash_of((mote_surface_method)m, &set, 2) == one));
    TEST_LONG(CHECK(hash_of((mote_surface_method)m, &set, 7) == one));
    if (!CHECK(one == expected[m])) fprintf(stderr, "    0x%016llx,\n", (unsigned long long)one);
  }
  free(set.x);
  return test_end();
}
