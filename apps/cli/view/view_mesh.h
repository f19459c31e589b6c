// Meshes as data of a page.
#ifndef MOTE_VIEW_MESH_H
#define MOTE_VIEW_MESH_H

#include <mote/geom.h>

#include "cli/view/view_text.h"

typedef struct view_box {
  double low[3], high[3];
} view_box;

view_box view_box_empty(void);
void view_box_take(view_box *box, const double x[3]);

// "vertices":"...","triangles":"...": of 32 bits, base64.
void view_add_mesh(view_text *out, const mote_mesh *mesh);
// {"v":"...","t":"..."}: vertices of 16 bits in the box; the triangles where they are not those of `before`.
void view_add_moving(view_text *out, const view_box *box, const mote_mesh *mesh, bool same_triangles);

// Meshes of files, one after the other. Complains; gives the exit status.
int view_meshes(int count, char **path, const mote_env *env, view_text *out);

#endif
