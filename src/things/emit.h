// Emitters: a nozzle lets its material in, layer by layer, each a lattice of points over the opening. A layer
// comes when the flow has advanced by its thickness, at the place that it then has within the step; volumes
// of all particles are spacing^dimensions, and what came is the integral of speed x area to within half a
// layer, whatever the steps, as long as there is room for it.
#ifndef MOTE_EMIT_H
#define MOTE_EMIT_H

#include <mote/scene.h>

typedef struct mote_nozzle mote_nozzle;

// What is saved of an emitter; {0, 0} at first.
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
// What flows at time t, m/s; 0 where it is negative or the nozzle is shut.
double mote_nozzle_speed(const mote_nozzle *nozzle, double t);

// How many particles come in the step from t to t + dt. SIZE_MAX: the speed is no number, or beyond reason.
size_t mote_nozzle_count(const mote_nozzle *nozzle, const mote_nozzle_state *state, double t, double dt);

// Writes them, as they are when the step ends (three values each), and advances the state. Must be called for
// every step in which the flow does not wait, also when nothing comes. Returns how many.
size_t mote_nozzle_emit(const mote_nozzle *nozzle, mote_nozzle_state *state, double t, double dt,
                        double *position, float *velocity);

// Whether what came before has not made room, or has none for one more layer: the flow waits then, and what
// does not come is lost to it.
bool mote_nozzle_is_full(const mote_nozzle *nozzle, bool more, size_t count, const double *position);

// The way out of the opening, a layer long, is the nozzle's: whatever is there, or comes into it, moves
// outward at least as fast as the flow at time t, so that the next layer finds room; unless it is full.
// Changes velocities.
void mote_nozzle_push(const mote_nozzle *nozzle, const mote_nozzle_state *state, double t, size_t count,
                      const double *position, float *velocity);

#endif
