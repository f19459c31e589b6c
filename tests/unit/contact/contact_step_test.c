// Bodies in contact: rest, sliding, rolling, impacts, stacks; momenta; thin walls; initial overlap.
#include "contact/contact.h"
#include "contact_kit.h"

#define D 0.05

static const double pi = 3.14159265358979323846;

static mote_shape_def cube(double x, double y, double z, double edge) {
  double h = 0.5 * edge;
  return mote_shape_def_box(x - h, y - h, z - h, x + h, y + h, z + h);
}

// --- Coulomb ------------------------------------------------------------------------------------------

// Distance that a box with friction mu slides down a slope in one second.
static double slide(double angle, double mu, double seconds) {
  kit_world *w = kit_make(D, 2e-3, 1);
  mote_shape_def def = cube(0.0, 0.5 * 0.2, 0.0, 0.2), slope = kit_floor(0.0, angle);
  size_t k = kit_body(w, &def, 500.0, mu, 0.0);
  double turn[3] = {0.0, 0.0, angle}, n[3] = {-mote_sin(angle), mote_cos(angle), 0.0};
  for (int a = 0; a < 3; ++a) w->obstacle[k].x[a] = 0.1 * n[a];
  kit_turn(w, k, turn);
  kit_obstacle(w, &slope);
  for (int s = 0; s < (int)(seconds / w->scene.dt + 0.5); ++s) kit_step(w);
  double distance = -(w->obstacle[k].x[0] * mote_cos(angle) + w->obstacle[k].x[1] * mote_sin(angle));
  kit_free(w);
  return distance;
}

static void test_slope(void) {
  static const double degrees[] = {10.0, 20.0, 30.0, 40.0};
  for (size_t k = 0; k < sizeof degrees / sizeof *degrees; ++k) {
    double angle = degrees[k] * pi / 180.0, tangent = mote_sin(angle) / mote_cos(angle);
    CHECK_NEAR(slide(angle, 1.02 * tangent, 1.0), 0.0, 1e-5);  // rests
    for (double part = 0.0; part < 0.99; part += 0.49) {       // slides by g (sin - mu cos) t^2 / 2
      double a = 9.81 * mote_sin(angle) * (1.0 - part);
      CHECK_NEAR(slide(angle, part * tangent, 1.0), 0.5 * a, 0.02 * 0.5 * a);
    }
  }
}

// A ball rolling without slip accelerates by 5/7 g sin, a cylinder by 2/3.
static double roll(mote_shape_kind kind, double angle) {
  kit_world *w = kit_make(D, 2e-3, 1);
  mote_shape_def def = mote_shape_def_sphere(0.0, 0.0, 0.0, 0.1), slope = kit_floor(0.0, angle);
  def.kind = kind;
  def.from[0] = def.from[1] = def.to[0] = def.to[1] = 0.0, def.from[2] = -0.1, def.to[2] = 0.1;
  size_t k = kit_body(w, &def, 500.0, 1.0, 0.0);
  double n[3] = {-mote_sin(angle), mote_cos(angle), 0.0};
  for (int a = 0; a < 3; ++a) w->obstacle[k].x[a] = 0.1 * n[a];
  kit_place(w, k);
  kit_obstacle(w, &slope);
  for (int s = 0; s < 500; ++s) kit_step(w);
  double distance = -(w->obstacle[k].x[0] * mote_cos(angle) + w->obstacle[k].x[1] * mote_sin(angle));
  kit_free(w);
  return distance;
}

static void test_rolling(void) {
  double angle = 20.0 * pi / 180.0, free_way = 0.5 * 9.81 * mote_sin(angle);
  CHECK_NEAR(roll(MOTE_SHAPE_SPHERE, angle), 5.0 / 7.0 * free_way, 0.01 * free_way);
  CHECK_NEAR(roll(MOTE_SHAPE_CYLINDER, angle), 2.0 / 3.0 * free_way, 0.01 * free_way);
}

// --- Impacts ------------------------------------------------------------------------------------------

