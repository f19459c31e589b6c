// Meshes of rigid bodies for pictures and files. The mesh of a shape as it is before it is scaled, turned and
// moved serves all of its copies.
#ifndef MOTE_BODY_MESHES_H
#define MOTE_BODY_MESHES_H

#include <mote/draw.h>
#include <mote/world.h>

typedef struct body_model body_model;

typedef struct body_meshes {
  mote_env env;
  int dimensions, cells;  // cells: along a body's longest side
  bool whole;             // shapes that are meshes are their own
  body_model *model;      // the newest
} body_meshes;

body_meshes body_meshes_open(int dimensions, size_t bodies, const mote_env *env);
void body_meshes_close(body_meshes *meshes);

// Of a body where it was defined, and the point that its places are of. Vertices are to be freed; the
// triangles are the model's. False after a complaint.
bool body_meshes_make(body_meshes *meshes, const mote_body_def *def, mote_mesh *out, double reference[3]);

// From there to where it is.
mote_pose body_pose(const double reference[3], const double position[3], const double orientation[4]);

#endif
