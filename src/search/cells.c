// Sorted points, cells and rows: see cells.h. One pass finds every point's cell and whether the points are
// already in order; if not, they are sorted by cell number and the pass is repeated; then the beginnings of
// cells and rows are stored.
#include "search/cells.h"

#include <string.h>

#include "base/parallel.h"
#include "search/radix.h"

#define POINTS_PER_TASK 2048  // points of one part
#define POINTS_PER_BLOCK 256  // of them looked at together; divides POINTS_PER_TASK

enum { SAME_CELL, NEW_CELL, NEW_ROW };  // mote_cells.edge

// Cells and rows that begin in a part of the sorted points: counts, then the numbers of the first.
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
  bool borrowed, sorted;
  size_t count;
  int threads;
  mote_radix radix;
} build;

static void find_box(build *b, const double low[3], const double high[3]) {
  int64_t last[3];
  uint32_t fixed_position[3];
  mote_space_cell(b->space, low, b->first, fixed_position);
  mote_space_cell(b->space, high, last, fixed_position);
  for (int a = 0; a < 3; ++a) {
    int64_t period = a < b->space->domain.dimensions ? b->space->axis[a].cells : 0;
    if (period != 0) {
      b->first[a] = 0;
      last[a] = period - 1;
    }
    b->size[a] = (double)(last[a] - b->first[a]) + 1.0;
  }
}

static mote_result reserve_points(mote_cells *c, const mote_env *env, size_t count, bool borrowed,
                                  mote_error *error) {
  size_t padded = count + MOTE_CELLS_PADDING, parts = count / POINTS_PER_TASK + 1;
  MOTE_TRY(mote_reserve(env, &c->order, &c->order_capacity, padded, sizeof *c->order, error));
  MOTE_TRY(mote_reserve(env, &c->fixed_position_block, &c->fixed_position_capacity, 3 * padded,
                        sizeof *c->fixed_position_block, error));
  if (!borrowed) {
    MOTE_TRY(mote_reserve(env, &c->position, &c->position_capacity, 3 * count, sizeof *c->position, error));
  }
  MOTE_TRY(mote_reserve(env, &c->edge, &c->edge_capacity, count, sizeof *c->edge, error));
  MOTE_TRY(mote_reserve(env, &c->part, &c->part_capacity, parts, sizeof *c->part, error));
  for (int a = 0; a < 3; ++a) c->fixed_position[a] = c->fixed_position_block + a * padded;
  return MOTE_OK;
}

// The cells of POINTS_PER_BLOCK points, behind the cell of the point before them.
typedef struct block {
  int64_t cell[3][POINTS_PER_BLOCK + 1];
  double position[3 * POINTS_PER_BLOCK];  // if they are not copied
} block;

static void locate(const mote_space_axis *axis, const double *x, size_t count, int64_t *cell,
                   uint32_t *fixed_position) {
  const mote_space_axis a = *axis;
  for (size_t k = 0; k < count; ++k) cell[k] = mote_axis_cell(&a, x[3 * k], &fixed_position[k]);
}

// Gathers sorted points k .. k + count - 1 and finds their cells.
static void locate_block(build *b, size_t k, size_t count, block *out) {
  mote_cells *c = b->cells;
  int dimensions = b->space->domain.dimensions;
  double *x = b->borrowed ? out->position : c->position + 3 * k;
  if (b->sorted) {
    const uint32_t *order = c->order + k;
    for (size_t m = 0; m < count; ++m) memcpy(x + 3 * m, b->position + 3 * (size_t)order[m], 3 * sizeof *x);
  } else {
    memcpy(x, b->position + 3 * k, 3 * count * sizeof *x);
  }
  for (int a = 0; a < 3; ++a) {
    out->cell[a][0] = out->cell[a][POINTS_PER_BLOCK];
    if (a < dimensions) {
      locate(&b->space->axis[a], x + a, count, out->cell[a] + 1, c->fixed_position[a] + k);
      continue;
    }
    for (size_t m = 0; m < count; ++m) x[3 * m + a] = 0.0;
    memset(out->cell[a] + 1, 0, count * sizeof out->cell[a][0]);
    memset(c->fixed_position[a] + k, 0, count * sizeof *c->fixed_position[a]);
  }
}

// Marks beginnings of cells and rows in a block; false if it is not in order.
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

