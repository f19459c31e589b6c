// Contact of single particles: what is kept of their motion, corners, hollow walls, room, the sides of
// periodic domains, crowds of obstacles, numbers that are none.
#include "things/collide.h"

#include "../../property/collide_kit.h"
#include "things/motion.h"

static mote_shape_def half_space(double nx, double ny, double nz) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_HALF_SPACE;
  memset(def.centre, 0, sizeof def.centre);
  def.normal[0] = nx, def.normal[1] = ny, def.normal[2] = nz;
  return def;
}

static cloud one(double x, double y, double z, float vx, float vy, float vz) {
  cloud c = cloud_make(1, 3);
  c.position[0] = x, c.position[1] = y, c.position[2] = z;
  c.velocity[0] = vx, c.velocity[1] = vy, c.velocity[2] = vz;
  return c;
}

static void check_at(const double *x, double a, double b, double c) {
  CHECK_NEAR(x[0], a, 0.01 * CLEARANCE);
  CHECK_NEAR(x[1], b, 0.01 * CLEARANCE);
  CHECK_NEAR(x[2], c, 0.01 * CLEARANCE);
}

// Nothing into the floor is left, all along it is kept, and the particle goes as far along as it would have.
static void slides(void) {
  mote_obstacle floor = standing(half_space(0, 1, 0), 3);
  cloud c = one(0, 0.05, 0, 3.0f, -100.0f, 4.0f);
  mote_collision_report report = cloud_step(&c, &floor, 1, NULL, 0.01, 1);
  CHECK(report.touched == 1 && report.pushed == 0 && report.squeezed == 0);
  check_at(c.position, 0.03, CLEARANCE, 0.04);
  CHECK(c.velocity[0] == 3.0f && c.velocity[1] == 0.0f && c.velocity[2] == 4.0f);
  cloud_free(&c);
  obstacles_free(&floor, 1);
}

// Leaving and resting particles are not touched.
static void lets_go(void) {
  mote_obstacle floor = standing(half_space(0, 1, 0), 3);
  cloud c = one(0, CLEARANCE, 0, 1.0f, 2.0f, 0.0f);
  CHECK(cloud_step(&c, &floor, 1, NULL, 0.01, 1).touched == 0);
  CHECK(c.position[1] == CLEARANCE + 0.01 * 2.0 && c.velocity[1] == 2.0f);
  cloud rest = one(0, 0.5 * SPACING, 0, 0, 0, 0);
  for (int k = 0; k < 10; ++k) CHECK(cloud_step(&rest, &floor, 1, NULL, 0.01, 1).touched == 0);
  CHECK(rest.position[1] == 0.5 * SPACING);
  cloud_free(&c);
  cloud_free(&rest);
  obstacles_free(&floor, 1);
}

// Into an edge: along it; into the corner of three walls: at rest.
static void corners(void) {
  mote_obstacle wall[3] = {standing(half_space(1, 0, 0), 3), standing(half_space(0, 1, 0), 3),
                           standing(half_space(0, 0, 1), 3)};
  cloud c = one(0.1, 0.2, 0.1, -30.0f, -20.0f, 1.0f);
  cloud_step(&c, wall, 3, NULL, 0.05, 1);
  check_at(c.position, CLEARANCE, CLEARANCE, 0.15);
  CHECK(c.velocity[0] == 0.0f && c.velocity[1] == 0.0f && c.velocity[2] == 1.0f);
  c.velocity[0] = -1.0f, c.velocity[1] = -50.0f, c.velocity[2] = -9.0f;
  cloud_step(&c, wall, 3, NULL, 0.05, 1);
  check_at(c.position, CLEARANCE, CLEARANCE, CLEARANCE);
  for (int a = 0; a < 3; ++a) CHECK(c.velocity[a] == 0.0f);
  cloud_free(&c);
  obstacles_free(wall, 3);
}

// Along the inside of a ball a particle goes round, losing only what turning takes at each step.
static void hollow_walls(void) {
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, 1.0);
  def.inverted = true;
  mote_obstacle ball = standing(def, 3);
  cloud c = one(1.0 - CLEARANCE, 0, 0, 0, 10.0f, 0);
  double dt = 1e-3, angle = 0.01 / (1.0 - CLEARANCE), turned = 0.0;
  for (int k = 0; k < 100; ++k) {
    cloud_step(&c, &ball, 1, NULL, dt, 1);
    double r = sqrt(c.position[0] * c.position[0] + c.position[1] * c.position[1]);
    CHECK_NEAR(r, 1.0 - CLEARANCE, 0.02 * CLEARANCE);
    turned = mote_atan2(c.position[1], c.position[0]);
  }
  // A step along the tangent turns by atan(s/r): about 1 - angle^2/3 of s/r; the speed loses angle^2/2.
  CHECK_NEAR(turned, 100 * angle, 100 * angle * (100 * angle * angle));
  CHECK_NEAR((double)hypotf(c.velocity[0], c.velocity[1]), 10.0, 10.0 * 100 * angle * angle);
  cloud_free(&c);
  obstacles_free(&ball, 1);
}

// A hit at 100 m/s into the corner between thin walls.
static void bullet(void) {
  double w = 1e-4 * SPACING;
  mote_obstacle wall[3] = {standing(mote_shape_def_box(-w, -1, -1, 0, 1, 1), 3),
                           standing(mote_shape_def_box(-1, -w, -1, 1, 0, 1), 3),
                           standing(mote_shape_def_box(-1, -1, -w, 1, 1, 0), 3)};
  cloud c = one(0.02, 0.03, 0.05, -100.0f, -100.0f, -100.0f);
  cloud_step(&c, wall, 3, NULL, 0.1, 1);
  check_at(c.position, CLEARANCE, CLEARANCE, CLEARANCE);
  cloud_free(&c);
  obstacles_free(wall, 3);
}

