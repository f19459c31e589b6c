// Units of measurement: see scene_units.h. A unit is a ratio to SI, so that 7 cm is the number nearest to
// 0.07 and not 7 times the number nearest to 0.01; of temperatures, which may have another zero, a shift too.
#include "language/scene_units.h"

#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "io/io_base.h"

#define PI 3.14159265358979323846  // exact

typedef struct unit {
  mote_dimension dimension;
  const char *name;
  double times, over, shift;
} unit;

// The first of each dimension is SI.
static const unit units[] = {
    {MOTE_DIMENSION_LENGTH, "m", 1, 1, 0},
    {MOTE_DIMENSION_LENGTH, "km", 1000, 1, 0},
    {MOTE_DIMENSION_LENGTH, "cm", 1, 100, 0},
    {MOTE_DIMENSION_LENGTH, "mm", 1, 1000, 0},
    {MOTE_DIMENSION_LENGTH, "um", 1, 1e6, 0},
    {MOTE_DIMENSION_LENGTH, "nm", 1, 1e9, 0},
    {MOTE_DIMENSION_LENGTH, "in", 254, 10000, 0},
    {MOTE_DIMENSION_LENGTH, "ft", 3048, 10000, 0},
    {MOTE_DIMENSION_TIME, "s", 1, 1, 0},
    {MOTE_DIMENSION_TIME, "ms", 1, 1000, 0},
    {MOTE_DIMENSION_TIME, "us", 1, 1e6, 0},
    {MOTE_DIMENSION_TIME, "min", 60, 1, 0},
    {MOTE_DIMENSION_TIME, "h", 3600, 1, 0},
    {MOTE_DIMENSION_SPEED, "m/s", 1, 1, 0},
    {MOTE_DIMENSION_SPEED, "cm/s", 1, 100, 0},
    {MOTE_DIMENSION_SPEED, "mm/s", 1, 1000, 0},
    {MOTE_DIMENSION_SPEED, "km/s", 1000, 1, 0},
    {MOTE_DIMENSION_SPEED, "km/h", 1, 3.6, 0},
    {MOTE_DIMENSION_SPEED, "mph", 44704, 100000, 0},
    {MOTE_DIMENSION_SPEED, "ft/s", 3048, 10000, 0},
    {MOTE_DIMENSION_ACCELERATION, "m/s2", 1, 1, 0},
    {MOTE_DIMENSION_ACCELERATION, "m/s^2", 1, 1, 0},
    {MOTE_DIMENSION_ACCELERATION, "cm/s2", 1, 100, 0},
    {MOTE_DIMENSION_ACCELERATION, "g", 980665, 100000, 0},
    {MOTE_DIMENSION_ANGLE, "rad", 1, 1, 0},
    {MOTE_DIMENSION_ANGLE, "deg", PI, 180, 0},
    {MOTE_DIMENSION_ANGLE, "turn", 2 * PI, 1, 0},
    {MOTE_DIMENSION_TURNING, "rad/s", 1, 1, 0},
    {MOTE_DIMENSION_TURNING, "deg/s", PI, 180, 0},
    {MOTE_DIMENSION_TURNING, "rpm", PI, 30, 0},
    {MOTE_DIMENSION_TURNING, "Hz", 2 * PI, 1, 0},
    {MOTE_DIMENSION_DENSITY, "kg/m3", 1, 1, 0},
    {MOTE_DIMENSION_DENSITY, "kg/m^3", 1, 1, 0},
    {MOTE_DIMENSION_DENSITY, "g/cm3", 1000, 1, 0},
    {MOTE_DIMENSION_DENSITY, "g/cm^3", 1000, 1, 0},
    {MOTE_DIMENSION_DENSITY, "g/l", 1, 1, 0},
    {MOTE_DIMENSION_DENSITY, "kg/l", 1000, 1, 0},
    {MOTE_DIMENSION_VISCOSITY, "Pa s", 1, 1, 0},
    {MOTE_DIMENSION_VISCOSITY, "mPa s", 1, 1000, 0},
    {MOTE_DIMENSION_VISCOSITY, "P", 1, 10, 0},
    {MOTE_DIMENSION_VISCOSITY, "cP", 1, 1000, 0},
    {MOTE_DIMENSION_FORCE, "N", 1, 1, 0},
    {MOTE_DIMENSION_FORCE, "kN", 1000, 1, 0},
    {MOTE_DIMENSION_FORCE, "mN", 1, 1000, 0},
    {MOTE_DIMENSION_MOMENT, "N m", 1, 1, 0},
    {MOTE_DIMENSION_MOMENT, "kN m", 1000, 1, 0},
    {MOTE_DIMENSION_MOMENT, "mN m", 1, 1000, 0},
    {MOTE_DIMENSION_TENSION, "N/m", 1, 1, 0},
    {MOTE_DIMENSION_TENSION, "mN/m", 1, 1000, 0},
    {MOTE_DIMENSION_TENSION, "dyn/cm", 1, 1000, 0},
    {MOTE_DIMENSION_PRESSURE, "Pa", 1, 1, 0},
    {MOTE_DIMENSION_PRESSURE, "hPa", 100, 1, 0},
    {MOTE_DIMENSION_PRESSURE, "kPa", 1000, 1, 0},
    {MOTE_DIMENSION_PRESSURE, "MPa", 1e6, 1, 0},
    {MOTE_DIMENSION_PRESSURE, "GPa", 1e9, 1, 0},
    {MOTE_DIMENSION_PRESSURE, "bar", 1e5, 1, 0},
    {MOTE_DIMENSION_PRESSURE, "mbar", 100, 1, 0},
    {MOTE_DIMENSION_PRESSURE, "atm", 101325, 1, 0},
    {MOTE_DIMENSION_RATE, "Hz", 1, 1, 0},
    {MOTE_DIMENSION_RATE, "1/s", 1, 1, 0},
    {MOTE_DIMENSION_RATE, "fps", 1, 1, 0},
    {MOTE_DIMENSION_TEMPERATURE, "K", 1, 1, 0},
    {MOTE_DIMENSION_TEMPERATURE, "degC", 1, 1, 273.15},
    {MOTE_DIMENSION_CONDUCTIVITY, "W/(m K)", 1, 1, 0},
    {MOTE_DIMENSION_HEAT_CAPACITY, "J/(kg K)", 1, 1, 0},
    {MOTE_DIMENSION_HEAT_CAPACITY, "kJ/(kg K)", 1000, 1, 0},
    {MOTE_DIMENSION_LATENT_HEAT, "J/kg", 1, 1, 0},
    {MOTE_DIMENSION_LATENT_HEAT, "kJ/kg", 1000, 1, 0},
    {MOTE_DIMENSION_HEAT_TRANSFER, "W/(m2 K)", 1, 1, 0},
    {MOTE_DIMENSION_HEAT_TRANSFER, "W/(m^2 K)", 1, 1, 0},
    {MOTE_DIMENSION_HEATING, "W/m3", 1, 1, 0},
    {MOTE_DIMENSION_HEATING, "W/m^3", 1, 1, 0},
    {MOTE_DIMENSION_HEATING, "kW/m3", 1000, 1, 0},
    {MOTE_DIMENSION_TEMPERATURE_SLOPE, "1/K", 1, 1, 0},
};
enum { UNITS = sizeof units / sizeof *units };

