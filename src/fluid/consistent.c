// Correction matrices of a step: see consistent.h.
#include "fluid/consistent.h"

#include "base/parallel.h"
#include "fluid/gradient_correction.h"
#include "fluid/tuning.inc"
#include "material/fluid_law.h"
#include "rows/consistent_row.h"

typedef struct consistent_job {
  mote_consistent_view view;
  const mote_wall_pairs *walls;
} consistent_job;

static void correct_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_consistent_view v = ((const consistent_job *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_consistent_row(&v, i);
}

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const consistent_job *job = data;
  mote_consistent_view v = job->view;
  for (size_t n = begin; n < end; ++n) mote_wall_consistent_row(&v, job->walls, n);
}

static void correct(mote_fluid *f) {
  consistent_job job = {.view = {f->pairs, f->relative, f->free_surface_ghosts, f->linear, f->corrected,
                                 ONE_SIDED_DENSITY, f->tension != NULL}};
  mote_parallel_for(f->env.threads, f->count, MOTE_FLUID_LIGHT_GRAIN, correct_chunk, &job);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    job.walls = &f->walls[p];
    mote_parallel_for(f->env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_LIGHT_GRAIN, wall_chunk,
                      &job);
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
  correct(fluid);
  return MOTE_OK;
}
