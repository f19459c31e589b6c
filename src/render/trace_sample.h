// Points of [0, 1)^2 for the paths of a pixel: Sobol' points in pairs of dimensions, each pair shuffled and
// scrambled (Owen) by a hash of pixel and dimension: Burley, Practical Hash-based Owen Scrambling, 2020. A
// pure function of (seed, pixel, sample, dimension): any thread may draw them in any order.
#ifndef MOTE_TRACE_SAMPLE_H
#define MOTE_TRACE_SAMPLE_H

#include <stdint.h>

typedef struct mote_sampler {
  uint32_t pixel;  // a hash of seed and pixel
  uint32_t index;  // of the sample
  uint32_t pair;   // of dimensions, the next to be drawn
} mote_sampler;

typedef struct mote_sample_point {
  float a, b;
} mote_sample_point;

// A bijection of 32 bits in which every bit of the result depends on every bit of x.
static inline uint32_t sample_mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ x >> 16;
}

static inline uint32_t sample_hash(uint32_t a, uint32_t b) {
  return sample_mix(a ^ (sample_mix(b) + 0x9e3779b9U + (a << 6) + (a >> 2)));
}

static inline uint32_t sample_reverse(uint32_t x) {
  x = x << 16 | x >> 16;
  x = (x & 0x00ff00ffU) << 8 | (x & 0xff00ff00U) >> 8;
  x = (x & 0x0f0f0f0fU) << 4 | (x & 0xf0f0f0f0U) >> 4;
  x = (x & 0x33333333U) << 2 | (x & 0xccccccccU) >> 2;
  return (x & 0x55555555U) << 1 | (x & 0xaaaaaaaaU) >> 1;
}

// Flips each bit by a hash of those above it: Owen's scrambling, of bits in reverse (Laine & Karras 2011).
static inline uint32_t sample_owen(uint32_t reversed, uint32_t seed) {
  reversed += seed;
  reversed ^= reversed * 0x6c50b47cU;
  reversed ^= reversed * 0xb82f1e52U;
  reversed ^= reversed * 0xc7afe638U;
  reversed ^= reversed * 0x8d22f6e6U;
  return reversed;
}

// The second dimension of Sobol's sequence; the first is the index with its bits reversed.
static inline uint32_t sample_sobol(uint32_t index) {
  uint32_t result = 0;
  for (uint32_t v = 1U << 31; index != 0; index >>= 1, v ^= v >> 1)
    if (index & 1) result ^= v;
  return result;
}

static inline float sample_unit(uint32_t bits) {
  return (float)(bits >> 8) * (1.0F / 16777216.0F);
}

static inline mote_sampler sampler_make(uint64_t seed, uint32_t pixel, uint32_t index) {
  uint32_t s = sample_hash((uint32_t)seed, (uint32_t)(seed >> 32));
  return (mote_sampler){.pixel = sample_hash(pixel, s), .index = index};
}

static inline mote_sample_point sampler_next(mote_sampler *s) {
  uint32_t seed = sample_hash(s->pixel, s->pair++);
  uint32_t index = sample_reverse(sample_owen(sample_reverse(s->index), seed));
  uint32_t a = sample_reverse(sample_owen(index, sample_hash(seed, 1)));
  uint32_t b = sample_reverse(sample_owen(sample_reverse(sample_sobol(index)), sample_hash(seed, 2)));
  return (mote_sample_point){sample_unit(a), sample_unit(b)};
}

#endif