// Fixed positions and edges of one part of the points in their present order: sorted, or as given, until this
// proves not to be the order of cells.
static void place_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  mote_cells *c = b->cells;
  mote_cells_part part = {.in_order = true};
  block cells;
  for (int a = 0; a < 3; ++a) cells.cell[a][POINTS_PER_BLOCK] = INT64_MIN;
  if (begin > 0) {
    size_t before = b->sorted ? c->order[begin - 1] : begin - 1;
    for (int a = 0; a < b->space->domain.dimensions; ++a) {
      uint32_t fixed_position;
      cells.cell[a][POINTS_PER_BLOCK] =
          mote_axis_cell(&b->space->axis[a], b->position[3 * before + a], &fixed_position);
    }
    for (int a = b->space->domain.dimensions; a < 3; ++a) cells.cell[a][POINTS_PER_BLOCK] = 0;
  }
  for (size_t k = begin; k < end && part.in_order; k += POINTS_PER_BLOCK) {
    size_t count = end - k < POINTS_PER_BLOCK ? end - k : POINTS_PER_BLOCK;
    locate_block(b, k, count, &cells);
    part.in_order = find_edges(&cells, count, c->edge + k, &part);
    for (size_t m = k; m < k + count && !b->sorted; ++m) c->order[m] = (uint32_t)m;
  }
  c->part[begin / POINTS_PER_TASK] = part;
}

static bool place_points(build *b) {
  mote_parallel_for(b->threads, b->count, POINTS_PER_TASK, place_part, b);
  bool in_order = true;
  for (size_t p = 0; p * POINTS_PER_TASK < b->count; ++p) in_order = in_order && b->cells->part[p].in_order;
  return in_order;
}

// Numbers of cells along axes fastest .. slowest, the slowest most significant.
static void make_keys(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  uint32_t *value = b->radix.value, fixed_position;
  for (size_t k = begin; k < end; ++k) {
    if (b->fastest == 0) value[k] = (uint32_t)k;
    b->radix.key[k] = 0;
  }
  for (int a = b->slowest; a >= b->fastest; --a) {
    const mote_space_axis axis = b->space->axis[a];
    uint64_t size = (uint64_t)b->size[a];
    for (size_t k = begin; k < end; ++k) {
      int64_t cell = mote_axis_cell(&axis, b->position[3 * (size_t)value[k] + a], &fixed_position);
      b->radix.key[k] = b->radix.key[k] * size + (uint64_t)(cell - b->first[a]);
    }
  }
}

static mote_result reserve_keys(build *b, const mote_env *env, mote_error *error) {
  mote_cells *c = b->cells;
  size_t padded = b->count + MOTE_CELLS_PADDING;
  MOTE_TRY(mote_reserve(env, &c->spare, &c->spare_capacity, padded, sizeof *c->spare, error));
  MOTE_TRY(mote_reserve(env, &c->key, &c->key_capacity, b->count, sizeof *c->key, error));
  MOTE_TRY(mote_reserve(env, &c->spare_key, &c->spare_key_capacity, b->count, sizeof *c->key, error));
  MOTE_TRY(mote_reserve(env, &c->histogram, &c->histogram_capacity, MOTE_RADIX_HISTOGRAM,
                        sizeof *c->histogram, error));
  b->radix = (mote_radix){.threads = b->threads,
                          .count = b->count,
                          .key = c->key,
                          .spare_key = c->spare_key,
                          .value = c->order,
                          .spare_value = c->spare,
                          .histogram = c->histogram};
  return MOTE_OK;
}

// Finds the order. One sort if the number of a cell fits into a word; else one per axis, the slowest last.
static mote_result sort_points(build *b, const mote_env *env, mote_error *error) {
  mote_cells *c = b->cells;
  MOTE_TRY(reserve_keys(b, env, error));
  int dimensions = b->space->domain.dimensions;
  double numbers = b->size[0] * b->size[1] * b->size[2];
  bool at_once = numbers < 0x1p62;
  for (int a = 0; a < dimensions; a += at_once ? dimensions : 1) {
    b->fastest = a;
    b->slowest = at_once ? dimensions - 1 : a;
    mote_parallel_for(b->threads, b->count, POINTS_PER_TASK, make_keys, b);
    int bits = 0;
    while (bits < 63 && (double)(UINT64_C(1) << bits) < (at_once ? numbers : b->size[a])) ++bits;
    mote_radix_sort(&b->radix, bits);
  }
  if (b->radix.value != c->order) {
    size_t capacity = c->order_capacity;
    c->order_capacity = c->spare_capacity;
    c->spare_capacity = capacity;
    c->order = b->radix.value;
    c->spare = b->radix.spare_value;
  }
  b->sorted = true;
  return MOTE_OK;
}

