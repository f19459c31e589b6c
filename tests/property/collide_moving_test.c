// Obstacles that move: pistons, tanks and paddles take particles along and let none through.
#include "collide_kit.h"

#define COUNT 500
#define DT 1e-3

static mote_motion *motion_of(mote_motion_def def, const mote_shape *shape, int dimensions) {
  mote_motion *motion = NULL;
  CHECK(mote_motion_create(&def, shape, dimensions, NULL, &motion, NULL) == MOTE_OK);
  return motion;
}

static void pose_at(mote_obstacle *o, const mote_motion *motion, double t) {
  mote_pose before = mote_motion_at(motion, t), after = mote_motion_at(motion, t + DT);
  *o = mote_obstacle_posed(o->shape, &before, &after, DT);
}

static double distance_after(const mote_obstacle *o, const double x[3]) {
  return mote_obstacle_distance(o, 1.0, x, NULL);
}

static mote_shape_def room_def(void) {
  mote_shape_def room = mote_shape_def_box(0, 0, 0, 1, 0.3, 0.3);
  room.inverted = true;
  return room;
}

// A thin plate that fills a tube's section goes to and fro at up to 30 m/s: three spacings a step, 30000 of
// its thickness.
static void piston(void) {
  mote_obstacle o[2] = {standing(room_def(), 3)};
  o[1] = standing(mote_shape_def_box(0.5, -0.1, -0.1, 0.5 + 1e-4 * SPACING, 0.4, 0.4), 3);
  mote_motion_def def = {.axis = {0, 0, 1}};
  def.move.x.formula = "0.3*sin(100*t)";
  mote_motion *motion = motion_of(def, o[1].shape, 3);
  pose_at(&o[1], motion, 0.0);
  cloud c = cloud_make(COUNT, 3);
  cloud_place(&c, o, 2, (double[3]){0, 0, 0}, (double[3]){1, 0.3, 0.3}, NULL, 3);
  bool *left = calloc(COUNT, sizeof *left);
  for (size_t i = 0; i < COUNT; ++i) left[i] = c.position[3 * i] < 0.5;
  size_t crossed = 0, out = 0, squeezed = 0, touched = 0;
  for (int step = 0; step < 200; ++step) {
    if (step % 20 == 0) cloud_shoot(&c, 50 + (uint64_t)step);
    pose_at(&o[1], motion, step * DT);
    mote_collision_report report = cloud_step(&c, o, 2, NULL, DT, 1);
    squeezed += report.squeezed, touched += report.touched;
    double plate = 0.5 + o[1].after.move[0];
    for (size_t i = 0; i < COUNT; ++i) {
      crossed += (c.position[3 * i] < plate) != left[i];
      out += !(distance_after(&o[0], c.position + 3 * i) > 0.9 * CLEARANCE);
    }
  }
  CHECK(crossed == 0);
  CHECK(out == 0);
  CHECK(squeezed == 0 && touched > COUNT);
  free(left);
  cloud_free(&c);
  mote_motion_destroy(motion);
  obstacles_free(o, 2);
}

// A particle at rest before a piston is given the piston's speed, and keeps what it has along it.
static void pushes(void) {
  mote_obstacle o = standing(mote_shape_def_box(-1, -1, -1, 0, 1, 1), 3);
  mote_motion_def def = {.axis = {0, 0, 1}};
  def.move.x.formula = "5*t";
  mote_motion *motion = motion_of(def, o.shape, 3);
  cloud c = cloud_make(1, 3);
  c.position[0] = 0.002;
  c.velocity[1] = 0.25f;
  pose_at(&o, motion, 0.0);
  cloud_step(&c, &o, 1, NULL, DT, 1);
  CHECK_NEAR(c.position[0], 0.005 + CLEARANCE, 0.01 * CLEARANCE);
  CHECK_NEAR(c.position[1], 0.25 * DT, 1e-15);
  CHECK_NEAR((double)c.velocity[0], 5.0, 1e-5);
  CHECK(c.velocity[1] == 0.25f && c.velocity[2] == 0.0f);
  cloud_free(&c);
  mote_motion_destroy(motion);
  obstacles_free(&o, 1);
}

// A tank that rolls and sways keeps all of its bullets.
static void tank(int dimensions) {
  mote_shape_def box = mote_shape_def_box(0, 0, 0, 0.4, 0.3, 0.2);
  box.inverted = true;
  mote_obstacle o = standing(box, dimensions);
  mote_motion_def def = {.axis = {0, 0, 1}, .pivot = {0.2, 0, 0}};
  def.move.x.formula = "0.2*sin(20*t)";
  def.angle.formula = "3*sin(10*t)";
  mote_motion *motion = motion_of(def, o.shape, dimensions);
  pose_at(&o, motion, 0.0);
  cloud c = cloud_make(COUNT, dimensions);
  cloud_place(&c, &o, 1, (double[3]){0, 0, 0}, (double[3]){0.4, 0.3, 0.2}, NULL, 4);
  size_t out = 0, trouble = 0;
  for (int step = 0; step < 300; ++step) {
    if (step % 20 == 0) cloud_shoot(&c, 70 + (uint64_t)step);
    pose_at(&o, motion, step * DT);
    mote_collision_report report = cloud_step(&c, &o, 1, NULL, DT, 1);
    trouble += report.squeezed + report.pushed;
    for (size_t i = 0; i < COUNT; ++i) out += !(distance_after(&o, c.position + 3 * i) > 0.9 * CLEARANCE);
  }
  CHECK(out == 0 && trouble == 0);
  cloud_free(&c);
  mote_motion_destroy(motion);
  obstacles_free(&o, 1);
}

