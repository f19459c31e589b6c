// Broad phase: pairs from the grid against comparison of all pairs.
#include "contact/contact_narrow.h"
#include "contact/tuning.inc"
#include "contact_kit.h"

static double uniform(uint64_t stream, uint64_t k) {
  return mote_random_uniform(7, stream, k);
}

// Balls of many sizes, some fast, a few large, one unbounded obstacle.
static void make_scene(mote_contact_scene *scene, mote_obstacle *obstacle, size_t bodies, uint64_t seed) {
  *scene = (mote_contact_scene){.obstacle = obstacle,
                                .bodies = bodies,
                                .obstacles = bodies + 3,
                                .dt = 1e-3,
                                .spacing = 0.02,
                                .dimensions = 3,
                                .threads = 2};
  for (uint64_t k = 0; k < scene->obstacles; ++k) {
    obstacle[k] = (mote_obstacle){.radius = 0.01 + 0.02 * uniform(seed, 9 * k)};
    for (uint64_t a = 0; a < 3; ++a) {
      obstacle[k].x[a] = uniform(seed, 9 * k + 1 + a);
      obstacle[k].v[a] = k % 7 == 0 ? 40.0 * uniform(seed, 9 * k + 4 + a) : 0.1;
    }
    if (k % 50 == 3) obstacle[k].radius = 0.3;
  }
  obstacle[bodies + 1].radius = HUGE_VAL;
}

static void change_speed(const mote_contact_scene *scene, double factor, mote_contact_cache *cache) {
  for (size_t k = 0; k < scene->obstacles; ++k) {
    for (int a = 0; a < 3; ++a) scene->obstacle[k].v[a] *= factor;
    cache[k] = mote_contact_cache_of(scene, scene->obstacle + k);
  }
}

static void test_twin(size_t bodies, uint64_t seed) {
  static mote_obstacle obstacle[700];
  static mote_contact_cache cache[700];
  static uint8_t changed[700];
  mote_env env = mote_env_default();
  mote_contact_scene scene;
  mote_contact_pairs pairs = {0};
  mote_contact_pair_list list = {0};
  make_scene(&scene, obstacle, bodies, seed);
  change_speed(&scene, 1.0, cache);
  for (size_t k = 0; k < scene.obstacles; ++k) changed[k] = uniform(seed, 9 * k + 8) < 0.3;
  for (int round = 0; round < 4; ++round) {  // memory is reused; then the lists, which suffice or do not
    if (round >= 2) change_speed(&scene, round == 2 ? 0.5 : 4.0, cache);
    CHECK(mote_contact_pairs_find(&pairs, &scene, cache, round >= 2, &env, NULL) == MOTE_OK);
    for (size_t a = 0; a < bodies; ++a) {
      size_t next = 0;
      const uint8_t *marked = round % 2 != 0 ? changed : NULL;
      CHECK(mote_contact_pairs_of(&pairs, &scene, marked, a, &env, &list, NULL) == MOTE_OK);
      for (size_t b = a + 1; b < scene.obstacles; ++b) {
        double reach = obstacle[a].radius + obstacle[b].radius + cache[a].farthest + cache[b].farthest;
        reach += MOTE_CONTACT_MARGIN * scene.spacing;
        bool asked = marked == NULL || changed[a] || changed[b];
        bool within = asked && !(distance3(obstacle[a].x, obstacle[b].x) > reach);
        bool found = next < list.count && list.pair[next].a == a && list.pair[next].b == b;
        CHECK(within == found);
        next += found;
      }
      CHECK(next == list.count);
    }
  }
  mote_free(&env, list.pair, list.capacity, sizeof *list.pair);
  mote_contact_pairs_free(&pairs, &env);
}

int main(void) {
  test_twin(600, 1);
  test_twin(40, 2);
  test_twin(1, 3);
  test_twin(0, 4);
  return test_end();
}
