// A renewed reference after plastic flow: stresses persist, neighbours follow the flow, separate legs are not
// joined, impossible references are refused.
#include <string.h>

#include "abuse.h"
#include "elastic_kit.h"
#include "material/plastic_law.h"

static const double here[3] = {0.0, 0.0, 0.0};

// A body with its reference.
typedef struct flowing {
  elastic_kit kit;
  double *plastic, *position, *metric, *flowed;
} flowing;

static flowing begin(elastic_kit kit) {
  flowing f = {kit, kit_array(6 * kit.count), kit_array(3 * kit.count), kit_array(6 * kit.count),
               kit_array(kit.count)};
  memcpy(f.position, kit.rest, 3 * kit.count * sizeof *f.position);
  return f;
}

static void end(flowing *f) {
  free(f->plastic), free(f->position), free(f->metric), free(f->flowed);
  kit_free(&f->kit);
}

static mote_elastic_motion motion_of(flowing *f) {
  return (mote_elastic_motion){.position = f->kit.x, .velocity = f->kit.v, .plastic = f->plastic};
}

static mote_elastic_reference reference_of(flowing *f) {
  return (mote_elastic_reference){f->position, f->metric, f->flowed};
}

static mote_elastic *renew(flowing *f, mote_elastic *body, double strain) {
  mote_elastic_motion motion = motion_of(f);
  mote_elastic_reference reference = reference_of(f);
  mote_elastic *next = NULL;
  mote_error error = {0};
  if (!CHECK(mote_elastic_renew(f->kit.body, body, strain, &motion, &reference, &next, &error) == MOTE_OK))
    fprintf(stderr, "%s: %s\n", error.key, error.text);
  return next;
}

// Instantaneous flow beyond this strain.
static void flow(flowing *f, mote_elastic *body, double yield) {
  mote_elastic_motion motion = motion_of(f);
  mote_plastic_law law = {yield, HUGE_VAL, HUGE_VAL};
  CHECK(mote_elastic_flow_for(body, &law, &motion, 1.0, NULL, NULL) == MOTE_OK);
}

static double largest_difference(const double *a, const double *b, size_t count) {
  double most = 0.0;
  for (size_t k = 0; k < count; ++k) most = max2(most, fabs(a[k] - b[k]));
  return most;
}

// Uniform flow with rotation: the same neighbours with the same weights, no flow since, the same forces. The
// new reference is the body without its elastic strain.
static void test_even(void) {
  for (int c = 0; c < 8; ++c) {
    int d = 2 + c / 2 % 2;
    mote_elastic_def def = kit_def(d, 1 + c % 2, 1e6, 0.3);
    def.gradient = c < 4 ? MOTE_ELASTIC_DIRECT : MOTE_ELASTIC_ANALYTIC;
    flowing f = begin(kit_make(def, 7, 6, d == 3 ? 5 : 1, 0.1, here));
    mote_elastic *rest = f.kit.body;
    double A[9] = {1.6, 0.4, 0, -0.2, 0.575, 0, 0, 0, 1.0};  // of determinant 1
    kit_map(&f.kit, A, here);
    flow(&f, rest, 0.02);
    CHECK(renew(&f, rest, 2.0) == NULL);  // it has not flowed by so much
    mote_elastic_motion motion = motion_of(&f);
    double flowed = mote_plastic_size(f.plastic);
    mote_elastic_forces(rest, &motion, f.kit.force);
    mote_elastic_energies before = mote_elastic_stored(rest, &motion);
    double *force = kit_array(3 * f.kit.count), most = kit_largest(f.kit.force, 3 * f.kit.count);
    mote_elastic *next = renew(&f, rest, 0.1);
    CHECK(next != NULL && next->pairs == rest->pairs);
    for (size_t k = 0; k < rest->pairs; ++k) {
      CHECK(next->neighbour[k] == rest->neighbour[k]);
      CHECK_NEAR(next->pair[k].weight, rest->pair[k].weight, 1e-7);
    }
    mote_elastic_forces(next, &motion, force);
    mote_elastic_energies after = mote_elastic_stored(next, &motion);
    CHECK_NEAR(after.strain, before.strain, 1e-9 * before.strain);
    CHECK(after.hourglass < 1e-6 * before.strain);
    // The choice of omitted second derivatives, and slopes of weights, depend on lengths before the flow.
    bool exact = def.order == 1 && def.gradient == MOTE_ELASTIC_DIRECT;
    CHECK(!exact || largest_difference(force, f.kit.force, 3 * f.kit.count) < 1e-6 * most);
    for (size_t i = 0; i < f.kit.count; ++i) {  // in plane strain the flow normal to the plane stays
      const double *p = f.plastic + 6 * i;
      CHECK(fabs(p[0]) < 1e-6 && fabs(p[1]) < 1e-6 && fabs(p[3]) < 1e-6);
      CHECK(d == 3 ? fabs(p[5]) < 1e-6 : fabs(f.metric[6 * i + 5]) < 1e-12);
      CHECK_NEAR(mote_plastic_total(p, f.metric + 6 * i), flowed, 1e-6);
    }
    CHECK(largest_difference(f.position, f.kit.x, 3 * f.kit.count) < 0.03 * 0.6);  // of its elastic strain
    CHECK(renew(&f, next, 0.1) == NULL);
    mote_elastic_destroy(next);
    free(force);
    end(&f);
  }
}