const char *mote_dimension_name(mote_dimension dimension) {
  static const char *const names[MOTE_DIMENSIONS] = {
      [MOTE_DIMENSION_NONE] = "number",
      [MOTE_DIMENSION_LENGTH] = "length",
      [MOTE_DIMENSION_TIME] = "time",
      [MOTE_DIMENSION_SPEED] = "speed",
      [MOTE_DIMENSION_ACCELERATION] = "acceleration",
      [MOTE_DIMENSION_ANGLE] = "angle",
      [MOTE_DIMENSION_TURNING] = "angular speed",
      [MOTE_DIMENSION_DENSITY] = "density",
      [MOTE_DIMENSION_VISCOSITY] = "viscosity",
      [MOTE_DIMENSION_TENSION] = "tension",
      [MOTE_DIMENSION_FORCE] = "force",
      [MOTE_DIMENSION_MOMENT] = "moment",
      [MOTE_DIMENSION_PRESSURE] = "pressure",
      [MOTE_DIMENSION_RATE] = "rate",
      [MOTE_DIMENSION_TEMPERATURE] = "temperature",
      [MOTE_DIMENSION_CONDUCTIVITY] = "conductivity",
      [MOTE_DIMENSION_HEAT_CAPACITY] = "heat capacity",
      [MOTE_DIMENSION_LATENT_HEAT] = "latent heat",
      [MOTE_DIMENSION_HEAT_TRANSFER] = "heat transfer",
      [MOTE_DIMENSION_HEATING] = "heating",
      [MOTE_DIMENSION_TEMPERATURE_SLOPE] = "slope over temperature",
  };
  return names[dimension];
}

const char *mote_dimension_unit(mote_dimension dimension) {
  for (size_t k = 0; k < UNITS; ++k)
    if (units[k].dimension == dimension) return units[k].name;
  return "";
}

mote_unit_answer mote_unit_read(const char *text, mote_dimension dimension, double *value,
                                const char **unit_at) {
  text += strspn(text, " ");
  mote_text_scan scan = mote_text_read_double(text, strlen(text), MOTE_TEXT_ANY, value);
  if (scan.length == 0) return MOTE_UNIT_NO_NUMBER;
  if (scan.overflow) return MOTE_UNIT_TOO_LARGE;
  text += scan.length;
  text += strspn(text, " ");
  *unit_at = text;
  if (text[0] == 0) return MOTE_UNIT_FINE;
  for (size_t k = 0; k < UNITS; ++k) {
    if (units[k].dimension != dimension || strcmp(units[k].name, text) != 0) continue;
    *value = *value * units[k].times / units[k].over + units[k].shift;
    return MOTE_UNIT_FINE;
  }
  return MOTE_UNIT_WRONG;
}

void mote_unit_list(mote_dimension dimension, char *out, size_t size) {
  size_t used = 0;
  out[0] = 0;
  for (size_t k = 0; k < UNITS; ++k) {
    if (units[k].dimension != dimension || used >= size) continue;
    used += (size_t)snprintf(out + used, size - used, "%s%s", used == 0 ? "" : ", ", units[k].name);
  }
}

const char *mote_unit_dimension(const char *name) {
  for (size_t k = 0; k < UNITS; ++k)
    if (strcmp(units[k].name, name) == 0) return mote_dimension_name(units[k].dimension);
  return NULL;
}

mote_result mote_length_read(const char *text, double *value, bool *plain, mote_error *error) {
  char list[128];
  const char *there = "";
  double number;
  if (text == NULL || value == NULL || plain == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "text, value or plain is null");
  switch ((int)mote_unit_read(text, MOTE_DIMENSION_LENGTH, &number, &there)) {
    case MOTE_UNIT_FINE: break;
    case MOTE_UNIT_WRONG:
      mote_unit_list(MOTE_DIMENSION_LENGTH, list, sizeof list);
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "\"%.40s\" is not a unit of length (%s)", there,
                          list);
    default: return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "\"%.40s\" is not a length", text);
  }
  *value = number;
  *plain = there[0] == 0;
  return MOTE_OK;
}
