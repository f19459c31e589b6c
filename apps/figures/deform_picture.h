// Pictures of meshes side by side, seen by one camera.
#ifndef MOTE_DEFORM_PICTURE_H
#define MOTE_DEFORM_PICTURE_H

#include <mote/draw.h>

enum { PICTURE_PANELS = 4, PICTURE_MESHES = 12 };

typedef struct picture_panel {
  char title[128];
  size_t meshes;
  mote_preview_mesh mesh[PICTURE_MESHES];  // own copies
} picture_panel;

typedef struct deform_picture {
  size_t panels;
  picture_panel panel[PICTURE_PANELS];
} deform_picture;

deform_picture deform_picture_make(void);
void deform_picture_free(deform_picture *picture);
// The next panel, and a mesh in it at these vertices (null: its own).
void deform_picture_begin(deform_picture *picture, const char *title);
void deform_picture_add(deform_picture *picture, const mote_mesh *mesh, const double *vertex,
                        mote_colour colour);
// DIRECTORY/NAME.png. Complains; gives the exit status.
int deform_picture_write(const deform_picture *picture, const char *directory, const char *name);

#endif
