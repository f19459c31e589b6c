// The distance to an ellipse or ellipsoid, exact up to rounding: the closest point p has
// p_i = e_i^2 y_i / (s + e_i^2 - e_min^2), where s >= 0 solves sum (p_i / e_i)^2 = 1 (docs/theory/shapes.md).
#include "geom/shape_tree.h"

typedef struct ellipsoid {
  int n, smallest;
  double radius[3], gap[3];  // gap: e_i^2 - e_min^2
  double y[3];               // the point, mirrored to where all coordinates are positive
} ellipsoid;

static ellipsoid prepare(int n, const double radii[3], const double y[3]) {
  ellipsoid e = {.n = n};
  for (int k = 1; k < n; ++k) e.smallest = radii[k] < radii[e.smallest] ? k : e.smallest;
  double least = radii[e.smallest];
  for (int k = 0; k < n; ++k) {
    e.radius[k] = radii[k];
    e.gap[k] = (radii[k] - least) * (radii[k] + least);
    e.y[k] = fabs(y[k]);
  }
  return e;
}

// Of 1 / |q| - 1 with q_i = e_i y_i / (s + gap_i), a concave increasing function of s, the Newton step: it
// never passes the root from the left. 0 where the step is lost in rounding.
static double newton_step(const ellipsoid *e, double s) {
  double square = 0.0, slope = 0.0;
  for (int k = 0; k < e->n; ++k) {
    double below = s + e->gap[k];
    if (e->y[k] == 0.0) continue;
    double q = e->radius[k] * e->y[k] / below;
    square += q * q;
    slope += q * q / below;
  }
  if (!(square > 1.0)) return 0.0;
  double size = sqrt(square);
  return (size - 1.0) * square / slope;
}

// The root, or 0 where the point lies on the inner disc from which two points are closest.
static double solve(const ellipsoid *e) {
  double s = 0.0;
  for (int k = 0; k < e->n; ++k) s = max2(s, e->radius[k] * e->y[k] - e->gap[k]);
  if (s == 0.0) {  // all terms finite at 0, for y_k = 0 wherever gap_k = 0
    double step = newton_step(e, 0.0);
    if (step == 0.0) return 0.0;
    s = step;
  }
  for (int iteration = 0; iteration < 64; ++iteration) {
    double next = s + newton_step(e, s);
    if (!(next > s)) break;
    s = next;
  }
  return s;
}

static void closest_point(const ellipsoid *e, double p[3]) {
  double s = solve(e), rest = 1.0;
  for (int k = 0; k < e->n; ++k) {
    double below = s + e->gap[k];
    p[k] = below > 0.0 ? e->radius[k] * (e->radius[k] * e->y[k] / below) : 0.0;
    if (k != e->smallest) rest -= (p[k] / e->radius[k]) * (p[k] / e->radius[k]);
  }
  if (s == 0.0) p[e->smallest] = e->radius[e->smallest] * sqrt(max2(rest, 0.0));
}

double mote_ellipsoid_distance(int n, const double radii[3], const double y[3], double normal[3]) {
  MOTE_ASSERT(n == 2 || n == 3);
  MOTE_ASSERT(radii[0] > 0.0 && radii[1] > 0.0);
  ellipsoid e = prepare(n, radii, y);
  double p[3] = {0}, apart = 0.0, inside = 0.0, length = 0.0, n3[3] = {0};
  closest_point(&e, p);
  for (int k = 0; k < n; ++k) {
    apart += (e.y[k] - p[k]) * (e.y[k] - p[k]);
    inside += (e.y[k] / radii[k]) * (e.y[k] / radii[k]);
    n3[k] = copysign(p[k] / radii[k] * (radii[e.smallest] / radii[k]), y[k]);
    length += n3[k] * n3[k];
  }
  length = sqrt(length);
  if (normal) set3(n3[0] / length, n3[1] / length, n3[2] / length, normal);
  return inside < 1.0 ? -sqrt(apart) : sqrt(apart);
}

double mote_ellipsoid_least(int n, const double radii[3], const double y[3]) {
  MOTE_ASSERT(n == 2 || n == 3);
  MOTE_ASSERT(radii[0] > 0.0 && radii[1] > 0.0);
  double square = 0.0, size = 0.0, least = radii[0];
  for (int k = 0; k < n; ++k) {
    double q = y[k] / radii[k];
    square += q * q;
    size += y[k] * y[k];
    least = radii[k] < least ? radii[k] : least;
  }
  // Similar ellipsoids are nearest along the shortest axis; the depth is no more than along the ray through
  // y.
  double norm = sqrt(square);
  if (norm >= 1.0) return (norm - 1.0) * least;
  double along = norm > 0.0 ? sqrt(size) * (1.0 / norm - 1.0) : least;
  return -(along < least ? along : least);
}
