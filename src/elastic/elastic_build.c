// Builds the rest shape of an elastic body: neighbours, weights, moments. See elastic_body.h.
#include <math.h>
#include <mote/approx.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_api.h"
#include "elastic/elastic_basis.h"
#include "elastic/elastic_change.h"
#include "elastic/elastic_gauss.h"
#include "elastic/elastic_parts.h"
#include "elastic/elastic_renew.h"
#include "elastic/elastic_support.h"
#include "geom/triple.h"
#include "num/scale.h"

mote_elastic_def mote_elastic_def_default(void) {
  return (mote_elastic_def){.dimensions = 3, .order = 2, .poisson = 0.3, .hourglass = 0.1, .fold = 1.0};
}

// --- Checks ---------------------------------------------------------------------------------------------

static mote_result check_positive(const char *name, double value, mote_error *error) {
  if (value > 0.0 && isfinite(value)) return MOTE_OK;
  return mote_fail_key(error, name, "is %g, not positive and finite", value);
}

static mote_result check_not_negative(const char *name, double value, mote_error *error) {
  if (value >= 0.0 && isfinite(value)) return MOTE_OK;
  return mote_fail_key(error, name, "is %g, negative or not finite", value);
}

static mote_result check_arrays(const mote_elastic_def *def, mote_error *error) {
  if (def->count == 0) return mote_fail_key(error, "count", "is 0");
  if (def->count >= UINT32_MAX) return mote_fail_key(error, "count", "is too large");
  MOTE_TRY(mote_elastic_check_numbers("position", def->position, 3 * def->count, error));
  if (def->volume == NULL) MOTE_TRY(check_positive("total_volume", def->total_volume, error));
  if (def->support == NULL) MOTE_TRY(check_positive("uniform_support", def->uniform_support, error));
  for (size_t i = 0; i < def->count; ++i) {
    if (def->volume != NULL) MOTE_TRY(check_positive("volume", def->volume[i], error));
    if (def->support != NULL) MOTE_TRY(check_positive("support", def->support[i], error));
    if (def->clamp != NULL && def->clamp[i] > MOTE_ELASTIC_BURIED)
      return mote_fail_key(error, "clamp", "is %d, which is unknown", def->clamp[i]);
    if (def->deforming != NULL && !(def->deforming[i] >= 0.0 && def->deforming[i] <= 1.0))
      return mote_fail_key(error, "deforming", "is %g, not between 0 and 1", def->deforming[i]);
  }
  if (def->faces == 0) return MOTE_OK;
  MOTE_TRY(mote_elastic_check_numbers("face_point", def->face_point, 3 * def->faces, error));
  return mote_elastic_check_numbers("face_area", def->face_area, 3 * def->faces, error);
}

static mote_result check_def(const mote_elastic_def *def, mote_error *error) {
  if (def->dimensions != 2 && def->dimensions != 3) {
    return mote_fail_key(error, "dimensions", "is %d, not 2 or 3", def->dimensions);
  }
  if (def->order != 1 && def->order != 2)
    return mote_fail_key(error, "order", "is %d, not 1 or 2", def->order);
  if ((unsigned)def->gradient >= MOTE_ELASTIC_GRADIENTS)
    return mote_fail_key(error, "gradient", "is unknown");
  if ((unsigned)def->kind >= MOTE_ELASTIC_KINDS) return mote_fail_key(error, "kind", "is unknown");
  MOTE_TRY(check_positive("young", def->young, error));
  if (!(def->poisson > -1.0 && def->poisson < 0.5)) {
    return mote_fail_key(error, "poisson", "is %g, not between -1 and 1/2", def->poisson);
  }
  MOTE_TRY(check_not_negative("volume_stiffness", def->volume_stiffness, error));
  MOTE_TRY(check_positive("density", def->density, error));
  MOTE_TRY(check_not_negative("hourglass", def->hourglass, error));
  MOTE_TRY(check_not_negative("fold", def->fold, error));
  MOTE_TRY(check_not_negative("damping", def->damping, error));
  return check_arrays(def, error);
}

// --- Neighbours -----------------------------------------------------------------------------------------

static void rest_position(const mote_elastic_def *def, size_t i, double x[3]) {
  const double *at = def->position + 3 * i;
  set3(at[0], at[1], def->dimensions == 3 ? at[2] : 0.0, x);
}

