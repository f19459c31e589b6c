// Vessels with water at rest, for validation and benchmarks.
#ifndef MOTE_VESSELS_H
#define MOTE_VESSELS_H

#include <mote/world.h>

typedef enum vessel_kind { VESSEL_BOX, VESSEL_L, VESSEL_SPHERE, VESSEL_KINDS } vessel_kind;

// "box", "L-shaped mesh", "sphere"
const char *vessel_name(vessel_kind kind);

typedef struct vessel {
  vessel_kind kind;
  mote_world_def def;
  double floor, depth;  // of the water: y from floor to floor + depth
  double lift;          // of the water above that at the beginning, m; boxes only
} vessel;

// So many rows of particles deep.
void vessel_make(vessel_kind kind, mote_pressure_kind pressure, int rows, vessel *out);

// y of the vessel's floor under a place.
double vessel_floor_under(const vessel *pool, const double x[3]);

// Weighted sums of a straight line through p(y).
typedef struct vessel_fit {
  double n, y, p, yy, yp;
} vessel_fit;
// Adds the pressures of all columns, away from the surface and, `inner`, from the floor under them: the row
// next to it has the pressure of the floor (docs/theory/fluids.md, "Measured").
void vessel_add_pressures(const mote_world *world, const vessel *pool, vessel_fit *inner,
                          vessel_fit *to_floor);
// Of the pressure over depth, as a part of rho g.
double vessel_slope(const vessel_fit *fit);

// A world with the vessel, water in it, and a level gauge in the middle.
mote_result vessel_create(const vessel *pool, const mote_env *env, mote_world **out, mote_probe *gauge,
                          mote_error *error);

#endif
