// Stars of points of a complex: see simplify_star.h.
#include "fragments/simplify_star.h"

#include "mesh/tri_quality.h"

static int find_spoke(mote_star *s, uint32_t point) {
  for (int k = 0; k < s->spokes; ++k)
    if (s->spoke[k].point == point) return k;
  s->spoke[s->spokes] = (mote_spoke){.point = point};
  return s->spokes++;
}

// Lists the triangles; false: too many.
static bool list_triangles(const mote_complex *c, mote_star *s) {
  uint32_t *link = c->first + s->point;
  while (*link != MOTE_CUT_NONE) {
    uint32_t corner = *link, row = corner / 3, k = corner % 3;
    if (!c->live[row]) {
      *link = c->next[corner];
      continue;
    }
    if (s->count == MOTE_STAR_MOST) return false;
    const uint32_t *v = c->corner + 3 * (size_t)row;
    MOTE_ASSERT(v[k] == s->point);
    s->row[s->count] = row, s->at[s->count] = (uint8_t)k;
    int from = find_spoke(s, v[(k + 1) % 3]), to = find_spoke(s, v[(k + 2) % 3]);
    s->from[s->count] = (uint8_t)from, s->to[s->count] = (uint8_t)to;
    ++s->spoke[from].triangles, ++s->spoke[from].leaving;
    ++s->spoke[to].triangles, ++s->spoke[to].arriving;
    ++s->count;
    link = c->next + corner;
  }
  return s->count > 0;
}

static bool same_page(const mote_complex *c, uint32_t a, uint32_t b) {
  return c->cut->fragment[a] == c->cut->fragment[b] && mote_complex_behind(c, a) == mote_complex_behind(c, b);
}

// The triangle that follows over the edge at which this one ends; -1: a curve.
static int follow(const mote_star *s, int triangle) {
  int over = s->to[triangle];
  if (s->spoke[over].curve) return -1;
  int k = 0;
  while (s->from[k] != over) ++k;
  return k;
}

// Numbers the triangles from `begin` on; the spoke at which they end, -1 if they come back.
static int walk_page(mote_star *s, int begin, int *walked) {
  int at = begin;
  do {
    s->page[at] = (uint8_t)s->pages;
    ++*walked;
    int next = follow(s, at);
    if (next < 0) return s->to[at];
    at = next;
  } while (at != begin);
  return -1;
}

// Pages; none if the point is no inner one of a surface, or of a curve in which surfaces meet.
static void find_pages(const mote_complex *c, mote_star *s) {
  int curves = 0, walked = 0;
  for (int k = 0; k < s->spokes; ++k)
    s->spoke[k].curve = s->spoke[k].leaving != 1 || s->spoke[k].arriving != 1;
  for (int a = 0; a < s->count; ++a)
    for (int b = 0; b < s->count; ++b)
      if (s->to[a] == s->from[b] && !same_page(c, s->row[a], s->row[b])) s->spoke[s->to[a]].curve = true;
  for (int k = 0; k < s->spokes; ++k) curves += s->spoke[k].curve;
  s->curve = curves > 0;
  if (curves == 0) {
    walk_page(s, 0, &walked);
    s->pages = walked == s->count;
    return;
  }
  bool ends = curves == 2;
  for (int k = 0; k < s->count && ends; ++k) {
    if (!s->spoke[s->from[k]].curve) continue;
    ends = s->pages < MOTE_PAGES_MOST;
    if (!ends) break;
    int end = walk_page(s, k, &walked);
    ends = end >= 0 && end != s->from[k];
    ++s->pages;
  }
  if (!ends || walked != s->count) s->pages = 0;
}

static void measure(const mote_complex *c, mote_star *s) {
  const double *x = mote_complex_place(c, s->point);
  s->worst = 1.0;
  for (int p = 0; p < s->pages; ++p) set3(0.0, 0.0, 0.0, s->normal[p]);
  for (int k = 0; k < s->count; ++k) {
    s->quality[k] = tri_quality(x, mote_complex_place(c, s->spoke[s->from[k]].point),
                                mote_complex_place(c, s->spoke[s->to[k]].point), s->area2[k]);
    s->worst = min2(s->worst, s->quality[k]);
    double *normal = s->normal[s->page[k]];
    step3(normal, 1.0, s->area2[k], normal);
  }
}

void mote_star_find(const mote_complex *complex, uint32_t point, mote_star *out) {
  out->point = point;
  out->count = out->spokes = out->pages = 0;
  if (!list_triangles(complex, out)) return;
  find_pages(complex, out);
  if (out->pages > 0) measure(complex, out);
}

// --- Collapses --------------------------------------------------------------------------------------------

