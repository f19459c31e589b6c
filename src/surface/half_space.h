// The integral of the weight (4.8) of YU11 over a half space full of matter, from a point at depth z below
// its surface (negative: above it), in units of the reach r: the remaining fraction of the weight, and the
// depth of the weighted mean below the point. In closed form; docs/theory/anisotropy.md.
#ifndef MOTE_HALF_SPACE_H
#define MOTE_HALF_SPACE_H

// 1 from z = 1 on, 1/2 at 0, 0 at -1.
double mote_half_space_fraction(double z);

// 0 from z = 1 on, 9/28 at 0 (YU11 A (9)), growing towards 1 at -1.
double mote_half_space_shift(double z);

// The weighted mean of the squared distance from the axis through the point along the normal: 3/10 at 0 and
// from 1 on.
double mote_half_space_spread(double z);

// The inverse of mote_half_space_shift by a table, linear between its entries: within 1e-3 of z for shifts
// between 0.002 and 0.6; beyond, the end values of the table.
#define MOTE_HALF_SPACE_ENTRIES 512
typedef struct mote_half_space {
  float depth[MOTE_HALF_SPACE_ENTRIES + 1];
} mote_half_space;
void mote_half_space_tabulate(mote_half_space *table);
// 0 below `low`, 1 above `high`, smooth between.
double mote_rise(double x, double low, double high);

float mote_half_space_depth(const mote_half_space *table, float shift);

#endif
