// Surface points that were moved to a crack are returned to their edges, by halving their displacement, where
// triangles would cross: see cut_mesh.h. With all points on their edges and faces no triangles cross. The
// displacement of points is a piecewise linear map of the grid, linear on the parts of its tetrahedra; where
// every part keeps its orientation, no triangles cross either. A part is the region of one piece, or of the
// outside; its orientation is kept if its boundary is star-shaped about a point. Theory:
// docs/theory/fragments.md, "No crossings"
#include "fragments/cut_records.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

#define PORTIONS_MOST 6       // triangles of a face: three regions of two
#define POINT_HALVINGS_MAX 2  // of a point's way from its edge, before it is back on it

typedef struct untangling {
  mote_cut_records *r;
  uint8_t *kept;    // of each surface point: how often it may be taken back; 0: it is on its edge
  uint32_t *round;  // of each: the round in which it was taken back, from 1; 0: never
  uint32_t now;
} untangling;

// A triangle of a face of a tetrahedron, and the piece that it belongs to.
typedef struct portion {
  const double *x[3];
  uint8_t piece;
} portion;

// Positions of a tetrahedron's nodes, and of the points on its edges and faces.
typedef struct tetra_points {
  double node[4][3], edge[MOTE_TETRA_EDGES][3], face[4][3];
} tetra_points;

static bool is_surface(const mote_cut_record *t, int edge) {
  int a = mote_tetra_ends[edge][0], b = mote_tetra_ends[edge][1];
  return (t->piece[a] == MOTE_PIECE_OUTSIDE) != (t->piece[b] == MOTE_PIECE_OUTSIDE);
}

static void find_points(const mote_cut_records *r, const mote_cut_record *t, tetra_points *p) {
  for (int c = 0; c < 4; ++c) mote_cut_grid_position(r->grid, t->node[c], p->node[c]);
  for (int e = 0; e < MOTE_TETRA_EDGES; ++e) {
    if (t->mark[e] != MOTE_CUT_NONE)
      mote_cut_edge_point(r, t, mote_tetra_ends[e][0], mote_tetra_ends[e][1], p->edge[e]);
  }
  for (int f = 0; f < 4; ++f) {
    int lone;
    if (mote_cut_face_regions(t, f, &lone) == 3) mote_cut_face_point(r, t, f, p->face[f]);
  }
}

static portion *add_portion(portion *to, const double *a, const double *b, const double *c, uint8_t piece) {
  *to = (portion){{a, b, c}, piece};
  return to + 1;
}

// Triangulation of a face, counter-clockwise seen from outside; the same for both of its tetrahedra.
static int list_portions(const mote_cut_record *t, const tetra_points *p, int face, portion *out) {
  const uint8_t *c = mote_tetra_face[face];
  int lone, regions = mote_cut_face_regions(t, face, &lone);
  portion *to = out;
  if (regions == 1) {
    to = add_portion(to, p->node[c[0]], p->node[c[1]], p->node[c[2]], t->piece[c[0]]);
  } else if (regions == 2) {
    int a = c[lone], b = c[(lone + 1) % 3], d = c[(lone + 2) % 3];
    const double *P = p->edge[mote_tetra_edge[a][b]], *Q = p->edge[mote_tetra_edge[a][d]];
    bool low = t->node[b] < t->node[d];
    to = add_portion(to, p->node[a], P, Q, t->piece[a]);
    to = add_portion(to, P, p->node[b], low ? Q : p->node[d], t->piece[b]);
    to = add_portion(to, low ? p->node[b] : P, p->node[d], Q, t->piece[b]);
  } else {
    for (int k = 0; k < 3; ++k) {
      int a = c[k], b = c[(k + 1) % 3], d = c[(k + 2) % 3];
      to = add_portion(to, p->node[a], p->edge[mote_tetra_edge[a][b]], p->face[face], t->piece[a]);
      to = add_portion(to, p->node[a], p->face[face], p->edge[mote_tetra_edge[a][d]], t->piece[a]);
    }
  }
  return (int)(to - out);
}

// Six times the volume of the tetrahedron of these points; positive where the triangle's outer side faces
// away from `from`.
static double volume_from(const double from[3], const double *const x[3]) {
  double u[3], v[3], w[3], n[3];
  sub3(x[0], from, u), sub3(x[1], from, v), sub3(x[2], from, w);
  cross3(v, w, n);
  return dot3(u, n);
}

// Points inside and outside of the body about which the parts of a tetrahedron with one polygon are
// star-shaped.
static void find_eyes(const mote_cut_record *t, const tetra_points *p, double eye[2][3]) {
  double count[2] = {0.0, 0.0};
  for (int k = 0; k < 2; ++k) set3(0.0, 0.0, 0.0, eye[k]);
  for (int c = 0; c < 4; ++c) {
    int k = t->piece[c] == MOTE_PIECE_OUTSIDE;
    step3(eye[k], 1.0, p->node[c], eye[k]), count[k] += 1.0;
  }
  for (int e = 0; e < MOTE_TETRA_EDGES; ++e) {
    for (int k = 0; k < 2 && is_surface(t, e); ++k) step3(eye[k], 1.0, p->edge[e], eye[k]), count[k] += 1.0;
  }
  for (int k = 0; k < 2; ++k)
    for (int a = 0; a < 3; ++a) eye[k][a] /= count[k];
}

