// Impulses that would give energy to bodies are weakened: bounces, and impulses of the last step that sweeps
// have not undone. Theory: docs/theory/bodies.md, "Nothing is gained"
#ifndef MOTE_CONTACT_GAIN_H
#define MOTE_CONTACT_GAIN_H

#include "contact/contact_islands.h"

// Whether a contact bounces: where none does and the sweeps are finished, nothing gains energy.
bool mote_contact_bounces(const mote_contact_rows *s);

// Changes velocities and impulses of islands that gain energy, and the bounds of what bounces there.
// `finished`: the sweeps are, so that only bounces can gain.
mote_result mote_contact_limit_gain(const mote_contact_rows *s, const mote_islands *islands, bool finished,
                                    mote_arena *scratch, mote_error *error);

#endif
