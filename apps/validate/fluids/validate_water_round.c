// Validation: water along curved walls without friction, in two dimensions at the default settings. Half-full
// rings, of a lattice or a relaxed set, begin level with the velocities c/r of a potential vortex; with radii
// in the ratio 1 : 2 linear theory, by the map ln z, has omega^2 b/g = 0.87696 (b the outer radius). A
// half-full round tank begins tilted: omega^2 R/g = 1.3557 (Budiansky 1960, J. Aerosp. Sci. 27:161; McIver
// 1989, J. Fluid Mech. 201:243). A ring of water that turns as a solid and is pressed outward keeps its
// angular momentum. Without viscosity and friction all that is lost is numerical.
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/water_trial.h"

#define ROUND_SPACING 0.01  // m
#define RING_FIRST 9        // inner radii, in spacings; the outer ones are twice as large
#define RING_LAST 15
#define RING_FREQUENCY 0.87696  // omega^2 b/g
#define RING_SPEED 0.01724      // c over sqrt(g b^3): 0.008 m2/s where b is 28 cm
#define RING_DECAY_MAX 0.08     // 1/s
#define RING_PERIODS 5
#define BOWL_RADIUS 20         // spacings
#define BOWL_FREQUENCY 1.3557  // omega^2 R/g
#define BOWL_TILT 0.139626340  // rad
#define BOWL_DECAY_MAX 0.04    // 1/s
#define BOWL_PERIODS 6
#define TURN_RADIUS 12   // spacings; the outer one twice that
#define TURN_RATE 3.0    // rad/s
#define TURN_FIELD 30.0  // m/s2
#define TURN_SECONDS 3.0
#define TURN_LOSS_MAX 0.03
#define PER_PERIOD 30
#define SAMPLES (BOWL_PERIODS * PER_PERIOD + 1)

// One trial: the scene points into it.
typedef struct vessel {
  free_scene s;
  mote_shape_def part[3], hole[2];
  mote_collider_def tank;
  mote_force_def field;
  char formula[4][96];
  bool weighs_by_square;  // moment of the velocities over r^2, else the moment
  bool is_place;          // the mean of x
  double time[SAMPLES], value[SAMPLES];
} vessel;

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLES);
  (void)error;
  vessel *t = user;
  mote_field_view x = mote_world_view(world, "position"), v = mote_world_view(world, "velocity");
  double sum = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    const double *p = (const double *)x.data + 3 * i;
    const float *u = (const float *)v.data + 3 * i;
    double moment = p[0] * (double)u[1] - p[1] * (double)u[0];
    sum += t->is_place ? p[0] : t->weighs_by_square ? moment / (p[0] * p[0] + p[1] * p[1]) : moment;
  }
  t->value[k] = sum / (double)x.count;
  return MOTE_OK;
}

// Between the radii, or in the outer one where the inner one is 0: a tank, and as much water below a plane
// with this normal, or all of it.
static void make_vessel(vessel *t, int solver, double inner, double outer, const double normal[2]) {
  *t = (vessel){0};
  water_scene_make(&t->s, solver, 1.0, 1.0, ROUND_SPACING);
  mote_scene *scene = &t->s.scene;
  mote_world_def *world = &scene->world;
  for (int a = 0; a < 2; ++a) {
    world->low[a] = -outer - 0.1, world->high[a] = outer + 0.1;
    world->side[a][0] = world->side[a][1] = MOTE_SIDE_OPEN;
  }
  int parts = 0;
  t->part[parts++] = mote_shape_def_sphere(0, 0, 0, outer);
  if (inner > 0.0) {
    t->part[parts] = mote_shape_def_sphere(0, 0, 0, inner);
    t->part[parts++].inverted = true;
  }
  for (int k = 0; k < parts; ++k) t->hole[k] = t->part[k];
  t->tank = mote_collider_def_default();
  t->tank.name = "tank";
  t->tank.shape = mote_shape_def_default();
  t->tank.shape.kind = MOTE_SHAPE_INTERSECTION, t->tank.shape.part = t->hole,
  t->tank.shape.parts = (size_t)parts;
  t->tank.shape.inverted = true;
  if (normal != NULL) {
    t->part[parts] = mote_shape_def_default();
    t->part[parts].kind = MOTE_SHAPE_HALF_SPACE;
    t->part[parts].normal[0] = normal[0], t->part[parts].normal[1] = normal[1],
    t->part[parts++].normal[2] = 0.0;
  }
  t->s.body.shape = mote_shape_def_default();
  t->s.body.shape.kind = MOTE_SHAPE_INTERSECTION;
  t->s.body.shape.part = t->part, t->s.body.shape.parts = (size_t)parts;
  scene->collider = &t->tank, scene->colliders = 1;
}

static bool run(validation *v, vessel *t, int solver, const char *label, double step, int samples) {
  for (int n = 0; n < samples; ++n) t->time[n] = n * step;
  fluid_run fluid = {&t->s.scene, t->time, samples, take_sample, t};
  return water_run(v, solver, label, &fluid);
}

