// Holds and loads of elastic bodies, made from definitions: see elastic_bodies.h. Theory:
// docs/theory/elastic.md
#include <math.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <stdio.h>
#include <string.h>

#include "elastic/elastic_gauss.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/tuning.inc"

#define HOLDS_MAX 254  // of a body: numbers of a byte
#define LOADS_MAX 64   // of a body: bits of a word

// --- Holds --------------------------------------------------------------------------------------------

typedef struct holding {
  mote_world *world;
  const mote_body_def *def;
  mote_samples *samples;
  mote_elastic_handles *marks;
  mote_shape *shape[HOLDS_MAX];
  mote_kdtree *tree;
  uint32_t *near;  // room for all particles
} holding;

static double cell_edge(const holding *h, size_t i) {
  double volume = h->samples->volume[i];
  return h->world->def.dimensions == 2 ? sqrt(volume) : mote_cbrt(volume);
}

// The nearest free particle in the layer beside held particle i; SIZE_MAX: none. *between: another one is on
// the opposite side.
static size_t free_beside(const holding *h, size_t i, bool *between) {
  const double *x = h->samples->position + 3 * i;
  double most = NEXT_LAYER * cell_edge(h, i), least = HUGE_VAL, step[3], other[3];
  size_t found = mote_kdtree_range(h->tree, x, most, h->near, h->samples->count), best = SIZE_MAX;
  for (size_t k = 0; k < found; ++k) {
    size_t j = h->near[k];
    double away = distance3(x, h->samples->position + 3 * j);
    if (h->marks->hold[j] != 0 || away > least || (away == least && j > best)) continue;
    least = away, best = j;
  }
  *between = false;
  for (size_t k = 0; k < found && best != SIZE_MAX; ++k) {
    if (h->marks->hold[h->near[k]] != 0) continue;
    sub3(h->samples->position + 3 * best, x, step);
    sub3(h->samples->position + 3 * (size_t)h->near[k], x, other);
    *between = *between || dot3(step, other) < -0.5 * length3(step) * length3(other);
  }
  return best;
}

