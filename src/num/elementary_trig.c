// sin, cos, acos, atan2. sin and cos: the argument minus a multiple of pi/2, as a sum of two doubles (three
// constants of Cody and Waite 1980, or the bits of 2/pi of Payne and Hanek 1983 where those do not
// suffice), then minimax polynomials on [-pi/4, pi/4]. acos: a polynomial for asin below 1/2 and the half
// angle above. atan2: the nearest of 33 tabulated angles and a polynomial for the rest.
#include <math.h>
#include <mote/numeric.h>

#include "num/elementary.h"

__extension__ typedef unsigned __int128 uint128;

#define PI_2_HI 0x1.921fb54442d18p+0
#define PI_2_LO 0x1.1a62633145c07p-54
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define REDUCTION_MAX 0x1p20  // from here on multiples of pi/2 take more than 20 bits

// 2/pi: a word of zeros, then its bits behind the point, the highest first.
static const uint64_t two_over_pi[20] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

// 64 bits of two_over_pi from bit `first`.
static uint64_t bits_at(int first) {
  int word = first / 64, shift = first % 64;
  if (shift == 0) return two_over_pi[word];
  return two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

// x - q pi/2 for any finite x with |x| > 2^-40; returns q modulo 4. The fraction keeps 126 bits, and no
// double but 0 is nearer to a multiple of pi/2 than 2^-61, which leaves 2^-62 relative.
static int reduce_exactly(double x, mote_double2 *rest) {
  uint64_t bits = mote_double_bits(x);
  uint64_t mantissa = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
  // Bits of 2/pi that only add multiples of 4 are omitted: the first of the product has the value 2.
  int first = exponent + 62;
  uint128 product = (((uint128)mantissa * bits_at(first)) << 64) + (uint128)mantissa * bits_at(first + 64) +
                    ((uint128)mantissa * bits_at(first + 128) >> 64);
  int quadrant = (int)(product >> 126);
  uint128 fraction = product << 2;
  double sign = x < 0.0 ? -1.0 : 1.0;
  if (fraction >> 127) {
    fraction = -fraction;
    quadrant += 1;
    sign = -sign;
  }
  uint64_t high = (uint64_t)(fraction >> 64);
  int zeros = high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)fraction | 1);
  uint128 angle = (uint128)(uint64_t)((fraction << zeros) >> 64) * 0xc90fdaa22168c235u;  // times pi/2 2^63
  uint64_t head = (uint64_t)(angle >> 64) & 0xfffffffffffff800u;
  uint64_t tail = (uint64_t)((angle - ((uint128)head << 64)) >> 11);
  double unit = sign * mote_double_power2(-63 - zeros);
  *rest = (mote_double2){(double)head * unit, (double)tail * (unit * 0x1p-53)};
  return x < 0.0 ? -quadrant : quadrant;
}

// x - q pi/2, |rest| <= pi/4 and a little, for finite x; returns q, of which two bits are used.
static int reduce(double x, mote_double2 *rest) {
  const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
  double size = mote_double_abs(x);
  if (size <= 0x1.921fb54442d18p-1) {
    *rest = (mote_double2){x, 0.0};
    return 0;
  }
  if (size < REDUCTION_MAX) {
    double shifted = x * TWO_OVER_PI + MOTE_ROUNDER;
    int q = (int)(uint32_t)mote_double_bits(shifted);
    double count = shifted - MOTE_ROUNDER;
    double a = x - count * part1, b = count * part2;  // exact: 33 bits times 20
    double hi = a - b, back = a - hi;
    double lo = ((a - (hi + back)) + (back - b)) - count * part3;
    *rest = mote_double2_add(hi, lo);
    if (mote_double_abs(rest->hi) > 0x1p-30) return q;
  }
  return reduce_exactly(x, rest);
}

