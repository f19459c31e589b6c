// Light from all directions as a picture: longitude across, latitude down. Parts brighter than the
// mean, such as a sun or a window, are sampled by shadow rays in proportion to their light; the rest is
// smooth enough to be sampled by the paths themselves.
#ifndef MOTE_ENVIRONMENT_H
#define MOTE_ENVIRONMENT_H

#include <mote/render.h>

#include "io/cloud.h"
#include "render/trace_sample.h"
#include "render/trace_vec.h"

typedef struct mote_sky_map {
  const mote_environment *picture;
  mote_vec up, ahead, right;  // the middle of the picture is ahead, at the horizon
  float strength;
  float mean;                  // radiance, over the sphere
  double bright_sum;           // of light above the mean, over the solid angle; 0: none
  float *row_sum, *pixel_sum;  // ascending from 0 to 1: of the rows, and of the pixels of each row
} mote_sky_map;

// environment_file.c: Radiance RGBE. FORMAT names the error.
mote_result mote_environment_parse(const mote_file_content *source, mote_environment *out, mote_error *error);

// `turn`: rotation of the picture about up, rad. False: memory. Free in both cases.
bool mote_sky_map_make(mote_sky_map *map, const mote_environment *picture, mote_vec up, double strength,
                       double turn, const mote_env *env);
void mote_sky_map_free(mote_sky_map *map, const mote_env *env);

// All the light of a direction, or that up to the mean.
mote_vec mote_sky_map_all(const mote_sky_map *map, mote_vec direction);
mote_vec mote_sky_map_even(const mote_sky_map *map, mote_vec direction);
// The light above the mean, and the probability density of the direction in mote_sky_map_choose.
mote_vec mote_sky_map_bright(const mote_sky_map *map, mote_vec direction, float *density);
mote_vec mote_sky_map_choose(const mote_sky_map *map, mote_sample_point u);

#endif
