// The light from all directions: a sky whose colour changes with height, a glow about the sun, and the sun as
// a disc.
#ifndef MOTE_SKY_H
#define MOTE_SKY_H

#include <stdbool.h>

#include "render/environment.h"
#include "render/trace_vec.h"

typedef struct mote_sky {
  const mote_sky_map *map;  // a picture of the light instead of all below; null: none
  mote_vec up;
  mote_vec zenith, horizon, nadir;  // radiance
  mote_vec glow;                    // about the sun, added
  bool studio;                      // an even backdrop, and light from above
  mote_vec sun;                     // towards its middle
  mote_vec sun_light;               // radiance of the disc
  float sun_cosine;                 // of its half angle
} mote_sky;

// The usual colours; strengths 1 are a clear day. `sun` need not have length 1. A finite backdrop replaces
// the sky up to some height.
mote_sky mote_sky_make(const double up[3], const double sun[3], double sun_strength, double sky_strength,
                       const float backdrop[3]);
// Without the sun; for a picture all of its light.
mote_vec mote_sky_light(const mote_sky *sky, mote_vec direction);
// One over the solid angle of the sun.
float mote_sky_sun_density(const mote_sky *sky);

#endif
