// What the free-surface cases of `mote validate fluids` share: a scene of one body of water, its gauges,
// lines through points, pictures.
#ifndef MOTE_FREE_FLOW_H
#define MOTE_FREE_FLOW_H

#include <mote/world.h>

#include "validate/fluids/fluid_cases.h"

#define FREE_PROBES 8
// Of DFSPH and PCISPH: a tenth of the default. Short steps compress by less than the default allows, and
// pressures, which nothing then asks for, come late and swing.
#define FREE_DENSITY_ERROR 1e-5

// A scene of one body of water in an open domain. It points into itself: not to be copied.
typedef struct free_scene {
  mote_scene scene;
  mote_material_def water;
  mote_body_def body;
  mote_probe_def probe[FREE_PROBES];
} free_scene;
void free_scene_make(free_scene *s, int dimensions, double spacing);
// A level gauge from (x0, y0) to (x1, y1), z = 0; the probe, for more.
mote_probe_def *free_scene_gauge(free_scene *s, const char *name, double x0, double y0, double x1, double y1);
// What a level gauge reads, m.
mote_result free_level(mote_world *world, const char *name, double *level, mote_error *error);

// The number of others within three spacings of each particle; to be freed, also after a failure.
mote_result free_neighbours(const mote_world *world, int dimensions, double spacing, const mote_env *env,
                            uint32_t **out, mote_error *error);

// The value at x of straight lines through points of ascending px; NaN outside.
double free_interpolate(const double *px, const double *py, size_t count, double x);

// The straight line nearest to points.
typedef struct free_line {
  double slope, offset;
} free_line;
free_line free_fit(const double *x, const double *y, size_t count);

// Particles, coloured by pressure: "DIR/NAME-VARIANT.png" where pictures are asked for.
void free_picture(validation *v, const mote_world *world, double spacing, const char *name,
                  fluid_variant variant);

#endif
