// What a surfacer remembers of its last build, for worlds that save it.
#ifndef MOTE_SURFACER_H
#define MOTE_SURFACER_H

#include <mote/surface.h>

// Adams' distances of particles to the surface, m, by ascending ids. Other methods remember nothing.
typedef struct mote_surface_history {
  const uint64_t *id;
  const float *distance;
  size_t count;
} mote_surface_history;

// Valid until the next build.
mote_surface_history mote_surfacer_history(const mote_surfacer *surfacer);

// What the next build begins with, copied; on failure what it was.
mote_result mote_surfacer_recall(mote_surfacer *surfacer, const mote_surface_history *history,
                                 mote_error *error);

// The field of these particles, without its surface: sorted points and kernels, until the next build. Lengths
// of the field are from `origin`; `cell` is the edge of the grid that a build would have, m. Without
// particles the field is null.
typedef struct mote_surfacer_view {
  const struct mote_kernel_field *field;
  const double *origin;
  double spacing, cell;
} mote_surfacer_view;
mote_result mote_surfacer_prepare(mote_surfacer *surfacer, const mote_surface_particles *particles,
                                  mote_surfacer_view *out, mote_error *error);

#endif
