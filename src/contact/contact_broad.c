// Solids that may meet in the step: see contact_narrow.h. Small bodies are asked of the grid, which serves
// one radius well; what is much larger than most, and obstacles, are compared with all.
#include <string.h>

#include "contact/contact_narrow.h"
#include "geom/shape_tree.h"

#define LARGE 4.0  // times the median
#define SPARE 0.9  // of the grid's radius that is used when it is made
#define SLACK 0.1  // spacings that lists reach farther than needed, so that they serve all rounds of a step

// Normal and height at the origin of what has no bounds and stands; of all else no number.
static void set_plane(const mote_solid *s, double plane[4]) {
  bool flat = s->shape != NULL && s->shape->node->kind == MOTE_SHAPE_HALF_SPACE;
  for (int k = 0; k < 4; ++k) plane[k] = (double)NAN;
  if (!flat || dot3(s->v, s->v) > 0.0 || dot3(s->w, s->w) > 0.0) return;
  plane[3] = mote_contact_field(s, (const double[3]){0.0, 0.0, 0.0}, plane);
}

static bool meet(const mote_contact_pairs *p, const mote_contact_scene *scene, size_t a, size_t b) {
  double far = p->reach[a] + p->reach[b], way[3];
  if (!isfinite(p->reach[a])) return true;
  if (!isfinite(p->reach[b])) {
    const double *plane = p->plane + 4 * b;
    double height = dot3(plane, scene->solid[a].x) + plane[3];
    return !(height > p->reach[a] + MOTE_CONTACT_MARGIN * scene->spacing);
  }
  mote_contact_between(scene, scene->solid[a].x, scene->solid[b].x, way);
  return !(length3(way) > far);
}

// --- Sizes --------------------------------------------------------------------------------------------

// The middle one by size (Hoare's FIND); orders them as far as it must.
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
                           const mote_contact_way *way, const mote_env *env, mote_error *error) {
  size_t n = scene->solids;
  MOTE_TRY(mote_reserve(env, &p->reach, &p->reach_held, n, sizeof *p->reach, error));
  MOTE_TRY(mote_reserve(env, &p->radius, &p->radius_held, n, sizeof *p->radius, error));
  MOTE_TRY(mote_reserve(env, &p->position, &p->position_held, 3 * n, sizeof *p->position, error));
  MOTE_TRY(mote_reserve(env, &p->plane, &p->plane_held, 4 * n, sizeof *p->plane, error));
  MOTE_TRY(mote_reserve(env, &p->small, &p->small_held, 2 * n, sizeof *p->small, error));
  MOTE_TRY(mote_reserve(env, &p->place, &p->place_held, n, sizeof *p->place, error));
  for (size_t k = 0; k < n; ++k) {
    double margin = 0.5 * MOTE_CONTACT_MARGIN * scene->spacing;
    p->reach[k] = scene->solid[k].radius + way[k].farthest + margin;
    if (!isfinite(p->reach[k])) set_plane(scene->solid + k, p->plane + 4 * k);
  }
  return MOTE_OK;
}

// --- Pairs --------------------------------------------------------------------------------------------

// Body a with what it is asked to meet.
typedef struct asked {
  const mote_contact_pairs *p;
  const mote_contact_scene *scene;
  const uint8_t *changed;  // null: all
  size_t a;
  const mote_env *env;
  mote_contact_pair_list *out;
} asked;

static mote_result add_if(const asked *ask, size_t b, mote_error *error) {
  mote_contact_pair_list *out = ask->out;
  if (ask->changed != NULL && !ask->changed[ask->a] && !ask->changed[b]) return MOTE_OK;
  if (!meet(ask->p, ask->scene, ask->a, b)) return MOTE_OK;
  MOTE_TRY(mote_reserve(ask->env, &out->pair, &out->capacity, out->count + 1, sizeof *out->pair, error));
  out->pair[out->count++] = (mote_contact_pair){(uint32_t)ask->a, (uint32_t)b};
  return MOTE_OK;
}

// Sorts the pairs of one a, few and nearly in order, by b.
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

