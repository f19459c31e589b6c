// Connected components by distance, YU11 4.3: a union of neighbour lists. The root of a set is its smallest
// index, so labels are in the order of first points for any order of the unions.
#include "search/components.h"

#include <math.h>

#include "base/memory.h"
#include "base/sets.h"
#include "search/domain.h"

// Replaces parents by labels, in place: a root precedes every point of its set.
static size_t name_components(uint32_t *parent, size_t count) {
  size_t components = 0;
  for (size_t i = 0; i < count; ++i) {
    parent[i] = parent[i] == i ? (uint32_t)components++ : parent[parent[i]];
  }
  return components;
}

// Points whose lists are held at a time: lists of all would be most of the memory
#define POINTS_PER_CHUNK 65536

// Some of the points: all of them, or those with few neighbours.
typedef struct point_group {
  const double *position;
  const uint32_t *point;  // their numbers; null: all, in order
  size_t count;
} point_group;

static uint32_t number_of(const point_group *group, size_t i) {
  return group->point ? group->point[i] : (uint32_t)i;
}

// Unites the sets of points within the grid's radius of each other; initially each point is a set. few[i]
// (null: not needed) is whether point i has at most sparse_neighbours.
static mote_result unite_near(mote_grid *grid, const point_group *group, uint32_t sparse_neighbours,
                              uint32_t *parent, uint8_t *few, mote_error *error) {
  MOTE_TRY(mote_grid_build(grid, group->position, group->count, error));
  for (size_t i = 0; group->point == NULL && i < group->count; ++i) parent[i] = (uint32_t)i;
  for (size_t begin = 0; begin < group->count; begin += POINTS_PER_CHUNK) {
    size_t count = group->count - begin < POINTS_PER_CHUNK ? group->count - begin : POINTS_PER_CHUNK;
    mote_lists lists;
    MOTE_TRY(mote_grid_neighbours_at(grid, group->position + 3 * begin, count, NULL, MOTE_REACH_GATHER,
                                     &lists, error));
    for (size_t k = 0; k < count; ++k) {
      const uint32_t *list = lists.index + lists.first[k];
      size_t i = begin + k;
      if (few) few[i] = lists.number[k] <= sparse_neighbours + 1;  // including itself
      for (uint32_t n = 0; n < lists.number[k]; ++n) {
        if (list[n] < i) mote_set_join(parent, number_of(group, i), number_of(group, list[n]));
      }
    }
  }
  return MOTE_OK;
}

static mote_result unite_within(const mote_domain *domain, double distance, const point_group *group,
                                uint32_t sparse_neighbours, const mote_env *env, uint32_t *parent,
                                uint8_t *few, mote_error *error) {
  mote_grid_def def = mote_grid_def_default(distance);
  def.domain = *domain;
  mote_grid *grid;
  MOTE_TRY(mote_grid_create(&def, env, &grid, error));
  mote_result result = unite_near(grid, group, sparse_neighbours, parent, few, error);
  mote_grid_destroy(grid);
  return result;
}

static mote_result unite_sparse(const mote_domain *domain, double distance, const double *position,
                                const uint8_t *few, size_t count, const mote_env *env, uint32_t *parent,
                                mote_error *error) {
  size_t taken = 0, sparse = 0;
  for (size_t i = 0; i < count; ++i) sparse += few[i];
  if (sparse == 0) return MOTE_OK;
  double *at = mote_alloc(env, 3 * sparse, sizeof *at);
  uint32_t *point = mote_alloc(env, sparse, sizeof *point);
  mote_result result = MOTE_OK;
  if (at == NULL || point == NULL) {
    result = mote_fail_memory(error, sparse * (3 * sizeof *at + sizeof *point));
  } else {
    for (size_t i = 0; i < count; ++i) {
      if (!few[i]) continue;
      for (int a = 0; a < 3; ++a) at[3 * taken + a] = position[3 * i + a];
      point[taken++] = (uint32_t)i;
    }
    point_group group = {at, point, sparse};
    result = unite_within(domain, distance, &group, 0, env, parent, NULL, error);
  }
  mote_free(env, at, 3 * sparse, sizeof *at);
  mote_free(env, point, sparse, sizeof *point);
  return result;
}

mote_result mote_components_linked(const mote_domain *domain, const double *position, size_t count,
                                   const mote_link_rule *rule, const mote_env *env, uint32_t *label,
                                   size_t *components, mote_error *error) {
  MOTE_ASSERT(!(rule->sparse_distance < 0.0));
  MOTE_ASSERT(label != NULL || count == 0);
  MOTE_ASSERT(components != NULL);
  mote_env own = mote_env_resolve(env);
  MOTE_TRY(mote_domain_count(count, "points", error));
  bool farther = rule->sparse_distance > rule->distance;
  uint8_t *few = farther ? mote_alloc(&own, count, 1) : NULL;
  uint32_t *parent = mote_alloc(&own, count, sizeof *parent);  // labels do not change on failure
  point_group all = {position, NULL, count};
  mote_result result =
      parent == NULL || (farther && few == NULL)
          ? mote_fail_memory(error, count * sizeof *parent)
          : unite_within(domain, rule->distance, &all, rule->sparse_neighbours, &own, parent, few, error);
  if (result == MOTE_OK && farther) {
    result = unite_sparse(domain, rule->sparse_distance, position, few, count, &own, parent, error);
  }
  if (result == MOTE_OK) {
    for (size_t i = 0; i < count; ++i) label[i] = mote_set_root(parent, (uint32_t)i);
    *components = name_components(label, count);
  }
  mote_free(&own, parent, count, sizeof *parent);
  mote_free(&own, few, count, 1);
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
