// Emitters: a nozzle emits its material in layers, each a packing of points over the opening. A layer is
// emitted when the flow has advanced by its thickness, at its position within the step; volumes of all
// particles are spacing^dimensions, and the emitted volume is the integral of speed x area to within half a
// layer, for any steps, unless the outlet is blocked.
#ifndef MOTE_EMIT_H
#define MOTE_EMIT_H

#include <mote/scene.h>

typedef struct mote_nozzle mote_nozzle;

// The saved state of an emitter; {0, 0} at first.
typedef struct mote_nozzle_state {
  double advanced;   // m that the flow has advanced since the middle of the last layer
  uint64_t emitted;  // particles
} mote_nozzle_state;

// Keys in errors are members of the definition: "radius", "size", "direction", "speed", "end", ...
// In 2D the nozzle is a segment: of length 2 radius, or size[0].
mote_result mote_nozzle_create(const mote_emitter_def *def, int dimensions, double spacing,
                               const mote_env *env, mote_nozzle **out, mote_error *error);
void mote_nozzle_destroy(mote_nozzle *nozzle);

double mote_nozzle_area(const mote_nozzle *nozzle);    // m^2 (2D: m)
double mote_nozzle_volume(const mote_nozzle *nozzle);  // of one particle, m^3 (2D: m^2)
size_t mote_nozzle_points(const mote_nozzle *nozzle);  // particles of a layer
// Flow speed at time t, m/s; 0 if the formula is negative or the nozzle is closed.
double mote_nozzle_speed(const mote_nozzle *nozzle, double t);

// Steers the flow: its speed from now on, m/s, replaces speed, start and end of the definition; negative:
// by its definition again.
void mote_nozzle_steer(mote_nozzle *nozzle, double speed);

// Number of particles emitted in the step from t to t + dt. SIZE_MAX: the speed is NaN or too large.
size_t mote_nozzle_count(const mote_nozzle *nozzle, const mote_nozzle_state *state, double t, double dt);

// Writes their positions and velocities at the end of the step (three values each) and advances the state.
// Must be called for every step in which the flow does not wait, even if it emits nothing. Returns their
// number.
size_t mote_nozzle_emit(const mote_nozzle *nozzle, mote_nozzle_state *state, double t, double dt,
                        double *position, float *velocity);

// Whether earlier particles still block the outlet, or (`more`) leave no space for one more layer: then the
// flow waits, and its volume during that time is lost.
bool mote_nozzle_is_full(const mote_nozzle *nozzle, bool more, size_t count, const double *position);

// Particles inside the outlet, one layer long in front of the opening, move outward with at least the flow
// speed at time t, so that there is space for the next layer; unless it is full. Changes velocities.
void mote_nozzle_set_velocities(const mote_nozzle *nozzle, const mote_nozzle_state *state, double t,
                                size_t count, const double *position, float *velocity);

#endif
