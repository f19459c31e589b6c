// Individual time steps: see individual_steps.h. DES96 5.2; Hernquist & Katz 1989; Saitoh & Makino 2009.
#include "fluid/individual_steps.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "fluid/continuity.h"
#include "fluid/time_limit.h"
#include "fluid/tuning.inc"

#define STEP_TOLERANCE 1e-9  // rounding: relative; steps that differ by less count as equal
#define LEVELS_APART_MAX 2   // of neighbours; Saitoh & Makino 2009

typedef struct steps_job {
  mote_fluid *fluid;
  mote_individual_steps *s;
  float *velocity;
  uint8_t *active;
  const mote_pressures *pressures;
  float *acceleration;  // by all forces, of each row that is active
  double *limit;        // of each active row, s
  double old_length;
  uint8_t *next;    // levels: of each particle
  uint8_t *chosen;  // of each active row
  int low[MOTE_THREADS_MAX], high[MOTE_THREADS_MAX];
} steps_job;

// --- Active particles ---

static bool begins(const mote_individual_steps *s, size_t i) {
  uint8_t level = s->level[i];
  if (level == MOTE_LEVEL_NONE || s->together) return true;
  return s->at % mote_level_units(level & ~MOTE_LEVEL_WAKE) == 0;
}

// Time since the step of a particle began, s.
static double since(const mote_individual_steps *s, int level) {
  uint64_t units = mote_level_units(level), in = s->at % units;
  if (s->together && !s->cut) in = units;
  return in == 0 ? mote_level_step(s->length, level) : s->length * ((double)in / (double)MOTE_STEPS_BLOCK);
}

// Ends a step early. v is the velocity of the step's middle and x has moved with it, an error of a t
// (T - t) / 2 at the time t of a step of length T.
static void wake(const mote_individual_steps *s, size_t i) {
  int level = s->level[i] & ~MOTE_LEVEL_WAKE;
  double T = mote_level_step(s->length, level), t = since(s, level);
  for (size_t k = 3 * i; k < 3 * i + 3; ++k) {
    double a = (double)s->kick[k];
    s->position[k] -= 0.5 * a * (t * (T - t));
    s->drift[k] = (float)((double)s->drift[k] + a * (t - 0.5 * T));
  }
  s->wall_distance[i] = 0.0f;
  s->level[i] = MOTE_LEVEL_NONE;
}

static bool is_late(const mote_individual_steps *s, size_t i) {
  if (s->near_moving_walls == NULL || !s->near_moving_walls[i]) return false;
  return mote_level_step(s->length, s->level[i]) > s->longest_near_walls * (1.0 + STEP_TOLERANCE);
}

static void begin_chunk(void *data, size_t begin, size_t end, int worker) {
  steps_job *job = data;
  mote_individual_steps *s = job->s;
  int high = job->high[worker];
  for (size_t i = begin; i < end; ++i) {
    uint8_t level = s->level[i];
    if (level != MOTE_LEVEL_NONE) {
      bool wanted = s->cut || level & MOTE_LEVEL_WAKE || is_late(s, i);
      if (wanted && (s->cut || !begins(s, i))) wake(s, i);
      if (level & MOTE_LEVEL_WAKE && s->level[i] == level) s->level[i] = level & ~MOTE_LEVEL_WAKE;
    }
    job->active[i] = begins(s, i);
    level = s->level[i];
    if (level != MOTE_LEVEL_NONE && level > high) high = level;
    // Velocities of half a tick ago: particles of the shortest steps need no prediction.
    double ahead = level == MOTE_LEVEL_NONE
                       ? 0.0
                       : since(s, level) - 0.5 * (mote_level_step(s->length, level) + s->last);
    for (size_t k = 3 * i; k < 3 * i + 3; ++k) job->velocity[k] = s->drift[k] + (float)ahead * s->kick[k];
  }
  job->high[worker] = high;
}

