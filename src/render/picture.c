// Pictures: see picture.h.
#include "render/picture.h"

#include <math.h>
#include <string.h>

#include "render/tuning.inc"

static size_t floats_of(const mote_picture *picture, int each) {
  return (size_t)picture->width * (size_t)picture->height * (size_t)each * sizeof(float);
}

bool mote_picture_make(mote_picture *picture, int width, int height, const mote_env *env) {
  *picture = (mote_picture){.env = *env, .width = width, .height = height};
  picture->light[0] = mote_io_new(env, floats_of(picture, 3));
  picture->light[1] = mote_io_new(env, floats_of(picture, 3));
  picture->noise = mote_io_new(env, floats_of(picture, 3));
  picture->guide = mote_io_new(env, floats_of(picture, MOTE_PICTURE_GUIDES));
  picture->blur = mote_io_new(env, floats_of(picture, MOTE_PICTURE_GUIDES));
  return picture->light[0] != NULL && picture->light[1] != NULL && picture->noise != NULL &&
         picture->guide != NULL && picture->blur != NULL;
}

void mote_picture_free(mote_picture *picture) {
  mote_io_delete(&picture->env, picture->light[0], floats_of(picture, 3));
  mote_io_delete(&picture->env, picture->light[1], floats_of(picture, 3));
  mote_io_delete(&picture->env, picture->noise, floats_of(picture, 3));
  mote_io_delete(&picture->env, picture->guide, floats_of(picture, MOTE_PICTURE_GUIDES));
  mote_io_delete(&picture->env, picture->blur, floats_of(picture, MOTE_PICTURE_GUIDES));
}

void mote_picture_mean(const mote_picture *picture, float *out) {
  size_t count = 3 * (size_t)picture->width * (size_t)picture->height;
  for (size_t k = 0; k < count; ++k) out[k] = 0.5F * (picture->light[0][k] + picture->light[1][k]);
}

// --- Fireflies -----------------------------------------------------------------------------------------

static float brightness(const float *light) {
  return (light[0] + light[1] + light[2]) * (1.0F / 3.0F);
}

// Bounds of a pixel's brightness: those of the second darkest and the second brightest of its neighbours,
// with a margin for noise. A line one pixel wide keeps its light.
static void bounds_around(const mote_picture *f, const float *light, int x, int y, float *low, float *high) {
  float top[2] = {0, 0}, bottom[2] = {INFINITY, INFINITY};
  for (int v = y - 1; v <= y + 1; ++v)
    for (int u = x - 1; u <= x + 1; ++u) {
      if ((u == x && v == y) || u < 0 || v < 0 || u >= f->width || v >= f->height) continue;
      float b = brightness(light + 3 * ((size_t)v * (size_t)f->width + (size_t)u));
      top[1] = b > top[0] ? top[0] : b > top[1] ? b : top[1];
      top[0] = b > top[0] ? b : top[0];
      bottom[1] = b < bottom[0] ? bottom[0] : b < bottom[1] ? b : bottom[1];
      bottom[0] = b < bottom[0] ? b : bottom[0];
    }
  *low = (bottom[1] < INFINITY ? bottom[1] : 0) / SPECK_BRIGHTER - SPECK_LEAST;
  *high = SPECK_BRIGHTER * top[1] + SPECK_LEAST;
}

bool mote_picture_despeckle(const mote_picture *f, float *light) {
  float *from = mote_io_new(&f->env, floats_of(f, 3));
  if (from == NULL) return false;
  memcpy(from, light, floats_of(f, 3));
  for (int y = 0; y < f->height; ++y)
    for (int x = 0; x < f->width; ++x) {
      float *own = light + 3 * ((size_t)y * (size_t)f->width + (size_t)x), low, high, now = brightness(own);
      bounds_around(f, from, x, y, &low, &high);
      for (int k = 0; now > high && k < 3; ++k) own[k] *= high / now;
      for (int k = 0; now < low && k < 3; ++k) own[k] += low - now;
    }
  mote_io_delete(&f->env, from, floats_of(f, 3));
  return true;
}
