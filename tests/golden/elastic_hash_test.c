// Elastic bodies give the same bits on every machine: rest shape, explicit and implicit steps, plastic flow,
// all laws, 2D and 3D, both orders, analytic gradients, and a renewed reference.
#include <inttypes.h>

#include "../unit/elastic/elastic_kit.h"
#include "base/hash.h"
#include "elastic/elastic_explicit.h"
#include "elastic/elastic_implicit.h"
#include "elastic/elastic_stiffness.h"

static uint64_t add(uint64_t hash, const double *a, size_t n) {
  return mote_hash_bytes(hash, a, n * sizeof *a);
}

static uint64_t hash_body(uint64_t hash, int dimensions, int order, int law, mote_elastic_gradients gradient,
                          int threads) {
  mote_elastic_def def = kit_def(dimensions, order, 1e6, 0.3);
  def.gradient = gradient;
  def.kind = (mote_elastic_kind)law, def.volume_stiffness = 1e5;
  def.damping = 1e-4;
  elastic_kit kit = kit_make(def, 7, 6, dimensions == 3 ? 5 : 1, 0.2, (const double[3]){1.0, 2.0, 3.0});
  kit.body->env.threads = threads;
  double *plastic = kit_array(6 * kit.count);
  mote_elastic_motion motion = kit_motion(&kit);
  if (law == MOTE_ELASTIC_SAINT_VENANT) motion.plastic = plastic;
  for (size_t k = 0; k < 3 * kit.count; ++k)
    kit.v[k] = k % 3 < (size_t)dimensions ? 3.0 * kit_random(1, k) : 0.0;
  mote_elastic_frequency pitch;
  CHECK(mote_elastic_frequency_find(kit.body, 20, &pitch, NULL) == MOTE_OK);
  double dt = 0.5 * mote_elastic_step_limit(kit.body, &pitch, 1.2);
  for (int s = 0; s < 10; ++s) mote_elastic_explicit_step(kit.body, &motion, NULL, dt, kit.force);
  const mote_plastic_law flow = {.yield = 0.01, .rate = 50.0, .most = 0.2};
  if (motion.plastic != NULL) CHECK(mote_elastic_flow(kit.body, &flow, &motion, 0.01) > 0);
  mote_elastic_implicit_def implicit = mote_elastic_implicit_def_default();
  mote_elastic_implicit *solver = NULL;
  CHECK(mote_elastic_implicit_create(&implicit, kit.body, &solver, NULL) == MOTE_OK);
  for (int s = 0; s < 2; ++s) {
    CHECK(mote_elastic_implicit_step(solver, &motion, NULL, 0.002, NULL, NULL) == MOTE_OK);
  }
  hash = add(hash, &pitch.found, 1);
  hash = add(hash, plastic, 6 * kit.count);
  hash = add(hash, kit.x, 3 * kit.count);
  hash = add(hash, kit.v, 3 * kit.count);
  mote_elastic_implicit_destroy(solver);
  free(plastic);
  kit_free(&kit);
  return hash;
}

static uint64_t hash_everything(mote_elastic_gradients gradient, int threads) {
  uint64_t hash = 0;
  for (int c = 0; c < 4 * MOTE_ELASTIC_KINDS; ++c)
    hash = hash_body(hash, 2 + c % 2, 1 + c / 2 % 2, c / 4, gradient, threads);
  return hash;
}

// A body twisted until it has flowed far, its next reference, and the forces relative to that.
static uint64_t hash_renewal(int threads) {
  elastic_kit kit = kit_make(kit_def(3, 1, 1e6, 0.3), 8, 6, 5, 0.2, (const double[3]){1.0, 2.0, 3.0});
  const mote_plastic_law flow = {.yield = 0.01, .rate = HUGE_VAL, .most = HUGE_VAL};
  double *plastic = kit_array(16 * kit.count);
  mote_elastic_reference reference = {plastic + 6 * kit.count, plastic + 9 * kit.count,
                                      plastic + 15 * kit.count};
  mote_elastic_motion motion = kit_motion(&kit);
  mote_elastic *next = NULL;
  uint64_t hash = 0;
  kit.body->env.threads = threads;
  motion.plastic = plastic;
  for (size_t i = 0; i < kit.count; ++i) {
    double *x = kit.x + 3 * i, a = x[0] - 1.0, b = x[1] - 2.0, c = x[2] - 3.0;
    copy3(x, reference.position + 3 * i);
    set3(1.0 + a * (1.0 + b), 2.0 + b * (1.0 - 0.5 * a) + 0.3 * c, 3.0 + c + 2.0 * a * b, x);
  }
  CHECK(mote_elastic_flow(kit.body, &flow, &motion, 0.01) > 0);
  CHECK(mote_elastic_renew(kit.body, kit.body, 0.2, &motion, &reference, &next, NULL) == MOTE_OK &&
        next != NULL);
  mote_elastic_forces(next, &motion, kit.force);
  hash = add(add(hash, plastic, 16 * kit.count), kit.force, 3 * kit.count);
  mote_elastic_destroy(next);
  free(plastic);
  kit_free(&kit);
  return hash;
}

int main(void) {
  const uint64_t renewed = 0x493c8cb8c26bc738;
  const uint64_t expected[MOTE_ELASTIC_GRADIENTS] = {0x6cc9ef14fa777644, 0xb2019ba6e17305c1};
  const int threads[] = {1, 2, 7};
  for (int c = 0; c < 3 * MOTE_ELASTIC_GRADIENTS; ++c) {
    uint64_t hash = hash_everything((mote_elastic_gradients)(c / 3), threads[c % 3]);
    if (!CHECK(hash == expected[c / 3]))
      fprintf(stderr, "%d threads: 0x%016" PRIx64 "\n", threads[c % 3], hash);
  }
  for (int c = 0; c < 3; ++c) {
    uint64_t hash = hash_renewal(threads[c]);
    if (!CHECK(hash == renewed)) fprintf(stderr, "renewed, %d threads: 0x%016" PRIx64 "\n", threads[c], hash);
  }
  return test_end();
}
