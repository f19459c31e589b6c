// Powers of ten to 128 bits, for reading and printing numbers.
#ifndef MOTE_TEXT_POWER_H
#define MOTE_TEXT_POWER_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 mote_uint128;

// floor(log2(10^k)) for |k| <= 350.
static inline int mote_text_power_log2(int k) {
  return (k * 1741647) >> 19;
}

// floor(10^k / 2^(log2 - 127)) for |k| <= 350; the leading bit is set.
mote_uint128 mote_text_power(int k);

static inline bool mote_text_power_is_exact(int k) {
  return k >= 0 && k <= 55;
}

#endif
