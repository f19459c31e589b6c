// Motion that is no velocity: see shift.h.
#include "solver/shift.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

#define MOST 0.2  // spacings in a step

typedef struct shift_job {
  mote_fluid *fluid;
  float most;  // m/s
} shift_job;

// From the velocities before the shift, in `shift`, to the shift itself, which is kept short: particles that
// lie on top of each other would be flung apart.
static void limit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shift_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    float *s = job->fluid->shift + 3 * i, *v = job->fluid->velocity + 3 * i, square = 0.0f;
    for (int k = 0; k < 3; ++k) {
      float before = s[k];
      s[k] = v[k] - before;
      v[k] = before;
      square += s[k] * s[k];
    }
    float scale = square > job->most * job->most ? job->most / sqrtf(square) : 1.0f;
    for (int k = 0; k < 3; ++k) {
      s[k] *= scale;
      v[k] += s[k];
    }
  }
}

static void settle_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shift_job *job = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k) job->fluid->velocity[k] -= job->fluid->shift[k];
}

mote_result mote_shift_begin(mote_fluid *fluid, mote_error *error) {
  size_t count = 3 * fluid->count;
  fluid->shift = mote_arena_take(fluid->scratch, count, sizeof(float));
  if (fluid->shift == NULL) return mote_fail_memory(error, count * sizeof(float));
  memcpy(fluid->shift, fluid->velocity, count * sizeof(float));
  return MOTE_OK;
}

void mote_shift_end(mote_fluid *fluid, double dt) {
  shift_job job = {fluid, (float)(MOST * fluid->spacing / dt)};
  mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, limit_chunk, &job);
}

void mote_shift_settle(mote_fluid *fluid) {
  if (fluid->shift == NULL) return;
  shift_job job = {.fluid = fluid};
  mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, settle_chunk, &job);
  fluid->shift = NULL;
}
