// The projection onto an intersection of half-spaces: at most three planes determine the nearest point, so
// all sets of up to three are tried; exactly one has non-negative reactions and satisfies all bounds (Karush,
// Kuhn, Tucker).
#include "things/sweep_planes.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

#define SAME_NORMAL_TOLERANCE 1e-9  // rounding: 1 - cosine of normals that are one
#define SPEED_TOLERANCE 1e-9        // rounding: of speeds, relative: what a bound may be missed by
#define FLAT_DETERMINANT 1e-12      // rounding: determinant of normals that lie in a plane

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void mote_contact_planes_add(mote_contact_planes *planes, const double normal[3], double least) {
  MOTE_ASSERT(planes->count >= 0 && planes->count <= MOTE_CONTACT_PLANES_MAX);
  int k = 0;
  while (k < planes->count && dot(planes->plane[k].normal, normal) < 1.0 - SAME_NORMAL_TOLERANCE) ++k;
  if (k == MOTE_CONTACT_PLANES_MAX) --k;
  mote_contact_plane *plane = &planes->plane[k];
  if (k < planes->count && plane->least > least) least = plane->least;
  if (k == planes->count) ++planes->count;
  memcpy(plane->normal, normal, sizeof plane->normal);
  plane->least = least;
}

// Three planes, of which the last 3 - n are null: their reactions along the normals bring v to the bounds.
// False if the normals do not determine them.
static bool reactions(const double *const normal[3], int n, const double missing[3], double out[3]) {
  double g[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, b[3] = {0, 0, 0};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) g[i][j] = dot(normal[i], normal[j]);
    b[i] = missing[i];
  }
  double c0[3] = {g[1][1] * g[2][2] - g[1][2] * g[2][1], g[1][2] * g[2][0] - g[1][0] * g[2][2],
                  g[1][0] * g[2][1] - g[1][1] * g[2][0]};
  double c1[3] = {g[2][1] * g[0][2] - g[2][2] * g[0][1], g[2][2] * g[0][0] - g[2][0] * g[0][2],
                  g[2][0] * g[0][1] - g[2][1] * g[0][0]};
  double c2[3] = {g[0][1] * g[1][2] - g[0][2] * g[1][1], g[0][2] * g[1][0] - g[0][0] * g[1][2],
                  g[0][0] * g[1][1] - g[0][1] * g[1][0]};
  double determinant = g[0][0] * c0[0] + g[0][1] * c0[1] + g[0][2] * c0[2];
  if (!(determinant > FLAT_DETERMINANT)) return false;
  for (int k = 0; k < 3; ++k) out[k] = (c0[k] * b[0] + c1[k] * b[1] + c2[k] * b[2]) / determinant;
  return true;
}

typedef struct projection {
  const mote_contact_planes *planes;
  bool bounds;
  double v[3], loose;
} projection;

static double least_of(const projection *p, int k) {
  return p->bounds ? p->planes->plane[k].least : 0.0;
}

// The point of the planes `set` that is nearest to v, if it is the solution.
static bool try_set(const projection *p, const int set[3], int n, double out[3]) {
  const double *normal[3] = {NULL, NULL, NULL};
  double missing[3] = {0}, reaction[3], x[3] = {p->v[0], p->v[1], p->v[2]};
  for (int i = 0; i < n; ++i) {
    normal[i] = p->planes->plane[set[i]].normal;
    missing[i] = least_of(p, set[i]) - dot(normal[i], p->v);
  }
  if (!reactions(normal, n, missing, reaction)) return false;
  for (int i = 0; i < n; ++i) {
    if (reaction[i] < 0.0) return false;
    for (int a = 0; a < 3; ++a) x[a] += reaction[i] * normal[i][a];
  }
  for (int k = 0; k < p->planes->count; ++k) {
    if (dot(p->planes->plane[k].normal, x) < least_of(p, k) - p->loose) return false;
  }
  memcpy(out, x, sizeof x);
  return true;
}

bool mote_contact_planes_project(const mote_contact_planes *planes, bool bounds, const double v[3],
                                 double out[3]) {
  MOTE_ASSERT(planes->count >= 0 && planes->count <= MOTE_CONTACT_PLANES_MAX);
  projection p = {.planes = planes, .bounds = bounds, .v = {v[0], v[1], v[2]}};
  p.loose = SPEED_TOLERANCE * sqrt(dot(v, v));
  for (int k = 0; k < planes->count; ++k) p.loose += SPEED_TOLERANCE * fabs(least_of(&p, k));
  int m = planes->count;
  if (try_set(&p, (int[3]){0, 0, 0}, 0, out)) return true;
  for (int i = 0; i < m; ++i) {
    if (try_set(&p, (int[3]){i, 0, 0}, 1, out)) return true;
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < i; ++j) {
      if (try_set(&p, (int[3]){j, i, 0}, 2, out)) return true;
    }
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < j; ++k) {
        if (try_set(&p, (int[3]){k, j, i}, 3, out)) return true;
      }
    }
  }
  const double *n = planes->plane[m - 1].normal;
  double missing = least_of(&p, m - 1) - dot(n, p.v);
  for (int a = 0; a < 3; ++a) out[a] = bounds ? p.v[a] + (missing > 0.0 ? missing * n[a] : 0.0) : 0.0;
  return false;
}
