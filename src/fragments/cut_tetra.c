// Tables of the tetrahedra of a body-centred cubic grid, found by search: see cut_tetra.h.
#include "fragments/cut_tetra.h"

#include <stdbool.h>
#include <string.h>

#include "base/check.h"

const uint8_t mote_tetra_ends[MOTE_TETRA_EDGES][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
const uint8_t mote_tetra_edge[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}};
const uint8_t mote_tetra_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static void fill_corners(mote_tetra_table *t) {
  static const int8_t directions[MOTE_NODE_EDGES][3] = {{2, 0, 0},  {0, 2, 0},  {0, 0, 2}, {-1, -1, 1},
                                                        {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}};
  static const int8_t turn[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
  memcpy(t->direction, directions, sizeof directions);
  memset(t->corner, 0, sizeof t->corner);
  for (int k = 0; k < MOTE_TETRAS; ++k) {
    int axis = k / 4, b = (axis + 1) % 3, c = (axis + 2) % 3;
    int8_t(*corner)[3] = t->corner[k];
    corner[1][axis] = 2;
    for (int end = 0; end < 2; ++end) {
      corner[2 + end][axis] = 1;
      corner[2 + end][b] = turn[k % 4 + end][0];
      corner[2 + end][c] = turn[k % 4 + end][1];
    }
  }
}

static int find_type(const mote_tetra_table *t, const int8_t from[3], const int8_t to[3]) {
  for (int type = 0; type < MOTE_NODE_EDGES; ++type) {
    const int8_t *d = t->direction[type];
    if (to[0] - from[0] == d[0] && to[1] - from[1] == d[1] && to[2] - from[2] == d[2]) return type;
  }
  return -1;
}

static void fill_edges(mote_tetra_table *t) {
  for (int k = 0; k < MOTE_TETRAS; ++k) {
    for (int e = 0; e < MOTE_TETRA_EDGES; ++e) {
      int a = mote_tetra_ends[e][0], b = mote_tetra_ends[e][1];
      int there = find_type(t, t->corner[k][a], t->corner[k][b]);
      int back = find_type(t, t->corner[k][b], t->corner[k][a]);
      MOTE_ASSERT((there < 0) != (back < 0));
      t->owner[k][e] = (uint8_t)(there < 0 ? b : a);
      t->type[k][e] = (uint8_t)(there < 0 ? back : there);
    }
  }
}

// The corner of tetrahedron k of the node at `offset` that lies at x; -1: none.
static int corner_at(const mote_tetra_table *t, mote_tetra_at at, const int x[3]) {
  for (int c = 0; c < 4; ++c) {
    const int8_t *p = t->corner[at.tetra][c];
    if (p[0] + at.offset[0] == x[0] && p[1] + at.offset[1] == x[1] && p[2] + at.offset[2] == x[2]) return c;
  }
  return -1;
}

static bool holds(const mote_tetra_table *t, mote_tetra_at at, const int (*x)[3], int count) {
  for (int k = 0; k < count; ++k)
    if (corner_at(t, at, x[k]) < 0) return false;
  return true;
}

// All tetrahedra that hold `count` sites; those of nodes at odd offsets where `parity` is 1.
static int find_all(const mote_tetra_table *t, int parity, const int (*x)[3], int count, mote_tetra_at *out) {
  int found = 0;
  for (int code = 0; code < 64; ++code) {
    mote_tetra_at at = {.offset = {(int8_t)(2 * (code & 3) - 4 + parity),
                                   (int8_t)(2 * (code >> 2 & 3) - 4 + parity),
                                   (int8_t)(2 * (code >> 4) - 4 + parity)}};
    for (at.tetra = 0; at.tetra < MOTE_TETRAS; ++at.tetra)
      if (holds(t, at, x, count)) out[found++] = at;
  }
  return found;
}

static bool is_same(mote_tetra_at a, mote_tetra_at b) {
  return a.tetra == b.tetra && memcmp(a.offset, b.offset, sizeof a.offset) == 0;
}

static void fill_beyond(mote_tetra_table *t) {
  for (int k = 0; k < MOTE_TETRAS; ++k) {
    for (int f = 0; f < 4; ++f) {
      int x[3][3];
      mote_tetra_at self = {.tetra = (uint8_t)k}, two[4];
      for (int c = 0; c < 3; ++c)
        for (int axis = 0; axis < 3; ++axis) x[c][axis] = t->corner[k][mote_tetra_face[f][c]][axis];
      int found = find_all(t, 0, (const int(*)[3])x, 3, two);
      MOTE_ASSERT(found == 2), (void)found;
      t->beyond[k][f] = is_same(two[0], self) ? two[1] : two[0];
    }
  }
}

// How many corners two tetrahedra share.
static int count_shared(const mote_tetra_table *t, mote_tetra_at a, mote_tetra_at b) {
  int shared = 0;
  for (int c = 0; c < 4; ++c) {
    const int8_t *p = t->corner[a.tetra][c];
    const int x[3] = {p[0] + a.offset[0], p[1] + a.offset[1], p[2] + a.offset[2]};
    shared += corner_at(t, b, x) >= 0;
  }
  return shared;
}

static void fill_rings(mote_tetra_table *t) {
  for (int parity = 0; parity < 2; ++parity) {
    for (int type = 0; type < MOTE_NODE_EDGES; ++type) {
      const int8_t *d = t->direction[type];
      const int x[2][3] = {{0, 0, 0}, {d[0], d[1], d[2]}};
      mote_tetra_at *ring = t->ring[parity][type], all[16];
      int count = find_all(t, parity, x, 2, all);
      MOTE_ASSERT(count == 4 || count == 6);
      t->ring_size[parity][type] = (uint8_t)count;
      for (int r = 0; r < count; ++r) {
        int next = r;
        while (r > 0 && count_shared(t, ring[r - 1], all[next]) < 3) ++next;
        ring[r] = all[next];
        all[next] = all[r];
      }
    }
  }
}

static void fill_positions(mote_tetra_table *t) {
  for (int parity = 0; parity < 2; ++parity) {
    for (int type = 0; type < MOTE_NODE_EDGES; ++type) {
      const int8_t *d = t->direction[type];
      const int x[2][3] = {{0, 0, 0}, {d[0], d[1], d[2]}};
      for (int r = 0; r < t->ring_size[parity][type]; ++r) {
        mote_tetra_at at = t->ring[parity][type][r];
        int edge = mote_tetra_edge[corner_at(t, at, x[0])][corner_at(t, at, x[1])];
        t->position[at.tetra][edge] = (uint8_t)r;
      }
    }
  }
}

void mote_tetra_table_fill(mote_tetra_table *table) {
  fill_corners(table);
  fill_edges(table);
  fill_beyond(table);
  fill_rings(table);
  fill_positions(table);
}
