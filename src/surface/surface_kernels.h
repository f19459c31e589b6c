// The kernels of each method, and the isovalue and radius that put a flat pool's surface half a spacing above
// its upper layer. docs/theory/surfaces.md
#ifndef MOTE_SURFACE_KERNELS_H
#define MOTE_SURFACE_KERNELS_H

#include "surface/kernel_field.h"

typedef struct mote_surface_kernels {
  mote_kernel_field field;  // without isovalue, clip box and end of sums
  uint8_t *near;            // one per point
} mote_surface_kernels;

// `def` has no NaN but where one is meant. distance: of each particle (row) to the surface, m; null: the
// radius of def. label: component of each point; null: one.
mote_result mote_surface_kernels_make(const mote_point_set *set, const mote_surface_def *def,
                                      const float *distance, const uint32_t *label, const mote_env *env,
                                      mote_arena *arena, mote_arena *scratch, mote_surface_kernels *out,
                                      mote_error *error);

// Replaces NaN by what the method or a flat pool asks for, in all members but spacing. *level: how far the
// pool's surface is from its upper layer, in spacings.
mote_result mote_surface_def_complete(mote_surface_def *def, const mote_env *env, double *level,
                                      mote_error *error);

// mote_field_opts.close for such a pool: no surface is farther from the points near it.
double mote_surface_close(const mote_surface_def *def, double level);

// Keys and ranges.
mote_result mote_surface_def_check(const mote_surface_def *def, mote_error *error);

#endif