static void sort_ascending(uint32_t *neighbour, double *length, uint32_t count) {
  for (uint32_t k = 1; k < count; ++k) {
    uint32_t j = neighbour[k], at = k;
    double own = length[k];
    for (; at > 0 && neighbour[at - 1] > j; --at)
      neighbour[at] = neighbour[at - 1], length[at] = length[at - 1];
    neighbour[at] = j, length[at] = own;
  }
}

// Selection of neighbours from the lists: counts in first[i + 1], neighbours and path lengths at the front of
// each list.
typedef struct joining {
  const mote_elastic_def *def;
  const mote_lists *lists;
  uint32_t *neighbour;
  double *length;
  size_t *first;
} joining;

#define PATH_LENGTH_BATCH 128  // neighbours per call of path_length

// Path lengths inside the body to a batch of neighbours j.
static void measure_batch(const mote_elastic_def *def, size_t i, const uint32_t *j, size_t count,
                          double *length) {
  double from[3], to[3 * PATH_LENGTH_BATCH], most = 0.0;
  rest_position(def, i, from);
  for (size_t k = 0; k < count; ++k) {
    rest_position(def, j[k], to + 3 * k);
    length[k] = distance3(from, to + 3 * k);
    most = max2(most, mote_elastic_reach(def, i, j[k]));
  }
  if (def->path_length != NULL && count > 0) def->path_length(def->user, from, to, count, most, length);
}

// The lower end of a pair measures its path, so that both ends have the same length.
static void measure(const joining *s, size_t i) {
  size_t at = s->lists->first[i], end = at + s->lists->number[i];
  double from[3], to[3];
  rest_position(s->def, i, from);
  while (at < end) {
    uint32_t j[PATH_LENGTH_BATCH];
    size_t slot[PATH_LENGTH_BATCH], count = 0;
    double length[PATH_LENGTH_BATCH];
    for (; at < end && count < PATH_LENGTH_BATCH; ++at) {
      uint32_t other = s->lists->index[at];
      s->length[at] = HUGE_VAL;
      if (other < i) continue;
      rest_position(s->def, other, to);
      if (distance3(from, to) < mote_elastic_reach(s->def, i, other)) slot[count] = at, j[count++] = other;
    }
    measure_batch(s->def, i, j, count, length);
    for (size_t k = 0; k < count; ++k) s->length[slot[k]] = length[k];
  }
}

static void measure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const joining *s = data;
  for (size_t i = begin; i < end; ++i) measure(s, i);
}

static double length_at(const joining *s, size_t i, size_t j) {
  size_t at = s->lists->first[i];
  while (s->lists->index[at] != j) ++at;
  return s->length[at];
}

// Copies the lengths to the upper ends; writes only those.
static void copy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const joining *s = data;
  for (size_t i = begin; i < end; ++i) {
    size_t at = s->lists->first[i];
    for (size_t k = at; k < at + s->lists->number[i]; ++k) {
      if (s->lists->index[k] < i) s->length[k] = length_at(s, s->lists->index[k], i);
    }
  }
}

static void join_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const joining *s = data;
  for (size_t i = begin; i < end; ++i) {
    size_t at = s->lists->first[i];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < s->lists->number[i]; ++k) {
      uint32_t j = s->lists->index[at + k];
      double length = s->length[at + k];
      if (!(mote_elastic_weight(s->def, i, j, length) > 0.0)) continue;
      s->neighbour[at + kept] = j, s->length[at + kept++] = length;
    }
    sort_ascending(s->neighbour + at, s->length + at, kept);
    s->first[i + 1] = kept;
  }
}

// What lies behind the face of a clamp does not see the free part: such pairs stay neighbours, without
// contact, but have next to no weight.
#define APART_FACTOR 1e-20  // mark

static bool apart(const mote_elastic_def *def, size_t i, size_t j) {
  if (def->clamp == NULL) return false;
  return (def->clamp[i] == MOTE_ELASTIC_BURIED && def->clamp[j] == MOTE_ELASTIC_FREE) ||
         (def->clamp[j] == MOTE_ELASTIC_BURIED && def->clamp[i] == MOTE_ELASTIC_FREE);
}

