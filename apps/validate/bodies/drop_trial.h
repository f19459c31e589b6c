// Drops of water, R = 5 mm, without gravity: what the cases of surface tension share (validate_tension.c,
// validate_track_tension.c).
#ifndef MOTE_DROP_TRIAL_H
#define MOTE_DROP_TRIAL_H

#include "validate/fluids/fluid_cases.h"

// Rows of a drop of `across` spacings a radius; mesh: with solver.tension mesh. Laplace's pressure, of one
// that swings a little or rests.
void drop_laplace(validation *v, int dimensions, fluid_variant variant, double across, bool rests, bool mesh);
// Period and damping of the swing n = 2.
void drop_swing(validation *v, int dimensions, fluid_variant variant, double across, double periods,
                bool mesh);

// Twice the mean distance of two zeros of a swing, from the first on; and the rate, 1/s, at which it dies
// out. Amplitudes are means of neighbouring extremes: a swing about another value than 0 has the same rate.
double drop_period(const double *time, const double *stretch, int samples, double *damping);

// The kinetic energy, and the surface energy of the tracked mesh above that of balls of its volume, J.
// *surface: zero at the first call.
mote_result drop_energy(mote_world *world, mote_world_surface *surface, double sigma, double *energy,
                        mote_error *error);

// By how much the mean over a window is above that of any earlier one, at most, as a fraction; the first
// window, in which a new mesh becomes smooth, does not count.
double drop_growth(const double *energy, int samples, int window);

#endif
