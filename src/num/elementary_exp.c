// exp, log and pow. exp: x = (64 e + j) ln2/64 + r, a table of 2^(j/64) and a polynomial in r. log:
// x = 2^e z, a table of c near 1/z and a polynomial in r = c z - 1; for pow as a sum of two doubles accurate
// to 2^-67, whose product with y is the argument of exp. Reduction after Tang (1989, 1990); the polynomials
// are minimax fits, shorter ones for floats. docs/theory/elementary.md
#include <mote/numeric.h>

#include "num/elementary.h"

#define EXP_ARGUMENT_MAX 746.0  // range: beyond it exp overflows or is less than half of the least subnormal

// 2^(j/64) = value (1 + tail).
static const struct {
  double value, tail;
} exp_table[64] = {
    {1, 0},
    {0x1.02c9a3e778061p+0, -0x1.160139cd8dc5dp-56},
    {0x1.059b0d3158574p+0, 0x1.cd2523567f613p-55},
    {0x1.0874518759bc8p+0, 0x1.0f74e61e6c861p-57},
    {0x1.0b5586cf9890fp+0, 0x1.79aa65d837b6dp-54},
    {0x1.0e3ec32d3d1a2p+0, 0x1.ebe3d702f9cd1p-60},
    {0x1.11301d0125b51p+0, -0x1.556522a2fbd0ep-54},
    {0x1.1429aaea92de0p+0, -0x1.1c923b9d5f416p-54},
    {0x1.172b83c7d517bp+0, -0x1.01b15eaa59348p-55},
    {0x1.1a35beb6fcb75p+0, 0x1.b898c3f1353bfp-55},
    {0x1.1d4873168b9aap+0, 0x1.aecf73e3a2f60p-54},
    {0x1.2063b88628cd6p+0, 0x1.a6f4144a6c38dp-55},
    {0x1.2387a6e756238p+0, 0x1.68efde3a8a894p-54},
    {0x1.26b4565e27cddp+0, 0x1.0472b981fe7f2p-55},
    {0x1.29e9df51fdee1p+0, 0x1.2f7e16d09ab31p-55},
    {0x1.2d285a6e4030bp+0, 0x1.b3782720c0ab4p-55},
    {0x1.306fe0a31b715p+0, 0x1.34d754db0abb6p-55},
    {0x1.33c08b26416ffp+0, 0x1.fdd395dd3f84ap-55},
    {0x1.371a7373aa9cbp+0, -0x1.24aedcc4b5068p-54},
    {0x1.3a7db34e59ff7p+0, -0x1.1d1e83e9436d2p-56},
    {0x1.3dea64c123422p+0, 0x1.59f48a72a4c6dp-55},
    {0x1.4160a21f72e2ap+0, -0x1.8a78f4817895bp-58},
    {0x1.44e086061892dp+0, 0x1.363ed60c2ac11p-59},
    {0x1.486a2b5c13cd0p+0, 0x1.ecce1daa10379p-57},
    {0x1.4bfdad5362a27p+0, 0x1.690cebb7aafb0p-56},
    {0x1.4f9b2769d2ca7p+0, -0x1.f94340071a38ep-55},
    {0x1.5342b569d4f82p+0, -0x1.8dec6bd0f385fp-56},
    {0x1.56f4736b527dap+0, 0x1.3350518fdd78ep-54},
    {0x1.5ab07dd485429p+0, 0x1.063e1e21c5409p-54},
    {0x1.5e76f15ad2148p+0, 0x1.432e62b64c035p-54},
    {0x1.6247eb03a5585p+0, -0x1.c33c53bef4da8p-55},
    {0x1.6623882552225p+0, -0x1.3cedd78565858p-54},
    {0x1.6a09e667f3bcdp+0, -0x1.3b3efbf5e2228p-54},
    {0x1.6dfb23c651a2fp+0, -0x1.367efb86da9eep-57},
    {0x1.71f75e8ec5f74p+0, -0x1.81f647e5a3ecfp-56},
    {0x1.75feb564267c9p+0, -0x1.619321e55e68ap-55},
    {0x1.7a11473eb0187p+0, -0x1.b32dcb94da51dp-56},
    {0x1.7e2f336cf4e62p+0, 0x1.5ebe1abd66c55p-57},
    {0x1.82589994cce13p+0, -0x1.369b6f13b3734p-54},
    {0x1.868d99b4492edp+0, -0x1.4d450d872576ep-54},
    {0x1.8ace5422aa0dbp+0, 0x1.db72fc1f0eab4p-55},
    {0x1.8f1ae99157736p+0, 0x1.bf68359f35f44p-56},
    {0x1.93737b0cdc5e5p+0, -0x1.da9b88b6c1e29p-58},
    {0x1.97d829fde4e50p+0, -0x1.2434322f4f9aap-54},
    {0x1.9c49182a3f090p+0, 0x1.1affc2b91ce27p-56},
    {0x1.a0c667b5de565p+0, -0x1.7c50422622263p-55},
    {0x1.a5503b23e255dp+0, -0x1.1bbd1d3bcbb15p-54},
    {0x1.a9e6b5579fdbfp+0, 0x1.469846e735ab3p-55},
    {0x1.ae89f995ad3adp+0, 0x1.c1a7792cb3387p-55},
    {0x1.b33a2b84f15fbp+0, -0x1.5c3d956dcaebap-58},
    {0x1.b7f76f2fb5e47p+0, -0x1.8d6f438ad9334p-57},
    {0x1.bcc1e904bc1d2p+0, 0x1.4ffd70a5fddcdp-56},
    {0x1.c199bdd85529cp+0, 0x1.36eae30af0cb3p-56},
    {0x1.c67f12e57d14bp+0, 0x1.4e08fd10959acp-55},
    {0x1.cb720dcef9069p+0, 0x1.76b2c6c921968p-57},
    {0x1.d072d4a07897cp+0, -0x1.fad5d3ffffa6fp-55},
    {0x1.d5818dcfba487p+0, 0x1.4a385a63d07a7p-56},
    {0x1.da9e603db3285p+0, 0x1.e5a50d5c192acp-55},
    {0x1.dfc97337b9b5fp+0, -0x1.2d52107b43e1fp-55},
    {0x1.e502ee78b3ff6p+0, 0x1.4b604603a88d3p-56},
    {0x1.ea4afa2a490dap+0, -0x1.ff7128fd391f0p-55},
    {0x1.efa1bee615a27p+0, 0x1.ec3bc41aa2008p-55},
    {0x1.f50765b6e4540p+0, 0x1.a64a931d185eep-55},
    {0x1.fa7c1819e90d8p+0, 0x1.7893b4d91cd9dp-56},
};

