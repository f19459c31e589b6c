// Validation of large plastic flow: a block of clay between smooth plates, pressed to a half and a third of
// its height, keeps its volume and bears the stress of its law. Theory: docs/theory/solids.md, "Plasticity"
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#include "validate.h"

#define SPACING 0.04
#define ROWS 6     // particles along each axis
#define YOUNG 3e5  // Pa
#define POISSON 0.35
#define YIELD 0.03
#define SECONDS 1.0  // of pressing, and then of rest

typedef struct pressing {
  double height;  // of what was 1
  mote_integrator integrator;
} pressing;

static mote_result fill(mote_world *world, const pressing *p, mote_error *error) {
  mote_material_def clay;
  mote_body_def block = mote_body_def_default();
  mote_collider_def plate = mote_collider_def_default();
  double half = 0.5 * ROWS * SPACING, high = ROWS * SPACING, wide = 4.0 * half;
  char path[64];
  (void)mote_material_def_preset("clay", &clay);
  clay.density = 1700.0, clay.friction = 0.0, clay.solid.integrator = p->integrator;
  clay.solid.young = YOUNG, clay.solid.poisson = POISSON, clay.solid.yield_strain = YIELD;
  clay.solid.strain_damping = 0.005;
  block.name = "block", block.material = "clay";
  block.shape = mote_shape_def_box(-half, 0.0, -half, half, high, half);
  plate.name = "plate", plate.shape = mote_shape_def_box(-wide, high, -wide, wide, high + 0.1, wide);
  // Particles are balls of one spacing to the plates: what is pressed is the way between the outer ones.
  snprintf(path, sizeof path, "-%.9g*min(t, %g)", (ROWS - 1) * SPACING * (1.0 - p->height) / SECONDS,
           SECONDS);
  plate.motion.move.y.formula = path;
  mote_result result = mote_world_add_material(world, &clay, NULL, error);
  if (!result) result = mote_world_add_body(world, &block, NULL, error);
  return result ? result : mote_world_add_collider(world, &plate, NULL, error);
}

// Without weight, on a floor.
static mote_world *make(validation *v, const pressing *p) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  mote_error error;
  def.spacing = SPACING;
  for (int a = 0; a < 3; ++a) {
    def.side[a][0] = def.side[a][1] = MOTE_SIDE_OPEN;
    def.low[a] = -HUGE_VAL, def.high[a] = HUGE_VAL, def.gravity[a] = 0.0;
  }
  def.low[1] = 0.0, def.side[1][0] = MOTE_SIDE_WALL;
  mote_result result = mote_world_create(&def, validation_env(v), &world, &error);
  if (!result) result = fill(world, p, &error);
  if (!result) result = mote_world_advance(world, 2.0 * SECONDS, &error);
  if (!result) return world;
  validation_error(v, &error);
  mote_world_destroy(world);
  return NULL;
}

// Way between the outermost particles along an axis, over that at rest.
static double span(const mote_world *world, int axis) {
  mote_field_view view = mote_world_solid_view(world, "position");
  const double *x = view.data;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = 0; i < view.count; ++i) {
    low = fmin(low, x[3 * i + (size_t)axis]), high = fmax(high, x[3 * i + (size_t)axis]);
  }
  return (high - low) / ((ROWS - 1) * SPACING);
}

static double mean_stress(const mote_world *world) {
  size_t n = mote_world_solids(world);
  double *stress = calloc(n, sizeof *stress), sum = 0.0;
  mote_solid_measures out = {.stress = stress};
  if (stress != NULL && mote_world_solid_measure(world, &out, NULL) == MOTE_OK) {
    for (size_t i = 0; i < n; ++i) sum += stress[i] / (double)n;
  }
  free(stress);
  return sum;
}

// Of Saint-Venant-Kirchhoff's law between smooth plates: stretches exp(a) along the plates' axis and exp(b)
// across, a - b where it yields, nothing borne across. By halving.
static double stress_of_law(void) {
  double lambda = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON)),
         mu = YOUNG / (2.0 + 2.0 * POISSON);
  double low = -YIELD * 2.0, high = 0.0, along = 0.0;
  for (int k = 0; k < 60; ++k) {
    double a = 0.5 * (low + high), b = a + sqrt(1.5) * YIELD;
    double A = 0.5 * (mote_exp(2.0 * a) - 1.0), B = 0.5 * (mote_exp(2.0 * b) - 1.0);
    double across = lambda * (A + 2.0 * B) + 2.0 * mu * B;
    along = mote_exp(2.0 * a) * (lambda * (A + 2.0 * B) + 2.0 * mu * A) / mote_exp(a + 2.0 * b);
    if (across > 0.0) high = a;
    if (across <= 0.0) low = a;
  }
  return -along;
}

static void press(validation *v, const pressing *p) {
  mote_world *world = make(v, p);
  if (world == NULL) return;
  const char *by = p->integrator == MOTE_INTEGRATOR_EXPLICIT ? "explicit" : "implicit";
  double volume = span(world, 0) * span(world, 1) * span(world, 2);
  char name[96];
  snprintf(name, sizeof name, "volume of clay pressed to %.2f, %s", p->height, by);
  measure m = {name, MEASURE_NEAR, volume, 1.0, 0.03, "det Fp = 1"};
  validation_report(v, &m);
  snprintf(name, sizeof name, "its stress over that of the law, %s", by);
  m = (measure){name, MEASURE_NEAR, mean_stress(world) / stress_of_law(),
                1.0,  0.02,         "yield between smooth plates"};
  validation_report(v, &m);
  mote_world_destroy(world);
}

static void run_press(validation *v) {
  press(v, &(pressing){0.5, MOTE_INTEGRATOR_IMPLICIT});
  if (validation_quick(v)) return;
  press(v, &(pressing){1.0 / 3.0, MOTE_INTEGRATOR_IMPLICIT});
  press(v, &(pressing){0.5, MOTE_INTEGRATOR_EXPLICIT});
  press(v, &(pressing){1.0 / 3.0, MOTE_INTEGRATOR_EXPLICIT});
}

const validation_case validate_solid_press_cases[] = {
    {"solid-press", "solids", "clay between plates keeps its volume and bears what its law says", run_press},
    {NULL, NULL, NULL, NULL}};
