// Reading and printing numbers against the C library in the C locale, round trips over random bits, decimals
// at and next to midpoints, broken text, bounded text, and the closest of some names.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <mote/text.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/text_power.h"
#include "test.h"

static uint64_t random_bits(uint64_t i) {
  mote_random4 r = mote_random(31, 0, i);
  return (uint64_t)r.v[0] << 32 | r.v[1];
}

static double double_from(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static float float_from(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static bool same_double(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_float(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

static double read_whole(const char *text) {
  double value = -77.0;
  mote_text_scan scan = mote_text_read_double(text, strlen(text), MOTE_TEXT_ANY, &value);
  CHECK(scan.length == strlen(text));
  return value;
}

static float read_whole_float(const char *text) {
  float value = -77.0f;
  mote_text_scan scan = mote_text_read_float(text, strlen(text), MOTE_TEXT_ANY, &value);
  CHECK(scan.length == strlen(text));
  return value;
}

static const char *printed(double value) {
  static char out[MOTE_TEXT_NUMBER];
  CHECK(mote_text_print_double(out, value) == strlen(out));
  return out;
}

static const char *printed_float(float value) {
  static char out[MOTE_TEXT_NUMBER];
  CHECK(mote_text_print_float(out, value) == strlen(out));
  return out;
}

#define ROUND_TRIPS (TEST_SHORT ? 100000 : 1000000)

static void random_doubles_come_back(void) {
  int wrong = 0, wrong_library = 0;
  for (uint64_t i = 0; i < ROUND_TRIPS; ++i) {
    double x = double_from(random_bits(i)), back = 0.0;
    char text[MOTE_TEXT_NUMBER];
    if (isnan(x)) continue;
    size_t size = mote_text_print_double(text, x);
    mote_text_scan scan = mote_text_read_double(text, size, MOTE_TEXT_ANY, &back);
    wrong += scan.length != size || scan.overflow || !same_double(x, back);
    if (i % 10 == 0) wrong_library += !same_double(strtod(text, NULL), x);
  }
  CHECK(wrong == 0);
  CHECK(wrong_library == 0);
}

static void random_floats_come_back(void) {
  int wrong = 0, wrong_library = 0;
  for (uint64_t i = 0; i < ROUND_TRIPS; ++i) {
    float x = float_from((uint32_t)random_bits(i)), back = 0.0f;
    char text[MOTE_TEXT_NUMBER];
    if (isnan(x)) continue;
    size_t size = mote_text_print_float(text, x);
    mote_text_scan scan = mote_text_read_float(text, size, MOTE_TEXT_ANY, &back);
    wrong += scan.length != size || scan.overflow || !same_float(x, back);
    if (i % 10 == 0) wrong_library += !same_float(strtof(text, NULL), x);
  }
  CHECK(wrong == 0);
  CHECK(wrong_library == 0);
}

// The significant digits of a printed number and how many.
static int significant(const char *text, char *digits) {
  int count = 0;
  for (; *text != '\0' && *text != 'e'; ++text) {
    if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0')) digits[count++] = *text;
  }
  while (count > 0 && digits[count - 1] == '0') --count;
  digits[count] = '\0';
  return count;
}

// No shorter decimal reads back, and of those as short none is nearer: %.*e is the nearest of its length.
static bool is_shortest(double x) {
  char ours[MOTE_TEXT_NUMBER], theirs[64], digits[32], their_digits[64];
  mote_text_print_double(ours, x);
  int count = significant(ours, digits);
  if (count > 1) {
    snprintf(theirs, sizeof theirs, "%.*e", count - 2, x);
    if (strtod(theirs, NULL) == x) return false;
  }
  snprintf(theirs, sizeof theirs, "%.*e", count - 1, x);
  significant(theirs, their_digits);
  // Where the nearest does not read back (a narrow interval below a power of two) another may.
  return strtod(theirs, NULL) != x || strcmp(digits, their_digits) == 0;
}

static bool is_shortest_float(float x) {
  char ours[MOTE_TEXT_NUMBER], theirs[64], digits[32], their_digits[64];
  mote_text_print_float(ours, x);
  int count = significant(ours, digits);
  if (count > 1) {
    snprintf(theirs, sizeof theirs, "%.*e", count - 2, (double)x);
    if (strtof(theirs, NULL) == x) return false;
  }
  snprintf(theirs, sizeof theirs, "%.*e", count - 1, (double)x);
  significant(theirs, their_digits);
  return strtof(theirs, NULL) != x || strcmp(digits, their_digits) == 0;
}

static void printed_is_shortest(void) {
  int wrong = 0;
  for (uint64_t i = 0; i < (TEST_SHORT ? 10000 : 100000); ++i) {
    double x = double_from(random_bits(i)), plain = mote_random_between(32, 0, i, -1000.0, 1000.0);
    double rounded = round(plain * 1000.0) / 1000.0;
    float narrow = float_from((uint32_t)random_bits(i));
    if (isfinite(x) && x != 0.0) wrong += !is_shortest(x);
    if (rounded != 0.0) wrong += !is_shortest(rounded);
    if (isfinite(narrow) && narrow != 0.0f) wrong += !is_shortest_float(narrow);
  }
  for (int e = -1074; e <= 1023; ++e) {
    double power = ldexp(1.0, e);
    wrong += !is_shortest(power) + !is_shortest(nextafter(power, 0.0)) * (e > -1074) +
             !is_shortest(nextafter(power, 2.0 * power));
    if (e >= -149 && e <= 127) wrong += !is_shortest_float((float)power);
    CHECK(same_double(read_whole(printed(power)), power));
  }
  CHECK(wrong == 0);
}

static void printed_forms(void) {
  CHECK_TEXT(printed(0.0), "0");
  CHECK_TEXT(printed(-0.0), "-0");
  CHECK_TEXT(printed(0.1), "0.1");
  CHECK_TEXT(printed(-2.0), "-2");
  CHECK_TEXT(printed(100.0), "100");
  CHECK_TEXT(printed(123456.75), "123456.75");
  CHECK_TEXT(printed(0.0001), "0.0001");
  CHECK_TEXT(printed(0.00001), "1e-5");
  CHECK_TEXT(printed(-1.5e-5), "-1.5e-5");
  CHECK_TEXT(printed(1e15), "1000000000000000");
  CHECK_TEXT(printed(9007199254740993.0), "9007199254740992");
  CHECK_TEXT(printed(1e16), "1e16");
  CHECK_TEXT(printed(1e23), "1e23");
  CHECK_TEXT(printed(9.5367431640625e-7), "9.5367431640625e-7");
  CHECK_TEXT(printed(DBL_MAX), "1.7976931348623157e308");
  CHECK_TEXT(printed(DBL_MIN), "2.2250738585072014e-308");
  CHECK_TEXT(printed(DBL_TRUE_MIN), "5e-324");
  CHECK_TEXT(printed(2.0 * DBL_TRUE_MIN), "1e-323");
  CHECK_TEXT(printed(-0.00012345678901234567), "-0.00012345678901234567");
  CHECK_TEXT(printed((double)INFINITY), "inf");
  CHECK_TEXT(printed(-(double)INFINITY), "-inf");
  CHECK_TEXT(printed((double)NAN), "nan");
  CHECK_TEXT(printed(-(double)NAN), "nan");
  CHECK_TEXT(printed_float(0.1f), "0.1");
  CHECK_TEXT(printed_float(16777216.0f), "16777216");
  CHECK_TEXT(printed_float(FLT_MAX), "3.4028235e38");
  CHECK_TEXT(printed_float(FLT_TRUE_MIN), "1e-45");
  CHECK_TEXT(printed_float(-INFINITY), "-inf");
}

// Text of all shapes against strtod, which glibc rounds rightly.
static void random_text_reads_as_strtod(void) {
  int wrong = 0;
  for (uint64_t i = 0; i < 300000; ++i) {
    mote_random4 r = mote_random(33, 0, i);
    char text[128];
    size_t size = 0;
    int digits = 1 + (int)(r.v[0] % (i % 2 ? 40 : 18)), point = (int)(r.v[1] % 45),
        exponent = (int)(r.v[2] % 700) - 350;
    if (r.v[3] & 1) text[size++] = '-';
    for (int k = 0; k < digits; ++k) {
      if (k == point) text[size++] = '.';
      text[size++] = (char)('0' + mote_random(34, i, (uint64_t)k).v[0] % 10);
    }
    if (r.v[3] & 2)
      size += (size_t)snprintf(text + size, sizeof text - size, "e%d", i % 3 ? exponent : exponent / 20);
    text[size] = '\0';
    double value = 0.0;
    float narrow = 0.0f;
    mote_text_scan scan = mote_text_read_double(text, size, MOTE_TEXT_FINITE, &value);
    wrong +=
        scan.length != size || !same_double(value, strtod(text, NULL)) || scan.overflow != (bool)isinf(value);
    scan = mote_text_read_float(text, size, MOTE_TEXT_FINITE, &narrow);
    wrong += scan.length != size || !same_float(narrow, strtof(text, NULL)) ||
             scan.overflow != (bool)isinf(narrow);
  }
  CHECK(wrong == 0);
}

// Makes the decimal a hair smaller or, with one more digit, larger; returns its new size.
static size_t by_a_hair(char *text, size_t size, int hair) {
  if (hair > 0) text[size++] = '1';
  if (hair < 0) {
    size_t k = size - 1;
    for (; text[k] == '0' || text[k] == '.'; --k) text[k] = text[k] == '.' ? '.' : '9';
    --text[k];
  }
  text[size] = '\0';
  return size;
}

// At the midpoint of two neighbours, and a hair above and below: hundreds of digits.
static void midpoints(void) {
  static char text[1600];
  int wrong = 0, longest = 0;
  for (uint64_t i = 0; i < 3000; ++i) {
    double x = fabs(double_from(random_bits(i)));
    if (i % 8 == 0) x = double_from(random_bits(i) & 0x000fffffffffffffu);
    if (i == 1) x = 0.0;
    if (i == 2) x = nextafter(DBL_MIN, 0.0);
    if (!(x < DBL_MAX)) continue;
    long double middle = ((long double)x + (long double)nextafter(x, (double)INFINITY)) / 2;
    for (int hair = -1; hair <= 1; ++hair) {
      size_t size = (size_t)snprintf(text, sizeof text, "%.1080Lf", middle);
      size = by_a_hair(text, size, hair);
      double value = 0.0;
      mote_text_scan scan = mote_text_read_double(text, size, MOTE_TEXT_FINITE, &value);
      wrong += scan.length != size || !same_double(value, strtod(text, NULL));
      char digits[1600];
      int count = significant(text, digits);
      if (hair == 0 && count > longest) longest = count;
    }
  }
  CHECK(wrong == 0);
  CHECK(longest > 750 || LDBL_MANT_DIG < 64);
}

static void float_midpoints(void) {
  static char text[300];
  int wrong = 0;
  for (uint64_t i = 0; i < 20000; ++i) {
    float x = float_from((uint32_t)random_bits(i) & 0x7fffffffu >> (i % 5 == 0 ? 8 : 0));
    if (i == 1) x = 0.0f;
    if (!(x < FLT_MAX)) continue;
    double middle = ((double)x + (double)nextafterf(x, INFINITY)) / 2;
    for (int hair = -1; hair <= 1; ++hair) {
      size_t size = by_a_hair(text, (size_t)snprintf(text, sizeof text, "%.160f", middle), hair);
      float value = 0.0f;
      mote_text_scan scan = mote_text_read_float(text, size, MOTE_TEXT_FINITE, &value);
      wrong += scan.length != size || !same_float(value, strtof(text, NULL));
    }
  }
  CHECK(wrong == 0);
}

static void hard_cases(void) {
  static const char *const cases[] = {
      "9007199254740993",
      "9007199254740993.0",
      "9007199254740992.99999999999999999999999999",
      "9007199254740993.00000000000000000000000001",
      "1e23",
      "8.5e22",
      "2.2250738585072011e-308",
      "2.2250738585072012e-308",
      "4.9406564584124654e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324",
      "2.47032822920623272088284396434110686182e-324",
      "2.47032822920623272088284396434110686183e-324",
      "1.7976931348623157e308",
      "1.7976931348623158e308",
      "1.7976931348623159e308",
      "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096"
      "330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730"
      "270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
      "17976931348623157081e289",
      "1e309",
      "1e-400",
      "0e999999999999999999999",
      "0.000000000000000000000000000000e5",
      "1e-99999999999999999999",
      "1e99999999999999999999999",
      "100000000000000000000000000000000000000000000000000000000000e-59",
      "0.3",
      "123456789012345678901234567890",
      "1.",
      ".5",
      "+7",
      "-0",
      "-0.0e-5",
      "16777217",
      "16777216.99999999999999",
      "3.4028235677973366e38",
      "3.4028235677973365e38",
      "1.4e-45",
      "7.0064923216240853e-46",
      "7.0064923216240854e-46",
      "1.00000005960464477539062500",
      "1.000000059604644775390625000000000000000000000000000000000000001",
      "5e-1",
      "6.02214076e23"};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    if (!CHECK(same_double(read_whole(cases[k]), strtod(cases[k], NULL))) ||
        !CHECK(same_float(read_whole_float(cases[k]), strtof(cases[k], NULL)))) {
      fprintf(stderr, "  %s\n", cases[k]);
    }
  }
  static char zeros[5000];
  memset(zeros, '0', sizeof zeros);
  memcpy(zeros, "0.", 2);
  memcpy(zeros + sizeof zeros - 8, "125e4990", 8);
  double value = 0.0;
  mote_text_scan scan = mote_text_read_double(zeros, sizeof zeros, MOTE_TEXT_FINITE, &value);
  CHECK(scan.length == sizeof zeros && same_double(value, 0.125));
}

// Length and overflow of what is read from `text`, the value untouched where nothing is.
static bool reads(const char *text, mote_text_kind kind, size_t length) {
  double value = 42.0;
  mote_text_scan scan = mote_text_read_double(text, strlen(text), kind, &value);
  return scan.length == length && (length > 0 || value == 42.0);
}

static void stops_where_the_number_ends(void) {
  CHECK(reads("", MOTE_TEXT_ANY, 0) && reads("+", MOTE_TEXT_ANY, 0) && reads("-.", MOTE_TEXT_ANY, 0) &&
        reads(".e5", MOTE_TEXT_ANY, 0));
  CHECK(reads(" 1", MOTE_TEXT_ANY, 0) && reads("e5", MOTE_TEXT_ANY, 0) && reads("--1", MOTE_TEXT_ANY, 0) &&
        reads("x", MOTE_TEXT_ANY, 0));
  CHECK(reads("1e", MOTE_TEXT_ANY, 1) && reads("1e+", MOTE_TEXT_ANY, 1) && reads("1e+x", MOTE_TEXT_ANY, 1) &&
        reads("1.5.5", MOTE_TEXT_ANY, 3));
  CHECK(reads("1,5", MOTE_TEXT_ANY, 1) && reads("0x10", MOTE_TEXT_ANY, 1) && reads("2m", MOTE_TEXT_ANY, 1) &&
        reads("1E5;", MOTE_TEXT_ANY, 3));
  CHECK(reads("nan", MOTE_TEXT_FINITE, 0) && reads("inf", MOTE_TEXT_FINITE, 0) &&
        reads("-Infinity", MOTE_TEXT_FINITE, 0));
  CHECK(reads("nan", MOTE_TEXT_ANY, 3) && reads("-INF", MOTE_TEXT_ANY, 4) &&
        reads("+Infinity", MOTE_TEXT_ANY, 9) && reads("infinit", MOTE_TEXT_ANY, 3));
  CHECK(reads("na", MOTE_TEXT_ANY, 0) && reads("in", MOTE_TEXT_ANY, 0));
  CHECK(isnan(read_whole("nan")) && read_whole("-inf") == -(double)INFINITY &&
        isnan(read_whole_float("NaN")) && read_whole_float("inf") == INFINITY);
  double value = 0.0;
  CHECK(mote_text_read_double("1e400", 5, MOTE_TEXT_FINITE, &value).overflow && value == (double)INFINITY);
  CHECK(mote_text_read_double("-1e400", 6, MOTE_TEXT_FINITE, &value).overflow && value == -(double)INFINITY);
  CHECK(!mote_text_read_double("-inf", 4, MOTE_TEXT_ANY, &value).overflow && value == -(double)INFINITY);
}

// Every prefix of a number, in memory that ends right there (AddressSanitizer looks on).
static void reads_nothing_behind_the_end(void) {
  const char *texts[] = {"-12.5e+17", "infinity", "nan", "12345678901234567890123.5"};
  for (int t = 0; t < 4; ++t) {
    for (size_t size = 0; size <= strlen(texts[t]); ++size) {
      char *exact = malloc(size + 1), prefix[32] = {0};
      char *text = exact + 1;
      memcpy(text, texts[t], size);
      memcpy(prefix, texts[t], size);
      double value = 0.0;
      float narrow = 0.0f;
      long long whole = 0;
      mote_text_scan scan = mote_text_read_double(text, size, MOTE_TEXT_ANY, &value);
      if (scan.length > 0 && !isnan(value)) CHECK(value == strtod(prefix, NULL));
      CHECK(scan.length <= size &&
            mote_text_read_float(text, size, MOTE_TEXT_ANY, &narrow).length == scan.length);
      CHECK(mote_text_read_integer(text, size, &whole).length <= size);
      free(exact);
    }
  }
}

static void integers(void) {
  static const struct {
    const char *text;
    size_t length;
    long long value;
    bool overflow;
  } cases[] = {{"0", 1, 0, false},
               {"-17", 3, -17, false},
               {"+5x", 2, 5, false},
               {"12.5", 2, 12, false},
               {"007", 3, 7, false},
               {"9223372036854775807", 19, LLONG_MAX, false},
               {"9223372036854775808", 19, LLONG_MAX, true},
               {"-9223372036854775808", 20, LLONG_MIN, false},
               {"-9223372036854775809", 20, LLONG_MIN, true},
               {"99999999999999999999999", 23, LLONG_MAX, true},
               {"", 0, 42, false},
               {"-", 0, 42, false},
               {"x", 0, 42, false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    long long value = 42;
    mote_text_scan scan = mote_text_read_integer(cases[k].text, strlen(cases[k].text), &value);
    CHECK(scan.length == cases[k].length && scan.overflow == cases[k].overflow && value == cases[k].value);
  }
  char out[MOTE_TEXT_NUMBER];
  const long long values[] = {0, -1, 42, LLONG_MAX, LLONG_MIN};
  for (int k = 0; k < 5; ++k) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%lld", values[k]);
    CHECK(mote_text_print_integer(out, values[k]) == strlen(wanted));
    CHECK_TEXT(out, wanted);
  }
}

static void closest_names(void) {
  static const char *const names[] = {"viscosity", "density", "stiffness", "x", "radius"};
  CHECK(mote_text_distance("", "") == 0 && mote_text_distance("abc", "") == 3 &&
        mote_text_distance("", "ab") == 2);
  CHECK(mote_text_distance("kitten", "sitting") == 3 && mote_text_distance("ab", "ba") == 1 &&
        mote_text_distance("Ab", "aB") == 0);
  CHECK(mote_text_distance("abcdef", "abdcfe") == 2 && mote_text_distance("ca", "abc") == 3);
  char word[MOTE_TEXT_WORD + 2];
  memset(word, 'a', sizeof word);
  word[MOTE_TEXT_WORD + 1] = '\0';
  CHECK(mote_text_distance(word, "a") == SIZE_MAX && mote_text_closest(word, names, 5) == NULL);
  word[MOTE_TEXT_WORD] = '\0';
  CHECK(mote_text_distance(word, "a") == MOTE_TEXT_WORD - 1);
  CHECK(mote_text_closest("viscocity", names, 5) == names[0] &&
        mote_text_closest("Denisty", names, 5) == names[1]);
  CHECK(mote_text_closest("radios", names, 5) == names[4] && mote_text_closest("y", names, 5) == names[3]);
  CHECK(mote_text_closest("banana", names, 5) == NULL && mote_text_closest("radius", names, 0) == NULL);
  CHECK(mote_text_closest("", names, 5) == names[3]);
}

// 10^k less the floor is below one unit: P <= 10^k 2^s < P + 1, in long division by tens.
static void powers_follow_from_their_neighbours(void) {
  for (int k = -350; k < 350; ++k) {
    mote_uint128 here = mote_text_power(k), next = mote_text_power(k + 1);
    int shift = mote_text_power_log2(k + 1) - mote_text_power_log2(k);
    CHECK(here >> 127 == 1 && (shift == 3 || shift == 4));
    // 10 here / 2^shift is the next but for what the floors cut off: less than 10/2^shift + 1 units.
    mote_uint128 product = (here >> shift) * 10 + ((here & (((mote_uint128)1 << shift) - 1)) * 10 >> shift);
    CHECK(next - product <= 2);
  }
  CHECK(mote_text_power(0) == (mote_uint128)1 << 127 && mote_text_power(1) == (mote_uint128)10 << 124);
  CHECK(mote_text_power(19) >> 64 == 10000000000000000000u && (uint64_t)mote_text_power(19) == 0);
}

int main(void) {
  random_doubles_come_back();
  random_floats_come_back();
  printed_is_shortest();
  printed_forms();
  random_text_reads_as_strtod();
  midpoints();
  float_midpoints();
  hard_cases();
  stops_where_the_number_ends();
  reads_nothing_behind_the_end();
  integers();
  closest_names();
  powers_follow_from_their_neighbours();
  return test_end();
}