// exp(x + tail) for |x| <= EXP_ARGUMENT_MAX, |tail| a few ulp of x.
static double exp_sum(double x, double tail) {
  const double inverse = 0x1.71547652b82fep+6;  // 64/ln2
  const double step_hi = 0x1.62e42fefap-7;      // ln2/64: k step_hi is exact for 17-bit k
  const double step_lo = 0x1.cf79abc9e3b3ap-46;
  double shifted = x * inverse + MOTE_ROUNDER;
  int32_t k = (int32_t)(uint32_t)mote_double_bits(shifted);
  double count = shifted - MOTE_ROUNDER;
  double r = (x - count * step_hi) - count * step_lo + tail;
  int j = k & 63, e = k >> 6;
  double r2 = r * r;
  double series = (0x1.fffffffffdbbbp-2 + r * 0x1.55555555543bbp-3) +
                  r2 * (0x1.555573ce33e92p-5 + r * 0x1.111126b9975d8p-7);
  double rest = exp_table[j].tail + r + r2 * series;
  double value = exp_table[j].value;
  if (e >= -960 && e <= 1022) {  // scaled * rest must not be subnormal
    double scaled = mote_double_from_bits(mote_double_bits(value) + ((uint64_t)e << 52));
    return scaled + scaled * rest;
  }
  double y = value + value * rest;
  int first = e < 0 ? -1021 : 1022;
  return y * mote_double_power2(first) * mote_double_power2(e - first);
}

// exp(x) to 2^-37 for any x but NaN; results outside the range of floats are limited to e^-128 and e^128.
static double exp_float(double x) {
  const double inverse = 0x1.71547652b82fep+6, step = 0x1.62e42fefa39efp-7;
  if (!(mote_double_abs(x) < 128.0)) return x > 0.0 ? mote_double_infinity() : 0.0;
  double shifted = x * inverse + MOTE_ROUNDER;
  int32_t k = (int32_t)(uint32_t)mote_double_bits(shifted);
  double r = x - (shifted - MOTE_ROUNDER) * step;
  double rest = r + r * r * (0x1.000021fe57fa3p-1 + r * 0x1.5555762a43487p-3);
  uint64_t bits = mote_double_bits(exp_table[k & 63].value) + ((uint64_t)(k >> 6) << 52);
  double scaled = mote_double_from_bits(bits);
  return scaled + scaled * rest;
}