static mote_result take_pairs(mote_elastic *b, const joining *s, mote_error *error) {
  MOTE_TRY(mote_elastic_reserve_pairs(b, false, error));
  for (size_t i = 0; i < b->count; ++i) {
    for (size_t k = b->first[i], from = s->lists->first[i]; k < b->first[i + 1]; ++k, ++from) {
      const double *xi = s->def->position + 3 * i, *xj = s->def->position + 3 * (size_t)s->neighbour[from];
      b->neighbour[k] = s->neighbour[from];
      b->path_length[k] = s->length[from];
      b->pair[k].weight = mote_elastic_weight(s->def, i, b->neighbour[k], b->path_length[k]);
      if (apart(s->def, i, b->neighbour[k])) b->pair[k].weight *= APART_FACTOR;
      sub3(xj, xi, b->pair[k].rest);
      if (b->dimensions == 2) b->pair[k].rest[2] = 0.0;
    }
  }
  return MOTE_OK;
}

static mote_result join(mote_elastic *b, const mote_elastic_def *def, const mote_lists *lists,
                        mote_error *error) {
  size_t capacity = lists->first[lists->count];
  joining s = {.def = def, .lists = lists, .first = b->first};
  s.neighbour = mote_alloc(&b->env, capacity, sizeof *s.neighbour);
  s.length = mote_alloc(&b->env, capacity, sizeof *s.length);
  mote_result result = MOTE_OK;
  if (s.neighbour == NULL || s.length == NULL) {
    result = mote_fail_memory(error, capacity * sizeof *s.length);
  } else {
    mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, measure_chunk, &s);
    mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, copy_chunk, &s);
    mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, join_chunk, &s);
    result = take_pairs(b, &s, error);
  }
  mote_free(&b->env, s.neighbour, capacity, sizeof *s.neighbour);
  mote_free(&b->env, s.length, capacity, sizeof *s.length);
  return result;
}

static mote_result find_neighbours(mote_elastic *b, const mote_elastic_def *def, double reach,
                                   const mote_elastic_origin *origin, mote_error *error) {
  if (origin != NULL) return mote_elastic_renew_neighbours(b, def, origin, error);
  mote_grid_def grid_def = mote_grid_def_default(reach);
  grid_def.domain = mote_domain_open(def->dimensions);
  mote_grid *grid;
  mote_lists lists;
  MOTE_TRY(mote_grid_create(&grid_def, &b->env, &grid, error));
  mote_result result = mote_grid_build(grid, def->position, def->count, error);
  if (result == MOTE_OK) result = mote_grid_neighbours(grid, &lists, error);
  if (result == MOTE_OK) result = join(b, def, &lists, error);
  mote_grid_destroy(grid);
  return result;
}

// --- The body -------------------------------------------------------------------------------------------

static void share_volumes(mote_elastic *b, const mote_elastic_def *def) {
  for (size_t i = 0; i < b->count; ++i) {
    b->rest_volume[i] = def->volume == NULL ? def->total_volume / (double)b->count : def->volume[i];
    b->volume[i] = b->rest_volume[i];
  }
}

// Energy is integrated in front of clamps only; masses include all of the body.
static mote_result clamp_volumes(mote_elastic *b, const mote_elastic_def *def, mote_error *error) {
  MOTE_TAKE(b->volume, &b->memory, b->count, error);
  for (size_t i = 0; i < b->count; ++i) {
    double part = def->clamp[i] == MOTE_ELASTIC_FREE ? 1.0 : 0.0;
    if (def->deforming != NULL) part = def->deforming[i];
    b->volume[i] = part * b->rest_volume[i];
  }
  mote_elastic_integration_volumes(b, true);
  for (size_t i = 0; i < b->count; ++i) {
    b->hourglass_stiffness[i] = mote_elastic_hourglass_at_rest(b, i) * b->volume[i] / b->rest_volume[i];
  }
  return MOTE_OK;
}

static mote_result copy_clamps(mote_elastic *b, const mote_elastic_def *def, mote_error *error) {
  if (def->clamp == NULL) return MOTE_OK;
  MOTE_TAKE(b->clamp, &b->memory, b->count, error);
  memcpy(b->clamp, def->clamp, b->count);
  return MOTE_OK;
}

// The part of the original particle's value, exactly.
static double part_of(const mote_elastic_parts *parts, size_t i, const double *first) {
  return ldexp(first[parts->from[i]], -parts->first->dimensions * parts->halvings[i]);
}

