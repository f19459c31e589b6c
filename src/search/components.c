// Connected components by distance, YU11 4.3: a union of neighbour lists. The root of a set is its smallest
// index, so labels come out in the order of first points whatever the order of the unions.
#include "search/components.h"

#include <math.h>

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

// `of[k]` is the point of list k; null: k itself.
static void unite_lists(const mote_lists *lists, const uint32_t *of, uint32_t *parent) {
  for (size_t i = 0; i < lists->count; ++i) {
    const uint32_t *list = lists->index + lists->first[i];
    for (uint32_t k = 0; k < lists->number[i]; ++k) {
      if (list[k] < i) unite(parent, of ? of[i] : (uint32_t)i, of ? of[list[k]] : list[k]);
    }
  }
}

// Points in few lists, their positions and numbers one after the other in `sparse`; how many there are.
typedef struct sparse_points {
  double *position;
  uint32_t *point;
  size_t count;
} sparse_points;

static void pick_sparse(const mote_lists *lists, const double *position, uint32_t few, sparse_points *out) {
  for (size_t i = 0; i < lists->count; ++i) {
    if (lists->number[i] > few) continue;
    for (int a = 0; a < 3; ++a) out->position[3 * out->count + a] = position[3 * i + a];
    out->point[out->count++] = (uint32_t)i;
  }
}

static mote_result search_lists(const mote_domain *domain, double distance, const double *position,
                                size_t count, const mote_env *env, mote_grid **grid, mote_lists *lists,
                                mote_error *error) {
  mote_grid_def def = mote_grid_def_default(distance);
  def.domain = *domain;
  MOTE_TRY(mote_grid_create(&def, env, grid, error));
  MOTE_TRY(mote_grid_build(*grid, position, count, error));
  return mote_grid_neighbours(*grid, lists, error);
}

static mote_result unite_sparse(const mote_domain *domain, const mote_link_rule *rule, const mote_lists *near,
                                const double *position, const mote_env *env, uint32_t *parent,
                                mote_error *error) {
  mote_env own = mote_env_resolve(env);
  size_t few = 0;
  for (size_t i = 0; i < near->count; ++i) few += near->number[i] <= rule->sparse_neighbours;
  if (few == 0) return MOTE_OK;
  sparse_points sparse = {mote_alloc(&own, 3 * few, sizeof(double)), mote_alloc(&own, few, sizeof(uint32_t)),
                          0};
  mote_grid *grid = NULL;
  mote_lists lists;
  mote_result result = MOTE_OK;
  if (sparse.position == NULL || sparse.point == NULL) {
    result = mote_fail_memory(error, few * 4 * sizeof(double));
  } else {
    pick_sparse(near, position, rule->sparse_neighbours, &sparse);
    result = search_lists(domain, rule->sparse_distance, sparse.position, few, env, &grid, &lists, error);
  }
  if (result == MOTE_OK) unite_lists(&lists, sparse.point, parent);
  mote_grid_destroy(grid);
  mote_free(&own, sparse.position, 3 * few, sizeof(double));
  mote_free(&own, sparse.point, few, sizeof(uint32_t));
  return result;
}

mote_result mote_components_linked(const mote_domain *domain, const double *position, size_t count,
                                   const mote_link_rule *rule, const mote_env *env, uint32_t *label,
                                   size_t *components, mote_error *error) {
  mote_grid *grid = NULL;
  mote_lists lists;
  mote_result result = search_lists(domain, rule->distance, position, count, env, &grid, &lists, error);
  if (result == MOTE_OK) {
    for (size_t i = 0; i < count; ++i) label[i] = (uint32_t)i;
    unite_lists(&lists, NULL, label);
    if (rule->sparse_distance > rule->distance) {
      result = unite_sparse(domain, rule, &lists, position, env, label, error);
    }
  }
  if (result == MOTE_OK) {
    for (size_t i = 0; i < count; ++i) label[i] = find_root(label, (uint32_t)i);
    *components = name_components(label, count);
  }
  mote_grid_destroy(grid);
  return result;
}

mote_result mote_components(const mote_domain *domain, const double *position, size_t count, double distance,
                            const mote_env *env, uint32_t *label, size_t *components, mote_error *error) {
  if (domain == NULL || components == NULL || (count > 0 && (position == NULL || label == NULL))) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "components: domain, position, label or components is null");
  }
  const mote_link_rule rule = {.distance = distance};
  return mote_components_linked(domain, position, count, &rule, env, label, components, error);
}
