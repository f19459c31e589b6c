// Correction matrices of a step: see consistent.h.
#include "fluid/consistent.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/gradient_correction.h"
#include "fluid/tuning.inc"
#include "material/fluid_law.h"
#include "rows/pair_lanes.h"

static const mote_gradient_fix identity = {{1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f}};

static inline bool is_at_surface(const mote_fluid *f, size_t i) {
  float ghosts = f->free_surface_ghosts != NULL ? f->free_surface_ghosts[i] : 0.0f;
  return f->relative[i] - ghosts < ONE_SIDED_DENSITY;
}

// Surface tension draws the rows of a surface together, and needs rates that include this.
static bool has_drawn_neighbour(const mote_fluid *f, size_t i) {
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end && f->tension != NULL;
       g.at += MOTE_GROUP_STRIDE) {
    const uint32_t *j = f->pairs.lanes[g.at].index;
    for (int k = 0; k < MOTE_LANES; ++k) {
      if (j[k] < f->count && is_at_surface(f, j[k])) return true;
    }
  }
  return false;
}

static void correct_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) {
    bool plain = is_at_surface(f, i) || has_drawn_neighbour(f, i);
    f->corrected[i] = plain ? identity : f->linear[i];
  }
}

typedef struct reset_job {
  const mote_wall_pairs *walls;
  mote_gradient_fix *corrected;
} reset_job;

// Beside walls, where samples do not move as the linear field does.
static void reset_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const reset_job *job = data;
  for (size_t n = begin; n < end; ++n) {
    if (job->walls->sample_neighbours.number[n] > 0) job->corrected[job->walls->index[n]] = identity;
  }
}

mote_result mote_consistent_prepare(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  bool rates = mote_pressure_has_consistent_rates(&fluid->solver);
  fluid->linear = fluid->corrected = NULL;
  if (!rates && mote_law_noise(&fluid->solver) == 0.0) return MOTE_OK;
  MOTE_TRY(mote_gradient_fix_take(fluid, false, &fluid->linear, error));
  if (!rates) return MOTE_OK;
  MOTE_TAKE(fluid->corrected, fluid->scratch, fluid->count, error);
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, correct_chunk, fluid);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    reset_job job = {&fluid->walls[p], fluid->corrected};
    mote_parallel_for(fluid->env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_LIGHT_GRAIN,
                      reset_chunk, &job);
  }
  return MOTE_OK;
}
