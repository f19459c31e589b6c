// A closed mesh in a tree of boxes: closest point with sign, crossings of a segment.
#ifndef MOTE_MESH_TREE_H
#define MOTE_MESH_TREE_H

#include <mote/geom.h>

typedef struct mote_mesh_tree mote_mesh_tree;

// A mended copy of the mesh.
mote_result mote_mesh_tree_create(const mote_mesh *mesh, const mote_env *env, mote_mesh_tree **out,
                                  mote_error *error);
void mote_mesh_tree_destroy(mote_mesh_tree *tree);

// Vertices become scale basis (x - pivot) + pivot + move. Only before it is made ready.
void mote_mesh_tree_move(mote_mesh_tree *tree, const double basis[9], double scale, const double pivot[3],
                         const double move[3]);
// In the coordinates of a turned basis; null: the world's.
void mote_mesh_tree_bounds(const mote_mesh_tree *tree, const double *basis, double low[3], double high[3]);

// Boxes and normals, for the questions below.
mote_result mote_mesh_tree_ready(mote_mesh_tree *tree, mote_error *error);

double mote_mesh_tree_distance(const mote_mesh_tree *tree, const double x[3], double normal[3]);
// The smallest fraction of the segment from a to b at or after `from` where it meets a triangle; 2 where it
// meets none.
double mote_mesh_tree_meet(const mote_mesh_tree *tree, const double a[3], const double b[3], double from);
double mote_mesh_tree_volume(const mote_mesh_tree *tree);
// What was done to it.
const mote_mesh_mending *mote_mesh_tree_mending(const mote_mesh_tree *tree);
// The mended mesh.
const mote_mesh *mote_mesh_tree_mesh(const mote_mesh_tree *tree);

#endif
