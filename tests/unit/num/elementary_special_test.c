// Elementary functions at the arguments that need no rounding: NaN, infinities, signed zeros, ends of the
// range, the table of pow in C17 annex F.10.4.4, and exact results.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>
#include <stdint.h>

#include "test.h"

static const double inf = (double)INFINITY;

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// Equal bits, which tells zeros apart and wants the one NaN.
static bool same(double a, double b) {
  return bits_of(a) == bits_of(b);
}

static bool is_our_nan(double x) {
  return bits_of(x) == 0x7ff8000000000000u;
}

static const double nans[] = {(double)NAN, -(double)NAN};

static void nan_gives_the_one_nan(void) {
  for (int k = 0; k < 2; ++k) {
    double x = nans[k];
    CHECK(is_our_nan(mote_sin(x)) && is_our_nan(mote_cos(x)) && is_our_nan(mote_acos(x)));
    CHECK(is_our_nan(mote_exp(x)) && is_our_nan(mote_log(x)) && is_our_nan(mote_cbrt(x)));
    CHECK(is_our_nan(mote_atan2(x, 1.0)) && is_our_nan(mote_atan2(1.0, x)) && is_our_nan(mote_atan2(x, inf)));
    CHECK(is_our_nan(mote_pow(x, 1.0)) && is_our_nan(mote_pow(2.0, x)) && is_our_nan(mote_pow(0.0, x)));
    float f = (float)x;
    CHECK(isnan(mote_sinf(f)) && isnan(mote_cosf(f)) && isnan(mote_acosf(f)) && isnan(mote_expf(f)));
    CHECK(isnan(mote_logf(f)) && isnan(mote_cbrtf(f)) && isnan(mote_atan2f(f, 0.0f)));
    CHECK(isnan(mote_powf(f, 1.0f)) && isnan(mote_powf(2.0f, f)) && mote_powf(f, 0.0f) == 1.0f);
  }
}

static void outside_the_domain(void) {
  CHECK(is_our_nan(mote_sin(inf)) && is_our_nan(mote_sin(-inf)) && is_our_nan(mote_cos(inf)));
  CHECK(is_our_nan(mote_acos(nextafter(1.0, 2.0))) && is_our_nan(mote_acos(-2.0)) &&
        is_our_nan(mote_acos(inf)));
  CHECK(is_our_nan(mote_log(-DBL_TRUE_MIN)) && is_our_nan(mote_log(-inf)));
  CHECK(isnan(mote_sinf(INFINITY)) && isnan(mote_cosf(-INFINITY)) && isnan(mote_acosf(1.5f)));
  CHECK(isnan(mote_logf(-1.0f)) && isnan(mote_powf(-2.0f, 0.5f)));
}

static void ends_of_the_range(void) {
  CHECK(same(mote_sin(0.0), 0.0) && same(mote_sin(-0.0), -0.0) && mote_cos(-0.0) == 1.0);
  CHECK(same(mote_sin(-DBL_TRUE_MIN), -DBL_TRUE_MIN) && mote_cos(DBL_MIN) == 1.0);
  CHECK(same(mote_acos(1.0), 0.0) && mote_acos(-1.0) == 0x1.921fb54442d18p+1 &&
        mote_acos(0.0) == 0x1.921fb54442d18p0);
  CHECK(mote_exp(0.0) == 1.0 && mote_exp(-0.0) == 1.0 && mote_exp(DBL_TRUE_MIN) == 1.0);
  CHECK(mote_exp(inf) == inf && same(mote_exp(-inf), 0.0) && mote_exp(DBL_MAX) == inf &&
        mote_exp(-DBL_MAX) == 0.0);
  CHECK(mote_exp(0x1.62e42fefa39efp+9) < inf && mote_exp(0x1.62e42fefa39fp+9) == inf);
  CHECK(mote_exp(-745.1332191019411) == DBL_TRUE_MIN && mote_exp(-745.1332191019412) == 0.0);
  CHECK(same(mote_log(1.0), 0.0) && mote_log(0.0) == -inf && mote_log(-0.0) == -inf && mote_log(inf) == inf);
  CHECK_NEAR(mote_log(DBL_TRUE_MIN), -744.44007192138127, 0.0);
  CHECK(same(mote_cbrt(-0.0), -0.0) && mote_cbrt(inf) == inf && mote_cbrt(-inf) == -inf);
  CHECK(same(mote_cbrt(DBL_TRUE_MIN), 0x1p-358) && mote_cbrt(0x1p1023) == 0x1p341);
  CHECK(mote_expf(89.0f) == INFINITY && mote_expf(-104.0f) == 0.0f && mote_expf(-INFINITY) == 0.0f);
  CHECK(mote_expf(-103.0f) == FLT_TRUE_MIN && mote_expf(FLT_MAX) == INFINITY && mote_expf(-FLT_MAX) == 0.0f);
  CHECK(mote_logf(0.0f) == -INFINITY && mote_logf(INFINITY) == INFINITY && mote_logf(1.0f) == 0.0f);
  CHECK(signbit(mote_sinf(-0.0f)) && mote_sinf(-FLT_TRUE_MIN) == -FLT_TRUE_MIN && mote_cosf(0.0f) == 1.0f);
  CHECK(signbit(mote_cbrtf(-0.0f)) && mote_cbrtf(-27.0f) == -3.0f);
}

