// Sorted points, cells and rows: see cells.h.
#include "search/cells.h"

#include "base/parallel.h"

#define GRAIN 16384
#define PADDING 8  // behind the points, so that loops may read whole groups

typedef struct build {
  mote_cells *cells;
  const mote_space *space;
  const double *position;
  int64_t first[3];  // the cells of all points lie in first[a] .. first[a] + size[a] - 1
  double size[3];
  int axis;  // whose cells are the keys; 3: all in one
  mote_radix radix;
} build;

static void cell_of(const mote_space *space, const double *x, int64_t cell[3], uint32_t place[3]) {
  for (int a = 0; a < 3; ++a) {
    cell[a] = 0;
    place[a] = 0;
    if (a < space->domain.dimensions) cell[a] = mote_axis_cell(&space->axis[a], x[a], &place[a]);
  }
}

static void find_box(build *b, const double low[3], const double high[3]) {
  int64_t last[3];
  uint32_t place[3];
  cell_of(b->space, low, b->first, place);
  cell_of(b->space, high, last, place);
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
  size_t padded = count + PADDING;
  MOTE_TRY(mote_reserve(env, &c->value_block, &c->value_held, 2 * padded, sizeof *c->value_block, error));
  MOTE_TRY(mote_reserve(env, &c->place_block, &c->place_held, 3 * padded, sizeof *c->place_block, error));
  MOTE_TRY(mote_reserve(env, &c->key_block, &c->key_held, 2 * padded, sizeof *c->key_block, error));
  MOTE_TRY(mote_reserve(env, &c->histogram, &c->histogram_held, MOTE_RADIX_HISTOGRAM, sizeof *c->histogram,
                        error));
  for (int a = 0; a < 3; ++a) c->place[a] = c->place_block + a * padded;
  b->radix = (mote_radix){.env = env,
                          .count = count,
                          .key = c->key_block,
                          .spare_key = c->key_block + padded,
                          .value = c->value_block,
                          .spare_value = c->value_block + padded,
                          .histogram = c->histogram};
  return MOTE_OK;
}

static void number_points(void *data, size_t begin, size_t end, int worker) {
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
    cell_of(b->space, b->position + 3 * (size_t)b->radix.value[k], cell, place);
    uint64_t c[3];
    for (int a = 0; a < 3; ++a) c[a] = (uint64_t)(cell[a] - b->first[a]);
    b->radix.key[k] = b->axis < 3 ? c[b->axis] : (c[2] * rows + c[1]) * columns + c[0];
  }
}

// One sort where the number of a cell fits into a word; else one for each axis, the last axis last.
static void sort_points(build *b, int threads) {
  size_t count = b->radix.count;
  mote_parallel_for(threads, count, GRAIN, number_points, b);
  double all = b->size[0] * b->size[1] * b->size[2];
  bool one_key = all < 0x1p62;
  for (b->axis = one_key ? 3 : 0; b->axis < (one_key ? 4 : 3); ++b->axis) {
    mote_parallel_for(threads, count, GRAIN, make_keys, b);
    double largest = one_key ? all : b->size[b->axis];
    int bits = 0;
    while (bits < 64 && (double)(UINT64_C(1) << bits) < largest && bits < 63) ++bits;
    mote_radix_sort(&b->radix, bits);
  }
  b->cells->order = b->radix.value;
}

// Finds where cells and rows begin; without `write` only counts them.
static void find_cells(build *b, bool write) {
  mote_cells *c = b->cells;
  int64_t last[3] = {0, 0, 0};
  c->cells = c->rows = 0;
  for (size_t k = 0; k < b->radix.count; ++k) {
    int64_t cell[3];
    uint32_t place[3];
    cell_of(b->space, b->position + 3 * (size_t)c->order[k], cell, place);
    for (int a = 0; a < 3; ++a) c->place[a][k] = place[a];
    bool new_row = k == 0 || cell[1] != last[1] || cell[2] != last[2];
    if (new_row) {
      if (write) c->row[c->rows] = (mote_row){cell[1], cell[2], c->cells};
      ++c->rows;
    }
    if (new_row || cell[0] != last[0]) {
      if (write) c->cell[c->cells] = (mote_cell){cell[0], k};
      ++c->cells;
    }
    for (int a = 0; a < 3; ++a) last[a] = cell[a];
  }
}

mote_result mote_cells_build(mote_cells *cells, const mote_env *env, const mote_space *space,
                             const double *position, size_t count, const double low[3], const double high[3],
                             mote_error *error) {
  build b = {.cells = cells, .space = space, .position = position};
  cells->count = cells->cells = cells->rows = 0;
  MOTE_TRY(hold_points(&b, env, count, error));
  find_box(&b, low, high);
  sort_points(&b, env->threads);
  find_cells(&b, false);
  size_t rows = cells->rows, filled = cells->cells;
  cells->rows = cells->cells = 0;
  MOTE_TRY(mote_reserve(env, &cells->row, &cells->row_held, rows + 1, sizeof *cells->row, error));
  MOTE_TRY(mote_reserve(env, &cells->cell, &cells->cell_held, filled + 1, sizeof *cells->cell, error));
  find_cells(&b, true);
  cells->row[rows] = (mote_row){INT64_MAX, INT64_MAX, filled};
  cells->cell[filled] = (mote_cell){INT64_MAX, count};
  cells->count = count;
  return MOTE_OK;
}

void mote_cells_destroy(mote_cells *cells, const mote_env *env) {
  mote_free(env, cells->value_block, cells->value_held, sizeof *cells->value_block);
  mote_free(env, cells->place_block, cells->place_held, sizeof *cells->place_block);
  mote_free(env, cells->key_block, cells->key_held, sizeof *cells->key_block);
  mote_free(env, cells->histogram, cells->histogram_held, sizeof *cells->histogram);
  mote_free(env, cells->row, cells->row_held, sizeof *cells->row);
  mote_free(env, cells->cell, cells->cell_held, sizeof *cells->cell);
}

size_t mote_cells_bytes(const mote_cells *cells) {
  return cells->value_held * sizeof *cells->value_block + cells->place_held * sizeof *cells->place_block +
         cells->key_held * sizeof *cells->key_block + cells->histogram_held * sizeof *cells->histogram +
         cells->row_held * sizeof *cells->row + cells->cell_held * sizeof *cells->cell;
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

size_t mote_cells_find_cell(const mote_cells *cells, size_t row, int64_t x) {
  size_t begin = cells->row[row].cell, end = cells->row[row + 1].cell;
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    if (cells->cell[middle].x < x) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}
