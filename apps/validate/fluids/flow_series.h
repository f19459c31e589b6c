// Exact solutions of the flows of `mote validate fluids`.
#ifndef MOTE_FLOW_SERIES_H
#define MOTE_FLOW_SERIES_H

// Start-up between two plates, a width L apart, of a fluid at rest (Morris, Fox & Zhu 1997, J. Comput. Phys.
// 136:214): the velocity along the plates at height y and time t, m/s.
typedef struct plate_flow {
  double width;         // L, m
  double viscosity;     // nu, m^2/s
  double acceleration;  // F along the plates, m/s^2 (Poiseuille)
  double speed;         // V0 of the upper plate, m/s (Couette)
} plate_flow;
double poiseuille_velocity(const plate_flow *flow, double y, double t);
double couette_velocity(const plate_flow *flow, double y, double t);

// Whirls in a periodic unit box (Taylor & Green 1937), speed 1 m/s at first: ln of the amplitude falls by
// this a second, 8 pi^2 / Re.
double taylor_green_rate(double reynolds);
// At x, y with this amplitude: velocity, and pressure of a fluid of density 1.
void taylor_green_velocity(double x, double y, double amplitude, double v[2]);
double taylor_green_pressure(double x, double y, double amplitude);

// Velocities along the two centre lines of a square cavity, in lid speeds, places in sides (Ghia, Ghia & Shin
// 1982, J. Comput. Phys. 48:387, tables I and II): u at (1/2, y), v at (x, 1/2), ends included.
#define GHIA_POINTS 17
typedef struct ghia_lines {
  const double *y, *u, *x, *v;
} ghia_lines;
// Reynolds numbers 100 and 1000.
ghia_lines ghia_lines_of(int reynolds);

#endif
