// Surface tension at a flat surface (docs/theory/tension.md, "Strength"): what the forces of the energy and
// of the pressure that carries them make of a tension together, for any kernel, and so how strong they have
// to be; how much of a particle's density the missing gas would contribute. Pure functions; lengths are in
// supports, R = 1.
#ifndef MOTE_TENSION_PLANE_H
#define MOTE_TENSION_PLANE_H

#include "material/tension_law.h"

#define MOTE_TENSION_ROWS 12  // in a support
#define MOTE_TENSION_GHOSTS 64

typedef struct mote_tension_plane {
  double share;                          // lambda: what pairs have of the energy
  double strength;                       // of all forces, over that of the energy alone
  double normal[MOTE_TENSION_ROWS + 1];  // |n| at depths k / ROWS
  float ghost_density[MOTE_TENSION_GHOSTS +
                      1];  // what is missing from D at sqrt(1 - |n| / normal[0]) = k / AIR
} mote_tension_plane;

// Where pairs have it all (`cohesion`) there are no ghosts: the pressure that carries them would take most of
// it.
mote_tension_plane mote_tension_plane_make(const mote_solver_def *solver, int dimensions);

// The normals' energy per area where only the part x of the other side is missing, over that of sharp ones.
double mote_tension_length(const mote_tension_plane *plane, double x);

// Of a pair of materials: the tension that pairs across have as their own, and how much of one counts in the
// normals of the other.
typedef struct mote_tension_pair {
  double pairs;   // N/m
  double normal;  // 0 to 1
} mote_tension_pair;

// Two fluids, or one and itself with nothing between: an interface has the energy `between` per area.
mote_tension_pair mote_tension_fluids(const mote_tension_plane *plane, double own, double other,
                                      double between);
// Young: a wetted wall has the energy -sigma cos(angle).
mote_tension_pair mote_tension_wall(const mote_tension_plane *plane, double sigma, double angle);

// What is missing from D where a normal is n long, over that of the surface.
static inline float mote_tension_ghost_density(const mote_tension_plane *plane, float n) {
  float t = n < 1.0f ? MOTE_TENSION_GHOSTS * sqrtf(1.0f - n) : 0.0f;
  int k = (int)t;
  if (k >= MOTE_TENSION_GHOSTS) return plane->ghost_density[MOTE_TENSION_GHOSTS];
  return plane->ghost_density[k] + (t - (float)k) * (plane->ghost_density[k + 1] - plane->ghost_density[k]);
}

#endif
