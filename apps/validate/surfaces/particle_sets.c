// Sets of particles whose surfaces are known: see particle_sets.h.
#include "validate/surfaces/particle_sets.h"

#include <math.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"

static particle_set make(size_t count, double spacing) {
  particle_set set = {.position = calloc(3 * count + 1, sizeof(double)), .count = count, .spacing = spacing};
  if (set.position == NULL) abort();
  return set;
}

void particle_set_free(particle_set *set) {
  free(set->position);
  *set = (particle_set){0};
}

static void move(particle_set *set, uint64_t seed) {
  for (size_t k = 0; k < 3 * set->count; ++k) {
    double shift = 2.0 * mote_random_uniform(seed, k % 3, k / 3) - 1.0;
    set->position[k] += PARTICLE_JITTER * set->spacing * shift;
  }
}

// Counts, or writes those that lie in the shape.
static size_t fill(const mote_shape *shape, double d, double *position) {
  double low[3], high[3], x[3];
  long from[3], to[3];
  size_t count = 0;
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < 3; ++k) from[k] = (long)floor(low[k] / d) - 1, to[k] = (long)ceil(high[k] / d) + 1;
  for (long z = from[2]; z <= to[2]; ++z) {
    for (long y = from[1]; y <= to[1]; ++y) {
      for (long i = from[0]; i <= to[0]; ++i) {
        x[0] = ((double)i + 0.5) * d, x[1] = ((double)y + 0.5) * d, x[2] = ((double)z + 0.5) * d;
        if (mote_shape_distance(shape, x) > 0.0) continue;
        if (position != NULL) memcpy(position + 3 * count, x, sizeof x);
        ++count;
      }
    }
  }
  return count;
}

particle_set particle_set_fill(const mote_shape *shape, double spacing, uint64_t seed) {
  APP_ASSERT(spacing > 0.0);
  particle_set set = make(fill(shape, spacing, NULL), spacing);
  fill(shape, spacing, set.position);
  move(&set, seed);
  return set;
}

particle_set particle_set_join(const particle_set *a, const particle_set *b) {
  particle_set set = make(a->count + b->count, a->spacing);
  memcpy(set.position, a->position, 3 * a->count * sizeof(double));
  memcpy(set.position + 3 * a->count, b->position, 3 * b->count * sizeof(double));
  return set;
}

// Columns along u, rows along v.
static size_t add_plane(double *position, size_t columns, size_t rows, const double origin[3],
                        const double u[3], const double v[3], double pitch) {
  for (size_t i = 0; i < columns * rows; ++i) {
    double a = pitch * (double)(i % columns), b = pitch * (double)(i / columns);
    for (size_t k = 0; k < 3; ++k) position[3 * i + k] = origin[k] + a * u[k] + b * v[k];
  }
  return columns * rows;
}

particle_set particle_set_film(size_t columns, size_t rows, const double origin[3], const double u[3],
                               const double v[3], double pitch, double spacing, uint64_t seed) {
  APP_ASSERT(columns > 0 && rows > 0 && pitch > 0.0);
  particle_set set = make(columns * rows, spacing);
  add_plane(set.position, columns, rows, origin, u, v, pitch);
  move(&set, seed);
  return set;
}

// --- The double dam break ---------------------------------------------------------------------------------

const dam_set dam_sets[DAM_SIZES] = {
    {"ddb140k", {40, 42, 40}, {70, 75}, 150, 200, 0.02, 140000, 204},
    {"ddb1m", {80, 78, 78}, {150, 150}, 300, 3760, 0.01, 1000000, 3764},
};

#define DAM_SEED 140
#define LONE_DISTANCE 4.0  // d

// The packing points of a block, in spacings.
static size_t add_block(double *position, const size_t n[3], const double low[3]) {
  size_t count = 0;
  for (size_t z = 0; z < n[2]; ++z) {
    for (size_t y = 0; y < n[1]; ++y) {
      for (size_t x = 0; x < n[0]; ++x) {
        double *p = position + 3 * count++;
        p[0] = low[0] + (double)x + 0.5, p[1] = low[1] + (double)y + 0.5, p[2] = low[2] + (double)z + 0.5;
      }
    }
  }
  return count;
}

static double distance2(const double a[3], const double b[3]) {
  double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
  return dx * dx + dy * dy + dz * dz;
}

// Random places in the box with nothing within LONE_DISTANCE, tried one after the other.
static void add_lone(double *position, size_t begin, size_t count, const double low[3],
                     const double high[3]) {
  // jitter brings two of them nearer by at most 0.3 sqrt(3)
  const double least = LONE_DISTANCE + 0.6;
  mote_kdtree *others = NULL;
  if (mote_kdtree_create(3, position, begin, NULL, &others, NULL)) abort();
  uint64_t tried = 0;
  for (size_t i = begin; i < begin + count; ++tried) {
    double *x = position + 3 * i;
    uint32_t near;
    for (size_t k = 0; k < 3; ++k) {
      x[k] = low[k] + (high[k] - low[k]) * mote_random_uniform(DAM_SEED + 1, k, tried);
    }
    bool alone = mote_kdtree_range(others, x, least, &near, 1) == 0;
    for (size_t j = begin; j < i && alone; ++j) alone = distance2(x, position + 3 * j) > least * least;
    if (alone) ++i;
  }
  mote_kdtree_destroy(others);
}

particle_set particle_set_dam(dam_size size) {
  APP_ASSERT(size < DAM_SIZES);
  const dam_set *dam = &dam_sets[size];
  particle_set set = make(dam->particles, dam->spacing);
  // A tank three blocks wide and long; the sheet stands slanted in its middle, leaning to the second block.
  double side = (double)dam->block[0], tank = 3.0 * side, height = (double)dam->block[1];
  const double root = sqrt(0.5), u[3] = {root, 0.0, -root}, v[3] = {0.3, sqrt(1.0 - 2.0 * 0.09), 0.3};
  double first[3] = {0.0, 0.0, 0.0}, second[3] = {2.0 * side, 0.0, tank - (double)dam->block[2]};
  double half = 0.5 * (double)(dam->film[0] - 1) * root;
  double film[3] = {1.25 * side - half, 5.0, 1.25 * side + half}, line[3] = {0.0, 2.0, tank + 10.0};
  const double along[3] = {0.8, 0.6, 0.0};
  size_t n = add_block(set.position, dam->block, first);
  n += add_block(set.position + 3 * n, dam->block, second);
  n += add_plane(set.position + 3 * n, dam->film[0], dam->film[1], film, u, v, 1.0);
  n += add_plane(set.position + 3 * n, dam->filament, 1, line, along, v, 1.0);
  const double low[3] = {0.0, 0.0, 0.0}, high[3] = {tank, 2.5 * height, tank + 20.0};
  add_lone(set.position, n, dam->lone, low, high);
  APP_ASSERT(n + dam->lone == set.count);
  for (size_t k = 0; k < 3 * set.count; ++k) set.position[k] *= dam->spacing;
  move(&set, DAM_SEED);
  return set;
}
