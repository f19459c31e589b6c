// A fine mesh embedded in an elastic body, EG09 7.2: deforms vertices and normals at rest with the particles.
// Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_SKIN_H
#define MOTE_ELASTIC_SKIN_H

#include <mote/elastic.h>

#define MOTE_SKIN_GONE UINT32_MAX  // a particle that is no more

// As mote_elastic_skin_move, of particles whose rows have changed: row[i] is that of the body's particle i in
// `position`, or MOTE_SKIN_GONE: it then moves as its neighbours do.
mote_result mote_elastic_skin_move_rows(mote_elastic_skin *skin, const double *position, const uint32_t *row,
                                        double *vertex, double *normal, mote_error *error);

#endif
