// Whose volume a surface holds: each point inside belongs to the nearest particle, and particles are sorted
// into classes by how densely their neighbourhood is filled. No excess hides a loss.
#ifndef MOTE_VOLUME_SHARE_H
#define MOTE_VOLUME_SHARE_H

#include <mote/surface.h>

// Filling of a particle's own neighbourhood (docs/theory/anisotropy.md): 1 in water, in whole films and
// threads, f in a cloud of the density f.
enum { SHARE_CLOUD, SHARE_SPARSE, SHARE_LOOSE, SHARE_FULL, SHARE_CLASSES };
extern const double share_bounds[SHARE_CLASSES];  // the least filling of each class

typedef struct volume_share {
  double all;                   // volume of the mesh over that of the particles
  double share[SHARE_CLASSES];  // the same of the particles of a class; NaN: it is empty
  size_t particles[SHARE_CLASSES];
  double none;   // part of the particles that have no volume at all
  double area;   // in d^2 per particle
  long handles;  // of all parts
  size_t parts;
  size_t crossings;  // pairs of triangles
  double thin;       // part of the triangles with an angle below 2 degrees
} volume_share;

// d: the spacing, m; count particles of the volume d^3. False: what failed is in the error.
bool volume_share_take(const mote_mesh *mesh, const double *position, size_t count, double d,
                       const mote_env *env, volume_share *out, mote_error *error);

// The filling of each particle's neighbourhood within 4 d, of its own component.
bool volume_share_fillings(const double *position, size_t count, double d, const mote_env *env,
                           double *filling, mote_error *error);

#endif
