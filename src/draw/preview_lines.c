// The edges of the box: thin lines, hidden behind nearer surfaces.
#include <math.h>

#include "draw/draw_math.h"
#include "draw/preview.h"
#include "draw/tuning.inc"

typedef struct screen_end {
  double x, y, inverse;  // inverse of the depth, which is linear on the screen
} screen_end;

static screen_end project(const mote_camera *c, const float v[3]) {
  double inverse = c->flat ? 1e30 : 1 / (double)v[2], scale = c->flat ? c->scale : c->scale * inverse;
  return (screen_end){c->x + scale * (double)v[0], c->y - scale * (double)v[1], inverse};
}

static void blend_sample(mote_band *band, int x, int y, double inverse, double share) {
  if (x < 0 || y < 0 || x >= band->width || y >= band->height || share <= 0) return;
  size_t at = (size_t)y * (size_t)band->width + (size_t)x;
  if (1 / inverse > 1.0005 * (double)band->depth[at]) return;
  float part = LINE_STRENGTH * (float)fmin(share, 1);
  for (int k = 0; k < 3; ++k) band->light[3 * at + k] += part * (LINE_INK - band->light[3 * at + k]);
}

// Walks along the axis on which the line is longer, a few samples across at each step.
static void draw_line(mote_band *band, screen_end a, screen_end b) {
  if (!(isfinite(a.x) && isfinite(a.y) && isfinite(b.x) && isfinite(b.y))) return;
  bool steep = fabs(b.y - a.y) > fabs(b.x - a.x);
  double a0 = steep ? a.y : a.x, b0 = steep ? b.y : b.x, a1 = steep ? a.x : a.y, b1 = steep ? b.x : b.y;
  double shift = band->top, limit0 = steep ? shift : 0;
  double limit1 = steep ? shift + band->height : band->width;
  double from = draw_clamp(fmin(a0, b0), limit0 - 1, limit1 + 1);
  double to = draw_clamp(fmax(a0, b0), limit0 - 1, limit1 + 1);
  double slope = b0 == a0 ? 0 : (b1 - a1) / (b0 - a0), stretch = sqrt(1 + slope * slope);
  for (int s = (int)floor(from); s <= (int)floor(to); ++s) {
    double along = draw_clamp(s + 0.5, fmin(a0, b0), fmax(a0, b0)),
           t = b0 == a0 ? 0 : (along - a0) / (b0 - a0);
    double middle = a1 + t * (b1 - a1), inverse = a.inverse + t * (b.inverse - a.inverse);
    double reach = (double)LINE_HALF_WIDTH * stretch + 1;
    if (!(fabs(middle) < 1e6)) continue;
    for (int m = (int)floor(middle - reach); m <= (int)floor(middle + reach); ++m) {
      double share = (double)LINE_HALF_WIDTH + 0.5 - fabs(m + 0.5 - middle) / stretch;
      int x = steep ? m : s, y = (steep ? s : m) - band->top;
      blend_sample(band, x, y, inverse, share);
    }
  }
}

static void draw_edge(const mote_preview *p, mote_band *band, const double a[3], const double b[3]) {
  float va[3], vb[3], near = 1e-3F;
  mote_camera_view(&p->camera, a, va);
  mote_camera_view(&p->camera, b, vb);
  float *hidden = va[2] < near ? va : vb;
  const float *seen = hidden == va ? vb : va;
  if (!p->camera.flat && hidden[2] < near) {
    if (seen[2] <= 2 * near) return;
    float t = (seen[2] - near) / (seen[2] - hidden[2]);
    for (int k = 0; k < 3; ++k) hidden[k] = seen[k] + t * (hidden[k] - seen[k]);
  }
  draw_line(band, project(&p->camera, va), project(&p->camera, vb));
}

void mote_preview_box(const mote_preview *p, mote_band *band) {
  const double *low = p->scene->low, *high = p->scene->high;
  for (int corner = 0; corner < 8; ++corner)
    for (int axis = 0; axis < 3; ++axis) {
      if (corner >> axis & 1) continue;
      if (p->camera.flat && (axis == 2 || corner >> 2 & 1)) continue;
      double a[3], b[3];
      bool finite = true;
      for (int k = 0; k < 3; ++k) {
        a[k] = b[k] = corner >> k & 1 ? high[k] : low[k];
        if (k == axis) b[k] = high[k];
        if (p->camera.flat && k == 2) a[k] = b[k] = 0;
        finite = finite && isfinite(a[k]) && isfinite(b[k]);
      }
      if (finite) draw_edge(p, band, a, b);
    }
}