// Fe Fe^T, which determines the stress.
static void find_stretches(mote_elastic *body, const mote_elastic_motion *motion, double *out) {
  mote_elastic_fit(body, motion->position, true, body->fit);
  for (size_t i = 0; i < body->count; ++i) {
    double g[9], F[9];
    mote_green_part part = mote_green_part_make(&body->law, motion->plastic + 6 * i);
    mote_elastic_gradient(body, body->fit, i, g);
    mote_green_part_within(&part, g, F);
    F[0] += 1.0, F[4] += 1.0, F[8] += 1.0;
    for (size_t e = 0, r = 0; r < 3; ++r) {
      for (size_t c = r; c < 3; ++c, ++e) out[6 * i + e] = dot3(F + 3 * r, F + 3 * c);
    }
  }
}

// Bent and compressed, it flows non-uniformly: every particle keeps its stress, in the new body forces are
// the derivative of the energy, and they cancel. The reference alone gives the same body.
static void test_uneven(void) {
  flowing f = begin(kit_make(kit_def(3, 1, 1e6, 0.3), 10, 6, 5, 0.1, here));
  mote_elastic *rest = f.kit.body;
  size_t n = f.kit.count;
  for (size_t i = 0; i < n; ++i) {
    const double *X = f.kit.rest + 3 * i;
    set3(X[0] + 0.5 * X[1] * X[0], X[1] * (1.0 - 0.8 * X[0]) + 0.6 * X[0] * X[0], X[2] * (1.0 + 0.4 * X[0]),
         f.kit.x + 3 * i);
  }
  flow(&f, rest, 0.02);
  mote_elastic_motion motion = motion_of(&f);
  mote_elastic_energies before = mote_elastic_stored(rest, &motion);
  double *held = kit_array(6 * n), *holds = kit_array(6 * n);
  find_stretches(rest, &motion, held);
  mote_elastic *next = renew(&f, rest, 0.2), *again = NULL;
  find_stretches(next, &motion, holds);
  CHECK(largest_difference(held, holds, 6 * n) < 1e-9);
  free(held), free(holds);
  mote_elastic_reference reference = reference_of(&f);
  CHECK(next != NULL && mote_elastic_create_from_reference(rest, &reference, &again, NULL) == MOTE_OK);
  mote_elastic_energies after = mote_elastic_stored(next, &motion);
  CHECK_NEAR(after.strain, before.strain, 1e-9 * before.strain);
  CHECK(after.hourglass < 0.5 * before.hourglass);
  double *force = kit_array(3 * n), sum[3] = {0};
  mote_elastic_forces(next, &motion, f.kit.force);
  mote_elastic_forces(again, &motion, force);
  CHECK(memcmp(force, f.kit.force, 3 * n * sizeof *force) == 0);
  for (size_t i = 0; i < n; ++i) step3(sum, 1.0, force + 3 * i, sum);
  CHECK(kit_largest(sum, 3) < 1e-10 * kit_largest(force, 3 * n));
  for (size_t k = 0; k < 3 * n; k += 37) {
    double x = f.kit.x[k], h = 1e-6, energy[2];
    for (int side = 0; side < 2; ++side) {
      f.kit.x[k] = side == 0 ? x - h : x + h;
      mote_elastic_energies e = mote_elastic_stored(next, &motion);
      energy[side] = e.strain + e.hourglass;
    }
    f.kit.x[k] = x;
    CHECK_NEAR((energy[0] - energy[1]) / (2.0 * h), force[k], 1e-5 * kit_largest(force, 3 * n));
  }
  mote_elastic_destroy(next), mote_elastic_destroy(again);
  free(force);
  end(&f);
}

