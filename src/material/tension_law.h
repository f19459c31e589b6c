// Surface tension as an energy of particles (docs/theory/tension.md): what strength of the pair force makes
// the tension of a surface, and how tensions combine; the rest is in tension_plane.h. Pure functions.
#ifndef MOTE_TENSION_LAW_H
#define MOTE_TENSION_LAW_H

#include <math.h>
#include <mote/approx.h>
#include <mote/numeric.h>
#include <mote/scene.h>

#include "base/pi.h"
#include "material/tuning.inc"

static inline double mote_tension_pairs(const mote_solver_def *solver) {
  return solver->tension == MOTE_TENSION_COHESION ? 1.0 : MOTE_TENSION_PAIRS;
}

// s of the pair force s V_i V_j q (1 - q)^2, q = r/R, whose half space has the tension sigma: the integral of
// its potential over two half spaces is 2 sigma.
static inline double mote_tension_strength(int dimensions, double R, double sigma) {
  double power = R * R * R * R;
  if (dimensions == 2) return 315.0 * sigma / power;
  return 1344.0 / MOTE_PI * sigma / (power * R);
}

// Its contribution to the inner pressure: the mean of -r f over all pairs.
static inline double mote_tension_cohesion(int dimensions, double R, double sigma) {
  if (dimensions == 2) return 2.625 * MOTE_PI * sigma / R;
  return 128.0 / 15.0 * sigma / R;
}

// Between two fluids, where the scene does not say: Antonow's rule. It is at most the sum of both.
static inline double mote_tension_between(const mote_material_def *a, const mote_material_def *b) {
  double sum = a->surface_tension + b->surface_tension;
  double least = fabs(a->surface_tension - b->surface_tension), most = least;
  if (!isnan(a->interface_tension)) most = a->interface_tension;
  if (!isnan(b->interface_tension) && (isnan(a->interface_tension) || b->interface_tension > most)) {
    most = b->interface_tension;
  }
  return most < sum ? most : sum;
}

#endif
