// Elementary functions against the C library's long double (binary128 or 80 bits): errors in ulp over all
// exponents and where each function is hard, and the float versions against the library's double.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>
#include <stdint.h>

#include "base/random.h"
#include "test.h"

#define SAMPLES (TEST_SHORT ? 10000 : 100000)

typedef struct sample {
  double x, y;
} sample;

// Random numbers by name: u (0..7) says which of a sample's numbers.
static double unit(uint64_t i, int u) {
  return mote_random_unit(11, (uint64_t)u, i);
}

static double between(uint64_t i, int u, double low, double high) {
  return low + (high - low) * unit(i, u);
}

static double sign_of(uint64_t i, int u) {
  return unit(i, u) < 0.5 ? -1.0 : 1.0;
}

// Any finite double, every exponent equally often.
static double any_double(uint64_t i, int u) {
  mote_random4 r = mote_random(12, (uint64_t)u, i);
  uint64_t bits = (uint64_t)r.v[0] << 32 | r.v[1];
  double x;
  if ((bits >> 52 & 0x7ff) == 0x7ff) bits ^= 0x4000000000000000u;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// x and its neighbours a few ulp away.
static double jittered(uint64_t i, int u, double x) {
  return x + x * floor(between(i, u, -4.0, 5.0)) * DBL_EPSILON;
}

static sample sample_angle(uint64_t i) {
  const double half_pi = 1.5707963267948966;
  switch (i % 5) {
    case 0: return (sample){any_double(i, 0), 0.0};
    case 1: return (sample){between(i, 0, -10.0, 10.0), 0.0};
    case 2: return (sample){jittered(i, 0, half_pi * floor(between(i, 1, -2000.0, 2000.0))), 0.0};
    case 3: return (sample){jittered(i, 0, half_pi * floor(exp2(between(i, 1, 0.0, 52.0)))), 0.0};
    default: return (sample){exp2(between(i, 0, -30.0, 1000.0)) * sign_of(i, 1), 0.0};
  }
}

static sample sample_cosine(uint64_t i) {
  switch (i % 5) {
    case 0: return (sample){fmod(any_double(i, 0), 1.0), 0.0};
    case 1: return (sample){between(i, 0, -1.0, 1.0), 0.0};
    case 2: return (sample){sign_of(i, 0) * (1.0 - exp2(between(i, 1, -53.0, -1.0))), 0.0};
    case 3: return (sample){jittered(i, 0, 0.5 * sign_of(i, 1)), 0.0};
    default: return (sample){between(i, 0, 0.4, 1.0) * sign_of(i, 1), 0.0};
  }
}

static sample sample_point(uint64_t i) {
  double x = between(i, 1, -1.0, 1.0);
  switch (i % 5) {
    case 0: return (sample){any_double(i, 0), any_double(i, 1)};
    case 1: return (sample){between(i, 0, -1.0, 1.0), x};
    case 2: return (sample){jittered(i, 0, x * (floor(between(i, 2, -64.0, 65.0)) / 64.0)), x};
    case 3: return (sample){x * exp2(between(i, 0, -70.0, 70.0)), x * sign_of(i, 2)};
    default: return (sample){x * 0x1p-1040, between(i, 0, -1.0, 1.0) * 0x1p-1035};
  }
}

static sample sample_exponent(uint64_t i) {
  switch (i % 4) {
    case 0: return (sample){between(i, 0, -700.0, 709.5), 0.0};
    case 1: return (sample){between(i, 0, -1.0, 1.0), 0.0};
    case 2: return (sample){exp2(between(i, 0, -70.0, 9.0)) * sign_of(i, 1), 0.0};
    default:
      return (sample){jittered(i, 0, floor(between(i, 1, -60000.0, 60000.0)) * 0.010830424696249145 / 2),
                      0.0};
  }
}

static sample sample_subnormal_exponent(uint64_t i) {
  return (sample){between(i, 0, -746.0, -708.0), 0.0};
}

static sample sample_positive(uint64_t i) {
  switch (i % 4) {
    case 0: return (sample){fabs(any_double(i, 0)), 0.0};
    case 1: return (sample){1.0 + exp2(between(i, 0, -53.0, -1.0)) * sign_of(i, 1), 0.0};
    case 2: return (sample){between(i, 0, 0.5, 2.0), 0.0};
    default: return (sample){exp2(between(i, 0, -1074.0, -1000.0)), 0.0};
  }
}

// x^y that neither overflows nor is subnormal, y given by the wanted logarithm.
static sample sample_power(uint64_t i) {
  double wanted = between(i, 5, -707.0, 709.0);
  double x = sample_positive(i / 4 + (uint64_t)(i % 4) * SAMPLES).x;
  switch (i % 4) {
    case 0: return (sample){between(i, 0, 0.0, 100.0), between(i, 1, -100.0, 100.0)};
    case 1: return (sample){between(i, 0, -30.0, 30.0), floor(between(i, 1, -200.0, 200.0))};
    case 2: return (sample){x, x == 1.0 || x == 0.0 ? 3.0 : wanted / log(x)};
    default:
      return (sample){1.0 + exp2(between(i, 0, -52.0, -2.0)) * sign_of(i, 1),
                      wanted * exp2(between(i, 2, 0.0, 60.0))};
  }
}

static sample sample_subnormal_power(uint64_t i) {
  double x = between(i, 0, 0.0, 0.9);
  return (sample){x, between(i, 1, -746.0, -708.0) / log(x)};
}

static sample sample_any(uint64_t i) {
  double n = floor(between(i, 0, 1.0, 100000.0));
  return (sample){i % 3 == 0 ? jittered(i, 1, n * n * n) : any_double(i, 0), 0.0};
}

static double ours_sin(double x, double y) {
  return (void)y, mote_sin(x);
}
static double ours_cos(double x, double y) {
  return (void)y, mote_cos(x);
}
static double ours_acos(double x, double y) {
  return (void)y, mote_acos(x);
}
static double ours_exp(double x, double y) {
  return (void)y, mote_exp(x);
}
static double ours_log(double x, double y) {
  return (void)y, mote_log(x);
}
static double ours_cbrt(double x, double y) {
  return (void)y, mote_cbrt(x);
}
static long double long_sin(long double x, long double y) {
  return (void)y, sinl(x);
}
static long double long_cos(long double x, long double y) {
  return (void)y, cosl(x);
}
static long double long_acos(long double x, long double y) {
  return (void)y, acosl(x);
}
static long double long_exp(long double x, long double y) {
  return (void)y, expl(x);
}
static long double long_log(long double x, long double y) {
  return (void)y, logl(x);
}
static long double long_cbrt(long double x, long double y) {
  return (void)y, cbrtl(x);
}

// Any finite floats, every exponent equally often.
static sample sample_floats(uint64_t i) {
  float x[2];
  for (int k = 0; k < 2; ++k) {
    uint32_t bits = mote_random(13, 0, i).v[k];
    if ((bits >> 23 & 0xff) == 0xff) bits ^= 0x40000000u;
    memcpy(&x[k], &bits, sizeof bits);
  }
  return (sample){(double)x[0], (double)x[1]};
}

// x^y in the range of floats.
static sample sample_float_power(uint64_t i) {
  double x = fabs(sample_floats(i).x);
  if (i % 2) x = 1.0 + exp2(between(i, 0, -23.0, -1.0)) * sign_of(i, 1);
  return (sample){x, x == 1.0 || x == 0.0 ? 3.0 : between(i, 2, -104.0, 89.0) / log(x)};
}

// |got - wanted| in ulp of a format with `digits` bits and least exponent `least` (as DBL_MIN_EXP).
static double error_in_ulp(double got, long double wanted, int digits, int least) {
  int exponent;
  if (wanted == (long double)got) return 0.0;
  frexpl(wanted, &exponent);
  if (exponent < least) exponent = least;
  return (double)ldexpl(fabsl((long double)got - wanted), digits - exponent);
}

typedef struct double_case {
  const char *name;
  double (*ours)(double, double);
  long double (*reference)(long double, long double);
  sample (*draw)(uint64_t);
  double limit;  // ulp, from the analysis in docs/theory/elementary.md; the interface promises 2
} double_case;

static const double_case double_cases[] = {
    {"sin", ours_sin, long_sin, sample_angle, 0.9},
    {"cos", ours_cos, long_cos, sample_angle, 0.9},
    {"acos", ours_acos, long_acos, sample_cosine, 1.3},
    {"atan2", mote_atan2, atan2l, sample_point, 1.5},
    {"exp", ours_exp, long_exp, sample_exponent, 0.55},
    {"exp, subnormal", ours_exp, long_exp, sample_subnormal_exponent, 0.55},
    {"log", ours_log, long_log, sample_positive, 0.55},
    {"pow", mote_pow, powl, sample_power, 0.6},
    {"pow, subnormal", mote_pow, powl, sample_subnormal_power, 0.6},
    {"cbrt", ours_cbrt, long_cbrt, sample_any, 0.55},
};

// Subnormal results are rounded twice.
#define SUBNORMAL_LIMIT 1.0

static void double_is_near_long_double(void) {
  for (size_t c = 0; c < sizeof double_cases / sizeof *double_cases; ++c) {
    const double_case *test = &double_cases[c];
    double worst[2] = {0.0, 0.0}, sum = 0.0;  // of normal and subnormal results
    sample at = {0};
    for (uint64_t i = 0; i < SAMPLES; ++i) {
      sample s = test->draw(i);
      double got = test->ours(s.x, s.y);
      long double wanted = test->reference((long double)s.x, (long double)s.y);
      if (isinf(got) && fabsl(wanted) > (long double)DBL_MAX) continue;
      double error = error_in_ulp(got, wanted, DBL_MANT_DIG, DBL_MIN_EXP);
      bool subnormal = fabsl(wanted) < (long double)DBL_MIN;
      sum += error;
      if (!(error <= worst[subnormal])) worst[subnormal] = error, at = subnormal ? at : s;
    }
    printf("%-15s worst %.4f ulp at (%a, %a), subnormal %.4f, mean %.4f\n", test->name, worst[0], at.x, at.y,
           worst[1], sum / SAMPLES);
    CHECK(worst[0] <= test->limit);
    CHECK(worst[1] <= SUBNORMAL_LIMIT);
  }
}

typedef struct float_case {
  const char *name;
  float (*one)(float);
  float (*two)(float, float);
  double (*reference_one)(double);
  double (*reference_two)(double, double);
  sample (*draw)(uint64_t);
} float_case;

static const float_case float_cases[] = {
    {"sinf", mote_sinf, NULL, sin, NULL, sample_angle},
    {"cosf", mote_cosf, NULL, cos, NULL, sample_angle},
    {"acosf", mote_acosf, NULL, acos, NULL, sample_cosine},
    {"atan2f", NULL, mote_atan2f, NULL, atan2, sample_point},
    {"expf", mote_expf, NULL, exp, NULL, sample_exponent},
    {"logf", mote_logf, NULL, log, NULL, sample_positive},
    {"powf", NULL, mote_powf, NULL, pow, sample_float_power},
    {"cbrtf", mote_cbrtf, NULL, cbrt, NULL, sample_any},
};

static void float_is_near_double(void) {
  for (size_t c = 0; c < sizeof float_cases / sizeof *float_cases; ++c) {
    const float_case *test = &float_cases[c];
    double worst = 0.0;
    for (uint64_t i = 0; i < SAMPLES; ++i) {
      sample s = i % 2 ? sample_floats(i) : test->draw(i);
      float x = (float)s.x, y = (float)s.y;
      float got = test->one ? test->one(x) : test->two(x, y);
      double wanted = test->one ? test->reference_one((double)x) : test->reference_two((double)x, (double)y);
      if ((isnan(got) && isnan(wanted)) || (isinf(got) && fabs(wanted) > (double)FLT_MAX)) continue;
      double error = error_in_ulp((double)got, (long double)wanted, FLT_MANT_DIG, FLT_MIN_EXP);
      if (!(error <= worst)) worst = error;
    }
    printf("%-15s worst %.4f ulp\n", test->name, worst);
    CHECK(worst <= 0.502);
  }
}

// The double nearest to a multiple of pi/2 (Muller et al., Handbook of Floating-Point Arithmetic, 11.3).
static void hardest_angle(void) {
  double x = ldexp(6381956970095103.0, 797);
  CHECK_NEAR(mote_cos(x), -4.6871659242546276e-19, 1e-34);
  CHECK(mote_sin(x) == 1.0);
}

// Some C libraries only forward long double to double.
static bool long_double_is_better(void) {
  volatile long double x = 0.1L;
  return LDBL_MANT_DIG >= 64 && expl(x) != (long double)(double)expl(x) &&
         powl(3.0L, x) != (long double)(double)powl(3.0L, x);
}

int main(void) {
  hardest_angle();
  float_is_near_double();
  if (long_double_is_better()) double_is_near_long_double();
  return test_end();
}
