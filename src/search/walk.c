// The runs of sorted points that may be near a cell: see walk.h.
#include "search/walk.h"

// Cells first .. last of one axis, whose images are displaced by `shift`.
typedef struct piece {
  int64_t first, last;
  uint32_t shift;
} piece;

// The cells within reach of `cell`, divided at the end of a period; the whole axis if it is short.
static int cut(const mote_space_axis *axis, int64_t cell, piece out[2]) {
  int64_t first = cell - axis->reach, last = cell + axis->reach, n = axis->cells;
  if (n == 0) {
    out[0] = (piece){first, last, 0};
    return 1;
  }
  if (n < 2 * axis->reach + 1) {
    out[0] = (piece){0, n - 1, 0};
    return 1;
  }
  uint32_t period = (uint32_t)((uint64_t)n << MOTE_FIXED_POSITION_BITS);
  if (first < 0) {
    out[0] = (piece){first + n, n - 1, -period};
    out[1] = (piece){0, last, 0};
    return 2;
  }
  if (last >= n) {
    out[0] = (piece){first, n - 1, 0};
    out[1] = (piece){0, last - n, period};
    return 2;
  }
  out[0] = (piece){first, last, 0};
  return 1;
}

// Finds the rows near (y, z), each with its cursors at its first cell.
static void find_rows(mote_walk *walk, int64_t y, int64_t z) {
  const mote_cells *p = walk->points;
  piece ys[2], zs[2];
  int y_pieces = cut(&walk->space->axis[1], y, ys), z_pieces = cut(&walk->space->axis[2], z, zs);
  walk->rows = 0;
  for (int pz = 0; pz < z_pieces; ++pz) {
    for (int64_t at = zs[pz].first; at <= zs[pz].last; ++at) {
      for (int py = 0; py < y_pieces; ++py) {
        size_t row = mote_cells_find_row(p, ys[py].first, at);
        for (; row < p->rows && p->row[row].z == at && p->row[row].y <= ys[py].last; ++row) {
          MOTE_ASSERT(walk->rows < MOTE_WALK_ROWS);
          size_t begin = p->row[row].cell, end = p->row[row + 1].cell;
          walk->near[walk->rows] = (mote_walk_row){begin, end, begin, begin, {ys[py].shift, zs[pz].shift}};
          ++walk->rows;
        }
      }
    }
  }
}

// The first cell of [begin, end) at or behind x.
static size_t find_cell(const mote_cell *cell, size_t begin, size_t end, int64_t x) {
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    if (cell[middle].x < x) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// Runs of the cells within reach of x in all near rows, by bisection.
static void find_runs(mote_walk *walk, int64_t x) {
  const mote_cell *cell = walk->points->cell;
  piece xs[2];
  int pieces = cut(&walk->space->axis[0], x, xs);
  walk->runs = 0;
  for (size_t r = 0; r < walk->rows; ++r) {
    const mote_walk_row *row = &walk->near[r];
    for (int k = 0; k < pieces; ++k) {
      size_t from = find_cell(cell, row->begin, row->end, xs[k].first);
      size_t to = find_cell(cell, from, row->end, xs[k].last + 1);
      walk->run[walk->runs++] =
          (mote_run){cell[from].point, cell[to].point, {xs[k].shift, row->shift[0], row->shift[1]}};
    }
  }
}

// The same without periods, starting at the ends of the last runs.
static void move_runs(mote_walk *walk, int64_t x) {
  const mote_cell *cell = walk->points->cell;
  int64_t first = x - walk->space->axis[0].reach, last = x + walk->space->axis[0].reach;
  walk->runs = walk->rows;
  for (size_t r = 0; r < walk->rows; ++r) {
    mote_walk_row *row = &walk->near[r];
    size_t from = row->from, to = row->to, end = row->end;
    while (from < end && cell[from].x < first) ++from;
    if (to < from) to = from;
    while (to < end && cell[to].x <= last) ++to;
    row->from = from;
    row->to = to;
    walk->run[r] = (mote_run){cell[from].point, cell[to].point, {0, row->shift[0], row->shift[1]}};
  }
}

static void take_all(mote_walk *walk) {
  walk->runs = 1;
  walk->run[0] = (mote_run){0, walk->points->count, {0, 0, 0}};
}

static void settle(mote_walk *walk) {
  if (walk->space->whole) {
    take_all(walk);
    return;
  }
  int64_t x = walk->targets->cell[walk->cell].x;
  const mote_space_axis *axis = &walk->space->axis[0];
  if (axis->cells != 0 && (x < axis->reach || x + axis->reach >= axis->cells)) {
    find_runs(walk, x);
  } else {
    move_runs(walk, x);
  }
}

// Rows begin far before a walk does: its cursors start where its first cell is.
static void enter_row(mote_walk *walk) {
  const mote_row *row = &walk->targets->row[walk->row];
  find_rows(walk, row->y, row->z);
  int64_t first = walk->targets->cell[walk->cell].x - walk->space->axis[0].reach;
  for (size_t r = 0; r < walk->rows; ++r) {
    size_t begin = walk->near[r].begin;
    if (walk->points->cell[begin].x >= first) continue;
    walk->near[r].from = walk->near[r].to = find_cell(walk->points->cell, begin, walk->near[r].end, first);
  }
}

void mote_walk_start(mote_walk *walk, const mote_space *space, const mote_cells *points,
                     const mote_cells *targets, size_t cell) {
  MOTE_ASSERT(cell <= targets->cells);
  MOTE_ASSERT(space != NULL && points != NULL);
  walk->space = space;
  walk->points = points;
  walk->targets = targets;
  walk->cell = cell;
  walk->row = mote_cells_row_of(targets, cell);
  enter_row(walk);
  settle(walk);
}

void mote_walk_next(mote_walk *walk) {
  MOTE_ASSERT(walk->cell < walk->targets->cells);
  MOTE_ASSERT(walk->row < walk->targets->rows);
  if (++walk->cell >= walk->targets->cells) return;
  if (walk->cell == walk->targets->row[walk->row + 1].cell) {
    ++walk->row;
    enter_row(walk);
  }
  settle(walk);
}

void mote_walk_at(mote_walk *walk, const mote_space *space, const mote_cells *points, const int64_t cell[3]) {
  MOTE_ASSERT(space != NULL && points != NULL && cell != NULL);
  walk->space = space;
  walk->points = points;
  if (space->whole) {
    take_all(walk);
    return;
  }
  find_rows(walk, cell[1], cell[2]);
  find_runs(walk, cell[0]);
}