// exp(x + tail) for any x but NaN.
static double exp_saturated(double x, double tail) {
  if (mote_double_abs(x) <= EXP_ARGUMENT_MAX) return exp_sum(x, tail);
  return x > 0.0 ? mote_double_infinity() : 0.0;
}

double mote_exp(double x) {
  return x == x ? exp_saturated(x, 0.0) : mote_double_nan();
}

// For z in [0.6875, 1.375) in 128 steps of equal bits: c near 1/z, a multiple of 1/512, 1 next to z = 1;
// hi + lo = -log(c), hi a multiple of 2^-42.
static const struct {
  double c, hi, lo;
} log_table[128] = {
    {1.451171875, -0x1.7d4eeef5ef000p-2, 0x1.c9018f8f27d8fp-45},
    {1.44140625, -0x1.7664e1239e000p-2, 0x1.0c4fb6aeb27afp-44},
    {1.43359375, -0x1.70d42e2789000p-2, -0x1.1aead337ee287p-45},
    {1.42578125, -0x1.6b3bb22359000p-2, -0x1.0f6257a933268p-44},
    {1.41796875, -0x1.659b57303e000p-2, -0x1.f281db0af8efcp-46},
    {1.41015625, -0x1.5ff3070a79000p-2, -0x1.e9e439f105039p-45},
    {1.40234375, -0x1.5a42ab0f4d000p-2, 0x1.e63af2df7ba69p-50},
    {1.39453125, -0x1.548a2c3add000p-2, -0x1.3167e63081cf7p-45},
    {1.38671875, -0x1.4ec9732600000p-2, -0x1.34d7aaf04d104p-45},
    {1.380859375, -0x1.4a7373ced0000p-2, 0x1.9a234ebf35449p-44},
    {1.373046875, -0x1.44a41b463c000p-2, -0x1.1ee28f37cf612p-44},
    {1.365234375, -0x1.3ecc460ef6000p-2, 0x1.6028627c1300fp-47},
    {1.357421875, -0x1.38ebdb38ed000p-2, -0x1.90582e67d4ca0p-45},
    {1.3515625, -0x1.347dd9a988000p-2, 0x1.5594dd4c58092p-45},
    {1.34375, -0x1.2e8e2bae12000p-2, 0x1.67b1e99b72bd8p-45},
    {1.3359375, -0x1.2895a13de8000p-2, -0x1.a8d7ad24c13f0p-44},
    {1.330078125, -0x1.241558bfd1000p-2, -0x1.00fff3228fcadp-44},
    {1.322265625, -0x1.1e0d0c3371000p-2, -0x1.af8f2a9b0d4a0p-44},
    {1.31640625, -0x1.1980d2dd42000p-2, -0x1.b7b3a7a361c9ap-45},
    {1.30859375, -0x1.136870293b000p-2, 0x1.d3e8499d67123p-44},
    {1.302734375, -0x1.0ed005f658000p-2, 0x1.2dc75285aa803p-45},
    {1.296875, -0x1.0a324e2739000p-2, -0x1.c6bee7ef4030ep-47},
    {1.2890625, -0x1.0402594b4d000p-2, -0x1.036b89ef42d7fp-48},
    {1.283203125, -0x1.feb0233e60000p-3, -0x1.f316e32d5e8c7p-45},
    {1.27734375, -0x1.f550a564b8000p-3, 0x1.323e3a09202fep-45},
    {1.26953125, -0x1.e8c0252aa6000p-3, 0x1.6805b80e8e6ffp-45},
    {1.263671875, -0x1.df46c0c722000p-3, -0x1.a5e82b0b79039p-44},
    {1.2578125, -0x1.d5c216b4fc000p-3, 0x1.1ba91bbca681bp-45},
    {1.251953125, -0x1.cc320c0176000p-3, -0x1.409039a653794p-45},
    {1.24609375, -0x1.c2968558c2000p-3, 0x1.cfd73dee38a40p-45},
    {1.240234375, -0x1.b8ef670420000p-3, -0x1.87533321788e0p-44},
    {1.234375, -0x1.af3c94e80c000p-3, 0x1.a4e633fcd9066p-52},
    {1.228515625, -0x1.a57df28244000p-3, -0x1.b99c8ca1d9abbp-44},
    {1.22265625, -0x1.9bb362e7e0000p-3, 0x1.1f2a8a1ce0ffcp-45},
    {1.216796875, -0x1.91dcc8c340000p-3, -0x1.7bc6abddeff46p-44},
    {1.2109375, -0x1.87fa06520c000p-3, -0x1.22120401202fcp-44},
    {1.205078125, -0x1.7e0afd630c000p-3, -0x1.39e7c1d8f1034p-46},
    {1.19921875, -0x1.740f8f5404000p-3, 0x1.0b66c99018aa1p-44},
    {1.193359375, -0x1.6a079d0f7a000p-3, -0x1.5a3f8448d14f5p-44},
    {1.1875, -0x1.5ff3070a7a000p-3, 0x1.8586f183bebf2p-44},
    {1.181640625, -0x1.55d1ad4232000p-3, -0x1.add94dda647e8p-44},
    {1.177734375, -0x1.4f099f4a24000p-3, 0x1.e9bf2fafeaf27p-44},
    {1.171875, -0x1.44d2b6ccb8000p-3, 0x1.70cc16135783cp-46},
    {1.166015625, -0x1.3a8eb2d31a000p-3, -0x1.bafb77d5d503ep-46},
    {1.16015625, -0x1.303d718e48000p-3, 0x1.680b5ce3ecb05p-50},
    {1.15625, -0x1.29552f8200000p-3, 0x1.5b967f4471dfcp-44},
    {1.150390625, -0x1.1eed90e2dc000p-3, -0x1.615637097648fp-46},
    {1.14453125, -0x1.1478584674000p-3, -0x1.563451027c750p-46},
    {1.140625, -0x1.0d77e7cd08000p-3, -0x1.cb2cd2ee2f482p-44},
    {1.134765625, -0x1.02ebb42bf4000p-3, 0x1.5a8fa5ce00e5dp-46},
    {1.130859375, -0x1.f7b79fec38000p-4, 0x1.10987e897ed01p-47},
    {1.125, -0x1.e27076e2b0000p-4, 0x1.a342c2af0003cp-45},
    {1.12109375, -0x1.d4313d66cc000p-4, 0x1.9454379135713p-45},
    {1.115234375, -0x1.beba818148000p-4, 0x1.89b78b6df1f57p-44},
    {1.111328125, -0x1.b05b49bee4000p-4, -0x1.ff22c18f84a5ep-47},
    {1.10546875, -0x1.9ab4246204000p-4, 0x1.8a64826787061p-45},
    {1.1015625, -0x1.8c345d6318000p-4, -0x1.b20f5acb42a66p-44},
    {1.095703125, -0x1.765bf23a6c000p-4, 0x1.ecbc035c4256ap-48},
    {1.091796875, -0x1.67bb0726ec000p-4, -0x1.f724b69ef5912p-49},
    {1.087890625, -0x1.590cafdf00000p-4, -0x1.c284f5722abaap-44},
    {1.08203125, -0x1.42edcbea64000p-4, -0x1.bc0eeea7c9acdp-46},
    {1.078125, -0x1.341d7961bc000p-4, -0x1.1d09299837610p-44},
    {1.07421875, -0x1.253f62f0a0000p-4, -0x1.416f8fb69a701p-44},
    {1.068359375, -0x1.0ed839b554000p-4, 0x1.901f46d48abb4p-44},
    {1.064453125, -0x1.ffae9119b8000p-5, -0x1.303374262c554p-45},
    {1.060546875, -0x1.e19070c278000p-5, 0x1.fea4664629e86p-45},
    {1.056640625, -0x1.c355dd0920000p-5, -0x1.f2ccc9abf8388p-45},
    {1.05078125, -0x1.95c830ec90000p-5, 0x1.c148297c5feb8p-45},
    {1.046875, -0x1.77458f6330000p-5, 0x1.181dce586af09p-44},
    {1.04296875, -0x1.58a5bafc90000p-5, 0x1.b2b739570ad39p-45},
    {1.0390625, -0x1.39e87b9fe8000p-5, -0x1.eafd480ad9015p-44},
    {1.03515625, -0x1.1b0d989240000p-5, 0x1.3401e9ae889bbp-44},
    {1.029296875, -0x1.d91a66c540000p-6, -0x1.e61f1658cfb9ap-45},
    {1.025390625, -0x1.9ace7551d0000p-6, 0x1.d75d97ec7c410p-45},
    {1.021484375, -0x1.5c45a51b90000p-6, 0x1.63bb6216d87d8p-45},
    {1.017578125, -0x1.1d7f7eb9f0000p-6, 0x1.4193a83fcc7a6p-46},
    {1.013671875, -0x1.bcf712c740000p-7, -0x1.c25e097bd9771p-46},
    {1.009765625, -0x1.3e7295d260000p-7, 0x1.609c1ff29a114p-45},
    {1.005859375, -0x1.7ee11ebd80000p-8, -0x1.749d3c2d23a07p-47},
    {1, 0, 0},
    {1, 0, 0},
    {0.98828125, 0x1.82448a3880000p-7, 0x1.4554412c584e0p-44},
    {0.98046875, 0x1.432a925980000p-6, 0x1.98139928637fep-47},
    {0.97265625, 0x1.c63d2ec150000p-6, -0x1.5439ce030a687p-44},
    {0.966796875, 0x1.149e3e4008000p-5, -0x1.2b98a9a4168fdp-44},
    {0.958984375, 0x1.5715c4c040000p-5, -0x1.8888ddfc47628p-44},
    {0.951171875, 0x1.9a187b5740000p-5, -0x1.0c22e4ec4d90dp-44},
    {0.9453125, 0x1.ccb73cddd8000p-5, 0x1.965c36e09f5fep-44},
    {0.9375, 0x1.08598b59e4000p-4, -0x1.7e5dd7009902cp-46},
    {0.931640625, 0x1.2207b5c784000p-4, 0x1.49d8cfc10c7bfp-44},
    {0.923828125, 0x1.4485e03dbc000p-4, 0x1.fad46e8d26ab7p-44},
    {0.91796875, 0x1.5e95a4d978000p-4, 0x1.1cb7ce1d17171p-44},
    {0.91015625, 0x1.8197e2f410000p-4, -0x1.c0fe460d20041p-44},
    {0.904296875, 0x1.9c0c32d4d4000p-4, -0x1.ab7c09e838668p-44},
    {0.8984375, 0x1.b6ac88dad4000p-4, 0x1.b1bdff50225c7p-44},
    {0.892578125, 0x1.d179788218000p-4, 0x1.36433b5efbeedp-44},
    {0.88671875, 0x1.ec739830a0000p-4, 0x1.11fcba80cdd10p-44},
    {0.87890625, 0x1.08598b59e4000p-3, -0x1.7e5dd7009902cp-45},
    {0.873046875, 0x1.160c8024b2000p-3, 0x1.ec2d2a9009e3dp-45},
    {0.8671875, 0x1.23d712a49c000p-3, 0x1.00d238fd3df5cp-46},
    {0.861328125, 0x1.31b994d3a4000p-3, 0x1.f098ee3a50810p-44},
    {0.85546875, 0x1.3fb45a5992000p-3, 0x1.19713c0cae559p-44},
    {0.849609375, 0x1.4dc7b897bc000p-3, 0x1.c79b60ae1ff0fp-47},
    {0.845703125, 0x1.5737cc9018000p-3, 0x1.9baa7a6b887f6p-44},
    {0.83984375, 0x1.6574ebe8c2000p-3, -0x1.98c1d34f0f462p-44},
    {0.833984375, 0x1.73cb9074fe000p-3, -0x1.d66a90d0005a6p-44},
    {0.828125, 0x1.823c16551a000p-3, 0x1.e0ddb9a631e83p-46},
    {0.822265625, 0x1.90c6db9fcc000p-3, -0x1.935f57718d7cap-46},
    {0.818359375, 0x1.9a8778deba000p-3, 0x1.470fa3efec390p-44},
    {0.8125, 0x1.a93ed3c8ae000p-3, -0x1.8724350562169p-45},
    {0.806640625, 0x1.b811730b82000p-3, 0x1.e90683b9cd768p-46},
    {0.802734375, 0x1.c2028ab180000p-3, -0x1.92e0ee55c7ac6p-45},
    {0.796875, 0x1.d1037f2656000p-3, -0x1.84a7e75b6f6e4p-47},
    {0.79296875, 0x1.db13db0d48000p-3, 0x1.2806a847527e6p-44},
    {0.787109375, 0x1.ea4449f04a000p-3, 0x1.5e91663732a36p-44},
    {0.783203125, 0x1.f474b134e0000p-3, -0x1.bae49f1df7b5ep-44},
    {0.77734375, 0x1.01eae5626c000p-2, 0x1.a43dcfade85aep-44},
    {0.7734375, 0x1.07138604d6000p-2, -0x1.e76324e912b17p-44},
    {0.76953125, 0x1.0c42d67616000p-2, 0x1.7188b163ceae9p-45},
    {0.763671875, 0x1.14167ef367000p-2, 0x1.e0c07824daaf5p-44},
    {0.759765625, 0x1.1956d3b9bc000p-2, 0x1.7d2f73ad1aa14p-45},
    {0.755859375, 0x1.1e9e16788a000p-2, -0x1.82eaed3c8b65ep-44},
    {0.75, 0x1.269621134e000p-2, -0x1.1b61f10522625p-44},
    {0.74609375, 0x1.2bef07cdc9000p-2, 0x1.a9cfa4a5004f4p-45},
    {0.7421875, 0x1.314f1e1d36000p-2, -0x1.8e27ad3213cb8p-45},
    {0.73828125, 0x1.36b6776be1000p-2, 0x1.16ecdb0f177c8p-46},
    {0.734375, 0x1.3c25277333000p-2, 0x1.83b54b606bd5cp-46},
    {0.728515625, 0x1.44591e053a000p-2, -0x1.6e95892923d88p-47},
};