// A ball that falls from 1 m, in steps of 5 ms, rises to e^2 of the height before, on a floor and on a box
// that rests on it, which takes its part of the impact and gives it to the floor.
static void bounce(double e, double base) {
  kit_world *w = kit_make(D, 5e-3, 1);
  mote_shape_def def = mote_shape_def_sphere(0.0, base + 1.1, 0.0, 0.1), ground = kit_floor(0.0, 0.0);
  mote_shape_def table = mote_shape_def_box(-0.5, 0.0, -0.5, 0.5, base, 0.5);
  size_t k = kit_body(w, &def, 500.0, 0.5, e);
  if (base > 0.0) kit_body(w, &table, 1e6, 0.5, 0.0);
  kit_obstacle(w, &ground);
  double ratio = base > 0.0 ? w->body[k].mass / w->body[1].mass : 0.0, kept = (e - ratio) / (1.0 + ratio);
  double exact = 1.0, before = 0.0, worst = 0.0, above = 0.0;
  int bounces = 0;
  for (int s = 0; s < 1000 && exact > 0.02; ++s) {
    kit_step(w);
    double v = w->obstacle[k].v[1], height = w->obstacle[k].x[1] - 0.1 - base + v * v / (2.0 * 9.81);
    if (v > 0.0 && before < 0.0) {
      exact *= kept * kept, ++bounces;
      worst = max2(worst, fabs(height / exact - 1.0));
      above = max2(above, height - exact);
    }
    before = v;
  }
  CHECK(bounces >= 2);
  CHECK(worst < (base > 0.0 ? 2e-5 : 1e-12));
  CHECK(above < (base > 0.0 ? 2e-5 : 1e-12));
  CHECK(w->obstacle[k].x[1] > 0.1 + base - 0.01 * D);
  kit_free(w);
}

static void test_bounce(void) {
  for (double base = 0.0; base < 1.0; base += 0.5) {
    bounce(1.0, base);
    bounce(0.8, base);
    bounce(0.5, base);
  }
  bounce(0.2, 0.0);
}

// Two boxes that collide off centre without gravity: both momenta are conserved, energy does not grow.
static void test_momenta(void) {
  kit_world *w = kit_make(D, 1e-3, 1);
  w->gravity[1] = w->scene.gravity = 0.0;
  mote_shape_def a = cube(0.0, 0.0, 0.0, 0.2), b = cube(0.5, 0.13, 0.04, 0.3);
  kit_body(w, &a, 500.0, 0.4, 0.3);
  kit_body(w, &b, 900.0, 0.4, 0.3);
  double turn[3] = {0.3, 0.5, 0.2};
  kit_turn(w, 0, turn);
  w->obstacle[0].v[0] = 3.0;
  w->L[1][2] = 0.8;
  double sum[2][6];
  double energy = kit_energy(w);
  for (int when = 0; when < 2; ++when) {
    for (int s = 0; when == 1 && s < 300; ++s) kit_step(w);
    for (int c = 0; c < 6; ++c) sum[when][c] = 0.0;
    for (int k = 0; k < 2; ++k) {
      double p[3], l[3];
      for (int c = 0; c < 3; ++c) p[c] = w->body[k].mass * w->obstacle[k].v[c];
      cross3(w->obstacle[k].x, p, l);
      for (int c = 0; c < 3; ++c) sum[when][c] += p[c], sum[when][3 + c] += l[c] + w->L[k][c];
    }
  }
  CHECK(w->obstacle[1].v[0] > 0.2);  // they collided
  for (int c = 0; c < 6; ++c) CHECK_NEAR(sum[1][c], sum[0][c], 1e-10 * 12.0);
  CHECK(kit_energy(w) < energy);
  kit_free(w);
}

