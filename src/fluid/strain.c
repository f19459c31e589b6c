// The rate of strain: see strain.h.
#include "fluid/strain.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/gradient_correction.h"
#include "fluid/sound_speed.h"
#include "fluid/tuning.inc"

typedef struct strain_job {
  const mote_fluid *fluid;
  mote_strain_view view;
} strain_job;

static void strain_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_strain_view v = ((const strain_job *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_strain_row(&v, i);
}

static void flow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_fluid *f = ((const strain_job *)data)->fluid;
  mote_strain_view v = ((const strain_job *)data)->view;
  for (size_t i = begin; i < end; ++i)
    mote_strain_flow_row(&v, i, STILL_STRAIN_MAX * (float)(mote_sound_of(f, i) / f->spacing));
}

static void put_flow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_strain_view *v = &((const strain_job *)data)->view;
  for (size_t i = begin; i < end; ++i) v->strain[i].e[6] = v->flow[i];
}

mote_result mote_strain_take(const mote_fluid *fluid, const float (*velocity)[4], mote_strain **out,
                             mote_error *error) {
  MOTE_ASSERT(out != NULL);
  MOTE_ASSERT(fluid->linear != NULL || fluid->count == 0);
  size_t n = fluid->count;
  // Where a fluid has sound, sound is noise: it does not return to the flow.
  bool sound = mote_pressure_properties_of(&fluid->solver)->has_sound_speed;
  strain_job job = {
      fluid,
      {fluid->pairs, velocity, fluid->linear, fluid->rest_density, .share = sound ? 0.0f : FLOW_SHARE}};
  MOTE_TAKE(job.view.strain, fluid->scratch, n + 1, error);
  MOTE_TAKE(job.view.flow, fluid->scratch, n + 1, error);
  job.view.strain[n] = (mote_strain){.e = {[6] = MOTE_STRAIN_UNKNOWN, [7] = 1.0f}};  // divisible by
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_GRAIN, strain_chunk, &job);
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_GRAIN, flow_chunk, &job);
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, put_flow_chunk, &job);
  *out = job.view.strain;
  return MOTE_OK;
}
