// Wall samples and their sums: see boundary.h. Akinci et al. 2012, EG09 (55), with volumes in place of
// masses.
#include "solver/boundary.h"

#include <string.h>

#include "base/parallel.h"
#include "solver/near_map.h"
#include "solver/places.h"

enum { STANDING, MOVING, PARTS };

// A sample's velocity and friction.
typedef struct sample_motion {
  float velocity[3], friction;
} sample_motion;

typedef struct sample_part {
  size_t count;
  double *rest, *position;  // as added, and now
  mote_place *place;        // one more, the dummy's
  sample_motion *motion;    // one more
  size_t rest_held, position_held, place_held, motion_held;
  mote_grid *grid;
  mote_near_map map;
  bool stale;  // grid, map and places are to be made anew
} sample_part;

struct mote_boundary {
  mote_env env;
  mote_domain domain;
  mote_kernel_kind kernel;
  double support;
  bool rough;  // some sample has friction
  sample_part part[PARTS];
};

mote_result mote_boundary_create(const mote_domain *domain, mote_kernel_kind kernel, double support,
                                 const mote_env *env, mote_boundary **out, mote_error *error) {
  mote_env resolved = mote_env_resolve(env);
  mote_boundary *boundary = mote_alloc(&resolved, 1, sizeof *boundary);
  if (boundary == NULL) return mote_fail_memory(error, sizeof *boundary);
  *boundary = (mote_boundary){.env = resolved, .domain = *domain, .kernel = kernel, .support = support};
  mote_grid_def def = mote_grid_def_default(support);
  def.domain = *domain;
  for (int p = 0; p < PARTS; ++p) {
    mote_result result = mote_grid_create(&def, &resolved, &boundary->part[p].grid, error);
    if (result != MOTE_OK) {
      mote_boundary_destroy(boundary);
      return result;
    }
  }
  *out = boundary;
  return MOTE_OK;
}

void mote_boundary_destroy(mote_boundary *boundary) {
  if (boundary == NULL) return;
  mote_env env = boundary->env;
  for (int p = 0; p < PARTS; ++p) {
    sample_part *part = &boundary->part[p];
    mote_free(&env, part->rest, part->rest_held, sizeof *part->rest);
    mote_free(&env, part->position, part->position_held, sizeof *part->position);
    mote_free(&env, part->place, part->place_held, sizeof *part->place);
    mote_free(&env, part->motion, part->motion_held, sizeof *part->motion);
    mote_near_map_destroy(&part->map, &env);
    mote_grid_destroy(part->grid);
  }
  mote_free(&env, boundary, 1, sizeof *boundary);
}

size_t mote_boundary_count(const mote_boundary *boundary) {
  return boundary->part[STANDING].count + boundary->part[MOVING].count;
}

size_t mote_boundary_bytes(const mote_boundary *boundary) {
  size_t bytes = sizeof *boundary;
  for (int p = 0; p < PARTS; ++p) {
    const sample_part *part = &boundary->part[p];
    bytes += (part->rest_held + part->position_held) * sizeof(double) +
             part->place_held * sizeof(mote_place) + part->motion_held * sizeof(sample_motion) +
             part->map.held * sizeof(uint64_t) + mote_grid_bytes(part->grid);
  }
  return bytes;
}

static mote_result reserve(mote_boundary *boundary, sample_part *part, size_t count, mote_error *error) {
  const mote_env *env = &boundary->env;
  MOTE_TRY(mote_reserve(env, &part->rest, &part->rest_held, 3 * count, sizeof(double), error));
  MOTE_TRY(mote_reserve(env, &part->position, &part->position_held, 3 * count, sizeof(double), error));
  MOTE_TRY(mote_reserve(env, &part->place, &part->place_held, count + 1, sizeof(mote_place), error));
  return mote_reserve(env, &part->motion, &part->motion_held, count + 1, sizeof(sample_motion), error);
}

