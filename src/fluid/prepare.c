// The first stage of a fluid step: see prepare.h.
#include "fluid/prepare.h"

#include "base/parallel.h"
#include "fluid/consistent.h"
#include "fluid/coupled_body.h"
#include "fluid/free_surface.h"
#include "fluid/individual_steps.h"
#include "fluid/pressure_solver.h"
#include "fluid/wall_pressure.h"
#include "pairs/pairs.h"

static void density_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) f->density[i] = f->rest_density[i] * mote_fluid_relative(f, i);
}

mote_result mote_fluid_prepare(mote_fluid *fluid, mote_boundary *boundary, mote_grid *grid,
                               mote_error *error) {
  MOTE_ASSERT(fluid->scratch != NULL && grid != NULL);
  MOTE_ASSERT(fluid->count == 0 ||
              (fluid->position != NULL && fluid->velocity != NULL && fluid->mass != NULL));
  MOTE_ASSERT(fluid->count < UINT32_MAX);
  mote_fluid_make_kernel(fluid);
  fluid->shift = NULL;
  MOTE_TRY(mote_pairs_find(fluid, grid, fluid->steps != NULL ? fluid->steps->density : NULL, error));
  const mote_pressure_solver *solver = mote_pressure_solver_of(&fluid->solver);
  if (solver->prepare != NULL) solver->prepare(fluid);
  if (boundary != NULL) MOTE_TRY(mote_boundary_gather(boundary, fluid, grid, error));
  MOTE_TRY(mote_coupled_prepare(fluid, error));
  MOTE_TRY(mote_free_surface_ghosts_add(fluid, error));
  MOTE_TRY(mote_consistent_prepare(fluid, error));
  MOTE_TRY(mote_wall_pressure_prepare(fluid, error));
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, density_chunk, fluid);
  return MOTE_OK;
}
