// Sorted points, cells and rows: see cells.h. One pass finds every point's cell and whether the points are in
// order already; if not, they are sorted by cell number and the pass is made again; then cells and rows are
// written down where they begin.
#include "search/cells.h"

#include <string.h>

#include "base/parallel.h"
#include "search/radix.h"

#define GRAIN 16384  // points of one part
#define BLOCK 256    // of them looked at together; divides GRAIN

enum { SAME_CELL, NEW_CELL, NEW_ROW };

// What a part of the sorted points begins: counts, and then the numbers of its first.
typedef struct mote_cells_part {
  size_t cells, rows;
  bool in_order;
} mote_cells_part;

typedef struct build {
  mote_cells *cells;
  const mote_space *space;
  const double *position;
  int64_t first[3];  // the cells of all points lie in first[a] .. first[a] + size[a] - 1
  double size[3];
  int fastest, slowest;  // axes of the keys
  bool sorted;
  mote_radix radix;
} build;

static void find_box(build *b, const double low[3], const double high[3]) {
  int64_t last[3];
  uint32_t place[3];
  mote_space_cell(b->space, low, b->first, place);
  mote_space_cell(b->space, high, last, place);
  for (int a = 0; a < 3; ++a) {
    int64_t period = a < b->space->domain.dimensions ? b->space->axis[a].cells : 0;
    if (period != 0) {
      b->first[a] = 0;
      last[a] = period - 1;
    }
    b->size[a] = (double)(last[a] - b->first[a]) + 1.0;
  }
}

static mote_result hold_points(build *b, const mote_env *env, size_t count, mote_error *error) {
  mote_cells *c = b->cells;
  size_t padded = count + MOTE_CELLS_PADDING, parts = count / GRAIN + 1;
  MOTE_TRY(mote_reserve(env, &c->order_block, &c->order_held, 2 * padded, sizeof *c->order_block, error));
  MOTE_TRY(mote_reserve(env, &c->place_block, &c->place_held, 3 * padded, sizeof *c->place_block, error));
  MOTE_TRY(mote_reserve(env, &c->position, &c->position_held, 3 * count, sizeof *c->position, error));
  MOTE_TRY(mote_reserve(env, &c->key_block, &c->key_held, 2 * padded, sizeof *c->key_block, error));
  MOTE_TRY(mote_reserve(env, &c->edge, &c->edge_held, padded, sizeof *c->edge, error));
  MOTE_TRY(mote_reserve(env, &c->part, &c->part_held, parts, sizeof *c->part, error));
  MOTE_TRY(mote_reserve(env, &c->histogram, &c->histogram_held, MOTE_RADIX_HISTOGRAM, sizeof *c->histogram,
                        error));
  for (int a = 0; a < 3; ++a) c->place[a] = c->place_block + a * padded;
  b->radix = (mote_radix){.threads = env->threads,
                          .count = count,
                          .key = c->key_block,
                          .spare_key = c->key_block + padded,
                          .value = c->order_block,
                          .spare_value = c->order_block + padded,
                          .histogram = c->histogram};
  return MOTE_OK;
}

// The cells of BLOCK points, behind the cell of the point before them.
typedef struct block {
  int64_t cell[3][BLOCK + 1];
} block;

static void locate(const mote_axis *axis, const double *x, size_t count, int64_t *cell, uint32_t *place) {
  const mote_axis a = *axis;
  for (size_t k = 0; k < count; ++k) cell[k] = mote_axis_cell(&a, x[3 * k], &place[k]);
}

// Copies sorted points k .. k + count - 1 and finds their cells.
static void locate_block(build *b, size_t k, size_t count, block *out) {
  mote_cells *c = b->cells;
  int dimensions = b->space->domain.dimensions;
  double *x = c->position + 3 * k;
  if (b->sorted) {
    const uint32_t *order = b->radix.value + k;
    for (size_t m = 0; m < count; ++m) memcpy(x + 3 * m, b->position + 3 * (size_t)order[m], 3 * sizeof *x);
  } else {
    memcpy(x, b->position + 3 * k, 3 * count * sizeof *x);
  }
  for (int a = 0; a < 3; ++a) {
    out->cell[a][0] = out->cell[a][BLOCK];
    if (a < dimensions) {
      locate(&b->space->axis[a], x + a, count, out->cell[a] + 1, c->place[a] + k);
      continue;
    }
    for (size_t m = 0; m < count; ++m) x[3 * m + a] = 0.0;
    memset(out->cell[a] + 1, 0, count * sizeof out->cell[a][0]);
    memset(c->place[a] + k, 0, count * sizeof *c->place[a]);
  }
}

