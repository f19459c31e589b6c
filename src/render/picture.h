// Pictures of floats: results of the paths, by pixels from the upper left.
#ifndef MOTE_PICTURE_H
#define MOTE_PICTURE_H

#include "draw/draw_base.h"

#define MOTE_PICTURE_GUIDES 7  // albedo (3), normal (3), depth

typedef struct mote_picture {
  mote_env env;
  int width, height;
  float *light[2];  // 3 each: means of the even and of the odd samples
  float *noise;     // 3 each: variance of the mean of all samples
  float *guide;     // MOTE_PICTURE_GUIDES each, without noise except at edges and glass
  float *blur;      // MOTE_PICTURE_GUIDES each: variance of the mean
} mote_picture;

// False: memory; free it nevertheless.
bool mote_picture_make(mote_picture *picture, int width, int height, const mote_env *env);
void mote_picture_free(mote_picture *picture);

// denoise.c: the mean of both halves without their noise, 3 each, into `out`. False: memory.
bool mote_picture_denoise(const mote_picture *picture, float *out);
// Pixels brighter, or darker, than all but one of their eight neighbours get the light of these: removes
// outliers of rare paths. `light` as above. False: memory.
bool mote_picture_despeckle(const mote_picture *picture, float *light);
// Without denoising: the mean.
void mote_picture_mean(const mote_picture *picture, float *out);

#endif
