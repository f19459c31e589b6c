// Shading of visible surfaces: a key light with soft shadows, the sky, a little gloss. All in linear light.
#include <math.h>

#include "draw/preview.h"
#include "draw/tuning.inc"

// Fractions of the key light and of the sky that reach a point.
typedef struct exposure {
  float sun, sky;
} exposure;

// `lift`, in cells, moves the point out of the cells filled by its own surface.
static exposure expose(const mote_preview *p, const float at[3], const float normal[3], float lift) {
  const mote_light_grid *grid = &p->grid;
  if (grid->filled == NULL) return (exposure){1, 1};
  float near[3], far[3], lit[3], per = (float)(1 / grid->cell);
  for (int k = 0; k < 3; ++k) {
    float g = p->eye_from_grid[k] + at[k] * per;
    near[k] = g + (lift + 0.4F) * normal[k];
    far[k] = g + (lift + 2.2F) * normal[k];
    lit[k] = g + lift * normal[k] + 0.8F * p->light[k];
  }
  float crowd = mote_light_grid_at(grid, grid->filled, near, 0);
  float around = mote_light_grid_at(grid, grid->around, far, 0);
  return (exposure){mote_light_grid_at(grid, grid->sun, lit, 1), (1 - 0.6F * crowd) * (1 - 0.8F * around)};
}

// To the power of 32.
static float gloss_of(float x) {
  if (x <= 0) return 0;
  x *= x, x *= x, x *= x, x *= x;
  return x * x;
}

static void shine_on(const mote_preview *p, const float at[3], const float n[3], mote_colour colour,
                     exposure seen, float out[3]) {
  const uint8_t srgb[3] = {colour.red, colour.green, colour.blue};
  const float *l = p->light;
  float away = sqrtf(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]), half[3], half2 = 0;
  for (int k = 0; k < 3; ++k) half[k] = l[k] - at[k] / away, half2 += half[k] * half[k];
  float facing = -(n[0] * at[0] + n[1] * at[1] + n[2] * at[2]) / away;
  float cosine = n[0] * l[0] + n[1] * l[1] + n[2] * l[2];
  float key = KEY_LIGHT * seen.sun * (cosine > 0 ? cosine : 0);
  // The sky is brighter than the floor; small spheres darken towards their rims, where neighbours hide it.
  float sky = SKY_LIGHT * seen.sky * (0.7F + 0.3F * n[1]) * (0.6F + 0.4F * facing);
  float gloss = GLOSS_LIGHT * seen.sun *
                gloss_of((n[0] * half[0] + n[1] * half[1] + n[2] * half[2]) / sqrtf(half2 + 1e-12F));
  for (int k = 0; k < 3; ++k) out[k] = p->linear[srgb[k]] * (key + sky) * 1.15F + gloss;
}

void mote_preview_clear(const mote_preview *p, const float at[3], const float normal[3], mote_colour colour,
                        float out[3]) {
  shine_on(p, at, normal, colour, (exposure){1, 1}, out);
}

// Discs of 2D: their colour, a little darker at the rim.
static void flat_light(const mote_preview *p, mote_colour colour, float facing, float out[3]) {
  const uint8_t srgb[3] = {colour.red, colour.green, colour.blue};
  for (int k = 0; k < 3; ++k) out[k] = p->linear[srgb[k]] * (0.8F + 0.2F * facing);
}

// The floor has the colour of the background, so that it has no visible end; only shadows show it.
static exposure ground_exposure(const mote_preview *p, const float ray[3]) {
  float world[3], at[3];
  const float up[3] = {0, 1, 0};
  if (!isfinite(p->ground) || p->camera.flat) return (exposure){1, 1};
  mote_camera_world(&p->camera, ray, world);
  float t = (float)(p->ground - p->camera.eye[1]) / world[1];
  if (!(world[1] < 0 && t > 0 && t < 1e30F)) return (exposure){1, 1};
  for (int k = 0; k < 3; ++k) at[k] = t * world[k];
  return expose(p, at, up, 0.8F);
}

