// Particles to estimate from: see sample_set.h.
#include "cli/sample/sample_set.h"

#include <math.h>
#include <mote/approx.h>
#include <mote/numeric.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

static void take_positions(const mote_field_view *position, sample_set *set) {
  set->row = input_take(position->count, sizeof *set->row);
  set->position = input_take(3 * position->count, sizeof *set->position);
  for (int k = 0; k < 3; ++k) set->low[k] = (double)INFINITY, set->high[k] = (double)-INFINITY;
  for (size_t i = 0; i < position->count; ++i) {
    double x[3];
    for (size_t k = 0; k < 3; ++k) x[k] = input_value(position, 3 * i + k);
    if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) continue;
    for (size_t k = 0; k < 3; ++k) {
      set->position[3 * set->count + k] = x[k];
      set->low[k] = fmin(set->low[k], x[k]), set->high[k] = fmax(set->high[k], x[k]);
    }
    set->row[set->count++] = i;
  }
}

// The mean distance to as many neighbours as a particle of a square grid has; 0 where there are none.
static double neighbour_distance(const sample_set *set, const mote_kdtree *tree, size_t i) {
  APP_ASSERT(i < set->count);
  enum { MOST = 12 };
  uint32_t index[MOST];
  double squared[MOST], sum = 0;
  size_t near = mote_kdtree_nearest(tree, set->position + 3 * i, MOST, index, squared), used = 0;
  for (size_t k = 0; k < near && used < 2 * (size_t)set->dimensions; ++k)
    if (squared[k] > 0) sum += sqrt(squared[k]), ++used;  // not itself, nor what lies upon it
  return used > 0 ? sum / (double)used : 0;
}

// The median of these, over at most so many particles.
#define PROBES_MAX 4000

double sample_set_distance(const sample_set *set, const mote_env *env) {
  APP_ASSERT(set->dimensions == 2 || set->dimensions == 3);
  mote_kdtree *tree;
  double found[PROBES_MAX];
  size_t count = 0, stride = set->count / PROBES_MAX + 1;
  if (mote_kdtree_create(set->dimensions, set->position, set->count, env, &tree, NULL) != MOTE_OK) return 0;
  for (size_t i = 0; i < set->count; i += stride) {
    double distance = neighbour_distance(set, tree, i);
    APP_ASSERT(count < PROBES_MAX);
    if (distance > 0) found[count++] = distance;
  }
  mote_kdtree_destroy(tree);
  sort_numbers(found, count);
  return count > 0 ? found[count / 2] : 0;
}

// From volumes where the file tells them, else from the distances.
static double guess_spacing(const sample_set *set, const mote_cloud *cloud, const mote_env *env) {
  APP_ASSERT(set->count > 0);
  const mote_field_view *volume = mote_cloud_find(cloud, "volume"), *mass = mote_cloud_find(cloud, "mass"),
                        *density = mote_cloud_find(cloud, "density");
  double sum = 0;
  for (size_t i = 0; i < set->count; ++i) {
    size_t row = set->row[i];
    if (volume != NULL)
      sum += input_value(volume, row);
    else if (mass != NULL && density != NULL)
      sum += input_value(mass, row) / input_value(density, row);
  }
  double mean = sum / (double)set->count;
  if (isfinite(mean) && mean > 0) return set->dimensions == 2 ? sqrt(mean) : mote_cbrt(mean);
  return sample_set_distance(set, env);
}

static bool take_masses(const char *path, const mote_cloud *cloud, sample_set *set) {
  APP_ASSERT(set->spacing > 0);
  const mote_field_view *mass = mote_cloud_find(cloud, "mass");
  double cell =
      set->dimensions == 2 ? set->spacing * set->spacing : set->spacing * set->spacing * set->spacing;
  set->weighed = mass != NULL && mass->components == 1;
  set->mass = input_take(set->count, sizeof *set->mass);
  for (size_t i = 0; i < set->count; ++i) {
    set->mass[i] = set->weighed ? input_value(mass, set->row[i]) : cell;
    if (set->mass[i] > 0 && isfinite(set->mass[i])) continue;
    complain("%s: the mass of particle %zu is not positive", path, set->row[i]);
    return false;
  }
  return true;
}

int sample_set_make(const char *path, const mote_cloud *cloud, int dimensions, double support,
                    sample_method method, const mote_env *env, sample_set *out) {
  APP_ASSERT(dimensions == 0 || dimensions == 2 || dimensions == 3);
  const mote_field_view *position = mote_cloud_find(cloud, "position");
  *out = (sample_set){.dimensions = dimensions};
  if (position == NULL || position->components != 3) {
    complain("%s: no positions in the file", path);
    return EXIT_USAGE;
  }
  take_positions(position, out);
  if (out->count < cloud->count)
    complain("%s: %zu of %zu particles have non-finite positions and are left out", path,
             cloud->count - out->count, cloud->count);
  if (out->count == 0) {
    complain("%s: no particles in the file", path);
    return EXIT_USAGE;
  }
  if (dimensions == 0) out->dimensions = out->low[2] == out->high[2] ? 2 : 3;
  out->spacing = guess_spacing(out, cloud, env);
  if (!(out->spacing > 0) && isfinite(support)) out->spacing = support / 2;
  if (!(out->spacing > 0)) {
    complain("%s: the spacing of the particles cannot be determined; give --support (render: --radius)",
             path);
    return EXIT_USAGE;
  }
  out->support = isfinite(support) ? support : (method == SAMPLE_MLS ? 2.5 : 2) * out->spacing;
  return take_masses(path, cloud, out) ? EXIT_DONE : EXIT_USAGE;
}

void sample_set_free(sample_set *set) {
  free(set->row), free(set->position), free(set->mass);
  *set = (sample_set){.count = 0};
}
