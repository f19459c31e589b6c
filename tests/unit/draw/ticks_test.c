// Ticks: hard ranges, and for random ranges that they ascend, lie inside, are enough, and that labels read
// back as the values.
#include "draw/ticks.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

static void range_becomes(double low, double high, bool log, double new_low, double new_high) {
  mote_ticks_range(&low, &high, log);
  CHECK(low == new_low && high == new_high);
}

static void ranges_are_made_usable(void) {
  const double nan = (double)NAN, inf = (double)INFINITY;
  range_becomes(2, 3, false, 2, 3);
  range_becomes(0, 0, false, -0.5, 0.5);
  range_becomes(4, 4, false, 2, 6);
  range_becomes(-4, -4, false, -6, -2);
  range_becomes(inf, -inf, false, 0, 1);
  range_becomes(nan, 3, false, 0, 1);
  range_becomes(-1e308, 1e308, false, -1e307, 1e307);
  range_becomes(inf, -inf, true, 0.1, 1);
  range_becomes(0, 10, true, 0.01, 10);
  range_becomes(-5, -3, true, 0.1, 1);
  range_becomes(3, 3, true, 1, 9);
  double low = 1, high = 1 + 1e-15;
  mote_ticks_range(&low, &high, false);
  CHECK(high - low >= 1e-11 && low < 1 && high > 1);
}

