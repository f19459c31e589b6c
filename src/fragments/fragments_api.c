// The public fragments of a shape: see mote/fragments.h.
#include <math.h>
#include <mote/fragments.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "fragments/cut_mesh.h"
#include "fragments/fragment_sharpen.h"
#include "fragments/fragment_simplify.h"
#include "fragments/tuning.inc"
#include "geom/tri_cross.h"
#include "geom/triple.h"

#define DEFAULT_EDGES 64  // along the longest side of the bounds
// Rounds in which moves that make triangles cross are halved; then they are undone
#define MOVE_HALVINGS_MAX 6
#define SHORTEN_ROUNDS 40  // in all

struct mote_fragments {
  mote_env env;
  const mote_shape *shape;
  size_t least_nodes;
  double gap;
  bool slits;
  mote_cut_grid *grid;
  mote_cut_mesh cut;
};

mote_fragments_def mote_fragments_def_default(void) {
  return (mote_fragments_def){.least_nodes = 8};
}

static double distance_to(void *user, const double x[3]) {
  return mote_shape_distance(user, x);
}

// How a vertex moves when the gap opens.
typedef struct gap_move {
  double by[3], size;  // m; before that: sums of the walls' normals, and of their lengths
  bool wall;
} gap_move;

static void add_wall_normals(const mote_fragments *f, gap_move *move) {
  const mote_mesh *mesh = &f->cut.mesh;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *v = mesh->triangle + 3 * t;
    double u[3], w[3], n[3];
    if (!f->cut.wall[t]) continue;
    sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], u);
    sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], w);
    cross3(u, w, n);
    for (int k = 0; k < 3; ++k) {
      gap_move *to = move + v[k];
      step3(to->by, 1.0, n, to->by);
      to->size += length3(n), to->wall = true;
    }
  }
}

// Outer vertices beside a corner of a wall and less than a gap before it step back: their order stays.
static void step_back(const mote_fragments *f, const gap_move *corner, const double at[3], const double x[3],
                      gap_move *move) {
  double from[3];
  if (!corner->wall || !(corner->size > 0.0) || move->wall) return;
  sub3(x, at, from);
  double height = dot3(from, corner->by) / corner->size;
  double size = 0.5 * (f->gap - (height > 0.0 ? height : 0.0));
  if (!(size > move->size)) return;
  for (int k = 0; k < 3; ++k) move->by[k] = corner->by[k] * size / corner->size;
  move->size = size;
}

// Scratch memory of opening the gap.
typedef struct gap_work {
  gap_move *move;            // of each vertex
  double *vertex;            // after the moves
  uint8_t *changed;          // vertices whose moves are not yet tested
  uint8_t *moved, *crosses;  // triangles
} gap_work;

static void apply_moves(const mote_fragments *f, gap_work *w) {
  const mote_mesh *mesh = &f->cut.mesh;
  for (size_t v = 0; v < mesh->vertices; ++v)
    if (w->changed[v]) step3(mesh->vertex + 3 * v, 1.0, w->move[v].by, w->vertex + 3 * v);
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *v = mesh->triangle + 3 * t;
    w->moved[t] = w->changed[v[0]] || w->changed[v[1]] || w->changed[v[2]];
  }
}

static void scale_crossing(const mote_fragments *f, gap_work *w, double factor) {
  const mote_mesh *mesh = &f->cut.mesh;
  memset(w->changed, 0, mesh->vertices);
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    uint32_t v = mesh->triangle[k];
    double *by = w->move[v].by;
    if (!w->crosses[k / 3] || !(length3(by) > 0.0)) continue;
    for (int axis = 0; axis < 3; ++axis) by[axis] *= factor;
    w->changed[v] = 1;
  }
}

// Halves the moves of triangles that would cross others of their piece, until none do. At rest none do.
static mote_result shorten_moves(const mote_fragments *f, gap_work *w, mote_error *error) {
  mote_mesh moved = f->cut.mesh;
  bool any = true;
  moved.vertex = w->vertex;
  memcpy(w->vertex, f->cut.mesh.vertex, 3 * moved.vertices * sizeof *w->vertex);
  for (size_t v = 0; v < moved.vertices; ++v) w->changed[v] = length3(w->move[v].by) > 0.0;
  for (int round = 0; any; ++round) {
    apply_moves(f, w);
    MOTE_TRY(mote_mesh_mark_crossings(&moved, f->cut.fragment, w->moved, &f->env, w->crosses, &any, error));
    any &= round < SHORTEN_ROUNDS;
    if (any) scale_crossing(f, w, round < MOVE_HALVINGS_MAX ? 0.5 : 0.0);
  }
  return MOTE_OK;
}

