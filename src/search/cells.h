// A point set sorted by (z, y, x) cell and index: points in cells, cells in rows along x, rows in order.
// Only occupied cells and rows are stored; they are found by bisection or by advancing in order.
#ifndef MOTE_CELLS_H
#define MOTE_CELLS_H

#include "base/memory.h"
#include "search/space.h"

typedef struct mote_cell {
  int64_t x;
  size_t point;  // its first
} mote_cell;

typedef struct mote_row {
  int64_t y, z;
  size_t cell;  // its first
} mote_row;

#define MOTE_CELLS_PADDING 8  // entries behind order[] and place[][] that may be read

typedef struct mote_cells {
  size_t count, cells, rows;
  uint32_t *order;              // the index of each sorted point
  uint32_t *fixed_position[3];  // of each sorted point, see space.h
  double *position;             // of each sorted point; null: `given` is used
  const double *given;          // positions in their own order
  uint32_t *self;   // of a selection: the number of each in the set that it was selected from; else null
  mote_cell *cell;  // cells + 1; the last begins behind the last point
  mote_row *row;    // rows + 1
  // Used by the build only.
  uint32_t *fixed_position_block, *spare, *histogram;
  uint64_t *key, *spare_key;
  uint8_t *edge;  // whether a sorted point begins a cell (1), or a row as well (2)
  struct mote_cells_part *part;
  size_t order_capacity, fixed_position_capacity, position_capacity, self_capacity, cell_capacity,
      row_capacity;
  size_t spare_capacity, histogram_capacity, key_capacity, spare_key_capacity, edge_capacity, part_capacity;
} mote_cells;

// Sorts `count` points that lie in [low, high], and copies them unless they are `borrowed`: then the caller
// must not change them while the set is used. Memory is kept between calls. On failure the set is empty.
mote_result mote_cells_build(mote_cells *cells, const mote_env *env, const mote_space *space,
                             const double *position, size_t count, bool borrowed, const double low[3],
                             const double high[3], mote_error *error);
// Those sorted points whose index is `wanted`, in the same order and cells. Positions are read from
// `cells`. Memory is kept between calls.
mote_result mote_cells_select(mote_cells *out, const mote_env *env, const mote_cells *cells,
                              const uint8_t *wanted, mote_error *error);
void mote_cells_destroy(mote_cells *cells, const mote_env *env);
// Frees the memory of the build.
void mote_cells_trim(mote_cells *cells, const mote_env *env);
size_t mote_cells_bytes(const mote_cells *cells);

#ifdef MOTE_ASSERTS
// Invariants: rows, their cells and the cells' points follow one another in order, none of them empty.
void mote_cells_check(const mote_cells *cells);
#else
static inline void mote_cells_check(const mote_cells *cells) {
  (void)cells;
}
#endif

// The given position of sorted point k; coordinates beyond the dimensions are unspecified.
static inline const double *mote_cells_given(const mote_cells *cells, size_t k) {
  return cells->position != NULL ? cells->position + 3 * k : cells->given + 3 * (size_t)cells->order[k];
}

// The same with zeros there.
static inline void mote_cells_point(const mote_cells *cells, const mote_domain *domain, size_t k,
                                    double x[3]) {
  const double *given = mote_cells_given(cells, k);
  for (int a = 0; a < 3; ++a) x[a] = a < domain->dimensions ? given[a] : 0.0;
}

// The first row at or behind (y, z); `rows` where there is none.
size_t mote_cells_find_row(const mote_cells *cells, int64_t y, int64_t z);
// The first cell that begins at or behind a sorted point; `cells` where there is none.
size_t mote_cells_find_point(const mote_cells *cells, size_t point);
// The row that holds a cell.
size_t mote_cells_row_of(const mote_cells *cells, size_t cell);

#endif
