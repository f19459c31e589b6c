// Cleaning: triangles with small angles are mended one by one, each by what makes the worst triangle near by
// best (edge_ops.h), until none is left. Every op makes the worst of the triangles that it changes better, so
// that it ends; one that would make triangles cross is left out. docs/theory/marching_cubes.md
#include <mote/numeric.h>
#include <string.h>

#include "geom/triple.h"
#include "mesh/clean_cross.h"
#include "mesh/edge_ops.h"
#include "mesh/surface_parts.h"
#include "mesh/surface_rows.h"
#include "mesh/tri_quality.h"
#include "mesh/tuning.inc"

#define MEND_ROUNDS 64  // at each strictness
#define FORCE_ROUNDS 8
#define SPECK_TRIANGLES_MAX 32  // triangles of a part that goes when its angles stay small
#define LARGEST_ANGLE 0.5236    // range: 30 degrees and a little

// From strict to lenient: how far the surface may move, how far normals may turn.
typedef struct strictness {
  double deviation, bend;
  bool moves;
} strictness;
static const strictness stage[] = {
    {0.05, 0.7, false}, {0.15, 0.4, false}, {0.25, 0.1, false}, {0.25, 0.1, true}, {0.4, 0.0, true}};
#define STAGES (sizeof stage / sizeof *stage)

typedef struct cleaning {
  mote_half_edges edges;
  mote_surface surface;  // a copy that is changed in place; its triangles are not used
  double quality;        // wanted
  uint32_t *list, *next;
  size_t listed, queued;
  uint32_t *stamp;  // of each triangle, the round in which it was queued
  uint32_t round;
  mote_clean_cells cells;
  bool failed;  // out of memory
} cleaning;

static double quality_of(const double *x, const uint32_t v[3]) {
  double area2[3];
  return tri_quality(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], x + 3 * (size_t)v[2], area2);
}

static bool is_bad(const cleaning *c, uint32_t t) {
  return !mote_triangle_is_gone(&c->edges, t) &&
         quality_of(c->surface.mesh.vertex, c->edges.origin + 3 * (size_t)t) < c->quality;
}

static void queue(cleaning *c, uint32_t t) {
  if (c->stamp[t] == c->round) return;
  c->stamp[t] = c->round;
  c->next[c->queued++] = t;
}

// The triangles about v, and those beside them, may be worse or have become mendable.
static void queue_about(cleaning *c, uint32_t v) {
  uint32_t first = c->edges.first[v], h = first;
  if (h == MOTE_NO_EDGE) return;
  do {
    queue(c, h / 3);
    queue(c, c->edges.twin[mote_edge_next(h)] / 3);
    h = mote_edge_around(&c->edges, h);
  } while (h != first);
}

// Mends what is in the list; returns how many were changed.
static size_t mend_list(cleaning *c, const mote_edge_limits *limits) {
  size_t changed = 0;
  ++c->round;
  c->queued = 0;
  for (size_t i = 0; i < c->listed; ++i) {
    uint32_t t = c->list[i];
    if (!is_bad(c, t)) continue;
    mote_edge_op op = mote_edge_op_best(&c->edges, c->surface.mesh.vertex, t, limits);
    if (op.kind == MOTE_EDGE_NONE) continue;
    if (mote_clean_crosses(&c->cells, &op, &c->edges, c->surface.mesh.vertex)) continue;
    queue(c, t);
    uint32_t across = c->edges.origin[c->edges.twin[op.edge]];
    uint32_t v = mote_edge_op_do(&op, &c->edges, &c->surface);
    queue_about(c, v);
    const double *x = c->surface.mesh.vertex;
    bool entered = mote_clean_cells_enter(&c->cells, &c->edges, x, v) &&
                   (op.kind != MOTE_EDGE_FLIP || mote_clean_cells_enter(&c->cells, &c->edges, x, across));
    c->failed = c->failed || !entered;
    ++changed;
  }
  uint32_t *spare = c->list;
  c->list = c->next, c->next = spare;
  c->listed = 0;
  for (size_t i = 0; i < c->queued; ++i) {
    if (is_bad(c, c->list[i])) c->list[c->listed++] = c->list[i];
  }
  return changed;
}

static void list_bad(cleaning *c) {
  c->listed = 0;
  for (uint32_t t = 0; t < c->edges.triangles; ++t) {
    if (is_bad(c, t)) c->list[c->listed++] = t;
  }
}

static void mend(cleaning *c, const mote_edge_limits *limits) {
  list_bad(c);
  for (int round = 0; round < MEND_ROUNDS && c->listed; ++round) mend_list(c, limits);
}

