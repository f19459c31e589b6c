// A sky of one brightness, and the light that comes from it through a point of the screen.
#ifndef MOTE_TEST_TRACE_OVEN_H
#define MOTE_TEST_TRACE_OVEN_H

#include "render/render_parts.h"
#include "test.h"

// Looks from z = 5 at the origin; a sky of 1 everywhere, no sun, no floor.
static inline mote_render_def oven(void) {
  mote_render_def def = mote_render_def_default();
  def.width = def.height = 64;
  def.camera = (mote_camera_def){.from = {0, 0, 5}, .to = {0, 0, 0}, .angle = 0.6};
  def.ground = (double)-INFINITY;
  def.bounces = 64;
  return def;
}

static inline bool build(mote_trace *t, const mote_render_def *def, const mote_render_scene *scene) {
  mote_error error = {0};
  *t = (mote_trace){.env = mote_env_default(), .def = def, .scene = scene};
  mote_render_tables(t);
  mote_render_view(t);
  if (CHECK(mote_trace_build(t, &error) == MOTE_OK)) return true;
  fprintf(stderr, "%s\n", error.text);
  return false;
}

static inline void even_sky(mote_trace *t) {
  t->sky.zenith = t->sky.horizon = t->sky.nadir = vec_all(1);
  t->sky.glow = t->sky.sun_light = vec_all(0);
}

// The mean light of `samples` paths through a point of the screen.
static inline mote_vec look_at(const mote_trace *t, double x, double y, uint32_t samples) {
  mote_vec sum = vec_all(0);
  for (uint32_t k = 0; k < samples; ++k) {
    mote_sampler s = sampler_make(7, (uint32_t)(64 * y + x), k);
    sum = vec_add(sum, mote_trace_pixel(t, (float)x, (float)y, &s).light);
  }
  return vec_scale(sum, 1 / (float)samples);
}

#endif
