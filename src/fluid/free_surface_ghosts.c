// Air above a fluid with surface tension: see free_surface_ghosts.h. The length of the gradient of
// concentration, walls' part included, tells how deep a particle is below a flat surface, and so what is
// missing from its density.
#include "fluid/free_surface_ghosts.h"

#include <math.h>

#include "base/parallel.h"
#include "fluid/tension.h"

static void air_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_fluid *f = data;
  float scale = (float)(f->support * f->spectrum.density / f->plane.normal[0]);
  for (size_t i = begin; i < end; ++i) {
    f->air[i] = 0.0f;
    if (!mote_fluid_is_target(f, i) || !(f->tension->sigma[f->kind[i]] > 0.0)) continue;
    float square = 0.0f;
    for (size_t a = 3 * i; a < 3 * i + 3; ++a) {
      float n = f->gradient[a] + f->wall[a];
      square += n * n;
    }
    f->air[i] = mote_tension_air(&f->plane, scale * sqrtf(square));
    f->relative[i] += f->air[i];
  }
}

mote_result mote_air_fill(mote_fluid *fluid, mote_error *error) {
  fluid->air = NULL;
  if (fluid->tension == NULL || fluid->plane.air[0] == 0.0f) return MOTE_OK;
  fluid->air = mote_arena_take(fluid->scratch, fluid->count, sizeof(float));
  if (fluid->air == NULL) return mote_fail_memory(error, fluid->count * sizeof(float));
  mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, air_chunk, fluid);
  return MOTE_OK;
}
