// What the tool asks about pressure solvers: see mote/scene.h.
#include "scene/pressure_kinds.h"

const char *mote_pressure_name(mote_pressure_kind kind) {
  return (unsigned)kind < MOTE_PRESSURE_KINDS ? mote_pressure_kind_properties(kind)->name : "unknown";
}

bool mote_pressure_has_sound_speed(mote_pressure_kind kind) {
  return (unsigned)kind < MOTE_PRESSURE_KINDS && mote_pressure_kind_properties(kind)->has_sound_speed;
}
