// The skin of an elastic body: see elastic_skin.h. Both kinds are shape functions of moving least squares at
// the vertices, of order 1 for (67); of order 0, which are the normalised weights, for (68).
#include "surface/elastic_skin.h"

#include <math.h>
#include <mote/approx.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "geom/triple.h"
#include "solver/elastic_door.h"

#define GRAIN 256
#define AHEAD 4     // vertices whose numbers are fetched before they are needed
#define MOVED 4     // numbers of a node: its displacement,
#define BLENDED 16  // or its field, in fours

struct mote_elastic_skin {
  mote_skin_kind kind;
  mote_elastic *body;
  mote_arena memory;
  size_t count;
  mote_mls_shapes *shapes;
  double *rest, *node;      // of the particles: positions at rest, and what they give to vertices
  double origin[3];         // among them
  double *vertex, *normal;  // at rest; normal may be null
};

// --- Making one
// ---------------------------------------------------------------------------------------------

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

static mote_result make_shapes(mote_elastic_skin *s, const mote_elastic_skin_def *def, mote_error *error) {
  mote_mls_def mls_def = mote_mls_def_default();
  mls_def.domain = mote_domain_open(s->body->dimensions);
  mls_def.order = s->kind == MOTE_SKIN_SHAPES ? 1 : 0;
  mls_def.kernel = MOTE_KERNEL_POLY6;
  mls_def.position = def->position, mls_def.count = s->body->count;
  mls_def.uniform_radius = def->support;
  mote_mls *mls;
  MOTE_TRY(mote_mls_create(&mls_def, &s->body->env, &mls, error));
  mote_result result =
      mote_mls_shapes_create(mls, s->vertex, s->count, mls_def.order, &s->body->env, &s->shapes, error);
  mote_mls_destroy(mls);
  return result;
}

static mote_result check_reach(const mote_elastic_skin *s, mote_error *error) {
  const mote_mls_fit *fit = mote_mls_shapes_fit(s->shapes);
  int needed = s->kind == MOTE_SKIN_SHAPES ? 1 + s->body->dimensions : 1;
  for (size_t i = 0; i < s->count; ++i) {
    if (fit[i].rank >= needed) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "skin: vertex %zu has too few particles within reach", i);
  }
  return MOTE_OK;
}

static mote_result build(mote_elastic_skin *s, const mote_elastic_skin_def *def, mote_error *error) {
  size_t n = s->body->count, numbers = (s->kind == MOTE_SKIN_SHAPES ? MOVED : BLENDED) * n;
  s->rest = copy_of(&s->memory, def->position, 3 * n);
  s->node = copy_of(&s->memory, NULL, numbers);
  s->vertex = copy_of(&s->memory, def->vertex, 3 * s->count);
  if (def->normal != NULL) s->normal = copy_of(&s->memory, def->normal, 3 * s->count);
  if (s->rest == NULL || s->node == NULL || s->vertex == NULL || (def->normal != NULL && s->normal == NULL)) {
    return mote_fail_memory(error, 3 * s->count * sizeof(double));
  }
  memset(s->node, 0, numbers * sizeof *s->node);
  copy3(s->rest, s->origin);
  MOTE_TRY(make_shapes(s, def, error));
  return check_reach(s, error);
}

mote_result mote_elastic_skin_create(const mote_elastic_skin_def *def, mote_elastic_skin **out,
                                     mote_error *error) {
  MOTE_TRY(check_def(def, out, error));
  mote_elastic_skin *s = mote_alloc(&def->body->env, 1, sizeof *s);
  if (s == NULL) return mote_fail_memory(error, sizeof *s);
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
  mote_mls_shapes_destroy(skin->shapes);
  mote_arena_destroy(&skin->memory);
  mote_free(&env, skin, 1, sizeof *skin);
}

// --- Moving it
// ----------------------------------------------------------------------------------------------

// (x, y, z, nothing)
typedef struct lanes {
  mote_pair xy, z;
} lanes;

static inline lanes load(const double *from) {
  return (lanes){mote_pair_load(from), mote_pair_load(from + 2)};
}

static inline void add(lanes *sum, double times, lanes x) {
  sum->xy += times * x.xy;
  sum->z += times * x.z;
}

// The displacement at a vertex, and its derivatives along the three axes.
typedef struct field {
  lanes u, along[3];
} field;

// (67): of every node its displacement, with four numbers of the vertex.
static inline field sum_shapes(const mote_elastic_skin *s, size_t first, size_t number, bool turning) {
  const uint32_t *index = mote_mls_shapes_lists(s->shapes)->index + first;
  const double *value = mote_mls_shapes_value(s->shapes) + first;
  const double *slope = mote_mls_shapes_gradient(s->shapes) + 3 * first;
  lanes u = {0}, x = {0}, y = {0}, z = {0};
  for (size_t k = 0; k < number; ++k) {
    lanes moved = load(s->node + MOVED * (size_t)index[k]);
    add(&u, value[k], moved);
    if (!turning) continue;
    add(&x, slope[3 * k], moved);
    add(&y, slope[3 * k + 1], moved);
    add(&z, slope[3 * k + 2], moved);
  }
  return (field){u, {x, y, z}};
}

