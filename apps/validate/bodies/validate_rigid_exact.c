// Validation of rigid bodies without fluids against exact motions: free spin, bounces, stacks and mass
// ratios. Theory: docs/theory/bodies.md
#include <math.h>
#include <mote/numeric.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "validate/bodies/rigid_trial.h"
#include "validate/trial_materials.h"

// --- Spin ---------------------------------------------------------------------------------------------

static mote_shape_def cylinder(double half, double radius) {
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, radius);
  const double from[3] = {-half, 0, 0}, to[3] = {half, 0, 0};
  def.kind = MOTE_SHAPE_CYLINDER;
  memcpy(def.from, from, sizeof from), memcpy(def.to, to, sizeof to);
  return def;
}

static void spin(validation *v, const char *what, mote_shape_def shape, double speed, double tolerance) {
  mote_world_def def = rigid_open_def(0.0);
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body_def body = rigid_body_def("body", shape);
  char name[96];
  body.spin[0] = 0.02 * speed, body.spin[1] = speed;
  rigid_add_material(&t, "stone", 0.5, 0.0);
  rigid_add_body(&t, &body);
  double first = rigid_totals_of(&t).kinetic_energy, worst = 0.0;
  double end = (validation_quick(v) ? 100.0 : 1000.0) * 6.2831853 / speed;
  for (int k = 1; k <= 100 && t.ok; ++k) {
    rigid_go(&t, end * k / 100.0);
    worst = fmax(worst, fabs(rigid_totals_of(&t).kinetic_energy / first - 1.0));
  }
  snprintf(name, sizeof name, "%s, %g rad/s, energy's error", what, speed);
  rigid_report(&t, name, MEASURE_NEAR, worst, 0.0, tolerance, "free: kept");
  mote_world_destroy(t.world);
}

void validate_body_spin(validation *v) {
  for (double speed = 10.0; speed < 2e4; speed *= validation_quick(v) ? 1000.0 : 10.0) {
    spin(v, "pencil", cylinder(0.09, 0.004), speed, 1e-9);
    spin(v, "disc", cylinder(0.005, 0.15), speed, 1e-9);
    spin(v, "box about its middle axis", mote_shape_def_box(-0.15, -0.1, -0.05, 0.15, 0.1, 0.05), speed,
         1e-3);
  }
}

// --- Flips --------------------------------------------------------------------------------------------

// Complete elliptic integral of the first kind, by the arithmetic-geometric mean; m = k^2.
static double elliptic(double m) {
  APP_ASSERT(m >= 0.0 && m < 1.0);
  double a = 1.0, b = sqrt(1.0 - m);
  for (int k = 0; k < 40; ++k) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b), a = mean;
  }
  return 1.5707963267948966 / a;
}

// Seconds between flips: moments I ascending, momentum squared, twice the energy (Landau & Lifshitz,
// Mechanics, 37). The body turns about its largest or smallest axis, whichever the energy is nearer to.
static double flip_time(const double I[3], double L2, double E2) {
  bool low = L2 > E2 * I[1];
  double a = low ? I[0] : I[2], c = low ? I[2] : I[0];
  double m = (I[1] - a) * (E2 * c - L2) / ((c - I[1]) * (L2 - E2 * a));
  return 2.0 * elliptic(m) * sqrt(I[0] * I[1] * I[2] / ((c - I[1]) * (L2 - E2 * a)));
}

