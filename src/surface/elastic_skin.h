// A fine mesh that an elastic body carries along, EG09 7.2: vertices and normals at rest in, as they are now
// out. The mesh knows nothing of the particles but who is near. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_SKIN_H
#define MOTE_ELASTIC_SKIN_H

#include "solver/elastic.h"

typedef enum mote_skin_kind {
  MOTE_SKIN_SHAPES,  // the displacement field itself, EG09 (67)
  MOTE_SKIN_TAYLOR,  // the particles' first-order fields, blended: EG09 (68), less accurate, fewer numbers a
                     // vertex
} mote_skin_kind;

typedef struct mote_elastic_skin_def {
  mote_skin_kind kind;
  mote_elastic *body;      // must outlive the skin
  const double *position;  // of its particles at rest
  double support;          // radius in which particles move a vertex
  const double *vertex;    // at rest
  const double *normal;    // at rest; null: none
  size_t count;            // vertices
} mote_elastic_skin_def;

typedef struct mote_elastic_skin mote_elastic_skin;

// ARGUMENT names a vertex that too few particles are near.
mote_result mote_elastic_skin_create(const mote_elastic_skin_def *def, mote_elastic_skin **out,
                                     mote_error *error);
void mote_elastic_skin_destroy(mote_elastic_skin *skin);

// `position` of the particles now. Normals (null: not wanted) have length 1 and are those of the deformed
// surface, cof(F) n; n + grad u n as printed is right for turns only.
mote_result mote_elastic_skin_move(mote_elastic_skin *skin, const double *position, double *vertex,
                                   double *normal, mote_error *error);

#endif
