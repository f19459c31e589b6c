// A 64-bit hash of state: equal bits give equal hashes on every machine (little-endian reading), and a
// single changed bit changes about half of the hash. Not cryptographic.
#ifndef MOTE_HASH_H
#define MOTE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Spreads every bit of x over the whole word; a bijection (the finaliser of SplitMix64, Steele et al. 2014).
static inline uint64_t mote_hash_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Continues the hash `seed` with `size` bytes; begin with any seed, e.g. 0.
uint64_t mote_hash_bytes(uint64_t seed, const void *data, size_t size);

#endif