// A paddle turning in a room, its tips a spacing from the walls, at 20 rad/s.
static void paddle(void) {
  mote_shape_def room = mote_shape_def_box(-0.3, -0.3, 0, 0.3, 0.3, 0.3);
  room.inverted = true;
  mote_obstacle o[2] = {standing(room, 3)};
  o[1] = standing(mote_shape_def_box(-0.29, -0.002, -1, 0.29, 0.002, 1), 3);
  mote_motion_def def = {.axis = {0, 0, 1}};
  def.angle.formula = "20*t";
  mote_motion *motion = motion_of(def, o[1].shape, 3);
  pose_at(&o[1], motion, 0.0);
  cloud c = cloud_make(COUNT, 3);
  cloud_place(&c, o, 2, room.low, room.high, NULL, 6);
  size_t out = 0, inside = 0, squeezed = 0, pushed = 0;
  for (int step = 0; step < 600; ++step) {
    if (step % 50 == 0) cloud_shoot(&c, 90 + (uint64_t)step);
    pose_at(&o[1], motion, step * DT);
    mote_collision_report report = cloud_step(&c, o, 2, NULL, DT, 1);
    squeezed += report.squeezed, pushed += report.pushed;
    for (size_t i = 0; i < COUNT; ++i) {
      out += !(distance_after(&o[0], c.position + 3 * i) > 0.0);
      inside += !(distance_after(&o[1], c.position + 3 * i) > 0.0);
    }
  }
  CHECK(out == 0);
  CHECK(inside == squeezed);
  if (!CHECK(squeezed == 0)) fprintf(stderr, "  paddle: %zu squeezed, %zu pushed\n", squeezed, pushed);
  cloud_free(&c);
  mote_motion_destroy(motion);
  obstacles_free(o, 2);
}

// A press that closes on the floor: particles have nowhere to go, but stay above the floor, are counted, and
// are free again when it opens.
static void press(void) {
  mote_shape_def floor_def = mote_shape_def_box(-1, -1, -1, 1, 0, 1);
  mote_obstacle o[2] = {standing(floor_def, 3), standing(mote_shape_def_box(-1, 0.1, -1, 1, 0.3, 1), 3)};
  mote_motion_def def = {.axis = {0, 0, 1}};
  def.move.y.formula = "t < 0.1 ? -t : -0.2 + t";
  mote_motion *motion = motion_of(def, o[1].shape, 3);
  pose_at(&o[1], motion, 0.0);
  cloud c = cloud_make(20, 3);
  cloud_place(&c, o, 2, (double[3]){-0.1, 0, -0.1}, (double[3]){0.1, 0.1, 0.1}, NULL, 8);
  size_t squeezed = 0, under = 0, wild = 0;
  mote_collision_report report = {0};
  for (int step = 0; step < 200; ++step) {
    pose_at(&o[1], motion, step * DT);
    report = cloud_step(&c, o, 2, NULL, DT, 1);
    squeezed += report.squeezed;
    CHECK((report.squeezed > 0) == (report.first_squeezed < 20));
    for (size_t i = 0; i < 20; ++i) {
      under += !(c.position[3 * i + 1] > 0.0);
      for (int a = 0; a < 3; ++a) wild += !(fabs((double)c.velocity[3 * i + a]) < 10.0);
    }
  }
  CHECK(under == 0 && wild == 0);
  CHECK(squeezed > 0);
  CHECK(report.squeezed == 0);
  cloud_free(&c);
  mote_motion_destroy(motion);
  obstacles_free(o, 2);
}

// A particle that begins inside is put out at the nearest place.
static void gets_out(void) {
  mote_obstacle o = standing(mote_shape_def_sphere(0, 0, 0, 0.1), 3);
  cloud c = cloud_make(2, 3);
  c.position[0] = 0.08, c.position[4] = 0.0;  // the second in the very middle
  mote_collision_report report = cloud_step(&c, &o, 1, NULL, DT, 1);
  CHECK(report.pushed == 2 && report.squeezed == 0);
  CHECK_NEAR(c.position[0], 0.1 + CLEARANCE, 0.02 * CLEARANCE);
  CHECK(mote_shape_distance(o.shape, c.position + 3) > 0.9 * CLEARANCE);
  cloud_free(&c);
  obstacles_free(&o, 1);
}

int main(void) {
  piston();
  pushes();
  tank(2);
  tank(3);
  paddle();
  press();
  gets_out();
  return test_end();
}
