// Broad phase: obstacles that may meet in the step, see contact_narrow.h. A grid with one radius finds the
// neighbours of small bodies; bodies much larger than the median, and obstacles, are compared with all
// others.
#include <string.h>

#include "contact/contact_narrow.h"
#include "contact/tuning.inc"
#include "geom/shape_tree.h"

// Normal and height at the origin of an unbounded obstacle at rest; NaN for all others.
static void set_plane(const mote_obstacle *s, double plane[4]) {
  bool flat = s->shape != NULL && s->shape->node->kind == MOTE_SHAPE_HALF_SPACE;
  for (int k = 0; k < 4; ++k) plane[k] = (double)NAN;
  if (!flat || dot3(s->v, s->v) > 0.0 || dot3(s->w, s->w) > 0.0) return;
  plane[3] = mote_obstacle_distance(s, 0.0, (const double[3]){0.0, 0.0, 0.0}, plane);
}

static bool may_meet(const mote_contact_pairs *p, const mote_contact_scene *scene, size_t a, size_t b) {
  double reach = p->reach[a] + p->reach[b], apart[3];
  if (!isfinite(p->reach[a])) return true;
  if (!isfinite(p->reach[b])) {
    const double *plane = p->plane + 4 * b;
    double height = dot3(plane, scene->obstacle[a].x) + plane[3];
    return !(height > p->reach[a] + MOTE_CONTACT_MARGIN * scene->spacing);
  }
  mote_contact_between(scene, scene->obstacle[a].x, scene->obstacle[b].x, apart);
  return !(length3(apart) > reach);
}

// --- Sizes --------------------------------------------------------------------------------------------

// Median by Hoare's FIND; reorders the values.
static double median(double *value, size_t count) {
  ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, middle = (ptrdiff_t)(count / 2);
  while (low < high) {
    double pivot = value[middle];
    ptrdiff_t i = low, j = high;
    do {
      while (value[i] < pivot) ++i;
      while (pivot < value[j]) --j;
      if (i > j) break;
      double swap = value[i];
      value[i++] = value[j], value[j--] = swap;
    } while (i <= j);
    if (j < middle) low = i;
    if (middle < i) high = j;
  }
  return value[middle];
}

static mote_result measure(mote_contact_pairs *p, const mote_contact_scene *scene,
                           const mote_contact_cache *cache, const mote_env *env, mote_error *error) {
  size_t n = scene->obstacles;
  MOTE_TRY(mote_reserve(env, &p->reach, &p->reach_capacity, n, sizeof *p->reach, error));
  MOTE_TRY(mote_reserve(env, &p->radius, &p->radius_capacity, n, sizeof *p->radius, error));
  MOTE_TRY(mote_reserve(env, &p->position, &p->position_capacity, 3 * n, sizeof *p->position, error));
  MOTE_TRY(mote_reserve(env, &p->plane, &p->plane_capacity, 4 * n, sizeof *p->plane, error));
  MOTE_TRY(mote_reserve(env, &p->small, &p->small_capacity, 2 * n, sizeof *p->small, error));
  MOTE_TRY(mote_reserve(env, &p->place, &p->place_capacity, n, sizeof *p->place, error));
  for (size_t k = 0; k < n; ++k) {
    double margin = 0.5 * MOTE_CONTACT_MARGIN * scene->spacing;
    p->reach[k] = scene->obstacle[k].radius + cache[k].farthest + margin;
    if (!isfinite(p->reach[k])) set_plane(scene->obstacle + k, p->plane + 4 * k);
  }
  return MOTE_OK;
}

// --- Pairs --------------------------------------------------------------------------------------------

// The search for partners of body a.
typedef struct pair_query {
  const mote_contact_pairs *p;
  const mote_contact_scene *scene;
  const uint8_t *changed;  // null: all
  size_t a;
  const mote_env *env;
  mote_contact_pair_list *out;
} pair_query;

static mote_result add_if(const pair_query *query, size_t b, mote_error *error) {
  mote_contact_pair_list *out = query->out;
  if (query->changed != NULL && !query->changed[query->a] && !query->changed[b]) return MOTE_OK;
  if (!may_meet(query->p, query->scene, query->a, b)) return MOTE_OK;
  MOTE_TRY(mote_reserve(query->env, &out->pair, &out->capacity, out->count + 1, sizeof *out->pair, error));
  out->pair[out->count++] = (mote_contact_pair){(uint32_t)query->a, (uint32_t)b};
  return MOTE_OK;
}

// Sorts the pairs of one body a by b: few, and almost in order.
static void order(mote_contact_pair *pair, size_t count) {
  for (size_t k = 1; k < count; ++k) {
    mote_contact_pair own = pair[k];
    size_t j = k;
    for (; j > 0 && pair[j - 1].b > own.b; --j) pair[j] = pair[j - 1];
    pair[j] = own;
  }
}

static double shortest_period(const mote_contact_scene *scene) {
  const mote_domain *domain = scene->domain;
  double shortest = HUGE_VAL;
  for (int a = 0; domain != NULL && a < domain->dimensions; ++a) {
    if (domain->periodic[a]) shortest = min2(shortest, domain->high[a] - domain->low[a]);
  }
  return shortest;
}

