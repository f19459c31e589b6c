// Validation of rigid bodies without fluids: Coulomb's law on slopes, rolling, free turning, momenta of
// collisions. Theory: docs/theory/bodies.md
#include <math.h>
#include <mote/numeric.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>

#include "validate/bodies/rigid_trial.h"

#define PI 3.14159265358979323846

// --- Slopes -------------------------------------------------------------------------------------------

// A half space below a plane through the origin that falls towards -x; a shape that stood on y = 0, on it.
static mote_shape_def slope_shape(double angle) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_HALF_SPACE;
  def.normal[0] = -mote_sin(angle), def.normal[1] = mote_cos(angle), def.normal[2] = 0.0;
  return def;
}

static void lay_on_slope(mote_shape_def *shape, double angle) {
  shape->axis[0] = shape->axis[1] = 0.0, shape->axis[2] = 1.0, shape->angle = angle;
  shape->pivot[0] = shape->pivot[1] = shape->pivot[2] = 0.0;
}

// The speed down the slope after a second from rest.
static double slide(rigid_trial *t, mote_shape_def shape, double angle, double mu) {
  mote_world_def def = rigid_open_def(RIGID_G);
  *t = rigid_trial_open(t->v, &def);
  rigid_add_material(t, "stone", mu, 0.0);
  mote_collider_def slope = rigid_collider_def("slope", slope_shape(angle));
  rigid_add_collider(t, &slope);
  lay_on_slope(&shape, angle);
  mote_body_def box = rigid_body_def("body", shape);
  mote_body body = rigid_add_body(t, &box);
  rigid_go(t, 1.0);
  mote_body_state after = rigid_state_of(t, body);
  return -(after.velocity[0] * mote_cos(angle) + after.velocity[1] * mote_sin(angle));
}

void validate_body_slope(validation *v) {
  static const double degrees[] = {5, 10, 20, 30, 40}, part[] = {0.0, 0.3, 0.6, 0.9, 0.98, 1.02, 1.5};
  for (size_t a = 0; a < 5; a += validation_quick(v) ? 2 : 1) {
    for (size_t p = 0; p < 7; p += validation_quick(v) ? 2 : 1) {
      rigid_trial t = {.v = v};
      char name[96];
      double angle = degrees[a] * PI / 180.0, tangent = mote_sin(angle) / mote_cos(angle);
      double speed = slide(&t, mote_shape_def_box(-0.1, 0, -0.1, 0.1, 0.2, 0.1), angle, part[p] * tangent);
      double expected = RIGID_G * mote_sin(angle) * (1.0 - part[p]);
      snprintf(name, sizeof name, "box %s, slope of %g degrees, mu %.3f", part[p] > 1.0 ? "rests" : "slides",
               degrees[a], part[p] * tangent);
      if (part[p] > 1.0) {
        rigid_report(&t, name, MEASURE_NEAR, speed, 0.0, 1e-5, "Coulomb: m/s after 1 s");
      } else {
        rigid_report(&t, name, MEASURE_NEAR, speed / expected, 1.0, 0.02, "g (sin - mu cos) t");
      }
      mote_world_destroy(t.world);
    }
  }
}

void validate_body_roll(validation *v) {
  mote_shape_def ball = mote_shape_def_sphere(0, 0.1, 0, 0.1), rod = ball;
  static const double from[3] = {0, 0.1, -0.1}, to[3] = {0, 0.1, 0.1};
  rod.kind = MOTE_SHAPE_CYLINDER;
  memcpy(rod.from, from, sizeof from);
  memcpy(rod.to, to, sizeof to);
  for (int k = 0; k < 2; ++k) {
    rigid_trial t = {.v = v};
    double angle = 20.0 * PI / 180.0, speed = slide(&t, k == 0 ? ball : rod, angle, 1.0);
    rigid_report(&t, k == 0 ? "ball rolls, part of g sin" : "cylinder rolls, part of g sin", MEASURE_NEAR,
                 speed / (RIGID_G * mote_sin(angle)), k == 0 ? 5.0 / 7.0 : 2.0 / 3.0, 0.01, "without slip");
    mote_world_destroy(t.world);
  }
}

// --- Momenta ------------------------------------------------------------------------------------------