// A box whose spin is one degree off its middle axis; the time from the first flip to the last one.
static void flip(validation *v, double speed) {
  const double edge[3] = {0.3, 0.2, 0.1}, off = 0.017453292519943295;
  mote_world_def def = rigid_open_def(0.0);
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body_def box = rigid_body_def("box", mote_shape_def_box(-0.15, -0.1, -0.05, 0.15, 0.1, 0.05));
  rigid_add_material(&t, "stone", 0.5, 0.0);
  box.spin[0] = speed * mote_sin(off), box.spin[1] = speed * mote_cos(off);
  mote_body body = rigid_add_body(&t, &box);
  double I[3], mass = 1000.0 * edge[0] * edge[1] * edge[2];
  for (int k = 0; k < 3; ++k) {
    double p = edge[(k + 1) % 3], q = edge[(k + 2) % 3];
    I[k] = mass * (p * p + q * q) / 12.0;
  }
  double Lx = I[0] * box.spin[0], Ly = I[1] * box.spin[1];
  double exact = flip_time(I, Lx * Lx + Ly * Ly, Lx * box.spin[0] + Ly * box.spin[1]);
  double first = 0.0, last = 0.0, side = 1.0;
  int flips = -1, most = validation_quick(v) ? 5 : 50;
  for (int k = 1; flips < most && k < 400 * (most + 2) && t.ok; ++k) {
    rigid_go(&t, exact * k / 200.0);
    mote_body_state s = rigid_state_of(&t, body);
    const double *q = s.orientation;
    double up = 1.0 - 2.0 * (q[1] * q[1] + q[3] * q[3]);  // the body's y along the world's
    if (!(up * side < 0.0)) continue;
    last = exact * k / 200.0, side = -side;
    if (flips++ < 0) first = last;
  }
  char name[96];
  snprintf(name, sizeof name, "flips at %g rad/s, %d of them, time between / exact", speed, most);
  rigid_report(&t, name, MEASURE_NEAR, flips > 0 ? (last - first) / flips / exact : 0.0, 1.0, 0.01,
               "elliptic integral");
  mote_world_destroy(t.world);
}

void validate_body_flips(validation *v) {
  for (double speed = 10.0; speed < 2e4; speed *= validation_quick(v) ? 1000.0 : 10.0) flip(v, speed);
}

// --- Bounces ------------------------------------------------------------------------------------------

static void bounce(validation *v, double e) {
  mote_world_def def = rigid_floor_def();
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body_def ball = rigid_body_def("ball", mote_shape_def_sphere(0, 1.1, 0, 0.1));
  double exact = 1.0, before = 0.0, worst = 0.0, above = 0.0;
  int bounces = 0;
  char name[96];
  rigid_add_material(&t, "stone", 0.5, e);
  mote_body body = rigid_add_body(&t, &ball);
  for (int k = 1; k <= 400 && exact > 0.02 && t.ok; ++k) {
    rigid_go(&t, 0.01 * k);
    mote_body_state s = rigid_state_of(&t, body);
    double speed = s.velocity[1], height = s.position[1] - 0.1 + speed * speed / (2.0 * RIGID_G);
    if (speed > 0.0 && before <= 0.0) {
      exact *= e * e, ++bounces;
      worst = fmax(worst, fabs(height / exact - 1.0)), above = fmax(above, height / exact - 1.0);
    }
    before = speed;
  }
  snprintf(name, sizeof name, "bounces with e %g, height's error", e);
  rigid_report(&t, name, MEASURE_NEAR, bounces > 1 ? worst : HUGE_VAL, 0.0, 0.005,
               "e^2 of the height before");
  snprintf(name, sizeof name, "bounces with e %g, above the exact height", e);
  rigid_report(&t, name, MEASURE_NEAR, above, 0.0, 1e-6, "no energy is gained");
  mote_world_destroy(t.world);
}

void validate_body_bounce(validation *v) {
  bounce(v, 1.0);
  bounce(v, 0.8);
  bounce(v, 0.5);
}

// --- Cradle -------------------------------------------------------------------------------------------

#define CRADLE_BALLS 5

