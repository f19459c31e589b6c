// Triangles of the fragments of a cut grid: see cut_mesh.h. The boundary of a piece of a tetrahedron is a
// loop of segments on the tetrahedron's faces; it is filled by a polygon, or by a fan around a vertex inside.
#include "fragments/cut_mesh.h"

#include <string.h>

#include "fragments/cut_records.h"
#include "geom/triple.h"

#define LOOP_MOST 24  // four faces with three segments each, each of them divided

typedef struct segment {
  uint32_t from, to;
  uint8_t wall;
} segment;

// Segments of one side of a tetrahedron's walls; `shared`: bits of those whose start is also a vertex of the
// other side.
typedef struct loop {
  segment part[LOOP_MOST];
  int length;
  bool fan;  // needs a vertex inside
} loop;

static mote_result add_triangle(mote_cut_records *r, uint32_t a, uint32_t b, uint32_t c, uint8_t wall,
                                uint32_t fragment, mote_error *error) {
  mote_cut_mesh *m = r->out;
  const mote_env *env = &r->grid->env;
  size_t t = m->mesh.triangles;
  if (3 * (t + 1) > m->triangle_capacity || t + 1 > m->fragment_capacity || t + 1 > m->wall_capacity) {
    MOTE_TRY(
        mote_reserve(env, &m->mesh.triangle, &m->triangle_capacity, 3 * (t + 1), sizeof(uint32_t), error));
    MOTE_TRY(mote_reserve(env, &m->fragment, &m->fragment_capacity, t + 1, sizeof(uint32_t), error));
    MOTE_TRY(mote_reserve(env, &m->wall, &m->wall_capacity, t + 1, sizeof(uint8_t), error));
  }
  uint32_t *triangle = m->mesh.triangle + 3 * t;
  triangle[0] = a, triangle[1] = b, triangle[2] = c;
  m->fragment[t] = fragment;
  m->wall[t] = wall;
  ++m->mesh.triangles;
  return MOTE_OK;
}

// --- Loops ------------------------------------------------------------------------------------------------

static void add_segment(loop *l, uint32_t from, uint32_t to, uint32_t middle, bool wall) {
  if (middle != MOTE_CUT_NONE) {
    add_segment(l, from, middle, MOTE_CUT_NONE, wall);
    from = middle;
    l->fan = true;
  }
  MOTE_ASSERT(l->length < LOOP_MOST && from != to);
  l->part[l->length++] = (segment){from, to, wall};
}

// A face with two regions: the segment from the edge before the lone corner to the one after it, seen from
// the lone corner's piece; the other way for the other two.
static void add_pair_segment(const mote_cut_records *r, const mote_cut_record *t, int face, int lone,
                             int piece, loop *l) {
  const uint8_t *c = mote_tetra_face[face];
  int a = c[lone], b = c[(lone + 1) % 3], d = c[(lone + 2) % 3];
  bool wall = t->piece[a] != MOTE_PIECE_OUTSIDE && t->piece[b] != MOTE_PIECE_OUTSIDE;
  if (t->piece[a] == t->piece[b]) return;
  if (t->piece[a] == piece) {
    const uint32_t *m = t->face[face].middle;
    uint32_t middle = m[0] != MOTE_CUT_NONE ? m[0] : m[1] != MOTE_CUT_NONE ? m[1] : m[2];
    add_segment(l, mote_cut_edge_vertex(r, t, a, d), mote_cut_edge_vertex(r, t, a, b), middle, wall);
  } else if (t->piece[b] == piece) {
    add_segment(l, mote_cut_edge_vertex(r, t, b, a), mote_cut_edge_vertex(r, t, d, a), MOTE_CUT_NONE, wall);
  }
}

// A face with three regions: from its vertex to an edge, seen from the corner before the edge.
static void add_star_segments(const mote_cut_records *r, const mote_cut_record *t, int face, int piece,
                              loop *l) {
  const uint8_t *c = mote_tetra_face[face];
  const mote_cut_face *of = t->face + face;
  for (int k = 0; k < 3; ++k) {
    int next = (k + 1) % 3, a = c[k], b = c[next];
    bool wall = t->piece[a] != MOTE_PIECE_OUTSIDE && t->piece[b] != MOTE_PIECE_OUTSIDE;
    if (t->piece[a] == t->piece[b]) continue;
    l->fan = true;
    bool lower = t->node[a] < t->node[b];
    if (t->piece[a] == piece)
      add_segment(l, of->vertex[k], mote_cut_edge_vertex(r, t, a, b), lower ? of->middle[k] : MOTE_CUT_NONE,
                  wall);
    if (t->piece[b] == piece)
      add_segment(l, mote_cut_edge_vertex(r, t, b, a), of->vertex[next],
                  lower ? MOTE_CUT_NONE : of->middle[k], wall);
  }
}

