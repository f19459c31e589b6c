// Particles of a file as a surfacer wants them.
#ifndef MOTE_MESH_PARTICLES_H
#define MOTE_MESH_PARTICLES_H

#include "sample_input.h"
#include "surface_values.h"

typedef struct mesh_particles {
  mote_surface_particles view;  // of what follows
  mote_cloud cloud;             // whose rows are all at finite places; fields are its own where some were not
  bool copied;
  double *position;
  float *volume;
  uint64_t *id;
  mote_field_view field[MOTE_SURFACE_FIELDS];
} mesh_particles;

// Particles with non-finite positions are left out (reported). Particles in a plane are refused.
// Complains; gives the exit status.
int mesh_particles_make(const char *path, const mote_cloud *cloud, const surface_wish *wish, bool holds,
                        mesh_particles *out);
void mesh_particles_free(mesh_particles *particles);

// What the file says of the distance between particles: a field spacing, volume, mass and density, or radius;
// NaN where it says nothing.
double mesh_spacing(const mote_cloud *cloud);

#endif