// A body at 100 m/s does not pass a wall of one spacing, for any shape and rotation.
static void test_bullet(void) {
  for (int kind = 0; kind < 12; ++kind) {
    kit_world *w = kit_make(D, 5e-3, 1);  // half a metre in a step
    mote_shape_def def =
        kind % 3 == 0 ? mote_shape_def_sphere(0.0, 0.0, 0.0, 0.04) : cube(0.0, 0.0, 0.0, 0.08);
    mote_shape_def wall = mote_shape_def_box(3.0, -9.0, -9.0, 3.0 + D, 9.0, 9.0);
    if (kind % 3 == 2) def.kind = MOTE_SHAPE_CYLINDER, def.radius = 0.03, def.from[2] = -0.1, def.to[2] = 0.1;
    size_t k = kit_body(w, &def, 700.0, 0.3, kind % 2 == 0 ? 0.0 : 0.5);
    double turn[3] = {0.1 * kind, 0.3 * kind, 0.2};
    kit_turn(w, k, turn);
    set3(100.0, 1.0 + kind, 2.0, w->obstacle[k].v);
    double spin[3] = {20.0 * kind, -30.0, 50.0};
    mote_rigid_momentum(&w->body[k], w->q[k], spin, w->L[k]);
    kit_obstacle(w, &wall);
    double farthest = 0.0;
    for (int s = 0; s < 100; ++s) {
      kit_step(w);
      farthest = max2(farthest, w->obstacle[k].x[0]);
    }
    CHECK(farthest > 2.4 && farthest < 3.0);  // rebounds stay within the half metre
    CHECK(w->obstacle[k].v[0] < 1.0);
    kit_free(w);
  }
}

// --- Many ---------------------------------------------------------------------------------------------

static void test_stack(void) {
  kit_world *w = kit_make(D, 4e-3, 1);
  mote_shape_def ground = kit_floor(0.0, 0.0);
  for (int k = 0; k < 10; ++k) {
    mote_shape_def def = cube(0.0, 0.1 + 0.2 * k, 0.0, 0.2);
    kit_body(w, &def, 500.0, 0.5, 0.0);
  }
  kit_obstacle(w, &ground);
  double energy = kit_energy(w), most = energy;
  for (int s = 0; s < (TEST_SHORT ? 1500 : 15000); ++s) {
    kit_step(w);
    most = max2(most, kit_energy(w));
  }
  for (int k = 0; k < 10; ++k) {
    CHECK_NEAR(w->obstacle[k].x[0], 0.0, 1e-3);
    CHECK_NEAR(w->obstacle[k].x[1], 0.1 + 0.2 * k, 0.02 * D * (k + 1));
    CHECK(length3(w->obstacle[k].v) < 1e-3);
  }
  CHECK(most < energy + 1e-6 * energy);
  kit_free(w);
}

// Boxes that start inside each other separate without gaining speed.
static void test_overlap(void) {
  kit_world *w = kit_make(D, 4e-3, 1);
  mote_shape_def ground = kit_floor(0.0, 0.0);
  for (int k = 0; k < 4; ++k) {
    mote_shape_def def = cube(0.03 * k, 0.1 + 0.11 * k, 0.02 * k, 0.2);
    kit_body(w, &def, 500.0, 0.5, 0.0);
  }
  kit_obstacle(w, &ground);
  double fastest = 0.0;
  for (int s = 0; s < 1000; ++s) {
    kit_step(w);
    for (int k = 0; k < 4; ++k) fastest = max2(fastest, length3(w->obstacle[k].v));
  }
  CHECK(fastest < sqrt(2.0 * 9.81 * 0.8));  // the speed of free fall
  CHECK(w->report.overlap < 0.02 * D);
  kit_free(w);
}

// A plank with one end pressed in a little deeper than contact alone leaves it, and the other one just above
// the floor, falls on that one: it is stopped, too.
static void test_pressed_end(void) {
  kit_world *w = kit_make(D, 4e-3, 1);
  w->scene.dimensions = 2;
  mote_shape_def plank = mote_shape_def_box(-0.4, -0.1, 0.0, 0.4, 0.1, 0.0), ground = kit_floor(0.0, 0.0);
  const double turn[3] = {0.0, 0.0, 0.01}, spin[3] = {0.0, 0.0, -50.0};
  kit_body(w, &plank, 1000.0, 0.5, 0.0);
  kit_obstacle(w, &ground);
  w->obstacle[0].x[1] = 0.4 * mote_sin(0.01) + 0.1 * mote_cos(0.01) - 0.155 * D;
  kit_turn(w, 0, turn);
  mote_rigid_momentum(&w->body[0], w->q[0], spin, w->L[0]);
  for (int s = 0; s < 3; ++s) kit_step(w);
  CHECK(w->report.overlap < 0.16 * D);
  kit_free(w);
}