// Neighbour lists of the small bodies. Radii are diameters, so that two balls that meet are within the larger
// one.
static mote_result find_neighbours(mote_contact_pairs *p, const mote_contact_scene *scene, size_t count,
                                   const mote_env *env, mote_error *error) {
  double largest = 0.0;
  for (size_t k = 0; k < count; ++k) largest = max2(largest, p->radius[k]);
  if (p->grid == NULL || largest > p->grid_radius ||
      largest < GRID_RADIUS_USED * GRID_RADIUS_USED * p->grid_radius) {
    mote_grid_destroy(p->grid);
    p->grid = NULL;
    p->grid_radius = min2(largest / GRID_RADIUS_USED, 0.5 * shortest_period(scene));
    mote_grid_def def = mote_grid_def_default(p->grid_radius);
    if (scene->domain != NULL) def.domain = *scene->domain, def.domain.dimensions = 3;
    MOTE_TRY(mote_grid_create(&def, env, &p->grid, error));
  }
  MOTE_TRY(mote_grid_build(p->grid, p->position, count, error));
  return mote_grid_neighbours_radii(p->grid, p->radius, MOTE_REACH_SYMMETRIC, &p->neighbours, error);
}

// Small partners of a small body come from the lists; large bodies, obstacles, and all partners of a large
// body from direct comparison.
mote_result mote_contact_pairs_of(const mote_contact_pairs *p, const mote_contact_scene *scene,
                                  const uint8_t *changed, size_t a, const mote_env *env,
                                  mote_contact_pair_list *out, mote_error *error) {
  MOTE_ASSERT(a < scene->bodies);
  MOTE_ASSERT(out->count <= out->capacity);
  const mote_lists *neighbours = &p->neighbours;
  const pair_query query = {p, scene, changed, a, env, out};
  uint32_t place = p->place[a];
  bool small = place != MOTE_CONTACT_LARGE;
  out->count = 0;
  for (uint32_t k = 0; small && k < neighbours->number[place]; ++k) {
    size_t b = p->small[neighbours->index[neighbours->first[place] + k]];
    if (b > a) MOTE_TRY(add_if(&query, b, error));
  }
  for (size_t k = 0; small && k < p->larges; ++k) {
    if (p->large[k] > a) MOTE_TRY(add_if(&query, p->large[k], error));
  }
  for (size_t b = a + 1; !small && b < scene->bodies; ++b) MOTE_TRY(add_if(&query, b, error));
  if (out->count > 0) order(out->pair, out->count);
  for (size_t b = scene->bodies; b < scene->obstacles; ++b) MOTE_TRY(add_if(&query, b, error));
  return MOTE_OK;
}

// Whether lists made for other velocities contain all pairs that may meet at these.
static bool lists_suffice(const mote_contact_pairs *p, const mote_contact_scene *scene) {
  for (size_t k = 0; k < scene->bodies; ++k) {
    uint32_t place = p->place[k];
    if (place != MOTE_CONTACT_LARGE && p->reach[k] > 0.5 * p->radius[place]) return false;
  }
  return true;
}

mote_result mote_contact_pairs_find(mote_contact_pairs *p, const mote_contact_scene *scene,
                                    const mote_contact_cache *cache, bool again, const mote_env *env,
                                    mote_error *error) {
  MOTE_ASSERT(scene->bodies <= scene->obstacles);
  MOTE_ASSERT(scene->spacing > 0.0);
  MOTE_ASSERT(cache != NULL || scene->obstacles == 0);
  double slack = LIST_SLACK * scene->spacing;
  if (scene->bodies == 0) return MOTE_OK;
  MOTE_TRY(measure(p, scene, cache, env, error));
  if (again && lists_suffice(p, scene)) return MOTE_OK;
  memcpy(p->radius, p->reach, scene->bodies * sizeof *p->radius);
  // The grid finds balls only within half of a period.
  double limit = min2(LARGE_RADIUS_RATIO * median(p->radius, scene->bodies), 0.25 * shortest_period(scene));
  uint32_t smalls = 0, *large = p->small + scene->obstacles;
  p->large = large, p->larges = 0;
  for (size_t k = 0; k < scene->bodies; ++k) {
    if (!(p->reach[k] + slack <= limit)) {
      large[p->larges++] = (uint32_t)k;
      p->place[k] = MOTE_CONTACT_LARGE;
      continue;
    }
    p->small[smalls] = (uint32_t)k;
    p->place[k] = smalls;
    p->radius[smalls] = 2.0 * (p->reach[k] + slack);
    copy3(scene->obstacle[k].x, p->position + 3 * smalls++);
  }
  p->neighbours = (mote_lists){0};
  return smalls > 0 ? find_neighbours(p, scene, smalls, env, error) : MOTE_OK;
}

void mote_contact_pairs_free(mote_contact_pairs *p, const mote_env *env) {
  MOTE_ASSERT(p != NULL && env != NULL);
  mote_free(env, p->reach, p->reach_capacity, sizeof *p->reach);
  mote_free(env, p->position, p->position_capacity, sizeof *p->position);
  mote_free(env, p->radius, p->radius_capacity, sizeof *p->radius);
  mote_free(env, p->plane, p->plane_capacity, sizeof *p->plane);
  mote_free(env, p->small, p->small_capacity, sizeof *p->small);
  mote_free(env, p->place, p->place_capacity, sizeof *p->place);
  mote_grid_destroy(p->grid);
  *p = (mote_contact_pairs){0};
}