// Where cells and rows begin in a block; false where it is not in order.
static bool find_edges(const block *b, size_t count, uint8_t *edge, mote_cells_part *part) {
  const int64_t *x = b->cell[0], *y = b->cell[1], *z = b->cell[2];
  size_t cells = 0, rows = 0;
  bool in_order = true;
  for (size_t m = 0; m < count; ++m) {
    bool same_row = y[m] == y[m + 1] && z[m] == z[m + 1], same_cell = same_row && x[m] == x[m + 1];
    bool behind = z[m] < z[m + 1] || (z[m] == z[m + 1] && y[m] < y[m + 1]) || (same_row && x[m] < x[m + 1]);
    in_order = in_order && (behind || same_cell);
    edge[m] = (uint8_t)(!same_cell + !same_row);
    cells += !same_cell;
    rows += !same_row;
  }
  part->cells += cells;
  part->rows += rows;
  return in_order;
}

// Places and edges of one part of the points in their present order: as given, which is given up where it is
// not that of the cells, or sorted.
static void place_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  mote_cells *c = b->cells;
  mote_cells_part part = {.in_order = true};
  block cells;
  for (int a = 0; a < 3; ++a) cells.cell[a][BLOCK] = INT64_MIN;
  if (begin > 0) {
    size_t before = b->sorted ? b->radix.value[begin - 1] : begin - 1;
    for (int a = 0; a < b->space->domain.dimensions; ++a) {
      uint32_t place;
      cells.cell[a][BLOCK] = mote_axis_cell(&b->space->axis[a], b->position[3 * before + a], &place);
    }
    for (int a = b->space->domain.dimensions; a < 3; ++a) cells.cell[a][BLOCK] = 0;
  }
  for (size_t k = begin; k < end && part.in_order; k += BLOCK) {
    size_t count = end - k < BLOCK ? end - k : BLOCK;
    locate_block(b, k, count, &cells);
    part.in_order = find_edges(&cells, count, c->edge + k, &part);
    for (size_t m = k; m < k + count && !b->sorted; ++m) b->radix.value[m] = (uint32_t)m;
  }
  c->part[begin / GRAIN] = part;
}

static bool place_points(build *b) {
  mote_parallel_for(b->radix.threads, b->radix.count, GRAIN, place_part, b);
  bool in_order = true;
  for (size_t p = 0; p * GRAIN < b->radix.count; ++p) in_order = in_order && b->cells->part[p].in_order;
  return in_order;
}

// Numbers of cells along axes fastest .. slowest, the slowest counting most.
static void make_keys(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  uint32_t *value = b->radix.value, place;
  for (size_t k = begin; k < end; ++k) {
    if (b->fastest == 0) value[k] = (uint32_t)k;
    b->radix.key[k] = 0;
  }
  for (int a = b->slowest; a >= b->fastest; --a) {
    const mote_axis axis = b->space->axis[a];
    uint64_t size = (uint64_t)b->size[a];
    for (size_t k = begin; k < end; ++k) {
      int64_t cell = mote_axis_cell(&axis, b->position[3 * (size_t)value[k] + a], &place);
      b->radix.key[k] = b->radix.key[k] * size + (uint64_t)(cell - b->first[a]);
    }
  }
}

// One sort where the number of a cell fits into a word; else one for each axis, the slowest last.
static void sort_points(build *b) {
  int dimensions = b->space->domain.dimensions;
  double numbers = b->size[0] * b->size[1] * b->size[2];
  bool at_once = numbers < 0x1p62;
  for (int a = 0; a < dimensions; a += at_once ? dimensions : 1) {
    b->fastest = a;
    b->slowest = at_once ? dimensions - 1 : a;
    mote_parallel_for(b->radix.threads, b->radix.count, GRAIN, make_keys, b);
    int bits = 0;
    while (bits < 63 && (double)(UINT64_C(1) << bits) < (at_once ? numbers : b->size[a])) ++bits;
    mote_radix_sort(&b->radix, bits);
  }
  b->sorted = true;
}