// A hundred balls and boxes in a pit: the same bits for all numbers of threads, and all inside.
static void fill_pit(kit_world *w) {
  for (int k = 0; k < 100; ++k) {
    double x = 0.12 * (k % 4) - 0.18, y = 0.2 + 0.12 * (k / 16), z = 0.12 * (k / 4 % 4) - 0.18;
    mote_shape_def def = k % 2 == 0 ? mote_shape_def_sphere(x, y, z, 0.05) : cube(x, y, z, 0.09);
    kit_body(w, &def, 500.0, 0.3, 0.2);
  }
  mote_shape_def pit = mote_shape_def_box(-0.25, 0.0, -0.25, 0.25, 9.0, 0.25);
  pit.inverted = true;
  kit_obstacle(w, &pit);
  for (int s = 0; s < 500; ++s) kit_step(w);
}

static void test_threads(void) {
  kit_world *one = kit_make(D, 4e-3, 1), *many = kit_make(D, 4e-3, 3);
  fill_pit(one);
  fill_pit(many);
  for (size_t k = 0; k < one->scene.bodies; ++k) {
    CHECK(memcmp(one->obstacle[k].x, many->obstacle[k].x, sizeof one->obstacle[k].x) == 0);
    CHECK(memcmp(one->q[k], many->q[k], sizeof one->q[k]) == 0);
    const double *x = one->obstacle[k].x;
    CHECK(fabs(x[0]) < 0.25 && fabs(x[2]) < 0.25 && x[1] > 0.04);
  }
  kit_free(one);
  kit_free(many);
}

// --- A floor that deforms -------------------------------------------------------------------------------

// The plane y = 0.02 x sin(t / 0.1 s).
static const double *floor_time;

static double tilt(double time) {
  return mote_sin((*floor_time + 4e-3 * time) / 0.1);
}

static double floor_distance(const void *user, double time, const double x[3], double normal[3]) {
  (void)user;
  double slope = 0.02 * tilt(time), length = sqrt(1.0 + slope * slope);
  if (normal != NULL) set3(-slope / length, 1.0 / length, 0.0, normal);
  return (x[1] - slope * x[0]) / length;
}

static void floor_velocity(const void *user, double time, const double x[3], double out[3]) {
  (void)user;
  set3(0.0, 0.02 * x[0] * (tilt(time + 1e-3) - tilt(time - 1e-3)) / (2e-3 * 4e-3), 0.0, out);
}

// Balls at rest on it go up and down with it.
static void test_deforming(void) {
  kit_world *w = kit_make(D, 4e-3, 1);
  mote_deforming surface = {NULL, floor_distance, floor_velocity, 4e-3 * 0.2};
  double t = 0.0, worst = 0.0, highest = 0.0;
  for (int k = 0; k < 5; ++k) {
    mote_shape_def def = mote_shape_def_sphere(0.4 * (k - 2), 0.1, 0.0, 0.1);
    kit_body(w, &def, 500.0, 0.9, 0.0);
  }
  floor_time = &t;
  w->obstacle[w->scene.obstacles++] = (mote_obstacle){.motion = MOTE_OBSTACLE_DEFORMING,
                                                      .deforming = &surface,
                                                      .radius = HUGE_VAL,
                                                      .friction = (double)NAN,
                                                      .restitution = (double)NAN,
                                                      .dt = 4e-3};
  for (int s = 0; s < 150; ++s, t += 4e-3) {
    kit_step(w);
    for (int k = 0; k < 5; ++k) {
      double gap = floor_distance(NULL, 1.0, w->obstacle[k].x, NULL) - 0.1;
      worst = max2(worst, fabs(gap));
      highest = max2(highest, w->obstacle[k].x[1]);
    }
  }
  CHECK(worst < 0.03 * D);  // where the floor falls at 0.16 m/s a ball lags behind by 1.3 mm
  CHECK(highest > 0.1 + 0.5 * 0.016);
  kit_free(w);
}

int main(void) {
  test_slope();
  test_rolling();
  test_bounce();
  test_momenta();
  test_bullet();
  test_stack();
  test_overlap();
  test_pressed_end();
  test_threads();
  test_deforming();
  return test_end();
}
