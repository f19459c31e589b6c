// The dam breaks that the peers are timed on: a cube of water of 1 m in a closed tank of 4 x 3 x 1.5 m,
// support 2 d, cubic spline, nu = 0.01 m^2/s by an explicit Laplacian, none at the walls, no other viscosity.
#ifndef MOTE_BENCH_DAM_H
#define MOTE_BENCH_DAM_H

#include <mote/world.h>

typedef struct dam {
  const char *name;
  int rows;  // along an edge; d = 1 m / (rows + 1)
  mote_pressure_kind pressure;
  double step;     // s; fixed where not 0, else of the Courant number 1 between 0.1 and 5 ms
  double mass;     // of a particle, in rho0 d^3
  int iterations;  // of each solve; 0: as many as it needs
  double thick;    // m^2/s: the viscosity where not 0, of the central form, by the implicit solve
} dam;

// `out` is the caller's to destroy, on failure too.
mote_result dam_create(const dam *d, int threads, mote_world **out, mote_error *error);
mote_result dam_steps(mote_world *world, int steps, mote_error *error);

#endif
