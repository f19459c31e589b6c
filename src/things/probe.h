// Probes: fields of the fluid at points and along lines, and its level. Shepard-normalised SPH interpolation,
// EG09 (2)/(4); sums are in the order of ids, so that the order of rows has no effect.
#ifndef MOTE_PROBE_H
#define MOTE_PROBE_H

#include <mote/search.h>
#include <mote/world.h>

#include "things/collide.h"

// The fluid, one row per particle, and the obstacles.
typedef struct mote_probe_source {
  mote_kernel kernel;     // of the support in m
  double spacing;         // m
  const mote_grid *grid;  // built of `position`, radius at least the support
  const double *position;
  const uint64_t *id;
  const float *velocity, *mass, *rest_density, *density, *pressure;
  const float *temperature;  // null: none
  const mote_domain *domain;
  const mote_obstacle *obstacle;  // in their poses at the step's end
  size_t obstacles;
} mote_probe_source;

// Keys in errors: "count", "from", "to", "interval".
mote_result mote_probe_check(const mote_probe_def *def, int dimensions, mote_error *error);

// The number of readings.
size_t mote_probe_points(const mote_probe_def *def);

// Writes them.
mote_result mote_probe_read(const mote_probe_def *def, const mote_probe_source *source, const mote_env *env,
                            mote_reading *out, mote_error *error);

#endif
