// Tetrahedra with cut edges, and the vertices on their edges and faces: see cut_records.h. Every vertex has
// one closed fan of triangles by construction: crack faces are followed around an edge and across a face, and
// all triangle corners that meet in this way get one vertex.
#include "fragments/cut_records.h"

#include <math.h>

#include "fragments/tuning.inc"
#include "geom/triple.h"

mote_result mote_cut_add_vertex(mote_cut_records *r, const double x[3], uint32_t inner, uint32_t *out,
                                mote_error *error) {
  mote_cut_mesh *m = r->out;
  size_t v = m->mesh.vertices;
  MOTE_ASSERT(inner < r->grid->nodes && r->grid->inside[inner]);
  const mote_env *env = &r->grid->env;
  MOTE_TRY(mote_reserve(env, &m->mesh.vertex, &m->vertex_capacity, 3 * (v + 1), sizeof(double), error));
  MOTE_TRY(mote_reserve(env, &m->inner, &m->inner_capacity, v + 1, sizeof(uint32_t), error));
  copy3(x, m->mesh.vertex + 3 * v);
  m->inner[v] = inner;
  *out = (uint32_t)m->mesh.vertices++;
  return MOTE_OK;
}

// Nodes at the corners of a tetrahedron.
static void find_corners(const mote_cut_grid *grid, uint32_t tetra, uint32_t node[4]) {
  uint32_t even = tetra / MOTE_TETRAS;
  for (int c = 0; c < 4; ++c) {
    const int8_t *d = grid->table.corner[tetra % MOTE_TETRAS][c];
    node[c] = grid->number[grid->site[even] + mote_cut_grid_step(grid, 0, d)];
  }
}

// --- Pieces -----------------------------------------------------------------------------------------------

static void find_pieces(const mote_cut_grid *g, mote_cut_record *t) {
  unsigned tetra = t->tetra % MOTE_TETRAS;
  t->apart = 0;
  for (int c = 0; c < 4; ++c) t->piece[c] = g->inside[t->node[c]] ? (uint8_t)c : MOTE_PIECE_OUTSIDE;
  for (int e = 0; e < MOTE_TETRA_EDGES; ++e) {
    t->mark[e] = g->mark[MOTE_NODE_EDGES * t->node[g->table.owner[tetra][e]] + g->table.type[tetra][e]];
    if (t->mark[e] != MOTE_CUT_NONE) t->apart |= (uint8_t)(1u << e);
  }
  // Two rounds reach from any corner to any other.
  for (int e = 0; e < 2 * MOTE_TETRA_EDGES; ++e) {
    uint8_t *a = t->piece + mote_tetra_ends[e % 6][0], *b = t->piece + mote_tetra_ends[e % 6][1];
    if (t->apart >> e % 6 & 1 || *a == *b) continue;
    uint8_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    for (int c = 0; c < 4; ++c)
      if (t->piece[c] == high) t->piece[c] = low;
  }
}

static void make_record(const mote_cut_grid *g, uint32_t tetra, mote_cut_record *t) {
  *t = (mote_cut_record){.tetra = tetra};
  for (int f = 0; f < 4; ++f)
    for (int k = 0; k < 3; ++k) t->face[f].vertex[k] = t->face[f].middle[k] = MOTE_CUT_NONE;
  find_corners(g, tetra, t->node);
  find_pieces(g, t);
}

static mote_result add_record(mote_cut_records *r, uint32_t tetra, mote_error *error) {
  mote_cut_grid *g = r->grid;
  if (g->record[tetra] != MOTE_CUT_NONE) return MOTE_OK;
  MOTE_TRY(mote_reserve(&g->env, &r->record, &r->capacity, r->records + 1, sizeof *r->record, error));
  make_record(g, tetra, r->record + r->records);
  g->record[tetra] = (uint32_t)r->records++;
  return MOTE_OK;
}

const mote_cut_record *mote_cut_record_of(const mote_cut_records *r, uint32_t tetra, mote_cut_record *own) {
  const mote_cut_grid *g = r->grid;
  if (g->record[tetra] != MOTE_CUT_NONE) return r->record + g->record[tetra];
  make_record(g, tetra, own);
  return own;
}

