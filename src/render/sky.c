// The sky: see sky.h. Colours are chosen by eye: bright and nearly white at the horizon, so that the ground
// fades into it, and blue above, for reflections in water.
#include "render/sky.h"

#include <mote/numeric.h>

#include "render/scatter.h"
#include "render/tuning.inc"

static const mote_vec ZENITH = {0.060F, 0.150F, 0.380F}, HORIZON = {0.52F, 0.61F, 0.72F},
                      NADIR = {0.30F, 0.30F, 0.30F};
static const mote_vec GLOW = {0.75F, 0.66F, 0.50F}, SUN = {5.2F, 4.95F, 4.55F};  // SUN: irradiance
static const mote_vec SOFTBOX = {0.55F, 0.58F, 0.64F};                           // radiance above a backdrop

mote_sky mote_sky_make(const double up[3], const double sun[3], double sun_strength, double sky_strength,
                       const float backdrop[3]) {
  float sky = (float)sky_strength;
  mote_sky s = {.up = vec_unit(vec_from_double(up)),
                .zenith = vec_scale(ZENITH, sky),
                .horizon = vec_scale(HORIZON, sky),
                .nadir = vec_scale(NADIR, sky),
                .glow = vec_scale(GLOW, (float)sun_strength),
                .sun = vec_unit(vec_from_double(sun)),
                .sun_cosine = mote_cosf(SUN_HALF_ANGLE)};
  s.studio = isfinite(backdrop[0]) && isfinite(backdrop[1]) && isfinite(backdrop[2]);
  if (s.studio) {
    s.horizon = s.nadir = vec_from(backdrop);
    s.zenith = vec_scale(SOFTBOX, sky);
    s.glow = vec_all(0);
  }
  s.sun_light = vec_scale(SUN, (float)sun_strength * mote_sky_sun_density(&s));
  return s;
}

float mote_sky_sun_density(const mote_sky *sky) {
  return 1 / (2 * MOTE_PI_F * (1 - sky->sun_cosine));
}

mote_vec mote_sky_light(const mote_sky *sky, mote_vec direction) {
  if (sky->map != NULL) return mote_sky_map_all(sky->map, direction);
  float height = vec_dot(sky->up, direction), near = vec_dot(sky->sun, direction);
  if (sky->studio)
    return vec_lerp(sky->horizon, sky->zenith, smooth_step(BACKDROP_TOP, SOFTBOX_FROM, height));
  mote_vec base = height > 0 ? vec_lerp(sky->horizon, sky->zenith, sqrtf(clamp_unit(height)))
                             : vec_lerp(sky->horizon, sky->nadir, smooth_step(0, 0.5F, -height));
  if (near <= 0 || height <= 0) return base;
  float n2 = near * near, n8 = n2 * n2 * n2 * n2;
  return vec_along(base, sky->glow, n8 * n8 * n8 * smooth_step(0, 0.1F, height));
}
