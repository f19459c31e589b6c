// Narrow phase: gaps and normals of known arrangements, sweeps through thin walls, rings.
#include "contact/contact_narrow.h"

#include "contact_kit.h"

#define D 0.1

static size_t records(kit_world *w, uint32_t a, uint32_t b, bool fast, mote_contact *out) {
  mote_contact_cache cache[8];
  for (size_t k = 0; k < w->scene.obstacles; ++k)
    cache[k] = mote_contact_cache_of(&w->scene, w->obstacle + k);
  return mote_contact_find_pair(&w->scene, cache, (mote_contact_pair){a, b}, fast, out);
}

// A rotated box over a floor has contacts at its lowest corners, four when it lies flat.
static void test_box(void) {
  kit_world *w = kit_make(D, 1e-3, 1);
  mote_shape_def box = mote_shape_def_box(0.0, 0.005, 0.0, 0.5, 0.3, 0.4), ground = kit_floor(0.0, 0.0);
  kit_body(w, &box, 1000.0, 0.5, 0.0);
  kit_obstacle(w, &ground);
  mote_contact c[MOTE_CONTACT_PAIR_RECORDS];
  CHECK(records(w, 0, 1, false, c) == 4);
  double low[2] = {1.0, 1.0}, high[2] = {0.0, 0.0};
  for (int k = 0; k < 4; ++k) {
    CHECK(c[k].a == 0 && c[k].b == 1);
    CHECK_NEAR(c[k].gap, 0.005, 1e-12);
    CHECK_NEAR(c[k].normal[1], 1.0, 1e-15);
    CHECK_NEAR(c[k].point[1], 0.0025, 1e-12);
    for (int a = 0; a < 2; ++a)
      low[a] = min2(low[a], c[k].point[2 * a]), high[a] = max2(high[a], c[k].point[2 * a]);
  }
  CHECK_NEAR(low[0], 0.0, 1e-9);  // the corners themselves, not the balls in them
  CHECK_NEAR(high[0], 0.5, 1e-9);
  CHECK_NEAR(low[1], 0.0, 1e-9);
  CHECK_NEAR(high[1], 0.4, 1e-9);
  CHECK(records(w, 0, 1, true, c) == 0);  // at rest
  kit_free(w);
}

// One box exactly on another: normals are those of the faces, not of the sides.
static void test_flush(void) {
  kit_world *w = kit_make(D, 1e-3, 1);
  mote_shape_def low = mote_shape_def_box(0, 0, 0, 0.3, 0.3, 0.3),
                 high = mote_shape_def_box(0, 0.3, 0, 0.3, 0.6, 0.3);
  kit_body(w, &low, 1000.0, 0.5, 0.0);
  kit_body(w, &high, 1000.0, 0.5, 0.0);
  mote_contact c[MOTE_CONTACT_PAIR_RECORDS];
  size_t count = records(w, 0, 1, false, c);
  CHECK(count == 4);
  for (size_t k = 0; k < count; ++k) {
    CHECK_NEAR(c[k].normal[1], c[k].a == 1 ? 1.0 : -1.0, 1e-12);
    CHECK_NEAR(c[k].gap, 0.0, 1e-12);
    CHECK_NEAR(c[k].point[1], 0.3, 1e-12);
  }
  kit_free(w);
}

// A ball beyond the margin: a record only if it approaches, at the point of impact.
static void test_sweep(void) {
  kit_world *w = kit_make(D, 1e-2, 1);
  mote_shape_def ball = mote_shape_def_sphere(0.0, 0.0, 0.0, 0.1);
  mote_shape_def sheet = mote_shape_def_box(0.5, -1.0, -1.0, 0.500001, 1.0, 1.0);
  kit_body(w, &ball, 1000.0, 0.5, 0.0);
  kit_obstacle(w, &sheet);
  mote_contact c[MOTE_CONTACT_PAIR_RECORDS];
  CHECK(records(w, 0, 1, false, c) == 0);
  set3(30.0, 0.0, 0.0, w->obstacle[0].v);
  CHECK(records(w, 0, 1, false, c) == 0);
  set3(300.0, 30.0, 0.0, w->obstacle[0].v);
  CHECK(records(w, 0, 1, true, c) == 1);
  CHECK_NEAR(c[0].gap, 0.4, 1e-6);
  CHECK_NEAR(c[0].normal[0], -1.0, 1e-9);
  set3(-300.0, 0.0, 0.0, w->obstacle[0].v);
  CHECK(records(w, 0, 1, true, c) == 0);
  set3(0.0, 0.0, 0.0, w->obstacle[0].v);
  set3(-300.0, 0.0, 0.0, w->obstacle[1].v);  // the plate approaches
  CHECK(records(w, 0, 1, true, c) == 1);
  CHECK_NEAR(c[0].gap, 0.4, 1e-6);
  kit_free(w);
}

