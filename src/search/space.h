// Where a point lies in a grid: its cell, and its place counted in 2^-20 of a cell's edges.
//
// Both are monotone in the coordinate and right to `error` cells, so that points within a radius are never
// more than `reach` cells apart (docs/theory/search.md). Open axes hold cells from everywhere in the double
// range: where a set stretches over more than 2^20 cells, the edge is a power of two, and nothing is rounded.
#ifndef MOTE_SPACE_H
#define MOTE_SPACE_H

#include "search/domain.h"

#define MOTE_PLACE_BITS 20  // of a place behind the point: differences up to 15 cells are exact floats
#define MOTE_REACH_MAX 4    // cells to either side that are looked at; twice that along x

typedef struct mote_axis {
  double low;         // u = (x - low) / edge counts cells
  double per_length;  // cells per length; periodic: periods per length
  double edge;        // length of a cell
  int64_t cells;      // in a period; 0 where the axis is open
  int reach;          // a neighbour's cell is at most so many cells away
  double error;       // of u, in cells; infinite where places do not tell distances
} mote_axis;

typedef struct mote_space {
  mote_domain domain;
  mote_axis axis[3];
} mote_space;

// The cells for points within [low, high] and searches up to `radius`; edges as near to edge[] as can be.
mote_space mote_space_make(const mote_domain *domain, const double low[3], const double high[3],
                           double radius, const double edge[3]);

// The cell of |u| >= 2^53, where doubles are at least 2 apart: each has its own, in order.
int64_t mote_axis_far_cell(double u);

// The cell along one axis; *place receives where in 2^-20 cells, modulo 2^32.
static inline int64_t mote_axis_cell(const mote_axis *axis, double x, uint32_t *place) {
  double u = (x - axis->low) * axis->per_length;
  if (axis->cells != 0) {
    int64_t turns = (int64_t)u;
    turns -= (double)turns > u;
    u = (u - (double)turns) * (double)axis->cells;
    int64_t last = axis->cells - 1;
    int64_t cell = (int64_t)u;
    cell = cell > last ? last : cell;
    *place = (uint32_t)((uint64_t)cell << MOTE_PLACE_BITS) +
             (uint32_t)((u - (double)cell) * (1 << MOTE_PLACE_BITS));
    return cell;
  }
  if (u >= 0x1p53 || u <= -0x1p53) {
    *place = 0;
    return mote_axis_far_cell(u);
  }
  int64_t cell = (int64_t)u;
  cell -= (double)cell > u;
  *place =
      (uint32_t)((uint64_t)cell << MOTE_PLACE_BITS) + (uint32_t)((u - (double)cell) * (1 << MOTE_PLACE_BITS));
  return cell;
}

#endif
