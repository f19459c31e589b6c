#include "surface/kernel_filling.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "base/pi.h"
#include "surface/half_space.h"
#include "surface/tuning.inc"

#define OWN_VARIANCE (1.0 / 12.0)  // exact: of the cube of one particle, spacings^2

double mote_filling_kappa(double part, const double c[6], double reach) {
  MOTE_ASSERT(part > 0.0 && reach > 0.0);
  double own = OWN_VARIANCE / (reach * reach);
  double x = c[0] + own, y = c[3] + own, z = c[5] + own;
  double det = x * (y * z - c[4] * c[4]) - c[1] * (c[1] * z - c[2] * c[4]) + c[2] * (c[1] * c[4] - c[2] * y);
  return part * sqrt(MOTE_FULL_VARIANCE * MOTE_FULL_VARIANCE * MOTE_FULL_VARIANCE / det);
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
  double least = STRETCHED_FILM_WEIGHT * (0.6 * MOTE_PI) * (reach * reach),
         flat = (axis[1] - axis[2]) / axis[0];
  if (weight >= least) return 1.0;
  return 1.0 + (flat < FLATNESS_FULL ? flat / FLATNESS_FULL : 1.0) * (sqrt(least / weight) - 1.0);
}

// 1: a film, 0: none.
static double film_part(const mote_filling *near) {
  double rough = near->variance[1] > 0.0 ? near->variance[2] / near->variance[1] : 1.0;
  return (1.0 - mote_rise(rough, FILM_FLAT, FILM_ROUGH)) *
         mote_rise(near->weight, FILM_WEIGHT_LEAST, FILM_WEIGHT) *
         (1.0 - mote_rise(near->thickness, FILM_THICKNESS, HALF_SPACE_WEIGHT)) *
         (1.0 - mote_rise(near->extent, FILM_EXTENT, FILM_EXTENT_MOST));
}

// Kernels in a mist are smaller, elongated more than their neighbourhood, and have less weight. Returns the
// weight.
static double thin_mist(const mote_filling *near, double film, double axis[3]) {
  if (near->whole) return 1.0;
  double filling = near->filling, missing = filling < FULL_FILLING ? FULL_FILLING - filling : 0.0;
  double fragment = 1.0 - mote_rise(near->extent, FRAGMENT_EXTENT, BODY_EXTENT);
  filling += missing * fragment * mote_rise(near->filling, BENT_FILLING_LEAST, BENT_FILLING);
  if (filling < FULL_FILLING) filling += film * (FULL_FILLING - filling);
  double mist = mote_rise(filling, MIST_FILLING_LONE, MIST_FILLING),
         full = mote_rise(filling, FULL_FILLING_LEAST, FULL_FILLING);
  if (full >= 1.0) return 1.0;
  double size = LONE_SIZE + (MIST_SIZE - LONE_SIZE) * mist + (1.0 - MIST_SIZE) * full;
  double mean = mote_cbrt(axis[0] * axis[1] * axis[2]);
  double longer = mote_rise(filling, MIST_FILLING_LONE, MIST_THREADS) * (1.0 - full);
  for (int k = 0; k < 3; ++k) axis[k] *= size * (1.0 + longer * (axis[k] / mean - 1.0));
  return 1.0 - (1.0 - MIST_WEIGHT) * mist * (1.0 - full);
}

static void thin_film(const mote_filling *near, double film, double axis[3]) {
  double left = near->filling / FILM_FILLING;
  if (left < 1.0)
    axis[2] *= 1.0 - film * (1.0 - left) * mote_rise(near->filling, MIST_THREADS, THINNED_FILLING);
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
  if (weight < 1.0 && weight < VISIBLE_WEIGHT * product) {
    double smaller = mote_cbrt(weight / (VISIBLE_WEIGHT * product));
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
