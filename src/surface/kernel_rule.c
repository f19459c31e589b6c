#include "surface/kernel_rule.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"

#define PI 3.14159265358979323846

// Depths in spacings. The upper layer of a pool lies at LAYER; what is found between the surface and EVENED
// is evened towards it, what is deeper than STILL stays. What seems to lie above HIGHEST is pressed down no
// farther: it is at an edge or a corner.
#define LAYER 0.5
#define EVENED 1.0
#define STILL 1.5
#define HIGHEST (-0.15)
// A curved surface (or an edge) leaves a narrower neighbourhood: what that adds to the depth, in units of r,
// in proportion and by its square, and the most that it adds. It brings nothing below LAYER that was above:
// centres are not moved outward because of it.
#define CURVED 0.5
#define BENT 25.0
#define MOST_CURVED 0.15
// Of the weight that a half space would have: with less than THIN the neighbourhood is a sheet, with more
// than THICK it counts as a half space.
#define THIN 0.5
#define THICK 0.85
// Sheets with less of the weight than this grow; FLAT of sheet_growth is full at 1/5.
#define SPARSE 0.7
#define FLAT 0.2
#define UNEVEN 0.04  // of a covariance (in r^2) that is 0.15 times the identity in the bulk
#define POINT 1e-5   // variance, in r^2, that rounding may leave of points in one place

#define BALL 0.62035049089940001667  // radius of volume 1
#define FEWEST_CELLS 0.46            // of a drop's radius: smaller ones may lie between the nodes

// The cube of a radius of b cells, as far as the mesh keeps it: fitted to meshes of a lone kernel at 216
// places, within 0.01 from 0.8 cells on.
static double kept_cube(double b) {
  double half = 0.5 * b;
  return b * b * b - 0.75 * b + 0.21 / (1.0 + (half * half) * (half * half));
}

double mote_drop_growth(double radius) {
  MOTE_ASSERT(radius > 0.0);
  if (!(radius < 1e3)) return 1.0;
  double a = radius > FEWEST_CELLS ? radius : FEWEST_CELLS, low = a, high = a + 0.5;
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
                           .full_count = 4.0 / 3.0 * PI * (r * r * r),
                           .full_weight = 2.0 / 3.0 * PI * (r * r * r),
                           .offset = def->tag_offset,
                           .smoothing = def->smoothing,
                           .stretch = def->stretch,
                           .scale = isnan(def->scale) ? 20.0 / 3.0 : def->scale * (r * r),
                           .lone_scale = def->lone_scale,
                           .lone_neighbours = def->lone_neighbours,
                           .lone_growth = def->keep_volume ? mote_drop_growth(BALL / def->cell) : 1.0,
                           .keep_volume = def->keep_volume};
  rule.fewest = def->tag_count * rule.full_count;
  mote_half_space_tabulate(&rule.half_space);
  return rule;
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

// As high as if it had not grown.
static mote_kernel_shape lone_shape(const mote_kernel_rule *rule) {
  double growth = rule->lone_growth;
  mote_kernel_shape shape = round_shape(rule->lone_scale * rule->support * growth);
  shape.weight = (float)(growth * growth * growth);
  return shape;
}

// Neighbours in nearly one place leave axes that no node would meet: a kernel that is smaller than a lone one
// is made as large, its shorter axes first. False: all of them are shorter.
static bool fill_axes(double lone, double axis[3]) {
  double cube = lone * lone * lone;
  if (axis[0] * axis[1] * axis[2] >= cube) return true;
  if (axis[0] <= lone) return false;
  axis[2] = cube / (axis[0] * axis[1]);
  if (axis[2] > axis[1]) axis[1] = axis[2] = sqrt(cube / axis[0]);
  return true;
}

mote_kernel_shape mote_kernel_rule_inside(const mote_kernel_rule *rule) {
  MOTE_ASSERT(rule->support > 0.0);
  return round_shape(rule->support);
}

// A sheet that is drawn out has less weight than one of the spacing d, 3/5 pi r^2: its kernels grow so that
// they still meet, also at its rim. flat: how far the second axis is from the third, as a part of the first.
static double sheet_growth(const mote_kernel_rule *rule, double weight, double flat) {
  double r = rule->reach / rule->spacing, least = SPARSE * (0.6 * PI) * (r * r);
  if (weight >= least) return 1.0;
  return 1.0 + (flat < FLAT ? flat / FLAT : 1.0) * (sqrt(least / weight) - 1.0);
}

// (4.9)-(4.13): the kernel is as long along each axis as the neighbourhood is wide. Points in one place make
// no shape: it stays.
static void stretch_kernel(const mote_kernel_rule *rule, double weight, const double c[6],
                           mote_kernel_shape *shape) {
  double covariance[9] = {c[0], c[1], c[2], c[1], c[3], c[4], c[2], c[4], c[5]}, value[3], vector[9];
  bool finite = mote_eigen3(covariance, value, vector);
  MOTE_ASSERT(finite);
  if (!finite || !(value[0] > POINT)) return;
  double least = value[0] / rule->stretch, axis[3];
  for (int k = 1; k < 3; ++k) value[k] = value[k] > least ? value[k] : least;
  double size = rule->support * rule->scale;
  if (rule->keep_volume) size *= sheet_growth(rule, weight, (value[1] - value[2]) / value[0]);
  for (int k = 0; k < 3; ++k) axis[k] = size * value[k];
  if (rule->keep_volume && !fill_axes(rule->lone_scale * rule->support, axis)) return;
  for (int a = 0, at = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b, ++at) {
      double sum = 0.0;
      for (int k = 0; k < 3; ++k) sum += 1.0 / axis[k] * (vector[3 * a + k] * vector[3 * b + k]);
      shape->G[at] = (float)sum;
    }
  }
  shape->weight = 1.0f;
}

