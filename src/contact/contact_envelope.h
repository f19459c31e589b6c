// Symmetric positive matrices within the envelope of an island (contact_islands.h).
#ifndef MOTE_CONTACT_ENVELOPE_H
#define MOTE_CONTACT_ENVELOPE_H

#include "contact/contact_islands.h"

// Cholesky factor in place of the lower triangle; false: not positive.
bool mote_envelope_factorise(const mote_island *in, double *matrix);
// Solves with the factor, in place.
void mote_envelope_solve(const mote_island *in, const double *factor, double *x);

#endif