// Moves walls back by half the gap along their normals. At fronts, where both sides meet, normals cancel and
// the walls stay together.
static mote_result move_walls(mote_fragments *f, gap_work *w, mote_error *error) {
  mote_mesh *mesh = &f->cut.mesh;
  gap_move *move = w->move;
  for (size_t v = 0; v < mesh->vertices; ++v) move[v] = (gap_move){.wall = false};
  add_wall_normals(f, move);
  for (size_t v = 0; v < mesh->vertices; ++v) {
    double length = length3(move[v].by), factor = length > 0.1 * move[v].size ? -0.5 * f->gap / length : 0.0;
    for (int k = 0; k < 3; ++k) move[v].by[k] *= factor;
    move[v].size = factor != 0.0 ? 0.5 * f->gap : 0.0;
  }
  for (size_t k = 0; k < 9 * mesh->triangles; ++k) {
    const uint32_t *v = mesh->triangle + 3 * (k / 9);
    size_t a = v[k % 9 / 3], b = v[k % 3];
    if (!f->cut.wall[k / 9]) step_back(f, move + a, mesh->vertex + 3 * a, mesh->vertex + 3 * b, move + b);
  }
  mote_result result = shorten_moves(f, w, error);
  if (result == MOTE_OK) memcpy(mesh->vertex, w->vertex, 3 * mesh->vertices * sizeof *w->vertex);
  return result;
}

static mote_result open_gap(mote_fragments *f, mote_error *error) {
  mote_arena own = mote_arena_make(&f->env);
  size_t vertices = f->cut.mesh.vertices, triangles = f->cut.mesh.triangles;
  gap_work w = {.move = mote_arena_take(&own, vertices, sizeof *w.move),
                .vertex = mote_arena_take(&own, 3 * vertices, sizeof *w.vertex),
                .changed = mote_arena_take(&own, vertices, sizeof *w.changed),
                .moved = mote_arena_take(&own, triangles, sizeof *w.moved),
                .crosses = mote_arena_take(&own, triangles, sizeof *w.crosses)};
  bool taken = w.move && w.vertex && w.changed && w.moved && w.crosses;
  mote_result result = taken ? move_walls(f, &w, error)
                             : mote_fail_memory(error, vertices * (sizeof *w.move + 3 * sizeof *w.vertex));
  mote_arena_destroy(&own);
  return result;
}

static mote_result renew(mote_fragments *f, mote_error *error) {
  MOTE_TRY(mote_cut_grid_divide(f->grid, f->least_nodes, NULL, error));
  if (!f->slits) mote_cut_grid_close_slits(f->grid, NULL, NULL);
  MOTE_TRY(mote_cut_mesh_make(f->grid, &f->cut, error));
  return f->gap > 0.0 ? open_gap(f, error) : MOTE_OK;
}

// Of the bounds, m.
static double longest_side(const mote_shape *shape) {
  double low[3], high[3], longest = 0.0;
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < 3; ++k) longest = max2(longest, high[k] - low[k]);
  return longest;
}

static mote_result make(mote_fragments *f, const mote_fragments_def *def, mote_error *error) {
  mote_cut_grid_def grid = {.distance = distance_to, .edge = def->edge};
  double longest = longest_side(def->shape);
  // The callback's user is not const; it only reads.
  grid.user = (void *)(uintptr_t)def->shape;
  mote_shape_bounds(def->shape, grid.low, grid.high);
  if (!isfinite(longest)) return mote_fail_key(error, "shape", "has no bounds");
  if (def->gap > longest)
    return mote_fail_key(error, "gap", "a gap of %g m is longer than the shape, %g m", def->gap, longest);
  if (grid.edge == 0.0) grid.edge = longest / DEFAULT_EDGES;
  if (grid.edge > longest)
    return mote_fail_key(error, "edge", "an edge of %g m is longer than the shape, %g m", grid.edge, longest);
  MOTE_TRY(mote_cut_grid_create(&grid, &f->env, &f->grid, error));
  return renew(f, error);
}