mote_result mote_boundary_add(mote_boundary *boundary, const mote_samples *samples, double friction,
                              bool moving, mote_boundary_range *out, mote_error *error) {
  sample_part *part = &boundary->part[moving ? MOVING : STANDING];
  size_t first = part->count, count = first + samples->count;
  MOTE_TRY(reserve(boundary, part, count, error));
  memcpy(part->rest + 3 * first, samples->position, 3 * samples->count * sizeof(double));
  memcpy(part->position + 3 * first, samples->position, 3 * samples->count * sizeof(double));
  for (size_t b = first; b < count; ++b) {
    part->place[b].volume = (float)samples->volume[b - first];
    part->motion[b] = (sample_motion){.friction = (float)friction};
  }
  part->place[count] = (mote_place){.volume = 0.0f};
  part->motion[count] = (sample_motion){.friction = 0.0f};
  part->count = count;
  part->stale = true;
  if (friction > 0.0) boundary->rough = true;
  if (out != NULL) *out = (mote_boundary_range){moving, first, samples->count};
  return MOTE_OK;
}

typedef struct pose_job {
  sample_part *part;
  size_t first;
  const mote_pose *pose;
  const double *velocity, *spin;
} pose_job;

static void pose_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pose_job *job = data;
  const double *R = job->pose->rotation, *pivot = job->pose->pivot, *w = job->spin;
  for (size_t b = job->first + begin; b < job->first + end; ++b) {
    double arm[3], turned[3], *x = job->part->position + 3 * b;
    float *v = job->part->motion[b].velocity;
    for (int a = 0; a < 3; ++a) arm[a] = job->part->rest[3 * b + a] - pivot[a];
    for (int a = 0; a < 3; ++a) {
      turned[a] = R[3 * a] * arm[0] + R[3 * a + 1] * arm[1] + R[3 * a + 2] * arm[2];
      x[a] = turned[a] + pivot[a] + job->pose->move[a];
    }
    for (int a = 0; a < 3; ++a) {
      int b1 = (a + 1) % 3, b2 = (a + 2) % 3;
      v[a] = (float)(job->velocity[a] + (w[b1] * turned[b2] - w[b2] * turned[b1]));
    }
  }
}

void mote_boundary_pose(mote_boundary *boundary, mote_boundary_range range, const mote_pose *pose,
                        const double velocity[3], const double spin[3]) {
  MOTE_ASSERT(range.moving);
  pose_job job = {&boundary->part[MOVING], range.first, pose, velocity, spin};
  mote_parallel_for(boundary->env.threads, range.count, 4 * MOTE_FLUID_GRAIN, pose_chunk, &job);
  boundary->part[MOVING].stale = true;
}

// --- Sums ---

static mote_result refresh(mote_boundary *boundary, sample_part *part, const mote_pair_scale *scale,
                           mote_error *error) {
  if (!part->stale) return MOTE_OK;
  MOTE_TRY(mote_near_map_build(&part->map, &boundary->env, &boundary->domain, boundary->support,
                               part->position, part->count, error));
  MOTE_TRY(mote_grid_build(part->grid, part->position, part->count, error));
  for (size_t b = 0; b < part->count; ++b) {
    part->place[b] = mote_place_make(scale, part->position + 3 * b, part->place[b].volume);
  }
  part->stale = false;
  return MOTE_OK;
}

typedef struct wall_job {
  mote_fluid *fluid;
  const sample_part *part;
  mote_pair_scale scale;
  uint8_t *flag;     // of each particle: whether walls may be near
  size_t *before;    // of each chunk: flagged particles in those before it
  uint32_t *index;   // of the flagged particles
  double *position;  // theirs
  mote_lists lists;  // theirs
} wall_job;

#define CHUNK 1024

static void flag_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  size_t flagged = 0;
  for (size_t i = begin; i < end; ++i) {
    job->flag[i] = mote_near_map_has(&job->part->map, job->fluid->position + 3 * i);
    flagged += job->flag[i];
  }
  job->before[begin / CHUNK] = flagged;
}

static void copy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  size_t to = job->before[begin / CHUNK];
  for (size_t i = begin; i < end; ++i) {
    if (!job->flag[i]) continue;
    job->index[to] = (uint32_t)i;
    memcpy(job->position + 3 * to, job->fluid->position + 3 * i, 3 * sizeof(double));
    ++to;
  }
}

