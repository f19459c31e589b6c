// A fine mesh embedded in an elastic body, EG09 7.2: deforms vertices and normals at rest with the particles.
// Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_SKIN_H
#define MOTE_ELASTIC_SKIN_H

#include <mote/elastic.h>

#endif
