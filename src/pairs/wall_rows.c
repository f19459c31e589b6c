// Finds the particles with wall samples nearby and the samples with particles nearby: see wall_task.h.
#include <string.h>

#include "base/parallel.h"
#include "pairs/wall_task.h"

// --- Particles that may be near walls ---

static void flag_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  size_t flagged = 0;
  for (size_t i = begin; i < end; ++i) {
    job->flag[i] = mote_fluid_is_target(job->fluid, i) &&
                   mote_near_map_has(&job->part->map, job->fluid->position + 3 * i);
    flagged += job->flag[i];
  }
  job->before[begin / MOTE_WALL_CHUNK] = flagged;
}

static void copy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  size_t to = job->before[begin / MOTE_WALL_CHUNK];
  for (size_t i = begin; i < end; ++i) {
    if (!job->flag[i]) continue;
    job->walls->index[to] = (uint32_t)i;
    memcpy(job->position + 3 * to, job->fluid->position + 3 * i, 3 * sizeof(double));
    ++to;
  }
}

// Exclusive prefix sum over the chunks; returns the total.
static size_t sum_before(size_t *before, size_t count) {
  size_t sum = 0;
  for (size_t c = 0; c < (count + MOTE_WALL_CHUNK - 1) / MOTE_WALL_CHUNK; ++c) {
    size_t own = before[c];
    before[c] = sum;
    sum += own;
  }
  return sum;
}

// Writes walls->index and job->position, *count rows.
mote_result mote_wall_find_particles(mote_wall_task *job, size_t *count, mote_error *error) {
  MOTE_ASSERT(job->walls != NULL && count != NULL);
  mote_arena *arena = job->fluid->scratch;
  size_t n = job->fluid->count;
  int threads = job->fluid->env.threads;
  MOTE_TAKE(job->flag, arena, n, error);
  MOTE_TAKE(job->before, arena, n / MOTE_WALL_CHUNK + 1, error);
  mote_parallel_for(threads, n, MOTE_WALL_CHUNK, flag_chunk, job);
  size_t sum = sum_before(job->before, n);
  MOTE_TAKE(job->walls->index, arena, sum, error);
  MOTE_TAKE(job->position, arena, 3 * sum, error);
  mote_parallel_for(threads, n, MOTE_WALL_CHUNK, copy_chunk, job);
  *count = sum;
  return MOTE_OK;
}

// --- Samples near particles ---

// All write the same value: the order does not matter.
static void mark_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  const mote_pair_set *neighbours = &job->walls->sample_neighbours;
  for (size_t n = begin; n < end; ++n) {
    const mote_pair_group *g = neighbours->group + neighbours->first[n], *last = g + neighbours->number[n];
    for (; g < last; ++g) {
      for (int k = 0; k < MOTE_LANES; ++k) __atomic_store_n(&job->slot[g->index[k]], 1, __ATOMIC_RELAXED);
    }
  }
}

static void count_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  size_t rows = 0;
  for (size_t b = begin; b < end; ++b) rows += job->slot[b];
  job->before[begin / MOTE_WALL_CHUNK] = rows;
}

static void number_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_wall_task *job = data;
  size_t row = job->before[begin / MOTE_WALL_CHUNK];
  for (size_t b = begin; b < end; ++b) {
    if (job->slot[b] == 0) continue;
    job->walls->sample[row] = (uint32_t)b;
    job->slot[b] = (uint32_t)row++;
  }
}

// Gives a row to every sample near particles, in the order of the samples.
mote_result mote_wall_find_samples(mote_wall_task *job, mote_error *error) {
  MOTE_ASSERT(job->walls != NULL);
  MOTE_ASSERT(job->walls->index != NULL || job->walls->sample_neighbours.rows == 0);
  mote_arena *arena = job->fluid->scratch;
  int threads = job->fluid->env.threads;
  size_t count = job->part->count;
  MOTE_TAKE(job->slot, arena, count + 1, error);
  MOTE_TAKE(job->before, arena, count / MOTE_WALL_CHUNK + 1, error);
  memset(job->slot, 0, (count + 1) * sizeof *job->slot);
  mote_parallel_for(threads, job->walls->sample_neighbours.rows, MOTE_WALL_CHUNK, mark_chunk, job);
  mote_parallel_for(threads, count, MOTE_WALL_CHUNK, count_chunk, job);
  size_t rows = sum_before(job->before, count);
  MOTE_TAKE(job->walls->sample, arena, rows, error);
  job->walls->samples = rows;
  job->slot[count] = (uint32_t)rows;
  mote_parallel_for(threads, count, MOTE_WALL_CHUNK, number_chunk, job);
  return MOTE_OK;
}