static mote_result part_volumes(mote_elastic *b, const mote_elastic_parts *parts, mote_error *error) {
  for (size_t i = 0; i < b->count; ++i) b->volume[i] = part_of(parts, i, parts->first->whole_volume);
  mote_elastic_set_masses(b);
  b->whole_volume = b->volume;
  if (parts->first->volume == parts->first->whole_volume) return MOTE_OK;
  MOTE_TAKE(b->volume, &b->memory, b->count, error);
  for (size_t i = 0; i < b->count; ++i) {
    b->volume[i] = part_of(parts, i, parts->first->volume);
    b->hourglass_stiffness[i] = mote_elastic_hourglass_at_rest(b, i) * b->volume[i] / b->rest_volume[i];
  }
  return MOTE_OK;
}

static mote_result whole_volumes(mote_elastic *b, const mote_elastic_def *def,
                                 const mote_elastic_origin *origin, mote_error *error) {
  if (origin == NULL) {
    mote_elastic_integration_volumes(b, false);
  } else {  // mass and volume of a particle do not depend on the reference
    memcpy(b->volume, origin->rest->volume, b->count * sizeof *b->volume);
  }
  mote_elastic_set_masses(b);
  b->whole_volume = b->volume;
  return def->clamp != NULL ? clamp_volumes(b, def, error) : MOTE_OK;
}

static mote_result build(mote_elastic *b, const mote_elastic_def *def, const mote_elastic_origin *origin,
                         const mote_elastic_parts *parts, mote_error *error) {
  size_t n = b->count, matrix = (size_t)(b->terms * b->terms), rows = (size_t)(4 * b->rows);
  size_t d = (size_t)b->dimensions, linear = 4 * d;
  MOTE_TAKE(b->rest, &b->memory, 3 * n, error);
  MOTE_TAKE(b->rest_volume, &b->memory, n, error);
  MOTE_TAKE(b->volume, &b->memory, n, error);
  MOTE_TAKE(b->mass, &b->memory, n, error);
  MOTE_TAKE(b->hourglass_stiffness, &b->memory, n, error);
  MOTE_TAKE(b->spread, &b->memory, n, error);
  MOTE_TAKE(b->inverse, &b->memory, n * matrix, error);
  MOTE_TAKE(b->linear_inverse, &b->memory, n * d * d, error);
  MOTE_TAKE(b->fold_stiffness, &b->memory, n, error);
  MOTE_TAKE(b->fold_strain2, &b->memory, n, error);
  MOTE_TAKE(b->fold_change, &b->memory, n, error);
  memset(b->fold_stiffness, 0, n * sizeof *b->fold_stiffness);
  memset(b->fold_strain2, 0, n * sizeof *b->fold_strain2);
  MOTE_TRY(mote_elastic_lists_reserve(&b->env, &b->lists, n, 0, false, b->slopes > 0, error));
  mote_elastic_use_lists(b);
  MOTE_TAKE(b->fit, &b->memory, n * rows, error);
  MOTE_TAKE(b->rate, &b->memory, n * rows, error);
  MOTE_TAKE(b->stress_moment, &b->memory, n * rows, error);
  MOTE_TAKE(b->linear_fit, &b->memory, n * linear, error);
  MOTE_TAKE(b->linear_rate, &b->memory, n * linear, error);
  double reach = 0.0;
  MOTE_TAKE(b->support, &b->memory, n, error);
  for (size_t i = 0; i < n; ++i) {
    b->support[i] = mote_elastic_support(def, i);
    reach = max2(reach, b->support[i]);
  }
  mote_scale_of(reach, &b->inverse_unit);
  for (size_t k = 0; k < 3 * n; ++k) b->rest[k] = k % 3 < (size_t)b->dimensions ? def->position[k] : 0.0;
  share_volumes(b, def);
  MOTE_TRY(copy_clamps(b, def, error));
  MOTE_TRY(find_neighbours(b, def, reach, origin, error));
  MOTE_TRY(mote_elastic_make_moments(b, NULL, n, error));
  if (b->slopes > 0) mote_elastic_make_slopes(b, NULL, n);
  MOTE_TRY(parts != NULL ? part_volumes(b, parts, error) : whole_volumes(b, def, origin, error));
  if (def->faces == 0) return MOTE_OK;
  return mote_elastic_correct_slopes(b, def->faces, def->face_point, def->face_area, error);
}