static double sin_near_zero(mote_double2 x) {
  double z = x.hi * x.hi, z2 = z * z;
  double series = (0x1.111111110f842p-7 - z * 0x1.a01a019c0a2bbp-13) +
                  z2 * ((0x1.71de3570ff44p-19 - z * 0x1.ae5e60c5b0306p-26) + z2 * 0x1.5d915e55e2021p-33);
  double cubic = x.hi * z * (z * series - 0x1.5555555555549p-3);
  return x.hi + (cubic + (x.lo - 0.5 * z * x.lo));
}

static double cos_near_zero(mote_double2 x) {
  double z = x.hi * x.hi, z2 = z * z;
  double series = (0x1.555555555554cp-5 - z * 0x1.6c16c16c1514p-10) +
                  z2 * ((0x1.a01a019cab747p-16 - z * 0x1.27e4f805332c7p-22) +
                        z2 * (0x1.1ee9e88ff143ep-29 - z * 0x1.8facd0c899352p-37));
  mote_double2 leading = mote_double2_add(1.0, -0.5 * z);
  return leading.hi + (leading.lo + (z2 * series - x.hi * x.lo));
}

// sin(x + quarter pi/2), |x| >= 2^-27 and finite.
static double sin_turned(double x, int quarter) {
  mote_double2 rest;
  int q = reduce(x, &rest) + quarter;
  double y = q & 1 ? cos_near_zero(rest) : sin_near_zero(rest);
  return q & 2 ? -y : y;
}

double mote_sin(double x) {
  double size = mote_double_abs(x);
  if (size < 0x1p-27) return x;
  return size < mote_double_infinity() ? sin_turned(x, 0) : mote_double_nan();
}

double mote_cos(double x) {
  double size = mote_double_abs(x);
  if (size < 0x1p-27) return 1.0;
  return size < mote_double_infinity() ? sin_turned(x, 1) : mote_double_nan();
}

// The same to 2^-37 for the value x of a float, 2^-14 <= |x| < 2^20; branch-free, because q is unpredictable.
static double sin_turned_float(double x, int quarter) {
  const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a626331p-34;
  double shifted = x * TWO_OVER_PI + MOTE_ROUNDER;
  double count = shifted - MOTE_ROUNDER;
  int q = (int)(uint32_t)mote_double_bits(shifted) + quarter;
  double r = (x - count * part1) - count * part2;
  double z = r * r, z2 = z * z;
  double sine = r + r * z *
                        ((z * 0x1.11110889f6bd2p-7 - 0x1.5555554ca93b4p-3) +
                         z2 * (z * 0x1.6cd5eb8ef4f0ap-19 - 0x1.a00f9396f5ebdp-13));
  double cosine = (1.0 - 0.5 * z) + z2 * ((0x1.5555554f42a13p-5 - z * 0x1.6c16b88c07bdfp-10) +
                                          z2 * (0x1.a011179aedde5p-16 - z * 0x1.24290bf6ae077p-22));
  double y = q & 1 ? cosine : sine;
  return q & 2 ? -y : y;
}

// (asin(x) - x) / x for x^2 = z <= 1/4.
static double asin_series(double z) {
  double z2 = z * z, z4 = z2 * z2;
  double low = (0x1.5555555555387p-3 + z * 0x1.333333336f8cep-4) +
               z2 * (0x1.6db6db41d1df6p-5 + z * 0x1.f1c72c6dc75edp-6);
  double middle = (0x1.6e89ef71506fcp-6 + z * 0x1.1c6c282155f51p-6) +
                  z2 * (0x1.c6f877cb4df05p-7 + z * 0x1.8ee4c5393c69cp-7);
  double high = (0x1.aab2d9b2c6a6ap-8 + z * 0x1.40b254acfd81ap-6) -
                z2 * (0x1.0af56726f4de5p-6 - z * 0x1.05ce82a6a217p-5);
  return z * (low + z4 * (middle + z4 * high));
}

