#include "surface/kernel_filling.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "surface/half_space.h"

#define PI 3.14159265358979323846

// Fitted together, on clouds of random particles (densities 0.1 to 0.9), fragments of 2 to 60 particles, bent
// threads, sheets and slabs, and frames of five runs; docs/surface_quality.md, "Volume in motion".

#define FULL_VARIANCE 0.15         // of a full neighbourhood along each axis, r^2
#define OWN_VARIANCE (1.0 / 12.0)  // of the cube of one particle, spacings^2

// Fillings: below MIST_LONE a kernel is nearly a lone one, at MIST it has its size in a mist, above
// FULL_LEAST it begins to be one of full water, which it is from FULL on. A lattice's upper layer has 0.88.
#define MIST_LONE 0.1
#define MIST 0.5
#define MIST_THREADS \
  0.3  // from here on kernels are longer than (4.13) makes them, for threads in place of crumbs
#define FULL_LEAST 0.62
#define FULL 0.85
#define LONE_SIZE 0.39   // of the full kernel; also what lone_scale, 0.37, has
#define MIST_SIZE 0.77   // of the full kernel
#define MIST_WEIGHT 0.2  // what a kernel of a mist is multiplied with: the isovalue is low, 0.1
// A neighbourhood as small as this part of a full one is a fragment or a thread: its kernels are as small as
// it is, and half a filling counts as a full one, since bent threads do not fill their ellipsoid either.
#define FRAGMENT 0.2
#define BODY 0.5
#define BENT_LEAST 0.35
#define BENT 0.55
// A film: the least variance over the second below FILM_FLAT (none from FILM_ROUGH on), more weight than a
// few particles, less than a half space, and less extent than a cloud.
#define FILM_FLAT 0.05
#define FILM_ROUGH 0.2
#define FILM_WEIGHT_LEAST 2.4
#define FILM_WEIGHT 3.6
#define FILM_THICKNESS 0.6
#define FILM_THICKNESS_MOST 0.85
#define FILM_EXTENT 0.35
#define FILM_EXTENT_MOST 0.7
// A whole film of one layer has at least this filling (0.94, less at its rim). One that is drawn out becomes
// thinner by as much as is missing, down to THINNED; more cannot be meshed.
#define FILM_FILLING 0.86
#define THINNED_LEAST 0.3
#define THINNED 0.42
// Kernels of films with less than this part of the weight of a film of spacing d grow, in full where the
// flatness (difference of the two lesser axes over the largest) is FLATNESS_FULL. Chosen by eye.
#define STRETCHED_FILM_WEIGHT 0.7
#define FLATNESS_FULL 0.2
// Of neighbourhoods of less weight than FEW_WEIGHT, which cannot rely on others: the least weight over the
// product of the axes (spacings^3), at which a kernel is nine times the isovalue of a pool at its centre, and
// the least axis as part of a lone particle's radius. Chosen on spray and a jet: with 0.22 a hundredth of the
// particles vanish, with 0.55 of the radius as many fall between nodes.
#define FEW_WEIGHT 6.0
#define VISIBLE 0.4
#define SHORTEST_OF_LONE 0.75
// Least axis where there are neighbours along it, in spacings: kernels of two layers meet half-way between
// them. OUTER for a layer with all neighbours at one side, INNER between two. Variances in spacings^2.
#define OUTER_AXIS 0.8
#define INNER_AXIS 1.05
#define INNER_OFFSET 0.15
#define OUTER_OFFSET 0.6
#define LAYER_VARIANCE_LEAST 0.04
#define LAYER_VARIANCE 0.2
#define SLAB_THICKNESS 0.8
#define SLAB_THICKNESS_MOST 0.95

double mote_filling_kappa(double part, const double c[6], double reach) {
  MOTE_ASSERT(part > 0.0 && reach > 0.0);
  double own = OWN_VARIANCE / (reach * reach);
  double x = c[0] + own, y = c[3] + own, z = c[5] + own;
  double det = x * (y * z - c[4] * c[4]) - c[1] * (c[1] * z - c[2] * c[4]) + c[2] * (c[1] * c[4] - c[2] * y);
  return part * sqrt(FULL_VARIANCE * FULL_VARIANCE * FULL_VARIANCE / det);
}

// Nearly coincident neighbours give kernels so small that they may fall between the nodes of the grid. A
// kernel of less volume than that of a lone particle is enlarged to it, the shorter axes first. False: all
// axes are shorter than the lone radius.
static bool fill_axes(double lone, double axis[3]) {
  double cube = lone * lone * lone;
  if (axis[0] * axis[1] * axis[2] >= cube) return true;
  if (axis[0] <= lone) return false;
  axis[2] = cube / (axis[0] * axis[1]);
  if (axis[2] > axis[1]) axis[1] = axis[2] = sqrt(cube / axis[0]);
  return true;
}

