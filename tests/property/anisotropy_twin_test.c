// Random sets: the fast sums against YU11's equations as printed, by brute force in double; and the same bits
// for any number of threads.
#include <string.h>

#include "aniso_kit.h"
#include "test.h"

// Points of a packing with holes, sheets and loose ones, thinned at random.
static size_t make_set(uint64_t seed, double *x, uint32_t *label) {
  size_t n = 0;
  double keep = 0.4 + 0.6 * mote_random_uniform(seed, 0, 0);
  for (int k = 0; k < 11 * 11 * 11; ++k) {
    if (mote_random_uniform(seed, 1, (uint64_t)k) > keep) continue;
    int at[3] = {k % 11, k / 11 % 11, k / 121};
    if (at[2] > 6 && at[0] != 5) continue;
    for (int a = 0; a < 3; ++a) {
      x[3 * n + a] = at[a] + 0.3 * (2.0 * mote_random_uniform(seed, 2, 3 * (uint64_t)k + (uint64_t)a) - 1.0);
    }
    label[n++] = at[1] > 7 ? 1 : 0;
  }
  return n;
}

static void check_twin(uint64_t seed, bool labelled) {
  static double x[3 * 11 * 11 * 11];
  static uint32_t label[11 * 11 * 11];
  size_t n = make_set(seed, x, label);
  mote_surface_def def = aniso_def();
  def.keep_volume = false;
  def.reach = 2.1 + 2.0 * mote_random_uniform(seed, 3, 0);
  def.lone_neighbours = (int)(30.0 * mote_random_uniform(seed, 3, 1));
  def.smoothing = mote_random_uniform(seed, 3, 2);
  def.stretch = 1.5 + 4.0 * mote_random_uniform(seed, 3, 3);
  const uint32_t *l = labelled ? label : NULL;
  aniso_shapes s = aniso_of(&def, x, l, n, 2);
  double full = 4.0 / 3.0 * 3.14159265358979323846 * def.reach * def.reach * def.reach;
  size_t wrong_tags = 0;
  double shift = 0.0, G = 0.0;
  for (size_t i = 0; i < n; ++i) {
    aniso_twin t = aniso_twin_of(&def, x, l, n, i);
    bool near = t.count < def.tag_count * full || t.offset > def.tag_offset;
    wrong_tags += near != (s.near[i] != MOTE_NEAR_INSIDE);
    if (!near || s.near[i] == MOTE_NEAR_INSIDE) continue;
    for (int a = 0; a < 3; ++a) shift = fmax(shift, fabs((double)s.shape[i].shift[a] - t.shift[a]));
    for (int a = 0; a < 6; ++a) G = fmax(G, fabs((double)s.shape[i].G[a] - t.G[a]));
  }
  CHECK(s.result == MOTE_OK);
  CHECK(wrong_tags <= 1);  // a float may fall on the other side of a limit
  CHECK_NEAR(shift, 0.0, 1e-4);
  CHECK_NEAR(G, 0.0, 1e-3);  // G is at most stretch/scale
  aniso_free(&s);
}

static void check_threads(uint64_t seed) {
  static double x[3 * 11 * 11 * 11];
  static uint32_t label[11 * 11 * 11];
  size_t n = make_set(seed, x, label);
  mote_surface_def def = aniso_def();
  aniso_shapes one = aniso_of(&def, x, label, n, 1);
  for (int threads = 2; threads <= 7; threads += 5) {
    aniso_shapes many = aniso_of(&def, x, label, n, threads);
    CHECK(memcmp(one.shape, many.shape, n * sizeof *one.shape) == 0);
    CHECK(memcmp(one.near, many.near, n) == 0);
    aniso_free(&many);
  }
  aniso_free(&one);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 12; ++seed) check_twin(seed, seed % 2 == 0);
  for (uint64_t seed = 20; seed < 24; ++seed) check_threads(seed);
  return test_end();
}
