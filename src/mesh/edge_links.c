// Flips, collapses and splits of half-edges: see edge_links.h.
#include "mesh/edge_links.h"

static void join_twins(mote_half_edges *e, uint32_t h, uint32_t g) {
  e->twin[h] = g;
  e->twin[g] = h;
}

// Edges of the origin of h.
static int valence(const mote_half_edges *e, uint32_t h) {
  int n = 0;
  uint32_t at = h;
  do ++n, at = mote_edge_around(e, at);
  while (at != h && n < 1000);
  return n;
}

// Whether an edge leads from the origin of h to v.
static bool joins(const mote_half_edges *e, uint32_t h, uint32_t v) {
  uint32_t at = h;
  do {
    if (mote_edge_end(e, at) == v) return true;
    at = mote_edge_around(e, at);
  } while (at != h);
  return false;
}

bool mote_edge_may_flip(const mote_half_edges *e, uint32_t h) {
  uint32_t g = e->twin[h];
  if (valence(e, h) < 4 || valence(e, g) < 4) return false;
  return !joins(e, mote_edge_previous(h), e->origin[mote_edge_previous(g)]);
}

void mote_edge_flip(mote_half_edges *e, uint32_t h) {
  MOTE_ASSERT(mote_edge_may_flip(e, h));
  uint32_t g = e->twin[h], hn = mote_edge_next(h), hp = mote_edge_previous(h);
  uint32_t gn = mote_edge_next(g), gp = mote_edge_previous(g);
  uint32_t outer_h = e->twin[gn], outer_g = e->twin[hn];
  e->first[e->origin[h]] = h, e->first[e->origin[g]] = g;
  e->first[e->origin[hp]] = hp, e->first[e->origin[gp]] = gp;
  e->origin[hn] = e->origin[gp];
  e->origin[gn] = e->origin[hp];
  join_twins(e, h, outer_h);
  join_twins(e, g, outer_g);
  join_twins(e, hn, gn);
  mote_half_edges_check_triangle(e, h / 3), mote_half_edges_check_triangle(e, g / 3);
}

bool mote_edge_may_collapse(const mote_half_edges *e, uint32_t h) {
  uint32_t g = e->twin[h], near[MOTE_EDGES_MOST], at = h;
  int count = 0, others = 0, common = 0;
  do {
    if (count == MOTE_EDGES_MOST) return false;
    near[count++] = mote_edge_end(e, at), at = mote_edge_around(e, at);
  } while (at != h);
  at = g;
  do {
    uint32_t v = mote_edge_end(e, at);
    for (int i = 0; i < count; ++i) common += near[i] == v;
    ++others, at = mote_edge_around(e, at);
  } while (at != g && others < 1000);
  if (common != 2 || (count == 3 && others == 3)) return false;
  return valence(e, mote_edge_previous(h)) > 3 && valence(e, mote_edge_previous(g)) > 3;
}

void mote_edge_collapse(mote_half_edges *e, uint32_t h) {
  MOTE_ASSERT(mote_edge_may_collapse(e, h));
  uint32_t g = e->twin[h], a = e->origin[h], b = e->origin[g], at = h;
  uint32_t ring_edge[MOTE_EDGES_MOST];
  int count = 0;
  do ring_edge[count++] = at, at = mote_edge_around(e, at);
  while (at != h);
  for (int i = 0; i < count; ++i) e->origin[ring_edge[i]] = b;
  uint32_t pair[2][2] = {{e->twin[mote_edge_next(h)], e->twin[mote_edge_previous(h)]},
                         {e->twin[mote_edge_previous(g)], e->twin[mote_edge_next(g)]}};
  e->first[a] = MOTE_NO_EDGE;
  e->first[b] = pair[0][1];
  e->first[e->origin[mote_edge_previous(h)]] = pair[0][0];
  e->first[e->origin[mote_edge_previous(g)]] = pair[1][1];
  join_twins(e, pair[0][0], pair[0][1]);
  join_twins(e, pair[1][0], pair[1][1]);
  for (int k = 0; k < 3; ++k) e->origin[h / 3 * 3 + k] = e->origin[g / 3 * 3 + k] = MOTE_TRIANGLE_GONE;
  mote_half_edges_check_triangle(e, pair[0][0] / 3), mote_half_edges_check_triangle(e, pair[1][0] / 3);
}

// The triangles (a, b, c) of h and (b, a, d) of its twin g become (a, m, c), (m, b, c), (m, a, d), (b, m, d).
void mote_edge_split(mote_half_edges *e, uint32_t h, uint32_t m, uint32_t s, uint32_t t) {
  MOTE_ASSERT(m < e->vertices && s < e->triangles && t < e->triangles && s != t);
  MOTE_ASSERT(e->first[m] == MOTE_NO_EDGE);
  uint32_t g = e->twin[h], hn = mote_edge_next(h), hp = mote_edge_previous(h), gp = mote_edge_previous(g);
  uint32_t b = e->origin[g], c = e->origin[hp], d = e->origin[gp];
  uint32_t mb = 3 * s, bc = mb + 1, cm = mb + 2, bm = 3 * t, md = bm + 1, db = bm + 2;
  uint32_t outer_bc = e->twin[hn], outer_db = e->twin[gp];
  e->origin[mb] = m, e->origin[bc] = b, e->origin[cm] = c;
  e->origin[bm] = b, e->origin[md] = m, e->origin[db] = d;
  e->origin[hn] = e->origin[g] = m;
  join_twins(e, bc, outer_bc), join_twins(e, db, outer_db);
  join_twins(e, mb, bm), join_twins(e, cm, hn), join_twins(e, md, gp);
  e->first[m] = mb, e->first[b] = bc;
  uint32_t changed[4] = {h / 3, g / 3, s, t};
  for (int k = 0; k < 4; ++k) mote_half_edges_check_triangle(e, changed[k]);
}
