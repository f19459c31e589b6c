// Density of the missing gas at free surfaces: see free_surface.h. The length of the gradient of
// concentration, with that of walls, gives the depth of a particle below a flat surface, and so the missing
// part of its density.
#include <math.h>

#include "base/parallel.h"
#include "fluid/free_surface.h"
#include "fluid/tension.h"

static void ghost_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_fluid *f = data;
  float scale = (float)(f->support * f->spectrum.density / f->plane.normal[0]);
  for (size_t i = begin; i < end; ++i) {
    f->free_surface_ghosts[i] = 0.0f;
    if (!mote_fluid_is_target(f, i) || !(f->tension->sigma[f->kind[i]] > 0.0)) continue;
    float square = 0.0f;
    for (size_t a = 3 * i; a < 3 * i + 3; ++a) {
      float n = f->gradient[a] + f->wall[a];
      square += n * n;
    }
    f->free_surface_ghosts[i] = mote_tension_ghost_density(&f->plane, scale * sqrtf(square));
    f->relative[i] += f->free_surface_ghosts[i];
  }
}

mote_result mote_free_surface_ghosts_add(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->relative != NULL || fluid->count == 0);
  fluid->free_surface_ghosts = NULL;
  if (fluid->tension == NULL || fluid->plane.ghost_density[0] == 0.0f) return MOTE_OK;
  MOTE_TAKE(fluid->free_surface_ghosts, fluid->scratch, fluid->count, error);
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, ghost_chunk, fluid);
  return MOTE_OK;
}
