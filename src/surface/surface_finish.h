// Vertices of a mesh against the field they come from: root finding, normals, particles' fields.
#ifndef MOTE_SURFACE_FINISH_H
#define MOTE_SURFACE_FINISH_H

#include "mesh/marching_cubes.h"
#include "surface/kernel_field.h"

typedef struct mote_surface_finish {
  const mote_kernel_field *field;
  const mote_sparse_field *grid;
  const mote_grid_vertex *place;  // one per vertex
  const mote_surface_particles *particles;
  const mote_env *env;
  mote_kernel_list *list;  // one per worker
  int root_steps;
  bool normals;
} mote_surface_finish;

// Moves vertices onto the field's zero along their edges, and adds normals and fields to the surface, whose
// mesh is there. On failure what was added is left to mote_surface_free.
mote_result mote_surface_finish_run(const mote_surface_finish *finish, mote_surface *surface,
                                    mote_error *error);

#endif