// What the weighted neighbours say, in units of r: their weight, mean and covariance (xx, xy, xz, yy, yz,
// zz).
typedef struct near_moments {
  double weight, mean[3], length, covariance[6];
} near_moments;

static near_moments moments_of(const mote_neighbour_sums *sums) {
  near_moments m = {.weight = sum_of(sums, 0)};
  for (int a = 0; a < 3; ++a) m.mean[a] = sum_of(sums, 1 + a) / m.weight;
  m.length = sqrt(m.mean[0] * m.mean[0] + m.mean[1] * m.mean[1] + m.mean[2] * m.mean[2]);
  for (int a = 0, at = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b, ++at) {
      m.covariance[at] = sum_of(sums, 4 + at) / m.weight - m.mean[a] * m.mean[b];
    }
  }
  return m;
}

// No farther from the surface than the largest radius of a kernel there (voids that are too small for a
// surface take less weight), or in a sheet, a thread or a heap, be they as dense as they like.
bool mote_kernel_rule_touches(const mote_kernel_rule *rule, const mote_neighbour_sums *sums) {
  MOTE_ASSERT(rule->reach > 0.0 && sums != NULL);
  near_moments m = moments_of(sums);
  const double *c = m.covariance;
  double x = c[0] - 0.15, y = c[3] - 0.15, z = c[5] - 0.15;
  double uneven = x * x + y * y + z * z + 2.0 * (c[1] * c[1] + c[2] * c[2] + c[4] * c[4]);
  return m.weight < rule->full_weight * mote_half_space_fraction(rule->support / rule->reach) ||
         uneven > UNEVEN * UNEVEN;
}

// The variance across the mean's direction.
static double spread_of(const near_moments *m) {
  const double *c = m->covariance, *s = m->mean;
  double along = c[0] * s[0] * s[0] + c[3] * s[1] * s[1] + c[5] * s[2] * s[2] +
                 2.0 * (c[1] * s[0] * s[1] + c[2] * s[0] * s[2] + c[4] * s[1] * s[2]);
  return c[0] + c[3] + c[5] - along / (m->length * m->length);
}

// The depth below a smooth surface, in spacings, of a point whose neighbours' mean lies as in a half space at
// z.
static double depth_of(const mote_kernel_rule *rule, const near_moments *m, double z) {
  double narrow = mote_half_space_spread(z) - spread_of(m), curved = narrow * (CURVED + BENT * fabs(narrow));
  double r = rule->reach / rule->spacing, depth = z * r, most = depth > LAYER ? depth : LAYER;
  depth += (curved < MOST_CURVED ? curved : MOST_CURVED) * r;
  return depth < HIGHEST ? HIGHEST : depth < most ? depth : most;
}

// The weight, as a part of a half space's.
static double thickness_of(const mote_kernel_rule *rule, const near_moments *m, double z) {
  return m->weight / (rule->full_weight * mote_half_space_fraction(z));
}

// How far outward the centre moves, in spacings, so that what is uneven near the surface goes and the surface
// stays: the mean's distance tells the depth, and the depth where the centre should be.
static double outward(const mote_kernel_rule *rule, const near_moments *m) {
  double z = (double)mote_half_space_depth(&rule->half_space, (float)m->length);
  double thickness = thickness_of(rule, m, z), depth = depth_of(rule, m, z);
  return (depth - LAYER) * (1.0 - mote_rise(depth, EVENED, STILL)) * mote_rise(thickness, THIN, THICK);
}

// Of the mean, in units of r: (4.3), or what keeps the volume.
static double centre_part(const mote_kernel_rule *rule, const near_moments *m, bool lone) {
  if (!rule->keep_volume) return rule->smoothing;
  if (lone || !(m->length > 0.0)) return 0.0;
  return -rule->smoothing * outward(rule, m) * rule->spacing / (m->length * rule->reach);
}

mote_kernel_shape mote_kernel_rule_shape(const mote_kernel_rule *rule, const mote_neighbour_sums *sums) {
  MOTE_ASSERT(rule->reach > 0.0 && rule->spacing > 0.0 && sums != NULL);
  near_moments m = moments_of(sums);
  bool lone = sum_of(sums, MOTE_NEAR_COUNT) - 1.0 <= rule->lone_neighbours;
  mote_kernel_shape shape = lone_shape(rule);
  if (!lone) stretch_kernel(rule, m.weight, m.covariance, &shape);
  double part = centre_part(rule, &m, lone) * rule->reach;
  for (int a = 0; a < 3; ++a) shape.shift[a] = (float)(part * m.mean[a]);
  return shape;
}

mote_surface_plane mote_kernel_rule_plane(const mote_kernel_rule *rule, const mote_neighbour_sums *sums) {
  MOTE_ASSERT(rule->reach > 0.0 && rule->spacing > 0.0 && sums != NULL);
  near_moments m = moments_of(sums);
  mote_surface_plane plane = {.depth = HUGE_VALF};
  bool lone = sum_of(sums, MOTE_NEAR_COUNT) - 1.0 <= rule->lone_neighbours;
  if (lone || !(m.length > 0.0)) return plane;
  double z = (double)mote_half_space_depth(&rule->half_space, (float)m.length);
  if (thickness_of(rule, &m, z) < THICK) return plane;
  for (int a = 0; a < 3; ++a) plane.normal[a] = (float)(-m.mean[a] / m.length);
  plane.depth = (float)depth_of(rule, &m, z);
  return plane;
}