// A book thrown about its middle axis, which does not keep it.
void validate_body_tumble(validation *v) {
  mote_world_def def = rigid_open_def(0.0);
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body_def book = rigid_body_def("book", mote_shape_def_box(-0.15, -0.1, -0.025, 0.15, 0.1, 0.025));
  book.spin[0] = 1e-3, book.spin[1] = 2.0 * PI;
  rigid_add_material(&t, "stone", 0.5, 0.0);
  mote_body body = rigid_add_body(&t, &book);
  mote_totals first = rigid_totals_of(&t);
  double worst = 0.0,
         turns = validation_quick(v)     ? 20
                 : validation_release(v) ? 1000
                                         : 200,
         tip = 1.0, drift = 0.0;
  for (double time = 0.25; time <= turns && t.ok; time += 0.25) {
    rigid_go(&t, time);
    mote_totals now = rigid_totals_of(&t);
    double change[3];
    for (int k = 0; k < 3; ++k) change[k] = now.angular_momentum[k] - first.angular_momentum[k];
    worst = fmax(worst, fabs(now.kinetic_energy / first.kinetic_energy - 1.0));
    drift = fmax(drift, rigid_length_of(change) / rigid_length_of(first.angular_momentum));
    mote_body_state s = rigid_state_of(&t, body);
    tip = fmin(tip, s.pose.rotation[4]);  // its middle axis along that of the spin
  }
  rigid_report(&t, "tumbling box, energy's error", MEASURE_NEAR, worst, 0.0, 1e-3, "free: kept");
  rigid_report(&t, "tumbling box, angular momentum's error", MEASURE_NEAR, drift, 0.0, 1e-13, "free: kept");
  rigid_report(&t, "tumbling box turns over, cosine", MEASURE_NEAR, tip, -1.0, 0.05, "Dzhanibekov");
  mote_world_destroy(t.world);
}

// Two boxes that meet off centre, without gravity; e: restitution.
static void collide(validation *v, double mu, double e) {
  mote_world_def def = rigid_open_def(0.0);
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body_def left = rigid_body_def("left", mote_shape_def_box(-0.6, -0.1, -0.1, -0.3, 0.1, 0.1));
  mote_body_def right = rigid_body_def("right", mote_shape_def_box(0.3, -0.02, -0.06, 0.5, 0.22, 0.2));
  left.velocity = mote_value3_make(2.0, 0.3, 0.0), right.velocity = mote_value3_make(-1.0, 0.0, 0.1);
  left.spin[0] = 3.0, right.spin[2] = -2.0;
  rigid_add_material(&t, "stone", mu, e);
  rigid_add_body(&t, &left), rigid_add_body(&t, &right);
  mote_totals a = rigid_totals_of(&t), b = a;
  for (int k = 1; k <= 200 && t.ok && b.kinetic_energy > 0.99 * a.kinetic_energy;
       ++k) {  // until they have met
    rigid_go(&t, 0.005 * k);
    b = rigid_totals_of(&t);
  }
  double p[3], L[3], later[3];
  rigid_go(&t, 1.0);
  mote_totals c = rigid_totals_of(&t);
  for (int k = 0; k < 3; ++k) {
    p[k] = c.momentum[k] - a.momentum[k], L[k] = b.angular_momentum[k] - a.angular_momentum[k];
    later[k] = c.angular_momentum[k] - a.angular_momentum[k];
  }
  char name[96];
  snprintf(name, sizeof name, "collision, momentum's error, mu %g, e %g", mu, e);
  rigid_report(&t, name, MEASURE_NEAR, rigid_length_of(p) / rigid_length_of(a.momentum), 0.0, 1e-12, "kept");
  snprintf(name, sizeof name, "collision, angular momentum's error, mu %g, e %g", mu, e);
  rigid_report(&t, name, MEASURE_NEAR, rigid_length_of(L) / rigid_length_of(a.angular_momentum), 0.0, 1e-10,
               "kept");
  snprintf(name, sizeof name, "  a second later, in touch, mu %g, e %g", mu, e);
  rigid_report(&t, name, MEASURE_SHOWN, rigid_length_of(later) / rigid_length_of(a.angular_momentum), 0.0,
               0.0, "overlap was undone");
  snprintf(name, sizeof name, "collision, energy lost, mu %g, e %g", mu, e);
  rigid_report(&t, name, MEASURE_AT_LEAST, 1.0 - b.kinetic_energy / a.kinetic_energy, e == 0.0 ? 0.05 : 0.0,
               1e-12, "never gained; a shock without bounce costs");
  mote_world_destroy(t.world);
}

void validate_body_collision(validation *v) {
  collide(v, 0.0, 0.0);
  collide(v, 0.6, 0.0);
  collide(v, 0.6, 0.5);
}
