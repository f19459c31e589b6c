// Cracks in an elastic body: reduced weights of pairs separated by a crack, EG09 (70), and the quantities
// derived from them. Masses and volumes are those before the cracks; each pair's weight gets a factor. A
// particle whose neighbourhood has become flat no longer stores energy, and follows its neighbours. Theory:
// docs/theory/fracture.md
#ifndef MOTE_ELASTIC_CUT_H
#define MOTE_ELASTIC_CUT_H

#include "cracks/crack_sheet.h"
#include "elastic/elastic_body.h"

typedef struct mote_elastic_cut {
  double spacing;            // of the particles, in supports
  double transparency;       // kappa, EG09 (70); 0: visibility
  double *eye;               // of each particle: origin of its rays; state of the caller, at first X
  const uint32_t *label;     // of each particle: different ones are not neighbours; null: all are equal
  mote_elastic_lists uncut;  // the neighbours before any crack
  double *kept;              // and the data derived from them: spread, hourglass control, inverse moments
} mote_elastic_cut;

typedef struct mote_elastic_recut_report {
  size_t visited;           // pairs whose rays were tested
  size_t changed, removed;  // pairs with a changed weight, and those of them that are no longer neighbours
  size_t loose;             // particles of the body that store no energy
} mote_elastic_recut_report;

// Copies the neighbours of a body without cracks. `cut` has spacing, transparency and eye.
mote_result mote_elastic_cut_begin(mote_elastic_cut *cut, const mote_elastic *body, mote_error *error);
void mote_elastic_cut_end(mote_elastic_cut *cut, const mote_elastic *body);

// Moves the eyes of particles that new triangles have come close to. `changed`: the new triangles alone;
// null: all.
void mote_elastic_cut_keep_off(mote_elastic_cut *cut, const mote_elastic *body,
                               const mote_crack_sheets *cracks, const mote_crack_sheets *changed);

// Weights, moments, control and slopes by these cracks. `changed`: triangles added since the last call, and
// triangles without area at front nodes that have ended; null: everything is recomputed from the uncut body,
// also if `cracks` are fewer than before. Both give the same result bit for bit. Solvers, contacts and skins
// of the body must be rebuilt if report->changed is not 0.
mote_result mote_elastic_recut(mote_elastic *body, mote_elastic_cut *cut, const mote_crack_sheets *cracks,
                               const mote_crack_sheets *changed, mote_elastic_recut_report *report,
                               mote_error *error);

#endif