static mote_result list_active(mote_fluid *fluid, const uint8_t *active, mote_error *error) {
  size_t count = 0;
  for (size_t i = 0; i < fluid->count; ++i) count += active[i];
  fluid->active = NULL, fluid->is_active = NULL, fluid->active_count = count;
  if (count == fluid->count) return MOTE_OK;
  MOTE_TAKE_NEW(uint32_t, row, fluid->scratch, count + 1, error);
  size_t to = 0;
  for (size_t i = 0; i < fluid->count; ++i) {
    row[to] = (uint32_t)i;
    to += active[i];
  }
  fluid->active = row, fluid->is_active = active;
  return MOTE_OK;
}

mote_result mote_individual_steps_begin(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->steps != NULL && fluid->scratch != NULL);
  size_t n = fluid->count;
  steps_job job = {.fluid = fluid, .s = fluid->steps};
  MOTE_TAKE(job.velocity, fluid->scratch, 3 * n, error);
  MOTE_TAKE(job.active, fluid->scratch, n + 1, error);
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, begin_chunk, &job);
  fluid->steps->finest = 0;
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) {
    if (job.high[w] > fluid->steps->finest) fluid->steps->finest = job.high[w];
  }
  fluid->velocity = job.velocity;
  return list_active(fluid, job.active, error);
}

// --- Levels ---

static void total_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const steps_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    const float *u = job->pressures->flow[i].u;
    float per = 1.0f / f->volume[i];
    for (size_t a = 0; a < 3; ++a) job->acceleration[3 * i + a] = f->acceleration[3 * i + a] + per * u[a];
  }
}

static int level_of(double length, double limit) {
  int level = 0;
  while (level < MOTE_STEPS_FINEST && mote_level_step(length, level) > limit * (1.0 + STEP_TOLERANCE))
    ++level;
  return level;
}

// The longest step within the limit, at most twice the last one, that may begin now.
static int choose(const steps_job *job, size_t i, double limit) {
  const mote_individual_steps *s = job->s;
  int level = level_of(s->length, limit);
  if (level < s->finest) {
    int careful = level_of(s->length, PREDICTED_SAFETY * limit);
    level = careful < s->finest ? careful : s->finest;
  }
  if (s->level[i] != MOTE_LEVEL_NONE) {
    double before = mote_level_step(job->old_length, s->level[i]);
    int least = level_of(s->length, 2.0 * before);
    if (level < least) level = least;
  }
  uint64_t at = s->together ? 0 : s->at;
  while (at % mote_level_units(level) != 0) ++level;
  return level;
}

static void limit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  steps_job *job = data;
  const mote_individual_steps *s = job->s;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(job->fluid, k);
    double limit = job->limit[k];
    if (s->near_moving_walls != NULL && s->near_moving_walls[i] && s->longest_near_walls < limit)
      limit = s->longest_near_walls;
    double least = job->fluid->solver.step_min;
    job->limit[k] = s->factor * (limit > least ? limit : least);
  }
}

static void next_chunk(void *data, size_t begin, size_t end, int worker) {
  steps_job *job = data;
  int low = job->low[worker], high = job->high[worker];
  for (size_t i = begin; i < end; ++i) {
    int level = job->next[i];
    if (level < low) low = level;
    if (level > high) high = level;
  }
  job->low[worker] = low, job->high[worker] = high;
}

// The lowest and the highest level of all.
static void find_ends(steps_job *job, int *low, int *high) {
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) job->low[w] = MOTE_STEPS_FINEST, job->high[w] = 0;
  mote_parallel_for(job->fluid->env.threads, job->fluid->count, 4 * MOTE_FLUID_LIGHT_GRAIN, next_chunk, job);
  *low = MOTE_STEPS_FINEST, *high = 0;
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) {
    if (job->low[w] < *low) *low = job->low[w];
    if (job->high[w] > *high) *high = job->high[w];
  }
}

static void choose_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const steps_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(job->fluid, k);
    job->chosen[k] = (uint8_t)choose(job, i, job->limit[k]);
  }
}

static void take_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const steps_job *job = data;
  for (size_t k = begin; k < end; ++k) job->next[mote_fluid_row(job->fluid, k)] = job->chosen[k];
}

