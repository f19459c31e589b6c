// Forces of pressure on walls: see wall_work.h.
#include "fluid/wall_work.h"

#include <string.h>

#include "base/parallel.h"

typedef struct work_job {
  const mote_wall_pairs *walls;
  const float *force;  // on each row, N
  const mote_wall_probe *probe;
} work_job;

static void power_rows(void *data, size_t begin, size_t end, double *term) {
  const work_job *job = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k)
    term[k / 3 - begin] -= (double)job->force[k] * (double)job->walls->velocity[k];
}

static void force_rows(void *data, size_t begin, size_t end, double *term) {
  const work_job *job = data;
  for (size_t row = begin; row < end; ++row, term += MOTE_SUM_ROW(3)) {
    size_t sample = job->walls->sample[row];
    if (sample < job->probe->first || sample >= job->probe->first + job->probe->count) continue;
    for (int a = 0; a < 3; ++a) term[a] = (double)job->force[3 * row + (size_t)a];
  }
}

static void add_impulse(const mote_fluid *fluid, const mote_wall_pairs *walls, const float *force, double dt,
                        mote_wall_probe *probe) {
  work_job job = {walls, force, probe};
  double sum[3];
  mote_parallel_sum(fluid->env.threads, walls->samples, 3, force_rows, &job, sum);
  for (int a = 0; a < 3; ++a) probe->impulse[a] += dt * sum[a];
}

static void add_work(mote_fluid *fluid, float *force, double dt) {
  work_job job = {mote_coupled_walls(fluid), force, NULL};
  double power;
  for (size_t k = 0; k < fluid->coupled_count; ++k) {
    const mote_coupled_body *body = &fluid->coupled[k];
    memset(force + 3 * body->first, 0, 3 * (body->end - body->first) * sizeof *force);
  }
  mote_parallel_sum(fluid->env.threads, job.walls->samples, 1, power_rows, &job, &power);
  fluid->wall_work += dt * power;
}

static bool is_probed(const mote_fluid *fluid, bool moving) {
  for (size_t k = 0; k < fluid->wall_probes; ++k)
    if (fluid->wall_probe[k].moving == moving && fluid->wall_probe[k].count > 0) return true;
  return false;
}

mote_result mote_wall_work_add(mote_fluid *fluid, const mote_coupled_pressure pressure[MOTE_BOUNDARY_PARTS],
                               double dt, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    bool moving = p == MOTE_BOUNDARY_PARTS - 1, works = moving && fluid->counts_wall_work;
    size_t rows = fluid->walls[p].samples;
    if (rows == 0 || !(works || is_probed(fluid, moving))) continue;
    MOTE_ASSERT(pressure[p].weight != NULL);
    mote_arena_mark mark = mote_arena_here(fluid->scratch);
    MOTE_TAKE_NEW(float, force, fluid->scratch, 3 * rows, error);
    mote_wall_forces(fluid, &fluid->walls[p], &pressure[p], force);
    for (size_t k = 0; k < fluid->wall_probes; ++k)
      if (fluid->wall_probe[k].moving == moving && fluid->wall_probe[k].count > 0)
        add_impulse(fluid, &fluid->walls[p], force, dt, &fluid->wall_probe[k]);
    if (works) add_work(fluid, force, dt);
    mote_arena_release(fluid->scratch, mark);
  }
  return MOTE_OK;
}
