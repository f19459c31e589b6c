// Explicit steps of elastic bodies, strains, and plastic flow after a step of either kind. Theory:
// docs/theory/elastic.md
#ifndef MOTE_ELASTIC_EXPLICIT_H
#define MOTE_ELASTIC_EXPLICIT_H

#include "elastic/elastic_group.h"
#include "material/plastic_law.h"

// Half a drift, a kick, half a drift. `acceleration`: of other forces, three each; null: none. force:
// scratch.
void mote_elastic_explicit_step(mote_elastic *body, const mote_elastic_motion *motion,
                                const double *acceleration, double dt, double *force);
// The same for the bodies of a group, which may be fewer than those in the arrays.
void mote_elastic_explicit_steps(const mote_elastic_group *group, const mote_elastic_motion *motion,
                                 const double *acceleration, double dt, double *force);

// Strains of all particles, EG09 (61), six each.
void mote_elastic_strains(mote_elastic *body, const double *position, double *strain);
// Largest stretch of the body, for mote_elastic_step_limit; infinite where it cannot be computed.
double mote_elastic_stretch(mote_elastic *body, const mote_elastic_motion *motion);
// dt seconds of plastic flow at the current strains, EG09 7.3. Returns the number of particles that flowed.
size_t mote_elastic_flow(mote_elastic *body, const mote_plastic_law *law, const mote_elastic_motion *motion,
                         double dt);

#endif
