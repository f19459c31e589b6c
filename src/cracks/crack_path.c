// Visibility and transparency, EG09 (70): see crack_sheet.h. Theory: docs/theory/fracture.md
#include "base/check.h"
#include "cracks/crack_sheet.h"
#include "geom/triple.h"

#define CROSSINGS_MAX 64  // of one segment that are looked at; more have never been seen

// The gradient of (d_s/opacity)^2 by p, where the segment from p along v crosses a plane of normal n at the
// fraction `at`, and the front is at `front`.
static void transparency_gradient(const double v[3], const double n[3], double at, const double x[3],
                                  const double front[3], double opacity, double gradient[3]) {
  double away[3];
  sub3(x, front, away);
  double part = dot3(away, v) / dot3(n, v), scale = 2.0 * (1.0 - at) / (opacity * opacity);
  for (int k = 0; k < 3; ++k) gradient[k] = scale * (away[k] - part * n[k]);
}

double mote_crack_detour(const mote_crack_sheets *cracks, double opacity, const double p[3],
                         const double q[3], double gradient[3]) {
  MOTE_ASSERT(opacity >= 0.0);
  mote_crack_crossing some[CROSSINGS_MAX];
  size_t count = mote_crack_crossings(cracks, p, q, CROSSINGS_MAX, some);
  double most = 0.0, v[3];
  if (gradient != NULL) set3(0.0, 0.0, 0.0, gradient);
  if (count > 0 && opacity == 0.0) return HUGE_VAL;
  sub3(q, p, v);
  for (size_t k = 0; k < count && k < CROSSINGS_MAX; ++k) {
    double x[3], front[3], n[3];
    step3(p, some[k].at, v, x);
    double part = mote_crack_front_distance(cracks, cracks->sheet[some[k].triangle], x, front) / opacity;
    if (!(part * part > most)) continue;
    most = part * part;
    if (gradient == NULL || !(part < HUGE_VAL)) continue;
    mote_crack_normal(cracks, some[k].triangle, n);
    transparency_gradient(v, n, some[k].at, x, front, opacity, gradient);
  }
  return most;
}

void mote_crack_path_lengths(const mote_crack_sheets *cracks, double opacity, const double from[3],
                             const double *to, size_t count, double most, double *length) {
  for (size_t k = 0; k < count; ++k) {
    length[k] += most * mote_crack_detour(cracks, opacity, from, to + 3 * k, NULL);
    if (!(length[k] < most)) length[k] = HUGE_VAL;
  }
}

bool mote_crack_keep_off(const mote_crack_sheets *cracks, double margin, double x[3]) {
  double point[3], normal[3], away[3], moved[3];
  uint32_t triangle;
  double distance = mote_crack_nearest(cracks, x, (1.0 - 1e-9) * margin, point, &triangle);
  if (!(distance < HUGE_VAL)) return false;
  mote_crack_normal(cracks, triangle, normal);
  if (!(dot3(normal, normal) > 0.0)) return false;
  sub3(x, cracks->corner + 9 * (size_t)triangle, away);
  step3(point, dot3(away, normal) >= 0.0 ? margin : -margin, normal, moved);
  if (mote_crack_cuts(cracks, x, moved, NULL)) return false;  // between two sheets: no change
  copy3(moved, x);
  return true;
}
