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

// A closed box of 8 vertices and 12 triangles.
static inline void make_box(mote_mesh *m, double vertex[24], uint32_t triangle[36], const double low[3],
                            const double high[3]) {
  for (size_t c = 0; c < 8; ++c)
    for (size_t k = 0; k < 3; ++k) vertex[3 * c + k] = c >> k & 1 ? high[k] : low[k];
  static const uint32_t side[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                       {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  memcpy(triangle, side, sizeof side);
  *m = (mote_mesh){vertex, triangle, 8, 12};
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