static bool is_untangled(const mote_cut_records *r, const mote_cut_record *t, const mote_cut_patch *patch) {
  const mote_mesh *mesh = &r->out->mesh;
  tetra_points p;
  double eye[2][3], half = r->grid->half, least = LEAST_VOLUME * half * half * half;
  find_points(r, t, &p);
  if (patch->centre == MOTE_CUT_NONE) {
    find_eyes(t, &p, eye);
  } else {
    for (int k = 0; k < 2; ++k) copy3(mesh->vertex + 3 * (size_t)patch->centre, eye[k]);
  }
  for (int f = 0; f < 4; ++f) {
    portion all[PORTIONS_MOST];
    int count = list_portions(t, &p, f, all);
    for (int k = 0; k < count; ++k)
      if (!(volume_from(eye[all[k].piece == MOTE_PIECE_OUTSIDE], all[k].x) > least)) return false;
  }
  for (size_t k = patch->first; k < patch->first + patch->count && patch->centre == MOTE_CUT_NONE; ++k) {
    const uint32_t *v = mesh->triangle + 3 * k;
    const double *const x[3] = {mesh->vertex + 3 * (size_t)v[0], mesh->vertex + 3 * (size_t)v[1],
                                mesh->vertex + 3 * (size_t)v[2]};
    if (!(volume_from(eye[0], x) > least) || !(-volume_from(eye[1], x) > least)) return false;
  }
  return true;
}

// Returns the point that is farthest from its edge, halfway or all the way; false: no point is off its edge.
static bool take_back(untangling *u, const mote_cut_record *t) {
  double *vertex = u->r->out->mesh.vertex, most = -1.0, place[3] = {0};
  uint32_t worst = MOTE_CUT_NONE;
  for (int e = 0; e < MOTE_TETRA_EDGES; ++e) {
    double x[3];
    if (!is_surface(t, e) || !u->kept[t->mark[e]]) continue;
    mote_cut_grid_crossing(u->r->grid, t->mark[e], x);
    double moved = distance3(x, vertex + 3 * (size_t)t->mark[e]);
    if (moved > most) most = moved, worst = t->mark[e], copy3(x, place);
  }
  if (worst == MOTE_CUT_NONE) return false;
  double *x = vertex + 3 * (size_t)worst;
  bool last = --u->kept[worst] == 0;
  for (int a = 0; a < 3; ++a) x[a] = last ? place[a] : 0.5 * (x[a] + place[a]);
  u->round[worst] = u->now;
  return true;
}

// Whether a surface point of the tetrahedron was returned in this round.
static bool has_changed(const untangling *u, const mote_cut_record *t, uint32_t round) {
  for (int e = 0; e < MOTE_TETRA_EDGES; ++e)
    if (is_surface(t, e) && u->round[t->mark[e]] == round) return true;
  return false;
}

// Updates the positions of vertices on faces and in tetrahedra.
static void follow(untangling *u) {
  const mote_cut_records *r = u->r;
  double *vertex = r->out->mesh.vertex;
  for (size_t k = 0; k < r->spots; ++k) {
    const mote_cut_spot *s = r->spot + k;
    const mote_cut_record *t = r->record + s->record;
    double *x = vertex + 3 * (size_t)s->vertex;
    if (!has_changed(u, t, u->now)) continue;
    if (s->kind == MOTE_SPOT_FACE) {
      mote_cut_face_point(r, t, s->face, x);
    } else if (s->kind == MOTE_SPOT_CENTRE) {
      mote_cut_centre(r, t, x);
    } else {
      const double *a = vertex + 3 * (size_t)s->end[0], *b = vertex + 3 * (size_t)s->end[1];
      for (int axis = 0; axis < 3; ++axis) x[axis] = a[axis] + 0.5 * (b[axis] - a[axis]);
    }
  }
}

mote_result mote_cut_untangle(mote_cut_records *r, mote_error *error) {
  const mote_cut_grid *g = r->grid;
  untangling u = {.r = r};
  bool again = r->patches > 0;
  MOTE_TAKE(u.kept, &r->memory, g->surfaces, error);
  MOTE_TAKE(u.round, &r->memory, g->surfaces, error);
  for (size_t k = 0; k < g->surfaces; ++k)
    u.kept[k] = g->drawn[k] ? POINT_HALVINGS_MAX + 1 : 0, u.round[k] = 0;
  // Each round returns at least one point.
  for (u.now = 1; again; ++u.now) {
    again = false;
    for (size_t k = 0; k < r->patches; ++k) {
      mote_cut_record own;
      const mote_cut_record *t = mote_cut_record_of(r, r->patch[k].tetra, &own);
      if (u.now > 1 && !has_changed(&u, t, u.now - 1)) continue;
      if (!is_untangled(r, t, r->patch + k)) again |= take_back(&u, t);
    }
    follow(&u);
  }
  return MOTE_OK;
}
