// Validation of a curved crack: a notch beside a hole, whose path must not depend on the spacing. Theory:
// docs/theory/fracture.md
#include <math.h>
#include <mote/mote.h>

#include "cli/base/app_assert.h"
#include "validate/fracture/fracture_trial.h"

#define POINTS_MAX 400

// A plate with a hole, in spacings.
typedef struct plate {
  double half[2], hole[2], radius;
} plate;

static double plate_depth(void *user, const double x[3]) {
  const plate *p = user;
  double box = fmin(p->half[0] - fabs(x[0]), p->half[1] - fabs(x[1]));
  return fmin(box, hypot(x[0] - p->hole[0], x[1] - p->hole[1]) - p->radius);
}

typedef struct path {
  double x[POINTS_MAX], y[POINTS_MAX];  // in coarse spacings
  int points;
  double length;
  bool ok;
} path;

static void add_point(path *p, const double x[3], double scale) {
  if (p->points == POINTS_MAX) return;
  p->x[p->points] = x[0] / scale, p->y[p->points] = x[1] / scale;
  if (p->points > 0)
    p->length += hypot(p->x[p->points] - p->x[p->points - 1], p->y[p->points] - p->y[p->points - 1]);
  ++p->points;
}

// Width of the plate in coarse spacings: `across`; `scale` spacings for each of them. Grown in balance, by
// half spacings, until the path is `most` coarse spacings long or ends.
static path run_path(validation *v, double across, double scale, double most) {
  APP_ASSERT(across > 0.0 && scale >= 1.0 && most > 0.0);
  double w = 0.5 * across * scale;
  plate p = {.half = {w, 1.5 * w}, .hole = {0.1 * w, 0.6 * w}, .radius = 0.25 * w};
  path out = {.ok = false};
  fracture_trial t = fracture_trial_open(v, 2, TRIAL_CUBIC, p.half[1], plate_depth, &p, 0.0);
  double tip[3] = {-0.5 * w, 0, 0}, ahead[3] = {1, 0, 0}, normal[3] = {0, 1, 0};
  fracture_trial_keep(&t, mote_cracks_add_half_plane(t.cracks, tip, ahead, normal, w, 1.0, &t.error));
  for (size_t i = 0; i < t.count; ++i) {
    double y = t.rest[3 * i + 1];
    t.held[i] = fabs(y) > p.half[1] - 2.0 * scale;
    t.u[3 * i + 1] = 1e-5 * y;
  }
  add_point(&out, tip, scale);
  while (t.ok && out.length < most && out.points < POINTS_MAX && mote_cracks_tip(t.cracks, 0).live) {
    fracture_trial_cut(&t);
    fracture_trial_solve(&t, 1e-4);
    mote_crack_body body = fracture_trial_body(&t);
    body.depth = plate_depth, body.user = &p;
    if (t.ok) fracture_trial_keep(&t, mote_cracks_grow(t.cracks, &body, 1e-3, 0.5, &t.error));
    add_point(&out, mote_cracks_tip(t.cracks, 0).position, scale);
  }
  out.ok = t.ok;
  fracture_trial_close(&t);
  return out;
}

static double distance_to(const path *p, double x, double y) {
  double least = HUGE_VAL;
  for (int k = 0; k + 1 < p->points; ++k) {
    double a = p->x[k + 1] - p->x[k], b = p->y[k + 1] - p->y[k], square = a * a + b * b;
    double at = square > 0.0 ? ((x - p->x[k]) * a + (y - p->y[k]) * b) / square : 0.0;
    at = fmin(1.0, fmax(0.0, at));
    least = fmin(least, hypot(x - p->x[k] - at * a, y - p->y[k] - at * b));
  }
  return least;
}

void validate_fracture_path(validation *v) {
  double across = validation_quick(v) ? 24.0 : 40.0, most = validation_quick(v) ? 12.0 : 20.0;
  path coarse = run_path(v, across, 1.0, most), fine = run_path(v, across, 2.0, most + 1.0);
  if (!coarse.ok || !fine.ok) return;
  double off = 0.0, bend = 0.0;
  for (int k = 0; k < coarse.points; ++k) {
    off = fmax(off, distance_to(&fine, coarse.x[k], coarse.y[k]));
    bend = fmax(bend, fabs(coarse.y[k]));
  }
  fracture_trial_report(v, MEASURE_AT_LEAST, coarse.length, most, 0.0, "definition",
                        "notch beside a hole: length of the path, spacings");
  fracture_trial_report(v, MEASURE_AT_LEAST, bend, 0.05 * most, 0.0, "definition",
                        "notch beside a hole: off a straight line, spacings");
  fracture_trial_report(v, MEASURE_NEAR, off, 0.0, 1.0, "convergence",
                        "notch beside a hole: path off that of half the spacing, spacings");
}
