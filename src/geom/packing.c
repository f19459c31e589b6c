// Packing points near or in a shape: see packing.h.
#include "geom/packing.h"

#include "base/parallel.h"

typedef struct walk {
  const mote_packing_plan *plan;
  double *position;  // null: only count
  size_t count;
} walk;

static void point_at(const mote_packing *packing, const double index[3], double x[3]) {
  double y[3];
  for (int k = 0; k < 3; ++k) y[k] = index[k] * packing->step[k];
  turn3(packing->basis, y, y);
  step3(packing->origin, 1.0, y, x);
}

static void take_block(walk *w, const mote_packing_block *block) {
  size_t size = 1;
  for (int k = 0; k < 3; ++k) size *= (size_t)(block->to[k] - block->from[k]);
  if (w->position) {
    double *out = w->position + 3 * w->count;
    for (int64_t k = block->from[2]; k < block->to[2]; ++k) {
      for (int64_t j = block->from[1]; j < block->to[1]; ++j) {
        for (int64_t i = block->from[0]; i < block->to[0]; ++i, out += 3) {
          point_at(&w->plan->packing, (const double[3]){(double)i, (double)j, (double)k}, out);
        }
      }
    }
  }
  w->count += size;
}

// The axis along which the block is longest, and half of its diagonal.
static int longest_axis(const mote_packing *packing, const mote_packing_block *block, double *radius) {
  double edge[3];
  int axis = 0;
  for (int k = 0; k < 3; ++k) {
    edge[k] = (double)(block->to[k] - block->from[k] - 1) * packing->step[k];
    if (edge[k] > edge[axis]) axis = k;
  }
  *radius = 0.5 * length3(edge);
  return axis;
}

static void split(const mote_packing_block *block, int axis, mote_packing_block half[2]) {
  int64_t middle = block->from[axis] + (block->to[axis] - block->from[axis]) / 2;
  half[0] = half[1] = *block;
  half[0].to[axis] = half[1].from[axis] = middle;
}

static void walk_block(walk *w, const mote_packing_block *block) {
  const mote_packing_plan *plan = w->plan;
  double radius, middle[3], x[3];
  int axis = longest_axis(&plan->packing, block, &radius);
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (double)(block->from[k] + block->to[k] - 1);
  point_at(&plan->packing, middle, x);
  double f = mote_node_distance(plan->shape, 0, x, NULL);
  radius *= 1.0 + 1e-9;
  if (f - radius >= plan->high || f + radius < plan->low) return;
  if (f - radius >= plan->low && f + radius < plan->high) {
    take_block(w, block);
  } else if (block->to[axis] - block->from[axis] > 1) {
    mote_packing_block half[2];
    split(block, axis, half);
    walk_block(w, half);
    walk_block(w, half + 1);
  }
}

static void count_blocks(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_packing_plan *plan = data;
  for (size_t b = begin; b < end; ++b) {
    walk w = {.plan = plan};
    walk_block(&w, plan->block + b);
    plan->first[b + 1] = w.count;
  }
}

static void write_blocks(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_packing_plan *plan = data;
  for (size_t b = begin; b < end; ++b) {
    walk w = {.plan = plan, .position = plan->position + 3 * plan->first[b]};
    walk_block(&w, plan->block + b);
  }
}

// Halves all blocks until there are enough of them for any number of threads.
static void cut_into_blocks(mote_packing_plan *plan) {
  mote_packing_block whole = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < 3; ++k) whole.to[k] = plan->packing.count[k];
  plan->block[0] = whole;
  plan->blocks = 1;
  for (size_t k = 0; k < plan->blocks && plan->blocks < MOTE_PACKING_BLOCKS;) {
    double radius;
    mote_packing_block *block = plan->block + k, half[2];
    int axis = longest_axis(&plan->packing, block, &radius);
    if (block->to[axis] - block->from[axis] < 2) {
      ++k;
      continue;
    }
    split(block, axis, half);
    for (size_t m = k; m + 1 < plan->blocks; ++m) plan->block[m] = plan->block[m + 1];
    plan->block[plan->blocks - 1] = half[0];
    plan->block[plan->blocks++] = half[1];
  }
}

size_t mote_packing_count(const mote_shape *shape, const mote_packing *packing, double low, double high,
                          mote_packing_plan *plan) {
  MOTE_ASSERT(shape != NULL && plan != NULL);
  *plan = (mote_packing_plan){.shape = shape, .packing = *packing, .low = low, .high = high};
  for (int k = 0; k < 3; ++k) {
    if (packing->count[k] < 1) return 0;
  }
  cut_into_blocks(plan);
  mote_parallel_for(shape->env.threads, plan->blocks, 1, count_blocks, plan);
  for (size_t b = 0; b < plan->blocks; ++b) plan->first[b + 1] += plan->first[b];
  return plan->first[plan->blocks];
}

void mote_packing_place(mote_packing_plan *plan, double *position) {
  MOTE_ASSERT(position != NULL || plan->first[plan->blocks] == 0);
  MOTE_ASSERT(plan->blocks <= MOTE_PACKING_BLOCKS);
  plan->position = position;
  mote_parallel_for(plan->shape->env.threads, plan->blocks, 1, write_blocks, plan);
}

void mote_packing_basis(const mote_shape *shape, double out[9]) {
  MOTE_ASSERT(shape->nodes > 0);
  const double *basis = shape->node->basis;
  bool swap = shape->dimensions == 2 && fabs(basis[8]) < 0.5;
  for (int k = 0; k < 9; ++k) out[k] = basis[swap && k % 3 == 1 ? k + 1 : swap && k % 3 == 2 ? k - 1 : k];
}

void mote_packing_region(const double basis[9], const double low[3], const double high[3], double out_low[3],
                         double out_high[3]) {
  MOTE_ASSERT(basis != NULL);
  double middle[3], half[3];
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (low[k] + high[k]), half[k] = 0.5 * (high[k] - low[k]);
  unturn3(basis, middle, middle);
  for (int k = 0; k < 3; ++k) {
    double reach = 0.0;
    for (int i = 0; i < 3; ++i) reach += fabs(basis[3 * i + k]) * half[i];
    out_low[k] = middle[k] - reach, out_high[k] = middle[k] + reach;
  }
}

mote_packing mote_packing_over(const double basis[9], const double low[3], const double high[3],
                               const double step[3], const double offset[3], int dimensions) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  mote_packing packing = {.count = {1, 1, 1}};
  double corner[3] = {0};
  for (int k = 0; k < 9; ++k) packing.basis[k] = basis[k];
  for (int k = 0; k < dimensions; ++k) {
    double half_count = ceil(0.5 * (high[k] - low[k]) / step[k]) + 1.0;
    packing.step[k] = step[k];
    packing.count[k] = half_count < 1e15 ? 2 * (int64_t)half_count + 1 : 0;
    corner[k] = 0.5 * (low[k] + high[k]) + (offset[k] - half_count) * step[k];
  }
  turn3(basis, corner, packing.origin);
  return packing;
}
