// Positions and labels of the ticks of an axis.
#ifndef MOTE_TICKS_H
#define MOTE_TICKS_H

#include <stdbool.h>

#define MOTE_TICKS_MAX 24
#define MOTE_MINORS_MAX 256

typedef struct mote_ticks {
  int count;
  double value[MOTE_TICKS_MAX];  // ascending
  char label[MOTE_TICKS_MAX][32];
  int minors;  // between, without numbers: logarithmic axes
  double minor[MOTE_MINORS_MAX];
  char common[64];  // what all labels share: "×10⁻³", "+1200", "×10⁻³ + 1200"; mostly empty
} mote_ticks;

// Makes low < high with a distance that doubles can divide, whatever comes in: not numbers, infinities,
// equal ends (widened), and for logarithms values not above 0.
void mote_ticks_range(double *low, double *high, bool log);

// Puts the ends that were given (that are numbers) in place of those of the data. Where only one was given
// and lies beyond all data, the other follows it; so low > high is left only where both were given so.
void mote_ticks_given(double given_low, double given_high, bool log, double *low, double *high);

// About `wanted` (at least 2) ticks in [low, high], low < high as mote_ticks_range leaves them: multiples of
// 1, 2 or 5 times a power of ten; decades on logarithmic axes of more than one.
void mote_ticks_find(double low, double high, bool log, int wanted, mote_ticks *ticks);

#endif