static const double ln2_hi = 0x1.62e42fefa38p-1;  // a multiple of 2^-42
static const double ln2_lo = 0x1.ef35793c7673p-45;

// x = 2^count z; row of log_table for z.
typedef struct log_place {
  uint64_t z_bits;
  double count;
  int row;
} log_place;

// For 0 < x < infinity.
static inline log_place log_find(double x) {
  uint64_t bits = mote_double_bits(x);
  int e = 0;
  if (bits < 0x0010000000000000u) {
    bits = mote_double_bits(x * 0x1p54);
    e = -54;
  }
  uint64_t offset = bits - 0x3fe6000000000000u;  // of 0.6875
  int whole = (int)((int64_t)offset >> 52);
  return (log_place){bits - ((uint64_t)whole << 52), e + whole, (int)(offset >> 45) & 127};
}

// log(x) = (leading + tail) + log(1 + r_hi + r_lo), all but tail exact: leading is a multiple of 2^-42 below
// 2^10, r_hi has at most 26 bits, |r_hi + r_lo| <= 2^-7.
typedef struct log_parts {
  double leading, tail, r_hi, r_lo;
} log_parts;

// For 0 < x < infinity.
static inline log_parts log_reduce(double x) {
  log_place at = log_find(x);
  // Rounding, not cutting, makes r_hi zero next to z = 1.
  double z_hi = mote_double_from_bits((at.z_bits + 0x8000000u) & 0xfffffffff0000000u);
  double z_lo = mote_double_from_bits(at.z_bits) - z_hi, c = log_table[at.row].c;
  return (log_parts){at.count * ln2_hi + log_table[at.row].hi, at.count * ln2_lo + log_table[at.row].lo,
                     z_hi * c - 1.0, z_lo * c};
}

