// Whether a closed mesh is a vessel: previews look through those.
#ifndef MOTE_VESSEL_H
#define MOTE_VESSEL_H

#include <mote/geom.h>
#include <stdbool.h>

// A vessel (cup, basin, tube) encloses more space than it fills. A place is enclosed where the mesh is before
// it on at least four of the six ways along the axes.
bool mesh_is_vessel(const mote_mesh *mesh);

#endif
