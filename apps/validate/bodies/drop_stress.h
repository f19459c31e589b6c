// The pressure of a drop with surface tension: the mean stress of its inside, that of pressure forces less
// that of tension, both summed here over all pairs, from nothing but positions, pressures and the formulas of
// docs/theory/tension.md. Pairs count by a smooth weight along the line between them (Irving & Kirkwood
// 1950), and motion has its part. It is a small difference of large stresses.
#ifndef MOTE_DROP_STRESS_H
#define MOTE_DROP_STRESS_H

#include <mote/world.h>

typedef struct drop_inside {
  int dimensions;
  double spacing, support;  // m
  double sigma;             // N/m
  bool mesh;                // solver.tension: mesh
  bool consistent;          // the solver's rates
  double centre[3], radius;
} drop_inside;

// In Pa, of a world of one drop.
mote_result drop_pressure(const drop_inside *d, const mote_world *world, const mote_env *env, double *out,
                          mote_error *error);

#endif
