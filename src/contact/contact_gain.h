// Reduces impulses that would add energy to bodies: those of the warm start that sweeps have not removed.
// Theory: docs/theory/bodies.md, "No energy gain"
#ifndef MOTE_CONTACT_GAIN_H
#define MOTE_CONTACT_GAIN_H

#include "contact/contact_islands.h"

// Changes velocities and impulses of islands that gain energy, where sweeps have not converged.
mote_result mote_contact_limit_gain(const mote_contact_rows *s, const mote_islands *islands,
                                    mote_arena *scratch, mote_error *error);

#endif
