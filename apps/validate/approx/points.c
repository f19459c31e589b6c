// Sets of sample points: see points.h.
#include "validate/approx/points.h"

#include <mote/numeric.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"

points points_packing(int dimensions, int n, double spacing, double jitter, uint64_t seed) {
  APP_ASSERT(dimensions >= 1 && dimensions <= 3 && n > 0 && spacing > 0.0);
  points set = {.dimensions = dimensions, .spacing = spacing, .count = 1};
  for (int axis = 0; axis < dimensions; ++axis) set.count *= (size_t)n, set.size[axis] = n * spacing;
  set.position = calloc(3 * set.count, sizeof *set.position);
  if (set.position == NULL) abort();
  for (size_t i = 0; i < set.count; ++i) {
    size_t rest = i;
    for (int axis = 0; axis < dimensions; ++axis) {
      double shift = jitter * (2 * mote_random_uniform(seed, (uint64_t)axis, i) - 1);
      set.position[3 * i + axis] = spacing * ((double)(rest % (size_t)n) + 0.5 + shift);
      rest /= (size_t)n;
    }
  }
  return set;
}

void points_free(points *set) {
  free(set->position);
  *set = (points){0};
}
