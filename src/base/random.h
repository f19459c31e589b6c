// Counter-based random numbers: Philox 4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy
// as 1, 2, 3"). A number is a pure function of (seed, stream, index): no state, any order, any thread.
#ifndef MOTE_RANDOM_H
#define MOTE_RANDOM_H

#include <stdint.h>

typedef struct mote_random4 {
  uint32_t v[4];
} mote_random4;

static inline mote_random4 mote_philox(mote_random4 counter, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = (uint64_t)0xD2511F53u * counter.v[0];
    uint64_t b = (uint64_t)0xCD9E8D57u * counter.v[2];
    counter = (mote_random4){{(uint32_t)(b >> 32) ^ counter.v[1] ^ key0, (uint32_t)b,
                              (uint32_t)(a >> 32) ^ counter.v[3] ^ key1, (uint32_t)a}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

static inline mote_random4 mote_random(uint64_t seed, uint64_t stream, uint64_t index) {
  mote_random4 counter = {
      {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
  return mote_philox(counter, (uint32_t)seed, (uint32_t)(seed >> 32));
}

// Uniform in [0, 1), multiples of 2^-53.
static inline double mote_random_unit(uint64_t seed, uint64_t stream, uint64_t index) {
  mote_random4 r = mote_random(seed, stream, index);
  uint64_t bits = ((uint64_t)r.v[0] << 32 | r.v[1]) >> 11;
  return (double)bits * 0x1p-53;
}

// Uniform in [low, high).
static inline double mote_random_between(uint64_t seed, uint64_t stream, uint64_t index, double low,
                                         double high) {
  double x = low + (high - low) * mote_random_unit(seed, stream, index);
  return x >= high ? low : x;  // rounding may reach the end
}

#endif
