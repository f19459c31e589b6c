// Spray, foam and bubbles of a run as soft balls: the files that mote foam has written beside its particles.
#ifndef MOTE_RENDER_FOAM_H
#define MOTE_RENDER_FOAM_H

#include <mote/foam.h>

#include "cli/render/render_studio.h"

typedef struct render_foam {
  mote_render_spheres set[MOTE_FOAM_KINDS];  // those that are not empty
  size_t sets;
  double *position;
  float *velocity;
} render_foam;

// Of the frame that the shot shows; none where there is no such file. Complains; gives the exit status.
int render_foam_read(const render_studio *studio, const render_shot *shot, render_foam *out);
void render_foam_free(render_foam *foam);

#endif