static void ground_light(const mote_preview *p, exposure seen, float out[3]) {
  const mote_colour b = p->def->background;
  float light = (0.55F + 0.45F * seen.sun) * (0.35F + 0.65F * seen.sky);
  out[0] = light * p->linear[b.red], out[1] = light * p->linear[b.green], out[2] = light * p->linear[b.blue];
}

// The normal of a ball at a point, in view coordinates.
static void ball_normal(const mote_preview *p, const mote_ball *ball, const float view[3], float n[3]) {
  float per = 1 / (float)p->radius;
  n[0] = (view[0] - ball->x) * per, n[1] = (view[1] - ball->y) * per, n[2] = (view[2] - ball->z) * per;
}

static float dot3(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The smooth normal of a facet at a point of it: by barycentric coordinates.
static void facet_normal(const mote_facet *facet, const float view[3], float n[3]) {
  float u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = facet->corner[1][k] - facet->corner[0][k];
    v[k] = facet->corner[2][k] - facet->corner[0][k];
    w[k] = view[k] - facet->corner[0][k];
  }
  float uu = dot3(u, u), uv = dot3(u, v), vv = dot3(v, v), uw = dot3(u, w), vw = dot3(v, w);
  float area = uu * vv - uv * uv, b = (vv * uw - uv * vw) / area, c = (uu * vw - uv * uw) / area;
  for (int k = 0; k < 3; ++k)
    n[k] = (1 - b - c) * facet->smooth[0][k] + b * facet->smooth[1][k] + c * facet->smooth[2][k];
  float length = sqrtf(dot3(n, n));
  bool good = area > 0 && length > 0.1F && length < 10;
  for (int k = 0; k < 3; ++k) n[k] = good ? n[k] / length : facet->normal[k];
}

// Object and exposure of the last sample of the pixel, which neighbours reuse.
typedef struct last_seen {
  bool some;
  uint32_t what;
  exposure seen;
} last_seen;

static void light_sample(const mote_preview *p, mote_band *band, size_t at, float x, float y,
                         last_seen *last) {
  float ray[3], view[3], normal[3], from_eye[3], n[3], *out = band->light + 3 * at;
  uint32_t what = band->what[at];
  mote_camera_ray(&p->camera, x, y, ray);
  bool same = last->some && last->what == what;
  if (what == MOTE_WHAT_NOTHING) {
    if (!same) *last = (last_seen){true, what, ground_exposure(p, ray)};
    ground_light(p, last->seen, out);
    return;
  }
  bool ball = (what & MOTE_WHAT_FACET) == 0, flat = p->camera.flat;
  const mote_facet *facet = ball ? NULL : p->facet + (what & MOTE_WHAT_NUMBER);
  mote_colour colour = ball ? p->ball[what].colour : facet->colour;
  for (int k = 0; k < 3; ++k) view[k] = k == 2 ? band->depth[at] : ray[k] * (flat ? 1 : band->depth[at]);
  if (ball)
    ball_normal(p, p->ball + what, view, n);
  else
    facet_normal(facet, view, n);
  if (flat) {
    flat_light(p, colour, -n[2], out);
    return;
  }
  mote_camera_world(&p->camera, n, normal);
  mote_camera_world(&p->camera, view, from_eye);
  if (!ball && (what & MOTE_WHAT_CUT)) mote_cut_normal(p, facet->liquid, from_eye, normal);
  if (!same) *last = (last_seen){true, what, expose(p, from_eye, normal, ball ? 0.8F : 2)};
  shine_on(p, from_eye, normal, colour, last->seen, out);
}

void mote_preview_light(const mote_preview *p, mote_band *band) {
  for (int y = 0; y < band->height; y += MOTE_PREVIEW_SAMPLES)
    for (int x = 0; x < band->width; x += MOTE_PREVIEW_SAMPLES) {
      last_seen last = {.some = false};
      for (int s = 0; s < MOTE_PREVIEW_SAMPLES * MOTE_PREVIEW_SAMPLES; ++s) {
        int u = x + s % MOTE_PREVIEW_SAMPLES, v = y + s / MOTE_PREVIEW_SAMPLES;
        size_t at = (size_t)v * (size_t)band->width + (size_t)u;
        light_sample(p, band, at, (float)u + 0.5F, (float)(band->top + v) + 0.5F, &last);
      }
    }
}
