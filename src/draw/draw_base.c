// Paths for the drawing code: see draw_base.h.
#include "draw/draw_base.h"

#include <math.h>

mote_path mote_path_make(const mote_env *env) {
  return (mote_path){mote_buffer_make(env)};
}

void mote_path_free(mote_path *path) {
  mote_buffer_free(&path->points);
}

void mote_path_clear(mote_path *path) {
  path->points.size = 0;
}

void mote_path_add(mote_path *path, double x, double y) {
  mote_point2 *point = mote_buffer_grow(&path->points, sizeof *point);
  if (point != NULL) *point = (mote_point2){x, y};
}

void mote_path_break(mote_path *path) {
  mote_path_add(path, (double)NAN, (double)NAN);
}

size_t mote_path_count(const mote_path *path) {
  return path->points.size / sizeof(mote_point2);
}

const mote_point2 *mote_path_points(const mote_path *path) {
  return (const mote_point2 *)(const void *)path->points.data;
}

static bool is_break(mote_point2 p) {
  return !(isfinite(p.x) && isfinite(p.y));
}

bool mote_path_run(const mote_path *path, size_t *at, const mote_point2 **run, size_t *count) {
  const mote_point2 *p = mote_path_points(path);
  size_t end = mote_path_count(path), first = *at;
  while (first < end && is_break(p[first])) ++first;
  size_t last = first;
  while (last < end && !is_break(p[last])) ++last;
  *at = last;
  *count = last - first;
  *run = last > first ? p + first : NULL;
  return last > first;
}
