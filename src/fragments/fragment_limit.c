// Limits the stretch of triangles: see fragment_limit.h. Sides that are too long are shortened iteratively:
// each vertex moves by the mean of the corrections of its sides.
#include "fragments/fragment_limit.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

#define TRIANGLES_PER_CHUNK 4096
#define MOVE_ROUNDS 40   // of moves before all triangles are looked at again
#define LIMIT_PASSES 12  // at all triangles

typedef struct limiting {
  const mote_mesh *rest;
  double times, *vertex;
  uint8_t *state;    // of each triangle: 0: short, 1: near the limit, 2: beyond it
  uint32_t *active;  // triangles with a state
  size_t count;
  double *longest;  // of each of them, at rest
  double *move;     // of each vertex: sum of moves, and how many
} limiting;

static double longest_side(const double *vertex, const uint32_t *t) {
  double most = 0.0;
  for (int k = 0; k < 3; ++k) {
    double off[3];
    sub3(vertex + 3 * (size_t)t[k], vertex + 3 * (size_t)t[(k + 1) % 3], off);
    most = max2(most, dot3(off, off));
  }
  return sqrt(most);
}

static void find_long_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const limiting *l = data;
  for (size_t t = begin; t < end; ++t) {
    const uint32_t *corner = l->rest->triangle + 3 * t;
    double now = longest_side(l->vertex, corner), most = l->times * longest_side(l->rest->vertex, corner);
    l->state[t] = now > most ? 2 : now > NEAR_LIMIT * most;
  }
}

// Returns the number of triangles beyond the limit.
static size_t find_long(limiting *l, const mote_env *env) {
  size_t beyond = 0;
  mote_parallel_for(env->threads, l->rest->triangles, TRIANGLES_PER_CHUNK, find_long_chunk, l);
  l->count = 0;
  for (size_t t = 0; t < l->rest->triangles; ++t) {
    beyond += l->state[t] == 2;
    if (l->state[t] == 0) continue;
    l->longest[l->count] = longest_side(l->rest->vertex, l->rest->triangle + 3 * t);
    l->active[l->count++] = (uint32_t)t;
  }
  return beyond;
}

// Sums the corrections of the ends of sides that are too long; returns whether there are any.
static bool ask(limiting *l) {
  bool any = false;
  for (size_t k = 0; k < l->count; ++k) {
    const uint32_t *corner = l->rest->triangle + 3 * (size_t)l->active[k];
    double most = l->times * l->longest[k];
    for (int side = 0; side < 3; ++side) {
      double *a = l->vertex + 3 * (size_t)corner[side], *b = l->vertex + 3 * (size_t)corner[(side + 1) % 3];
      double off[3], length = distance3(a, b);
      if (!(length > most)) continue;
      sub3(b, a, off);
      double part = 0.5 * (1.0 - LENGTH_TARGET * most / length);
      double *to_a = l->move + 4 * (size_t)corner[side], *to_b = l->move + 4 * (size_t)corner[(side + 1) % 3];
      step3(to_a, part, off, to_a), step3(to_b, -part, off, to_b);
      to_a[3] += 1.0, to_b[3] += 1.0;
      any = true;
    }
  }
  return any;
}

static void apply(limiting *l) {
  for (size_t k = 0; k < 3 * l->count; ++k) {
    size_t v = l->rest->triangle[3 * (size_t)l->active[k / 3] + k % 3];
    double *move = l->move + 4 * v;
    if (move[3] > 0.0) step3(l->vertex + 3 * v, 1.0 / move[3], move, l->vertex + 3 * v);
    for (int a = 0; a < 4; ++a) move[a] = 0.0;
  }
}

mote_result mote_fragment_limit(const mote_mesh *rest, double times, const mote_env *env, double *vertex,
                                size_t *left, mote_error *error) {
  MOTE_ASSERT(rest != NULL && times > 1.0 && vertex != NULL && left != NULL);
  mote_arena own = mote_arena_make(env);
  limiting l = {.rest = rest, .times = times, .vertex = vertex};
  l.state = mote_arena_take(&own, rest->triangles, sizeof *l.state);
  l.active = mote_arena_take(&own, rest->triangles, sizeof *l.active);
  l.longest = mote_arena_take(&own, rest->triangles, sizeof *l.longest);
  l.move = mote_arena_take(&own, 4 * rest->vertices, sizeof *l.move);
  mote_result result = MOTE_OK;
  *left = 0;
  if (l.state == NULL || l.active == NULL || l.longest == NULL || l.move == NULL) {
    result = mote_fail_memory(error, rest->triangles * 16 + 4 * rest->vertices * sizeof *l.move);
  } else {
    for (size_t k = 0; k < 4 * rest->vertices; ++k) l.move[k] = 0.0;
    *left = find_long(&l, env);
    for (int n = 0; n < LIMIT_PASSES && *left != 0; ++n) {
      for (int round = 0; round < MOVE_ROUNDS && ask(&l); ++round) apply(&l);
      *left = find_long(&l, env);
    }
  }
  mote_arena_destroy(&own);
  return result;
}
