// What rows/target_row.h reads of a fluid.
#ifndef MOTE_DENSITY_TARGET_H
#define MOTE_DENSITY_TARGET_H

#include "fluid/tuning.inc"
#include "pairs/fluid.h"

static inline mote_target_view mote_target_view_make(const mote_fluid *f, float left, float slack) {
  return (mote_target_view){.consistent = f->corrected != NULL,
                            .surface = f->surface,
                            .relative = f->relative,
                            .gradient = f->gradient,
                            .wall = f->wall,
                            .alone = f->alone,
                            .free_surface_ghosts = f->free_surface_ghosts,
                            .left = left,
                            .most = MOTE_EXCESS_MAX,
                            .slack = slack};
}

#endif
