// Smoothing over nodes: see grid_smooth.h. Axis by axis; a block reads the faces of its neighbours from
// copies, so that all blocks of a pass see the values before it.
#include "surface/grid_smooth.h"

#include <string.h>

#include "base/parallel.h"

#define SIDE MOTE_BLOCK_SIDE
#define FACE (SIDE * SIDE)
#define BLOCKS_PER_TASK 32

typedef struct smooth_work {
  const mote_sparse_field *field;
  uint32_t (*beside)[2];  // of each block along the axis: the one before, the one behind
  float *face;            // of each block along the axis: its first layer, its last
  int axis;
} smooth_work;

// The node in layer n of the axis, k-th of its face.
static int node_at(int axis, int n, int k) {
  int u = k % SIDE, v = k / SIDE;
  if (axis == 0) return (v * SIDE + u) * SIDE + n;
  return axis == 1 ? (v * SIDE + n) * SIDE + u : (n * SIDE + v) * SIDE + u;
}

static void copy_faces(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smooth_work *w = data;
  for (size_t b = begin; b < end; ++b) {
    const float *value = w->field->value + b * MOTE_BLOCK_NODES;
    for (int k = 0; k < FACE; ++k) {
      w->face[2 * FACE * b + k] = value[node_at(w->axis, 0, k)];
      w->face[2 * FACE * b + FACE + k] = value[node_at(w->axis, SIDE - 1, k)];
    }
  }
}

static void smooth_blocks(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smooth_work *w = data;
  for (size_t b = begin; b < end; ++b) {
    float *value = w->field->value + b * MOTE_BLOCK_NODES;
    uint32_t before = w->beside[b][0], behind = w->beside[b][1];
    for (int k = 0; k < FACE; ++k) {
      float line[SIDE + 2];
      for (int n = 0; n < SIDE; ++n) line[n + 1] = value[node_at(w->axis, n, k)];
      line[0] = before == MOTE_BLOCK_ABSENT ? line[1] : w->face[2 * FACE * (size_t)before + FACE + k];
      line[SIDE + 1] = behind == MOTE_BLOCK_ABSENT ? line[SIDE] : w->face[2 * FACE * (size_t)behind + k];
      for (int n = 0; n < SIDE; ++n) {
        value[node_at(w->axis, n, k)] = 0.25f * (line[n] + line[n + 2]) + 0.5f * line[n + 1];
      }
    }
  }
}

static void find_beside(smooth_work *w) {
  for (size_t b = 0; b < w->field->blocks; ++b) w->beside[b][0] = MOTE_BLOCK_ABSENT;
  for (size_t b = 0; b < w->field->blocks; ++b) {
    uint32_t behind = w->field->above[b][1 << w->axis];
    w->beside[b][1] = behind;
    if (behind != MOTE_BLOCK_ABSENT) w->beside[behind][0] = (uint32_t)b;
  }
}

mote_result mote_grid_smooth(const mote_sparse_field *field, int passes, mote_arena *scratch, int threads,
                             mote_error *error) {
  MOTE_ASSERT(passes >= 0);
  MOTE_ASSERT(field->value != NULL || field->blocks == 0);
  if (passes == 0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(scratch);
  smooth_work w = {.field = field};
  w.beside = mote_arena_take(scratch, field->blocks, sizeof *w.beside);
  w.face = mote_arena_take(scratch, field->blocks, 2 * FACE * sizeof *w.face);
  bool ok = w.beside != NULL && w.face != NULL;
  for (int step = 0; ok && step < 3 * passes; ++step) {
    w.axis = step % 3;
    find_beside(&w);
    mote_parallel_for(threads, field->blocks, BLOCKS_PER_TASK, copy_faces, &w);
    mote_parallel_for(threads, field->blocks, BLOCKS_PER_TASK, smooth_blocks, &w);
  }
  mote_arena_release(scratch, mark);
  return ok ? MOTE_OK : mote_fail_memory(error, field->blocks * 2 * FACE * sizeof *w.face);
}
