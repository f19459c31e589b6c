// One particle among obstacles: how it sees them, films that are no walls, walls that are thin.
#include "things/sweep.h"

#include "../../property/collide_kit.h"

static const double nowhere[3] = {0, 0, 0};

static mote_contact_path path_from(double x, double y, double z, double to_x, double to_y, double to_z) {
  return (mote_contact_path){.clearance = CLEARANCE, .from = {x, y, z}, .to = {to_x, to_y, to_z}};
}

static void see(mote_contact_path *p, const mote_obstacle *o) {
  p->seen[p->count++] = mote_seen_make(o, nowhere, p->from);
}

// What moves along with an obstacle keeps its place to it.
static void sees_motion(void) {
  mote_obstacle o = standing(mote_shape_def_sphere(0, 0, 0, 0.1), 3);
  const mote_pose here = mote_pose_identity();
  o = mote_obstacle_posed(o.shape, &here, &here, 1.0);
  double from[3] = {0.3, 0, 0}, x[3] = {0.5, 1.0, 0.0}, normal[3];
  mote_seen s = mote_seen_make(&o, nowhere, from);
  CHECK(s.stands && !s.inside && s.start[0] == 0.3);
  CHECK_NEAR(s.distance, 0.2, 1e-15);
  o.after.move[1] = 1.0;
  s = mote_seen_make(&o, nowhere, from);
  CHECK(!s.stands && s.start[0] == 0.3 && s.start[1] == 1.0);
  CHECK_NEAR(mote_seen_distance(&s, x, normal), 0.4, 1e-15);
  CHECK_NEAR(normal[0], 1.0, 1e-15);
  obstacles_free(&o, 1);
}

static void sees_images(void) {
  mote_obstacle o = standing(mote_shape_def_sphere(0, 0, 0, 0.1), 3);
  double from[3] = {0.9, 0, 0}, shift[3] = {-1, 0, 0}, x[3] = {1.05, 0, 0};
  mote_seen s = mote_seen_make(&o, shift, from);
  CHECK(s.inside);
  CHECK_NEAR(s.distance, 0.0, 1e-15);
  CHECK_NEAR(mote_seen_distance(&s, x, NULL), -0.05, 1e-15);
  obstacles_free(&o, 1);
}

// A hollow union of two boxes that share a face: nothing is there. With a plate in the face there is.
static void films(void) {
  mote_shape_def part[2] = {mote_shape_def_box(0, 0, 0, 1, 1, 1), mote_shape_def_box(1, 0, 0, 2, 1, 1)};
  mote_shape_def both = mote_shape_def_default();
  both.kind = MOTE_SHAPE_UNION, both.part = part, both.parts = 2, both.inverted = true;
  double thin = 1e-3 * CLEARANCE;
  mote_obstacle o[2] = {standing(both, 3), standing(mote_shape_def_box(1 - thin, -1, -1, 1 + thin, 2, 2), 3)};
  for (int k = 0; k < 20; ++k) {
    double y = 0.2 + 0.03 * k;
    mote_contact_path p = path_from(0.7, 0.5, 0.5, 1.2, y, 0.5);
    see(&p, &o[0]);
    mote_contact_path_walk(&p);
    CHECK(p.to[0] == 1.2 && p.to[1] == y && p.planes.count == 0);
    p = path_from(0.7, 0.5, 0.5, 1.2, y, 0.5);
    see(&p, &o[0]);
    see(&p, &o[1]);
    mote_contact_path_walk(&p);
    CHECK_NEAR(p.to[0], 1.0 - CLEARANCE, 0.01 * CLEARANCE);
    CHECK_NEAR(p.to[1], y, 1e-12);
    CHECK(p.planes.count == 1 && !p.squeezed && !p.pushed);
  }
  // Short steps, so short that a particle comes to be within the film.
  double x = 1.0 - 3.3 * CLEARANCE;
  for (int k = 0; k < 100; ++k) {
    mote_contact_path p = path_from(x, 0.5, 0.5, x + 0.09 * CLEARANCE, 0.5, 0.5);
    see(&p, &o[0]);
    mote_contact_path_walk(&p);
    CHECK(p.planes.count == 0);
    x = p.to[0];
  }
  CHECK(x > 1.0 + CLEARANCE);
  obstacles_free(o, 2);
}

// A cup cut out of a block up to its very top is open.
static void open_cup(void) {
  mote_shape_def part[2] = {mote_shape_def_box(0, 0, 0, 1, 1, 1),
                            mote_shape_def_box(0.1, 0.1, 0.1, 0.9, 1, 0.9)};
  mote_shape_def cup = mote_shape_def_default();
  cup.kind = MOTE_SHAPE_DIFFERENCE, cup.part = part, cup.parts = 2;
  mote_obstacle o = standing(cup, 3);
  for (int k = 0; k < 20; ++k) {
    double x = 0.15 + 0.035 * k, deep = 0.9 + 0.005 * k;
    mote_contact_path out = path_from(x, deep, 0.5, x, 1.2, 0.5), in = path_from(x, 1.2, 0.5, x, deep, 0.5);
    see(&out, &o);
    see(&in, &o);
    mote_contact_path_walk(&out);
    mote_contact_path_walk(&in);
    CHECK(out.to[1] == 1.2 && out.planes.count == 0);
    CHECK(in.to[1] == deep && in.planes.count == 0);
  }
  obstacles_free(&o, 1);
}

// Between two plates nearer than two clearances a particle stays between.
static void narrow(void) {
  double gap = 0.5 * CLEARANCE;
  mote_obstacle o[2] = {standing(mote_shape_def_box(-1, -1, -1, 0, 1, 1), 3),
                        standing(mote_shape_def_box(gap, -1, -1, 1, 1, 1), 3)};
  for (int k = 0; k < 20; ++k) {
    mote_contact_path p = path_from(0.5 * gap, 0, 0, 0.1 * (k - 10), 0.01 * k, 0);
    see(&p, &o[0]);
    see(&p, &o[1]);
    mote_contact_path_walk(&p);
    CHECK(p.to[0] > 0.0 && p.to[0] < gap && !p.squeezed);
  }
  obstacles_free(o, 2);
}

int main(void) {
  sees_motion();
  sees_images();
  films();
  open_cup();
  narrow();
  return test_end();
}
