// Many bodies of one definition: pieces on a arrangement in a region. Each piece has a ball about its middle
// that holds it however it is turned; balls of neighbours do not meet, and lie in the region. Theory:
// docs/theory/bodies.md
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "geom/quaternion.h"
#include "geom/shape_tree.h"
#include "scene/def_check.h"
#include "scene/def_table.h"

#define PIECES_MOST 200000     // about 1.8 kB each before the world is made
#define SITES_MOST 5000000     // at which a piece is tried: seconds
#define PARTS_MOST 64          // of the region that are told apart
#define RANDOM_NUMBERS 7       // random ones of a piece
#define REGION_TOLERANCE 1e-9  // rounding: of a piece, that balls may reach out of the region

typedef struct scatter {
  const mote_body_def *def;
  const mote_copies_def *copies;
  int dimensions;
  mote_env env;
  mote_error *error;
  uint64_t seed, stream;
  mote_shape *within;
  double middle[3];  // of the shape
  double reach;      // radius of the ball about it that holds the shape
  double half[3];    // or half of its bounds, where it is not turned
  double turn[4];    // by which the definition turns it
  double pivot[3];   // about which it does, where that is known
} scatter;

// --- Measures -----------------------------------------------------------------------------------------

// The definition's own rotation is kept as a quaternion, about a pivot that is a number.
static void take_turn(scatter *s, const mote_shape *plain) {
  const mote_shape_def *shape = &s->def->shape;
  double low[3], high[3], length = length3(shape->axis), half = 0.5 * shape->angle;
  mote_shape_bounds(plain, low, high);
  bool given = !isnan(shape->pivot[0]) || !isnan(shape->pivot[1]) || !isnan(shape->pivot[2]);
  for (int k = 0; k < 3; ++k) {
    s->pivot[k] = given ? shape->pivot[k] : isfinite(low[k]) ? low[k] + 0.5 * (high[k] - low[k]) : 0.0;
    s->turn[1 + k] = shape->angle == 0.0 ? 0.0 : mote_sin(half) * shape->axis[k] / length;
  }
  s->turn[0] = mote_cos(half);
}

static mote_result measure_shape(scatter *s, const mote_shape *shape) {
  double low[3], high[3];
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < s->dimensions; ++k) {
    if (!isfinite(low[k]) || !isfinite(high[k])) {
      return mote_fail_key(s->error, "shape", "copies need a bounded shape");
    }
  }
  for (int k = 0; k < 3; ++k) {
    s->middle[k] = k < s->dimensions ? low[k] + 0.5 * (high[k] - low[k]) : 0.0;
    s->half[k] = k < s->dimensions ? 0.5 * (high[k] - low[k]) : 0.0;
  }
  s->reach = min2(mote_shape_reach(shape, s->middle), length3(s->half));
  return MOTE_OK;
}

static mote_result measure(scatter *s) {
  mote_shape_def plain_def = s->def->shape;
  mote_shape *shape, *plain;
  plain_def.angle = 0.0, plain_def.scale = 1.0;
  for (int k = 0; k < 3; ++k) plain_def.move[k] = 0.0;
  mote_result result = mote_shape_create(&s->def->shape, s->dimensions, &s->env, &shape, s->error);
  if (result != MOTE_OK) return mote_fail_within(s->error, result, "shape");
  result = mote_shape_create(&plain_def, s->dimensions, &s->env, &plain, s->error);
  if (result == MOTE_OK) {
    take_turn(s, plain);
    result = measure_shape(s, shape);
    mote_shape_destroy(plain);
  }
  mote_shape_destroy(shape);
  return result;
}

// --- One piece ----------------------------------------------------------------------------------------

static double chance(const scatter *s, size_t piece, int k) {
  return mote_random_unit(s->seed, s->stream, RANDOM_NUMBERS * (uint64_t)piece + (uint64_t)k);
}

// Every attitude is as likely (Shoemake 1992); in 2D about z.
static void any_turn(const scatter *s, size_t piece, double q[4]) {
  double u = chance(s, piece, 3), v = 2.0 * MOTE_PI * chance(s, piece, 4),
         w = 2.0 * MOTE_PI * chance(s, piece, 5);
  if (!s->copies->turned) {
    for (int k = 0; k < 4; ++k) q[k] = k == 0;
  } else if (s->dimensions == 2) {
    q[0] = mote_cos(0.5 * v), q[1] = q[2] = 0.0, q[3] = mote_sin(0.5 * v);
  } else {
    double a = sqrt(1.0 - u), b = sqrt(u);
    q[0] = a * mote_sin(v), q[1] = a * mote_cos(v), q[2] = b * mote_sin(w), q[3] = b * mote_cos(w);
  }
}