// Later rounds of a step find what is swept only: samples nearer than the margin are those of the first.
static void test_later(void) {
  kit_world *w = kit_make(D, 1e-3, 1);
  mote_shape_def box = mote_shape_def_box(0.0, 0.005, 0.0, 0.5, 0.3, 0.4), ground = kit_floor(0.0, 0.0);
  kit_body(w, &box, 1000.0, 0.5, 0.0);
  kit_obstacle(w, &ground);
  mote_contact c[MOTE_CONTACT_PAIR_RECORDS];
  set3(0.0, -30.0, 0.0, w->obstacle[0].v);
  CHECK(records(w, 0, 1, false, c) == 4);
  CHECK(records(w, 0, 1, true, c) == 0);
  w->obstacle[0].x[1] += 0.02;
  kit_place(w, 0);
  CHECK(records(w, 0, 1, true, c) == 4);
  kit_free(w);
}

// A plank with one end on the floor falls on its other end: that is met along the face, not the corner above
// it, which is farther away and swept into the floor too.
static void test_swept_face(void) {
  kit_world *w = kit_make(D, 1e-2, 1);
  w->scene.dimensions = 2;
  mote_shape_def plank = mote_shape_def_box(-0.4, -0.1, 0.0, 0.4, 0.1, 0.0), ground = kit_floor(0.0, 0.0);
  const double tilt = 0.07, turn[3] = {0.0, 0.0, tilt};
  kit_body(w, &plank, 1000.0, 0.5, 0.0);
  kit_obstacle(w, &ground);
  w->obstacle[0].x[1] = 0.4 * mote_sin(tilt) + 0.1 * mote_cos(tilt);
  kit_turn(w, 0, turn);
  set3(0.0, -24.0, 0.0, w->obstacle[0].v);
  set3(0.0, 0.0, -60.0, w->obstacle[0].w);
  mote_contact c[MOTE_CONTACT_PAIR_RECORDS];
  size_t count = records(w, 0, 1, false, c), swept = 0;
  CHECK(count == 2);
  for (size_t k = 0; k < count; ++k) {
    if (!(c[k].gap > 0.1 * D)) continue;
    ++swept;
    CHECK_NEAR(c[k].gap, 0.8 * mote_sin(tilt), 1e-3);  // less than a tenth of its ball
  }
  CHECK(swept == 1);
  kit_free(w);
}

// A box thrown at a plate from afar meets it with the corners that are next to it, whichever come first in
// order.
static void test_thrown(void) {
  for (int way = 0; way < 2; ++way) {
    kit_world *w = kit_make(D, 1e-2, 1);
    double at = way == 0 ? -0.3 : 0.6;
    mote_shape_def box = mote_shape_def_box(0.0, 0.0, 0.0, 0.5, 0.3, 0.4);
    mote_shape_def plate = mote_shape_def_box(-1.0, at - 0.01, -1.0, 1.0, at + 0.01, 1.0);
    kit_body(w, &box, 1000.0, 0.5, 0.0);
    kit_obstacle(w, &plate);
    set3(3.0, way == 0 ? -90.0 : 90.0, 0.0, w->obstacle[0].v);
    mote_contact c[MOTE_CONTACT_PAIR_RECORDS];
    CHECK(records(w, 0, 1, false, c) == 4);
    for (int k = 0; k < 4; ++k) CHECK_NEAR(c[k].gap, 0.29, 1e-3);
    kit_free(w);
  }
}

// A cylinder lying on a floor has contacts along its lowest line, at any rotation about its axis; a standing
// one has three on its rim.
static void test_cylinder(void) {
  mote_contact c[MOTE_CONTACT_PAIR_RECORDS];
  for (int k = 0; k < 5; ++k) {
    kit_world *w = kit_make(D, 1e-3, 1);
    mote_shape_def rod = mote_shape_def_default(), ground = kit_floor(0.0, 0.0);
    rod.kind = MOTE_SHAPE_CYLINDER, rod.radius = 0.2;
    set3(0.0, 0.2, -0.3, rod.from);
    set3(0.0, 0.2, 0.3, rod.to);
    kit_body(w, &rod, 1000.0, 0.5, 0.0);
    kit_obstacle(w, &ground);
    double turn[3] = {0.0, 0.0, 0.7 * k};
    kit_turn(w, 0, turn);
    size_t count = records(w, 0, 1, false, c);
    CHECK(count == 2);
    for (size_t i = 0; i < count; ++i) {
      CHECK_NEAR(c[i].gap, 0.0, 1e-9);
      CHECK_NEAR(c[i].point[0], 0.0, 1e-9);
      CHECK_NEAR(fabs(c[i].point[2]), 0.29, 1e-9);
    }
    double lift[3] = {0.5 * 3.14159265358979323846, 0.0, 0.0};
    w->obstacle[0].x[1] = 0.3;
    kit_turn(w, 0, lift);
    CHECK(records(w, 0, 1, false, c) == 3);
    kit_free(w);
  }
}

int main(void) {
  test_box();
  test_flush();
  test_sweep();
  test_later();
  test_swept_face();
  test_thrown();
  test_cylinder();
  return test_end();
}