// (68), with grad u as it is in (60): its transpose, as printed, would turn the wrong way. Of every node
// u - grad u (X - origin) and grad u, with one number of the vertex.
static inline field sum_blend(const mote_elastic_skin *s, size_t first, size_t number) {
  const uint32_t *index = mote_mls_shapes_lists(s->shapes)->index + first;
  const double *share = mote_mls_shapes_value(s->shapes) + first;
  lanes u = {0}, x = {0}, y = {0}, z = {0};
  for (size_t k = 0; k < number; ++k) {
    const double *node = s->node + BLENDED * (size_t)index[k];
    add(&u, share[k], load(node));
    add(&x, share[k], load(node + 4));
    add(&y, share[k], load(node + 8));
    add(&z, share[k], load(node + 12));
  }
  return (field){u, {x, y, z}};
}

static inline void column(const field *at, int axis, double out[3]) {
  set3(at->along[axis].xy[0], at->along[axis].xy[1], at->along[axis].z[0], out);
  out[axis] += 1.0;
}

// cof(1 + g) n, of length 1. Columns of a cofactor are cross products of the other two.
static inline void turn_normal(const field *at, const double n[3], double out[3]) {
  double x[3], y[3], z[3], yz[3], zx[3], xy[3];
  column(at, 0, x), column(at, 1, y), column(at, 2, z);
  cross3(y, z, yz), cross3(z, x, zx), cross3(x, y, xy);
  for (int k = 0; k < 3; ++k) out[k] = yz[k] * n[0] + zx[k] * n[1] + xy[k] * n[2];
  double length = length3(out), over = length > 0.0 ? 1.0 / length : 1.0;
  for (int k = 0; k < 3; ++k) out[k] *= over;
}

// Lists end where no processor expects it, and the next one's numbers are then waited for.
static inline void fetch(const void *from, size_t bytes) {
  for (size_t k = 0; k < bytes; k += 64) __builtin_prefetch((const char *)from + k);
}

static inline void fetch_vertex(const mote_elastic_skin *s, const mote_lists *lists, size_t i, bool turning) {
  size_t first = lists->first[i], number = lists->number[i];
  fetch(lists->index + first, number * sizeof *lists->index);
  fetch(mote_mls_shapes_value(s->shapes) + first, number * sizeof(double));
  if (turning) fetch(mote_mls_shapes_gradient(s->shapes) + 3 * first, 3 * number * sizeof(double));
}

typedef struct skin_job {
  const mote_elastic_skin *skin;
  double *vertex, *normal;  // normal may be null
} skin_job;

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const skin_job *job = data;
  const mote_elastic_skin *s = job->skin;
  const mote_lists *lists = mote_mls_shapes_lists(s->shapes);
  bool slopes = s->kind == MOTE_SKIN_SHAPES && job->normal != NULL;
  for (size_t i = begin; i < end; ++i) {
    field at;
    const double *rest = s->vertex + 3 * i;
    if (i + AHEAD < end) fetch_vertex(s, lists, i + AHEAD, slopes);
    if (s->kind == MOTE_SKIN_SHAPES) {
      at = sum_shapes(s, lists->first[i], lists->number[i], slopes);
    } else {
      at = sum_blend(s, lists->first[i], lists->number[i]);
      for (int c = 0; c < 3; ++c) add(&at.u, rest[c] - s->origin[c], at.along[c]);
    }
    const double u[3] = {at.u.xy[0], at.u.xy[1], at.u.z[0]};
    step3(rest, 1.0, u, job->vertex + 3 * i);
    if (job->normal != NULL) turn_normal(&at, s->normal + 3 * i, job->normal + 3 * i);
  }
}

// What each node gives to its vertices: its displacement; with (68) also its gradient, by columns.
static void find_nodes(mote_elastic_skin *s, const double *position) {
  size_t n = s->body->count;
  if (s->kind == MOTE_SKIN_SHAPES) {
    for (size_t i = 0; i < n; ++i) sub3(position + 3 * i, s->rest + 3 * i, s->node + MOVED * i);
    return;
  }
  mote_elastic_fit(s->body, position, true, s->body->fit);
  for (size_t i = 0; i < n; ++i) {
    double g[9], off[3], change[3], *node = s->node + BLENDED * i;
    mote_elastic_gradient(s->body, s->body->fit, i, g);
    sub3(s->rest + 3 * i, s->origin, off);
    turn3(g, off, change);
    sub3(position + 3 * i, s->rest + 3 * i, node);
    sub3(node, change, node);
    for (int c = 0; c < 3; ++c) set3(g[c], g[3 + c], g[6 + c], node + 4 * (c + 1));
  }
}

mote_result mote_elastic_skin_move(mote_elastic_skin *skin, const double *position, double *vertex,
                                   double *normal, mote_error *error) {
  if (skin == NULL || vertex == NULL)
    return mote_fail_key(error, skin == NULL ? "skin" : "vertex", "is null");
  MOTE_TRY(mote_elastic_check_numbers("position", position, 3 * skin->body->count, error));
  find_nodes(skin, position);
  skin_job job = {.skin = skin, .vertex = vertex, .normal = skin->normal != NULL ? normal : NULL};
  mote_parallel_for(skin->body->env.threads, skin->count, GRAIN, move_chunk, &job);
  return MOTE_OK;
}