static void write_part(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  build *b = data;
  mote_cells *c = b->cells;
  mote_cells_part part = c->part[begin / POINTS_PER_TASK];
  for (size_t k = begin; k < end; ++k) {
    if (c->edge[k] == SAME_CELL) continue;
    int64_t cell[3];
    uint32_t fixed_position[3];
    mote_space_cell(b->space, mote_cells_given(c, k), cell, fixed_position);
    if (c->edge[k] == NEW_ROW) c->row[part.rows++] = (mote_row){cell[1], cell[2], part.cells};
    c->cell[part.cells++] = (mote_cell){cell[0], k};
  }
}

static mote_result write_cells(build *b, const mote_env *env, mote_error *error) {
  mote_cells *c = b->cells;
  size_t cells = 0, rows = 0;
  for (size_t p = 0; p * POINTS_PER_TASK < b->count; ++p) {
    mote_cells_part part = c->part[p];
    c->part[p].cells = cells;
    c->part[p].rows = rows;
    cells += part.cells;
    rows += part.rows;
  }
  MOTE_TRY(mote_reserve(env, &c->row, &c->row_capacity, rows + 1, sizeof *c->row, error));
  MOTE_TRY(mote_reserve(env, &c->cell, &c->cell_capacity, cells + 1, sizeof *c->cell, error));
  mote_parallel_for(b->threads, b->count, POINTS_PER_TASK, write_part, b);
  c->row[rows] = (mote_row){INT64_MAX, INT64_MAX, cells};
  c->cell[cells] = (mote_cell){INT64_MAX, b->count};
  c->cells = cells;
  c->rows = rows;
  return MOTE_OK;
}

mote_result mote_cells_build(mote_cells *cells, const mote_env *env, const mote_space *space,
                             const double *position, size_t count, bool borrowed, const double low[3],
                             const double high[3], mote_error *error) {
  MOTE_ASSERT(position != NULL || count == 0);
  MOTE_ASSERT(count <= UINT32_MAX);
  MOTE_ASSERT(space->radius > 0.0);
  MOTE_ASSERT(low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]);
  build b = {.cells = cells,
             .space = space,
             .position = position,
             .borrowed = borrowed,
             .count = count,
             .threads = env->threads};
  MOTE_ASSERT(!borrowed || cells->position == NULL);
  cells->count = cells->cells = cells->rows = 0;
  cells->given = position;
  MOTE_TRY(reserve_points(cells, env, count, borrowed, error));
  if (!place_points(&b)) {
    find_box(&b, low, high);
    MOTE_TRY(sort_points(&b, env, error));
    place_points(&b);
  }
  MOTE_TRY(write_cells(&b, env, error));
  cells->count = count;
  mote_cells_check(cells);
  return MOTE_OK;
}

void mote_cells_trim(mote_cells *c, const mote_env *env) {
  MOTE_ASSERT(c != NULL && env != NULL);
  mote_free(env, c->spare, c->spare_capacity, sizeof *c->spare);
  mote_free(env, c->histogram, c->histogram_capacity, sizeof *c->histogram);
  mote_free(env, c->key, c->key_capacity, sizeof *c->key);
  mote_free(env, c->spare_key, c->spare_key_capacity, sizeof *c->spare_key);
  mote_free(env, c->edge, c->edge_capacity, sizeof *c->edge);
  c->spare = c->histogram = NULL;
  c->key = c->spare_key = NULL;
  c->edge = NULL;
  c->spare_capacity = c->histogram_capacity = c->key_capacity = c->spare_key_capacity = c->edge_capacity = 0;
}

static mote_result reserve_selection(mote_cells *c, const mote_env *env, size_t count, size_t cells,
                                     size_t rows, mote_error *error) {
  size_t padded = count + MOTE_CELLS_PADDING;
  MOTE_TRY(mote_reserve(env, &c->order, &c->order_capacity, padded, sizeof *c->order, error));
  MOTE_TRY(mote_reserve(env, &c->self, &c->self_capacity, count, sizeof *c->self, error));
  MOTE_TRY(mote_reserve(env, &c->fixed_position_block, &c->fixed_position_capacity, 3 * padded,
                        sizeof *c->fixed_position_block, error));
  MOTE_TRY(mote_reserve(env, &c->cell, &c->cell_capacity, cells + 1, sizeof *c->cell, error));
  MOTE_TRY(mote_reserve(env, &c->row, &c->row_capacity, rows + 1, sizeof *c->row, error));
  for (size_t a = 0; a < 3; ++a) c->fixed_position[a] = c->fixed_position_block + a * padded;
  return MOTE_OK;
}