// Where the way from a held particle to a free one leaves the shape.
static void find_crossing(const mote_shape *shape, const double from[3], const double to[3], double out[3]) {
  double low = 0.0, high = 1.0, step[3];
  sub3(to, from, step);
  for (int k = 0; k < 50; ++k) {
    double middle = 0.5 * (low + high);
    step3(from, middle, step, out);
    if (mote_shape_distance(shape, out) <= 0.0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  step3(from, low, step, out);
}

static double part_of(double distance, double edge) {
  return max2(0.0, min2(1.0, 0.5 + distance / edge));
}

static void clamp_particle(const holding *h, size_t i, double *place) {
  const double *x = h->samples->position + 3 * i;
  size_t k = h->marks->hold[i] - 1u;
  bool between;
  size_t beside = free_beside(h, i, &between);
  h->marks->clamp[i] = beside == SIZE_MAX ? MOTE_ELASTIC_BURIED : MOTE_ELASTIC_CLAMPED;
  h->marks->deforming[i] = 0.0;
  if (beside == SIZE_MAX) return;
  h->marks->deforming[i] = between ? 1.0 : 0.5;
  if (between || h->def->hold[k].clamp == MOTE_CLAMP_CENTRES) return;
  find_crossing(h->shape[k], x, h->samples->position + 3 * beside, place);
  h->marks->deforming[i] = part_of(-distance3(x, place), cell_edge(h, i));
}

// Of the cell of a free particle, what lies in front of all clamps.
static double free_part(const holding *h, size_t i) {
  double part = 1.0;
  for (size_t k = 0; k < h->def->holds; ++k) {
    if (h->def->hold[k].clamp == MOTE_CLAMP_CENTRES) continue;
    part =
        min2(part, part_of(mote_shape_distance(h->shape[k], h->samples->position + 3 * i), cell_edge(h, i)));
  }
  return part;
}

static mote_result clamp_particles(holding *h, mote_elastic_item *item, mote_error *error) {
  size_t n = h->samples->count;
  mote_arena *scratch = &h->world->scratch;
  double *place = mote_arena_take(scratch, 3 * n, sizeof *place);
  h->marks->clamp = mote_arena_take(scratch, n, 1);
  h->marks->deforming = mote_arena_take(scratch, n, sizeof(double));
  h->near = mote_arena_take(scratch, n, sizeof *h->near);
  item->filled = mote_alloc(&h->world->env, 3 * n, sizeof *item->filled);
  item->filled_count = n;
  if (item->filled == NULL || place == NULL || h->marks->clamp == NULL || h->marks->deforming == NULL ||
      h->near == NULL)
    return mote_fail_memory(error, 3 * n * sizeof *place);
  memcpy(place, h->samples->position, 3 * n * sizeof *place);
  MOTE_TRY(
      mote_kdtree_create(h->world->def.dimensions, h->samples->position, n, &h->world->env, &h->tree, error));
  for (size_t i = 0; i < n; ++i) {
    if (h->marks->hold[i] != 0) {
      clamp_particle(h, i, place + 3 * i);
    } else {
      h->marks->clamp[i] = MOTE_ELASTIC_FREE;
      h->marks->deforming[i] = free_part(h, i);
    }
  }
  mote_kdtree_destroy(h->tree);
  memcpy(item->filled, h->samples->position, 3 * n * sizeof *place);
  memcpy(h->samples->position, place, 3 * n * sizeof *place);
  return MOTE_OK;
}

// Elements of the surface that are not held.
static mote_result find_free_faces(const holding *h, mote_error *error) {
  mote_elastic_handles *m = h->marks;
  MOTE_TAKE(m->free_point, &h->world->scratch, 3 * m->faces.count, error);
  MOTE_TAKE(m->free_area, &h->world->scratch, 3 * m->faces.count, error);
  m->free_faces = 0;
  for (size_t f = 0; f < m->faces.count; ++f) {
    const double *x = m->faces.point + 3 * f, *area = m->faces.area + 3 * f;
    double part = 1.0, zero[3] = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < h->def->holds && part > 0.0; ++k) {
      part -= mote_face_part_in(h->shape[k], x, area, m->faces.edge, h->world->def.dimensions,
                                0.5 * m->faces.edge);
    }
    if (!(part > 0.0)) continue;
    copy3(x, m->free_point + 3 * m->free_faces);
    step3(zero, part, area, m->free_area + 3 * m->free_faces++);
  }
  return MOTE_OK;
}

static bool is_zero(const mote_value *value) {
  return value->formula == NULL && value->constant == 0.0;
}

static bool acts_on_faces(const mote_load_def *def) {
  return !is_zero(&def->traction.x) || !is_zero(&def->traction.y) || !is_zero(&def->traction.z) ||
         !is_zero(&def->pressure);
}

static bool has_face_loads(const mote_body_def *def) {
  for (size_t k = 0; k < def->loads; ++k)
    if (acts_on_faces(&def->load[k])) return true;
  return false;
}

static mote_result make_hold(holding *h, size_t k, mote_elastic_item *item, mote_error *error) {
  const mote_hold_def *def = &h->def->hold[k];
  int dimensions = h->world->def.dimensions;
  size_t found = 0;
  mote_result result = mote_shape_create(&def->shape, dimensions, &h->world->env, &h->shape[k], error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  for (size_t i = 0; i < h->samples->count; ++i) {
    if (h->marks->hold[i] != 0 || !(mote_shape_distance(h->shape[k], h->samples->position + 3 * i) <= 0.0))
      continue;
    h->marks->hold[i] = (uint8_t)(k + 1), ++found;
  }
  if (found == 0)
    return mote_fail_key(error, "shape", "no particle of \"%s\" is inside, or all are in an earlier one",
                         item->name);
  result =
      mote_motion_create(&def->motion, h->shape[k], dimensions, &h->world->env, &item->hold[k].motion, error);
  return mote_fail_within(error, result, "motion");
}

static mote_result make_holds(holding *h, const mote_elastic_material_def *elastic, mote_elastic_item *item,
                              mote_error *error) {
  const mote_world *world = h->world;
  for (size_t k = 0; k < h->def->holds; ++k) {
    char outer[32];
    mote_result result = make_hold(h, k, item, error);
    snprintf(outer, sizeof outer, "hold[%zu]", k);
    if (result != MOTE_OK) return mote_fail_within(error, result, outer);
  }
  bool renews = isfinite(elastic->yield_strain) && isfinite(elastic->renew_strain);
  if (h->def->holds > 0 && !renews) MOTE_TRY(clamp_particles(h, item, error));
  if ((h->def->holds == 0 || renews) && !has_face_loads(h->def)) return MOTE_OK;
  double size = world->def.spacing / (world->def.dimensions == 2 ? FACES_PLANE : FACES_SPACE);
  MOTE_TRY(mote_shape_faces(item->shape, world->def.dimensions, size, &world->env, &h->marks->faces, error));
  return renews ? MOTE_OK : find_free_faces(h, error);
}

static mote_result take_handles(mote_world *world, const mote_body_def *def, size_t n,
                                mote_elastic_item *item, mote_elastic_handles *marks, mote_error *error) {
  if (def->holds > HOLDS_MAX)
    return mote_fail_key(error, "hold", "%zu are more than %d", def->holds, HOLDS_MAX);
  if (def->loads > LOADS_MAX)
    return mote_fail_key(error, "load", "%zu are more than %d", def->loads, LOADS_MAX);
  item->holds = def->holds, item->loads = def->loads;
  item->hold = mote_alloc(&world->env, item->holds, sizeof *item->hold);
  item->load = mote_alloc(&world->env, item->loads, sizeof *item->load);
  marks->hold = mote_arena_take(&world->scratch, n, sizeof *marks->hold);
  marks->load = mote_arena_take(&world->scratch, n, sizeof *marks->load);
  for (size_t k = 0; k < item->holds && item->hold != NULL; ++k) item->hold[k] = (mote_elastic_hold){0};
  for (size_t k = 0; k < item->loads && item->load != NULL; ++k) item->load[k] = (mote_elastic_load){0};
  if (item->hold == NULL || item->load == NULL || marks->hold == NULL || marks->load == NULL) {
    return mote_fail_memory(error, n * (sizeof *marks->hold + sizeof *marks->load));
  }
  memset(marks->hold, 0, n * sizeof *marks->hold);
  memset(marks->load, 0, n * sizeof *marks->load);
  return MOTE_OK;
}

mote_result mote_elastic_holds_make(mote_world *world, const mote_body_def *def,
                                    const mote_elastic_material_def *elastic, mote_samples *samples,
                                    mote_elastic_item *item, mote_elastic_handles *marks, mote_error *error) {
  MOTE_ASSERT(item->shape != NULL && samples->count > 0);
  holding h = {.world = world, .def = def, .samples = samples, .marks = marks};
  MOTE_TRY(take_handles(world, def, samples->count, item, marks, error));
  mote_result result = make_holds(&h, elastic, item, error);
  for (size_t k = 0; k < def->holds; ++k) mote_shape_destroy(h.shape[k]);
  return result;
}

// --- Loads --------------------------------------------------------------------------------------------

void mote_elastic_load_free(mote_elastic_load *load, const mote_env *env) {
  MOTE_ASSERT(load->rows == 0 || load->row != NULL);
  for (int a = 0; a < 3; ++a) {
    mote_quantity_free(&load->force[a]);
    mote_quantity_free(&load->moment[a]);
    mote_quantity_free(&load->traction[a]);
  }
  mote_quantity_free(&load->pressure);
  mote_free(env, load->row, load->rows, sizeof *load->row);
  mote_free(env, load->share, 4 * load->rows, sizeof *load->share);
}

typedef struct loading {
  mote_world *world;
  const mote_load_def *def;
  mote_elastic_item *item;
  mote_elastic_handles *marks;
  mote_shape *shape;
} loading;

static bool faces_towards(const mote_load_def *def, const double area[3]) {
  if (!finite3(def->normal)) return true;
  return dot3(area, def->normal) >= NORMAL_COSINE * length3(area) * length3(def->normal);
}

// The loaded parts of the elements: area vectors, then their sizes with two zeros. Returns how many.
static size_t find_loaded(const loading *l, double *point, double *area, double *size) {
  const mote_faces *faces = &l->marks->faces;
  size_t count = 0;
  for (size_t f = 0; f < faces->count; ++f) {
    const double *x = faces->point + 3 * f, *whole = faces->area + 3 * f, zero[3] = {0.0, 0.0, 0.0};
    if (!faces_towards(l->def, whole)) continue;
    double part = mote_face_part_in(l->shape, x, whole, faces->edge, l->world->def.dimensions, 0.0);
    if (!(part > 0.0)) continue;
    copy3(x, point + 3 * count);
    step3(zero, part, whole, area + 3 * count);
    set3(length3(area + 3 * count), 0.0, 0.0, size + 3 * count);
    ++count;
  }
  return count;
}

static mote_result keep_shares(mote_elastic_load *load, const mote_env *env, const double *area,
                               const double *size, size_t n, mote_error *error) {
  size_t rows = 0;
  for (size_t i = 0; i < n; ++i) rows += size[3 * i] != 0.0 || dot3(area + 3 * i, area + 3 * i) != 0.0;
  load->row = mote_alloc(env, rows, sizeof *load->row);
  load->share = mote_alloc(env, 4 * rows, sizeof *load->share);
  load->rows = rows;
  if (load->row == NULL || load->share == NULL) return mote_fail_memory(error, 4 * rows * sizeof(double));
  rows = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!(size[3 * i] != 0.0 || dot3(area + 3 * i, area + 3 * i) != 0.0)) continue;
    load->row[rows] = (uint32_t)i;
    copy3(area + 3 * i, load->share + 4 * rows);
    load->share[4 * rows++ + 3] = size[3 * i];
  }
  return MOTE_OK;
}

