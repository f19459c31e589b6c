// Sorted points, cells and rows: see cells.h. One pass finds every point's cell and whether the points are in
// order already; if not, they are sorted by cell number and the pass is made again; then cells and rows are
// written down where they begin.
#include "search/cells.h"

#include "base/parallel.h"
#include "search/radix.h"

#define GRAIN 16384  // points of one part

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
  int axis;  // whose cells are the keys; 3: all in one
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

static int edge_between(const int64_t last[3], const int64_t cell[3]) {
  if (last[1] != cell[1] || last[2] != cell[2]) return NEW_ROW;
  return last[0] != cell[0] ? NEW_CELL : SAME_CELL;
}

static bool before(const int64_t a[3], const int64_t b[3]) {
  if (a[2] != b[2]) return a[2] < b[2];
  if (a[1] != b[1]) return a[1] < b[1];
  return a[0] < b[0];
}

// Places and edges of one part of the points in their present order: as given, or sorted.
static void place_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  mote_cells *c = b->cells;
  const uint32_t *order = b->sorted ? b->radix.value : NULL;
  mote_cells_part part = {.in_order = true};
  int64_t last[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
  uint32_t place[3];
  if (begin > 0)
    mote_space_cell(b->space, b->position + 3 * (order ? order[begin - 1] : begin - 1), last, place);
  for (size_t k = begin; k < end; ++k) {
    int64_t cell[3];
    const double *x = b->position + 3 * (size_t)(order ? order[k] : k);
    mote_space_cell(b->space, x, cell, place);
    int edge = edge_between(last, cell);
    if (edge != SAME_CELL) {
      if (before(cell, last)) {
        part.in_order = false;
        break;
      }
      for (int a = 0; a < 3; ++a) last[a] = cell[a];
      ++part.cells;
      part.rows += edge == NEW_ROW;
    }
    c->edge[k] = (uint8_t)edge;
    for (int a = 0; a < 3; ++a) c->place[a][k] = place[a];
    for (int a = 0; a < 3; ++a) c->position[3 * k + a] = a < b->space->domain.dimensions ? x[a] : 0.0;
    if (!b->sorted) b->radix.value[k] = (uint32_t)k;
  }
  c->part[begin / GRAIN] = part;
}

static bool place_points(build *b) {
  mote_parallel_for(b->radix.threads, b->radix.count, GRAIN, place_part, b);
  bool in_order = true;
  for (size_t p = 0; p * GRAIN < b->radix.count; ++p) in_order = in_order && b->cells->part[p].in_order;
  return in_order;
}

static void number_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  for (size_t k = begin; k < end; ++k) b->radix.value[k] = (uint32_t)k;
}

static void make_keys(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  uint64_t rows = (uint64_t)b->size[1], columns = (uint64_t)b->size[0];
  for (size_t k = begin; k < end; ++k) {
    int64_t cell[3];
    uint32_t place[3];
    uint64_t c[3];
    mote_space_cell(b->space, b->position + 3 * (size_t)b->radix.value[k], cell, place);
    for (int a = 0; a < 3; ++a) c[a] = (uint64_t)(cell[a] - b->first[a]);
    b->radix.key[k] = b->axis < 3 ? c[b->axis] : (c[2] * rows + c[1]) * columns + c[0];
  }
}

// One sort where the number of a cell fits into a word; else one for each axis, the slowest last.
static void sort_points(build *b) {
  double all = b->size[0] * b->size[1] * b->size[2];
  bool one_key = all < 0x1p62;
  mote_parallel_for(b->radix.threads, b->radix.count, GRAIN, number_part, b);
  for (b->axis = one_key ? 3 : 0; b->axis < (one_key ? 4 : 3); ++b->axis) {
    mote_parallel_for(b->radix.threads, b->radix.count, GRAIN, make_keys, b);
    double numbers = one_key ? all : b->size[b->axis];
    int bits = 0;
    while (bits < 63 && (double)(UINT64_C(1) << bits) < numbers) ++bits;
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
