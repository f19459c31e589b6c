// Numbers with units: "2 cm", "10 km/h", "90 deg". What has no unit is SI.
#ifndef MOTE_SCENE_UNITS_H
#define MOTE_SCENE_UNITS_H

#include <mote/keys.h>

// "length"; "number" for none. And the SI unit, "" for none.
const char *mote_dimension_name(mote_dimension dimension);
const char *mote_dimension_unit(mote_dimension dimension);

typedef enum mote_unit_answer {
  MOTE_UNIT_FINE,
  MOTE_UNIT_NO_NUMBER,
  MOTE_UNIT_TOO_LARGE,
  MOTE_UNIT_WRONG,  // *unit: what stands there
} mote_unit_answer;

// The number in SI; nan and inf count as numbers.
mote_unit_answer mote_unit_read(const char *text, mote_dimension dimension, double *value, const char **unit);

// "m, km, cm, ..."
void mote_unit_list(mote_dimension dimension, char *out, size_t size);
// The name of the dimension a unit belongs to, null when it is not known.
const char *mote_unit_dimension(const char *unit);

#endif