// The particles that walls may be near: job->index, job->position; *near of them.
static mote_result find_near(wall_job *job, size_t *near, mote_error *error) {
  mote_arena *arena = job->fluid->scratch;
  size_t n = job->fluid->count, chunks = n / CHUNK + 1, sum = 0;
  int threads = job->fluid->env.threads;
  job->flag = mote_arena_take(arena, n, 1);
  job->before = mote_arena_take(arena, chunks, sizeof *job->before);
  if (job->flag == NULL || job->before == NULL) return mote_fail_memory(error, n);
  mote_parallel_for(threads, n, CHUNK, flag_chunk, job);
  for (size_t c = 0; c < (n + CHUNK - 1) / CHUNK; ++c) {
    size_t flagged = job->before[c];
    job->before[c] = sum;
    sum += flagged;
  }
  job->index = mote_arena_take(arena, sum, sizeof *job->index);
  job->position = mote_arena_take(arena, 3 * sum, sizeof *job->position);
  if (job->index == NULL || job->position == NULL) return mote_fail_memory(error, 28 * sum);
  mote_parallel_for(threads, n, CHUNK, copy_chunk, job);
  *near = sum;
  return MOTE_OK;
}

typedef struct wall_sums {
  mote_lane value, gradient[3], flow, drag[4];
} wall_sums;

static inline void add_samples(const wall_job *job, const mote_place *target, const uint32_t *index,
                               wall_sums *sum) {
  const sample_motion *motion = job->part->motion;
  mote_pairs p = mote_pairs_load(&job->scale, target, job->part->place, index);
  mote_lane v[4];
  for (int k = 0; k < 4; ++k) v[k] = mote_lane_at(motion + index[k]);
  mote_lane_transpose(&v[0], &v[1], &v[2], &v[3]);
  mote_lane pull = p.volume * mote_pairs_pull(&job->scale, &p), rub = v[3] * pull;
  sum->value += p.volume * mote_pairs_value(&job->scale, &p);
  for (int a = 0; a < 3; ++a) {
    mote_lane gradient = pull * p.x[a];
    sum->gradient[a] += gradient;
    sum->flow += v[a] * gradient;
    sum->drag[a] += rub * v[a];
  }
  sum->drag[3] += rub;
}

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t n = begin; n < end; ++n) {
    if (job->lists.number[n] == 0) continue;
    size_t i = job->index[n];
    mote_lane o = mote_lane_splat(0.0f);
    wall_sums sum = {o, {o, o, o}, o, {o, o, o, o}};
    for (uint32_t k = 0; k < job->lists.number[n]; k += MOTE_LANES) {
      add_samples(job, &f->place[i], job->lists.index + job->lists.first[n] + k, &sum);
    }
    f->relative[i] += mote_lane_sum(sum.value);
    for (int a = 0; a < 3; ++a) f->wall[3 * i + a] += mote_lane_sum(sum.gradient[a]);
    f->wall_flow[i] += mote_lane_sum(sum.flow);
    if (f->wall_drag == NULL) continue;
    for (int a = 0; a < 4; ++a) f->wall_drag[4 * i + a] += mote_lane_sum(sum.drag[a]);
  }
}

static mote_result gather_part(mote_fluid *fluid, sample_part *part, const mote_pair_scale *scale,
                               mote_error *error) {
  wall_job job = {.fluid = fluid, .part = part, .scale = *scale};
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  size_t near = 0;
  mote_result result = find_near(&job, &near, error);
  if (result == MOTE_OK && near > 0) {
    result =
        mote_grid_neighbours_at(part->grid, job.position, near, NULL, MOTE_REACH_GATHER, &job.lists, error);
    if (result == MOTE_OK) mote_parallel_for(fluid->env.threads, near, MOTE_FLUID_GRAIN, wall_chunk, &job);
  }
  mote_arena_release(fluid->scratch, mark);
  return result;
}

mote_result mote_boundary_gather(mote_boundary *boundary, mote_fluid *fluid, mote_error *error) {
  mote_pair_scale scale = mote_pair_scale_make(&boundary->domain, boundary->kernel, boundary->support);
  if (boundary->rough) {
    fluid->wall_drag = mote_arena_take(fluid->scratch, 4 * fluid->count, sizeof(float));
    if (fluid->wall_drag == NULL) return mote_fail_memory(error, 16 * fluid->count);
    memset(fluid->wall_drag, 0, 16 * fluid->count);
  }
  for (int p = 0; p < PARTS; ++p) {
    sample_part *part = &boundary->part[p];
    if (part->count == 0) continue;
    MOTE_TRY(refresh(boundary, part, &scale, error));
    MOTE_TRY(gather_part(fluid, part, &scale, error));
  }
  return MOTE_OK;
}
