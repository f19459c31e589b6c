// Conditions in place of springs between elastic particles and obstacles: rest, friction, a rigid body
// between, momentum.
#include "contact/elastic_contact.h"
#include "elastic_contact_kit.h"

static const double here[3] = {0.0, 0.0, 0.0};

static double lowest(const contact_world *w) {
  double low = HUGE_VAL;
  for (size_t i = 0; i < w->count; ++i) low = min2(low, w->x[3 * i + 1]);
  return low;
}

static contact_world *prepare(contact_world *w, bool implicit) {
  contact_world_prepare(w, implicit);
  return w;
}

// A block dropped from a tenth of a spacing lies at half a spacing, and the floor bears its weight, in the
// mean of the last fifth of a second.
static void test_rest(bool implicit, double young, double dt) {
  contact_world *w = contact_world_make(2, dt, 1);
  mote_shape_def floor = contact_world_floor(0.0);
  mote_elastic_def def = kit_def(2, 2, young, 0.3);
  double weight = 0.0, up = 0.0;
  def.damping = 1e-2;
  contact_world_elastic(w, def, 6, 6, 1, 0.0, (double[3]){0.0, 0.1 * KIT_SPACING, 0.0}, 0.5);
  contact_world_obstacle(w, &floor);
  prepare(w, implicit);
  for (size_t i = 0; i < w->count; ++i) weight += 9.81 * w->group.mass[i];
  int steps = (int)(1.0 / dt + 0.5), observed = steps / 5;
  for (int step = 0; step < steps; ++step) {
    contact_world_step(w);
    for (size_t k = 0; k < w->contact->records && step >= steps - observed; ++k)
      up += w->contact->record[k].impulse[1] / (dt * observed);
  }
  double off = lowest(w) / KIT_SPACING - 0.5;
  printf("%s, E %.0e: lowest centre off by %.1e d, force %.8f of the weight, speed %.1e m/s\n",
         implicit ? "implicit" : "explicit", young, off, up / weight, contact_world_speed(w));
  CHECK(fabs(off) < 1e-3);
  CHECK_NEAR(up / weight, 1.0, 1e-4);
  CHECK(contact_world_speed(w) < 1e-4);
  contact_world_free(w);
}

// On a slope of 0.3 rad: Coulomb's acceleration, or rest.
static void test_slope(bool implicit, double friction) {
  double dt = 0.005, angle = 0.3, coulomb = 9.81 * (mote_sin(angle) - friction * mote_cos(angle)), v[2];
  contact_world *w = contact_world_make(2, dt, 1);
  mote_shape_def floor = contact_world_floor(0.0);
  mote_elastic_def def = kit_def(2, 2, 1e5, 0.3);
  def.damping = 1e-2;
  contact_world_elastic(w, def, 6, 3, 1, 0.0, here, friction);
  set3(9.81 * mote_sin(angle), -9.81 * mote_cos(angle), 0.0, w->gravity);
  contact_world_obstacle(w, &floor);
  prepare(w, implicit);
  for (int half = 0; half < 2; ++half) {
    for (int t = 0; t < 60; ++t) contact_world_step(w);
    v[half] = w->v[0];
  }
  double found = (v[1] - v[0]) / (60 * dt);
  printf("slope, %s, friction %g: acceleration %.5f, Coulomb %.5f m/s2\n", implicit ? "implicit" : "explicit",
         friction, found, max2(0.0, coulomb));
  CHECK_NEAR(found, max2(0.0, coulomb), 5e-3);
  contact_world_free(w);
}

// A rigid box on a block comes to rest with it.
static void test_box(bool implicit, double density) {
  double d = KIT_SPACING;
  contact_world *w = contact_world_make(2, 0.01, 1);
  mote_shape_def floor = contact_world_floor(0.0),
                 box = mote_shape_def_box(d, 4.02 * d, -1.0, 7.0 * d, 7.02 * d, 1.0);
  mote_elastic_def def = kit_def(2, 2, 5e5, 0.3);
  def.damping = 5e-3;
  contact_world_elastic(w, def, 8, 4, 1, 0.0, here, 0.5);
  contact_world_rigid(w, &box, density, 0.5);
  contact_world_obstacle(w, &floor);
  prepare(w, implicit);
  for (int t = 0; t < 150; ++t) contact_world_step(w);
  double speed = max2(contact_world_speed(w), length3(w->obstacle[0].v));
  printf("box of %g kg/m3, %s: at %.4f d, speed %.1e m/s, spin %.1e 1/s\n", density,
         implicit ? "implicit" : "explicit", w->obstacle[0].x[1] / d, speed, length3(w->obstacle[0].w));
  CHECK(w->obstacle[0].x[1] > 5.4 * d && w->obstacle[0].x[1] < 5.52 * d);
  CHECK(speed < 1e-4 && length3(w->obstacle[0].w) < 1e-3);
  contact_world_free(w);
}

int main(void) {
  for (int implicit = 0; implicit < 2; ++implicit) {
    TEST_LONG(test_rest(implicit, 1e5, 0.005));
    test_slope(implicit, 0.2);
    TEST_LONG(test_slope(implicit, 0.4));
    TEST_LONG(test_box(implicit, 50.0));
    TEST_LONG(test_box(implicit, 5000.0));
  }
  test_rest(true, 1e9, 0.04);
  return test_end();
}
