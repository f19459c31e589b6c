// Ticks: see ticks.h. Tick values are whole numbers times a power of ten, and labels are written from these,
// so that none ever reads 0.30000000000000004.
#include "draw/ticks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/draw_math.h"

#define LARGEST_VALUE 1e307  // range: differences of axis values stay finite

static void widen_logarithmic(double *low, double *high) {
  *high = fmax(*high, 1e-290);
  if (*low <= 0) *low = *high * 1e-3;
  *low = fmax(*low, 1e-300);
  if (*high / *low > 1 + 1e-6) return;
  *low /= 3;
  *high *= 3;
}

// Nothing finer than 1e-11 of the values is shown: doubles end soon after.
static void widen_linear(double *low, double *high) {
  double scale = fmax(fabs(*low), fabs(*high)), span = *high - *low, middle = *low / 2 + *high / 2;
  if (span > 1e-11 * scale && span >= 1e-300) return;
  double half = scale > 1e-290 ? 0.5 * scale : 0.5;
  if (span > 0) half = fmax(1e-10 * scale, 1e-299);
  *low = middle - half;
  *high = middle + half;
}

void mote_ticks_range(double *low, double *high, bool log) {
  if (!isfinite(*low) || !isfinite(*high) || (log && *high <= 0)) {
    *low = log ? 0.1 : 0;
    *high = 1;
  }
  *low = draw_clamp(*low, -LARGEST_VALUE, LARGEST_VALUE);
  *high = draw_clamp(*high, -LARGEST_VALUE, LARGEST_VALUE);
  if (log)
    widen_logarithmic(low, high);
  else
    widen_linear(low, high);
}

void mote_ticks_given(double given_low, double given_high, bool log, double *low, double *high) {
  bool has_low = !isnan(given_low), has_high = !isnan(given_high);
  if (has_low) *low = given_low;
  if (has_high) *high = given_high;
  if (*low < *high || has_low == has_high) return;
  if (has_low)
    *high = log ? *low * 10 : *low + fmax(1, fabs(*low));
  else
    *low = log ? *high / 10 : *high - fmax(1, fabs(*high));
}

// 10^e, also where 10^-e is beyond double's range.
static double power_of_ten(int e) {
  if (e < -300) return power_of_ten(e + 100) * 1e-100;
  if (e < 0) return 1 / power_of_ten(-e);
  double p = 1;
  for (; e > 0; --e) p *= 10;
  return p;
}

static int floor_log10(double x) {
  int e = (int)floor(draw_log10(x));
  while (power_of_ten(e) > x) --e;
  while (e < 308 && power_of_ten(e + 1) <= x) ++e;
  return e;
}

// Appends to a text of `size` bytes.
static void append(char *text, size_t size, const char *more) {
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s", more);
}

static void append_superscript(char *text, size_t size, int number) {
  static const char *digit[10] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char plain[16];
  snprintf(plain, sizeof plain, "%d", number);
  for (const char *p = plain; *p != 0; ++p) append(text, size, *p == '-' ? "⁻" : digit[*p - '0']);
}

// number * 10^e as a decimal, with a true minus sign; e may be positive.
static void write_decimal(char *text, size_t size, int64_t number, int e) {
  char digits[64];
  int64_t magnitude = number < 0 ? -number : number;
  int decimals = e < -40 ? 40 : e < 0 ? -e : 0;
  snprintf(digits, sizeof digits, "%0*" PRId64, decimals + 1, magnitude);
  for (int k = 0; k < e && number != 0 && k < 20; ++k) append(digits, sizeof digits, "0");
  text[0] = 0;
  if (number < 0) append(text, size, "−");
  size_t whole = strlen(digits) - (size_t)decimals;
  char head[64];
  snprintf(head, sizeof head, "%.*s", (int)whole, digits);
  append(text, size, head);
  if (decimals > 0) {
    append(text, size, ".");
    append(text, size, digits + whole);
  }
}

// As a decimal, or with a power of ten where that would be long.
static void write_number(char *text, size_t size, int64_t number, int e) {
  for (; number % 10 == 0 && number != 0 && e < 0; number /= 10) ++e;
  if (e >= -9 && e <= 3) {
    write_decimal(text, size, number, e);
    return;
  }
  int digits = floor_log10((double)(number < 0 ? -number : number));
  write_decimal(text, size, number, -digits);
  append(text, size, "×10");
  append_superscript(text, size, e + digits);
}

static void write_power(char *text, size_t size, int e) {
  snprintf(text, size, "10");
  append_superscript(text, size, e);
}

// One step of 1, 2 or 5 times 10^exponent.
typedef struct tick_step {
  int mantissa, exponent;
} tick_step;

static double step_size(tick_step step) {
  return step.mantissa * power_of_ten(step.exponent);
}

static tick_step next_step(tick_step step) {
  if (step.mantissa == 5) return (tick_step){1, step.exponent + 1};
  return (tick_step){step.mantissa == 1 ? 2 : 5, step.exponent};
}

