// A 64-bit hash of state: see hash.h.
#include "base/hash.h"

static uint64_t read_word(const unsigned char *bytes, size_t size) {
  uint64_t word = 0;
  for (size_t k = 0; k < size; ++k) word |= (uint64_t)bytes[k] << (8 * k);
  return word;
}

uint64_t mote_hash_bytes(uint64_t seed, const void *data, size_t size) {
  const unsigned char *bytes = data;
  uint64_t hash = mote_hash_mix(seed ^ size);
  size_t whole = size / 8 * 8;
  for (size_t k = 0; k < whole; k += 8) hash = mote_hash_mix(hash ^ read_word(bytes + k, 8));
  if (whole < size) hash = mote_hash_mix(hash ^ read_word(bytes + whole, size - whole));
  return hash;
}
