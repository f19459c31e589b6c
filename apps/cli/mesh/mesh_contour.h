// Contours of 2D particles as files.
#ifndef MOTE_MESH_CONTOUR_H
#define MOTE_MESH_CONTOUR_H

#include <mote/draw.h>
#include <mote/surface.h>

// Whether this is a format of contours: csv, vtp, svg, png.
bool contour_writes(const char *path);
// Whether it can hold fields.
bool contour_holds_fields(const char *path);
// The contour of a surface of 2D particles: cut, with the particles' fields where the format holds them, and
// written; png shows the filled area, in a picture of this
// size. Complains; gives the exit status.
int contour_write(const mote_surface *surface, const mote_surface_particles *particles,
                  const mote_stamp *stamp, const char *path, int width, int height, const mote_env *env,
                  mote_contour *out);

#endif
