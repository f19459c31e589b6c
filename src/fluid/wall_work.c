// Work of moving walls: see wall_work.h.
#include "fluid/wall_work.h"

#include <string.h>

#include "base/parallel.h"

typedef struct work_job {
  const mote_wall_pairs *walls;
  const float *force;  // on each row, N
} work_job;

static void power_rows(void *data, size_t begin, size_t end, double *sum) {
  const work_job *job = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k)
    *sum -= (double)job->force[k] * (double)job->walls->velocity[k];
}

mote_result mote_wall_work_add(mote_fluid *fluid, const mote_coupled_pressure *pressure, double dt,
                               mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(pressure->weight != NULL || mote_coupled_walls(fluid)->samples == 0);
  work_job job = {.walls = mote_coupled_walls(fluid)};
  size_t rows = job.walls->samples;
  if (!fluid->counts_wall_work || rows == 0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  float *force = mote_arena_take(fluid->scratch, 3 * rows, sizeof *force);
  if (force == NULL) return mote_fail_memory(error, 3 * rows * sizeof *force);
  mote_coupled_forces(fluid, pressure, force);
  for (size_t k = 0; k < fluid->coupled_count; ++k) {
    const mote_coupled_body *body = &fluid->coupled[k];
    memset(force + 3 * body->first, 0, 3 * (body->end - body->first) * sizeof *force);
  }
  double power;
  job.force = force;
  mote_parallel_sum(fluid->env.threads, rows, 1, power_rows, &job, &power);
  fluid->wall_work += dt * power;
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}
