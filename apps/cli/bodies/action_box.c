// The box of what is there in a frame: see action_view.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bodies/action_view.h"
#include "cli/bodies/backdrop.h"
#include "cli/files/input_file.h"

#define STRAY_SHARE 0.02  // of the particles, or of the bodies, on each side of each axis
#define POINTS_MAX 20000  // of the particles, evenly chosen
#define NEAR_SHARE 0.5    // of the longest side: how far around colliders are shown

static void include(double low[3], double high[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; ++k) low[k] = fmin(low[k], a[k]), high[k] = fmax(high[k], b[k]);
}

static void begin_box(double low[3], double high[3]) {
  for (int k = 0; k < 3; ++k) low[k] = (double)INFINITY, high[k] = (double)-INFINITY;
}

static void include_particles(const double *position, size_t all, double radius, double low[3],
                              double high[3]) {
  size_t step = all / POINTS_MAX + 1, count = (all + step - 1) / step,
         stray = (size_t)(STRAY_SHARE * (double)count);
  if (count == 0) return;
  double *along = input_take(count, sizeof *along), a[3], b[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t i = 0; i < count; ++i) along[i] = position[3 * i * step + axis];
    sort_numbers(along, count);
    a[axis] = along[stray] - radius, b[axis] = along[count - 1 - stray] + radius;
  }
  free(along);
  include(low, high, a, b);
}

static bool mesh_box(const mote_preview_mesh *m, double low[3], double high[3]) {
  begin_box(low, high);
  for (size_t v = 0; v < m->mesh.vertices; ++v) {
    double x[3];
    backdrop_place(m->pose, m->mesh.vertex + 3 * v, x);
    include(low, high, x, x);
  }
  return m->mesh.triangles > 0;
}

static void include_bodies(const backdrop *stage, double low[3], double high[3]) {
  size_t first = backdrop_first_body(stage), all = stage->meshes - first, count = 0;
  double *side = input_take(6 * all, sizeof *side);  // lower sides along x, y, z, then upper ones
  for (size_t k = first; k < stage->meshes; ++k) {
    double a[3], b[3];
    if (!mesh_box(&stage->mesh[k], a, b)) continue;
    for (size_t axis = 0; axis < 3; ++axis)
      side[axis * all + count] = a[axis], side[(3 + axis) * all + count] = b[axis];
    ++count;
  }
  size_t stray = (size_t)(STRAY_SHARE * (double)count);
  for (size_t axis = 0; axis < 3 && count > 0; ++axis) {
    sort_numbers(side + axis * all, count), sort_numbers(side + (3 + axis) * all, count);
    low[axis] = fmin(low[axis], side[axis * all + stray]);
    high[axis] = fmax(high[axis], side[(3 + axis) * all + count - 1 - stray]);
  }
  free(side);
}

// Only what is near, so that a collider that is approached comes into view little by little.
static void include_colliders(const backdrop *stage, double low[3], double high[3]) {
  double near_low[3], near_high[3], longest = 0;
  for (int k = 0; k < 3; ++k) longest = fmax(longest, high[k] - low[k]);
  for (int k = 0; k < 3; ++k)
    near_low[k] = low[k] - NEAR_SHARE * longest, near_high[k] = high[k] + NEAR_SHARE * longest;
  for (size_t m = 0; m < backdrop_first_body(stage); ++m) {
    double a[3], b[3];
    bool near = mesh_box(&stage->mesh[m], a, b);
    for (int k = 0; k < 3; ++k) {
      a[k] = fmax(a[k], near_low[k]), b[k] = fmin(b[k], near_high[k]);
      near = near && a[k] <= b[k];
    }
    if (near) include(low, high, a, b);
  }
}

void action_box(const backdrop *stage, const double *position, size_t count, double radius, double low[3],
                double high[3]) {
  begin_box(low, high);
  include_particles(position, count, radius, low, high);
  include_bodies(stage, low, high);
  if (low[0] <= high[0])
    include_colliders(stage, low, high);
  else
    memcpy(low, stage->low, 3 * sizeof *low), memcpy(high, stage->high, 3 * sizeof *high);
}
