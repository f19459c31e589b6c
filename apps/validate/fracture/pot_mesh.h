// A pot of 1,120 triangles, for the validation and the benchmark of pieces.
#ifndef MOTE_POT_MESH_H
#define MOTE_POT_MESH_H

#include <mote/geom.h>

#define POT_HEIGHT 0.22  // m; its longest side

// 0.22 m wide and high, with a foot, a narrow neck and walls of 5 to 24 mm; false when memory is out.
bool pot_mesh_make(mote_mesh *out);
void pot_mesh_free(mote_mesh *mesh);

#endif
