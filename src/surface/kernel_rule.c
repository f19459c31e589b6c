#include "surface/kernel_rule.h"

#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "base/pi.h"
#include "surface/kernel_filling.h"
#include "surface/tuning.inc"

#define UNIT_BALL_RADIUS 0.62035049089940001667  // exact: (3 / (4 pi))^(1/3)

// The cube of the radius that the mesh of a lone kernel of a radius of b cells has. Fitted to meshes of a
// kernel at 216 positions in a cell; error below 0.01 from 0.8 cells on.
static double kept_cube(double b) {
  double half = 0.5 * b;
  return b * b * b - 0.75 * b + 0.21 / (1.0 + (half * half) * (half * half));
}

// How much larger a lone kernel of `radius` cells must be for its mesh to have the ball's volume, in the mean
// over its places: vertices lie on chords of the field, and flat triangles between them.
static double drop_growth(double radius) {
  MOTE_ASSERT(radius > 0.0);
  if (!(radius < 1e3)) return 1.0;
  double a = radius > DROP_RADIUS_MIN ? radius : DROP_RADIUS_MIN, low = a, high = a + 0.5;
  for (int step = 0; step < 40; ++step) {
    double middle = 0.5 * (low + high);
    if (kept_cube(middle) < a * a * a) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high / a;
}

mote_kernel_rule mote_kernel_rule_make(const mote_surface_def *def, double d) {
  MOTE_ASSERT(d > 0.0 && def->reach > 0.0);
  double r = def->reach;
  mote_kernel_rule rule = {.reach = r * d,
                           .support = def->support * d,
                           .spacing = d,
                           .full_count = 4.0 / 3.0 * MOTE_PI * (r * r * r),
                           .full_weight = 2.0 / 3.0 * MOTE_PI * (r * r * r),
                           .offset = def->tag_offset,
                           .smoothing = def->smoothing,
                           .stretch = def->stretch,
                           .scale = isnan(def->scale) ? 20.0 / 3.0 : def->scale * (r * r),
                           .lone_scale = def->lone_scale,
                           .lone_neighbours = def->lone_neighbours,
                           .lone_growth = def->keep_volume ? drop_growth(UNIT_BALL_RADIUS / def->cell) : 1.0,
                           .keep_volume = def->keep_volume,
                           .whole = def->whole};
  rule.fewest = def->tag_count * rule.full_count;
  mote_half_space_tabulate(&rule.half_space);
  return rule;
}

void mote_kernel_rule_resize(mote_kernel_rule *rule, double d, double cell) {
  MOTE_ASSERT(d > 0.0 && cell > 0.0);
  double ratio = d / rule->spacing;
  if (ratio == 1.0) return;
  rule->reach *= ratio, rule->support *= ratio;
  rule->spacing = d;
  if (rule->keep_volume) rule->lone_growth = drop_growth(UNIT_BALL_RADIUS * d / cell);
}

static double sum_of(const mote_neighbour_sums *sums, int k) {
  return (double)mote_lane_sum(sums->sum[k]);
}

bool mote_kernel_rule_near_surface(const mote_kernel_rule *rule, const mote_neighbour_sums *sums) {
  MOTE_ASSERT(rule->reach > 0.0 && sums != NULL);
  double n = sum_of(sums, MOTE_NEAR_COUNT), x = sum_of(sums, MOTE_NEAR_COUNT + 1),
         y = sum_of(sums, MOTE_NEAR_COUNT + 2), z = sum_of(sums, MOTE_NEAR_COUNT + 3);
  double most = rule->offset * n;
  return n < rule->fewest || x * x + y * y + z * z > most * most;
}

static mote_kernel_shape round_shape(double radius) {
  float g = (float)(1.0 / radius);
  return (mote_kernel_shape){.G = {g, 0.0f, 0.0f, g, 0.0f, g}, .weight = 1.0f};
}

// The growth enlarges the kernel and keeps its value at the centre.
static mote_kernel_shape lone_shape(const mote_kernel_rule *rule) {
  double growth = rule->lone_growth;
  mote_kernel_shape shape = round_shape(rule->lone_scale * rule->support * growth);
  shape.weight = (float)(growth * growth * growth);
  return shape;
}

mote_kernel_shape mote_kernel_rule_inside(const mote_kernel_rule *rule) {
  MOTE_ASSERT(rule->support > 0.0);
  return round_shape(rule->support);
}

mote_near_moments mote_near_moments_of(const mote_neighbour_sums *sums) {
  MOTE_ASSERT(sums != NULL);
  mote_near_moments m = {.weight = sum_of(sums, 0), .count = sum_of(sums, MOTE_NEAR_COUNT)};
  for (int a = 0; a < 3; ++a) m.mean[a] = sum_of(sums, 1 + a) / m.weight;
  m.length = sqrt(m.mean[0] * m.mean[0] + m.mean[1] * m.mean[1] + m.mean[2] * m.mean[2]);
  for (int a = 0, at = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b, ++at) {
      m.covariance[at] = sum_of(sums, 4 + at) / m.weight - m.mean[a] * m.mean[b];
    }
  }
  return m;
}

