// Initiation and growth of cracks: from the stresses of a body's particles to new triangles of its sheets.
// Independent of weights: mote_elastic_recut applies the triangles. Theory: docs/theory/fracture.md
#ifndef MOTE_CRACK_GROW_H
#define MOTE_CRACK_GROW_H

#include "cracks/crack_sheet.h"
#include "cracks/fracture_law.h"
#include "elastic/elastic_body.h"

// A body as its cracks see it.
typedef struct mote_crack_matter {
  size_t count;
  const double *rest;    // positions of its particles in material space
  const double *stress;  // six each, of mote_elastic_stresses
  const uint8_t *skip;   // nonzero: this particle's stress is ignored; null: none
  double spacing;        // d, m
  bool flows;            // plastic: the stress ahead of a crack is that of flow, not Williams' field
  double (*depth)(void *user, const double x[3]);  // below the surface, negative outside; null: always inside
  void *user;
  uint64_t seed;  // of the weak spots
} mote_crack_matter;

// Cauchy stresses of all particles, rotated back to material space, six each.
void mote_elastic_stresses(mote_elastic *body, const mote_elastic_motion *motion, double *stress);

// Stress intensities at all nodes of all fronts, averaged along each front; zero at nodes that have ended.
// `out` has capacity for twice the nodes.
mote_result mote_crack_intensities(const mote_crack_sheets *cracks, const mote_crack_matter *matter,
                                   mote_stress_intensity *out, mote_error *error);

typedef struct mote_crack_report {
  size_t started, advanced;  // cracks; fronts
  double one, two;           // largest K_I and |K_II| at a front that could move
  bool moves;                // a front has reached the toughness
} mote_crack_report;

// New cracks where the tension is above the strength. `changed` (here and below): gets all new
// triangles, and a triangle without area where a node ends without moving.
mote_result mote_crack_start(mote_crack_sheets *cracks, const mote_fracture_law *law,
                             const mote_crack_matter *matter, mote_crack_sheets *changed,
                             mote_crack_report *report, mote_error *error);
// dt seconds of growth.
mote_result mote_crack_grow(mote_crack_sheets *cracks, const mote_fracture_law *law,
                            const mote_crack_matter *matter, double dt, mote_crack_sheets *changed,
                            mote_crack_report *report, mote_error *error);
// Ends the nodes that lie outside of the body.
mote_result mote_crack_end_outside(mote_crack_sheets *cracks, const mote_crack_matter *matter,
                                   mote_crack_sheets *changed, mote_error *error);

#endif
