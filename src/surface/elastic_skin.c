// The skin of an elastic body: see elastic_skin.h. Displacements are split in two: the affine motion that
// best fits all particles, in double precision, and the remainder of each particle, in single precision like
// the shape functions. Both kinds of skin reproduce affine motion exactly, so that rounding affects only the
// remainder u', by at most (k + 3) 2^-24 sum |Phi| |u'| with k nodes.
#include "surface/elastic_skin.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "elastic/elastic_api.h"
#include "geom/triple.h"
#include "surface/skin_shapes.h"

#define ROWS_PER_CHUNK 256
#define PREFETCH_VERTICES 4         // prefetch distance
#define NODE_DISPLACEMENT_FLOATS 4  // x, y, z of the displacement, padding
#define NODE_FIELD_FLOATS 16        // displacement and three columns of the gradient, four numbers each

// u + g (X - centre)
typedef struct affine {
  double u[3], g[9];
} affine;

struct mote_elastic_skin {
  mote_skin_kind kind;
  mote_elastic *body;
  mote_arena memory;
  size_t count;
  mote_skin_shapes shapes;
  double *rest;             // of the particles, positions
  double *found;            // their positions by the body's numbers, where rows have changed; or null
  uint8_t *gone;            // with them: which are no more
  size_t left;              // number of particles of which centre and inverse are
  double centre[3];         // their centre
  double inverse[9];        // of the sum of (X - centre) (X - centre)^T
  affine whole;             // affine motion of all particles
  float *node;              // remainder of the particles' displacements
  double *vertex, *normal;  // at rest; normal may be null
};

// --- Creation ----------------------------------------------------------------------------------------

static double *copy_of(mote_arena *memory, const double *from, size_t count) {
  double *to = mote_arena_take(memory, count, sizeof *to);
  if (to != NULL && from != NULL) memcpy(to, from, count * sizeof *to);
  return to;
}

static mote_result check_def(const mote_elastic_skin_def *def, mote_elastic_skin **out, mote_error *error) {
  if (def == NULL || out == NULL || def->body == NULL) {
    return mote_fail_key(error, def == NULL ? "def" : out == NULL ? "out" : "body", "is null");
  }
  if ((unsigned)def->kind >= MOTE_SKIN_KINDS) return mote_fail_key(error, "kind", "is unknown");
  if (!(def->support > 0.0) || !isfinite(def->support)) {
    return mote_fail_key(error, "support", "is %g, not positive and finite", def->support);
  }
  if (def->count == 0 || def->count >= UINT32_MAX) {
    return mote_fail_key(error, "count", "is %zu, not 1 to %u", def->count, UINT32_MAX - 1);
  }
  MOTE_TRY(mote_elastic_check_numbers("position", def->position, 3 * def->body->count, error));
  if (def->normal != NULL) MOTE_TRY(mote_elastic_check_numbers("normal", def->normal, 3 * def->count, error));
  return mote_elastic_check_numbers("vertex", def->vertex, 3 * def->count, error);
}

// In 2D the third axis is fixed.
static void find_moments(mote_elastic_skin *s, const uint8_t *gone) {
  size_t n = s->body->count;
  double sum[3] = {0}, moment[9] = {0};
  s->left = 0;
  for (size_t i = 0; i < n; ++i) {
    if (gone != NULL && gone[i]) continue;
    step3(sum, 1.0, s->rest + 3 * i, sum);
    ++s->left;
  }
  for (int k = 0; k < 3; ++k) s->centre[k] = s->left > 0 ? sum[k] / (double)s->left : 0.0;
  for (size_t i = 0; i < n; ++i) {
    double x[3];
    if (gone != NULL && gone[i]) continue;
    sub3(s->rest + 3 * i, s->centre, x);
    for (int k = 0; k < 9; ++k) moment[k] += x[k / 3] * x[k % 3];
  }
  mote_dense_pseudo_inverse(3, moment, 1e-12, s->inverse, NULL);
}

static mote_result build(mote_elastic_skin *s, const mote_elastic_skin_def *def, mote_error *error) {
  size_t n = s->body->count,
         numbers = (s->kind == MOTE_SKIN_SHAPES ? NODE_DISPLACEMENT_FLOATS : NODE_FIELD_FLOATS) * n;
  s->rest = copy_of(&s->memory, def->position, 3 * n);
  s->node = mote_arena_take(&s->memory, numbers, sizeof *s->node);
  s->vertex = copy_of(&s->memory, def->vertex, 3 * s->count);
  if (def->normal != NULL) s->normal = copy_of(&s->memory, def->normal, 3 * s->count);
  if (s->rest == NULL || s->node == NULL || s->vertex == NULL || (def->normal != NULL && s->normal == NULL)) {
    return mote_fail_memory(error, 3 * s->count * sizeof(double));
  }
  find_moments(s, NULL);
  return mote_skin_shapes_make(def, &s->memory, &s->shapes, error);
}