static void find_loop(const mote_cut_records *r, const mote_cut_record *t, int piece, loop *l) {
  l->length = 0;
  l->fan = false;
  for (int f = 0; f < 4; ++f) {
    int lone, regions = mote_cut_face_regions(t, f, &lone);
    if (regions == 2) add_pair_segment(r, t, f, lone, piece, l);
    if (regions == 3) add_star_segments(r, t, f, piece, l);
  }
}

// Links the segments to a loop.
static void sort_loop(loop *l) {
  for (int k = 1; k < l->length; ++k) {
    int next = k;
    while (next < l->length && l->part[next].from != l->part[k - 1].to) ++next;
    MOTE_ASSERT(next < l->length);
    segment found = l->part[next];
    l->part[next] = l->part[k];
    l->part[k] = found;
  }
  MOTE_ASSERT(l->length >= 3 && l->part[l->length - 1].to == l->part[0].from);
}

// --- Filling ----------------------------------------------------------------------------------------------

// Position of the fan's centre: on the outer surface if the tetrahedron contains some, between the points
// where cracks cross its faces there; else the mean of all points of the walls.
static void find_centre(const mote_cut_records *r, const mote_cut_record *t, const loop *l, double x[3]) {
  const double *vertex = r->out->mesh.vertex;
  double rim[3] = {0}, all[3] = {0};
  int rims = 0, count = 0;
  for (int f = 0; f < 4; ++f) {
    const uint8_t *c = mote_tetra_face[f];
    int lone, outside = 0;
    if (mote_cut_face_regions(t, f, &lone) < 3) continue;
    uint32_t at = MOTE_CUT_NONE;
    for (int k = 0; k < 3; ++k) {
      outside += t->piece[c[k]] == MOTE_PIECE_OUTSIDE;
      if (t->face[f].vertex[k] != MOTE_CUT_NONE) at = t->face[f].vertex[k];
    }
    if (outside == 0 || at == MOTE_CUT_NONE) continue;
    step3(rim, 1.0, vertex + 3 * (size_t)at, rim);
    ++rims;
  }
  for (int k = 0; k < l->length; ++k) step3(all, 1.0, vertex + 3 * (size_t)l->part[k].from, all), ++count;
  for (int k = 0; k < 3; ++k) x[k] = rims > 1 ? rim[k] / rims : all[k] / count;
}

void mote_cut_centre(const mote_cut_records *r, const mote_cut_record *t, double x[3]) {
  loop l;
  int first = 0;
  while (t->piece[first] != first) ++first;
  find_loop(r, t, first, &l);
  sort_loop(&l);
  find_centre(r, t, &l, x);
}

static mote_result fill_fan(mote_cut_records *r, const mote_cut_record *t, int piece, const loop *l,
                            const double centre[3], uint32_t *out, mote_error *error) {
  uint32_t node = t->node[piece], fragment = r->grid->fragment[node], v;
  MOTE_TRY(mote_cut_add_vertex(r, centre, node, &v, error));
  mote_cut_spot spot = {.kind = MOTE_SPOT_CENTRE, .vertex = v, .record = (uint32_t)(t - r->record)};
  MOTE_TRY(mote_cut_add_spot(r, spot, error));
  *out = v;
  for (int k = 0; k < l->length; ++k) {
    const segment *s = l->part + k;
    MOTE_TRY(add_triangle(r, v, s->from, s->to, s->wall, fragment, error));
  }
  return MOTE_OK;
}

static mote_result fill_polygon(mote_cut_records *r, const loop *l, int diagonal, uint32_t fragment,
                                mote_error *error) {
  const segment *s = l->part;
  if (l->length == 3) return add_triangle(r, s[0].from, s[1].from, s[2].from, s[0].wall, fragment, error);
  uint32_t v[4];
  for (int k = 0; k < 4; ++k) v[k] = s[(k + diagonal) % 4].from;
  MOTE_TRY(add_triangle(r, v[0], v[1], v[2], s[0].wall, fragment, error));
  return add_triangle(r, v[0], v[2], v[3], s[0].wall, fragment, error);
}

