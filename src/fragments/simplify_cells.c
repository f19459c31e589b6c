// Cells of the triangles of a complex: see simplify_cells.h.
#include "fragments/simplify_cells.h"

#include <string.h>

#include "base/hash.h"
#include "geom/mesh_parts.h"
#include "geom/tri_cross.h"
#include "geom/triple.h"

#define FOLD_COSINE 0.9999  // rounding: 0.8 degrees between two triangles
#define CELL_BITS 19        // of a cell's number along an axis

mote_complex_box mote_complex_box_of(const mote_complex *c, const uint32_t p[3]) {
  const double *x = mote_complex_place(c, p[0]), *y = mote_complex_place(c, p[1]),
               *z = mote_complex_place(c, p[2]);
  mote_complex_box b;
  for (int a = 0; a < 3; ++a)
    b.low[a] = min2(x[a], min2(y[a], z[a])), b.high[a] = max2(x[a], max2(y[a], z[a]));
  return b;
}

// Number of the cell of a level that has x, from 0 on.
static uint64_t cell_at(const mote_complex_cells *cells, int level, int axis, double x) {
  double at = (x - cells->low[axis]) / ldexp(cells->size, level);
  double most = (double)((1U << CELL_BITS) - 1);
  return (uint64_t)(at > 0.0 ? at < most ? at : most : 0.0);
}

static uint64_t key_of(int level, const uint64_t at[3]) {
  return (((uint64_t)level << CELL_BITS | at[2]) << CELL_BITS | at[1]) << CELL_BITS | at[0];
}

static size_t slot_of(const mote_complex_cells *cells, uint64_t key) {
  return mote_hash_mix(key) & cells->mask;
}

void mote_complex_cells_enter(mote_complex_cells *cells, const mote_complex *complex, uint32_t row) {
  mote_complex_box b = mote_complex_box_of(complex, complex->corner + 3 * (size_t)row);
  double extent = 0.0;
  uint64_t at[3];
  int level = 0;
  for (int a = 0; a < 3; ++a) extent = max2(extent, b.high[a] - b.low[a]);
  while (level < MOTE_CELL_LEVELS - 1 && ldexp(cells->size, level) < extent) ++level;
  for (int a = 0; a < 3; ++a) at[a] = cell_at(cells, level, a, 0.5 * (b.low[a] + b.high[a]));
  cells->key[row] = key_of(level, at), cells->box[row] = b;
  uint32_t *head = cells->head + slot_of(cells, cells->key[row]);
  cells->next[row] = *head, *head = row;
  ++cells->held[level];
}

void mote_complex_cells_remove(mote_complex_cells *cells, uint32_t row) {
  uint32_t *at = cells->head + slot_of(cells, cells->key[row]);
  while (*at != row) {
    MOTE_ASSERT(*at != MOTE_CUT_NONE);
    at = cells->next + *at;
  }
  *at = cells->next[row];
  --cells->held[cells->key[row] >> (3 * CELL_BITS)];
}

mote_result mote_complex_cells_make(const mote_complex *complex, double size, mote_arena *arena,
                                    mote_complex_cells *out, mote_error *error) {
  MOTE_ASSERT(size > 0.0);
  const mote_mesh *mesh = &complex->cut->mesh;
  size_t rows = mesh->triangles, values = 64;
  double high[3], longest = 0.0;
  while (values < rows) values *= 2;
  *out = (mote_complex_cells){.mask = values - 1};
  mote_mesh_bounds(mesh, out->low, high);
  for (int a = 0; a < 3; ++a) longest = max2(longest, high[a] - out->low[a]);
  out->size = max2(size, longest / (double)((1U << CELL_BITS) - 1));
  MOTE_TAKE(out->head, arena, values, error);
  MOTE_TAKE(out->next, arena, rows, error);
  MOTE_TAKE(out->key, arena, rows, error);
  MOTE_TAKE(out->box, arena, rows, error);
  MOTE_TAKE(out->near, arena, rows, error);
  memset(out->head, 0xff, values * sizeof *out->head);
  for (uint32_t t = 0; t < rows; ++t)
    if (complex->live[t]) mote_complex_cells_enter(out, complex, t);
  return MOTE_OK;
}

static bool cross(const mote_complex *complex, const uint32_t a[3], const uint32_t b[3]) {
  uint32_t both[6];
  memcpy(both, a, 3 * sizeof *both), memcpy(both + 3, b, 3 * sizeof *both);
  const mote_mesh mesh = {.vertex = complex->cut->mesh.vertex, .triangle = both, .triangles = 2};
  return mote_triangles_cross(&mesh, 0, 1);
}

// Whether two triangles with a common edge lie on the same side of it, within FOLD_COSINE of one plane.
static bool are_folded(const mote_complex *complex, const uint32_t a[3], const uint32_t b[3]) {
  uint32_t common[3], own = a[0], other = b[0];
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    bool has = a[k] == b[0] || a[k] == b[1] || a[k] == b[2];
    if (has) common[count++] = a[k];
    if (!has) own = a[k];
    if (b[k] != a[0] && b[k] != a[1] && b[k] != a[2]) other = b[k];
  }
  if (count != 2) return false;
  const double *x = mote_complex_place(complex, common[0]);
  double along[3], u[3], v[3];
  sub3(mote_complex_place(complex, common[1]), x, along);
  sub3(mote_complex_place(complex, own), x, u), sub3(mote_complex_place(complex, other), x, v);
  double square = dot3(along, along);
  step3(u, -dot3(u, along) / square, along, u), step3(v, -dot3(v, along) / square, along, v);
  return dot3(u, v) > FOLD_COSINE * length3(u) * length3(v);
}

bool mote_complex_crosses(const mote_complex *complex, const uint32_t a[3], const uint32_t b[3]) {
  return are_folded(complex, a, b) || cross(complex, a, b);
}

size_t mote_complex_cells_find(mote_complex_cells *cells, const mote_complex *complex,
                               const mote_complex_box *box, uint32_t but) {
  size_t found = 0;
  for (int level = 0; level < MOTE_CELL_LEVELS; ++level) {
    if (cells->held[level] == 0) continue;
    uint64_t low[3], high[3], at[3];
    double half = 0.5 * ldexp(cells->size, level);
    for (int a = 0; a < 3; ++a) {
      low[a] = cell_at(cells, level, a, box->low[a] - half);
      high[a] = cell_at(cells, level, a, box->high[a] + half);
    }
    for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
      for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
        for (at[0] = low[0]; at[0] <= high[0]; ++at[0]) {
          uint64_t key = key_of(level, at);
          for (uint32_t t = cells->head[slot_of(cells, key)]; t != MOTE_CUT_NONE; t = cells->next[t]) {
            const uint32_t *v = complex->corner + 3 * (size_t)t;
            if (cells->key[t] != key || !mote_complex_boxes_overlap(box, cells->box + t)) continue;
            if (v[0] != but && v[1] != but && v[2] != but) cells->near[found++] = t;
          }
        }
  }
  return found;
}
