// Speeds of definitions: see definition_speed.h.
#include "matter/definition_speed.h"

#include <math.h>

#include "matter/colliders.h"
#include "matter/tuning.inc"

#define SPEED_SAMPLES 1024  // of a formula, over MOTION_SECONDS

double mote_collider_defined_speed(const mote_collider_item *item) {
  MOTE_ASSERT(mote_motion_steered(item->motion) == NULL);
  double most = 0.0;
  for (int k = 0; item->moves && k < SPEED_SAMPLES; ++k) {
    most = fmax(most, mote_collider_speed(item, MOTION_SECONDS * k / SPEED_SAMPLES, SPEED_DELTA));
  }
  return most;
}

double mote_emitter_defined_speed(const mote_emitter_item *item) {
  double most = 0.0, start = item->def.start;
  double seconds = fmin(item->def.end - start, MOTION_SECONDS);
  for (int k = 0; k < SPEED_SAMPLES; ++k) {
    most = fmax(most, mote_nozzle_speed(item->nozzle, start + seconds * k / SPEED_SAMPLES));
  }
  return most;
}
