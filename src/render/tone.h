// Light as it is displayed: true up to the middle tones, so that colours that stand for values keep them;
// above, an exponential shoulder that never quite reaches white. Both in linear parts of 1, before sRGB.
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

// The light that is displayed so; infinite for white.
static inline float mote_tone_light(float displayed) {
  const float straight = MOTE_TONE_STRAIGHT;
  if (!(displayed > straight)) return displayed > 0 ? displayed : 0;
  if (!(displayed < 1)) return INFINITY;
  return straight - (1 - straight) * mote_logf((1 - displayed) / (1 - straight));
}

#endif
