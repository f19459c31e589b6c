// A fine mesh that an elastic body carries along, EG09 7.2: vertices and normals at rest in, as they are now
// out. The mesh knows nothing of the particles but who is near. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_SKIN_H
#define MOTE_ELASTIC_SKIN_H

#include <mote/elastic.h>

#endif
