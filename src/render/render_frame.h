// Pictures of floats: what the paths brought, by pixels from the upper left.
#ifndef MOTE_RENDER_FRAME_H
#define MOTE_RENDER_FRAME_H

#include "draw/draw_base.h"

#define MOTE_FRAME_GUIDES 7  // albedo (3), normal (3), depth

typedef struct mote_frame {
  mote_env env;
  int width, height;
  float *light[2];  // 3 each: means of the even and of the odd samples
  float *noise;     // 3 each: variance of the mean of all samples
  float *guide;     // MOTE_FRAME_GUIDES each, without noise but for edges and glass
  float *blur;      // MOTE_FRAME_GUIDES each: variance of the mean
} mote_frame;

// False: memory; free it nevertheless.
bool mote_frame_make(mote_frame *frame, int width, int height, const mote_env *env);
void mote_frame_free(mote_frame *frame);

// denoise.c: the mean of both halves without their noise, 3 each, into `out`. False: memory.
bool mote_frame_denoise(const mote_frame *frame, float *out);
// Pixels brighter, or darker, than all but one of their eight neighbours get the light of these: what is left
// of rare paths. `light` as above. False: memory.
bool mote_frame_despeckle(const mote_frame *frame, float *light);
// Without: their mean.
void mote_frame_mean(const mote_frame *frame, float *out);

#endif
