// Forces of pressure on walls: see wall_work.h.
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

// The samples of rows ascend.
static void add_impulse(const mote_wall_pairs *walls, const float *force, double dt, mote_wall_probe *probe) {
  for (size_t row = 0; row < walls->samples; ++row) {
    if (walls->sample[row] < probe->first || walls->sample[row] >= probe->first + probe->count) continue;
    for (int a = 0; a < 3; ++a) probe->impulse[a] += dt * (double)force[3 * row + (size_t)a];
  }
}

static void add_work(mote_fluid *fluid, float *force, double dt) {
  work_job job = {mote_coupled_walls(fluid), force};
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
        add_impulse(&fluid->walls[p], force, dt, &fluid->wall_probe[k]);
    if (works) add_work(fluid, force, dt);
    mote_arena_release(fluid->scratch, mark);
  }
  return MOTE_OK;
}