// More obstacles around than are led around: 40 thin plates through one edge, and a particle among them.
static void crowd(void) {
  enum { PLATES = 40 };
  mote_obstacle plate[PLATES];
  for (int k = 0; k < PLATES; ++k) {
    mote_shape_def def = mote_shape_def_box(0.02, -1e-6, -1, 1, 1e-6, 1);
    def.axis[0] = def.axis[1] = 0, def.axis[2] = 1;
    def.angle = 2.0 * 3.14159265358979 * k / PLATES;
    memset(def.pivot, 0, sizeof def.pivot);
    plate[k] = standing(def, 3);
  }
  size_t inside = 0;
  for (uint64_t k = 0; k < 300; ++k) {
    cloud c = one(0, 0, 0, 0, 0, 0);
    cloud_shoot(&c, k);
    for (int step = 0; step < 5; ++step) {
      cloud_step(&c, plate, PLATES, NULL, 1e-3, 1);
      for (int p = 0; p < PLATES; ++p) inside += !(mote_shape_distance(plate[p].shape, c.position) > 0.0);
    }
    cloud_free(&c);
  }
  CHECK(inside == 0);
  obstacles_free(plate, PLATES);
}

// A plate at the low side of a periodic channel stops what comes over the high side.
static void periodic(void) {
  mote_domain channel = mote_domain_open(3);
  channel.periodic[0] = true;
  channel.low[0] = 0.0, channel.high[0] = 1.0;
  mote_obstacle plate = standing(mote_shape_def_box(0.01, -1, -1, 0.012, 1, 1), 3);
  cloud c = one(0.95, 0, 0, 50.0f, 1.0f, 0);
  c.wall_distance[0] = 0.5f;  // as it is from the plate on the other side
  CHECK(cloud_step(&c, &plate, 1, &channel, 0.01, 1).touched == 1);
  check_at(c.position, 1.01 - CLEARANCE, 0.01, 0);
  CHECK(c.velocity[0] == 0.0f && c.velocity[1] == 1.0f);
  CHECK(c.wall_distance[0] == 0.0f);
  cloud_free(&c);
  obstacles_free(&plate, 1);
}

static void no_numbers(void) {
  mote_obstacle floor = standing(half_space(0, 1, 0), 3);
  cloud c = one(0, 0.1, 0, 0, NAN, 0);
  CHECK(cloud_step(&c, &floor, 1, NULL, 0.01, 1).touched == 0);
  CHECK(isnan(c.position[1]));
  cloud_free(&c);
  obstacles_free(&floor, 1);
}

// A lid that comes down on a floor at an angle of 0.01 with 1 m/s would throw out what is between them with
// 100 m/s, the next step again.
static void shears(void) {
  mote_obstacle o[2] = {standing(half_space(0, 1, 0), 3), standing(half_space(0.01, -1, 0), 3)};
  double dt = 1e-4, gap = 2.5 * CLEARANCE;
  cloud c = one(0, 1.1 * CLEARANCE, 0, 0, 0, 0);
  mote_pose lid = mote_pose_identity();
  lid.move[1] = gap;
  o[1] = mote_obstacle_posed(o[1].shape, &lid, &lid, dt);
  for (int step = 0; step < 20; ++step) {
    o[1].after = o[1].pose, o[1].after.move[1] -= 1.0 * dt;
    cloud_step(&c, o, 2, NULL, dt, 1);
    o[1].pose = o[1].after;
  }
  double speed = sqrt((double)(c.velocity[0] * c.velocity[0] + c.velocity[1] * c.velocity[1]));
  if (!CHECK(speed > 0.5 && speed < 4.0)) fprintf(stderr, "  %g m/s\n", speed);
  cloud_free(&c);
  obstacles_free(o, 2);
}

// Room is never more than the way to the nearest obstacle.
static void room(void) {
  mote_obstacle o[2] = {standing(half_space(0, 1, 0), 3), standing(mote_shape_def_sphere(0, 1, 0, 0.2), 3)};
  cloud c = cloud_make(500, 3);
  cloud_place(&c, o, 2, (double[3]){-1, 0, -1}, (double[3]){1, 2, 1}, NULL, 12);
  size_t wrong = 0, some = 0;
  for (uint64_t step = 0; step < 50; ++step) {
    if (step % 10 == 0) cloud_shoot(&c, step);
    cloud_step(&c, o, 2, NULL, 1e-5, 1);
    for (size_t i = 0; i < c.count; ++i) {
      double least = HUGE_VAL;
      for (int k = 0; k < 2; ++k) least = fmin(least, mote_shape_distance(o[k].shape, c.position + 3 * i));
      wrong += (double)c.wall_distance[i] > fmax(0.0, least - CLEARANCE);
      some += (double)c.wall_distance[i] > 0.5 * (least - CLEARANCE);
    }
  }
  CHECK(wrong == 0);
  CHECK(some > 50 * 500 / 2);  // or it would be of no use
  cloud_free(&c);
  obstacles_free(o, 2);
}

int main(void) {
  slides();
  lets_go();
  corners();
  hollow_walls();
  bullet();
  crowd();
  periodic();
  no_numbers();
  shears();
  room();
  return test_end();
}
