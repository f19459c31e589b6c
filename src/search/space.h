// The position of a point in a grid: its cell, and its fixed position in units of 2^-20 of a cell's edge,
// modulo 2^32.
//
// Cells are monotone in the coordinate and so accurate that points within the radius are never more than
// `reach` cells apart; this holds in the whole range of doubles: for sets of more than 2^20
// cells edges are powers of two, without rounding. Differences of fixed positions within
// reach are exact and fit into floats: they decide for nearly all pairs whether they are neighbours
// (docs/theory/search.md).
#ifndef MOTE_SPACE_H
#define MOTE_SPACE_H

#include "search/domain.h"

#define MOTE_REACH_MAX 4             // cells to either side that are looked at
#define MOTE_FIXED_POSITION_BITS 20  // differences of up to 15 cells are exact floats

typedef struct mote_space_axis {
  double low;         // u = (x - low) * per_length counts cells, or periods
  double per_length;  // cells per length; periodic: periods per length
  double edge;        // length of a cell
  int64_t cells;      // in a period; 0 where the axis is open
  int reach;          // largest distance of a neighbour's cell, in cells
  double error;       // of u, in cells
  double turns;       // periods away up to which this error holds
  double blur;        // of fixed positions, in cells; infinite if they do not determine distances
} mote_space_axis;

typedef struct mote_space {
  mote_domain domain;
  mote_space_axis axis[3];
  bool whole;     // query points are so many periods away that every point is a candidate
  double radius;  // of the largest search
  // Fixed positions in units of this radius.
  float scale[3];
  float error;  // of the square of a distance near 1; infinite if fixed positions do not determine distances
} mote_space;

// The cells for all points of a set, which lie within [low, high] (a part of it has the same cells), and
// searches up to `radius`; edges as near to `edge` as possible.
mote_space mote_space_make(const mote_domain *domain, const double low[3], const double high[3],
                           double radius, double edge);

// The same cells extended to other points within [low, high].
void mote_space_extend(mote_space *space, const double low[3], const double high[3]);

// The cell of |u| >= 2^53, where doubles are at least 2 apart: each has its own, in order.
int64_t mote_axis_far_cell(double u);

static inline int64_t mote_floor(double x) {
  int64_t below = (int64_t)x;
  return below - ((double)below > x);
}

// The cell along one axis, and the fixed position.
static inline int64_t mote_axis_cell(const mote_space_axis *axis, double x, uint32_t *fixed_position) {
  double u = (x - axis->low) * axis->per_length;
  int64_t cell;
  if (axis->cells != 0) {
    u = (u - (double)mote_floor(u)) * (double)axis->cells;
    cell = (int64_t)u;
    if (cell >= axis->cells) cell = axis->cells - 1;
  } else if (u < 0x1p53 && u > -0x1p53) {
    cell = mote_floor(u);
  } else {
    *fixed_position = 0;
    return mote_axis_far_cell(u);
  }
  *fixed_position = (uint32_t)((uint64_t)cell << MOTE_FIXED_POSITION_BITS) +
                    (uint32_t)((u - (double)cell) * (1 << MOTE_FIXED_POSITION_BITS));
  return cell;
}

static inline void mote_space_cell(const mote_space *space, const double *x, int64_t cell[3],
                                   uint32_t fixed_position[3]) {
  for (int a = 0; a < 3; ++a) {
    cell[a] = 0;
    fixed_position[a] = 0;
    if (a < space->domain.dimensions) cell[a] = mote_axis_cell(&space->axis[a], x[a], &fixed_position[a]);
  }
}

#endif
