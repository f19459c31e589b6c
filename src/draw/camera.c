// Cameras: see camera.h.
#include "draw/camera.h"

#include "draw/draw_math.h"

static double dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; ++k) {
    int p = (k + 1) % 3, q = (k + 2) % 3;
    out[k] = a[p] * b[q] - a[q] * b[p];
  }
}

static bool normalise3(double a[3]) {
  double length = sqrt(dot3(a, a));
  if (!(length > 0) || !isfinite(length)) return false;
  for (int k = 0; k < 3; ++k) a[k] /= length;
  return true;
}

static bool given(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

mote_camera mote_camera_flat(const double low[3], const double high[3], mote_viewport viewport) {
  double wide = fmax(high[0] - low[0], 1e-300), tall = fmax(high[1] - low[1], 1e-300);
  return (mote_camera){.flat = true,
                       .eye = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0},
                       .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
                       .scale = fmin((viewport.x1 - viewport.x0) / wide, (viewport.y1 - viewport.y0) / tall),
                       .x = (viewport.x0 + viewport.x1) / 2,
                       .y = (viewport.y0 + viewport.y1) / 2};
}

// Right, up and forward from the direction of view; where `up` is along it, any other up.
static void make_axes(double axis[3][3], const double forward[3], const double up[3]) {
  for (int k = 0; k < 3; ++k) axis[2][k] = forward[k];
  cross3(axis[2], up, axis[0]);
  for (int k = 0; !normalise3(axis[0]) && k < 3; ++k) {
    const double other[3] = {k == 0, k == 1, k == 2};
    cross3(axis[2], other, axis[0]);
  }
  cross3(axis[0], axis[2], axis[1]);
}

// Moves the eye so that all corners of [low, high] are within the slopes of the viewport. Along each axis the
// corners bound the eye's position by planes through the edges of the viewport: the eye is where they meet.
static void fit_eye(mote_camera *camera, const double low[3], const double high[3], mote_viewport viewport) {
  const double slope[2] = {(viewport.x1 - viewport.x0) / 2 / camera->scale,
                           (viewport.y1 - viewport.y0) / 2 / camera->scale};
  double centre[3], aside[2], back = 0;
  for (int k = 0; k < 3; ++k) centre[k] = (low[k] + high[k]) / 2;
  for (int a = 0; a < 2; ++a) {
    double most = (double)-INFINITY, least = (double)INFINITY;
    for (int corner = 0; corner < 8; ++corner) {
      double r[3];
      for (int k = 0; k < 3; ++k) r[k] = (corner >> k & 1 ? high[k] : low[k]) - centre[k];
      double s = dot3(r, camera->axis[a]), depth = dot3(r, camera->axis[2]);
      most = fmax(most, s - slope[a] * depth);
      least = fmin(least, s + slope[a] * depth);
      back = fmax(back, -1.2 * depth);
    }
    aside[a] = (most + least) / 2;
    back = fmax(back, (most - least) / 2 / slope[a]);
  }
  for (int k = 0; k < 3; ++k)
    camera->eye[k] =
        centre[k] + aside[0] * camera->axis[0][k] + aside[1] * camera->axis[1][k] - back * camera->axis[2][k];
  camera->x = (viewport.x0 + viewport.x1) / 2;
  camera->y = (viewport.y0 + viewport.y1) / 2;
}

// Unless it is given: from the front (z towards the viewer), 24 degrees from the side, 20 from above.
static void find_forward(const mote_camera_def *def, const double low[3], const double high[3],
                         double forward[3]) {
  const double usual[3] = {-0.382, -0.342, -0.858};
  for (int k = 0; k < 3; ++k) {
    double to = given(def->to) ? def->to[k] : (low[k] + high[k]) / 2;
    forward[k] = given(def->from) ? to - def->from[k] : usual[k];
  }
  if (normalise3(forward)) return;
  for (int k = 0; k < 3; ++k) forward[k] = usual[k];
  normalise3(forward);
}

mote_camera mote_camera_make(const mote_camera_def *def, const double up[3], const double low[3],
                             const double high[3], mote_viewport viewport, double width, double height) {
  mote_camera camera = {.flat = false};
  double angle = isfinite(def->angle) ? draw_clamp(def->angle, 1e-3, 3.0) : 0.5, forward[3];
  camera.scale = height / 2 * mote_cos(angle / 2) / mote_sin(angle / 2);
  find_forward(def, low, high, forward);
  make_axes(camera.axis, forward, up);
  fit_eye(&camera, low, high, viewport);
  if (!given(def->from)) return camera;
  for (int k = 0; k < 3; ++k) camera.eye[k] = def->from[k];
  camera.x = width / 2, camera.y = height / 2;
  return camera;
}

void mote_camera_view(const mote_camera *camera, const double x[3], float view[3]) {
  const double r[3] = {x[0] - camera->eye[0], x[1] - camera->eye[1], x[2] - camera->eye[2]};
  for (int k = 0; k < 3; ++k) view[k] = (float)dot3(camera->axis[k], r);
}

void mote_camera_ray(const mote_camera *camera, float x, float y, float ray[3]) {
  ray[0] = (x - (float)camera->x) * (float)(1 / camera->scale);
  ray[1] = ((float)camera->y - y) * (float)(1 / camera->scale);
  ray[2] = 1;
}

void mote_camera_world(const mote_camera *camera, const float view[3], float world[3]) {
  for (int k = 0; k < 3; ++k)
    world[k] = (float)camera->axis[0][k] * view[0] + (float)camera->axis[1][k] * view[1] +
               (float)camera->axis[2][k] * view[2];
}

void mote_camera_turn(const mote_camera *camera, const double direction[3], float view[3]) {
  for (int k = 0; k < 3; ++k) view[k] = (float)dot3(camera->axis[k], direction);
}