static void atan2_knows_quadrants(void) {
  const double pi = 0x1.921fb54442d18p+1, zeros[] = {0.0, DBL_TRUE_MIN};
  for (int k = 0; k < 2; ++k) {
    double sign = k ? -1.0 : 1.0;
    CHECK(same(mote_atan2(sign * 0.0, 0.0), sign * 0.0) && same(mote_atan2(sign * 0.0, -0.0), sign * pi));
    CHECK(same(mote_atan2(sign * 0.0, 3.0), sign * 0.0) && same(mote_atan2(sign * 0.0, -3.0), sign * pi));
    CHECK(same(mote_atan2(sign * 0.0, inf), sign * 0.0) && same(mote_atan2(sign * 0.0, -inf), sign * pi));
    CHECK(same(mote_atan2(sign * 5.0, inf), sign * 0.0) && same(mote_atan2(sign * 5.0, -inf), sign * pi));
    for (int z = 0; z < 2; ++z) {
      CHECK(mote_atan2(sign * 2.0, zeros[z]) == sign * pi / 2 &&
            mote_atan2(sign * 2.0, -zeros[z]) == sign * pi / 2);
      CHECK(mote_atan2(sign * inf, zeros[z]) == sign * pi / 2 &&
            mote_atan2(sign * inf, -zeros[z]) == sign * pi / 2);
    }
    CHECK(mote_atan2(sign * inf, inf) == sign * pi / 4 &&
          mote_atan2(sign * inf, -inf) == sign * (3.0 * pi / 4));
    CHECK(mote_atan2(sign * DBL_MAX, DBL_MAX) == sign * pi / 4);
    CHECK(mote_atan2(sign * DBL_TRUE_MIN, DBL_TRUE_MIN) == sign * pi / 4);
    CHECK(same(mote_atan2(sign * DBL_TRUE_MIN, DBL_MAX), sign * 0.0));
    CHECK(same(mote_atan2(sign * DBL_TRUE_MIN, 1.0), sign * DBL_TRUE_MIN));
  }
}

static void pow_follows_annex_f(void) {
  for (int k = 0; k < 2; ++k) {
    double nan = nans[k], sign = k ? -1.0 : 1.0;
    CHECK(mote_pow(nan, 0.0) == 1.0 && mote_pow(nan, -0.0) == 1.0 && mote_pow(1.0, nan) == 1.0);
    CHECK(mote_pow(1.0, sign * inf) == 1.0 && mote_pow(-1.0, sign * inf) == 1.0);
    CHECK(same(mote_pow(sign * 0.0, 3.0), sign * 0.0) && same(mote_pow(sign * 0.0, 2.0), 0.0));
    CHECK(same(mote_pow(sign * 0.0, 0.5), 0.0) && same(mote_pow(sign * 0.0, inf), 0.0));
    CHECK(mote_pow(sign * 0.0, -3.0) == sign * inf && mote_pow(sign * 0.0, -2.0) == inf);
    CHECK(mote_pow(sign * 0.0, -0.5) == inf && mote_pow(sign * 0.0, -inf) == inf);
    CHECK(mote_pow(sign * 0.0, 0.0) == 1.0 && mote_pow(sign * inf, 0.0) == 1.0);
    CHECK(mote_pow(sign * 0.5, -inf) == inf && mote_pow(sign * 2.0, -inf) == 0.0);
    CHECK(mote_pow(sign * 0.5, inf) == 0.0 && mote_pow(sign * 2.0, inf) == inf);
    CHECK(mote_pow(sign * inf, 3.0) == sign * inf && mote_pow(sign * inf, 2.0) == inf &&
          mote_pow(sign * inf, 0.5) == inf);
    CHECK(same(mote_pow(sign * inf, -3.0), sign * 0.0) && same(mote_pow(sign * inf, -2.0), 0.0));
    CHECK(same(mote_pow(sign * inf, -0.5), 0.0) && mote_pow(sign * inf, inf) == inf);
    CHECK(mote_pow(sign * DBL_MAX, 3.0) == sign * inf && same(mote_pow(sign * DBL_MIN, 3.0), sign * 0.0));
  }
  CHECK(is_our_nan(mote_pow(-2.0, 0.5)) && is_our_nan(mote_pow(-DBL_MAX, 1.5)) &&
        is_our_nan(mote_pow(-1.0, 0.1)));
}

static void exact_powers(void) {
  for (int n = -1074; n <= 1023; ++n) CHECK(mote_pow(2.0, n) == ldexp(1.0, n));
  double power = 1.0;
  for (int n = 0; n <= 33; ++n, power *= -3.0) CHECK(mote_pow(-3.0, n) == power);
  CHECK(mote_pow(-1.0, 0x1p53) == 1.0 && mote_pow(-1.0, 0x1p53 - 1.0) == -1.0 && mote_pow(-1.0, 1.0) == -1.0);
  CHECK(mote_pow(0.25, -0.5) == 2.0 && mote_pow(DBL_TRUE_MIN, 0.5) == 0x1p-537 && mote_pow(7.5, 1.0) == 7.5);
  CHECK(mote_pow(1.0 + DBL_EPSILON, DBL_MAX) == inf && mote_pow(1.0 - DBL_EPSILON, DBL_MAX) == 0.0);
  CHECK(mote_pow(DBL_MAX, DBL_TRUE_MIN) == 1.0 && mote_pow(2.0, -1075.5) == 0.0 &&
        mote_pow(2.0, 1024.0) == inf);
  for (int n = -2000; n <= 2000; ++n) CHECK(mote_cbrt((double)n * n * n) == n);
}

int main(void) {
  nan_gives_the_one_nan();
  outside_the_domain();
  ends_of_the_range();
  atan2_knows_quadrants();
  pow_follows_annex_f();
  exact_powers();
  return test_end();
}