// A point as one below the surface of a half space would have it.
typedef struct below_surface {
  double z;          // depth at which the mean is where it is, in r
  double thickness;  // the ratio of the weight to that of a half space there
} below_surface;

static below_surface below_of(const mote_kernel_rule *rule, const mote_near_moments *m) {
  double z = (double)mote_half_space_depth(&rule->half_space, (float)m->length);
  return (below_surface){z, m->weight / (rule->full_weight * mote_half_space_fraction(z))};
}

static mote_filling filling_of(const mote_kernel_rule *rule, const mote_near_moments *m,
                               const below_surface *below, const double variance[3]) {
  double r = rule->reach / rule->spacing, part = m->weight / rule->full_weight;
  mote_filling near = {.weight = m->weight,
                       .filling = mote_filling_kappa(part, m->covariance, r),
                       .thickness = below->thickness,
                       .offset = m->length * r,
                       .whole = rule->whole};
  near.extent = part / near.filling;
  for (int k = 0; k < 3; ++k) near.variance[k] = variance[k] * (r * r);
  return near;
}

// (4.9)-(4.13): the kernel is as long along each axis as the neighbourhood is wide. Coincident points, whose
// variance is rounding of single-precision sums, leave the shape unchanged.
static void stretch_kernel(const mote_kernel_rule *rule, const mote_near_moments *m,
                           const below_surface *below, mote_kernel_shape *shape) {
  const double *c = m->covariance;
  double covariance[9] = {c[0], c[1], c[2], c[1], c[3], c[4], c[2], c[4], c[5]}, value[3], vector[9];
  bool finite = mote_eigen3(covariance, value, vector);
  MOTE_ASSERT(finite);
  if (!finite || !(value[0] > 64.0 * (double)FLT_EPSILON)) return;
  double least = value[0] / rule->stretch, axis[3], d = rule->spacing, weight = 1.0;
  for (int k = 0; k < 3; ++k)
    axis[k] = rule->support / d * rule->scale * (value[k] > least ? value[k] : least);
  if (rule->keep_volume) {
    mote_filling near = filling_of(rule, m, below, value);
    weight = mote_filling_shape(&near, rule->reach / d, rule->lone_scale * rule->support / d,
                                rule->lone_growth, axis);
  }
  if (!(weight > 0.0)) return;
  for (int a = 0, at = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b, ++at) {
      double sum = 0.0;
      for (int k = 0; k < 3; ++k) sum += 1.0 / (d * axis[k]) * (vector[3 * a + k] * vector[3 * b + k]);
      shape->G[at] = (float)sum;
    }
  }
  shape->weight = (float)weight;
}

