#include "surface/kernel_rule.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"

#define PI 3.14159265358979323846

// Depths in spacings. The upper layer of a pool lies at LAYER; what is found between the surface and EVENED
// is evened towards it, what is deeper than STILL stays. Above the surface by more than -HIGHEST nothing is
// pressed down farther: the shift at edges and corners is that of a flat surface far below.
#define LAYER 0.5
#define EVENED 1.0
#define STILL 1.5
#define HIGHEST (-0.15)
#define POINT 1e-5  // variance, in r^2, that rounding may leave of points in one place
// Of the weight that a half space would have: with less than THIN the neighbourhood is a sheet, with more
// than THICK it counts as a half space.
#define THIN 0.35
#define THICK 0.75

mote_kernel_rule mote_kernel_rule_make(const mote_surface_def *def, double d) {
  double r = def->reach;
  mote_kernel_rule rule = {.reach = r * d,
                           .support = def->support * d,
                           .spacing = d,
                           .full_count = 4.0 / 3.0 * PI * (r * r * r),
                           .full_weight = 2.0 / 3.0 * PI * (r * r * r),
                           .offset = def->tag_offset,
                           .smoothing = def->smoothing,
                           .stretch = def->stretch,
                           .scale = isnan(def->scale) ? 20.0 / 3.0 : def->scale * (r * r),
                           .lone_scale = def->lone_scale,
                           .lone_neighbours = def->lone_neighbours,
                           .keep_volume = def->keep_volume};
  rule.fewest = def->tag_count * rule.full_count;
  mote_half_space_tabulate(&rule.half_space);
  return rule;
}

static double sum_of(const mote_neighbour_sums *sums, int k) {
  return (double)mote_lane_sum(sums->sum[k]);
}

bool mote_kernel_rule_near_surface(const mote_kernel_rule *rule, const mote_neighbour_sums *count) {
  double n = sum_of(count, 0), x = sum_of(count, 1), y = sum_of(count, 2), z = sum_of(count, 3);
  double most = rule->offset * n;
  return n < rule->fewest || x * x + y * y + z * z > most * most;
}

static mote_kernel_shape round_shape(double radius) {
  float g = (float)(1.0 / radius);
  return (mote_kernel_shape){.G = {g, 0.0f, 0.0f, g, 0.0f, g}};
}

mote_kernel_shape mote_kernel_rule_inside(const mote_kernel_rule *rule) {
  return round_shape(rule->support);
}

// (4.9)-(4.13): the kernel is as long along each axis as the neighbourhood is wide. Points in one place make
// no shape: G stays.
static void stretch_kernel(const mote_kernel_rule *rule, const double covariance[9], float G[6]) {
  double value[3], vector[9];
  bool finite = mote_eigen3(covariance, value, vector);
  MOTE_ASSERT(finite);
  if (!finite || !(value[0] > POINT)) return;
  double least = value[0] / rule->stretch, inverse[3];
  for (int k = 0; k < 3; ++k) {
    inverse[k] = 1.0 / (rule->support * rule->scale * (value[k] > least ? value[k] : least));
  }
  for (int a = 0, at = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b, ++at) {
      double sum = 0.0;
      for (int k = 0; k < 3; ++k) sum += inverse[k] * (vector[3 * a + k] * vector[3 * b + k]);
      G[at] = (float)sum;
    }
  }
}

// 0 below `low`, 1 above `high`, smooth between.
static double rise(double x, double low, double high) {
  if (x <= low) return 0.0;
  if (x >= high) return 1.0;
  double t = (x - low) / (high - low);
  return t * t * (3.0 - 2.0 * t);
}

// How far the centre moves along the shift, as a part of the shift (4.3), so that what is uneven near the
// surface goes and the surface stays: the shift's length tells the depth below a smooth surface, and the
// depth where the centre should be.
static double even_part(const mote_kernel_rule *rule, double shift, double weight) {
  double r = rule->reach / rule->spacing;
  double z = (double)mote_half_space_depth(&rule->half_space, (float)shift);
  double full = rule->full_weight * mote_half_space_fraction(z), depth = z * r;
  if (depth >= STILL) return 0.0;
  if (depth < HIGHEST) depth = HIGHEST;
  double outward = (depth - LAYER) * (1.0 - rise(depth, EVENED, STILL)) * rise(weight / full, THIN, THICK);
  return -outward / (shift * r);
}

mote_kernel_shape mote_kernel_rule_shape(const mote_kernel_rule *rule, const mote_neighbour_sums *count,
                                         const mote_neighbour_sums *weight) {
  double w = sum_of(weight, 0), mean[3], second[6], square = 0.0;
  for (int a = 0; a < 3; ++a) mean[a] = sum_of(weight, 1 + a) / w, square += mean[a] * mean[a];
  for (int a = 0; a < 6; ++a) second[a] = sum_of(weight, 4 + a) / w;

  bool lone = sum_of(count, 0) - 1.0 <= rule->lone_neighbours;
  mote_kernel_shape shape = round_shape(rule->lone_scale * rule->support);
  if (!lone) {
    double xy = second[1] - mean[0] * mean[1], xz = second[2] - mean[0] * mean[2],
           yz = second[4] - mean[1] * mean[2];
    double covariance[9] = {second[0] - mean[0] * mean[0], xy, xz, xy,
                            second[3] - mean[1] * mean[1], yz, xz, yz,
                            second[5] - mean[2] * mean[2]};
    stretch_kernel(rule, covariance, shape.G);
  }
  double part = rule->smoothing;
  if (rule->keep_volume) part *= lone || square == 0.0 ? 0.0 : even_part(rule, sqrt(square), w);
  for (int a = 0; a < 3; ++a) shape.shift[a] = (float)(part * mean[a] * rule->reach);
  return shape;
}