// (log(1 + r) - r + r^2/2) / r^3 for |r| <= 2^-7.
static inline double log_series(double r, double r2) {
  return (0x1.5555555555555p-2 - r * 0x1.0000000000067p-2) +
         r2 * ((0x1.9999999999bf3p-3 - r * 0x1.555555449c66cp-3) +
               r2 * ((0x1.249249099c4c1p-3 - r * 0x1.00068f802e7adp-3) + r2 * 0x1.c72b87ace07d7p-4));
}

// log(x) to 2^-67 for 0 < x < infinity.
static mote_double2 log_sum(double x) {
  log_parts part = log_reduce(x);
  double r = part.r_hi + part.r_lo, r2 = r * r;
  mote_double2 first = mote_double2_add(part.leading + part.r_hi, part.r_lo);
  mote_double2 second = mote_double2_add(first.hi, -0.5 * part.r_hi * part.r_hi);
  double rest = part.tail + (first.lo + second.lo) - part.r_lo * (part.r_hi + 0.5 * part.r_lo) +
                r * r2 * log_series(r, r2);
  return mote_double2_add(second.hi, rest);
}

// log(x) to little more than half an ulp for 0 < x < infinity.
static double log_rounded(double x) {
  log_parts part = log_reduce(x);
  double r = part.r_hi + part.r_lo, r2 = r * r;
  double rest = part.tail + r2 * (r * log_series(r, r2) - 0.5);
  if (part.leading == 0.0) return r + rest;
  return (part.leading + part.r_hi) + (part.r_lo + rest);
}