// True within the largest radius of a kernel from the surface (voids that are too small for a surface remove
// less weight), and in films, threads and clusters of any density.
bool mote_kernel_rule_touches(const mote_kernel_rule *rule, const mote_near_moments *m) {
  MOTE_ASSERT(rule->reach > 0.0 && m != NULL);
  const double *c = m->covariance;
  double x = c[0] - MOTE_FULL_VARIANCE, y = c[3] - MOTE_FULL_VARIANCE, z = c[5] - MOTE_FULL_VARIANCE;
  double uneven = x * x + y * y + z * z + 2.0 * (c[1] * c[1] + c[2] * c[2] + c[4] * c[4]);
  return m->weight < rule->full_weight * mote_half_space_fraction(rule->support / rule->reach) ||
         uneven > COVARIANCE_DEVIATION * COVARIANCE_DEVIATION;
}

// The variance perpendicular to the direction of the mean.
static double spread_of(const mote_near_moments *m) {
  const double *c = m->covariance, *s = m->mean;
  double along = c[0] * s[0] * s[0] + c[3] * s[1] * s[1] + c[5] * s[2] * s[2] +
                 2.0 * (c[1] * s[0] * s[1] + c[2] * s[0] * s[2] + c[4] * s[1] * s[2]);
  return c[0] + c[3] + c[5] - along / (m->length * m->length);
}

// The depth below a smooth surface, in spacings, of a point whose neighbours have their mean where those of a
// point at depth z (in r) of a half space have it. The correction for curvature does not bring a point from
// above UPPER_LAYER_DEPTH to below it: no centre moves outward because of it.
static double depth_of(const mote_kernel_rule *rule, const mote_near_moments *m, double z) {
  double narrow = mote_half_space_spread(z) - spread_of(m),
         curved = narrow * (NARROWING_LINEAR + NARROWING_SQUARE * fabs(narrow));
  double r = rule->reach / rule->spacing, depth = z * r,
         most = depth > UPPER_LAYER_DEPTH ? depth : UPPER_LAYER_DEPTH;
  depth += (curved < CURVATURE_DEPTH_MAX ? curved : CURVATURE_DEPTH_MAX) * r;
  return depth < DEPTH_MIN ? DEPTH_MIN : depth < most ? depth : most;
}

// How far outward the centre moves, in spacings: to UPPER_LAYER_DEPTH, which removes the unevenness of the
// upper layer and keeps the level of the surface. The depth follows from the distance of the mean.
static double outward(double depth, double thickness) {
  return (depth - UPPER_LAYER_DEPTH) * (1.0 - mote_rise(depth, EVENED_DEPTH, UNMOVED_DEPTH)) *
         mote_rise(thickness, UNMOVED_WEIGHT, HALF_SPACE_WEIGHT);
}

mote_kernel_shape mote_kernel_rule_shape(const mote_kernel_rule *rule, const mote_near_moments *m,
                                         mote_surface_plane *plane) {
  MOTE_ASSERT(rule->reach > 0.0 && rule->spacing > 0.0 && m != NULL && plane != NULL);
  *plane = (mote_surface_plane){.depth = HUGE_VALF};
  bool lone = m->count - 1.0 <= rule->lone_neighbours, placed = !lone && m->length > 0.0;
  below_surface below = below_of(rule, m);
  double depth = placed ? depth_of(rule, m, below.z) : 0.0;
  // The shift of the centre over the mean: (4.3), or the one that keeps the volume.
  double part = rule->smoothing;
  if (rule->keep_volume)
    part = placed ? -rule->smoothing * outward(depth, below.thickness) * rule->spacing /
                        (m->length * rule->reach)
                  : 0.0;
  mote_kernel_shape shape = lone_shape(rule);
  if (!lone) stretch_kernel(rule, m, &below, &shape);
  part *= rule->reach;
  for (int a = 0; a < 3; ++a) shape.shift[a] = (float)(part * m->mean[a]);
  if (!placed || below.thickness < HALF_SPACE_WEIGHT) return shape;
  for (int a = 0; a < 3; ++a) plane->normal[a] = (float)(-m->mean[a] / m->length);
  plane->depth = (float)depth;
  return shape;
}