mote_result mote_elastic_skin_create(const mote_elastic_skin_def *def, mote_elastic_skin **out,
                                     mote_error *error) {
  MOTE_TRY(check_def(def, out, error));
  MOTE_ALLOC_NEW(mote_elastic_skin, s, &def->body->env, 1, error);
  *s = (mote_elastic_skin){
      .kind = def->kind, .body = def->body, .memory = mote_arena_make(&def->body->env), .count = def->count};
  mote_result result = build(s, def, error);
  if (result == MOTE_OK) {
    *out = s;
  } else {
    mote_elastic_skin_destroy(s);
  }
  return result;
}

void mote_elastic_skin_destroy(mote_elastic_skin *skin) {
  if (skin == NULL) return;
  mote_env env = skin->body->env;
  mote_arena_destroy(&skin->memory);
  mote_free(&env, skin, 1, sizeof *skin);
}

// --- Motion of the vertices --------------------------------------------------------------------------

// Displacement and derivatives along the three axes at a vertex, beyond the affine motion: x, y, z, padding.
typedef struct field {
  mote_lane u, along[3];
} field;

// (67): the displacement of every node, with four numbers per entry of the vertex.
static inline field sum_shapes(const mote_elastic_skin *s, size_t first, size_t end) {
  const uint32_t *index = s->shapes.index;
  mote_lane u = {0}, x = {0}, y = {0}, z = {0};
  for (size_t k = first; k < end; ++k) {
    mote_lane moved = mote_lane_load(s->node + NODE_DISPLACEMENT_FLOATS * (size_t)index[k]);
    const float *phi = s->shapes.value + 4 * k;
    u += phi[0] * moved, x += phi[1] * moved, y += phi[2] * moved, z += phi[3] * moved;
  }
  return (field){u, {x, y, z}};
}

// The same without derivatives, with one number per entry.
static inline field sum_values(const mote_elastic_skin *s, size_t first, size_t end) {
  const uint32_t *index = s->shapes.index;
  mote_lane u = {0};
  for (size_t k = first; k < end; ++k)
    u += s->shapes.value[k] * mote_lane_load(s->node + NODE_DISPLACEMENT_FLOATS * (size_t)index[k]);
  return (field){.u = u};
}

// EG09 7.2: displacement, and its derivative along the normal in the place of that along x.
static inline field sum_fast(const mote_elastic_skin *s, size_t first, size_t end) {
  const uint32_t *index = s->shapes.index;
  mote_lane u = {0}, along = {0};
  for (size_t k = first; k < end; ++k) {
    mote_lane moved = mote_lane_load(s->node + NODE_DISPLACEMENT_FLOATS * (size_t)index[k]);
    const float *phi = s->shapes.value + 2 * k;
    u += phi[0] * moved, along += phi[1] * moved;
  }
  return (field){u, {along}};
}

// (68), with grad u as in (60): its transpose, as printed, would rotate in the wrong direction. Of every node
// u - grad u (X - centre) and grad u, with one number per entry.
static inline field sum_blend(const mote_elastic_skin *s, size_t first, size_t end) {
  const uint32_t *index = s->shapes.index;
  mote_lane u = {0}, x = {0}, y = {0}, z = {0};
  for (size_t k = first; k < end; ++k) {
    const float *node = s->node + NODE_FIELD_FLOATS * (size_t)index[k];
    float share = s->shapes.value[k];
    u += share * mote_lane_load(node), x += share * mote_lane_load(node + 4);
    y += share * mote_lane_load(node + 8), z += share * mote_lane_load(node + 12);
  }
  return (field){u, {x, y, z}};
}

static inline void add_lane(mote_lane lane, double times, double out[3]) {
  set3(out[0] + times * (double)lane[0], out[1] + times * (double)lane[1], out[2] + times * (double)lane[2],
       out);
}

// A column of F.
static inline void column(const mote_elastic_skin *s, const field *at, int axis, double out[3]) {
  const double *g = s->whole.g;
  set3(g[axis], g[3 + axis], g[6 + axis], out);
  add_lane(at->along[axis], 1.0, out);
  out[axis] += 1.0;
}

