// Displayed light: linear up to the middle tones, so that colours of values are exact;
// above, an exponential shoulder that approaches white. Both in linear units from 0 to 1, before sRGB.
#ifndef MOTE_TONE_H
#define MOTE_TONE_H

#include <math.h>
#include <mote/numeric.h>

#include "render/tuning.inc"

static inline float mote_tone(float light) {
  const float straight = MOTE_TONE_STRAIGHT;
  if (!(light > straight)) return light > 0 ? light : 0;
  return straight + (1 - straight) * (1 - mote_expf((straight - light) / (1 - straight)));
}

// The inverse: light of a displayed value; infinite for white.
static inline float mote_tone_light(float displayed) {
  const float straight = MOTE_TONE_STRAIGHT;
  if (!(displayed > straight)) return displayed > 0 ? displayed : 0;
  if (!(displayed < 1)) return INFINITY;
  return straight - (1 - straight) * mote_logf((1 - displayed) / (1 - straight));
}

#endif
