// Touching of soft bodies: forces against energies, momentum, rest, friction, stacks, speed, threads.
#include "solver/soft_touch.h"

#include "touch_kit.h"

static const double here[3] = {0.0, 0.0, 0.0};

static double lowest(const touch_world *w) {
  double low = HUGE_VAL;
  for (size_t i = 0; i < w->count; ++i) low = min2(low, w->x[3 * i + 1]);
  return low - 0.5 * KIT_SPACING;
}

// A box on the floor, first a tenth of a spacing above it: comes to rest, weighs what it weighs.
static void rest_on_floor(int dimensions, double young, double dt, bool implicit) {
  touch_world *w = touch_make(dimensions, dt, 1);
  mote_shape_def floor = touch_floor(0.0);
  mote_elastic_def def = kit_def(dimensions, 2, young, 0.3);
  if (!implicit) def.damping = 2e-3;
  touch_soft(w, def, 6, 6, dimensions == 3 ? 6 : 1, 0.0, (double[3]){0.0, 0.1 * KIT_SPACING, 0.0}, 0.5);
  touch_solid(w, &floor);
  touch_ready(w, implicit);
  double weight = 0.0;
  for (size_t i = 0; i < w->count; ++i) weight += 9.81 * w->group.mass[i];
  int ticks = (int)(3.0 / dt);
  for (int t = 0; t < ticks; ++t) touch_step(w);
  double low = lowest(w), x = w->x[0];
  for (int t = 0; t < ticks; ++t) touch_step(w);
  double up = 0.0;
  for (size_t k = 0; k < w->touch->touches; ++k) up += w->touch->touch[k].impulse[1] / dt;
  printf(
      "%dD %s, E %.0e, dt %.4f: sinks %.4f d, speed %.2e m/s, force %.8f of the weight, moved %.2e %.2e; "
      "substeps %d newton %.2f cg %.1f\n",
      dimensions, implicit ? "implicit" : "explicit", young, dt, -low / KIT_SPACING, touch_speed(w),
      up / weight, w->x[0] - x, lowest(w) - low, w->substeps / (2 * ticks), w->newton / (2.0 * ticks),
      w->cg / (2.0 * ticks));
  touch_free(w);
}

int main(void) {
  (void)here;
  rest_on_floor(2, 1e5, 0.005, true);
  rest_on_floor(2, 1e5, 0.005, false);
  rest_on_floor(2, 1e9, 0.04, true);
  rest_on_floor(3, 1e6, 0.01, true);
  return test_end();
}
