// The loops of all cubes: see marching_table.h. A face is walked counter-clockwise, seen from outside the
// cube; the surface crosses it from where the walk comes in to where it goes out, so that the inside lies to
// the left.
#include "mesh/marching_table.h"

#include "base/check.h"

static void fill_geometry(mote_marching_table *table) {
  for (unsigned e = 0; e < MOTE_CUBE_EDGES; ++e) {
    unsigned axis = e / 4, p = e % 4, below = (1u << axis) - 1;
    unsigned corner = (p & below) | (p & ~below) << 1;
    table->lower[e] = (uint8_t)corner;
    table->faces[e] = 0;
    for (unsigned a = 0; a < 3; ++a) {
      if (a != axis) table->faces[e] |= (uint8_t)(1u << (2 * a + (corner >> a & 1)));
    }
  }
  for (unsigned f = 0; f < MOTE_CUBE_FACES; ++f) {
    unsigned a = f / 2, side = f % 2, base = side << a;
    unsigned u = 1u << (a + 1) % 3, v = 1u << (a + 2) % 3;
    unsigned second = side ? u : v, fourth = side ? v : u;
    table->corner[f][0] = (uint8_t)base;
    table->corner[f][1] = (uint8_t)(base | second);
    table->corner[f][2] = (uint8_t)(base | u | v);
    table->corner[f][3] = (uint8_t)(base | fourth);
  }
}

static unsigned edge_between(const mote_marching_table *table, unsigned a, unsigned b) {
  unsigned e = 0;
  while (table->lower[e] != (a & b) || 1u << e / 4 != (a ^ b)) ++e;
  return e;
}

static bool is_ambiguous(const mote_marching_table *table, unsigned pattern, unsigned face) {
  const uint8_t *c = table->corner[face];
  unsigned s[4];
  for (int k = 0; k < 4; ++k) s[k] = pattern >> c[k] & 1;
  return s[0] == s[2] && s[1] == s[3] && s[0] != s[1];
}

// Adds the segments of a face to `next`. Where the walk comes in at side k, the surface leaves at the next
// side that goes out; on a face whose insides are one, at the side before.
static void cross_face(const mote_marching_table *table, unsigned pattern, unsigned face, bool joined,
                       uint8_t next[MOTE_CUBE_EDGES]) {
  const uint8_t *c = table->corner[face];
  for (unsigned k = 0; k < 4; ++k) {
    bool comes_in = !(pattern >> c[k] & 1) && (pattern >> c[(k + 1) & 3] & 1);
    if (!comes_in) continue;
    unsigned step = joined ? 3 : 1, out = (k + step) & 3;
    while (!(pattern >> c[out] & 1) || (pattern >> c[(out + 1) & 3] & 1)) out = (out + step) & 3;
    next[edge_between(table, c[k], c[(k + 1) & 3])] = (uint8_t)edge_between(table, c[out], c[(out + 1) & 3]);
  }
}

// Whether a loop has a triangulation by diagonals that lie in no face: such a diagonal could be used by the
// cube on the other side, too.
static bool has_triangulation(const mote_marching_table *table, const uint8_t *edge, unsigned n) {
  bool possible[MOTE_CUBE_EDGES][MOTE_CUBE_EDGES] = {{false}};
  for (unsigned i = 0; i + 1 < n; ++i) possible[i][i + 1] = true;
  for (unsigned span = 2; span < n; ++span) {
    for (unsigned i = 0, j = span; j < n; ++i, ++j) {
      if (span < n - 1 && (table->faces[edge[i]] & table->faces[edge[j]])) continue;
      for (unsigned k = i + 1; k < j; ++k) possible[i][j] |= possible[i][k] && possible[k][j];
    }
  }
  return possible[0][n - 1];
}

static mote_cube_case trace_loops(const mote_marching_table *table, const uint8_t next[MOTE_CUBE_EDGES]) {
  mote_cube_case found = {.loops = 0};
  bool seen[MOTE_CUBE_EDGES] = {false};
  for (unsigned e = 0, used = 0; e < MOTE_CUBE_EDGES; ++e) {
    if (seen[e] || next[e] == MOTE_CUBE_EDGES) continue;
    unsigned n = 0, at = e;
    for (; !seen[at]; at = next[at]) seen[at] = true, found.edge[used + n++] = (uint8_t)at;
    bool centred = !has_triangulation(table, found.edge + used, n);
    found.centred |= (uint8_t)(centred << found.loops);
    found.triangles = (uint8_t)(found.triangles + (centred ? n : n - 2));
    found.length[found.loops++] = (uint8_t)n;
    used += n;
  }
  return found;
}

void mote_marching_table_fill(mote_marching_table *table) {
  MOTE_ASSERT(table != NULL);
  fill_geometry(table);
  unsigned used = 0;
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    unsigned faces = 0, readings = 1;
    for (unsigned f = 0; f < MOTE_CUBE_FACES; ++f) {
      if (is_ambiguous(table, pattern, f)) faces |= 1u << f, readings *= 2;
    }
    table->first[pattern] = (uint16_t)used;
    table->ambiguous[pattern] = (uint8_t)faces;
    for (unsigned reading = 0; reading < readings; ++reading) {
      uint8_t next[MOTE_CUBE_EDGES];
      for (unsigned e = 0; e < MOTE_CUBE_EDGES; ++e) next[e] = MOTE_CUBE_EDGES;
      for (unsigned f = 0, rest = reading; f < MOTE_CUBE_FACES; ++f) {
        bool joined = (faces >> f & 1) && (rest & 1);
        if (faces >> f & 1) rest >>= 1;
        cross_face(table, pattern, f, joined, next);
      }
      table->cases[used++] = trace_loops(table, next);
    }
  }
  MOTE_ASSERT(used == MOTE_CUBE_CASES);
}