static void judge(validation *v, const vessel *t, int solver, const char *label, int samples, double exact,
                  double limit) {
  water_swing swing = water_swing_fit(t->time, t->value, (size_t)samples, exact);
  double found = 2.0 * WATER_PI / swing.frequency, period = 2.0 * WATER_PI / exact;
  if (solver > 0) limit *= 2.0;  // of the default it is asked for; others may lose twice as much
  const measure rows[] = {
      {"period, s", MEASURE_NEAR, found, period, 0.008 * period, "linear theory"},
      {"decay, 1/s", MEASURE_NEAR, swing.decay, 0.0, limit, "no viscosity"},
  };
  for (size_t n = 0; n < sizeof rows / sizeof rows[0]; ++n) water_report(v, solver, label, &rows[n]);
}

static void swing_ring(validation *v, int solver, int radius, mote_fill_kind fill) {
  static vessel t;
  double b = 2.0 * radius * ROUND_SPACING, exact = sqrt(RING_FREQUENCY * WATER_GRAVITY / b);
  double c = RING_SPEED * sqrt(WATER_GRAVITY * b * b * b);
  char label[32];
  snprintf(label, sizeof label, "ring of %d d%s", radius, fill == MOTE_FILL_RELAXED ? ", relaxed" : "");
  make_vessel(&t, solver, 0.5 * b, b, (const double[2]){0.0, 1.0});
  t.weighs_by_square = true, t.s.body.fill = fill;
  snprintf(t.formula[0], sizeof t.formula[0], "%.17g*y/(x*x+y*y)", -c);
  snprintf(t.formula[1], sizeof t.formula[1], "%.17g*x/(x*x+y*y)", c);
  t.s.body.velocity.x.formula = t.formula[0], t.s.body.velocity.y.formula = t.formula[1];
  int samples = RING_PERIODS * PER_PERIOD + 1;
  if (run(v, &t, solver, label, 2.0 * WATER_PI / exact / PER_PERIOD, samples))
    judge(v, &t, solver, label, samples, exact, RING_DECAY_MAX);
}

static void swing_bowl(validation *v, int solver) {
  static vessel t;
  double radius = BOWL_RADIUS * ROUND_SPACING, exact = sqrt(BOWL_FREQUENCY * WATER_GRAVITY / radius);
  make_vessel(&t, solver, 0.0, radius, (const double[2]){mote_sin(BOWL_TILT), mote_cos(BOWL_TILT)});
  t.is_place = true;
  int samples = BOWL_PERIODS * PER_PERIOD + 1;
  if (run(v, &t, solver, "round tank", 2.0 * WATER_PI / exact / PER_PERIOD, samples))
    judge(v, &t, solver, "round tank", samples, exact, BOWL_DECAY_MAX);
}

static void turn_ring(validation *v, int solver) {
  static vessel t;
  double inner = TURN_RADIUS * ROUND_SPACING;
  make_vessel(&t, solver, inner, 2.0 * inner, NULL);
  t.s.scene.world.gravity[1] = 0.0;
  t.s.body.fill = MOTE_FILL_RELAXED;
  snprintf(t.formula[0], sizeof t.formula[0], "%g*y", -TURN_RATE);
  snprintf(t.formula[1], sizeof t.formula[1], "%g*x", TURN_RATE);
  snprintf(t.formula[2], sizeof t.formula[2], "%g*x/hypot(x, y)", TURN_FIELD);
  snprintf(t.formula[3], sizeof t.formula[3], "%g*y/hypot(x, y)", TURN_FIELD);
  t.s.body.velocity.x.formula = t.formula[0], t.s.body.velocity.y.formula = t.formula[1];
  t.field = mote_force_def_default();
  t.field.name = "outward";
  t.field.acceleration.x.formula = t.formula[2], t.field.acceleration.y.formula = t.formula[3];
  t.s.scene.force = &t.field, t.s.scene.forces = 1;
  if (!run(v, &t, solver, "pressed ring", TURN_SECONDS / PER_PERIOD, PER_PERIOD + 1)) return;
  const measure row = {"angular momentum after 3 s / first",
                       MEASURE_NEAR,
                       t.value[PER_PERIOD] / t.value[0],
                       1.0,
                       solver > 0 ? 2.0 * TURN_LOSS_MAX : TURN_LOSS_MAX,
                       "walls without friction"};
  water_report(v, solver, "pressed ring", &row);
}

void validate_round(validation *v) {
  for (int solver = 0; solver < water_solvers(v); ++solver) {
    // Rings of WCSPH, and larger ones, take minutes each.
    bool every =
        !validation_quick(v) && (water_pressure(solver) != MOTE_PRESSURE_WCSPH || validation_release(v));
    for (int radius = RING_FIRST; radius <= RING_LAST; ++radius) {
      if (every || radius == 10) swing_ring(v, solver, radius, MOTE_FILL_CUBIC);
      if (every && solver == 0) swing_ring(v, solver, radius, MOTE_FILL_RELAXED);
      if (validation_release(v) && solver == 0) swing_ring(v, solver, 2 * radius, MOTE_FILL_CUBIC);
    }
    swing_bowl(v, solver);
    turn_ring(v, solver);
  }
}