// What resists is collapsed even if it makes its neighbours worse, and those are mended: there are fewer
// triangles each time.
static void mend_all(cleaning *c) {
  mote_edge_limits limits = {.quality = c->quality, .gain = QUALITY_GAIN};
  for (size_t t = 0; t < c->edges.triangles; ++t) c->stamp[t] = 0;
  for (size_t s = 0; s < STAGES; ++s) {
    limits.deviation = stage[s].deviation, limits.bend = stage[s].bend;
    limits.moves = stage[s].moves;
    mend(c, &limits);
  }
  limits.deviation = 1.0;
  for (int force = 0; force < FORCE_ROUNDS; ++force) {
    list_bad(c);
    limits.gain = 0.0;
    if (mend_list(c, &limits) == 0) break;
    limits.gain = QUALITY_GAIN;
    mend(c, &limits);
  }
}

static mote_result copy_surface(const mote_surface *surface, mote_arena *arena, const mote_env *env,
                                mote_surface *out, mote_error *error) {
  size_t n = surface->mesh.vertices;
  MOTE_TAKE_NEW(uint32_t, number, arena, n, error);
  for (uint32_t v = 0; v < n; ++v) number[v] = v;
  return mote_surface_select(surface, number, n, surface->mesh.triangle, 0, env, out, error);
}

// The surface that is left, without vertices that have no triangles.
static mote_result collect(cleaning *c, const mote_env *env, mote_surface *out, mote_error *error) {
  const mote_half_edges *e = &c->edges;
  uint32_t *number = c->edges.first;
  size_t vertices = 0, triangles = 0;
  for (size_t t = 0; t < e->triangles; ++t) {
    if (mote_triangle_is_gone(e, (uint32_t)t)) continue;
    memmove(e->origin + 3 * triangles++, e->origin + 3 * t, 3 * sizeof *e->origin);
  }
  for (size_t v = 0; v < e->vertices; ++v) {
    number[v] = number[v] == MOTE_NO_EDGE ? MOTE_ROW_GONE : (uint32_t)vertices++;
  }
  return mote_surface_select(&c->surface, number, vertices, e->origin, triangles, env, out, error);
}

// Leaves out parts of few triangles that still have small angles.
static mote_result drop_specks(mote_surface *surface, double quality, mote_arena *arena, const mote_env *env,
                               mote_error *error) {
  const mote_mesh *mesh = &surface->mesh;
  MOTE_TAKE_NEW(uint32_t, part, arena, mesh->vertices, error);
  size_t parts = mote_surface_parts(mesh, part);
  MOTE_TAKE_NEW(size_t, triangles, arena, parts, error);
  MOTE_TAKE_NEW(bool, stays, arena, parts, error);
  for (size_t p = 0; p < parts; ++p) triangles[p] = 0, stays[p] = true;
  for (size_t t = 0; t < mesh->triangles; ++t) ++triangles[part[mesh->triangle[3 * t]]];
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *v = mesh->triangle + 3 * t;
    if (triangles[part[v[0]]] <= SPECK_TRIANGLES_MAX && quality_of(mesh->vertex, v) < quality)
      stays[part[v[0]]] = false;
  }
  return mote_surface_keep_parts(surface, part, stays, arena, env, error);
}

static mote_result clean(mote_surface *surface, double angle, mote_arena *arena, const mote_env *env,
                         mote_error *error) {
  double sine = mote_sin(angle);
  size_t n = surface->mesh.triangles;
  cleaning c = {.quality = sine * sine};
  MOTE_TRY(mote_half_edges_create(&surface->mesh, env->threads, arena, &c.edges, error));
  MOTE_TAKE(c.list, arena, n, error);
  MOTE_TAKE(c.next, arena, n, error);
  MOTE_TAKE(c.stamp, arena, n, error);
  MOTE_TRY(copy_surface(surface, arena, env, &c.surface, error));
  mote_result result = mote_clean_cells_make(&c.edges, c.surface.mesh.vertex, arena, &c.cells, error);
  if (result == MOTE_OK) mend_all(&c);
  mote_half_edges_check(&c.edges);
  mote_surface made;
  if (result == MOTE_OK && c.failed)
    result = mote_fail_memory(error, c.cells.capacity * sizeof *c.cells.entry);
  if (result == MOTE_OK) result = collect(&c, env, &made, error);
  mote_surface_free(&c.surface, env);
  if (result) return result;
  result = drop_specks(&made, c.quality, arena, env, error);
  if (result) mote_surface_free(&made, env);
  if (!result) mote_surface_replace(surface, &made, env);
  return result;
}

mote_result mote_surface_clean(mote_surface *surface, double angle, const mote_env *env, mote_error *error) {
  MOTE_TRY(mote_surface_check(surface, error));
  if (!(angle >= 0.0 && angle <= LARGEST_ANGLE)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "an angle of 0 to 30 degrees is needed");
  }
  mote_env resolved = mote_env_resolve(env);
  mote_arena arena = mote_arena_make(&resolved);
  mote_result result = clean(surface, angle, &arena, &resolved, error);
  mote_arena_destroy(&arena);
  return result;
}
