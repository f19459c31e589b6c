// Surfaces
#include <math.h>

#include "draw/plot.h"

void mote_surface_draw(const mote_view *view, mote_canvas *canvas) {
  (void)view, (void)canvas;
}
