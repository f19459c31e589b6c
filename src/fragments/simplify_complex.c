// One complex of the meshes of all pieces: see simplify_complex.h.
#include "fragments/simplify_complex.h"

#include <string.h>

#include "base/hash.h"
#include "geom/triple.h"

// Keys are found by hash values in a table of twice their number, at the next free place.
static size_t table_size(size_t count) {
  size_t size = 64;
  while (size < 2 * count) size *= 2;
  return size;
}

static uint64_t hash_of_place(const double x[3]) {
  uint64_t hash = 0;
  for (int a = 0; a < 3; ++a) {
    double value = x[a] + 0.0;  // -0 becomes 0
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = mote_hash_mix(hash ^ bits);
  }
  return hash;
}

mote_result mote_complex_weld(const mote_mesh *mesh, mote_arena *arena, uint32_t *point, mote_error *error) {
  const double *x = mesh->vertex;
  size_t count = mesh->vertices, size = table_size(count);
  mote_arena_mark mark = mote_arena_here(arena);
  MOTE_TAKE_NEW(uint32_t, table, arena, size, error);
  memset(table, 0xff, size * sizeof *table);
  for (uint32_t v = 0; v < count; ++v) {
    const double *own = x + 3 * (size_t)v;
    size_t slot = hash_of_place(own) & (size - 1);
    for (;; slot = (slot + 1) & (size - 1)) {
      uint32_t p = table[slot];
      if (p == MOTE_CUT_NONE) break;
      const double *there = x + 3 * (size_t)p;
      if (there[0] == own[0] && there[1] == own[1] && there[2] == own[2]) break;
    }
    if (table[slot] == MOTE_CUT_NONE) table[slot] = v;
    point[v] = table[slot];
  }
  mote_arena_release(arena, mark);
  return MOTE_OK;
}

// Whether two rows have the same points in opposite order.
static bool are_opposite(const uint32_t a[3], const uint32_t b[3]) {
  for (int k = 0; k < 3; ++k)
    if (a[0] == b[k]) return a[1] == b[(k + 2) % 3] && a[2] == b[(k + 1) % 3];
  return false;
}

static uint64_t hash_of_corners(const uint32_t v[3]) {
  // The same for any order.
  return mote_hash_mix(v[0]) + mote_hash_mix(v[1]) + mote_hash_mix(v[2]);
}

// Finds the two rows of each wall.
static mote_result pair_walls(mote_complex *c, mote_arena *arena, mote_error *error) {
  const mote_cut_mesh *cut = c->cut;
  size_t rows = cut->mesh.triangles, walls = 0;
  for (size_t t = 0; t < rows; ++t) walls += cut->wall[t], c->back[t] = MOTE_CUT_NONE, c->live[t] = 1;
  size_t size = table_size(walls);
  mote_arena_mark mark = mote_arena_here(arena);
  MOTE_TAKE_NEW(uint32_t, table, arena, size, error);
  memset(table, 0xff, size * sizeof *table);
  for (uint32_t t = 0; t < rows; ++t) {
    const uint32_t *own = c->corner + 3 * (size_t)t;
    if (!cut->wall[t]) continue;
    size_t slot = hash_of_corners(own) & (size - 1);
    for (; table[slot] != MOTE_CUT_NONE; slot = (slot + 1) & (size - 1)) {
      uint32_t other = table[slot];
      if (c->back[other] == MOTE_CUT_NONE && c->live[other] && cut->fragment[other] != cut->fragment[t] &&
          are_opposite(own, c->corner + 3 * (size_t)other))
        break;
    }
    uint32_t other = table[slot];
    if (other == MOTE_CUT_NONE) {
      table[slot] = t;
      continue;
    }
    uint32_t front = cut->fragment[t] < cut->fragment[other] ? t : other, rear = front == t ? other : t;
    c->back[front] = rear, c->live[rear] = 0;
  }
  mote_arena_release(arena, mark);
  return MOTE_OK;
}

mote_result mote_complex_make(mote_cut_mesh *cut, mote_arena *arena, mote_complex *out, mote_error *error) {
  MOTE_ASSERT(cut != NULL && arena != NULL && out != NULL);
  size_t rows = cut->mesh.triangles, vertices = cut->mesh.vertices;
  mote_complex c = {.cut = cut};
  MOTE_TAKE(c.point, arena, vertices, error);
  MOTE_TRY(mote_complex_weld(&cut->mesh, arena, c.point, error));
  MOTE_TAKE(c.corner, arena, 3 * rows, error);
  MOTE_TAKE(c.back, arena, rows, error);
  MOTE_TAKE(c.live, arena, rows, error);
  MOTE_TAKE(c.first, arena, vertices, error);
  MOTE_TAKE(c.next, arena, 3 * rows, error);
  for (size_t k = 0; k < 3 * rows; ++k) c.corner[k] = c.point[cut->mesh.triangle[k]];
  MOTE_TRY(pair_walls(&c, arena, error));
  memset(c.first, 0xff, vertices * sizeof *c.first);
  for (size_t k = 3 * rows; k-- > 0;) {
    if (!c.live[k / 3]) continue;
    c.next[k] = c.first[c.corner[k]];
    c.first[c.corner[k]] = (uint32_t)k;
  }
  *out = c;
  return MOTE_OK;
}

mote_result mote_complex_finish(mote_complex *c, mote_arena *arena, mote_error *error) {
  mote_cut_mesh *cut = c->cut;
  size_t rows = cut->mesh.triangles, vertices = cut->mesh.vertices, kept = 0, used = 0;
  MOTE_TAKE_NEW(uint32_t, number, arena, vertices, error);
  memset(number, 0xff, vertices * sizeof *number);
  for (size_t t = 0; t < rows; ++t)
    if (c->live[t] && c->back[t] != MOTE_CUT_NONE) c->live[c->back[t]] = 1;
  for (size_t k = 0; k < 3 * rows; ++k)
    if (c->live[k / 3]) number[cut->mesh.triangle[k]] = 0;
  for (size_t v = 0; v < vertices; ++v) {
    if (number[v] == MOTE_CUT_NONE) continue;
    number[v] = (uint32_t)used;
    copy3(cut->mesh.vertex + 3 * v, cut->mesh.vertex + 3 * used);
    cut->inner[used++] = cut->inner[v];
  }
  for (size_t t = 0; t < rows; ++t) {
    if (!c->live[t]) continue;
    for (int k = 0; k < 3; ++k) cut->mesh.triangle[3 * kept + k] = number[cut->mesh.triangle[3 * t + k]];
    cut->fragment[kept] = cut->fragment[t], cut->wall[kept++] = cut->wall[t];
  }
  cut->mesh.vertices = used, cut->mesh.triangles = kept;
  return MOTE_OK;
}