static bool are_neighbours(const mote_elastic *body, size_t i, size_t j) {
  for (size_t k = body->first[i]; k < body->first[i + 1]; ++k) {
    if (body->neighbour[k] == j) return true;
  }
  return false;
}

// Rows slide along each other by three spacings in a reference whose metric has not followed: the neighbours
// are replaced.
static void test_slid(void) {
  flowing f = begin(kit_make(kit_def(2, 1, 1e6, 0.3), 14, 6, 1, 0.0, here));
  for (size_t i = 0; i < f.kit.count; ++i) {
    if (i % 6 >= 3) f.position[3 * i] += 3.0 * KIT_SPACING;
  }
  mote_elastic_reference reference = reference_of(&f);
  mote_elastic *body = NULL;
  CHECK(mote_elastic_create_from_reference(f.kit.body, &reference, &body, NULL) == MOTE_OK);
  size_t low = 6 * 7 + 2, above = 6 * 7 + 3, new_above = 6 * 4 + 3;
  CHECK(are_neighbours(f.kit.body, low, above) && !are_neighbours(body, low, above));
  CHECK(!are_neighbours(f.kit.body, low, new_above) && are_neighbours(body, low, new_above));
  CHECK(are_neighbours(body, new_above, low));
  mote_elastic_destroy(body);
  end(&f);
}

// Two legs, connected only around the slit.
static void keep_apart(void *user, const double from[3], const double *to, size_t count, double most,
                       double *length) {
  (void)user, (void)most;
  double middle = 3.0 * KIT_SPACING, deep = 6.0 * KIT_SPACING;
  for (size_t k = 0; k < count; ++k) {
    bool apart = (from[1] < middle) != (to[3 * k + 1] < middle) && from[0] > deep && to[3 * k] > deep;
    if (apart) length[k] = HUGE_VAL;
  }
}

static void test_legs(void) {
  mote_elastic_def def = kit_def(2, 1, 1e6, 0.3);
  def.path_length = keep_apart;
  flowing f = begin(kit_make(def, 14, 6, 1, 0.0, here));
  for (size_t i = 0; i < f.kit.count; ++i) {  // the slit closes, and more
    f.position[3 * i + 1] *= 0.5;
  }
  mote_elastic_reference reference = reference_of(&f);
  mote_elastic *body = NULL;
  CHECK(mote_elastic_create_from_reference(f.kit.body, &reference, &body, NULL) == MOTE_OK);
  size_t low = 6 * 11 + 2, high = 6 * 11 + 3;
  CHECK(!are_neighbours(f.kit.body, low, high) && !are_neighbours(body, low, high));
  CHECK(!are_neighbours(body, 6 * 11 + 1, 6 * 11 + 4) && are_neighbours(body, 6 * 11, low));
  mote_elastic_destroy(body);
  end(&f);
}

