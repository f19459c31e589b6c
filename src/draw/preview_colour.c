// Colours of particles: given, by value, or water; and the tables between sRGB and linear light.
#include <math.h>
#include <mote/io.h>
#include <string.h>

#include "draw/draw_math.h"
#include "draw/preview.h"
#include "draw/ticks.h"

static const mote_colour WATER = {46, 118, 190, 255}, UNKNOWN = {150, 150, 150, 255};

// A vector's value is its length.
static double value_of(const mote_field_view *view, size_t i) {
  if (view->components == 1) return mote_field_value(view, i, 0);
  double sum = 0;
  for (int k = 0; k < view->components; ++k) {
    double c = mote_field_value(view, i, k);
    sum += c * c;
  }
  return sqrt(sum);
}

void mote_preview_range(mote_preview *p) {
  const mote_field_view *view = &p->scene->value;
  mote_shade *shade = &p->shade;
  double low = (double)INFINITY, high = (double)-INFINITY;
  for (size_t i = 0; view->data != NULL && i < view->count; ++i) {
    double value = value_of(view, i);
    if (!isfinite(value) || (shade->log && value <= 0)) continue;
    low = fmin(low, value), high = fmax(high, value);
  }
  if (shade->map == MOTE_MAP_DIVERGING && !shade->log) high = fmax(fabs(low), fabs(high)), low = -high;
  if (shade->map == MOTE_MAP_WATER && !shade->log && low > 0 && low < high) low = 0;
  if (!(low <= high)) low = shade->log ? 1 : 0, high = shade->log ? 10 : 1;
  mote_ticks_given(shade->low, shade->high, shade->log, &low, &high);
  if (low == 0 && high == 0) high = 1;  // at rest: no negative speeds on the bar
  if (low == high) mote_ticks_range(&low, &high, shade->log);
  shade->low = low, shade->high = high;
}

mote_colour mote_preview_colour(const mote_preview *p, size_t i) {
  if (p->scene->colour != NULL) return p->scene->colour[i];
  if (p->scene->value.data == NULL) return WATER;
  const mote_shade *s = &p->shade;
  double value = value_of(&p->scene->value, i);
  double part = s->log ? (draw_log10(value) - draw_log10(s->low)) / (draw_log10(s->high) - draw_log10(s->low))
                       : (value - s->low) / (s->high - s->low);
  return isnan(part) || (s->log && value <= 0) ? UNKNOWN : mote_colour_map_at(s->map, part);
}

// IEC 61966-2-1.
static double to_linear(double s) {
  return s <= 0.04045 ? s / 12.92 : mote_pow((s + 0.055) / 1.055, 2.4);
}

static double to_srgb(double l) {
  return l <= 0.0031308 ? 12.92 * l : 1.055 * mote_pow(l, 1 / 2.4) - 0.055;
}

void mote_preview_tables(mote_preview *p) {
  for (int k = 0; k < 256; ++k) p->linear[k] = (float)to_linear(k / 255.0);
  for (int k = 0; k <= 4096; ++k) p->srgb[k] = (uint8_t)(to_srgb(k / 4096.0) * 255 + 0.5);
}