static bool has_vertex(const loop *l, uint32_t vertex) {
  for (int k = 0; k < l->length; ++k)
    if (l->part[k].from == vertex) return true;
  return false;
}

// First corner of the diagonal of a polygon, 0 or 1; -1: it needs a fan, because both sides would have the
// same triangle or the same diagonal. `other`: the other side's loop, of length 0 if that side is outside.
static int choose_diagonal(const loop *l, const loop *other) {
  MOTE_ASSERT(l->length >= 3 && l->length <= LOOP_MOST);
  bool shared[LOOP_MOST];
  int all = 0;
  for (int k = 0; k < l->length; ++k) all += shared[k] = has_vertex(other, l->part[k].from);
  if (l->fan || l->length > 4 || all == l->length) return -1;
  if (l->length == 3) return 0;
  return !(shared[0] && shared[2]) ? 0 : !(shared[1] && shared[3]) ? 1 : -1;
}

// Both sides of a polygon have the same diagonal: the other's loop begins at the same point.
static void turn_loop(const mote_cut_records *r, const loop *l, loop *other) {
  const double *vertex = r->out->mesh.vertex;
  for (int turn = 0; turn < other->length; ++turn) {
    if (memcmp(vertex + 3 * (size_t)l->part[0].from, vertex + 3 * (size_t)other->part[0].from,
               3 * sizeof(double)) == 0)
      return;
    segment first = other->part[0];
    memmove(other->part, other->part + 1, (size_t)(other->length - 1) * sizeof first);
    other->part[other->length - 1] = first;
  }
}

// Lists the tetrahedron with its triangles, from `first` on, if surface points of it were moved back.
static mote_result note_patch(mote_cut_records *r, const mote_cut_record *t, size_t first, uint32_t centre,
                              mote_error *error) {
  bool drawn = false;
  for (int e = 0; e < MOTE_TETRA_EDGES; ++e) {
    int a = mote_tetra_ends[e][0], b = mote_tetra_ends[e][1];
    bool surface = (t->piece[a] == MOTE_PIECE_OUTSIDE) != (t->piece[b] == MOTE_PIECE_OUTSIDE);
    drawn |= surface && r->grid->drawn[t->mark[e]];
  }
  if (!drawn) return MOTE_OK;
  MOTE_TRY(
      mote_reserve(&r->grid->env, &r->patch, &r->patch_capacity, r->patches + 1, sizeof *r->patch, error));
  uint32_t count = (uint32_t)(r->out->mesh.triangles - first);
  r->patch[r->patches++] = (mote_cut_patch){t->tetra, (uint32_t)first, count, centre};
  return MOTE_OK;
}

static mote_result fill_record(mote_cut_records *r, const mote_cut_record *t, mote_error *error) {
  loop l[4];
  int piece[4], pieces = 0;
  bool outside = false, fan = false;
  for (int c = 0; c < 4; ++c) {
    outside |= t->piece[c] == MOTE_PIECE_OUTSIDE;
    if (t->piece[c] == c) piece[pieces++] = c;
  }
  if (pieces + outside < 2) return MOTE_OK;
  for (int k = 0; k < pieces; ++k) {
    find_loop(r, t, piece[k], l + k);
    sort_loop(l + k);
    fan |= l[k].fan;
  }
  static const loop none = {.length = 0};
  int diagonal = pieces + outside > 2 || fan ? -1 : choose_diagonal(l, outside ? &none : l + 1);
  size_t first = r->out->mesh.triangles;
  uint32_t vertex = MOTE_CUT_NONE;
  if (diagonal < 0) {
    double centre[3];
    find_centre(r, t, l, centre);
    for (int k = 0; k < pieces; ++k) MOTE_TRY(fill_fan(r, t, piece[k], l + k, centre, &vertex, error));
    return note_patch(r, t, first, vertex, error);
  }
  if (pieces == 2) turn_loop(r, l, l + 1);
  for (int k = 0; k < pieces; ++k)
    MOTE_TRY(fill_polygon(r, l + k, diagonal, r->grid->fragment[t->node[piece[k]]], error));
  return note_patch(r, t, first, MOTE_CUT_NONE, error);
}

// --- The uncut outer surface ------------------------------------------------------------------------------