double mote_acos(double x) {
  double size = mote_double_abs(x);
  if (!(size <= 1.0)) return mote_double_nan();
  if (size <= 0.5) return PI_2_HI - (x - (PI_2_LO - x * asin_series(x * x)));
  double z = 0.5 * (1.0 - size), s = sqrt(z);
  double series = s * asin_series(z);
  return x > 0.0 ? 2.0 * (s + series) : 2.0 * (PI_2_HI - (s + (series - PI_2_LO)));
}

// atan(j/32) = hi + lo.
static const mote_double2 atan_table[33] = {
    {0, 0},
    {0x1.ffd55bba97625p-6, -0x1.5ec431444912cp-60},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.7ee182602f10fp-4, -0x1.cfb654c0c3d98p-58},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.3d6eee8c6626cp-3, 0x1.61a3b0ce9281bp-57},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.b90d7529260a2p-3, 0x1.17b10d2e0e5abp-61},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.18bf5a30bf178p-2, 0x1.30ca4748b1bf9p-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.530ad9951cd4ap-2, -0x1.2566480884082p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.8b24d394a1b25p-2, 0x1.b6d0ba3748fa8p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.c0db4c94ec9f0p-2, -0x1.cc1ce70934c34p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.f40dd0b541418p-2, -0x1.a3992dc382a23p-57},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1255d9bfbd2a9p-1, -0x1.2bdaee1c0ee35p-58},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.2958e59308e31p-1, -0x1.09e73b0c6c087p-56},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.3f13fb89e96f4p-1, 0x1.ecf8b492644f0p-56},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.538f57b89061fp-1, -0x1.1bb74abda520cp-55},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.66d663923e087p-1, -0x1.6ea6febe8bbbap-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.78f6bbd5d315ep-1, 0x1.406a089803740p-55},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.89ff5ff57f1f8p-1, -0x1.55b9a5e177a1bp-55},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// atan(q) for 0 <= q <= 1.
static mote_double2 atan_sum(double q) {
  int j = q < 0x1.8p-5 ? 0 : (int)(q * 32.0 + 0.5);
  double c = j * 0x1p-5;
  double u = j == 0 ? q : (q - c) / (1.0 + q * c);
  double z = u * u, z2 = z * z;
  double series = (z * 0x1.999999999412ep-3 - 0x1.5555555555554p-2) +
                  z2 * ((z * 0x1.c71b2fbe76deep-4 - 0x1.249248f76c062p-3) - z2 * 0x1.72537434d28c9p-4);
  return (mote_double2){atan_table[j].hi, atan_table[j].lo + u * z * series + u};
}

double mote_atan2(double y, double x) {
  if (x != x || y != y) return mote_double_nan();
  double width = mote_double_abs(x), height = mote_double_abs(y);
  bool steep = height > width, left = mote_double_bits(x) >> 63;
  double q = steep ? width / height : height == width ? (double)(height != 0.0) : height / width;
  mote_double2 angle = atan_sum(q);
  if (steep != left) angle = (mote_double2){-angle.hi, -angle.lo};
  // The result is the signed angle plus 0, 1 or 2 quarter turns.
  double turns = steep ? 1.0 : left ? 2.0 : 0.0;
  mote_double2 sum = mote_double2_add(turns * PI_2_HI, angle.hi);
  return mote_double_with_sign(sum.hi + (sum.lo + (turns * PI_2_LO + angle.lo)), y);
}

float mote_sinf(float x) {
  double wide = (double)x, size = mote_double_abs(wide);
  if (size < 0x1p-14) return x;
  return (float)(size < REDUCTION_MAX ? sin_turned_float(wide, 0) : mote_sin(wide));
}

float mote_cosf(float x) {
  double wide = (double)x, size = mote_double_abs(wide);
  return (float)(size < REDUCTION_MAX ? sin_turned_float(wide, 1) : mote_cos(wide));
}

float mote_acosf(float x) {
  return (float)mote_acos((double)x);
}

float mote_atan2f(float y, float x) {
  return (float)mote_atan2((double)y, (double)x);
}
