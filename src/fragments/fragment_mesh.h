// The surfaces of a body that breaks, carried by its particles: the mesh of a cut grid (fragments/cut_mesh.h)
// whose vertices move with the home of the inner node on their side, and with what is joined to that. Affine
// motion of the particles in reach is reproduced exactly. Theory: docs/theory/fragments.md, "Carried by
// particles"
#ifndef MOTE_FRAGMENT_MESH_H
#define MOTE_FRAGMENT_MESH_H

#include "fragments/cut_mesh.h"

// The particles of the body at rest.
typedef struct mote_fragment_set {
  int dimensions;          // 2: particles in the plane z = 0 carry a plate; 3
  const double *position;  // three each; copied
  const double *support;   // radius in which each moves vertices, m; null: uniform_support
  double uniform_support;
  size_t count;
  // How much of each of these particles' weights is left at a node whose home this is: 0 where a crack has
  // parted them, 1 where none lies between. Called by several threads.
  void (*joined)(void *user, uint32_t home, const uint32_t *particle, size_t count, double *factor);
  void *user;
  const uint64_t *mark;  // of each particle: a number of all that `joined` answers for it as a home
} mote_fragment_set;

typedef struct mote_fragment_mesh mote_fragment_mesh;

// Empty until the first update. The grid must outlive it.
mote_result mote_fragment_mesh_create(mote_cut_grid *grid, mote_fragment_mesh **out, mote_error *error);
void mote_fragment_mesh_destroy(mote_fragment_mesh *mesh);

// The mesh of the grid as mote_cut_grid_divide left it, with homes, and the weights of its vertices. Those of
// a node are kept from the last update where its vertices, homes and their marks are the same. The particles
// must be those of the last update: else the mesh is to be created anew.
mote_result mote_fragment_mesh_update(mote_fragment_mesh *mesh, const mote_fragment_set *set,
                                      mote_error *error);

// At rest, with fragments and walls.
const mote_cut_mesh *mote_fragment_mesh_at_rest(const mote_fragment_mesh *mesh);
// How many vertices had their weights computed by the last update.
size_t mote_fragment_mesh_computed(const mote_fragment_mesh *mesh);

// `position`, `local_gradient`: of the particles now, and their deformation gradients, nine numbers each. A
// vertex moves with the mean of its particles' affine motions. `normal` (null: none): unit normals of the
// outer surface, at vertices that belong to walls only those of the walls.
mote_result mote_fragment_mesh_move(const mote_fragment_mesh *mesh, const double *position,
                                    const double *local_gradient, double *vertex, float *normal,
                                    mote_error *error);

// Triangles whose longest side is more than `times` as long as the longest at rest.
size_t mote_fragment_mesh_stretched(const mote_fragment_mesh *mesh, const double *vertex, double times);

#endif
