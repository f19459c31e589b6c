// Connected components by distance, YU11 4.3: a union of neighbour lists. The root of a set is its smallest
// index, so labels come out in the order of first points whatever the order of the unions.
#include <math.h>
#include <mote/search.h>

#include "base/memory.h"

static uint32_t find_root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void unite(uint32_t *parent, uint32_t i, uint32_t j) {
  uint32_t a = find_root(parent, i), b = find_root(parent, j);
  if (a < b) {
    parent[b] = a;
  } else {
    parent[a] = b;
  }
}

// Replaces parents by labels, in place: a root stands before every point of its set.
static size_t name_components(uint32_t *parent, size_t count) {
  size_t components = 0;
  for (size_t i = 0; i < count; ++i) {
    parent[i] = parent[i] == i ? (uint32_t)components++ : parent[parent[i]];
  }
  return components;
}

static void unite_lists(const mote_lists *lists, uint32_t *parent) {
  for (size_t i = 0; i < lists->count; ++i) parent[i] = (uint32_t)i;
  for (size_t i = 0; i < lists->count; ++i) {
    const uint32_t *list = lists->index + lists->first[i];
    for (uint32_t k = 0; k < lists->number[i]; ++k) {
      if (list[k] < i) unite(parent, (uint32_t)i, list[k]);
    }
  }
  for (size_t i = 0; i < lists->count; ++i) parent[i] = find_root(parent, (uint32_t)i);
}

static mote_result connect(mote_grid *grid, const double *position, size_t count, uint32_t *label,
                           size_t *components, mote_error *error) {
  mote_lists lists;
  MOTE_TRY(mote_grid_build(grid, position, count, error));
  MOTE_TRY(mote_grid_neighbours(grid, &lists, error));
  unite_lists(&lists, label);
  *components = name_components(label, count);
  return MOTE_OK;
}

mote_result mote_components(const mote_domain *domain, const double *position, size_t count, double distance,
                            const mote_env *env, uint32_t *label, size_t *components, mote_error *error) {
  if (domain == NULL || components == NULL || (count > 0 && (position == NULL || label == NULL))) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "components: domain, position, label or components is null");
  }
  mote_grid_def def = mote_grid_def_default(distance);
  def.domain = *domain;
  mote_grid *grid;
  MOTE_TRY(mote_grid_create(&def, env, &grid, error));
  mote_result result = connect(grid, position, count, label, components, error);
  mote_grid_destroy(grid);
  return result;
}