// Approach speed of j towards i, -v_ij . x_ij / |x_ij|; 0 where they separate.
static float closing(const steps_job *job, size_t i, size_t j) {
  const mote_fluid *f = job->fluid;
  mote_lane distance =
      mote_fixed_offset((mote_lane_index)mote_lane_load(f->fixed_position + i), &f->fixed_position[j]);
  float dot = 0.0f, square = 0.0f;
  for (size_t a = 0; a < 3; ++a) {
    float x = distance[a] * f->pairs.scale.unit[a];
    dot -= x * (f->velocity[3 * i + a] - f->velocity[3 * j + a]);
    square += x * x;
  }
  return dot > 0.0f && square > 0.0f ? dot / sqrtf(square) : 0.0f;
}

// The coarsest level that a particle may have beside one of `level` that approaches with `speed`: at most
// LEVELS_APART_MAX coarser, and such that during its step the other approaches by no more than `cfl`
// spacings.
static int least_level(const steps_job *job, int level, float speed) {
  const mote_fluid *f = job->fluid;
  int least = level - LEVELS_APART_MAX;
  double distance = f->solver.cfl * f->spacing * job->s->factor;
  while (least < level && (least < 0 || mote_level_step(job->s->length, least) * (double)speed > distance))
    ++least;
  return least;
}

// Limits levels beside shorter steps, and marks inactive neighbours that must be woken. All writers of a
// mark write the same value.
static void neighbour_level_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const steps_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    const uint32_t *index = f->pairs.lanes[f->pairs.first[i]].index;
    size_t count = MOTE_LANES * (size_t)f->pairs.number[i];
    int level = job->next[i];
    for (size_t n = 0; n < count && index[n] < f->count; ++n) {
      size_t j = index[n];
      if (job->next[j] <= level) continue;
      int least = least_level(job, job->next[j], closing(job, i, j));
      if (least > level) level = least;
    }
    job->chosen[k] = (uint8_t)level;
    for (size_t n = 0; n < count && index[n] < f->count && f->is_active != NULL; ++n) {
      size_t j = index[n];
      if (f->is_active[j] || job->next[j] >= level) continue;
      if (job->next[j] < least_level(job, level, closing(job, i, j))) {
        __atomic_store_n(&job->s->level[j], job->next[j] | MOTE_LEVEL_WAKE, __ATOMIC_RELAXED);
      }
    }
  }
}

// Length of a block: 2^m shortest steps, or a little less, at most the longest limit and `left`, such that
// whole blocks fill `left` well.
static double block_length(const steps_job *job) {
  double least = HUGE_VAL, most = 0.0, left = job->s->left;
  for (size_t k = 0; k < job->fluid->active_count; ++k) {
    if (job->limit[k] < least) least = job->limit[k];
    if (job->limit[k] > most) most = job->limit[k];
  }
  int m = 0;
  while (m < MOTE_STEPS_FINEST / 2 && ldexp(least, m + 1) <= PREDICTED_SAFETY * most &&
         ldexp(least, m) < left)
    ++m;
  for (;; --m) {
    double length = m > 0 ? ldexp(LIMIT_MARGIN * least, m) : least,
           blocks = ceil(left / length * (1.0 - STEP_TOLERANCE));
    if (m == 0 || left >= BLOCK_FILL_MIN * blocks * length) return left / blocks;
  }
}

// --- Kicks ---

// From the middle of the old step to that of the new one, with the change of a where their lengths differ:
// the correction that DES96 apply to positions, which they keep at the middle.
static void kick_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const steps_job *job = data;
  mote_individual_steps *s = job->s;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(job->fluid, k);
    uint8_t before = s->level[i];
    double old = before == MOTE_LEVEL_NONE ? 0.0 : mote_level_step(job->old_length, before);
    double step = mote_level_step(s->length, job->chosen[k]);
    const float *a = job->acceleration + 3 * i;
    float half = (float)(0.5 * (old + step));
    float change = old > 0.0 ? (float)(0.125 * (step * step - old * old) / old) : 0.0f;
    for (size_t c = 0; c < 3; ++c) {
      s->drift[3 * i + c] += half * a[c] + change * (a[c] - s->kick[3 * i + c]);
      s->kick[3 * i + c] = a[c];
    }
    s->level[i] = job->chosen[k];
    s->density[i] = job->fluid->relative[i];
  }
}

