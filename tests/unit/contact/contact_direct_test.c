// Direct solves: dense bodies on light ones, lids, impacts, and that ordinary contacts do without.
#include "contact/contact_direct.h"

#include "contact_kit.h"

#define D 0.02
#define EDGE 0.1

static mote_shape_def box_at(double x, double y, double half, double height) {
  return mote_shape_def_box(x - half, y, -half, x + half, y + height, half);
}

// How far the body is below y, spacings.
static double sunk(const kit_world *w, size_t k, double y) {
  return (y - w->obstacle[k].x[1]) / D;
}

// A dense box on a light one, at rest or thrown down on it.
static void dense_box(double ratio, double speed, double most) {
  kit_world *w = kit_make(D, 5e-3, 1);
  mote_shape_def low = box_at(0.0, 0.0, 0.05, EDGE), high = box_at(0.01, EDGE, 0.05, EDGE),
                 ground = kit_floor(0, 0);
  kit_body(w, &low, 100.0, 0.5, 0.0);
  size_t top = kit_body(w, &high, 100.0 * ratio, 0.5, 0.0);
  kit_obstacle(w, &ground);
  w->obstacle[top].v[1] = -speed;
  size_t islands = 0;
  for (int s = 0; s < 200; ++s) {
    kit_step(w);
    islands += w->report.islands;
    CHECK(sunk(w, 0, 0.5 * EDGE) < most && sunk(w, top, 1.5 * EDGE) < 2.0 * most);
  }
  CHECK(islands > 0);
  CHECK(w->report.overlap < 0.02 * D);
  CHECK_NEAR(w->obstacle[top].x[0], 0.01, 1e-3);
  kit_free(w);
}

// A heavy lid on two light boxes of which one is far out: it tilts over the other as the weights say.
static void test_lid(void) {
  for (double out = 0.05; out < 0.3; out += 0.2) {
    kit_world *w = kit_make(D, 5e-3, 1);
    mote_shape_def left = box_at(-0.2, 0.0, 0.05, EDGE), right = box_at(out, 0.0, 0.05, EDGE);
    mote_shape_def lid = mote_shape_def_box(-0.25, EDGE, -0.05, 0.45, EDGE + 0.05, 0.05),
                   ground = kit_floor(0, 0);
    kit_body(w, &left, 100.0, 0.5, 0.0);
    kit_body(w, &right, 100.0, 0.5, 0.0);
    size_t top = kit_body(w, &lid, 1e6, 0.5, 0.0);
    kit_obstacle(w, &ground);
    for (int s = 0; s < 100; ++s) kit_step(w);
    bool rests = fabs(w->q[top][3]) < 1e-4;  // its middle is at 0.1
    CHECK(rests == (out + 0.05 > 0.1));
    CHECK(sunk(w, 0, 0.5 * EDGE) < 0.05 && sunk(w, 1, 0.5 * EDGE) < 0.05);
    kit_free(w);
  }
}

// One ball on a floor is solved by the sweeps.
static void test_not_needed(void) {
  kit_world *w = kit_make(D, 5e-3, 1);
  mote_shape_def ball = mote_shape_def_sphere(0, 0.05, 0, 0.05), ground = kit_floor(0, 0);
  kit_body(w, &ball, 1000.0, 0.5, 0.0);
  kit_obstacle(w, &ground);
  for (int s = 0; s < 20; ++s) {
    kit_step(w);
    CHECK(w->report.islands == 0);
  }
  kit_free(w);
}

int main(void) {
  dense_box(1e3, 0.0, 0.02);
  dense_box(1e5, 0.0, 0.02);
  dense_box(1e3, 3.0, 0.2);
  test_lid();
  test_not_needed();
  return test_end();
}
