// Light as bytes: toned (tone.h), then sRGB.
#include "draw/draw_math.h"
#include "draw/image.h"
#include "render/render_parts.h"
#include "render/tone.h"

// IEC 61966-2-1.
static double to_linear(double s) {
  return s <= 0.04045 ? s / 12.92 : mote_pow((s + 0.055) / 1.055, 2.4);
}

static double to_srgb(double l) {
  return l <= 0.0031308 ? 12.92 * l : 1.055 * mote_pow(l, 1 / 2.4) - 0.055;
}

void mote_render_tables(mote_trace *t) {
  for (int k = 0; k < 256; ++k) t->linear[k] = (float)to_linear(k / 255.0);
}

void mote_render_tone(const float *light, double exposure, mote_image *image) {
  size_t pixels = (size_t)image->width * (size_t)image->height;
  for (size_t k = 0; k < pixels; ++k) {
    for (size_t c = 0; c < 3; ++c) {
      double tone = to_srgb((double)mote_tone((float)exposure * light[3 * k + c]));
      image->pixel[4 * k + c] = (uint8_t)(draw_clamp(tone, 0, 1) * 255 + 0.5);
    }
    image->pixel[4 * k + 3] = 255;
  }
}
