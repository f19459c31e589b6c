// Materials that hold together: what they keep, and that their particles stay apart under tension.
#include "fluid/tensile.h"

#include <mote/mote.h>

#include "test.h"
#include "world_kit.h"

// A bar of putty in empty space, without gravity: its ends fly apart, or it turns.
static mote_world *bar(double repulsion, double stretch, double spin) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.05);
  mote_scene *s = &kit.scene;
  for (int a = 0; a < 3; ++a) {
    s->world.low[a] = -5.0, s->world.high[a] = 5.0, s->world.gravity[a] = 0.0;
    s->world.side[a][0] = s->world.side[a][1] = MOTE_SIDE_OPEN;
  }
  s->world.solver.pressure = MOTE_PRESSURE_WCSPH;
  s->world.solver.kernel = MOTE_KERNEL_DESBRUN, s->world.solver.support = 3.0;
  s->world.solver.repulsion = repulsion;
  kit.material[0].viscosity = 0.0, kit.material[0].stiffness = 1e4, kit.material[0].damping = 1.0;
  mote_body_def *body = world_kit_body(&kit, "bar", mote_shape_def_box(-0.5, -0.2, 0.0, 0.5, 0.2, 1.0));
  char formula[32];
  snprintf(formula, sizeof formula, "%g*x", stretch);
  body->velocity.x.formula = formula, body->spin[2] = spin;
  mote_world *world = NULL;
  CHECK(mote_world_create_scene(s, NULL, &world, NULL) == MOTE_OK);
  return world;
}

static double length_of(const mote_world *world) {
  mote_field_view x = mote_world_view(world, "position");
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = 0; i < x.count; ++i) {
    low = fmin(low, ((const double *)x.data)[3 * i]), high = fmax(high, ((const double *)x.data)[3 * i]);
  }
  return high - low;
}

// The mean distance to the nearest other particle, in spacings.
static double nearest(const mote_world *world) {
  mote_field_view view = mote_world_view(world, "position");
  const double *x = view.data;
  double sum = 0.0;
  for (size_t i = 0; i < view.count; ++i) {
    double least = HUGE_VAL;
    for (size_t j = 0; j < view.count; ++j) {
      double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1];
      if (j != i) least = fmin(least, dx * dx + dy * dy);
    }
    sum += sqrt(least) / 0.05;
  }
  return sum / (double)view.count;
}

// What is stretched is held back, and comes back: without cohesion it would fly on, and be twice and four
// times as long as at first after 1 and 3 s.
static void holds_together(void) {
  mote_world *world = bar(0.3, 1.0, 0.0);
  double first = length_of(world);
  CHECK(mote_world_advance(world, 1.0, NULL) == MOTE_OK);
  CHECK(length_of(world) < 1.6 * first);
  CHECK(mote_world_advance(world, 2.0, NULL) == MOTE_OK);
  double longest = length_of(world);
  CHECK(mote_world_advance(world, 3.0, NULL) == MOTE_OK);
  CHECK(length_of(world) < longest);
  mote_world_destroy(world);
}

static void momenta_are_kept(void) {
  mote_world *world = bar(0.3, 0.5, 1.0);
  mote_totals before, after;
  CHECK(mote_world_totals(world, &before, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.5, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &after, NULL) == MOTE_OK);
  double scale = before.mass * 0.5;
  for (int a = 0; a < 2; ++a) CHECK_NEAR(after.momentum[a] / scale, before.momentum[a] / scale, 1e-5);
  CHECK_NEAR(after.angular_momentum[2], before.angular_momentum[2], 1e-4 * fabs(before.angular_momentum[2]));
  mote_world_destroy(world);
}

static void repulsion_keeps_particles_apart(void) {
  mote_world *plain = bar(0.0, 0.0, 0.0), *apart = bar(0.3, 0.0, 0.0);
  CHECK(mote_world_advance(plain, 1.0, NULL) == MOTE_OK);
  CHECK(mote_world_advance(apart, 1.0, NULL) == MOTE_OK);
  CHECK(nearest(apart) > nearest(plain) + 0.05);
  mote_world_destroy(plain);
  mote_world_destroy(apart);
}

int main(void) {
  holds_together();
  momenta_are_kept();
  repulsion_keeps_particles_apart();
  return test_end();
}