// cof(F) n, normalised. Columns of the cofactor are cross products of the other two columns of F.
static inline void turn_normal(const mote_elastic_skin *s, const field *at, const double n[3],
                               double out[3]) {
  static const double zero[3] = {0.0, 0.0, 0.0};
  double x[3], y[3], z[3], yz[3], zx[3], xy[3];
  column(s, at, 0, x), column(s, at, 1, y), column(s, at, 2, z);
  cross3(y, z, yz), cross3(z, x, zx), cross3(x, y, xy);
  step3(zero, n[0], yz, yz), step3(yz, n[1], zx, yz), step3(yz, n[2], xy, yz);
  double length = length3(yz), over = length > 0.0 ? 1.0 / length : 1.0;
  set3(over * yz[0], over * yz[1], over * yz[2], out);
}

// n + grad u n, normalised.
static inline void add_to_normal(const mote_elastic_skin *s, const field *at, const double n[3],
                                 double out[3]) {
  double turned[3];
  turn3(s->whole.g, n, turned);
  step3(turned, 1.0, n, turned);
  add_lane(at->along[0], 1.0, turned);
  double length = length3(turned), over = length > 0.0 ? 1.0 / length : 1.0;
  set3(over * turned[0], over * turned[1], over * turned[2], out);
}

// Hardware prefetchers fail at the ends of the short lists.
static inline void fetch(const void *from, size_t bytes) {
  for (size_t k = 0; k < bytes; k += 64) __builtin_prefetch((const char *)from + k);
}

static inline void fetch_vertex(const mote_skin_shapes *shapes, size_t i) {
  size_t first = shapes->first[i], number = shapes->first[i + 1] - first, numbers = (size_t)shapes->numbers;
  fetch(shapes->index + first, number * sizeof *shapes->index);
  fetch(shapes->value + numbers * first, numbers * number * sizeof *shapes->value);
}

typedef struct skin_job {
  mote_elastic_skin *skin;
  const double *position;
  const uint8_t *gone;      // null: none
  double *vertex, *normal;  // normal may be null
} skin_job;

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const skin_job *job = data;
  const mote_elastic_skin *s = job->skin;
  const size_t *first = s->shapes.first;
  for (size_t i = begin; i < end; ++i) {
    double off[3], u[3], *vertex = job->vertex + 3 * i;
    const double *rest = s->vertex + 3 * i;
    if (i + PREFETCH_VERTICES < end) fetch_vertex(&s->shapes, i + PREFETCH_VERTICES);
    bool blended = s->kind == MOTE_SKIN_TAYLOR;
    field at = blended                  ? sum_blend(s, first[i], first[i + 1])
               : s->shapes.numbers == 4 ? sum_shapes(s, first[i], first[i + 1])
               : s->shapes.numbers == 2 ? sum_fast(s, first[i], first[i + 1])
                                        : sum_values(s, first[i], first[i + 1]);
    sub3(rest, s->centre, off);
    turn3(s->whole.g, off, u);
    step3(u, 1.0, s->whole.u, u);
    add_lane(at.u, 1.0, u);
    for (int c = 0; c < 3 && blended; ++c) add_lane(at.along[c], off[c], u);
    step3(rest, 1.0, u, vertex);
    if (job->normal != NULL && s->shapes.numbers == 2)
      add_to_normal(s, &at, s->normal + 3 * i, job->normal + 3 * i);
    else if (job->normal != NULL)
      turn_normal(s, &at, s->normal + 3 * i, job->normal + 3 * i);
  }
}

// --- Remainders of the particles ---------------------------------------------------------------------

static void sum_moments(void *data, size_t begin, size_t end, double *term) {
  const skin_job *job = data;
  const mote_elastic_skin *s = job->skin;
  for (size_t i = begin; i < end; ++i, term += 12) {
    double x[3], u[3];
    if (job->gone != NULL && job->gone[i]) continue;
    sub3(s->rest + 3 * i, s->centre, x);
    sub3(job->position + 3 * i, s->rest + 3 * i, u);
    for (int k = 0; k < 3; ++k) term[k] = u[k];
    for (int k = 0; k < 9; ++k) term[3 + k] = u[k / 3] * x[k % 3];
  }
}

// The affine motion that best fits the displacements.
static void find_whole(skin_job *job) {
  mote_elastic_skin *s = job->skin;
  double sum[12];
  mote_parallel_sum(s->body->env.threads, s->body->count, 12, sum_moments, job, sum);
  for (int k = 0; k < 3; ++k) s->whole.u[k] = s->left > 0 ? sum[k] / (double)s->left : 0.0;
  multiply3(sum + 3, s->inverse, s->whole.g);
}

static inline void store_float(const double x[3], float *to) {
  for (int k = 0; k < 3; ++k) to[k] = (float)x[k];
  to[3] = 0.0f;
}