static void given_ends_are_kept(void) {
  static const struct {
    double given[2];
    bool log;
    double low, high;
  } cases[] = {{{0, 9}, false, 0, 9},
               {{9, 0}, false, 9, 0},
               {{(double)NAN, (double)NAN}, false, 2, 5},
               {{3, (double)NAN}, false, 3, 5},
               {{(double)NAN, 4}, false, 2, 4},
               {{7, (double)NAN}, false, 7, 14},
               {{(double)NAN, 1}, false, 0, 1},
               {{(double)NAN, -4}, false, -8, -4},
               {{50, (double)NAN}, true, 50, 500},
               {{(double)NAN, 1}, true, 0.1, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    double low = 2, high = 5;
    mote_ticks_given(cases[k].given[0], cases[k].given[1], cases[k].log, &low, &high);
    CHECK(low == cases[k].low && high == cases[k].high);
  }
}

// Reads a label: decimal with a true minus sign, and powers of ten in superscripts.
static double read_label(const char *text) {
  char plain[96] = "";
  bool raised = false;
  static const char *super[10] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (const char *p = text; *p != 0;) {
    char digit[2] = {0, 0};
    size_t size = 1;
    for (int k = 0; k < 10; ++k)
      if (strncmp(p, super[k], strlen(super[k])) == 0) {
        if (!raised) strcat(plain, "e");
        raised = true;
        digit[0] = (char)('0' + k);
        size = strlen(super[k]);
      }
    if (strncmp(p, "⁻", 3) == 0) {
      strcat(plain, "e-");
      raised = true;
      p += 3;
      continue;
    }
    if (strncmp(p, "−", 3) == 0) {
      strcat(plain, "-");
      p += 3;
      continue;
    }
    if (strncmp(p, "×10", 4) == 0) {
      p += 4;
      continue;
    }
    if (digit[0] == 0) digit[0] = *p;
    strcat(plain, digit);
    p += size;
  }
  // A bare power: 10 with an exponent.
  if (strncmp(plain, "10e", 3) == 0 && strstr(text, "×") == NULL)
    memmove(plain + 1, plain + 2, strlen(plain + 2) + 1);
  return strtod(plain, NULL);
}

static double read_common(const char *common, double label) {
  const char *plus = strstr(common, " + "), *factor = strstr(common, "×10");
  if (factor == common && *common != 0) {
    char power[80];
    snprintf(power, sizeof power, "1%s", common);
    char *end = strchr(power, ' ');
    if (end != NULL) *end = 0;
    label *= read_label(power);
  }
  if (plus != NULL) return label + read_label(plus + 3);
  const char *minus = strstr(common, " −");
  if (minus != NULL) return label + read_label(minus + 1);
  if (common[0] == '+') return label + read_label(common + 1);
  if (strncmp(common, "−", 3) == 0) return label + read_label(common);
  return label;
}

static void ticks_are_sound(double low, double high, bool log, int wanted) {
  mote_ticks t;
  mote_ticks_range(&low, &high, log);
  mote_ticks_find(low, high, log, wanted, &t);
  double size = fmax(fabs(low), fabs(high)), span = high - low;
  bool good = t.count >= 2 && t.count <= MOTE_TICKS_MAX;
  if (!log) good = good && t.count <= (wanted > 5 ? wanted : 5);
  for (int k = 0; k < t.count; ++k) {
    good = good && t.value[k] >= low - 1e-6 * span && t.value[k] <= high + 1e-6 * span;
    good = good && (k == 0 || (t.value[k] > t.value[k - 1] && strcmp(t.label[k], t.label[k - 1]) != 0));
    double read = read_common(t.common, read_label(t.label[k]));
    good = good && fabs(read - t.value[k]) <= (log ? 1e-12 * t.value[k] : 1e-9 * span + 1e-13 * size);
    good = good && strlen(t.label[k]) < 20;
  }
  for (int k = 0; k < t.minors; ++k) good = good && t.minor[k] >= low && t.minor[k] <= high;
  if (!CHECK(good)) {
    fprintf(stderr, "  %.17g .. %.17g log %d wanted %d: %d ticks, common '%s'\n", low, high, log, wanted,
            t.count, t.common);
    for (int k = 0; k < t.count; ++k) fprintf(stderr, "    %.17g '%s'\n", t.value[k], t.label[k]);
  }
}

static void hard_ranges_have_ticks(void) {
  static const double hard[][2] = {
      {0, 0},           {1e-300, 1e300},  {-1e300, 1e300}, {-3, -1},   {1e6, 1e6 + 1e-3}, {-1e6 - 1e-3, -1e6},
      {5e-324, 1e-310}, {1e-310, 1e-300}, {0, 1},          {-1, 1e-9}, {0.1, 0.3},        {1e15, 1e15 + 10},
      {123456, 123457}, {-1e308, 1e308},  {0.95, 1.05}};
  for (size_t k = 0; k < sizeof hard / sizeof *hard; ++k)
    for (int wanted = 2; wanted <= 30; ++wanted) {
      ticks_are_sound(hard[k][0], hard[k][1], false, wanted);
      ticks_are_sound(hard[k][0], hard[k][1], true, wanted);
    }
}

static double random_part(void) {
  return rand() / (RAND_MAX + 1.0);
}

static void random_ranges_have_ticks(void) {
  srand(3);
  for (int trial = 0; trial < 6000; ++trial) {
    double middle = (random_part() - 0.5) * pow(10, 40 * random_part() - 20);
    double half = random_part() * pow(10, 40 * random_part() - 20);
    ticks_are_sound(middle - half, middle + half, false, 2 + rand() % 20);
    double low = pow(10, 40 * random_part() - 20);
    ticks_are_sound(low, low * pow(10, 30 * random_part() * random_part()), true, 4 + rand() % 12);
  }
}

static void labels_read_well(void) {
  mote_ticks t;
  mote_ticks_find(0, 1, false, 6, &t);
  CHECK(t.count == 6);
  CHECK_TEXT(t.label[0], "0.0");
  CHECK_TEXT(t.label[1], "0.2");
  CHECK_TEXT(t.common, "");
  mote_ticks_find(-30, 20, false, 6, &t);
  CHECK_TEXT(t.label[0], "−30");
  mote_ticks_find(0, 3.1e7, false, 4, &t);
  CHECK_TEXT(t.label[t.count - 1], "3");
  CHECK_TEXT(t.common, "×10⁷");
  mote_ticks_find(0, 8e-5, false, 5, &t);
  CHECK_TEXT(t.label[1], "2");
  CHECK_TEXT(t.common, "×10⁻⁵");
  mote_ticks_find(1234567.1, 1234567.3, false, 5, &t);
  CHECK_TEXT(t.label[1], "0.05");
  CHECK_TEXT(t.common, "+1234567.1");
  mote_ticks_find(1e-3, 1e2, true, 8, &t);
  CHECK(t.count == 6 && t.minors == 5 * 8);
  CHECK_TEXT(t.label[0], "10⁻³");
  CHECK_TEXT(t.label[3], "10⁰");
  mote_ticks_find(0.5, 30, true, 8, &t);
  CHECK_TEXT(t.label[0], "0.5");
  CHECK_TEXT(t.label[5], "20");
}

int main(void) {
  ranges_are_made_usable();
  given_ends_are_kept();
  labels_read_well();
  hard_ranges_have_ticks();
  random_ranges_have_ticks();
  return test_end();
}