// The definition's shape, scaled by `size` and turned by q about its middle, which comes to x. With its own
// scale s0, rotation R0, pivot p and move m, y = R0 s0 (x - p) + p + m; so the new move is
// Q size (p + m - middle) + x - p.
static void place(const scatter *s, const double q[4], double size, const double x[3],
                  mote_shape_def *shape) {
  double turn[4], Q[9], from[3];
  quaternion_multiply(q, s->turn, turn);
  quaternion_normalise(turn);
  quaternion_matrix(q, Q);
  for (int k = 0; k < 3; ++k) from[k] = s->pivot[k] + s->def->shape.move[k] - s->middle[k];
  turn3(Q, from, from);
  for (int k = 0; k < 3; ++k) shape->move[k] = size * from[k] + x[k] - s->pivot[k];
  if (s->dimensions == 2) shape->move[2] = 0.0;
  copy3(s->pivot, shape->pivot);
  shape->scale = s->def->shape.scale * size;
  double sine = length3(turn + 1);
  shape->angle = 2.0 * mote_atan2(sine, turn[0]);
  for (int k = 0; k < 3; ++k) shape->axis[k] = sine > 0.0 ? turn[1 + k] / sine : (double)(k == 2);
  if (!(sine > 0.0)) shape->angle = 0.0;
}

// --- All ----------------------------------------------------------------------------------------------

typedef struct arrangement {
  double first[3], apart[3], jitter[3];  // jitter: from the arrangement's place, by jitter
  size_t count[3];
} arrangement;

static mote_result make_arrangement(const scatter *s, arrangement *out) {
  double low[3], high[3], largest = s->copies->size[1], own = s->copies->apart;
  mote_shape_bounds(s->within, low, high);
  for (int k = 0; k < 3; ++k) {
    double half = largest * (s->copies->turned ? s->reach : s->half[k]);
    if (k >= s->dimensions) {
      out->first[k] = 0.0, out->apart[k] = 0.0, out->jitter[k] = 0.0, out->count[k] = 1;
      continue;
    }
    if (!isfinite(low[k]) || !isfinite(high[k])) {
      return mote_fail_key(s->error, "copies.within", "it has no bounds");
    }
    if (!isnan(own) && own < 2.0 * half * (1.0 - REGION_TOLERANCE)) {
      return mote_fail_key(s->error, "copies.apart", "%g m: pieces are up to %.4g m across and could overlap",
                           own, 2.0 * half);
    }
    out->apart[k] = isnan(own) ? 2.0 * half : own;
    out->jitter[k] = max2(0.0, 0.5 * out->apart[k] - half);
    double fitting = floor((high[k] - low[k]) / out->apart[k] + REGION_TOLERANCE);
    out->count[k] = fitting >= 1.0 ? (size_t)min2(fitting, 1e9) : 0;
    out->first[k] =
        low[k] + 0.5 * (high[k] - low[k] - (double)out->count[k] * out->apart[k]) + 0.5 * out->apart[k];
  }
  out->first[1] = low[1] + 0.5 * out->apart[1];  // from the bottom up
  return MOTE_OK;
}

// Whether the piece that lies in +-half, or in the ball, is in the region.
static bool lies_within(const scatter *s, const double x[3], double size) {
  double slack = REGION_TOLERANCE * s->reach;
  if (s->copies->turned) return mote_shape_distance(s->within, x) <= -size * s->reach + slack;
  for (int c = 0; c < 8; ++c) {
    double corner[3];
    for (int k = 0; k < 3; ++k) corner[k] = x[k] + (c >> k & 1 ? size : -size) * s->half[k];
    if (mote_shape_distance(s->within, corner) > slack) return false;
  }
  return true;
}

