// Direct solves of contacts that the sweeps of contact.c have not finished: stacks, and heavy bodies on light
// ones. Theory: docs/theory/bodies.md, "The solver"
#ifndef MOTE_CONTACT_DIRECT_H
#define MOTE_CONTACT_DIRECT_H

#include "contact/contact_islands.h"

typedef struct mote_contact_direct {
  const mote_islands *islands;
  const double *start;  // velocities and spins of the bodies without the rows' impulses, 6 numbers each
  bool with_friction;
  double need;   // m/s: islands of bodies whose velocities a sweep changes by less are left alone
  double small;  // m/s: below, any improvement counts; above, what cannot be fulfilled is left to the sweeps
  double violation;  // m/s: the largest that the rows had at the start
} mote_contact_direct;

// Improves velocities and impulses of every island whose sweeps have not converged and whose matrix is small
// enough; a result that is not better is discarded. *solved: number of islands; may be null.
mote_result mote_contact_solve_direct(const mote_contact_rows *s, const mote_contact_direct *def,
                                      mote_arena *scratch, size_t *solved, mote_error *error);

#endif
