// Estimate of the spacing of particles without one: see point_set.h.
#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "surface/point_set.h"
#include "surface/tuning.inc"

#define SAMPLED_POINTS 4096
#define NEAREST_NEIGHBOURS 6  // on a cubic packing all at distance d; their mean stays near d in disorder

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The spacing from the squared distances to the nearest; 0: no estimate. The first is the particle itself.
static double estimate(const double *square, size_t found) {
  double sum = 0.0, nearest = 0.0;
  size_t count = 0;
  for (size_t k = 0; k < found; ++k) {
    if (!(square[k] > 0.0)) continue;  // the particle itself, and those at the same place
    double r = sqrt(square[k]);
    if (count++ == 0) nearest = r;
    sum += r;
  }
  if (count == 0) return 0.0;
  double mean = sum / (double)count;
  return mean < LONE_DISTANCE_RATIO * nearest ? mean : LONE_DISTANCE_RATIO * nearest;
}

static mote_result from_volumes(const mote_surface_particles *particles, double *spacing, mote_error *error) {
  double sum = 0.0;
  for (size_t i = 0; i < particles->count; ++i) sum += (double)particles->volume[i];
  double mean = sum / (double)particles->count;
  if (!(mean > 0.0 && isfinite(mean))) {
    return mote_fail_key(error, "spacing", "the mean volume of the particles is %g", mean);
  }
  *spacing = mote_cbrt(mean);
  return MOTE_OK;
}

static mote_result from_tree(const mote_kdtree *tree, const mote_surface_particles *particles,
                             double *spacing, mote_error *error) {
  double value[SAMPLED_POINTS];
  size_t count = 0, taken = particles->count < SAMPLED_POINTS ? particles->count : SAMPLED_POINTS;
  for (size_t k = 0; k < taken; ++k) {
    size_t i = (size_t)((double)k * ((double)particles->count / (double)taken));
    uint32_t index[NEAREST_NEIGHBOURS + 1];
    double square[NEAREST_NEIGHBOURS + 1];
    size_t found =
        mote_kdtree_nearest(tree, particles->position + 3 * i, NEAREST_NEIGHBOURS + 1, index, square);
    double d = estimate(square, found);
    if (d > 0.0) value[count++] = d;
  }
  if (count == 0) {
    return mote_fail_key(error, "spacing", "all particles are at one position: give the spacing");
  }
  qsort(value, count, sizeof *value, ascending);
  *spacing = value[count / 2];
  return MOTE_OK;
}

mote_result mote_point_spacing(const mote_surface_particles *particles, const mote_env *env, double *spacing,
                               mote_error *error) {
  MOTE_ASSERT(spacing != NULL);
  MOTE_ASSERT(particles->position != NULL || particles->count == 0);
  if (particles->volume != NULL) return from_volumes(particles, spacing, error);
  mote_kdtree *tree;
  MOTE_TRY(mote_kdtree_create(3, particles->position, particles->count, env, &tree, error));
  mote_result result = from_tree(tree, particles, spacing, error);
  mote_kdtree_destroy(tree);
  return result;
}