static mote_result load_faces(const loading *l, mote_elastic_load *load, mote_error *error) {
  mote_arena *scratch = &l->world->scratch;
  size_t n = l->item->elastic->count, f = l->marks->faces.count;
  MOTE_TAKE_NEW(double, point, scratch, 9 * f, error);
  double *area = point + 3 * f, *size = point + 6 * f;
  MOTE_TAKE_NEW(double, share, scratch, 6 * n, error);
  size_t count = find_loaded(l, point, area, size);
  if (count == 0)
    return mote_fail_key(error, "shape", "no part of the surface of \"%s\" is inside", l->item->name);
  MOTE_TRY(mote_elastic_spread_to_particles(l->item->elastic, count, point, area, share, error));
  MOTE_TRY(mote_elastic_spread_to_particles(l->item->elastic, count, point, size, share + 3 * n, error));
  return keep_shares(load, &l->world->env, share, share + 3 * n, n, error);
}

static mote_result mark_load(const loading *l, size_t k, const double *position, mote_elastic_load *load,
                             mote_error *error) {
  for (size_t i = 0; i < l->item->elastic->count; ++i) {
    if (!(mote_shape_distance(l->shape, position + 3 * i) <= 0.0)) continue;
    l->marks->load[i] |= UINT64_C(1) << k;
    load->mass += l->item->elastic->mass[i];
  }
  if (load->mass > 0.0) return MOTE_OK;
  return mote_fail_key(error, "shape", "no particle of \"%s\" is inside", l->item->name);
}