// Balls that touch in a row, without gravity, of which the first ones strike: as many leave.
static void cradle(validation *v, int strike) {
  mote_world_def def = rigid_open_def(0.0);
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body body[CRADLE_BALLS];
  double worst = 0.0;
  char name[96];
  rigid_add_material(&t, "stone", 0.3, 1.0);
  for (int k = 0; k < CRADLE_BALLS; ++k) {
    mote_body_def ball = rigid_body_def("", mote_shape_def_sphere(0.2 * k, 0, 0, 0.1));
    snprintf(name, sizeof name, "ball%d", k);
    ball.name = name;
    if (k < strike) ball.velocity = mote_value3_make(1.0, 0.0, 0.0);
    body[k] = rigid_add_body(&t, &ball);
  }
  rigid_go(&t, 0.5);
  for (int k = 0; k < CRADLE_BALLS; ++k) {
    mote_body_state s = rigid_state_of(&t, body[k]);
    double off[3] = {s.velocity[0] - (k >= CRADLE_BALLS - strike), s.velocity[1], s.velocity[2]};
    worst = fmax(worst, rigid_length_of(off));
  }
  snprintf(name, sizeof name, "cradle of five, %d strike: velocities' error", strike);
  rigid_report(&t, name, MEASURE_NEAR, worst, 0.0, 1e-10, "as many leave, the others rest");
  mote_world_destroy(t.world);
}

// A box that falls flat rises as fast, and does not turn.
static void fall_flat(validation *v, int dimensions) {
  mote_world_def def = rigid_floor_def();
  def.dimensions = dimensions;
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body_def box = rigid_body_def("box", mote_shape_def_box(-0.2, 1.0, -0.15, 0.2, 1.1, 0.15));
  char name[96];
  rigid_add_material(&t, "stone", 0.5, 1.0);
  mote_body body = rigid_add_body(&t, &box);
  rigid_go(&t, 0.6);
  mote_body_state s = rigid_state_of(&t, body);
  double height = s.position[1] - 0.05 + s.velocity[1] * s.velocity[1] / (2.0 * RIGID_G);
  snprintf(name, sizeof name, "%dD: a flat box with e 1, height of its rise", dimensions);
  rigid_report(&t, name, MEASURE_NEAR, height, 1.0, 1e-10, "as fast as it fell");
  snprintf(name, sizeof name, "%dD: a flat box with e 1, rad/s after it", dimensions);
  rigid_report(&t, name, MEASURE_NEAR, rigid_length_of(s.spin), 0.0, 1e-10, "does not turn");
  mote_world_destroy(t.world);
}

void validate_body_cradle(validation *v) {
  for (int strike = 1; strike < CRADLE_BALLS; ++strike) cradle(v, strike);
  for (int dimensions = 2; dimensions <= 3; ++dimensions) fall_flat(v, dimensions);
}

// --- Stacks -------------------------------------------------------------------------------------------

#define STACK_MAX 100
#define CUBE_EDGE 0.1