mote_result mote_cut_add_spot(mote_cut_records *r, mote_cut_spot spot, mote_error *error) {
  const mote_cut_record *t = r->record + spot.record;
  bool outside = false;
  for (int c = 0; c < 4; ++c) outside |= t->piece[c] == MOTE_PIECE_OUTSIDE;
  if (!outside) return MOTE_OK;
  MOTE_TRY(mote_reserve(&r->grid->env, &r->spot, &r->spot_capacity, r->spots + 1, sizeof *r->spot, error));
  r->spot[r->spots++] = spot;
  return MOTE_OK;
}

// --- About edges ------------------------------------------------------------------------------------------

// The tetrahedron at a position of an edge's ring.
static uint32_t ring_tetra(const mote_cut_grid *g, uint32_t edge, int position) {
  uint32_t owner = edge / MOTE_NODE_EDGES;
  int parity = mote_cut_grid_parity(g, owner);
  const mote_tetra_at *at = g->table.ring[parity][edge % MOTE_NODE_EDGES] + position;
  uint32_t even = g->number[g->site[owner] + mote_cut_grid_step(g, parity, at->offset)];
  return MOTE_TETRAS * even + at->tetra;
}

static int ring_size(const mote_cut_grid *g, uint32_t edge) {
  return g->table.ring_size[mote_cut_grid_parity(g, edge / MOTE_NODE_EDGES)][edge % MOTE_NODE_EDGES];
}

// Positions at which a run of separated tetrahedra begins.
static unsigned run_starts(const mote_cut_ring *ring, int size) {
  unsigned before = (unsigned)(ring->separated << 1 | ring->separated >> (size - 1));
  return ring->separated & ~before & ring->full;
}

static void cut_point(const mote_cut_grid *g, const mote_edge_cut *cut, double x[3]) {
  double to[3], off[3];
  mote_cut_grid_position(g, cut->edge / MOTE_NODE_EDGES, x);
  mote_cut_grid_position(g, mote_cut_grid_end(g, cut->edge), to);
  sub3(to, x, off);
  step3(x, cut->at, off, x);
}

// The vertices of a cut: one on each side if the ends are separated in all tetrahedra around the edge; else
// one for every run of tetrahedra in which they are: both sides meet at the ends of the run.
static mote_result add_ring(mote_cut_records *r, size_t c, mote_error *error) {
  const mote_cut_grid *g = r->grid;
  const mote_edge_cut *cut = g->cut + c;
  uint32_t owner = cut->edge / MOTE_NODE_EDGES, end = mote_cut_grid_end(g, cut->edge), added;
  int size = ring_size(g, cut->edge);
  mote_cut_ring ring = {.first = (uint32_t)r->out->mesh.vertices, .full = (uint8_t)((1u << size) - 1)};
  double x[3];
  for (int k = 0; k < size; ++k) {
    const mote_cut_record *t = r->record + g->record[ring_tetra(g, cut->edge, k)];
    int a = 0, b = 0;
    while (t->node[a] != owner) ++a;
    while (t->node[b] != end) ++b;
    if (t->piece[a] != t->piece[b]) ring.separated |= (uint8_t)(1u << k);
  }
  r->ring[c] = ring;
  cut_point(g, cut, x);
  if (ring.separated == ring.full) {
    MOTE_TRY(mote_cut_add_vertex(r, x, owner, &added, error));
    return mote_cut_add_vertex(r, x, end, &added, error);
  }
  for (unsigned left = run_starts(&ring, size); left != 0; left &= left - 1)
    MOTE_TRY(mote_cut_add_vertex(r, x, owner, &added, error));
  return MOTE_OK;
}