// log(x) to 2^-41 for the value x > 0 of a float.
static double log_float(double x) {
  log_place at = log_find(x);
  double r = mote_double_from_bits(at.z_bits) * log_table[at.row].c - 1.0;
  double series = (r * 0x1.5555554f594ap-2 - 0x1.fffffffcac89fp-2) +
                  r * r * (r * 0x1.99a129f6a0248p-3 - 0x1.000354ce09397p-2);
  return (at.count * ln2_hi + log_table[at.row].hi) + (r + (r * r * series + log_table[at.row].lo));
}

// log outside the finite positive numbers.
static double log_special(double x) {
  if (x == 0.0) return -mote_double_infinity();
  return x > 0.0 ? x : mote_double_nan();
}

double mote_log(double x) {
  return x > 0.0 && x < mote_double_infinity() ? log_rounded(x) : log_special(x);
}

enum parity { NOT_INTEGER, ODD, EVEN };

static enum parity parity_of(double y) {
  uint64_t bits = mote_double_bits(y);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent < 0) return y == 0.0 ? EVEN : NOT_INTEGER;
  if (exponent > 52) return EVEN;
  uint64_t unit = (uint64_t)1 << (52 - exponent);
  if (bits & (unit - 1)) return NOT_INTEGER;
  // The leading one is implicit: for exponent 0 it is in the place of the unit.
  return (exponent == 0 || (bits & unit)) ? ODD : EVEN;
}

