// The skin of an elastic body: see elastic_skin.h. Both kinds are shape functions of moving least squares at
// the vertices, of order 1 for (67); of order 0, which are the normalised weights, for (68).
#include "surface/elastic_skin.h"

#include <math.h>
#include <mote/approx.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "solver/elastic_door.h"

#define GRAIN 256

struct mote_elastic_skin {
  mote_skin_kind kind;
  mote_elastic *body;
  mote_arena memory;
  size_t count;
  mote_mls_shapes *shapes;
  double *rest, *moved;      // of the particles: positions at rest, displacements
  double *vertex, *normal;   // at rest; normal may be null
  double *value, *gradient;  // displacement and its gradient at the vertices
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
  size_t n = s->body->count;
  s->rest = copy_of(&s->memory, def->position, 3 * n);
  s->moved = copy_of(&s->memory, NULL, 3 * n);
  s->vertex = copy_of(&s->memory, def->vertex, 3 * s->count);
  s->value = copy_of(&s->memory, NULL, 3 * s->count);
  s->gradient = copy_of(&s->memory, NULL, 9 * s->count);
  if (def->normal != NULL) s->normal = copy_of(&s->memory, def->normal, 3 * s->count);
  if (s->rest == NULL || s->moved == NULL || s->vertex == NULL || s->value == NULL || s->gradient == NULL ||
      (def->normal != NULL && s->normal == NULL)) {
    return mote_fail_memory(error, 9 * s->count * sizeof(double));
  }
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

// (68), with grad u as it is in (60): its transpose, as printed, would turn the wrong way.
static void blend_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_elastic_skin *s = data;
  const mote_lists *lists = mote_mls_shapes_lists(s->shapes);
  const double *share = mote_mls_shapes_value(s->shapes);
  for (size_t i = begin; i < end; ++i) {
    double u[3] = {0}, G[9] = {0}, g[9], off[3], change[3];
    for (size_t k = lists->first[i]; k < lists->first[i] + lists->number[i]; ++k) {
      size_t j = lists->index[k];
      mote_elastic_gradient(s->body, s->body->fit, j, g);
      sub3(s->vertex + 3 * i, s->rest + 3 * j, off);
      turn3(g, off, change);
      step3(u, share[k], s->moved + 3 * j, u);
      step3(u, share[k], change, u);
      for (int e = 0; e < 9; ++e) G[e] += share[k] * g[e];
    }
    copy3(u, s->value + 3 * i);
    memcpy(s->gradient + 9 * i, G, sizeof G);
  }
}

static mote_result find_displacements(mote_elastic_skin *s, const double *position, mote_error *error) {
  for (size_t i = 0; i < s->body->count; ++i) sub3(position + 3 * i, s->rest + 3 * i, s->moved + 3 * i);
  if (s->kind == MOTE_SKIN_SHAPES) {
    return mote_mls_apply(s->shapes, s->moved, 3, s->value, s->gradient, NULL, error);
  }
  mote_elastic_fit(s->body, position, true, s->body->fit);
  mote_parallel_for(s->body->env.threads, s->count, GRAIN, blend_chunk, s);
  return MOTE_OK;
}

// cof(1 + g) n, of length 1.
static void turn_normal(const double g[9], const double n[3], double out[3]) {
  double F[9], cof[9];
  for (int e = 0; e < 9; ++e) F[e] = g[e] + (e % 4 == 0);
  for (int r = 0; r < 3; ++r) cross3(F + 3 * ((r + 1) % 3), F + 3 * ((r + 2) % 3), cof + 3 * r);
  turn3(cof, n, out);
  double length = length3(out);
  for (int k = 0; k < 3 && length > 0.0; ++k) out[k] /= length;
}

mote_result mote_elastic_skin_move(mote_elastic_skin *skin, const double *position, double *vertex,
                                   double *normal, mote_error *error) {
  if (skin == NULL || vertex == NULL)
    return mote_fail_key(error, skin == NULL ? "skin" : "vertex", "is null");
  MOTE_TRY(mote_elastic_check_numbers("position", position, 3 * skin->body->count, error));
  MOTE_TRY(find_displacements(skin, position, error));
  for (size_t i = 0; i < skin->count; ++i) {
    step3(skin->vertex + 3 * i, 1.0, skin->value + 3 * i, vertex + 3 * i);
    if (normal != NULL && skin->normal != NULL) {
      turn_normal(skin->gradient + 9 * i, skin->normal + 3 * i, normal + 3 * i);
    }
  }
  return MOTE_OK;
}