uint32_t mote_cut_edge_vertex(const mote_cut_records *r, const mote_cut_record *t, int corner, int other) {
  const mote_cut_grid *g = r->grid;
  int edge = mote_tetra_edge[corner][other];
  uint32_t mark = t->mark[edge];
  MOTE_ASSERT(mark != MOTE_CUT_NONE && g->inside[t->node[corner]]);
  if (t->piece[other] == MOTE_PIECE_OUTSIDE) return mark;
  const mote_cut_ring *ring = r->ring + mark;
  unsigned tetra = t->tetra % MOTE_TETRAS;
  if (ring->separated == ring->full) return ring->first + (g->table.owner[tetra][edge] != corner);
  int size = ring_size(g, g->cut[mark].edge), at = g->table.position[tetra][edge];
  unsigned starts = run_starts(ring, size), index = 0;
  MOTE_ASSERT(ring->separated >> at & 1);
  while (!(starts >> at & 1)) at = (at + size - 1) % size;
  for (int k = 0; k < at; ++k) index += starts >> k & 1;
  return ring->first + index;
}

// --- On faces ---------------------------------------------------------------------------------------------

// A face with its two tetrahedra; corner k of the face is corner at[s][k] of tetrahedron s.
typedef struct face_pair {
  mote_cut_record *t[2];
  int face[2], at[2][3];
} face_pair;

static face_pair pair_of(const mote_cut_records *r, mote_cut_record *t, int face) {
  const mote_cut_grid *g = r->grid;
  const mote_tetra_at *beyond = g->table.beyond[t->tetra % MOTE_TETRAS] + face;
  uint32_t even = g->number[g->site[t->tetra / MOTE_TETRAS] + mote_cut_grid_step(g, 0, beyond->offset)];
  MOTE_ASSERT(even != MOTE_CUT_NONE && g->record[MOTE_TETRAS * even + beyond->tetra] != MOTE_CUT_NONE);
  face_pair p = {.t = {t, r->record + g->record[MOTE_TETRAS * even + beyond->tetra]}, .face = {face, 6}};
  for (int k = 0; k < 3; ++k) {
    p.at[0][k] = mote_tetra_face[face][k];
    while (p.t[1]->node[p.at[1][k]] != t->node[p.at[0][k]]) ++p.at[1][k];
    p.face[1] -= p.at[1][k];
  }
  return p;
}

// Position of the pair's corner k among the corners of tetrahedron s's face.
static int slot_of(const face_pair *p, int s, int k) {
  int slot = 0;
  while (mote_tetra_face[p->face[s]][slot] != p->at[s][k]) ++slot;
  return slot;
}

// The segment between the pair's corners k and k + 1, as tetrahedron s numbers it.
static int segment_of(const face_pair *p, int s, int k) {
  int a = slot_of(p, s, k), b = slot_of(p, s, (k + 1) % 3);
  return (a + 1) % 3 == b ? a : b;
}

static bool is_separated(const face_pair *p, int s, int k, int l) {
  return p->t[s]->piece[p->at[s][k]] != p->t[s]->piece[p->at[s][l]];
}

void mote_cut_edge_point(const mote_cut_records *r, const mote_cut_record *t, int a, int b, double x[3]) {
  uint32_t mark = t->mark[mote_tetra_edge[a][b]];
  bool surface = t->piece[a] == MOTE_PIECE_OUTSIDE || t->piece[b] == MOTE_PIECE_OUTSIDE;
  MOTE_ASSERT(mark != MOTE_CUT_NONE);
  if (surface) {
    copy3(r->out->mesh.vertex + 3 * (size_t)mark, x);
  } else {
    cut_point(r->grid, r->grid->cut + mark, x);
  }
}

// The point where the crack between corners a and b meets the outer segment of a face whose third corner is
// outside.
static void rim_point(const mote_cut_records *r, const mote_cut_record *t, int a, int b, int o, double x[3]) {
  double cut[3], from[3], to[3], off[3], span[3];
  mote_cut_edge_point(r, t, a, b, cut);
  mote_cut_edge_point(r, t, a, o, from), mote_cut_edge_point(r, t, b, o, to);
  const double *n = r->grid->cut[t->mark[mote_tetra_edge[a][b]]].normal;
  sub3(to, from, span), sub3(cut, from, off);
  double along = dot3(n, span), share = along != 0.0 ? dot3(n, off) / along : 0.5;
  share = isfinite(share) ? min2(max2(share, MOTE_CUT_LEAST_SHARE), 1.0 - MOTE_CUT_LEAST_SHARE) : 0.5;
  step3(from, share, span, x);
}