// Each piece at the edge has it twice: it is in one fan there.
static bool has_single_fans(const mote_complex *c, const mote_star *s, int spoke) {
  uint32_t piece[4 * MOTE_PAGES_MOST];
  int times[4 * MOTE_PAGES_MOST], pieces = 0;
  for (int k = 0; k < s->count; ++k) {
    if (!mote_star_has_spoke(s, k, spoke)) continue;
    uint32_t side[2] = {c->cut->fragment[s->row[k]], mote_complex_behind(c, s->row[k])};
    for (int i = 0; i < 2 && side[i] < MOTE_SIDE_APART; ++i) {
      int p = 0;
      while (p < pieces && piece[p] != side[i]) ++p;
      if (p == 4 * MOTE_PAGES_MOST) return false;
      if (p == pieces) piece[pieces] = side[i], times[pieces++] = 0;
      ++times[p];
    }
  }
  for (int p = 0; p < pieces; ++p)
    if (times[p] != 2) return false;
  return true;
}

// Whether the star has a triangle with these two neighbours.
static bool has_triangle(const mote_star *s, uint32_t a, uint32_t b) {
  for (int k = 0; k < s->count; ++k) {
    uint32_t from = s->spoke[s->from[k]].point, to = s->spoke[s->to[k]].point;
    if ((from == a && to == b) || (from == b && to == a)) return true;
  }
  return false;
}

// The link condition: what is joined to both ends of the edge is joined to the edge.
static bool links_agree(const mote_complex *c, const mote_star *s, int spoke, mote_star_marks *m) {
  uint32_t end = s->spoke[spoke].point, near = m->query + 1, met = m->query + 2;
  int common = 0, count = 0;
  m->query += 2;
  for (int k = 0; k < s->spokes; ++k) m->mark[s->spoke[k].point] = near;
  for (uint32_t corner = c->first[end]; corner != MOTE_CUT_NONE; corner = c->next[corner]) {
    const uint32_t *v = c->corner + 3 * (size_t)(corner / 3);
    if (!c->live[corner / 3]) continue;
    if (++count > 2 * MOTE_STAR_MOST) return false;
    uint32_t a = v[(corner % 3 + 1) % 3], b = v[(corner % 3 + 2) % 3];
    bool near_a = m->mark[a] >= near, near_b = m->mark[b] >= near;
    if (near_a && m->mark[a] == near && a != end) m->mark[a] = met, ++common;
    if (near_b && m->mark[b] == near && b != end) m->mark[b] = met, ++common;
    if (near_a && near_b && a != s->point && b != s->point && has_triangle(s, a, b)) return false;
  }
  return common == s->spoke[spoke].triangles;
}

bool mote_star_may_collapse(const mote_complex *c, const mote_star *s, int spoke, mote_star_marks *marks) {
  MOTE_ASSERT(s->pages > 0 && spoke >= 0 && spoke < s->spokes);
  if (s->curve && !s->spoke[spoke].curve) return false;
  for (int k = 0; k < s->count && s->curve; ++k)
    if (s->spoke[s->from[k]].curve && s->spoke[s->to[k]].curve) return false;
  return has_single_fans(c, s, spoke) && links_agree(c, s, spoke, marks);
}

// The vertex of a piece at the end of the spoke.
static uint32_t find_vertex(const mote_complex *c, const mote_star *s, int spoke, uint32_t piece) {
  uint32_t end = s->spoke[spoke].point;
  for (int k = 0; k < s->count; ++k) {
    if (!mote_star_has_spoke(s, k, spoke)) continue;
    uint32_t row = c->cut->fragment[s->row[k]] == piece ? s->row[k] : c->back[s->row[k]];
    if (row == MOTE_CUT_NONE || c->cut->fragment[row] != piece) continue;
    for (int i = 0; i < 3; ++i)
      if (c->point[c->cut->mesh.triangle[3 * (size_t)row + i]] == end)
        return c->cut->mesh.triangle[3 * (size_t)row + i];
  }
  MOTE_ASSERT(false);
  return end;
}

static void change_vertex(mote_complex *c, const mote_star *s, int spoke, uint32_t row) {
  uint32_t *v = c->cut->mesh.triangle + 3 * (size_t)row;
  for (int i = 0; i < 3; ++i)
    if (c->point[v[i]] == s->point) v[i] = find_vertex(c, s, spoke, c->cut->fragment[row]);
}

void mote_star_collapse(mote_complex *c, const mote_star *s, int spoke) {
  uint32_t end = s->spoke[spoke].point;
  for (int k = 0; k < s->count; ++k) {
    uint32_t row = s->row[k], corner = 3 * row + s->at[k];
    if (mote_star_has_spoke(s, k, spoke)) {
      c->live[row] = 0;
      continue;
    }
    change_vertex(c, s, spoke, row);
    if (c->back[row] != MOTE_CUT_NONE) change_vertex(c, s, spoke, c->back[row]);
    c->corner[corner] = end;
    c->next[corner] = c->first[end], c->first[end] = corner;
  }
  c->first[s->point] = MOTE_CUT_NONE;
}