static mote_result fill_outer(mote_cut_records *r, uint32_t tetra, mote_error *error) {
  mote_cut_record own;
  const mote_cut_record *t = mote_cut_record_of(r, tetra, &own);
  loop l;
  int first = 0;
  while (t->piece[first] == MOTE_PIECE_OUTSIDE) ++first;
  find_loop(r, t, first, &l);
  sort_loop(&l);
  size_t triangles = r->out->mesh.triangles;
  MOTE_TRY(fill_polygon(r, &l, 0, r->grid->fragment[t->node[first]], error));
  return note_patch(r, t, triangles, MOTE_CUT_NONE, error);
}

static mote_result fill(mote_cut_records *r, mote_error *error) {
  const mote_cut_grid *g = r->grid;
  uint32_t added;
  for (size_t s = 0; s < g->surfaces; ++s) {
    uint32_t a = g->surface[s] / MOTE_NODE_EDGES;
    uint32_t inner = g->inside[a] ? a : mote_cut_grid_end(g, g->surface[s]);
    MOTE_TRY(mote_cut_add_vertex(r, g->point + 3 * s, inner, &added, error));
  }
  MOTE_TRY(mote_cut_records_make(r, error));
  for (size_t k = 0; k < g->outers; ++k)
    if (g->record[g->outer[k]] == MOTE_CUT_NONE) MOTE_TRY(fill_outer(r, g->outer[k], error));
  for (size_t k = 0; k < r->records; ++k) MOTE_TRY(fill_record(r, r->record + k, error));
  return mote_cut_untangle(r, error);
}

mote_result mote_cut_mesh_make(mote_cut_grid *grid, mote_cut_mesh *out, mote_error *error) {
  MOTE_ASSERT(grid != NULL && out != NULL);
  mote_cut_records r = {.grid = grid, .out = out};
  out->mesh.vertices = out->mesh.triangles = 0;
  mote_result result = fill(&r, error);
  mote_cut_records_free(&r);
  return result;
}

void mote_cut_mesh_free(mote_cut_mesh *mesh, const mote_env *env) {
  mote_env resolved = mote_env_resolve(env);
  mote_free(&resolved, mesh->mesh.vertex, mesh->vertex_capacity, sizeof(double));
  mote_free(&resolved, mesh->mesh.triangle, mesh->triangle_capacity, sizeof(uint32_t));
  mote_free(&resolved, mesh->inner, mesh->inner_capacity, sizeof(uint32_t));
  mote_free(&resolved, mesh->fragment, mesh->fragment_capacity, sizeof(uint32_t));
  mote_free(&resolved, mesh->wall, mesh->wall_capacity, sizeof(uint8_t));
  *mesh = (mote_cut_mesh){0};
}

mote_result mote_cut_mesh_take(const mote_cut_mesh *all, uint32_t fragment, const mote_env *env,
                               mote_mesh *out, mote_error *error) {
  MOTE_ASSERT(all != NULL && out != NULL);
  mote_env resolved = mote_env_resolve(env);
  size_t vertices = all->mesh.vertices, triangles = 0, used = 0, filled = 0;
  MOTE_ALLOC_NEW(uint32_t, number, &resolved, vertices, error);
  for (size_t v = 0; v < vertices; ++v) number[v] = MOTE_CUT_NONE;
  for (size_t t = 0; t < all->mesh.triangles; ++t) {
    if (all->fragment[t] != fragment) continue;
    ++triangles;
    for (int k = 0; k < 3; ++k) number[all->mesh.triangle[3 * t + k]] = 0;
  }
  for (size_t v = 0; v < vertices; ++v)
    if (number[v] != MOTE_CUT_NONE) number[v] = (uint32_t)used++;
  *out = (mote_mesh){.vertices = used, .triangles = triangles};
  out->vertex = mote_alloc(&resolved, 3 * used, sizeof *out->vertex);
  out->triangle = mote_alloc(&resolved, 3 * triangles, sizeof *out->triangle);
  bool made = out->vertex != NULL && out->triangle != NULL;
  for (size_t v = 0; v < vertices && made; ++v)
    if (number[v] != MOTE_CUT_NONE) copy3(all->mesh.vertex + 3 * v, out->vertex + 3 * (size_t)number[v]);
  for (size_t t = 0; t < all->mesh.triangles && made; ++t) {
    if (all->fragment[t] != fragment) continue;
    for (int k = 0; k < 3; ++k) out->triangle[3 * filled + k] = number[all->mesh.triangle[3 * t + k]];
    ++filled;
  }
  mote_free(&resolved, number, vertices, sizeof *number);
  if (!made) mote_mesh_free(out, &resolved);
  return made ? MOTE_OK : mote_fail_memory(error, 3 * used * sizeof(double));
}