void mote_cut_face_point(const mote_cut_records *r, const mote_cut_record *t, int face, double x[3]) {
  const uint8_t *c = mote_tetra_face[face];
  set3(0.0, 0.0, 0.0, x);
  for (int k = 0; k < 3; ++k) {
    double e[3];
    int next = (k + 1) % 3, last = (k + 2) % 3;
    if (t->piece[c[k]] == MOTE_PIECE_OUTSIDE) {
      rim_point(r, t, c[next], c[last], c[k], x);
      return;
    }
    mote_cut_edge_point(r, t, c[k], c[next], e);
    step3(x, 1.0 / 3.0, e, x);
  }
}

static void join_sides(uint8_t class[6], int a, int b) {
  uint8_t low = class[a] < class[b] ? class[a] : class[b], high = class[a] < class[b] ? class[b] : class[a];
  for (int k = 0; k < 6; ++k)
    if (class[k] == high) class[k] = low;
}

// class[3 s + k]: walls at the face's point at the side of corner k in tetrahedron s that are one fan.
static void find_classes(const face_pair *p, uint8_t class[6]) {
  for (uint8_t k = 0; k < 6; ++k) class[k] = k;
  for (int k = 0; k < 3; ++k) {
    int next = (k + 1) % 3;
    bool apart[2] = {is_separated(p, 0, k, next), is_separated(p, 1, k, next)};
    for (int s = 0; s < 2; ++s) {
      if (apart[0] && apart[1]) join_sides(class, s ? k : next, 3 + (s ? k : next));
      if (!apart[s] || !apart[1 - s]) join_sides(class, 3 * s + k, 3 * s + next);
    }
  }
}

static bool has_wall(const face_pair *p, int s, int k) {
  if (p->t[s]->piece[p->at[s][k]] == MOTE_PIECE_OUTSIDE) return false;
  return is_separated(p, s, k, (k + 1) % 3) || is_separated(p, s, k, (k + 2) % 3);
}

// The vertices of a face with three regions.
static mote_result add_face_vertices(mote_cut_records *r, const face_pair *p, mote_error *error) {
  uint8_t class[6];
  uint32_t made[6];
  double x[3];
  mote_cut_face_point(r, p->t[0], p->face[0], x);
  find_classes(p, class);
  for (int k = 0; k < 6; ++k) made[k] = MOTE_CUT_NONE;
  for (int k = 0; k < 6; ++k) {
    int s = k / 3, c = k % 3;
    uint32_t *vertex = made + class[k];
    if (!has_wall(p, s, c)) continue;
    if (*vertex == MOTE_CUT_NONE) {
      MOTE_TRY(mote_cut_add_vertex(r, x, p->t[s]->node[p->at[s][c]], vertex, error));
      mote_cut_spot spot = {.kind = MOTE_SPOT_FACE, .vertex = *vertex, .face = p->face[0]};
      spot.record = (uint32_t)(p->t[0] - r->record);
      MOTE_TRY(mote_cut_add_spot(r, spot, error));
    }
    p->t[s]->face[p->face[s]].vertex[slot_of(p, s, c)] = *vertex;
  }
  return MOTE_OK;
}

static mote_result add_middle(mote_cut_records *r, const face_pair *p, int k, uint32_t a, uint32_t b,
                              uint32_t inner, mote_error *error) {
  double x[3], off[3];
  uint32_t middle;
  const double *vertex = r->out->mesh.vertex;
  sub3(vertex + 3 * (size_t)b, vertex + 3 * (size_t)a, off);
  step3(vertex + 3 * (size_t)a, 0.5, off, x);
  MOTE_TRY(mote_cut_add_vertex(r, x, inner, &middle, error));
  for (int s = 0; s < 2; ++s) p->t[s]->face[p->face[s]].middle[segment_of(p, s, k)] = middle;
  mote_cut_spot spot = {.kind = MOTE_SPOT_MIDDLE, .vertex = middle, .end = {a, b}};
  spot.record = (uint32_t)(p->t[0] - r->record);
  return mote_cut_add_spot(r, spot, error);
}

