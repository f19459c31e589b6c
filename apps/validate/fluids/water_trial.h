// What the cases of water at the default settings share: a scene, solvers, the energy ledger's check, and the
// fit of a damped swing. docs/validation.md
#ifndef MOTE_WATER_TRIAL_H
#define MOTE_WATER_TRIAL_H

#include "validate/fluids/free_flow.h"

#define WATER_GRAVITY 9.81
#define WATER_PI 3.14159265358979323846

// The solvers in the order in which they run: DFSPH, PCISPH, WCSPH.
#define WATER_SOLVERS 3
mote_pressure_kind water_pressure(int solver);
const char *water_solver_name(int solver);
// How many of them run: with --quick only the first, the default.
int water_solvers(const validation *v);

// One body of water in two dimensions between walls at x = 0 and x = length and on a floor at y = 0, with the
// default settings of the solver. It points into itself: not to be copied.
void water_scene_make(free_scene *s, int solver, double length, double depth, double spacing);

// Velocities of linear theory of the first mode of the tank at the time at which its surface is flat, as
// formulas: surface = amplitude sin(omega t) cos(pi x / length).
typedef struct water_mode {
  char across[160], up[160];
} water_mode;
double water_mode_frequency(double length, double depth);  // rad/s
void water_mode_start(free_scene *s, double length, double depth, double amplitude, water_mode *formulas);
// 2/(rho length) sum m cos(pi x / length): the part of the surface in the first mode, m.
double water_mode_amplitude(const mote_world *world, double length);

// The ledger against the change of energy.
typedef struct water_ledger {
  double energy;  // where it began, J
} water_ledger;
mote_result water_ledger_begin(water_ledger *ledger, mote_world *world, mote_error *error);
// |sum of the entries - change of energy| / largest entry.
mote_result water_ledger_error(const water_ledger *ledger, const mote_world *world, double *out,
                               mote_error *error);

// A world of the scene, advanced to each of the times and looked at there, with the ledger, whose error is
// reported; false where it could not be done (reported).
bool water_run(validation *v, int solver, const char *label, const fluid_run *run);

// The row "NAME, LABEL, SOLVER".
void water_report(validation *v, int solver, const char *label, const measure *m);

// e^(-decay t) (c cos(frequency t) + s sin(frequency t)) nearest to values, by Gauss and Newton from the
// given frequency.
typedef struct water_swing {
  double decay, frequency;  // 1/s, rad/s
  double c, s;
} water_swing;
water_swing water_swing_fit(const double *time, const double *value, size_t count, double frequency);

#endif
