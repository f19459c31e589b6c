// Placeholder.
#include "draw/render_frame.h"

bool mote_frame_denoise(const mote_frame *frame, float *out) {
  mote_frame_mean(frame, out);
  return true;
}
