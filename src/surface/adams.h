// Distances of particles to the surface that follow them from frame to frame: Adams, Pauly, Keiser & Guibas,
// "Adaptively sampled particle fluids" (2007), as described by YU11 2.1 with (2.7). docs/theory/adams.md
#ifndef MOTE_ADAMS_H
#define MOTE_ADAMS_H

#include "surface/field_blocks.h"
#include "surface/surface_kernels.h"

// State kept from the last frame.
typedef struct mote_adams {
  mote_env env;
  size_t count;
  uint64_t *id;  // ascending
  float *distance;
  size_t id_capacity, distance_capacity;
} mote_adams;

mote_adams mote_adams_make(const mote_env *env);
void mote_adams_free(mote_adams *adams);
void mote_adams_forget(mote_adams *adams);
// Stores these distances, by ascending ids; on failure the old ones stay.
mote_result mote_adams_take(mote_adams *adams, const uint64_t *id, const float *distance, size_t count,
                            mote_error *error);

// One frame: input and output of its stages.
typedef struct mote_adams_frame {
  const mote_surface_particles *particles;
  const mote_surface_def *def;
  mote_field_blocks *blocks;
  mote_surface_kernels *kernels;
  mote_arena *arena, *scratch;
  float *distance, *depth;  // one per particle (row), m
  float *plain, *lost;      // the depth below the plain surface, and what means make too little of it
  uint32_t *point;          // of each particle
  float *value;             // of the field at each point near the surface
} mote_adams_frame;

// Before the field is made: gives the kernels their distances. kernels->field has its clip box and all.
mote_result mote_adams_begin(const mote_adams *adams, const mote_field_opts *opts, mote_adams_frame *frame,
                             mote_error *error);

// After: stores the distances to the new surface, from which the next frame starts. On failure the old ones
// stay.
mote_result mote_adams_end(mote_adams *adams, mote_adams_frame *frame, const mote_sparse_field *grid,
                           mote_error *error);

// The distance of each particle by its id; NaN for those that are new.
void mote_adams_recall(const mote_adams *adams, const mote_surface_particles *particles, float *distance);
mote_result mote_adams_remember(mote_adams *adams, const mote_surface_particles *particles,
                                const float *distance, mote_arena *scratch, mote_error *error);

#endif
