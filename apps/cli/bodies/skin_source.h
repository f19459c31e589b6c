// What mote skin carries along: a mesh, or points, of any file.
#ifndef MOTE_SKIN_SOURCE_H
#define MOTE_SKIN_SOURCE_H

#include <mote/io.h>

typedef struct skin_source {
  const char *path;
  bool points;           // the cloud is it, else the surface
  mote_surface surface;  // as read
  mote_cloud cloud;
  size_t count;    // vertices
  double *vertex;  // at rest
  double *normal;  // at rest, of length 1; null: the file has none
  double *moved, *turned;
} skin_source;

// Numbers are multiplied by `scale`. Complains; gives the exit status. To be closed in any case.
int skin_source_open(skin_source *source, const char *path, double scale, const mote_env *env);
void skin_source_close(skin_source *source, const mote_env *env);

void skin_source_bounds(const skin_source *source, double low[3], double high[3]);
// With the vertices at `moved` and the normals `turned`.
int skin_source_write(const skin_source *source, const mote_stamp *stamp, const char *path);

#endif