// A stretched film has less weight than one of spacing d, 3/5 pi r^2: its kernels grow so that they still
// overlap, at its rim too.
static double film_growth(double weight, double reach, const double axis[3]) {
  double least = STRETCHED_FILM_WEIGHT * (0.6 * PI) * (reach * reach), flat = (axis[1] - axis[2]) / axis[0];
  if (weight >= least) return 1.0;
  return 1.0 + (flat < FLATNESS_FULL ? flat / FLATNESS_FULL : 1.0) * (sqrt(least / weight) - 1.0);
}

// 1: a film, 0: none.
static double film_part(const mote_filling *near) {
  double rough = near->variance[1] > 0.0 ? near->variance[2] / near->variance[1] : 1.0;
  return (1.0 - mote_rise(rough, FILM_FLAT, FILM_ROUGH)) *
         mote_rise(near->weight, FILM_WEIGHT_LEAST, FILM_WEIGHT) *
         (1.0 - mote_rise(near->thickness, FILM_THICKNESS, FILM_THICKNESS_MOST)) *
         (1.0 - mote_rise(near->extent, FILM_EXTENT, FILM_EXTENT_MOST));
}

// Kernels in a mist are smaller, elongated more than their neighbourhood, and have less weight. Returns the
// weight.
static double thin_mist(const mote_filling *near, double film, double axis[3]) {
  if (near->whole) return 1.0;
  double filling = near->filling, missing = filling < FULL ? FULL - filling : 0.0;
  double fragment = 1.0 - mote_rise(near->extent, FRAGMENT, BODY);
  filling += missing * fragment * mote_rise(near->filling, BENT_LEAST, BENT);
  if (filling < FULL) filling += film * (FULL - filling);
  double mist = mote_rise(filling, MIST_LONE, MIST), full = mote_rise(filling, FULL_LEAST, FULL);
  if (full >= 1.0) return 1.0;
  double size = LONE_SIZE + (MIST_SIZE - LONE_SIZE) * mist + (1.0 - MIST_SIZE) * full;
  double mean = mote_cbrt(axis[0] * axis[1] * axis[2]);
  double longer = mote_rise(filling, MIST_LONE, MIST_THREADS) * (1.0 - full);
  for (int k = 0; k < 3; ++k) axis[k] *= size * (1.0 + longer * (axis[k] / mean - 1.0));
  return 1.0 - (1.0 - MIST_WEIGHT) * mist * (1.0 - full);
}

static void thin_film(const mote_filling *near, double film, double axis[3]) {
  double left = near->filling / FILM_FILLING;
  if (left < 1.0) axis[2] *= 1.0 - film * (1.0 - left) * mote_rise(near->filling, THINNED_LEAST, THINNED);
}

// Axes are proportional to variances, not to lengths: in slabs of two and three layers the kernels would not
// overlap across the slab.
static void reach_layers(const mote_filling *near, double axis[3]) {
  double slab = 1.0 - mote_rise(near->thickness, SLAB_THICKNESS, SLAB_THICKNESS_MOST);
  double outer = mote_rise(near->offset, INNER_OFFSET, OUTER_OFFSET);
  double least = slab * (INNER_AXIS + (OUTER_AXIS - INNER_AXIS) * outer);
  for (int k = 0; k < 3; ++k) {
    double a = least * mote_rise(near->variance[k], LAYER_VARIANCE_LEAST, LAYER_VARIANCE);
    if (axis[k] < a) axis[k] = a;
  }
}

// A few particles at large distances: a kernel of little weight shrinks until the field at its own centre is
// above the isovalue, whatever its neighbours add, and no axis is so short that it falls between the nodes.
static void stay_visible(const mote_filling *near, double weight, double lone, double axis[3]) {
  double product = axis[0] * axis[1] * axis[2];
  if (near->weight >= FEW_WEIGHT) return;
  if (weight < 1.0 && weight < VISIBLE * product) {
    double smaller = mote_cbrt(weight / (VISIBLE * product));
    for (int k = 0; k < 3; ++k) axis[k] *= smaller;
  }
  for (int k = 0; k < 3; ++k)
    if (axis[k] < SHORTEST_OF_LONE * lone) axis[k] = SHORTEST_OF_LONE * lone;
}

double mote_filling_shape(const mote_filling *near, double reach, double lone, double growth,
                          double axis[3]) {
  MOTE_ASSERT(near->filling > 0.0 && reach > 0.0 && lone > 0.0 && growth >= 1.0);
  MOTE_ASSERT(axis[0] >= axis[1] && axis[1] >= axis[2] && axis[2] > 0.0);
  double film = film_part(near), larger = film_growth(near->weight, reach, axis);
  double weight = thin_mist(near, film, axis);
  for (int k = 0; k < 3; ++k) axis[k] *= larger;
  thin_film(near, film, axis);
  reach_layers(near, axis);
  double before = axis[0] * axis[1] * axis[2], most = growth * growth * growth;
  if (!fill_axes(growth * lone, axis)) return 0.0;
  double filled = axis[0] * axis[1] * axis[2] / before;
  weight *= filled < most ? filled : most;
  stay_visible(near, weight, growth * lone, axis);
  return weight;
}
