// A 64-bit hash of state: see hash.h. Blocks of 32 bytes go through four chains side by side, since one
// chain is as slow as its multiplications; the rest follows word by word.
#include "base/hash.h"

#include "base/check.h"

#define HASH_CHAINS 4

// Written out: compilers then see one load.
static inline uint64_t read_word(const unsigned char *b) {
  return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
         (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static uint64_t hash_blocks(uint64_t seed, const unsigned char *bytes, size_t blocks) {
  uint64_t chain[HASH_CHAINS] = {seed, seed + 1, seed + 2, seed + 3};
  for (const unsigned char *end = bytes + 8 * HASH_CHAINS * blocks; bytes < end; bytes += 8 * HASH_CHAINS) {
    for (int k = 0; k < HASH_CHAINS; ++k) chain[k] = mote_hash_mix(chain[k] ^ read_word(bytes + 8 * k));
  }
  uint64_t hash = 0;
  for (int k = 0; k < HASH_CHAINS; ++k) hash = mote_hash_mix(hash ^ chain[k]);
  return hash;
}

uint64_t mote_hash_bytes(uint64_t seed, const void *data, size_t size) {
  MOTE_ASSERT(data != NULL || size == 0);
  const unsigned char *bytes = data, *end = bytes + size;
  uint64_t hash = mote_hash_mix(seed ^ size);
  size_t blocks = size / (8 * HASH_CHAINS);
  if (blocks > 0) hash = hash_blocks(hash, bytes, blocks);
  for (bytes += 8 * HASH_CHAINS * blocks; end - bytes >= 8; bytes += 8) {
    hash = mote_hash_mix(hash ^ read_word(bytes));
  }
  unsigned char last[8] = {0};
  for (int k = 0; bytes + k < end; ++k) last[k] = bytes[k];
  return bytes < end ? mote_hash_mix(hash ^ read_word(last)) : hash;
}
