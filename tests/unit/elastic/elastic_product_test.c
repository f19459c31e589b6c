// The stiffness in single precision against the one in double precision: all laws, dimensions, orders and
// gradients; threads.
#include "elastic/elastic_product.h"

#include "elastic/elastic_stiffness.h"
#include "elastic_kit.h"

static void check(int c, bool definite) {
  int d = 2 + c % 2, order = 1 + c / 2 % 2;
  mote_elastic_def def = kit_def(d, order, 1e6, 0.3);
  def.kind = (mote_elastic_kind)(c / 4 % 3), def.young = 1e6, def.poisson = 0.3;
  def.volume_stiffness = c % 24 < 12 ? 0.0 : 1e5;
  def.gradient = c < 24 ? MOTE_ELASTIC_DIRECT : MOTE_ELASTIC_ANALYTIC;
  elastic_kit kit = kit_make(def, 6, 5, d == 3 ? 4 : 1, 0.2, (const double[3]){0.0, 0.0, 0.0});
  size_t n = 3 * kit.count;
  double *dir = kit_array(n), *exact = kit_array(n), *out = kit_array(n), *again = kit_array(n);
  for (size_t k = 0; k < n; ++k) {
    if (d == 2 && k % 3 == 2) continue;
    kit.x[k] += 0.1 * KIT_SPACING * kit_random(9, k);
    dir[k] = kit_random(10, k);
  }
  mote_elastic_motion motion = kit_motion(&kit);
  mote_elastic_tangent *tangent = calloc(kit.count, sizeof *tangent);
  mote_elastic_product product;
  CHECK(mote_elastic_product_init(&product, kit.body, &kit.body->memory, NULL) == MOTE_OK);
  CHECK(mote_elastic_stiffness_make(kit.body, &motion, definite, tangent));
  CHECK(mote_elastic_product_make(&product, &motion, definite));
  mote_elastic_stiffness_apply(kit.body, tangent, kit.x, dir, exact);
  kit.body->env.threads = 1;
  mote_elastic_product_apply(&product, dir, out);
  kit.body->env.threads = 3;
  mote_elastic_product_apply(&product, dir, again);
  CHECK(memcmp(out, again, n * sizeof *out) == 0);
  double most = kit_largest(exact, n);
  for (size_t k = 0; k < n; ++k) CHECK_NEAR(out[k], exact[k], 1e-5 * most);  // 100 roundings of a float
  free(dir), free(exact), free(out), free(again), free(tangent);
  kit_free(&kit);
}

int main(void) {
  for (int c = 0; c < 56; ++c) check(c / 2, c % 2 == 1);
  return test_end();
}