static mote_result make(const mote_elastic_def *def, const mote_env *env, const mote_elastic_origin *origin,
                        const mote_elastic_parts *parts, mote_elastic **out, mote_error *error) {
  mote_env use = *env;
  MOTE_ALLOC_NEW(mote_elastic, b, &use, 1, error);
  int slopes = def->gradient == MOTE_ELASTIC_ANALYTIC || def->faces > 0 ? def->dimensions : 0;
  int terms = mote_elastic_terms(def->dimensions, def->order);
  *b =
      (mote_elastic){.env = use,
                     .memory = mote_arena_make(&use),
                     .dimensions = def->dimensions,
                     .order = def->order,
                     .terms = terms,
                     .slopes = slopes,
                     .rows = terms + slopes,
                     .breaks = parts != NULL || (origin != NULL && origin->rest->breaks),
                     .renewed = origin != NULL,
                     .count = def->count,
                     .law = mote_elastic_law_make(def->kind, def->young, def->poisson, def->volume_stiffness),
                     .damping = def->damping,
                     .fold_modulus = def->fold * def->young,
                     .def = *def};
  b->def.path_length = NULL, b->def.user = NULL;
  b->def.clamp = NULL, b->def.deforming = b->def.face_point = b->def.face_area = NULL, b->def.faces = 0;
  mote_result result = build(b, def, origin, parts, error);
  if (result == MOTE_OK) {
    *out = b;
  } else {
    mote_elastic_destroy(b);
  }
  return result;
}

mote_result mote_elastic_create(const mote_elastic_def *def, const mote_env *env, mote_elastic **out,
                                mote_error *error) {
  if (def == NULL || out == NULL) return mote_fail_key(error, def == NULL ? "def" : "out", "is null");
  MOTE_TRY(check_def(def, error));
  mote_env use = mote_env_resolve(env);
  return make(def, &use, NULL, NULL, out, error);
}

mote_result mote_elastic_create_again(const mote_elastic_origin *origin, mote_elastic **out,
                                      mote_error *error) {
  MOTE_ASSERT(origin->rest != NULL && out != NULL);
  MOTE_ASSERT(origin->position != NULL);
  mote_elastic_def def = origin->rest->def;
  def.position = origin->position;
  def.support = origin->rest->support, def.volume = origin->rest->rest_volume;
  return make(&def, &origin->rest->env, origin, NULL, out, error);
}

mote_result mote_elastic_create_parts(const mote_elastic_parts *parts, const mote_elastic_def *more,
                                      mote_elastic **out, mote_error *error) {
  const mote_elastic *first = parts->first;
  const mote_env *env = &first->env;
  size_t n = parts->count;
  mote_elastic_def def = first->def;
  double *support = mote_alloc(env, n, sizeof *support), *volume = mote_alloc(env, n, sizeof *volume);
  uint8_t *clamp = mote_alloc(env, n, sizeof *clamp);
  bool there = support != NULL && volume != NULL && clamp != NULL;
  mote_result result = there ? MOTE_OK : mote_fail_memory(error, 2 * n * sizeof *support);
  for (size_t i = 0; i < n && result == MOTE_OK; ++i) {
    MOTE_ASSERT(parts->from[i] < first->count);
    support[i] = ldexp(first->support[parts->from[i]], -parts->halvings[i]);
    volume[i] = part_of(parts, i, first->rest_volume);
    clamp[i] = first->clamp == NULL ? MOTE_ELASTIC_FREE : first->clamp[parts->from[i]];
  }
  def.position = parts->rest, def.count = n, def.support = support, def.volume = volume;
  def.clamp = first->clamp == NULL ? NULL : clamp;
  def.path_length = more->path_length, def.user = more->user;
  def.face_point = more->face_point, def.face_area = more->face_area, def.faces = more->faces;
  if (result == MOTE_OK) result = make(&def, env, NULL, parts, out, error);
  mote_free(env, support, n, sizeof *support);
  mote_free(env, volume, n, sizeof *volume);
  mote_free(env, clamp, n, sizeof *clamp);
  return result;
}

void mote_elastic_destroy(mote_elastic *body) {
  if (body == NULL) return;
  mote_env env = body->env;
  mote_elastic_edit_destroy(body);
  mote_elastic_lists_free(&env, &body->lists);
  mote_arena_destroy(&body->memory);
  mote_free(&env, body, 1, sizeof *body);
}
