// What elastic contact gains between two ticks is taken from the bodies that touch, momentum is kept.
#include "elastic_contact_kit.h"

static double kinetic_energy(const contact_world *w) {
  double sum = 0.0;
  for (size_t i = 0; i < w->count; ++i) sum += 0.5 * w->group.mass[i] * dot3(w->v + 3 * i, w->v + 3 * i);
  return sum;
}

static mote_elastic_motion motion_of(const contact_world *w) {
  return (mote_elastic_motion){
      .position = w->x, .velocity = w->v, .external = &w->contact->external, .held = w->held};
}

// Two bodies above each other, `gap` spacings apart.
static contact_world *two_bodies(int dimensions, double gap) {
  contact_world *w = contact_world_make(dimensions, 1e-3, 1);
  int deep = dimensions == 3 ? 4 : 1;
  set3(0.0, 0.0, 0.0, w->gravity);
  contact_world_elastic(w, kit_def(dimensions, 1, 1e5, 0.3), 4, 4, deep, 0.1, (double[3]){0.0, 0.0, 0.0},
                        0.0);
  contact_world_elastic(w, kit_def(dimensions, 1, 3e5, 0.3), 4, 4, deep, 0.1,
                        (double[3]){0.01, (4.0 + gap) * KIT_SPACING, 0.0}, 0.0);
  contact_world_prepare(w, false);
  return w;
}

// Contact that comes out of nothing: one body is put 0.15 spacings into the other between two ticks. The
// first `held` particles do not pay.
static void test_payment(int dimensions, double speed, size_t held) {
  double gap = speed > 0.1 ? 0.3 : 0.1;  // spacings: within the reach of the tick
  contact_world *w = two_bodies(dimensions, gap);
  mote_elastic_contact *t = w->contact;
  for (size_t k = 0; k < 3 * w->count; ++k)
    w->v[k] = speed * kit_random(9, k) * (k % 3 < (size_t)dimensions) + (k % 3 == 0);
  for (size_t i = 0; i < held; ++i) w->held[i] = 1, set3(0.0, 0.0, 0.0, w->v + 3 * i);
  contact_world_step(w);
  for (size_t i = w->group.start[1]; i < w->count; ++i) w->x[3 * i + 1] -= (gap + 0.15) * KIT_SPACING;
  double before = kinetic_energy(w), stored = t->stored, p[3], q[3];
  mote_elastic_motion motion = motion_of(w);
  contact_world_momentum(w, p);
  CHECK(mote_elastic_contact_pay(t, &w->scene, &motion, w->group.mass, NULL) == MOTE_OK);
  contact_world_momentum(w, q);
  double gain = t->stored - stored, paid = before - kinetic_energy(w);
  printf("%dD: gain %.4g J, paid %.4g of %.4g J\n", dimensions, gain, paid, before);
  CHECK(gain > 1e-3);
  sub3(q, p, q);
  if (held == 0) CHECK(length3(q) < 1e-12 * length3(p));
  for (size_t i = 0; i < held; ++i) CHECK(length3(w->v + 3 * i) == 0.0);
  if (speed > 0.1) {
    CHECK_NEAR(paid / gain, 1.0, 1e-9);
  } else {  // more than there is: never more than that, and nothing becomes faster
    CHECK(paid >= 0.0 && paid < gain);
  }
  contact_world_free(w);
}

// A contact that is less deep at the next tick gives nothing back, and one that is the same changes nothing.
static void test_no_gain(void) {
  contact_world *w = two_bodies(2, -0.1);
  mote_elastic_contact *t = w->contact;
  for (size_t i = w->group.start[1]; i < w->count; ++i) w->v[3 * i + 1] = -1.0;
  contact_world_step(w);
  double *kept = kit_array(3 * w->count);
  memcpy(kept, w->v, 3 * w->count * sizeof *kept);
  for (size_t i = w->group.start[1]; i < w->count; ++i) w->x[3 * i + 1] += 0.02 * KIT_SPACING;
  mote_elastic_motion motion = motion_of(w);
  double stored = t->stored;
  CHECK(stored > 0.0);
  CHECK(mote_elastic_contact_pay(t, &w->scene, &motion, w->group.mass, NULL) == MOTE_OK);
  CHECK(t->stored < stored && memcmp(kept, w->v, 3 * w->count * sizeof *kept) == 0);
  free(kept);
  contact_world_free(w);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    test_payment(dimensions, 2.0, 0);
    test_payment(dimensions, 2.0, 3);
    test_payment(dimensions, 1e-3, 0);
  }
  test_no_gain();
  return test_end();
}
