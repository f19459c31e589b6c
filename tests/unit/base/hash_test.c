// The state hash: fixed values, dependence on every bit, on size and seed, and none on alignment.
#include "base/hash.h"

#include <math.h>

#include "base/random.h"
#include "test.h"

static int ones(uint64_t x) {
  int count = 0;
  for (; x != 0; x &= x - 1) ++count;
  return count;
}

// These are in saved files and golden tests.
static void golden(void) {
  CHECK(mote_hash_mix(0) == 0xe220a8397b1dcdafu);  // the first number of SplitMix64 with seed 0
  CHECK(mote_hash_bytes(0, "", 0) == 0xe220a8397b1dcdafu);
  CHECK(mote_hash_bytes(0, "mote", 4) == 0xe2964c48527288aau);
  CHECK(mote_hash_bytes(7, "particles, one after another", 28) == 0xa9006e29d285e9e0u);
}

#define BYTES 61
#define ROUNDS 50

// Flipping any bit of the data flips each bit of the hash in about half of the cases.
static void avalanche(void) {
  int flips[64] = {0}, trials = 0, least = 64;
  unsigned char data[BYTES];
  for (uint64_t round = 0; round < ROUNDS; ++round) {
    for (int k = 0; k < BYTES; ++k) data[k] = (unsigned char)mote_random(41, round, (uint64_t)k).v[0];
    uint64_t before = mote_hash_bytes(0, data, BYTES);
    for (int bit = 0; bit < 8 * BYTES; ++bit) {
      data[bit / 8] ^= (unsigned char)(1u << bit % 8);
      uint64_t change = before ^ mote_hash_bytes(0, data, BYTES);
      data[bit / 8] ^= (unsigned char)(1u << bit % 8);
      for (int k = 0; k < 64; ++k) flips[k] += (int)(change >> k & 1);
      if (ones(change) < least) least = ones(change);
      ++trials;
    }
  }
  for (int k = 0; k < 64; ++k) CHECK_NEAR((double)flips[k] / trials, 0.5, 5.0 * 0.5 / sqrt(trials));
  CHECK(least >= 8);  // 24,400 trials of 64 coins: fewer than 8 heads have probability 1e-6
}

static void size_and_seed_count(void) {
  const unsigned char zeros[64] = {0};
  for (size_t a = 0; a < 64; ++a) {
    for (size_t b = a + 1; b <= 64; ++b) CHECK(mote_hash_bytes(0, zeros, a) != mote_hash_bytes(0, zeros, b));
    CHECK(mote_hash_bytes(a, zeros, 8) != mote_hash_bytes(a + 1, zeros, 8));
  }
  CHECK(mote_hash_bytes(mote_hash_bytes(0, "ab", 2), "cd", 2) !=
        mote_hash_bytes(mote_hash_bytes(0, "cd", 2), "ab", 2));
}

static void alignment_does_not_count(void) {
  unsigned char data[64], moved[80];
  for (int k = 0; k < 64; ++k) data[k] = (unsigned char)(3 * k + 1);
  for (size_t size = 0; size <= 64; ++size) {
    for (size_t shift = 0; shift < 9; ++shift) {
      memcpy(moved + shift, data, size);
      CHECK(mote_hash_bytes(1, moved + shift, size) == mote_hash_bytes(1, data, size));
    }
  }
}

int main(void) {
  golden();
  avalanche();
  size_and_seed_count();
  alignment_does_not_count();
  return test_end();
}
