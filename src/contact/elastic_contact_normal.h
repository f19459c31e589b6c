// Forces of elastic contact: a spring that pushes where the gap is negative, and its mean over a step of the
// midpoint rule; normals that turn; friction. Theory: docs/theory/elastic.md, Contact
#ifndef MOTE_ELASTIC_CONTACT_NORMAL_H
#define MOTE_ELASTIC_CONTACT_NORMAL_H

#include <mote/numeric.h>

#include "geom/triple.h"

// At a gap: the force, its stiffness, and the energy from which it derives.
typedef struct mote_normal_law {
  double energy, force, stiffness;
} mote_normal_law;

static inline mote_normal_law mote_normal_spring(double stiffness, double gap) {
  if (!(gap < 0.0)) return (mote_normal_law){0};
  return (mote_normal_law){0.5 * stiffness * gap * gap, -stiffness * gap, stiffness};
}

// Midpoint rule, from the gap g0 to g1 = 2 gap - g0: the mean force by which the work of the step is the
// change of the spring's energy, (psi(g1) - psi(g0))/(g0 - g1); it is the derivative of a convex energy.
static inline mote_normal_law mote_normal_secant(double stiffness, double g0, double gap) {
  double g1 = 2.0 * gap - g0, path = g1 - g0;
  if (!(g0 < 0.0 || g1 < 0.0)) return (mote_normal_law){0};
  if (g0 <= 0.0 && g1 <= 0.0) return mote_normal_spring(stiffness, gap);
  mote_normal_law law;
  if (g0 < 0.0) {  // leaves: gives back what was stored
    law.force = 0.5 * stiffness * g0 * g0 / path;
    law.stiffness = 2.0 * law.force / path;
    law.energy = 0.25 * stiffness * g0 * g0 * (0.5 - mote_log(-path / g0));
  } else {  // arrives
    law.force = -0.5 * stiffness * g1 * g1 / path;
    law.stiffness = stiffness * g1 * (2.0 * path - g1) / (path * path);
    law.energy =
        0.25 * stiffness * (0.5 * (path * path - g0 * g0) + 2.0 * g0 * g1 + g0 * g0 * mote_log(-path / g0));
  }
  return law;
}

// The normal along a line of centres, `apart` when the tick began, after a displacement; returns by how much
// the centres have moved apart. Along the normal of the beginning a force would turn the pair.
static inline double mote_normal_turn(const double apart[3], const double displacement[3], double normal[3]) {
  double r[3];
  step3(apart, 1.0, displacement, r);
  double length = length3(r);
  for (int k = 0; length > 0.0 && k < 3; ++k) normal[k] = r[k] / length;
  return length - length3(apart);
}

// Friction at a slip, per Coulomb's limit: its potential, the force per slip, and the slope of the force. A
// linear spring up to the limit, which it reaches at the slip `stick`: its energy does not depend on the
// normal force.
typedef struct mote_friction_law {
  double energy, over, slope;
} mote_friction_law;

static inline mote_friction_law mote_friction_spring(double stick, double slip) {
  double z = slip / stick;
  if (!(z < 1.0)) return (mote_friction_law){slip, 1.0 / slip, 0.0};
  return (mote_friction_law){0.5 * stick * (1.0 + z * z), 1.0 / stick, 1.0 / stick};
}

#endif
