// Rotations, decimal logarithms and powers, by functions that give the same bits everywhere.
#ifndef MOTE_DRAW_MATH_H
#define MOTE_DRAW_MATH_H

#include <math.h>
#include <mote/numeric.h>

static inline double draw_sin_degrees(double a) {
  return mote_sin(a * 0.017453292519943295);
}

// Exact at multiples of a quarter turn: upright text stays upright.
static inline void draw_turn(double degrees, double *c, double *s) {
  static const double quarter[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  double turns = degrees / 90, whole = floor(turns);
  int k = (int)(whole - 4 * floor(whole / 4));
  double rest = (turns - whole) * 90, cr = rest == 0 ? 1 : draw_sin_degrees(90 - rest),
         sr = rest == 0 ? 0 : draw_sin_degrees(rest);
  *c = quarter[k][0] * cr - quarter[k][1] * sr;
  *s = quarter[k][1] * cr + quarter[k][0] * sr;
}

static inline double draw_log10(double x) {
  return mote_log(x) * 0.43429448190325182;
}

static inline double draw_exp10(double x) {
  return mote_exp(x * 2.302585092994045684);
}

static inline double draw_clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

#endif