// The neighbours of small bodies, by their place among them; radii are diameters, so that balls that meet
// are within the larger.
static mote_result ask_grid(mote_contact_pairs *p, const mote_contact_scene *scene, size_t count,
                            const mote_env *env, mote_error *error) {
  double largest = 0.0;
  for (size_t k = 0; k < count; ++k) largest = max2(largest, p->radius[k]);
  if (p->grid == NULL || largest > p->grid_radius || largest < SPARE * SPARE * p->grid_radius) {
    mote_grid_destroy(p->grid);
    p->grid = NULL;
    p->grid_radius = min2(largest / SPARE, 0.5 * shortest_period(scene));
    mote_grid_def def = mote_grid_def_default(p->grid_radius);
    if (scene->domain != NULL) def.domain = *scene->domain, def.domain.dimensions = 3;
    MOTE_TRY(mote_grid_create(&def, env, &p->grid, error));
  }
  MOTE_TRY(mote_grid_build(p->grid, p->position, count, error));
  return mote_grid_neighbours_radii(p->grid, p->radius, MOTE_REACH_SYMMETRIC, &p->near, error);
}

// With small ones by the lists, where it is small; with large ones, obstacles, and all where it is large
// itself, by comparing.
mote_result mote_contact_pairs_of(const mote_contact_pairs *p, const mote_contact_scene *scene,
                                  const uint8_t *changed, size_t a, const mote_env *env,
                                  mote_contact_pair_list *out, mote_error *error) {
  const mote_lists *near = &p->near;
  const asked ask = {p, scene, changed, a, env, out};
  uint32_t place = p->place[a];
  bool small = place != MOTE_CONTACT_LARGE;
  out->count = 0;
  for (uint32_t k = 0; small && k < near->number[place]; ++k) {
    size_t b = p->small[near->index[near->first[place] + k]];
    if (b > a) MOTE_TRY(add_if(&ask, b, error));
  }
  for (size_t k = 0; small && k < p->larges; ++k) {
    if (p->large[k] > a) MOTE_TRY(add_if(&ask, p->large[k], error));
  }
  for (size_t b = a + 1; !small && b < scene->bodies; ++b) MOTE_TRY(add_if(&ask, b, error));
  if (out->count > 0) order(out->pair, out->count);
  for (size_t b = scene->bodies; b < scene->solids; ++b) MOTE_TRY(add_if(&ask, b, error));
  return MOTE_OK;
}

// Whether the lists made for other velocities have all that may meet with these.
static bool serve(const mote_contact_pairs *p, const mote_contact_scene *scene) {
  for (size_t k = 0; k < scene->bodies; ++k) {
    uint32_t place = p->place[k];
    if (place != MOTE_CONTACT_LARGE && p->reach[k] > 0.5 * p->radius[place]) return false;
  }
  return true;
}

mote_result mote_contact_pairs_find(mote_contact_pairs *p, const mote_contact_scene *scene,
                                    const mote_contact_way *way, bool again, const mote_env *env,
                                    mote_error *error) {
  double slack = SLACK * scene->spacing;
  if (scene->bodies == 0) return MOTE_OK;
  MOTE_TRY(measure(p, scene, way, env, error));
  if (again && serve(p, scene)) return MOTE_OK;
  memcpy(p->radius, p->reach, scene->bodies * sizeof *p->radius);
  // Balls must be found within half of a period.
  double limit = min2(LARGE * median(p->radius, scene->bodies), 0.25 * shortest_period(scene));
  uint32_t smalls = 0, *large = p->small + scene->solids;
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
    copy3(scene->solid[k].x, p->position + 3 * smalls++);
  }
  p->near = (mote_lists){0};
  return smalls > 0 ? ask_grid(p, scene, smalls, env, error) : MOTE_OK;
}

void mote_contact_pairs_free(mote_contact_pairs *p, const mote_env *env) {
  mote_free(env, p->reach, p->reach_held, sizeof *p->reach);
  mote_free(env, p->position, p->position_held, sizeof *p->position);
  mote_free(env, p->radius, p->radius_held, sizeof *p->radius);
  mote_free(env, p->plane, p->plane_held, sizeof *p->plane);
  mote_free(env, p->small, p->small_held, sizeof *p->small);
  mote_free(env, p->place, p->place_held, sizeof *p->place);
  mote_grid_destroy(p->grid);
  *p = (mote_contact_pairs){0};
}
