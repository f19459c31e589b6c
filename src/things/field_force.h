// Force fields: an acceleration, a damping and a heating in x, y, z, t, everywhere or inside a shape, for
// an interval of time.
#ifndef MOTE_FIELD_FORCE_H
#define MOTE_FIELD_FORCE_H

#include <mote/scene.h>

typedef struct mote_field_force mote_field_force;

// Keys in errors: "acceleration.x", "shape...", "end".
mote_result mote_field_force_create(const mote_force_def *def, int dimensions, const mote_env *env,
                                    mote_field_force **out, mote_error *error);
void mote_field_force_destroy(mote_field_force *force);

// Whether it acts at time t: in [start, end).
bool mote_field_force_acts(const mote_field_force *force, double t);

// Adds its acceleration at time t to `acceleration` (three each); no z component in 2D. Returns SIZE_MAX, or
// the lowest row where a formula is not finite and nothing was added.
size_t mote_field_force_add(const mote_field_force *force, double t, size_t count, const double *position,
                            float *acceleration, int threads);

// The same for its damping: adds -damping times `velocity`, with rates of at most `most`, 1/s, so that no
// step reverses a velocity. A negative damping is an error, too.
size_t mote_field_force_damp(const mote_field_force *force, double t, double most, size_t count,
                             const double *position, const float *velocity, float *acceleration, int threads);

// The same for its heating: adds W to `heat`, from the particles' volumes.
size_t mote_field_force_heat(const mote_field_force *force, double t, size_t count, const double *position,
                             const double *volume, double *heat, int threads);

#endif
