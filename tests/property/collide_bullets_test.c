// Bullets of 1 to 1000 m/s, up to a hundred spacings a step, among obstacles that stand still: none gets
// through, in no corner, wedge or thin wall, in 2D and 3D, near the origin and 100 km away.
#include "collide_kit.h"

#define BULLETS 1000
#define STEPS 30
#define DT 1e-3
#define FAR 1e5

typedef struct scene {
  const char *name;
  int dimensions;
  mote_obstacle obstacle[8];
  size_t obstacles;
  double low[3], high[3];  // where the bullets begin
  place_fn *allowed;       // where they must stay; null: the box above
  bool arms;               // of an L: particles must pass from one into the other
  bool films;              // distances are bounds only, and 0 where parts touch
} scene;

static void add(scene *s, mote_shape_def def) {
  s->obstacle[s->obstacles++] = standing(def, s->dimensions);
}

static bool is_allowed(const scene *s, const double x[3]) {
  if (s->allowed != NULL) return s->allowed(x);
  for (int a = 0; a < s->dimensions; ++a) {
    if (!(x[a] > s->low[a] && x[a] < s->high[a])) return false;
  }
  return true;
}

// Every particle where it may be and no nearer than the clearance, but for rounding.
static void check_all(const scene *s, const cloud *c) {
  size_t lost = 0, near = 0;
  for (size_t i = 0; i < c->count; ++i) {
    const double *x = c->position + 3 * i;
    lost += !is_allowed(s, x);
    for (size_t k = 0; k < s->obstacles; ++k) {
      near += !(mote_shape_distance(s->obstacle[k].shape, x) > (s->films ? 0.0 : 0.95 * CLEARANCE));
    }
  }
  if (!CHECK(lost == 0)) fprintf(stderr, "  %s: %zu lost\n", s->name, lost);
  if (!CHECK(near == 0)) fprintf(stderr, "  %s: %zu too near\n", s->name, near);
}

static double speed2(const cloud *c, size_t i) {
  double sum = 0.0;
  for (int a = 0; a < 3; ++a) sum += (double)c->velocity[3 * i + a] * (double)c->velocity[3 * i + a];
  return sum;
}

// One step, in which no particle may become faster.
static mote_collision_report step_slower(const scene *s, cloud *c) {
  static double before[BULLETS];
  size_t faster = 0;
  for (size_t i = 0; i < c->count; ++i) before[i] = speed2(c, i);
  mote_collision_report report = cloud_step(c, s->obstacle, s->obstacles, NULL, DT, 1);
  for (size_t i = 0; i < c->count; ++i) faster += speed2(c, i) > before[i] * (1.0 + 1e-6);
  CHECK(faster == 0);
  return report;
}

static void shoot(scene *s) {
  cloud c = cloud_make(BULLETS, s->dimensions);
  cloud_place(&c, s->obstacle, s->obstacles, s->low, s->high, s->allowed, 5);
  size_t touched = 0, trouble = 0, risen = 0;
  for (uint64_t step = 0; step < STEPS; ++step) {
    if (step % 3 == 0) cloud_shoot(&c, 100 + step);
    mote_collision_report report = step_slower(s, &c);
    touched += report.touched;
    trouble += report.squeezed + report.pushed;
    check_all(s, &c);
    for (size_t i = 0; i < c.count; ++i) risen += c.from[3 * i + 1] < 0.19 && c.position[3 * i + 1] > 0.21;
  }
  if (s->arms) CHECK(risen > BULLETS / 10);
  if (!CHECK(touched > BULLETS && trouble == 0)) {
    fprintf(stderr, "  %s: %zu touched, %zu in trouble\n", s->name, touched, trouble);
  }
  cloud_free(&c);
  obstacles_free(s->obstacle, s->obstacles);
}

// --- Scenes ---

static void hollow_box(int dimensions, double away) {
  scene s = {.name = "hollow box", .dimensions = dimensions};
  mote_shape_def box = mote_shape_def_box(away, away, away, away + 0.5, away + 0.3, away + 0.2);
  box.inverted = true;
  add(&s, box);
  for (int a = 0; a < 3; ++a) s.low[a] = away, s.high[a] = away + (a == 0 ? 0.5 : a == 1 ? 0.3 : 0.2);
  shoot(&s);
}

