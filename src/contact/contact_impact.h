// Impacts of rigid bodies with restitution, solved before the contacts that last: generalised reflections in
// rounds (Smith, Kaufman, Vouga, Tamstorf & Grinspun 2012). Theory: docs/theory/bodies.md, "Impacts"
#ifndef MOTE_CONTACT_IMPACT_H
#define MOTE_CONTACT_IMPACT_H

#include "contact/contact_rows.h"

// Adds the impulses of impacts to movers, start and contacts, and the displacements of the bodies that they
// move to flight; if `again`, to their corrections. *violation: the largest of the rows' normal conditions,
// in and out.
mote_result mote_contact_solve_impacts(mote_contact_rows *s, mote_contact_set *set, bool again,
                                       mote_arena *scratch, double *violation, mote_error *error);

#endif