// Where a reference would isolate a particle the old one stays, without an immediate new attempt.
static void test_refused(void) {
  flowing f = begin(kit_make(kit_def(2, 1, 1e6, 0.3), 8, 6, 1, 0.0, here));
  mote_elastic_motion motion = motion_of(&f);
  mote_elastic_reference reference = reference_of(&f);
  mote_elastic *out = NULL;
  mote_error error = {0};
  double A[9] = {1.5, 0, 0, 0, 1 / 1.5, 0, 0, 0, 1};
  kit_map(&f.kit, A, here);
  flow(&f, f.kit.body, 0.02);
  double before[6];
  memcpy(before, f.plastic, sizeof before);
#define NOT(key_, ...) \
  CHECK(mote_elastic_renew(__VA_ARGS__, &error) == MOTE_ERROR_ARGUMENT && strcmp(error.key, key_) == 0)
  NOT("rest", NULL, f.kit.body, 0.1, &motion, &reference, &out);
  NOT("reference", f.kit.body, f.kit.body, 0.1, &motion, NULL, &out);
  NOT("body", f.kit.body, NULL, 0.1, &motion, &reference, &out);
  NOT("strain", f.kit.body, f.kit.body, 0.0, &motion, &reference, &out);
  NOT("strain", f.kit.body, f.kit.body, (double)NAN, &motion, &reference, &out);
  NOT("out", f.kit.body, f.kit.body, 0.1, &motion, &reference, NULL);
  mote_elastic_motion without = {.position = f.kit.x, .velocity = f.kit.v};
  NOT("plastic", f.kit.body, f.kit.body, 0.1, &without, &reference, &out);
  f.position[5] = (double)NAN;
  NOT("position", f.kit.body, f.kit.body, 0.1, &motion, &reference, &out);
  CHECK(mote_elastic_create_from_reference(f.kit.body, &reference, &out, NULL) == MOTE_ERROR_ARGUMENT);
  f.position[5] = f.kit.rest[5];
  for (size_t i = 0; i < f.kit.count; ++i) f.metric[6 * i] = f.metric[6 * i + 3] = 9.0;  // all are far away
  CHECK(mote_elastic_renew(f.kit.body, f.kit.body, 0.1, &motion, &reference, &out, &error) == MOTE_OK);
  CHECK(error.code == MOTE_ERROR_ARGUMENT && memcmp(before, f.plastic, 6 * sizeof *before) == 0);
  CHECK(out == NULL && f.flowed[0] > 0.1 && f.position[0] == f.kit.rest[0] && f.metric[0] == 9.0);
  end(&f);
}

// --- Memory ------------------------------------------------------------------------------------------------

static mote_error error;

// A body that is stretched, flows and is renewed.
static mote_result make_and_renew(const mote_env *env) {
  enum { ACROSS = 6, COUNT = ACROSS * ACROSS };
  double rest[3 * COUNT] = {0}, x[3 * COUNT], plastic[6 * COUNT] = {0}, position[3 * COUNT];
  double metric[6 * COUNT] = {0}, flowed[COUNT] = {0};
  mote_elastic_motion motion = {.position = x, .plastic = plastic};
  mote_elastic_reference reference = {position, metric, flowed};
  mote_elastic_def def = kit_def(2, 1, 1e6, 0.3);
  mote_elastic *body = NULL, *next = NULL;
  for (size_t i = 0; i < COUNT; ++i) {
    set3(KIT_SPACING * (double)(i / ACROSS), KIT_SPACING * (double)(i % ACROSS), 0.0, rest + 3 * i);
    set3(1.5 * rest[3 * i], rest[3 * i + 1] / 1.5, 0.0, x + 3 * i);
  }
  memcpy(position, rest, sizeof position);
  def.position = rest, def.count = COUNT, def.total_volume = 1.0, def.uniform_support = 2.4 * KIT_SPACING;
  mote_result result = mote_elastic_create(&def, env, &body, &error);
  if (result != MOTE_OK) return result;
  const mote_plastic_law law = {0.02, HUGE_VAL, HUGE_VAL};
  CHECK(mote_elastic_flow_for(body, &law, &motion, 1.0, NULL, NULL) == MOTE_OK);
  result = mote_elastic_renew(body, body, 0.1, &motion, &reference, &next, &error);
  CHECK((result == MOTE_OK) == (next != NULL));
  CHECK(next != NULL || (memcmp(position, rest, sizeof rest) == 0 && metric[0] == 0.0 && flowed[0] == 0.0));
  mote_elastic_destroy(next), mote_elastic_destroy(body);
  return result;
}

int main(void) {
  abuse_exhaust("renewing", make_and_renew, &error);
  test_even();
  test_uneven();
  test_slid();
  test_legs();
  test_refused();
  return test_end();
}
