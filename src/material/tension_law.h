// Surface tension as an energy of particles (docs/theory/tension.md): what strengths of the pair force and of
// the normals' length make the tension of a surface, an interface and a wall. Pure functions.
#ifndef MOTE_TENSION_LAW_H
#define MOTE_TENSION_LAW_H

#include <math.h>
#include <mote/numeric.h>
#include <mote/scene.h>

// The part of the tension that pairs have; the rest is that of normals.
#define MOTE_TENSION_PAIRS 0.4
// Normals shorter than this, times 1/R, are noise inside of the fluid.
#define MOTE_TENSION_NOISE 0.3
#define MOTE_TENSION_PI 3.14159265358979323846

static inline double mote_tension_pairs(const mote_solver_def *solver) {
  return solver->tension == MOTE_TENSION_COHESION ? 1.0 : MOTE_TENSION_PAIRS;
}

// s of the pair force s V_i V_j q (1 - q)^2, q = r/R, whose half space has the tension sigma: the integral of
// its potential over two half spaces is 2 sigma.
static inline double mote_tension_strength(int dimensions, double R, double sigma) {
  double power = R * R * R * R;
  if (dimensions == 2) return 315.0 * sigma / power;
  return 1344.0 / MOTE_TENSION_PI * sigma / (power * R);
}

// What it adds to the pressure inside: the mean of -r f over all pairs.
static inline double mote_tension_cohesion(int dimensions, double R, double sigma) {
  if (dimensions == 2) return 2.625 * MOTE_TENSION_PI * sigma / R;
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

// Of a pair of materials: the part of the tension that pairs across have as their own, and how much of one
// counts in the normals of the other.
typedef struct mote_tension_pair {
  double pairs;   // N/m
  double normal;  // 0 to 1
} mote_tension_pair;

static inline mote_tension_pair mote_tension_fluids(double share, double own, double other, double between) {
  double sum = own + other;
  if (!(sum > 0.0)) return (mote_tension_pair){0.0, 1.0};
  return (mote_tension_pair){0.5 * share * (sum - between), 1.0 - between / sum};
}

// Young: a wetted wall has the energy -sigma cos(angle). Normals cannot make it negative; pairs do. What
// drops show of it with all solvers (docs/theory/tension.md, "Walls") is more, or less: by these factors.
#define MOTE_TENSION_SHUN 0.9
#define MOTE_TENSION_WET 1.05
static inline double mote_tension_wetting(double angle) {
  double c = mote_cos(angle);
  return c * (c > 0.0 ? MOTE_TENSION_WET : MOTE_TENSION_SHUN);
}

static inline mote_tension_pair mote_tension_wall(double share, double sigma, double angle) {
  double c = mote_tension_wetting(angle);
  if (c > 0.0) return (mote_tension_pair){0.5 * sigma * (share + c), 1.0};
  return (mote_tension_pair){0.5 * sigma * share * (1.0 + c), 1.0 + c};
}

#endif
