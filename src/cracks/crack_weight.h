// Weights of moving least squares across cracks, EG09 (70): the callback of mote_mls_def.weight.
// Theory: docs/theory/fracture.md
#ifndef MOTE_CRACK_WEIGHT_H
#define MOTE_CRACK_WEIGHT_H

#include <mote/approx.h>

#include "cracks/crack_sheet.h"

typedef struct mote_crack_weight {
  const mote_crack_sheets *cracks;
  double opacity;           // kappa times the spacing, m; 0: visibility
  mote_kernel_kind kernel;  // the weight without cracks
} mote_crack_weight;

// `user` is a mote_crack_weight. Values and gradients are exact; second derivatives are 0, so that those of
// shape functions must not be used.
void mote_crack_weight_find(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                            int derivatives, double *w, double dw[3], double ddw[6]);

#endif
