// Free surfaces: see free_surface.h.
#include "fluid/free_surface.h"

#include "base/parallel.h"
#include "fluid/individual_steps.h"
#include "fluid/tuning.inc"

typedef struct mark_job {
  const mote_fluid *fluid;
  uint8_t *surface, *mark;  // one more, the dummy's
} mark_job;

static void surface_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mark_job *job = data;
  const mote_fluid *f = job->fluid;
  float least = SURFACE_GRADIENT / (float)f->support;
  for (size_t i = begin; i < end; ++i) {
    if (!mote_fluid_is_target(f, i)) {
      job->surface[i] = f->steps->surface[i];
      continue;
    }
    float D = f->relative[i], slope = 0.0f;
    for (size_t k = 3 * i; k < 3 * i + 3; ++k)
      slope += (f->gradient[k] + f->wall[k]) * (f->gradient[k] + f->wall[k]);
    bool surface = D < LONE_DENSITY || (D < SURFACE_DENSITY && slope > least * least);
    job->surface[i] = surface;
    if (f->steps != NULL) f->steps->surface[i] = surface;
  }
}

static bool has_surface(const mark_job *job, size_t i) {
  const mote_pair_view *v = &job->fluid->pairs;
  for (mote_groups g = mote_pair_groups(v, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    for (int k = 0; k < MOTE_LANES; ++k) {
      if (job->surface[v->lanes[g.at].index[k]]) return true;
    }
  }
  return false;
}

static void mark_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mark_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(job->fluid, k);
    mote_surface_mark inside = has_surface(job, i) ? MOTE_MARK_NEAR : MOTE_MARK_INSIDE;
    job->mark[i] = (uint8_t)(job->surface[i] ? MOTE_MARK_SURFACE : inside);
  }
}

mote_result mote_free_surface_take(const mote_fluid *fluid, uint8_t **out, mote_error *error) {
  MOTE_ASSERT(out != NULL);
  MOTE_ASSERT(fluid->relative != NULL || fluid->count == 0);
  size_t n = fluid->count;
  mark_job job = {.fluid = fluid};
  MOTE_TAKE(job.surface, fluid->scratch, n + 1, error);
  MOTE_TAKE(job.mark, fluid->scratch, n + 1, error);
  job.surface[n] = 0, job.mark[n] = MOTE_MARK_INSIDE;
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, surface_chunk, &job);
  mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, mark_chunk, &job);
  *out = job.mark;
  return MOTE_OK;
}