static double count_steps(double low, double high, double size) {
  return floor(high / size + 1e-9) - ceil(low / size - 1e-9) + 1;
}

// The smallest step with at most `wanted` ticks, but at least two.
static tick_step choose_step(double low, double high, int wanted, tick_step step) {
  for (;;) {
    tick_step next = next_step(step);
    if (count_steps(low, high, step_size(step)) <= wanted || count_steps(low, high, step_size(next)) < 2)
      return step;
    step = next;
  }
}

// Labels of more steps than this share what they have in common.
static const int64_t LONG_LABEL = 200000;

static void label_linear(mote_ticks *ticks, int64_t first, tick_step step) {
  int64_t last = first + (ticks->count - 1), most = last > -first ? last : -first;
  int64_t from = most > LONG_LABEL ? first * step.mantissa : 0;
  if (from != 0) most = ticks->count - 1;
  int order = most > 0 ? floor_log10((double)(most * step.mantissa)) + step.exponent : 0;
  int shift = order > 4 || order < -3 ? order : 0;
  for (int k = 0; k < ticks->count; ++k)
    write_decimal(ticks->label[k], sizeof ticks->label[k], (first + k) * step.mantissa - from,
                  step.exponent - shift);
  if (shift != 0) {
    append(ticks->common, sizeof ticks->common, "×10");
    append_superscript(ticks->common, sizeof ticks->common, shift);
  }
  if (from != 0) {
    char text[48];
    write_number(text, sizeof text, from, step.exponent);
    append(ticks->common, sizeof ticks->common, shift != 0 ? (from < 0 ? " " : " + ") : from < 0 ? "" : "+");
    append(ticks->common, sizeof ticks->common, text);
  }
}

static void find_linear(double low, double high, int wanted, mote_ticks *ticks) {
  tick_step step = choose_step(low, high, wanted, (tick_step){1, floor_log10((high - low) / wanted)});
  double size = step_size(step);
  int64_t first = (int64_t)ceil(low / size - 1e-9), last = (int64_t)floor(high / size + 1e-9);
  ticks->count = last >= first ? (int)(last - first + 1) : 0;
  for (int k = 0; k < ticks->count; ++k) ticks->value[k] = (double)(first + k) * size;
  if (ticks->count > 0) label_linear(ticks, first, step);
}

static void add_minor(mote_ticks *ticks, double value, double low, double high) {
  if (value >= low && value <= high && ticks->minors < MOTE_MINORS_MAX) ticks->minor[ticks->minors++] = value;
}

static void find_decades(int first, int last, double low, double high, int wanted, mote_ticks *ticks) {
  int every = (int)step_size(choose_step(first, last, wanted, (tick_step){1, 0}));
  for (int e = first - 1; e <= last; ++e) {
    double decade = power_of_ten(e);
    if (e >= first && e % every == 0) {
      ticks->value[ticks->count] = decade;
      write_power(ticks->label[ticks->count], sizeof ticks->label[0], e);
      ++ticks->count;
    } else {
      add_minor(ticks, decade, low, high);
    }
    for (int k = 2; k < 10 && every == 1; ++k) add_minor(ticks, k * decade, low, high);
  }
}

// Less than two decades: 1, 2 and 5 of each.
static void find_within_decades(int first, int last, double low, double high, mote_ticks *ticks) {
  for (int e = first; e <= last; ++e)
    for (int k = 1; k < 10; ++k) {
      double value = k * power_of_ten(e);
      if (k != 1 && k != 2 && k != 5) {
        add_minor(ticks, value, low, high);
      } else if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
        char *label = ticks->label[ticks->count];
        ticks->value[ticks->count++] = value;
        if (e >= -4 && e <= 5) {
          write_decimal(label, sizeof ticks->label[0], k, e);
        } else {
          snprintf(label, sizeof ticks->label[0], "%d×10", k);
          append_superscript(label, sizeof ticks->label[0], e);
        }
      }
    }
}

void mote_ticks_find(double low, double high, bool log, int wanted, mote_ticks *ticks) {
  ticks->count = ticks->minors = 0;
  ticks->common[0] = 0;
  if (wanted < 2) wanted = 2;
  if (wanted > MOTE_TICKS_MAX) wanted = MOTE_TICKS_MAX;
  if (!log) {
    find_linear(low, high, wanted, ticks);
    return;
  }
  int first = floor_log10(low), last = floor_log10(high);
  if (power_of_ten(first) < low * (1 - 1e-9)) ++first;
  if (last - first >= 2 || (last - first >= 1 && wanted < 6)) {
    find_decades(first, last, low, high, wanted, ticks);
    return;
  }
  find_within_decades(first - 1, last, low, high, ticks);
  if (ticks->count < 2) {
    ticks->count = ticks->minors = 0;
    find_linear(low, high, wanted, ticks);
  }
}
