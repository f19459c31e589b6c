// Initial velocities of the particles of a body: its velocity and its spin about their centre of mass.
#ifndef MOTE_FIRST_VELOCITY_H
#define MOTE_FIRST_VELOCITY_H

#include <mote/formula.h>
#include <mote/scene.h>

typedef struct mote_first_velocity {
  double constant[3];
  mote_formula *formula[3];
  double spin[3], centre[3];
} mote_first_velocity;

// `out` must be zero-initialised, and freed also after a failure.
mote_result mote_first_velocity_make(const mote_body_def *def, const double *position, size_t count,
                                     const mote_env *env, mote_first_velocity *out, mote_error *error);
void mote_first_velocity_free(mote_first_velocity *velocity);

void mote_first_velocity_at(const mote_first_velocity *velocity, const double x[3], int dimensions,
                            double out[3]);

#endif