static mote_result add(const scatter *s, const double x[3], double size, mote_body_list *out,
                       size_t held[2]) {
  size_t n = out->count;
  double q[4];
  if (n >= PIECES_MOST) {
    return mote_fail_key(s->error, "copies.within", "more than %d pieces would fit; give a count",
                         PIECES_MOST);
  }
  MOTE_TRY(mote_reserve(&s->env, &out->body, &held[0], n + 1, sizeof *out->body, s->error));
  MOTE_TRY(mote_reserve(&s->env, &out->name, &held[1], n + 1, sizeof *out->name, s->error));
  out->body[n] = *s->def;
  int length = snprintf(out->name[n], sizeof *out->name, "%.31s-%zu", s->def->name, n + 1);
  if (length > 31) {
    return mote_fail_key(s->error, "name", "\"%.31s\" is too long for the names of copies, %s-%zu",
                         s->def->name, s->def->name, n + 1);
  }
  any_turn(s, n, q);
  place(s, q, size, x, &out->body[n].shape);
  ++out->count;
  return MOTE_OK;
}

// Sites of the arrangement from `from` to before `to`, along each axis.
typedef struct site_range {
  size_t from[3], to[3];
} site_range;

static size_t index_at(double x, size_t count) {
  return x >= (double)count ? count : x > 0.0 ? (size_t)x : 0;
}

// Those whose pieces can lie in a part of the region, as far as it is known by its bounds.
static site_range part_sites(const scatter *s, const arrangement *l, size_t node) {
  double low[3], high[3];
  site_range p = {{0, 0, 0}, {1, 1, 1}};
  mote_node_bounds(s->within, node, NULL, low, high);
  for (int k = 0; k < s->dimensions; ++k) {
    double slack = l->jitter[k] + l->apart[k];
    p.from[k] = index_at(floor((low[k] - slack - l->first[k]) / l->apart[k]), l->count[k]);
    p.to[k] = index_at(ceil((high[k] + slack - l->first[k]) / l->apart[k]) + 1.0, l->count[k]);
  }
  return p;
}

// Of a union its parts, which may be far from each other; of anything else the whole.
static size_t list_sites(const scatter *s, const arrangement *l, site_range out[PARTS_MOST]) {
  const mote_shape_node *node = s->within->node;
  size_t count = 0;
  for (size_t k = 1; node->kind == MOTE_SHAPE_UNION && !node->inverted && k < node->end; k = node[k].end) {
    if (count == PARTS_MOST) break;
    out[count++] = part_sites(s, l, k);
    if (node[k].end >= node->end) return count;
  }
  out[0] = part_sites(s, l, 0);
  return 1;
}

// The first place along the axis, not before `at`, that a part has; of those that have the others as well.
static size_t next_site(const site_range *part, size_t parts, const size_t place[3], int axis, int others,
                        size_t end) {
  static const int order[] = {1, 2, 0};
  size_t next = end;
  for (size_t p = 0; p < parts; ++p) {
    bool has = place[axis] < part[p].to[axis];
    for (int k = 0; k < others && has; ++k)
      has = place[order[k]] >= part[p].from[order[k]] && place[order[k]] < part[p].to[order[k]];
    size_t first = place[axis] > part[p].from[axis] ? place[axis] : part[p].from[axis];
    if (has && first < next) next = first;
  }
  return next;
}

static mote_result try_site(const scatter *s, const arrangement *l, const size_t place[3],
                            mote_body_list *out, size_t held[2]) {
  const double *range = s->copies->size;
  double x[3], size = range[0] + (range[1] - range[0]) * chance(s, out->count, 6);
  for (int a = 0; a < 3; ++a) {
    double shake = s->copies->jitter * (2.0 * chance(s, out->count, a) - 1.0);
    x[a] = l->first[a] + (double)place[a] * l->apart[a] + shake * l->jitter[a];
  }
  return lies_within(s, x, size) ? add(s, x, size, out, held) : MOTE_OK;
}

// Layer by layer upwards, in each by z, then x.
static mote_result fill(const scatter *s, const arrangement *l, mote_body_list *out, size_t held[2]) {
  site_range part[PARTS_MOST];
  size_t parts = list_sites(s, l, part), tried = 0, at[3] = {0};
  const size_t *end = l->count;
  for (at[1] = 0; (at[1] = next_site(part, parts, at, 1, 0, end[1])) < end[1]; ++at[1]) {
    for (at[2] = 0; (at[2] = next_site(part, parts, at, 2, 1, end[2])) < end[2]; ++at[2]) {
      for (at[0] = 0; (at[0] = next_site(part, parts, at, 0, 2, end[0])) < end[0]; ++at[0]) {
        if (out->count == s->copies->count) return MOTE_OK;
        if (++tried > SITES_MOST)
          return mote_fail_key(s->error, "copies.within",
                               "it is too large for pieces %.3g m apart: of %d sites from below only %zu are "
                               "inside of it; make it smaller, or split it into several bodies",
                               l->apart[1], SITES_MOST, out->count);
        MOTE_TRY(try_site(s, l, at, out, held));
      }
    }
  }
  return MOTE_OK;
}