// Divides segments whose two sides have the same ends although there are crack faces on both sides of the
// face.
static mote_result divide_segments(mote_cut_records *r, const face_pair *p, int regions, int lone,
                                   mote_error *error) {
  const mote_cut_record *t = p->t[0];
  const int *at = p->at[0];
  for (int k = 0; k < 3; ++k) {
    int a = at[k], b = at[(k + 1) % 3], c = at[(k + 2) % 3];
    if (t->piece[a] == MOTE_PIECE_OUTSIDE || t->piece[b] == MOTE_PIECE_OUTSIDE) continue;
    if (!is_separated(p, 0, k, (k + 1) % 3) || !is_separated(p, 1, k, (k + 1) % 3)) continue;
    uint32_t here = mote_cut_edge_vertex(r, t, a, b);
    if (here != mote_cut_edge_vertex(r, t, b, a)) continue;
    if (regions == 3) {
      const uint32_t *vertex = t->face[p->face[0]].vertex;
      if (vertex[k] != vertex[(k + 1) % 3]) continue;
      MOTE_TRY(
          add_middle(r, p, k, here, vertex[k], t->node[a] < t->node[b] ? t->node[a] : t->node[b], error));
    } else if (k == lone) {  // from the edge after the lone corner to the edge before it
      uint32_t there = t->piece[c] == MOTE_PIECE_OUTSIDE ? MOTE_CUT_NONE : mote_cut_edge_vertex(r, t, a, c);
      if (there == MOTE_CUT_NONE || there != mote_cut_edge_vertex(r, t, c, a)) continue;
      MOTE_TRY(add_middle(r, p, k, here, there, t->node[a], error));
    }
  }
  return MOTE_OK;
}

static mote_result add_faces(mote_cut_records *r, size_t index, mote_error *error) {
  for (int f = 0; f < 4; ++f) {
    mote_cut_record *t = r->record + index;
    int lone, regions = mote_cut_face_regions(t, f, &lone);
    bool cut = false;
    for (int k = 0; k < 3; ++k) {
      int a = mote_tetra_face[f][k], b = mote_tetra_face[f][(k + 1) % 3];
      cut |= mote_cut_is_apart(t, a, b) && t->piece[a] != MOTE_PIECE_OUTSIDE &&
             t->piece[b] != MOTE_PIECE_OUTSIDE;
    }
    if (regions == 1 || !cut) continue;
    face_pair p = pair_of(r, t, f);
    if (p.t[1] < t) continue;  // done from there
    if (regions == 3) MOTE_TRY(add_face_vertices(r, &p, error));
    MOTE_TRY(divide_segments(r, &p, regions, lone, error));
  }
  return MOTE_OK;
}

// --- All --------------------------------------------------------------------------------------------------

mote_result mote_cut_records_make(mote_cut_records *r, mote_error *error) {
  const mote_cut_grid *g = r->grid;
  r->memory = mote_arena_make(&g->env);
  MOTE_TAKE(r->ring, &r->memory, g->cuts + 1, error);
  for (size_t c = 0; c < g->cuts; ++c) {
    uint32_t edge = g->cut[c].edge;
    if (g->mark[edge] == MOTE_CUT_NONE) continue;
    for (int k = 0; k < ring_size(g, edge); ++k) MOTE_TRY(add_record(r, ring_tetra(g, edge, k), error));
  }
  for (size_t c = 0; c < g->cuts; ++c)
    if (g->mark[g->cut[c].edge] != MOTE_CUT_NONE) MOTE_TRY(add_ring(r, c, error));
  for (size_t k = 0; k < r->records; ++k) MOTE_TRY(add_faces(r, k, error));
  return MOTE_OK;
}

void mote_cut_records_free(mote_cut_records *r) {
  for (size_t k = 0; k < r->records; ++k) r->grid->record[r->record[k].tetra] = MOTE_CUT_NONE;
  mote_free(&r->grid->env, r->record, r->capacity, sizeof *r->record);
  mote_free(&r->grid->env, r->spot, r->spot_capacity, sizeof *r->spot);
  mote_free(&r->grid->env, r->patch, r->patch_capacity, sizeof *r->patch);
  mote_arena_destroy(&r->memory);
}
