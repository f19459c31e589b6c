// Depths of particles: see surface_depth.h. Reads the field, writes nothing of it.
#include "surface/surface_depth.h"

#include <math.h>

#include "base/parallel.h"
#include "march/fast_march.h"
#include "surface/tuning.inc"

#define OUTWARD_CELLS 2  // so far outside there are distances, so that all corners of a cell have one
#define BLOCK_GRAIN 16
#define PARTICLES_PER_TASK 1024

_Static_assert(MOTE_BLOCK_SIDE == MOTE_MARCH_SIDE, "the march goes over the field's own blocks");

typedef struct depth_work {
  const mote_sparse_field *grid;
  const mote_point_set *set;
  const mote_depth_opts *opts;
  mote_march march;
  uint32_t (*beside)[6];
  float *depth;
} depth_work;

// --- The march --------------------------------------------------------------------------------------------

static void connect_blocks(depth_work *w) {
  for (size_t b = 0; b < w->grid->blocks; ++b) {
    for (int k = 0; k < 6; ++k) w->beside[b][k] = MOTE_MARCH_NONE;
  }
  for (size_t b = 0; b < w->grid->blocks; ++b) {
    for (int axis = 0; axis < 3; ++axis) {
      uint32_t above = w->grid->above[b][1 << axis];
      if (above == MOTE_BLOCK_ABSENT) continue;
      w->beside[b][2 * axis + 1] = above;
      w->beside[above][2 * axis] = (uint32_t)b;
    }
  }
}

static void fill_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  depth_work *w = data;
  for (size_t i = begin * MOTE_BLOCK_NODES; i < end * MOTE_BLOCK_NODES; ++i) {
    w->march.value[i] = (double)w->grid->value[i];
    w->march.state[i] = 0;
  }
}

// Outside, values are needed next to the surface only.
static void shut_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  depth_work *w = data;
  float least = (float)(-OUTWARD_CELLS * w->grid->cell / w->opts->unit);
  for (size_t i = begin * MOTE_BLOCK_NODES; i < end * MOTE_BLOCK_NODES; ++i) {
    bool far = w->grid->value[i] < least && !(w->march.state[i] & MOTE_MARCH_SEED);
    if (far) w->march.state[i] |= MOTE_MARCH_WALL;
  }
}

static mote_result march_inward(depth_work *w, mote_error *error) {
  const mote_env *env = w->opts->env;
  size_t blocks = w->grid->blocks, nodes = blocks * MOTE_BLOCK_NODES;
  w->beside = mote_arena_take(w->opts->scratch, blocks, sizeof *w->beside);
  w->march = (mote_march){.blocks = blocks,
                          .beside = (const uint32_t(*)[6])w->beside,
                          .cell = w->grid->cell,
                          .order = 2,
                          .farthest = w->opts->farthest,
                          .state = mote_arena_take(w->opts->scratch, nodes, 1),
                          .value = mote_arena_take(w->opts->scratch, nodes, sizeof(double))};
  if (!w->beside || !w->march.state || !w->march.value) return mote_fail_memory(error, nodes * 9);
  connect_blocks(w);
  mote_parallel_for(env->threads, blocks, BLOCK_GRAIN, fill_task, w);
  MOTE_TRY(mote_march_seed(&w->march, env, error));
  mote_parallel_for(env->threads, blocks, BLOCK_GRAIN, shut_task, w);
  return mote_march_run(&w->march, env, error);
}

// --- Reading ----------------------------------------------------------------------------------------------

// The block that holds a node, or MOTE_BLOCK_ABSENT: by bisection, blocks are sorted by (z, y, x).
static uint32_t find_block(const mote_sparse_field *grid, const int32_t at[3]) {
  size_t low = 0, high = grid->blocks;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const int32_t *m = grid->at + 3 * middle;
    bool before = m[2] != at[2] ? m[2] < at[2] : m[1] != at[1] ? m[1] < at[1] : m[0] < at[0];
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == grid->blocks) return MOTE_BLOCK_ABSENT;
  const int32_t *found = grid->at + 3 * low;
  return found[0] == at[0] && found[1] == at[1] && found[2] == at[2] ? (uint32_t)low : MOTE_BLOCK_ABSENT;
}

static double node_depth(const depth_work *w, uint32_t block, const int local[3]) {
  int over = 0, index = 0;
  for (int a = 0; a < 3; ++a) {
    over |= (local[a] / MOTE_BLOCK_SIDE) << a;
    index |= (local[a] % MOTE_BLOCK_SIDE) << 3 * a;
  }
  uint32_t b = w->grid->above[block][over];
  if (b == MOTE_BLOCK_ABSENT) return w->opts->farthest;
  size_t i = (size_t)b * MOTE_BLOCK_NODES + (size_t)index;
  if (w->march.state[i] & MOTE_MARCH_DONE) {
    return w->march.state[i] & MOTE_MARCH_NEGATIVE ? -w->march.value[i] : w->march.value[i];
  }
  double value = (double)w->grid->value[i];
  return value < 0.0 ? value * w->opts->unit : w->opts->farthest;
}

// Linear along each axis between the corners of the cell around x.
static double depth_at(const depth_work *w, const double x[3]) {
  int32_t at[3];
  int local[3];
  double part[3], sum = 0.0;
  for (int a = 0; a < 3; ++a) {
    double node = (x[a] - w->grid->origin[a]) / w->grid->cell, low = floor(node);
    at[a] = (int32_t)floor(low / MOTE_BLOCK_SIDE);
    local[a] = (int)(low - (double)at[a] * MOTE_BLOCK_SIDE);
    part[a] = node - low;
  }
  uint32_t block = find_block(w->grid, at);
  if (block == MOTE_BLOCK_ABSENT) return w->opts->farthest;
  for (int k = 0; k < 8; ++k) {
    int corner[3];
    double weight = 1.0;
    for (int a = 0; a < 3; ++a) {
      corner[a] = local[a] + (k >> a & 1);
      weight *= k >> a & 1 ? part[a] : 1.0 - part[a];
    }
    sum += weight * node_depth(w, block, corner);
  }
  return sum < w->opts->farthest ? sum : w->opts->farthest;
}

static void read_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  depth_work *w = data;
  for (size_t r = begin; r < end; ++r) {
    w->depth[r] = (float)depth_at(w, w->set->position + 3 * (size_t)w->opts->point[r]);
  }
}

mote_result mote_surface_depth(const mote_sparse_field *grid, const mote_point_set *set,
                               const mote_depth_opts *opts, float *depth, mote_error *error) {
  MOTE_ASSERT(opts->unit > 0.0 && opts->farthest > 0.0);
  MOTE_ASSERT((opts->point != NULL && depth != NULL) || set->particles == 0);
  MOTE_ASSERT(opts->scratch != NULL);
  depth_work w = {.grid = grid, .set = set, .opts = opts, .depth = depth};
  mote_arena_mark mark = mote_arena_here(opts->scratch);
  mote_result result = march_inward(&w, error);
  if (!result) mote_parallel_for(opts->env->threads, set->particles, PARTICLES_PER_TASK, read_task, &w);
  mote_arena_release(opts->scratch, mark);
  return result;
}
