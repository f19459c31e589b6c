// Argument checks of the public functions of an elastic body: see <mote/elastic.h>. Theory:
// docs/theory/elastic.md
#ifndef MOTE_ELASTIC_API_H
#define MOTE_ELASTIC_API_H

#include "elastic/elastic_body.h"

// ARGUMENT where `value` is null or one of its numbers is not finite.
mote_result mote_elastic_check_numbers(const char *name, const double *value, size_t count,
                                       mote_error *error);
// moving: velocities are read. Optional arrays that are null are not checked.
mote_result mote_elastic_check_motion(const mote_elastic *body, const mote_elastic_motion *motion,
                                      bool moving, mote_error *error);
// A motion, a step length, and accelerations (null: none).
mote_result mote_elastic_check_step(const mote_elastic *body, const mote_elastic_motion *motion,
                                    const double *acceleration, double dt, mote_error *error);

#endif