static mote_result take_arrays(steps_job *job, mote_error *error) {
  mote_arena *arena = job->fluid->scratch;
  size_t n = job->fluid->count, active = job->fluid->active_count;
  MOTE_TAKE(job->acceleration, arena, 3 * n, error);
  MOTE_TAKE(job->limit, arena, active, error);
  MOTE_TAKE(job->next, arena, n, error);
  MOTE_TAKE(job->chosen, arena, active, error);
  return MOTE_OK;
}

mote_result mote_individual_steps_kick(mote_fluid *fluid, const mote_pressures *pressures,
                                       mote_error *error) {
  MOTE_ASSERT(fluid->steps != NULL);
  MOTE_ASSERT(fluid->active_count <= fluid->count);
  MOTE_ASSERT(pressures->flow != NULL || fluid->count == 0);
  mote_individual_steps *s = fluid->steps;
  int threads = fluid->env.threads, low, high;
  size_t rows = fluid->active_count;
  steps_job job = {.fluid = fluid, .s = s, .pressures = pressures, .old_length = s->length};
  MOTE_TRY(take_arrays(&job, error));
  mote_parallel_for(threads, rows, MOTE_FLUID_LIGHT_GRAIN, total_chunk, &job);
  mote_fluid_own_limits(fluid, job.acceleration, job.limit);
  mote_parallel_for(threads, rows, MOTE_FLUID_LIGHT_GRAIN, limit_chunk, &job);
  if (s->together) {
    double least = HUGE_VAL;
    s->length = block_length(&job);
    for (size_t k = 0; k < rows; ++k) least = job.limit[k] < least ? job.limit[k] : least;
    s->finest = level_of(s->length, least);
  }
  memcpy(job.next, s->level, fluid->count);
  mote_parallel_for(threads, rows, MOTE_FLUID_LIGHT_GRAIN, choose_chunk, &job);
  mote_parallel_for(threads, rows, 4 * MOTE_FLUID_LIGHT_GRAIN, take_chunk, &job);
  find_ends(&job, &low, &high);
  if (high > low) {
    mote_parallel_for(threads, rows, MOTE_FLUID_GRAIN, neighbour_level_chunk, &job);
    mote_parallel_for(threads, rows, 4 * MOTE_FLUID_LIGHT_GRAIN, take_chunk, &job);
    find_ends(&job, &low, &high);
  }
  s->finest = high;
  mote_parallel_for(threads, rows, MOTE_FLUID_LIGHT_GRAIN, kick_chunk, &job);
  fluid->velocity = s->drift;
  return MOTE_OK;
}

void mote_individual_steps_tick(mote_individual_steps *s) {
  MOTE_ASSERT(s->longest > 0.0 && s->factor > 0.0);
  MOTE_ASSERT(s->at <= MOTE_STEPS_BLOCK);
  uint64_t at = s->together ? 0 : s->at;
  int things = level_of(s->length, s->longest * s->factor);
  if (things > s->finest) s->finest = things;
  while (at % mote_level_units(s->finest) != 0) ++s->finest;
  s->tick = mote_level_units(s->finest);
  s->step = mote_level_step(s->length, s->finest);
}

// --- Between evaluations ---

static void drift_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_fluid *f = data;
  const mote_individual_steps *s = f->steps;
  float dt = (float)s->step;
  for (size_t i = begin; i < end; ++i) {
    s->density[i] += dt * s->rate[i];
    if (f->compression != NULL) {
      float now = f->compression[i] + dt * s->rate[i];
      f->compression[i] = now > MOTE_COMPRESSION_LEAST ? now : MOTE_COMPRESSION_LEAST;
    }
  }
}

void mote_individual_steps_drift(mote_fluid *fluid) {
  MOTE_ASSERT(fluid->steps != NULL);
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, drift_chunk, fluid);
}