mote_result mote_fragments_create(const mote_fragments_def *def, const mote_env *env, mote_fragments **out,
                                  mote_error *error) {
  if (def == NULL || out == NULL || def->shape == NULL)
    return mote_fail_key(error, def == NULL ? "def" : out == NULL ? "out" : "shape", "is null");
  if (!(def->gap >= 0.0) || !isfinite(def->gap))
    return mote_fail_key(error, "gap", "is %g, not a length", def->gap);
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_fragments, f, &resolved, 1, error);
  *f = (mote_fragments){.env = resolved,
                        .shape = def->shape,
                        .least_nodes = def->least_nodes,
                        .gap = def->gap,
                        .slits = def->slits};
  mote_result result = make(f, def, error);
  if (result == MOTE_OK) {
    *out = f;
  } else {
    mote_fragments_destroy(f);
  }
  return result;
}

void mote_fragments_destroy(mote_fragments *fragments) {
  if (fragments == NULL) return;
  mote_env env = fragments->env;
  mote_cut_mesh_free(&fragments->cut, &env);
  mote_cut_grid_destroy(fragments->grid);
  mote_free(&env, fragments, 1, sizeof *fragments);
}

mote_result mote_fragments_cut(mote_fragments *fragments, const double *corner, size_t triangles,
                               mote_error *error) {
  if (fragments == NULL || (corner == NULL && triangles > 0))
    return mote_fail_key(error, fragments == NULL ? "fragments" : "corner", "is null");
  MOTE_TRY(mote_cut_grid_add(fragments->grid, corner, triangles, error));
  return renew(fragments, error);
}

mote_fragments_view mote_fragments_look(const mote_fragments *fragments) {
  if (fragments == NULL) return (mote_fragments_view){.fragments = 0};
  const mote_cut_mesh *cut = &fragments->cut;
  return (mote_fragments_view){.mesh = cut->mesh,
                               .fragment = cut->fragment,
                               .wall = cut->wall,
                               .fragments = fragments->grid->fragments};
}

mote_result mote_fragments_sharpen(mote_fragments *fragments, mote_error *error) {
  if (fragments == NULL) return mote_fail_key(error, "fragments", "is null");
  return mote_cut_mesh_sharpen(&fragments->cut, fragments->shape, 2.0 * fragments->grid->half,
                               &fragments->env, error);
}

mote_simplify_def mote_simplify_def_default(void) {
  return (mote_simplify_def){.volume = 2.5e-4};
}

mote_result mote_fragments_simplify(mote_fragments *fragments, const mote_simplify_def *def,
                                    mote_error *error) {
  if (fragments == NULL || def == NULL)
    return mote_fail_key(error, fragments == NULL ? "fragments" : "def", "is null");
  if (!(def->deviation >= 0.0) || !isfinite(def->deviation))
    return mote_fail_key(error, "deviation", "is %g, not a length", def->deviation);
  double longest = longest_side(fragments->shape);
  if (def->deviation > longest)
    return mote_fail_key(error, "deviation", "a deviation of %g m is longer than the shape, %g m",
                         def->deviation, longest);
  if (!(def->volume >= 0.0 && def->volume <= 1.0))
    return mote_fail_key(error, "volume", "is %g, not a part from 0 to 1", def->volume);
  if (def->values > 0 && def->value == NULL) return mote_fail_key(error, "value", "is null");
  double edge = 2.0 * fragments->grid->half;
  double deviation = def->deviation > 0.0 ? def->deviation : DEVIATION_SHARE * edge;
  mote_simplify_limits limits = {.shape = fragments->shape,
                                 .outer = deviation,
                                 .wall = fragments->gap > 0.0 ? deviation : 2.0 * deviation,
                                 .volume = def->volume * mote_mesh_volume(&fragments->cut.mesh),
                                 .value = def->value,
                                 .values = def->values};
  return mote_cut_mesh_simplify(&fragments->cut, &limits, edge, &fragments->env, error);
}

mote_result mote_fragments_take(const mote_fragments *fragments, uint32_t fragment, const mote_env *env,
                                mote_mesh *out, mote_error *error) {
  if (fragments == NULL || out == NULL)
    return mote_fail_key(error, fragments == NULL ? "fragments" : "out", "is null");
  if (fragment >= fragments->grid->fragments)
    return mote_fail_key(error, "fragment", "is %u of %zu", fragment, fragments->grid->fragments);
  return mote_cut_mesh_take(&fragments->cut, fragment, env, out, error);
}