static mote_result check_count(const scatter *s, const mote_body_list *out) {
  double across = 2.0 * s->copies->size[1] * s->reach;
  if (out->count == 0) {
    return mote_fail_key(s->error, "copies.within", "no piece fits into it; they are up to %.4g m across",
                         across);
  }
  if (s->copies->count == SIZE_MAX || out->count == s->copies->count) return MOTE_OK;
  return mote_fail_key(s->error, "copies.count", "only %zu of %zu pieces fit; they are up to %.4g m across",
                       out->count, s->copies->count, across);
}

static mote_result check_def(const scatter *s) {
  const mote_copies_def *c = s->copies;
  MOTE_TRY(mote_name_check(s->def->name, s->error));
  MOTE_TRY(mote_fail_within(s->error, mote_section_check("copies", c, NULL, s->error), "copies"));
  if (c->size[1] < c->size[0])
    return mote_fail_key(s->error, "copies.size", "from %g to %g: not ascending", c->size[0], c->size[1]);
  if (!mote_body_def_hinged(s->def)) return MOTE_OK;
  return mote_fail_key(s->error, "hinge", "copies would all hang on the same one");
}

// Gives the list its names, and arrays of its length.
static mote_result settle(const scatter *s, mote_body_list *out, size_t held[2]) {
  mote_body_list own = {.count = out->count};
  own.body = mote_alloc(&s->env, own.count, sizeof *own.body);
  own.name = mote_alloc(&s->env, own.count, sizeof *own.name);
  bool ok = own.body != NULL && own.name != NULL;
  for (size_t k = 0; ok && k < own.count; ++k) {
    memcpy(own.name[k], out->name[k], sizeof *own.name);
    own.body[k] = out->body[k];
    own.body[k].name = own.name[k];
  }
  mote_free(&s->env, out->body, held[0], sizeof *out->body);
  mote_free(&s->env, out->name, held[1], sizeof *out->name);
  *out = own;
  if (ok) return MOTE_OK;
  mote_body_list_free(out, &s->env);
  return mote_fail_memory(s->error, own.count * (sizeof *own.body + sizeof *own.name));
}

static mote_result scatter_all(scatter *s, mote_body_list *out) {
  arrangement l;
  size_t held[2] = {0, 0};
  MOTE_TRY(measure(s));
  MOTE_TRY(make_arrangement(s, &l));
  mote_result result = fill(s, &l, out, held);
  if (result == MOTE_OK) result = check_count(s, out);
  if (result == MOTE_OK) return settle(s, out, held);
  mote_free(&s->env, out->body, held[0], sizeof *out->body);
  mote_free(&s->env, out->name, held[1], sizeof *out->name);
  *out = (mote_body_list){0};
  return result;
}

mote_result mote_body_copies(const mote_body_def *def, const mote_copies_def *copies, int dimensions,
                             uint64_t seed, const mote_env *env, mote_body_list *out, mote_error *error) {
  if (def == NULL || copies == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "definitions and out must not be NULL");
  }
  scatter s = {.def = def,
               .copies = copies,
               .dimensions = dimensions,
               .env = mote_env_resolve(env),
               .error = error,
               .seed = seed};
  *out = (mote_body_list){0};
  MOTE_TRY(check_def(&s));
  s.stream = mote_hash_bytes(copies->seed, def->name, strlen(def->name));
  mote_result result = mote_shape_create(&copies->within, dimensions, &s.env, &s.within, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "copies.within");
  result = scatter_all(&s, out);
  mote_shape_destroy(s.within);
  return result;
}

void mote_body_list_free(mote_body_list *list, const mote_env *env) {
  mote_env resolved = mote_env_resolve(env);
  if (list == NULL) return;
  mote_free(&resolved, list->body, list->count, sizeof *list->body);
  mote_free(&resolved, list->name, list->count, sizeof *list->name);
  *list = (mote_body_list){0};
}
