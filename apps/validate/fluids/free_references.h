// What the free-surface cases of `mote validate fluids` are held against: two exact solutions, linear waves,
// and the tables of Martin & Moyce 1952. Sources are named with each.
#ifndef MOTE_FREE_REFERENCES_H
#define MOTE_FREE_REFERENCES_H

#include <stddef.h>

// A drop that is stretched (Monaghan 1994, J. Comput. Phys. 110:399): a disc of radius 1 m with the velocity
// (-A x, A y), A = 100 1/s at the beginning.
typedef struct drop_exact {
  double across, along;  // semi-axes, m
  double rate;           // A, 1/s
  double pressure;       // at the centre, over the density, m^2/s^2
} drop_exact;
#define DROP_RATE 100.0  // A at the beginning
drop_exact drop_exact_at(double time);

// The first pressure of a square of side 1 that turns at 1 rad/s, over the density, (x, y) from a corner
// (Colagrossi 2005; Le Touze et al. 2013, Int. J. Numer. Meth. Fluids 73:660).
double patch_pressure(double x, double y);

// Angular frequency of a linear wave on water of this depth: omega^2 = g k tanh(k h).
double wave_frequency(double gravity, double k, double depth);

// Points of an experiment.
typedef struct curve {
  const double (*point)[2];
  size_t count;
} curve;

// Martin & Moyce 1952, Phil. Trans. R. Soc. A 244:312, columns of width a and height n2 a, n2 = 1 or 2.
// Front: T = n t sqrt(g/a), Z = x/a. Height at the wall: tau = t sqrt(g/a), H = h/(n2 a), up to tau = 2.45.
curve martin_moyce_front(int n2);
curve martin_moyce_height(int n2);

#endif
