// Small previews, and what is to be seen in them.
#ifndef MOTE_TEST_PREVIEW_PAGE_H
#define MOTE_TEST_PREVIEW_PAGE_H

#include <math.h>
#include <stdlib.h>

#include "draw/preview.h"
#include "test.h"

static inline void set3(double out[3], double x, double y, double z) {
  out[0] = x, out[1] = y, out[2] = z;
}

// Looks from z = 5 at the origin, without a floor.
static inline mote_preview_def front(int width, int height) {
  mote_preview_def def = mote_preview_def_default();
  def.width = width, def.height = height, def.ground = (double)-INFINITY;
  set3(def.camera.from, 0, 0, 5);
  set3(def.camera.to, 0, 0, 0);
  def.camera.angle = 0.6;
  return def;
}

static inline mote_preview_scene balls(const double *position, size_t count, double radius) {
  mote_preview_scene scene = mote_preview_scene_default();
  scene.position = position, scene.count = count, scene.radius = radius;
  return scene;
}

static inline mote_image *draw(const mote_preview_def *def, const mote_preview_scene *scene) {
  mote_image *image = NULL;
  mote_error error = {0};
  if (!CHECK(mote_preview_draw(def, scene, NULL, &image, &error) == MOTE_OK))
    fprintf(stderr, "%s\n", error.text);
  return image;
}

static inline bool is_background(const mote_image *image, const mote_preview_def *def, int x, int y) {
  mote_colour c = mote_image_get(image, x, y), b = def->background;
  return abs(c.red - b.red) <= 1 && abs(c.green - b.green) <= 1 && abs(c.blue - b.blue) <= 1;
}

static inline int covered(const mote_image *image, const mote_preview_def *def) {
  int count = 0;
  for (int y = 0; y < def->height; ++y)
    for (int x = 0; x < def->width; ++x) count += !is_background(image, def, x, y);
  return count;
}

// The largest difference of a channel, and how many pixels differ by more than `most`.
static inline int differing(const mote_image *a, const mote_image *b, int most) {
  int count = 0;
  for (int k = 0; k < a->width * a->height; ++k) {
    int largest = 0;
    for (int c = 0; c < 4; ++c) {
      int d = abs(a->pixel[4 * k + c] - b->pixel[4 * k + c]);
      largest = d > largest ? d : largest;
    }
    count += largest > most;
  }
  return count;
}

#endif