// Boxes of 10 cm, the top `ratio` times as dense.
static void stack(validation *v, int count, double ratio, double seconds) {
  APP_ASSERT(count > 0 && count <= STACK_MAX);
  mote_world_def def = rigid_floor_def();
  mote_body body[STACK_MAX];
  char name[96];
  def.spacing = 0.02;
  rigid_trial t = rigid_trial_open(v, &def);
  for (int k = 0; k < 2; ++k) {
    mote_material_def m = rigid_material(k == 0 ? "stone" : "heavy", k == 0 ? 5.0 : 5.0 * ratio);
    m.friction = 0.5;
    if (t.ok) rigid_keep(&t, mote_world_add_material(t.world, &m, NULL, &t.error));
  }
  for (int k = 0; k < count; ++k) {
    snprintf(name, sizeof name, "box%d", k);
    mote_body_def box = rigid_body_def(
        name, mote_shape_def_box(-0.05, CUBE_EDGE * k, -0.05, 0.05, CUBE_EDGE * (k + 1), 0.05));
    if (k == count - 1) box.material = "heavy";
    body[k] = rigid_add_body(&t, &box);
  }
  double overlap = 0.0, top = 0.0, aside = 0.0;
  for (int s = 1; s <= 10 && t.ok; ++s) {
    double below = 0.0;
    rigid_go(&t, seconds * s / 10.0);
    for (int k = 0; k < count; ++k) {
      mote_body_state of = rigid_state_of(&t, body[k]);
      const double *x = of.position, y = x[1];
      aside = fmax(aside, hypot(x[0], x[2]) / CUBE_EDGE);
      overlap = fmax(overlap, (below - (y - 0.5 * CUBE_EDGE)) / CUBE_EDGE);
      below = top = y + 0.5 * CUBE_EDGE;
    }
  }
  snprintf(name, sizeof name, "stack of %d, the top %g times as dense: height", count, ratio);
  rigid_report(&t, name, MEASURE_NEAR, top / (count * CUBE_EDGE), 1.0, 0.02, "stands");
  snprintf(name, sizeof name, "stack of %d, the top %g times as dense: overlap", count, ratio);
  rigid_report(&t, name, MEASURE_NEAR, overlap, 0.0, 0.02, "part of an edge");
  snprintf(name, sizeof name, "stack of %d, the top %g times as dense: aside", count, ratio);
  rigid_report(&t, name, MEASURE_NEAR, aside, 0.0, 0.02, "part of an edge");
  mote_world_destroy(t.world);
}

void validate_body_stacks(validation *v) {
  double seconds = validation_quick(v) ? 2.0 : 10.0;
  stack(v, 10, 1.0, seconds);
  stack(v, 30, 1.0, seconds);
  if (!validation_quick(v)) stack(v, 100, 1.0, seconds);
  stack(v, 2, 1e3, seconds);
  stack(v, 2, 1e5, seconds);
}

// --- Tipping ------------------------------------------------------------------------------------------

// Whether a box of the width, twice as high, falls over when gravity is turned by `angle` about z.
static bool tips(validation *v, double width, double angle, bool *ok) {
  mote_world_def def = rigid_floor_def();
  def.spacing = RIGID_D;
  def.gravity[0] = RIGID_G * mote_sin(angle), def.gravity[1] = -RIGID_G * mote_cos(angle);
  rigid_trial t = rigid_trial_open(v, &def);
  double half = 0.5 * width;
  mote_body_def box = rigid_body_def("box", mote_shape_def_box(-half, 0, -half, half, 4.0 * half, half));
  rigid_add_material(&t, "stone", 5.0, 0.0);
  mote_body body = rigid_add_body(&t, &box);
  rigid_go(&t, 3.0);
  mote_body_state s = rigid_state_of(&t, body);
  const double *q = s.orientation;
  double up = 1.0 - 2.0 * (q[1] * q[1] + q[3] * q[3]);
  *ok = t.ok;
  mote_world_destroy(t.world);
  return up < 0.99;
}

// The angle at which it begins, by bisection; it is that at which its weight passes over the edge.
static void tip(validation *v, double spacings, double tolerance) {
  double exact = atan(0.5), low = exact - 0.05, high = exact + 0.05;
  bool ok = true;
  char name[96];
  for (int k = 0; k < (validation_quick(v) ? 6 : 9) && ok; ++k) {
    double mean = 0.5 * (low + high);
    *(tips(v, spacings * RIGID_D, mean, &ok) ? &high : &low) = mean;
  }
  rigid_trial t = {.v = v, .ok = ok};
  snprintf(name, sizeof name, "a box %g spacings wide tips, degrees", spacings);
  rigid_report(&t, name, MEASURE_NEAR, 28.64788975654116 * (low + high), 57.29577951308232 * exact, tolerance,
               "weight over the edge");
}

void validate_body_tip(validation *v) {
  tip(v, 5.0, 0.4);
  tip(v, 10.0, 0.2);
  if (!validation_quick(v)) tip(v, 20.0, 0.1);
}
