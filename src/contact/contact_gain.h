// Reduces impulses that would add energy to bodies: bounces, and impulses of the warm start that sweeps have
// not removed. Theory: docs/theory/bodies.md, "No energy gain"
#ifndef MOTE_CONTACT_GAIN_H
#define MOTE_CONTACT_GAIN_H

#include "contact/contact_islands.h"

// Whether a contact bounces: if none does and the sweeps have converged, no energy is gained.
bool mote_contact_bounces(const mote_contact_rows *s);

// Changes velocities and impulses of islands that gain energy, and the bounds of their bouncing contacts.
// `finished`: the sweeps have converged, so that only bounces can gain energy.
mote_result mote_contact_limit_gain(const mote_contact_rows *s, const mote_islands *islands, bool finished,
                                    mote_arena *scratch, mote_error *error);

#endif
