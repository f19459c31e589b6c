// Units: every one against its definition, and what is refused.
#include "language/scene_units.h"

#include <math.h>

#include "test.h"

static double read(const char *text, mote_dimension dimension) {
  double value = (double)NAN;
  const char *unit;
  return mote_unit_read(text, dimension, &value, &unit) == MOTE_UNIT_FINE ? value : (double)NAN;
}

static mote_unit_answer answer(const char *text, mote_dimension dimension) {
  double value;
  const char *unit;
  return mote_unit_read(text, dimension, &value, &unit);
}

static void test_values(void) {
  static const struct {
    const char *text;
    mote_dimension dimension;
    double value;
  } table[] = {
      {"2", MOTE_DIMENSION_NONE, 2},
      {" 2 ", MOTE_DIMENSION_LENGTH, 2},
      {"7 cm", MOTE_DIMENSION_LENGTH, 0.07},
      {"7cm", MOTE_DIMENSION_LENGTH, 0.07},
      {"3 mm", MOTE_DIMENSION_LENGTH, 0.003},
      {"1e3 um", MOTE_DIMENSION_LENGTH, 0.001},
      {"5 nm", MOTE_DIMENSION_LENGTH, 5e-9},
      {"2 km", MOTE_DIMENSION_LENGTH, 2000},
      {"1 in", MOTE_DIMENSION_LENGTH, 0.0254},
      {"1 ft", MOTE_DIMENSION_LENGTH, 0.3048},
      {"5 ms", MOTE_DIMENSION_TIME, 0.005},
      {"3 us", MOTE_DIMENSION_TIME, 3e-6},
      {"2 min", MOTE_DIMENSION_TIME, 120},
      {"1 h", MOTE_DIMENSION_TIME, 3600},
      {"36 km/h", MOTE_DIMENSION_SPEED, 10},
      {"10 mph", MOTE_DIMENSION_SPEED, 4.4704},
      {"3 cm/s", MOTE_DIMENSION_SPEED, 0.03},
      {"1 g", MOTE_DIMENSION_ACCELERATION, 9.80665},
      {"9.81 m/s2", MOTE_DIMENSION_ACCELERATION, 9.81},
      {"9.81 m/s^2", MOTE_DIMENSION_ACCELERATION, 9.81},
      {"180 deg", MOTE_DIMENSION_ANGLE, 3.14159265358979323846},
      {"1 turn", MOTE_DIMENSION_ANGLE, 2 * 3.14159265358979323846},
      {"60 rpm", MOTE_DIMENSION_TURNING, 2 * 3.14159265358979323846},
      {"1.2 g/cm3", MOTE_DIMENSION_DENSITY, 1200},
      {"800 g/l", MOTE_DIMENSION_DENSITY, 800},
      {"3 cP", MOTE_DIMENSION_VISCOSITY, 0.003},
      {"3 mPa s", MOTE_DIMENSION_VISCOSITY, 0.003},
      {"1 P", MOTE_DIMENSION_VISCOSITY, 0.1},
      {"72 mN/m", MOTE_DIMENSION_TENSION, 0.072},
      {"72 dyn/cm", MOTE_DIMENSION_TENSION, 0.072},
      {"1 kPa", MOTE_DIMENSION_PRESSURE, 1000},
      {"1 atm", MOTE_DIMENSION_PRESSURE, 101325},
      {"30 fps", MOTE_DIMENSION_RATE, 30},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
    if (!CHECK_NEAR(read(table[k].text, table[k].dimension), table[k].value, 2.3e-16 * table[k].value))
      fprintf(stderr, "  %s\n", table[k].text);
}

// A decimal with a decimal unit is the number nearest to it, not the product of two rounded ones.
static void test_exact(void) {
  for (int k = 0; k < 1000; ++k) {
    char text[32];
    snprintf(text, sizeof text, "%d mm", k);
    CHECK(read(text, MOTE_DIMENSION_LENGTH) == k / 1000.0);
  }
}

static void test_refused(void) {
  CHECK(answer("cm", MOTE_DIMENSION_LENGTH) == MOTE_UNIT_NO_NUMBER);
  CHECK(answer("", MOTE_DIMENSION_LENGTH) == MOTE_UNIT_NO_NUMBER);
  CHECK(answer("2 CM", MOTE_DIMENSION_LENGTH) == MOTE_UNIT_WRONG);
  CHECK(answer("2 s", MOTE_DIMENSION_LENGTH) == MOTE_UNIT_WRONG);
  CHECK(answer("2 m", MOTE_DIMENSION_NONE) == MOTE_UNIT_WRONG);
  CHECK(answer("1e999", MOTE_DIMENSION_NONE) == MOTE_UNIT_TOO_LARGE);
  CHECK(isinf(read("inf", MOTE_DIMENSION_TIME)));
}

static void test_names(void) {
  char list[256];
  for (int k = 1; k < MOTE_DIMENSIONS; ++k) {
    mote_unit_list((mote_dimension)k, list, sizeof list);
    const char *unit = mote_dimension_unit((mote_dimension)k);
    CHECK(unit[0] != 0 && strncmp(list, unit, strlen(unit)) == 0);
    CHECK(mote_dimension_name((mote_dimension)k)[0] != 0);
  }
  CHECK_TEXT(mote_unit_dimension("km/h"), "speed");
  CHECK(mote_unit_dimension("kg") == NULL);
  mote_unit_list(MOTE_DIMENSION_NONE, list, sizeof list);
  CHECK_TEXT(list, "");
}

int main(void) {
  test_values();
  test_exact();
  test_refused();
  test_names();
  return test_end();
}
