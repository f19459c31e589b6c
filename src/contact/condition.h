// A contact as a condition: the gap when the step ends is not negative, the normal force does not pull, and
// friction is within Coulomb's disc. By an augmented Lagrangian (Alart & Curnier 1991): for given multipliers
// the forces are those of a convex energy, whose minimum moves the multipliers on. The hardness decides how
// fast that converges, not the solution. Theory: docs/theory/contact.md, "Conditions"
#ifndef MOTE_CONTACT_CONDITION_H
#define MOTE_CONTACT_CONDITION_H

#include "geom/triple.h"

// At a gap: the force, its stiffness, and the energy from which it derives.
typedef struct mote_normal_law {
  double energy, force, stiffness;
} mote_normal_law;

typedef struct mote_condition {
  double hardness;    // N/m; 0: no condition
  double grip;        // N/m: the same in the plane
  double normal;      // N: multiplier along the normal
  double tangent[3];  // N: multiplier in the plane
  double disc;        // N: Coulomb's limit
  double softness;    // of the row, over that of its particle's inertia: at most 1
} mote_condition;

static inline mote_normal_law mote_condition_normal(const mote_condition *c, double gap) {
  double force = c->normal - c->hardness * gap;
  if (!(force > 0.0)) return (mote_normal_law){0};
  return (mote_normal_law){0.5 * force * force / c->hardness, force, c->hardness};
}

// Friction after a slip: the force, and its derivative by the slip over the grip, `over` across it and
// `slope` along it.
typedef struct mote_condition_friction {
  double energy, force[3], over, slope;
} mote_condition_friction;

static inline mote_condition_friction mote_condition_slip(const mote_condition *c, const double slip[3]) {
  mote_condition_friction law = {0};
  if (!(c->disc > 0.0)) return law;
  copy3(c->tangent, law.force);
  step3(law.force, -c->grip, slip, law.force);
  double length = length3(law.force);
  if (length <= c->disc) {
    law.energy = 0.5 * length * length / c->grip, law.over = law.slope = 1.0;
    return law;
  }
  law.energy = c->disc * (length - 0.5 * c->disc) / c->grip, law.over = c->disc / length;
  for (int a = 0; a < 3; ++a) law.force[a] *= law.over;
  return law;
}

#endif