static void write_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  mote_cells *c = b->cells;
  mote_cells_part part = c->part[begin / GRAIN];
  for (size_t k = begin; k < end; ++k) {
    if (c->edge[k] == SAME_CELL) continue;
    int64_t cell[3];
    uint32_t place[3];
    mote_space_cell(b->space, c->position + 3 * k, cell, place);
    if (c->edge[k] == NEW_ROW) c->row[part.rows++] = (mote_row){cell[1], cell[2], part.cells};
    c->cell[part.cells++] = (mote_cell){cell[0], k};
  }
}

static mote_result write_cells(build *b, const mote_env *env, mote_error *error) {
  mote_cells *c = b->cells;
  size_t cells = 0, rows = 0;
  for (size_t p = 0; p * GRAIN < b->radix.count; ++p) {
    mote_cells_part part = c->part[p];
    c->part[p].cells = cells;
    c->part[p].rows = rows;
    cells += part.cells;
    rows += part.rows;
  }
  MOTE_TRY(mote_reserve(env, &c->row, &c->row_held, rows + 1, sizeof *c->row, error));
  MOTE_TRY(mote_reserve(env, &c->cell, &c->cell_held, cells + 1, sizeof *c->cell, error));
  mote_parallel_for(env->threads, b->radix.count, GRAIN, write_part, b);
  c->row[rows] = (mote_row){INT64_MAX, INT64_MAX, cells};
  c->cell[cells] = (mote_cell){INT64_MAX, b->radix.count};
  c->cells = cells;
  c->rows = rows;
  return MOTE_OK;
}

mote_result mote_cells_build(mote_cells *cells, const mote_env *env, const mote_space *space,
                             const double *position, size_t count, const double low[3], const double high[3],
                             mote_error *error) {
  build b = {.cells = cells, .space = space, .position = position};
  cells->count = cells->cells = cells->rows = 0;
  MOTE_TRY(hold_points(&b, env, count, error));
  if (!place_points(&b)) {
    find_box(&b, low, high);
    sort_points(&b);
    place_points(&b);
  }
  cells->order = b.radix.value;
  MOTE_TRY(write_cells(&b, env, error));
  cells->count = count;
  return MOTE_OK;
}

void mote_cells_destroy(mote_cells *cells, const mote_env *env) {
  mote_free(env, cells->order_block, cells->order_held, sizeof *cells->order_block);
  mote_free(env, cells->place_block, cells->place_held, sizeof *cells->place_block);
  mote_free(env, cells->position, cells->position_held, sizeof *cells->position);
  mote_free(env, cells->key_block, cells->key_held, sizeof *cells->key_block);
  mote_free(env, cells->edge, cells->edge_held, sizeof *cells->edge);
  mote_free(env, cells->part, cells->part_held, sizeof *cells->part);
  mote_free(env, cells->histogram, cells->histogram_held, sizeof *cells->histogram);
  mote_free(env, cells->row, cells->row_held, sizeof *cells->row);
  mote_free(env, cells->cell, cells->cell_held, sizeof *cells->cell);
}

size_t mote_cells_bytes(const mote_cells *cells) {
  return cells->order_held * sizeof *cells->order_block + cells->place_held * sizeof *cells->place_block +
         cells->position_held * sizeof *cells->position + cells->key_held * sizeof *cells->key_block +
         cells->edge_held * sizeof *cells->edge + cells->part_held * sizeof *cells->part +
         cells->histogram_held * sizeof *cells->histogram + cells->row_held * sizeof *cells->row +
         cells->cell_held * sizeof *cells->cell;
}

size_t mote_cells_find_row(const mote_cells *cells, int64_t y, int64_t z) {
  size_t begin = 0, end = cells->rows;
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    const mote_row *row = &cells->row[middle];
    if (row->z < z || (row->z == z && row->y < y)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

size_t mote_cells_row_of(const mote_cells *cells, size_t cell) {
  size_t begin = 0, end = cells->rows;
  while (end - begin > 1) {
    size_t middle = begin + (end - begin) / 2;
    if (cells->row[middle].cell <= cell) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}