static mote_result make_load(loading *l, size_t k, const double *position, mote_error *error) {
  mote_elastic_load *load = &l->item->load[k];
  const mote_load_def *def = l->def;
  const mote_env *env = &l->world->env;
  MOTE_TRY(mote_quantity_make3(&def->force, "t", "force", env, load->force, error));
  MOTE_TRY(mote_quantity_make3(&def->moment, "t", "moment", env, load->moment, error));
  MOTE_TRY(mote_quantity_make3(&def->traction, "t", "traction", env, load->traction, error));
  MOTE_TRY(mote_quantity_make(&def->pressure, "t", "pressure", env, &load->pressure, error));
  load->follow = def->follow;
  if (acts_on_faces(def)) MOTE_TRY(load_faces(l, load, error));
  bool on_particles = !is_zero(&def->force.x) || !is_zero(&def->force.y) || !is_zero(&def->force.z) ||
                      !is_zero(&def->moment.x) || !is_zero(&def->moment.y) || !is_zero(&def->moment.z);
  return on_particles || !acts_on_faces(def) ? mark_load(l, k, position, load, error) : MOTE_OK;
}

mote_result mote_elastic_loads_make(mote_world *world, const mote_body_def *def, const double *position,
                                    mote_elastic_item *item, mote_elastic_handles *marks, mote_error *error) {
  for (size_t k = 0; k < def->loads; ++k) {
    char outer[32];
    loading l = {.world = world, .def = &def->load[k], .item = item, .marks = marks};
    mote_result result =
        mote_shape_create(&def->load[k].shape, world->def.dimensions, &world->env, &l.shape, error);
    result = result == MOTE_OK ? make_load(&l, k, position, error) : mote_fail_within(error, result, "shape");
    mote_shape_destroy(l.shape);
    snprintf(outer, sizeof outer, "load[%zu]", k);
    if (result != MOTE_OK) return mote_fail_within(error, result, outer);
  }
  return MOTE_OK;
}
