// Fluid from emitters in free fall: see check_jets.h.
#include "cli/check/check_jets.h"

#include <math.h>
#include <mote/formula.h>

static double flow_speed(const mote_emitter_def *def, double t) {
  mote_formula *formula = NULL;
  if (def->speed.formula == NULL ||
      mote_formula_create(def->speed.formula, "t", NULL, &formula, NULL) != MOTE_OK)
    return def->speed.constant;
  double v = mote_formula_value(formula, &t);
  mote_formula_destroy(formula);
  return v;
}

// Of what has left the nozzle `age` seconds ago with speed v: it falls from `height` above the floor, which
// may be infinitely far.
static double speed_after(const mote_scene *scene, const mote_emitter_def *def, double v, double age) {
  const double *g = scene->world.gravity;
  int axis = 0;
  double length = 0, size = 0;
  for (int a = 1; a < 3; ++a)
    if (fabs(g[a]) > fabs(g[axis])) axis = a;
  double down = g[axis] > 0 ? 1 : -1, fall = fabs(g[axis]);
  for (int a = 0; a < scene->world.dimensions; ++a) length += def->direction[a] * def->direction[a];
  length = sqrt(length);
  size = length > 0 ? v * down * def->direction[axis] / length : 0;  // downward
  double floor_at = down > 0 ? scene->world.high[axis] : scene->world.low[axis];
  double height = fmax(0, down * (floor_at - def->centre[axis]));
  double fallen = size * age + 0.5 * fall * age * age;
  return sqrt(fmax(0, v * v + 2 * fall * fmin(fallen, height)));
}

// The oldest fluid has fallen the deepest, but may have left more slowly than the newer.
double jets_speed(const mote_scene *scene, double t) {
  enum { AGES = 8 };
  double most = 0;
  for (size_t e = 0; e < scene->emitters; ++e) {
    const mote_emitter_def *def = &scene->emitter[e];
    double start = fmax(def->start, 0), age = t - start;
    for (int k = 0; k <= AGES && age >= 0; ++k) {
      double left = start + age * k / AGES, v = left <= def->end ? flow_speed(def, left) : 0;
      if (v > 0) most = fmax(most, speed_after(scene, def, v, t - left));
    }
  }
  return most;
}
