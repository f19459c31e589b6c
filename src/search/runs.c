// The runs of sorted points that may be near a cell: see grid.h.
#include "search/grid.h"

// Neighbour cells first .. last of one axis as pieces of the stored range, with the shift of their images.
typedef struct piece {
  int64_t first, last;
  uint32_t shift;
} piece;

static int cut(const mote_axis *axis, int64_t cell, piece out[3]) {
  int64_t first = cell - axis->reach, last = cell + axis->reach, n = axis->cells;
  if (n == 0 || n < 2 * axis->reach + 1) {
    out[0] = n == 0 ? (piece){first, last, 0} : (piece){0, n - 1, 0};
    return 1;
  }
  int pieces = 0;
  for (int64_t turn = -1; turn <= 1; ++turn) {
    int64_t from = first - turn * n, to = last - turn * n;
    piece p = {from < 0 ? 0 : from, to > n - 1 ? n - 1 : to,
               (uint32_t)((uint64_t)(turn * n) << MOTE_PLACE_BITS)};
    if (p.first <= p.last) out[pieces++] = p;
  }
  return pieces;
}

size_t mote_grid_runs(const mote_grid *grid, const int64_t cell[3], mote_run run[MOTE_RUNS_MAX]) {
  const mote_cells *c = &grid->cells;
  piece part[3][3];
  int pieces[3];
  for (int a = 0; a < 3; ++a) pieces[a] = cut(&grid->space.axis[a], cell[a], part[a]);
  size_t runs = 0;
  for (int pz = 0; pz < pieces[2]; ++pz) {
    for (int64_t z = part[2][pz].first; z <= part[2][pz].last; ++z) {
      for (int py = 0; py < pieces[1]; ++py) {
        size_t row = mote_cells_find_row(c, part[1][py].first, z);
        for (; row < c->rows && c->row[row].z == z && c->row[row].y <= part[1][py].last; ++row) {
          for (int px = 0; px < pieces[0]; ++px) {
            size_t from = mote_cells_find_cell(c, row, part[0][px].first);
            size_t to = mote_cells_find_cell(c, row, part[0][px].last + 1);
            if (from == to) continue;
            run[runs++] = (mote_run){c->cell[from].point,
                                     c->cell[to].point,
                                     {part[0][px].shift, part[1][py].shift, part[2][pz].shift}};
          }
        }
      }
    }
  }
  MOTE_ASSERT(runs <= MOTE_RUNS_MAX);
  return runs;
}