// C17 F.10.4.4: arguments for which no formula applies.
static double pow_special(double x, double y) {
  double size = mote_double_abs(x), infinity = mote_double_infinity();
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return mote_double_nan();
  if (mote_double_abs(y) == infinity) {
    if (size == 1.0) return 1.0;
    return (size > 1.0) == (y > 0.0) ? infinity : 0.0;
  }
  double result = (size > 1.0) == (y > 0.0) ? infinity : 0.0;  // x is 0 or infinite
  return parity_of(y) == ODD ? mote_double_with_sign(result, x) : result;
}

// x^y for 0 < x < infinity and finite y.
static double pow_positive(double x, double y) {
  mote_double2 log = log_sum(x);
  double product = y * log.hi;
  double y_head = mote_double_head(y), log_head = mote_double_head(log.hi);
  double y_tail = y - y_head, log_tail = log.hi - log_head;
  double tail = ((y_head * log_head - product) + y_head * log_tail + y_tail * log_head) + y_tail * log_tail;
  return exp_saturated(product, tail + y * log.lo);
}

// The same to 2^-34, for values of floats.
static double pow_positive_float(double x, double y) {
  return exp_float(y * log_float(x));
}

typedef double power_fn(double x, double y);

static inline double pow_with(power_fn *positive, double x, double y) {
  double size = mote_double_abs(x), infinity = mote_double_infinity();
  if (x > 0.0 && x < infinity && mote_double_abs(y) < infinity) return positive(x, y);
  if (y == 0.0 || size == 0.0 || !(size < infinity) || !(mote_double_abs(y) < infinity)) {
    return pow_special(x, y);
  }
  enum parity parity = parity_of(y);
  if (parity == NOT_INTEGER) return mote_double_nan();
  double result = positive(size, y);
  return parity == ODD ? -result : result;
}

double mote_pow(double x, double y) {
  return pow_with(pow_positive, x, y);
}

float mote_expf(float x) {
  return (float)(x == x ? exp_float((double)x) : mote_double_nan());
}

float mote_logf(float x) {
  double wide = (double)x;
  return (float)(wide > 0.0 && wide < mote_double_infinity() ? log_float(wide) : log_special(wide));
}

float mote_powf(float x, float y) {
  return (float)pow_with(pow_positive_float, (double)x, (double)y);
}