// Six walls, or four, each a ten thousandth of a spacing thick.
static void thin_box(int dimensions) {
  scene s = {.name = "thin walls", .dimensions = dimensions, .high = {0.5, 0.5, 0.5}};
  double w = 1e-4 * SPACING, e = 0.01;
  for (int a = 0; a < dimensions; ++a) {
    double low[3] = {-e, -e, -e}, high[3] = {0.5 + e, 0.5 + e, 0.5 + e};
    low[a] = -w, high[a] = 0.0;
    add(&s, mote_shape_def_box(low[0], low[1], low[2], high[0], high[1], high[2]));
    low[a] = 0.5, high[a] = 0.5 + w;
    add(&s, mote_shape_def_box(low[0], low[1], low[2], high[0], high[1], high[2]));
  }
  shoot(&s);
}

static double wedge_slope;
static bool in_wedge(const double x[3]) {
  return x[1] > 0.0 && x[1] < wedge_slope * x[0] && x[0] < 0.5;
}

// Between a floor and a thin ramp that meet at a small angle, behind a wall.
static void wedge(double slope, int dimensions) {
  scene s = {.name = "wedge", .dimensions = dimensions, .high = {0.5, 0.5 * slope, 0.1}};
  wedge_slope = slope;
  s.allowed = in_wedge;
  mote_shape_def plane = mote_shape_def_default();
  plane.kind = MOTE_SHAPE_HALF_SPACE;
  plane.normal[0] = 0, plane.normal[1] = 1, plane.normal[2] = 0;
  memset(plane.centre, 0, sizeof plane.centre);
  add(&s, plane);
  plane.normal[0] = slope, plane.normal[1] = -1.0;
  add(&s, plane);
  plane.normal[0] = -1.0, plane.normal[1] = 0.0, plane.centre[0] = 0.5;
  add(&s, plane);
  shoot(&s);
}

static bool in_ball(const double x[3]) {
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 0.09;
}

static void hollow_ball(int dimensions) {
  scene s = {.name = "hollow ball", .dimensions = dimensions, .allowed = in_ball};
  mote_shape_def ball = mote_shape_def_sphere(0, 0, 0, 0.3);
  ball.inverted = true;
  add(&s, ball);
  for (int a = 0; a < 3; ++a) s.low[a] = -0.3, s.high[a] = 0.3;
  shoot(&s);
}

static bool in_ell(const double x[3]) {
  bool low =
      x[0] > 0 && x[0] < 0.5 && x[1] > 0 && x[1]<0.2, up = x[0]> 0 && x[0] < 0.2 && x[1] > 0 && x[1] < 0.5;
  return (low || up) && fabs(x[2]) < 0.1;
}

// Two boxes that overlap (by 0.2), or touch in a face; particles must pass from one to the other.
static void hollow_ell(double overlap) {
  scene s = {.name = "hollow L", .dimensions = 3, .allowed = in_ell, .arms = true, .films = true};
  mote_shape_def part[2] = {mote_shape_def_box(0, 0, -0.1, 0.5, 0.2, 0.1),
                            mote_shape_def_box(0, 0.2 - overlap, -0.1, 0.2, 0.5, 0.1)};
  mote_shape_def both = mote_shape_def_default();
  both.kind = MOTE_SHAPE_UNION;
  both.part = part, both.parts = 2;
  both.inverted = true;
  add(&s, both);
  for (int a = 0; a < 3; ++a) s.low[a] = a < 2 ? 0.0 : -0.1, s.high[a] = a < 2 ? 0.5 : 0.1;
  shoot(&s);
}

// A box with a ball, a capsule and a ring in it.
static void full_box(void) {
  scene s = {.name = "full box", .dimensions = 3, .high = {0.5, 0.5, 0.5}};
  mote_shape_def box = mote_shape_def_box(0, 0, 0, 0.5, 0.5, 0.5), other = mote_shape_def_default();
  box.inverted = true;
  add(&s, box);
  add(&s, mote_shape_def_sphere(0.1, 0.1, 0.1, 0.09));
  other.kind = MOTE_SHAPE_CAPSULE;
  other.from[0] = 0.1, other.from[1] = 0.4, other.from[2] = 0.1;
  other.to[0] = 0.4, other.to[1] = 0.4, other.to[2] = 0.4;
  other.radius = 0.02;
  add(&s, other);
  other.kind = MOTE_SHAPE_TORUS;
  other.centre[0] = 0.3, other.centre[1] = 0.2, other.centre[2] = 0.25;
  other.normal[0] = 0, other.normal[1] = 1, other.normal[2] = 0;
  other.radius = 0.1, other.thickness = 0.02;
  add(&s, other);
  shoot(&s);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    hollow_box(dimensions, 0.0);
    hollow_box(dimensions, FAR);
    thin_box(dimensions);
    wedge(1.0, dimensions);
    wedge(0.1, dimensions);
    hollow_ball(dimensions);
  }
  hollow_ell(0.2);
  hollow_ell(0.0);
  full_box();
  return test_end();
}
