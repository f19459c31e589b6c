// A camera: its position, and the projection of the world to the screen. Screen coordinates are samples,
// x to the right, y down; view coordinates are metres along right, up and forward from the eye.
#ifndef MOTE_CAMERA_H
#define MOTE_CAMERA_H

#include "draw/draw_base.h"

typedef struct mote_camera {
  bool flat;  // no perspective: scale is samples per metre, else samples per unit of slope
  double eye[3];
  double axis[3][3];  // right, up, forward
  double scale;
  double x, y;  // the sample the axis goes through
} mote_camera;

// A part of the screen, in samples.
typedef struct mote_viewport {
  double x0, y0, x1, y1;
} mote_viewport;

// Shows all of [low, high] within the viewport. Perspective: values given by def are kept; the angle is that
// of the height of the screen.
mote_camera mote_camera_flat(const double low[3], const double high[3], mote_viewport viewport);
mote_camera mote_camera_make(const mote_camera_def *def, const double up[3], const double low[3],
                             const double high[3], mote_viewport viewport, double width, double height);

// To view coordinates, subtracted in double: as accurate far from the origin as near it.
void mote_camera_view(const mote_camera *camera, const double x[3], float view[3]);
// The ray of a sample in view coordinates: its point at depth 1; flat: its position.
void mote_camera_ray(const mote_camera *camera, float x, float y, float ray[3]);
// From view coordinates relative to the eye to those of the world relative to the eye.
void mote_camera_world(const mote_camera *camera, const float view[3], float world[3]);
// A direction of the world in view coordinates.
void mote_camera_turn(const mote_camera *camera, const double direction[3], float view[3]);

#endif
