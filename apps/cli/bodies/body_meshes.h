// Meshes of rigid bodies for pictures and files. Copies of a shape share the mesh of the shape without scale,
// rotation and move.
#ifndef MOTE_BODY_MESHES_H
#define MOTE_BODY_MESHES_H

#include <mote/draw.h>
#include <mote/world.h>

typedef struct body_model body_model;

typedef struct body_meshes {
  mote_env env;
  int dimensions, cells;  // cells: along the longest side of a body
  bool whole;             // use mesh shapes as they are
  body_model *model;      // newest first
} body_meshes;

body_meshes body_meshes_open(int dimensions, size_t bodies, const mote_env *env);
void body_meshes_close(body_meshes *meshes);

// Mesh and reference point of a body in its defined pose. The caller frees the vertices; the triangles belong
// to the model. Returns false after printing an error.
bool body_meshes_make(body_meshes *meshes, const mote_body_def *def, mote_mesh *out, double reference[3]);

// From the defined pose to the given position and orientation.
mote_pose body_pose(const double reference[3], const double position[3], const double orientation[4]);

#endif
