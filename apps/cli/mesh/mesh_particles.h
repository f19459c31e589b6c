// Particles of a file as a surfacer wants them.
#ifndef MOTE_MESH_PARTICLES_H
#define MOTE_MESH_PARTICLES_H

#include "cli/files/input_file.h"
#include "cli/mesh/surface_values.h"

typedef struct mesh_particles {
  mote_surface_particles view;  // of what follows
  mote_cloud cloud;             // whose rows are all at finite places; fields are its own where some were not
  bool copied;
  bool flat;  // all z are equal, and 0 in the view: 2D, whose volumes are areas
  double *position;
  float *volume;
  uint64_t *id;
  mote_field_view field[MOTE_SURFACE_FIELDS];
} mesh_particles;

// Particles with non-finite positions are left out (reported).
// Complains; gives the exit status.
int mesh_particles_make(const char *path, const mote_cloud *cloud, const surface_wish *wish, bool holds,
                        mesh_particles *out);
void mesh_particles_free(mesh_particles *particles);

// What the file says of the distance between particles: a field spacing, volume, mass and density, or radius;
// NaN where it says nothing. flat: volumes are areas.
double mesh_spacing(const mote_cloud *cloud, bool flat);

#endif
