// Free surfaces: see free_surface.h.
#include "fluid/free_surface.h"

#include "base/parallel.h"
#include "fluid/individual_steps.h"
#include "fluid/tuning.inc"

typedef struct mark_job {
  const mote_fluid *fluid;
  mote_mark_view view;
} mark_job;

static void surface_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_fluid *f = ((const mark_job *)data)->fluid;
  mote_mark_view v = ((const mark_job *)data)->view;
  for (size_t i = begin; i < end; ++i) {
    bool target = mote_fluid_is_target(f, i);
    v.surface[i] = target ? mote_surface_row(&v, i) : f->steps->surface[i];
    if (target && f->steps != NULL) f->steps->surface[i] = v.surface[i];
  }
}

static void mark_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mark_job *job = data;
  mote_mark_view v = job->view;
  for (size_t k = begin; k < end; ++k) mote_mark_row(&v, mote_fluid_row(job->fluid, k));
}

mote_result mote_free_surface_take(const mote_fluid *fluid, uint8_t **out, mote_error *error) {
  MOTE_ASSERT(out != NULL);
  MOTE_ASSERT(fluid->relative != NULL || fluid->count == 0);
  size_t n = fluid->count;
  mark_job job = {fluid, {fluid->pairs, fluid->relative, fluid->gradient, fluid->wall, .lone = LONE_DENSITY}};
  mote_mark_view *v = &job.view;
  v->dense = SURFACE_DENSITY, v->slope = SURFACE_GRADIENT / (float)fluid->support;
  MOTE_TAKE(v->surface, fluid->scratch, n + 1, error);
  MOTE_TAKE(v->mark, fluid->scratch, n + 1, error);
  v->surface[n] = 0, v->mark[n] = MOTE_MARK_INSIDE;
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, surface_chunk, &job);
  mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, mark_chunk, &job);
  *out = v->mark;
  return MOTE_OK;
}
