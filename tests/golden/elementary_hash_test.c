// The elementary functions give the same bits everywhere: the hash of 100,000 results of each. A change of
// these numbers changes the results of every simulation: only with the reason in the commit.
#include <mote/numeric.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/random.h"
#include "test.h"

#define RESULTS 100000

typedef double one_fn(double);
typedef double two_fn(double, double);
typedef float one_float_fn(float);
typedef float two_float_fn(float, float);

// Random bits in turn with plain numbers of modest size.
static double draw(uint64_t i, uint64_t stream) {
  mote_random4 r = mote_random(21, stream, i);
  uint64_t bits = (uint64_t)r.v[0] << 32 | r.v[1];
  double x;
  memcpy(&x, &bits, sizeof x);
  if (i % 4 == 1) x = ((double)bits * 0x1p-63 - 1.0);
  if (i % 4 == 2) x = ((double)bits * 0x1p-63 - 1.0) * 800.0;
  if (i % 4 == 3) x = (double)bits * 0x1p-59;
  return x;
}

static uint64_t hash_double(one_fn *one, two_fn *two) {
  static double table[RESULTS];
  for (uint64_t i = 0; i < RESULTS; ++i) table[i] = one ? one(draw(i, 0)) : two(draw(i, 0), draw(i / 4, 1));
  return mote_hash_bytes(0, table, sizeof table);
}

static uint64_t hash_float(one_float_fn *one, two_float_fn *two) {
  static float table[RESULTS];
  for (uint64_t i = 0; i < RESULTS; ++i) {
    float x = (float)draw(i, 2), y = (float)draw(i / 4, 3), value = one ? one(x) : two(x, y);
    table[i] = value == value ? value : 0.0f;  // converting a NaN to float keeps no promise about its sign
  }
  return mote_hash_bytes(0, table, sizeof table);
}

static void check_hash(const char *name, uint64_t got, uint64_t wanted) {
  if (!test_report(got == wanted, name, __FILE__, __LINE__)) {
    fprintf(stderr, "  %s: 0x%016llx, not 0x%016llx\n", name, (unsigned long long)got,
            (unsigned long long)wanted);
  }
}

int main(void) {
  check_hash("sin", hash_double(mote_sin, NULL), 0x63795bd6469f841b);
  check_hash("cos", hash_double(mote_cos, NULL), 0x9d0a384e359500d6);
  check_hash("acos", hash_double(mote_acos, NULL), 0x422f17217f9f0757);
  check_hash("atan2", hash_double(NULL, mote_atan2), 0x3d6752b1bab8631f);
  check_hash("exp", hash_double(mote_exp, NULL), 0xf7fa9889a31793d7);
  check_hash("log", hash_double(mote_log, NULL), 0xbfcf79daa4339df9);
  check_hash("pow", hash_double(NULL, mote_pow), 0xbf4dd064eae174ad);
  check_hash("cbrt", hash_double(mote_cbrt, NULL), 0x30113800cb325280);
  check_hash("sinf", hash_float(mote_sinf, NULL), 0x184fc48c2d8b0571);
  check_hash("cosf", hash_float(mote_cosf, NULL), 0x0b01040521f0314f);
  check_hash("acosf", hash_float(mote_acosf, NULL), 0x932be285babd476f);
  check_hash("atan2f", hash_float(NULL, mote_atan2f), 0x90ceb086134a5899);
  check_hash("expf", hash_float(mote_expf, NULL), 0x56501954d187374a);
  check_hash("logf", hash_float(mote_logf, NULL), 0x5f984b3f03ea47e0);
  check_hash("powf", hash_float(NULL, mote_powf), 0xa218cff601660417);
  check_hash("cbrtf", hash_float(mote_cbrtf, NULL), 0xedbbf02c3851fd1f);
  return test_end();
}