// Appends the wanted points of a cell.
static void select_points(mote_cells *out, const mote_cells *in, size_t cell, const uint8_t *wanted) {
  for (size_t k = in->cell[cell].point; k < in->cell[cell + 1].point; ++k) {
    if (!wanted[in->order[k]]) continue;
    size_t to = out->count++;
    out->order[to] = in->order[k], out->self[to] = (uint32_t)k;
    for (int a = 0; a < 3; ++a) out->fixed_position[a][to] = in->fixed_position[a][k];
  }
}

mote_result mote_cells_select(mote_cells *out, const mote_env *env, const mote_cells *in,
                              const uint8_t *wanted, mote_error *error) {
  MOTE_ASSERT(wanted != NULL || in->count == 0);
  MOTE_ASSERT(out != in);
  MOTE_ASSERT(in->count <= in->order_capacity || in->count == 0);
  out->count = out->cells = out->rows = 0;
  MOTE_TRY(reserve_selection(out, env, in->count, in->cells, in->rows, error));
  for (size_t r = 0; r < in->rows; ++r) {
    size_t cells = out->cells;
    for (size_t c = in->row[r].cell; c < in->row[r + 1].cell; ++c) {
      size_t first = out->count;
      select_points(out, in, c, wanted);
      if (out->count > first) out->cell[out->cells++] = (mote_cell){in->cell[c].x, first};
    }
    if (out->cells > cells) out->row[out->rows++] = (mote_row){in->row[r].y, in->row[r].z, cells};
  }
  out->cell[out->cells] = (mote_cell){0, out->count};
  out->row[out->rows] = (mote_row){0, 0, out->cells};
  mote_cells_check(out);
  return MOTE_OK;
}

void mote_cells_destroy(mote_cells *c, const mote_env *env) {
  MOTE_ASSERT(c != NULL && env != NULL);
  mote_cells_trim(c, env);
  mote_free(env, c->order, c->order_capacity, sizeof *c->order);
  mote_free(env, c->fixed_position_block, c->fixed_position_capacity, sizeof *c->fixed_position_block);
  mote_free(env, c->position, c->position_capacity, sizeof *c->position);
  mote_free(env, c->self, c->self_capacity, sizeof *c->self);
  mote_free(env, c->cell, c->cell_capacity, sizeof *c->cell);
  mote_free(env, c->row, c->row_capacity, sizeof *c->row);
  mote_free(env, c->part, c->part_capacity, sizeof *c->part);
}

size_t mote_cells_bytes(const mote_cells *c) {
  MOTE_ASSERT(c != NULL);
  return c->order_capacity * sizeof *c->order + c->fixed_position_capacity * sizeof *c->fixed_position_block +
         c->position_capacity * sizeof *c->position + c->self_capacity * sizeof *c->self +
         c->cell_capacity * sizeof *c->cell + c->row_capacity * sizeof *c->row +
         c->spare_capacity * sizeof *c->spare + c->histogram_capacity * sizeof *c->histogram +
         c->key_capacity * sizeof *c->key + c->spare_key_capacity * sizeof *c->spare_key +
         c->edge_capacity * sizeof *c->edge + c->part_capacity * sizeof *c->part;
}

size_t mote_cells_find_row(const mote_cells *cells, int64_t y, int64_t z) {
  MOTE_ASSERT(cells->rows <= cells->cells);
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

size_t mote_cells_find_point(const mote_cells *cells, size_t point) {
  MOTE_ASSERT(cells->cells <= cells->count);
  size_t begin = 0, end = cells->cells;
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    if (cells->cell[middle].point < point) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

size_t mote_cells_row_of(const mote_cells *cells, size_t cell) {
  MOTE_ASSERT(cell < cells->cells);
  MOTE_ASSERT(cells->row[0].cell == 0);
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

#ifdef MOTE_ASSERTS
void mote_cells_check(const mote_cells *c) {
  if (c->count == 0) return;
  MOTE_ASSERT(c->rows > 0 && c->rows <= c->cells && c->cells <= c->count);
  MOTE_ASSERT(c->row[0].cell == 0 && c->row[c->rows].cell == c->cells);
  MOTE_ASSERT(c->cell[0].point == 0 && c->cell[c->cells].point == c->count);
  for (size_t r = 0; r < c->rows; ++r) {
    const mote_row *row = &c->row[r];
    MOTE_ASSERT(row[0].cell < row[1].cell);
    MOTE_ASSERT(r == 0 || row[-1].z < row->z || (row[-1].z == row->z && row[-1].y < row->y));
    for (size_t k = row[0].cell; k < row[1].cell; ++k) {
      MOTE_ASSERT(c->cell[k].point < c->cell[k + 1].point);
      MOTE_ASSERT(k == row[0].cell || c->cell[k - 1].x < c->cell[k].x);
    }
  }
}
#endif