// Displacement of particle i beyond the affine motion of all.
static void remainder_of(const skin_job *job, size_t i, double u[3]) {
  const mote_elastic_skin *s = job->skin;
  double off[3], change[3];
  sub3(s->rest + 3 * i, s->centre, off);
  sub3(job->position + 3 * i, s->rest + 3 * i, u);
  sub3(u, s->whole.u, u);
  turn3(s->whole.g, off, change);
  sub3(u, change, u);
}

// The remainder of each node's displacement; with (68) also of its gradient, by columns.
static void node_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const skin_job *job = data;
  mote_elastic_skin *s = job->skin;
  for (size_t i = begin; i < end; ++i) {
    double u[3], off[3], g[9], change[3];
    remainder_of(job, i, u);
    if (s->kind == MOTE_SKIN_SHAPES) {
      store_float(u, s->node + NODE_DISPLACEMENT_FLOATS * i);
      continue;
    }
    float *node = s->node + NODE_FIELD_FLOATS * i;
    sub3(s->rest + 3 * i, s->centre, off);
    mote_elastic_gradient(s->body, s->body->fit, i, g);
    for (int k = 0; k < 9; ++k) g[k] -= s->whole.g[k];
    turn3(g, off, change);
    sub3(u, change, u);
    store_float(u, node);
    for (int c = 0; c < 3; ++c) {
      const double along[3] = {g[c], g[3 + c], g[6 + c]};
      store_float(along, node + 4 * (c + 1));
    }
  }
}

// Those that are gone move as their neighbours do in the mean, beyond the affine motion of all.
static void place_gone(skin_job *job) {
  mote_elastic_skin *s = job->skin;
  const mote_elastic *b = s->body;
  for (size_t i = 0; i < b->count; ++i) {
    double off[3], u[3], mean[3] = {0}, one[3], weight = 0.0;
    if (!s->gone[i]) continue;
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      if (s->gone[b->neighbour[k]]) continue;
      remainder_of(job, b->neighbour[k], one);
      step3(mean, b->pair[k].weight, one, mean);
      weight += b->pair[k].weight;
    }
    sub3(s->rest + 3 * i, s->centre, off);
    turn3(s->whole.g, off, u);
    step3(u, 1.0, s->whole.u, u);
    if (weight > 0.0) step3(u, 1.0 / weight, mean, u);
    step3(s->rest + 3 * i, 1.0, u, s->found + 3 * i);
  }
}

static void move(skin_job *job) {
  mote_elastic_skin *s = job->skin;
  int threads = s->body->env.threads;
  find_whole(job);
  if (job->gone != NULL) place_gone(job);
  if (s->kind == MOTE_SKIN_TAYLOR) mote_elastic_fit(s->body, job->position, true, s->body->fit);
  mote_parallel_for(threads, s->body->count, ROWS_PER_CHUNK, node_chunk, job);
  mote_parallel_for(threads, s->count, ROWS_PER_CHUNK, move_chunk, job);
}

mote_result mote_elastic_skin_move(mote_elastic_skin *skin, const double *position, double *vertex,
                                   double *normal, mote_error *error) {
  if (skin == NULL || vertex == NULL)
    return mote_fail_key(error, skin == NULL ? "skin" : "vertex", "is null");
  MOTE_TRY(mote_elastic_check_numbers("position", position, 3 * skin->body->count, error));
  skin_job job = {skin, position, NULL, vertex, skin->normal != NULL ? normal : NULL};
  if (skin->left != skin->body->count) find_moments(skin, NULL);
  move(&job);
  return MOTE_OK;
}

mote_result mote_elastic_skin_move_rows(mote_elastic_skin *skin, const double *position, const uint32_t *row,
                                        double *vertex, double *normal, mote_error *error) {
  MOTE_ASSERT(skin != NULL && vertex != NULL && row != NULL);
  size_t n = skin->body->count;
  if (skin->found == NULL) {
    MOTE_TAKE(skin->found, &skin->memory, 3 * n, error);
    MOTE_TAKE(skin->gone, &skin->memory, n, error);
  }
  for (size_t i = 0; i < n; ++i) {
    skin->gone[i] = row[i] == MOTE_SKIN_GONE;
    copy3(skin->gone[i] ? skin->rest + 3 * i : position + 3 * (size_t)row[i], skin->found + 3 * i);
  }
  MOTE_TRY(mote_elastic_check_numbers("position", skin->found, 3 * n, error));
  skin_job job = {skin, skin->found, skin->gone, vertex, skin->normal != NULL ? normal : NULL};
  find_moments(skin, skin->gone);
  move(&job);
  return MOTE_OK;
}
