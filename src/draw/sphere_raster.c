// Spheres into the depth buffer: each exactly, by the intersection of rays with it, front to back.
#include <math.h>
#include <string.h>

#include "draw/preview.h"

// Bounds of the sphere's image along one axis, as slopes: tangents from the eye. Flat: as metres.
static void find_extent(bool flat, float at, float depth, float radius, float *middle, float *reach) {
  *middle = at, *reach = radius;
  if (flat) return;
  float d = depth * depth - radius * radius;
  *middle = at * depth / d;
  *reach = radius * sqrtf(at * at + d) / d;
}

// False if it is not visible.
static bool make_ball(const mote_preview *p, size_t i, mote_ball *ball) {
  const double *x = p->scene->position + 3 * i;
  float view[3], radius = (float)p->radius;
  const double flat[3] = {x[0], x[1], p->camera.flat ? 0 : x[2]};
  if (!(isfinite(flat[0]) && isfinite(flat[1]) && isfinite(flat[2]))) return false;
  if (!mote_preview_keeps(p, flat)) return false;
  mote_camera_view(&p->camera, flat, view);
  if (p->camera.flat) view[2] = radius;
  if (!isfinite(view[0]) || !isfinite(view[1]) || !isfinite(view[2]) || view[2] < 1.01F * radius)
    if (!p->camera.flat) return false;
  float middle, reach;
  find_extent(p->camera.flat, view[1], view[2], radius, &middle, &reach);
  *ball = (mote_ball){.x = view[0], .y = view[1], .z = view[2]};
  ball->row = (float)(p->camera.y - p->camera.scale * (double)middle);
  ball->reach = (float)(p->camera.scale * (double)reach);
  ball->colour = mote_preview_colour(p, i);
  float rows = (float)(MOTE_PREVIEW_SAMPLES * p->def->height);
  return ball->row + ball->reach >= 0 && ball->row - ball->reach <= rows;
}

// Positive floats are in the order of their bits.
static uint32_t depth_key(const mote_ball *ball) {
  uint32_t bits;
  memcpy(&bits, &ball->z, 4);
  return bits;
}

// One pass of a stable radix sort by 11 bits.
static void sort_pass(const mote_ball *from, mote_ball *to, size_t count, int shift) {
  size_t start[2048] = {0}, sum = 0;
  for (size_t k = 0; k < count; ++k) ++start[depth_key(from + k) >> shift & 2047];
  for (int d = 0; d < 2048; ++d) {
    size_t here = start[d];
    start[d] = sum;
    sum += here;
  }
  for (size_t k = 0; k < count; ++k) to[start[depth_key(from + k) >> shift & 2047]++] = from[k];
}

mote_result mote_sphere_sort(mote_preview *p, mote_error *error) {
  size_t count = p->scene->count, bytes = count * sizeof(mote_ball);
  if (count == 0) return MOTE_OK;
  p->ball = mote_io_new(&p->env, bytes);
  mote_ball *other = mote_io_new(&p->env, bytes);
  if (p->ball != NULL && other != NULL) {
    for (size_t i = 0; i < count; ++i) p->balls += make_ball(p, i, other + p->balls);
    sort_pass(other, p->ball, p->balls, 0);
    sort_pass(p->ball, other, p->balls, 11);
    sort_pass(other, p->ball, p->balls, 22);
  }
  bool ok = p->ball != NULL && other != NULL;
  mote_io_delete(&p->env, other, bytes);
  return ok ? MOTE_OK : mote_io_fail_memory(error);
}

// The samples whose centres lie within `reach` of `middle`, cut to [0, size).
static void find_range(float middle, float reach, int size, int *from, int *to) {
  float a = ceilf(middle - reach - 0.5F), b = floorf(middle + reach - 0.5F) + 1;
  *from = a > 0 ? a < (float)size ? (int)a : size : 0;
  *to = b < (float)size ? b > 0 ? (int)b : 0 : size;
}

// One row of samples. Rays are taken relative to where the one through the sphere's centre has its depth:
// e is the distance of the sample's ray from the centre there, so that no large numbers are subtracted.
static void fill_row(const mote_preview *p, mote_band *band, size_t number, int row, int from, int to) {
  const mote_ball *ball = p->ball + number;
  const mote_camera *c = &p->camera;
  bool flat = c->flat;
  float per = (float)(1 / c->scale), radius = (float)p->radius, r2 = radius * radius;
  float away = flat ? 1 : ball->z, front = ball->z - radius;
  float sy = ((float)c->y - ((float)(band->top + row) + 0.5F)) * per, ey = sy * away - ball->y;
  float ey2 = ey * ey, dy = flat ? 0 : sy;
  size_t line = (size_t)row * (size_t)band->width;
  for (int x = from; x < to; ++x) {
    float *depth = band->depth + line + (size_t)x;
    if (*depth <= front) continue;
    float sx = ((float)x + 0.5F - (float)c->x) * per, ex = sx * away - ball->x, dx = flat ? 0 : sx;
    float d2 = 1 + dx * dx + dy * dy, ed = (ex * dx + ey * dy) / d2;
    float inside = (r2 - ex * ex - ey2) / d2 + ed * ed;
    if (inside <= 0) continue;
    float z = ball->z - ed - sqrtf(inside);
    if (z >= *depth) continue;
    *depth = z;
    band->what[line + (size_t)x] = (uint32_t)number;
  }
}

void mote_sphere_raster(const mote_preview *p, mote_band *band) {
  const mote_camera *c = &p->camera;
  for (size_t k = 0; k < p->balls; ++k) {
    const mote_ball *ball = p->ball + k;
    float row = ball->row - (float)band->top, middle, reach;
    if (row + ball->reach < 0 || row - ball->reach > (float)band->height) continue;
    int from, to, first, last;
    find_range(row, ball->reach, band->height, &first, &last);
    find_extent(c->flat, ball->x, ball->z, (float)p->radius, &middle, &reach);
    find_range((float)(c->x + c->scale * (double)middle), (float)c->scale * reach, band->width, &from, &to);
    for (int y = first; y < last; ++y) fill_row(p, band, k, y, from, to);
  }
}
