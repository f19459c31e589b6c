// Builds the kd-tree: EG09 5.1, algorithm 1, with the widest axis instead of cycling ones. Reads the points,
// writes the nodes and leaves of kdtree.h.
//
// Points are ordered along the axis by (coordinate, index), a total order, and cut at an exact rank: so
// coincident points are no special case, and the points of a leaf do not depend on how the cut is found.
// It is found by sampling (Floyd & Rivest 1975): two sampled coordinates that enclose the wanted rank, then
// one pass that moves points below and above them to the ends of a second buffer and keeps the few between
// for the next round.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "search/kdtree.h"

#define LEAF MOTE_KDTREE_LEAF
#define FAN MOTE_KDTREE_FAN
#define SORTED_POINTS_MAX 16  // points that are cut by sorting them
#define SAMPLE_MAX 256        // coordinates that a pair of bounds is chosen from
#define EXTENT_SAMPLE 64      // points that the extents are judged from
#define COPY_GRAIN 4096       // points a thread copies at a time
#define NODE_GRAIN 256        // nodes a thread bounds at a time
#define TASK_LEVELS 6         // binary levels that are split before threads take a subtree each
#define SUBTREE_TASKS (1 << TASK_LEVELS)
#define TASK_LEAVES 64  // leaves of a subtree that is not worth two tasks

// The index is the fourth coordinate: exact, and where points coincide the axis to cut along.
typedef struct record {
  double x[4];
} record;
#define INDEX_AXIS 3

// A subtree to be built from the points in `from`; its leaves are first .. first + leaves - 1.
typedef struct subtree {
  record *from, *other;  // the beginnings of the two buffers
  size_t first, leaves;
} subtree;

typedef struct builder {
  mote_kdtree *tree;
  const double *position;
  record *points;
  subtree task[2][SUBTREE_TASKS];  // of this level and of the next
  int level;
  size_t first_node;  // of the level whose boxes are computed
} builder;

// --- Cutting at a rank --------------------------------------------------------------------------------

static void sort_numbers(double *x, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    double moving = x[i];
    size_t j = i;
    for (; j > 0 && moving < x[j - 1]; --j) x[j] = x[j - 1];
    x[j] = moving;
  }
}

static size_t root_floor(size_t n) {
  return (size_t)sqrt((double)n);
}

// Two coordinates that most likely enclose the one of rank `rank` among count > 0 points. As many samples
// as sort in the time of one pass; half a deviation around the rank was measured to be best.
static void choose_bounds(const record *r, size_t count, size_t rank, int axis, uint64_t random, double *low,
                          double *high) {
  double sample[SAMPLE_MAX];
  size_t size = 1 + root_floor(count);
  if (size > SAMPLE_MAX) size = SAMPLE_MAX;
  uint64_t stride = count / size;
  size_t k = 0;
  do {
    random = random * 6364136223846793005u + 1442695040888963407u;
    sample[k] = r[k * stride + ((random >> 32) * stride >> 32)].x[axis];
  } while (++k < size);
  sort_numbers(sample, size);
  size_t middle = rank * size / count, gap = (root_floor(size) + 1) / 2;
  *low = sample[middle > gap ? middle - gap : 0];
  *high = sample[middle + gap < size ? middle + gap : size - 1];
}

typedef struct parts {
  size_t below, between;
} parts;

// Moves the points of a[] below `low` and above `high` to the two ends of b[] (of the same allocation), and
// those between to the beginning of a[]. Branch-free, because the result is unpredictable.
static parts sieve(record *a, record *b, size_t count, int axis, double low, double high) {
  ptrdiff_t first = b - a, left = first, right = first + (ptrdiff_t)count - 1, kept = 0;
  for (size_t i = 0; i < count; ++i) {
    record r = a[i];
    double x = a[i].x[axis];
    ptrdiff_t below = x<low, above = x> high;
    a[kept + below * (left - kept) + above * (right - kept)] = r;
    left += below;
    right -= above;
    kept += 1 - below - above;
  }
  return (parts){(size_t)(left - first), (size_t)kept};
}

// Sorts into b[] by counting the predecessors of each: also branch-free.
static void sort_few(const record *a, record *b, size_t count, int axis) {
  double x[SORTED_POINTS_MAX], index[SORTED_POINTS_MAX];
  for (size_t i = 0; i < count; ++i) x[i] = a[i].x[axis], index[i] = a[i].x[INDEX_AXIS];
  for (size_t i = 0; i < count; ++i) {
    size_t rank = 0;
#pragma omp simd reduction(+ : rank)
    for (size_t j = 0; j < count; ++j) rank += (x[j] < x[i]) | ((x[j] == x[i]) & (index[j] < index[i]));
    b[rank] = a[i];
  }
}

// Brings the points of a[] into b[] such that the first `rank` of them come before the others along the
// axis. Leaves a[] in disorder.
static void cut(record *a, record *b, size_t count, size_t rank, int axis) {
  for (uint64_t turn = 0; count > SORTED_POINTS_MAX; ++turn) {
    double low, high;
    choose_bounds(a, count, rank, axis, turn, &low, &high);
    parts p = sieve(a, b, count, axis, low, high);
    if (p.between == count)
      p = sieve(a, b, count, axis, low, high = low);  // so that every round makes progress
    size_t above = p.below + p.between;
    if (rank >= p.below && rank < above) {
      if (low == high) axis = INDEX_AXIS;
      b += p.below;
      rank -= p.below;
      count = p.between;
      continue;
    }
    memcpy(b + p.below, a, p.between * sizeof *a);
    if (rank >= above) {
      b += above;
      rank -= above;
      count -= above;
    } else {
      count = p.below;
    }
    memcpy(a, b, count * sizeof *a);
  }
  sort_few(a, b, count, axis);
}

// --- Subtrees ---------------------------------------------------------------------------------------------

static mote_kdtree_pair choose(mote_kdtree_mask mask, mote_kdtree_pair a, mote_kdtree_pair b) {
  return (mote_kdtree_pair)(((mote_kdtree_mask)a & mask) | ((mote_kdtree_mask)b & ~mask));
}

// The axis of the largest extent. Halves of it, because the whole may overflow.
static int widest_axis(const record *r, size_t count) {
  size_t stride = count / EXTENT_SAMPLE + 1;
  mote_kdtree_pair low[2], high[2];
  for (int h = 0; h < 2; ++h) low[h] = high[h] = mote_kdtree_load(&r->x[2 * h]);
  for (size_t i = stride; i < count; i += stride) {
    for (int h = 0; h < 2; ++h) {
      mote_kdtree_pair x = mote_kdtree_load(&r[i].x[2 * h]);
      low[h] = choose(x < low[h], x, low[h]);
      high[h] = choose(x > high[h], x, high[h]);
    }
  }
  double extent[3];
  for (int axis = 0; axis < 3; ++axis) {
    extent[axis] = 0.5 * high[axis / 2][axis % 2] - 0.5 * low[axis / 2][axis % 2];
  }
  int widest = extent[1] > extent[0] ? 1 : 0;
  return extent[2] > extent[widest] ? 2 : widest;
}

static size_t points_before(const mote_kdtree *tree, size_t leaf) {
  return leaf * LEAF < tree->count ? leaf * LEAF : tree->count;
}

static void split(const mote_kdtree *tree, const subtree *whole, subtree *left, subtree *right) {
  size_t half = 1;
  while (2 * half < whole->leaves) half *= 2;
  size_t begin = whole->first * LEAF, middle = (whole->first + half) * LEAF;
  size_t count = points_before(tree, whole->first + whole->leaves) - begin;
  int axis = widest_axis(&whole->from[begin], count);
  cut(&whole->from[begin], &whole->other[begin], count, middle - begin, axis);
  *left = (subtree){whole->other, whole->from, whole->first, half};
  *right = (subtree){whole->other, whole->from, whole->first + half, whole->leaves - half};
}

// Writes the box of x[3][count] as box `number`.
static void set_box(mote_kdtree *tree, size_t number, const double *low, const double *high, size_t count) {
  mote_kdtree_node *parent = &tree->node[(number - 1) / FAN];
  for (int axis = 0; axis < 3; ++axis, low += count, high += count) {
    double least = low[0], most = high[0];
    for (size_t k = 1; k < count; ++k) {
      least = low[k] < least ? low[k] : least;
      most = high[k] > most ? high[k] : most;
    }
    parent->low[axis][(number - 1) % FAN] = least;
    parent->high[axis][(number - 1) % FAN] = most;
  }
}

static void write_leaf(mote_kdtree *tree, const record *points, size_t which) {
  mote_kdtree_leaf *leaf = &tree->leaf[which];
  size_t begin = which * LEAF, size = points_before(tree, which + 1) - begin;
  memset(leaf, 0xff, sizeof *leaf);  // all ones are a NaN
  for (size_t k = 0; k < size; ++k) {
    const record *r = &points[begin + k];
    for (int axis = 0; axis < 3; ++axis) leaf->x[axis][k] = r->x[axis];
    leaf->index[k] = (uint32_t)r->x[INDEX_AXIS];
  }
  set_box(tree, tree->first_leaf + which, leaf->x[0], leaf->x[0], LEAF);
}

// As deep as the number of leaves has bits.
static void build_subtree(mote_kdtree *tree, const subtree *whole) {
  if (whole->leaves == 1) {
    write_leaf(tree, whole->from, whole->first);
    return;
  }
  subtree left, right;
  split(tree, whole, &left, &right);
  build_subtree(tree, &left);
  build_subtree(tree, &right);
}

// --- Threads --------------------------------------------------------------------------------------------

static void copy_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  builder *build = data;
  for (size_t i = begin; i < end; ++i) {
    record r = {{0, 0, 0, (double)i}};
    for (int axis = 0; axis < build->tree->dimensions; ++axis) r.x[axis] = build->position[3 * i + axis];
    build->points[i] = r;
  }
}

static void split_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  builder *build = data;
  for (size_t i = begin; i < end; ++i) {
    const subtree *whole = &build->task[build->level % 2][i];
    subtree *half = &build->task[(build->level + 1) % 2][2 * i];
    half[0] = *whole;
    half[1] = (subtree){.leaves = 0};
    if (whole->leaves > TASK_LEAVES) split(build->tree, whole, &half[0], &half[1]);
  }
}

static void subtree_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  builder *build = data;
  for (size_t i = begin; i < end; ++i) {
    const subtree *whole = &build->task[TASK_LEVELS % 2][i];
    if (whole->leaves > 0) build_subtree(build->tree, whole);
  }
}

static void box_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  builder *build = data;
  for (size_t i = build->first_node + begin; i < build->first_node + end; ++i) {
    const mote_kdtree_node *node = &build->tree->node[i];
    set_box(build->tree, i, node->low[0], node->high[0], FAN);
  }
}

static void build_tree(builder *build) {
  mote_kdtree *tree = build->tree;
  int threads = tree->env.threads;
  mote_parallel_for(threads, tree->count, COPY_GRAIN, copy_task, build);
  memset(tree->node, 0xff, tree->nodes * sizeof *tree->node);
  build->task[0][0] = (subtree){build->points, build->points + tree->count, 0, tree->leaves};
  for (build->level = 0; build->level < TASK_LEVELS; ++build->level) {
    mote_parallel_for(threads, (size_t)1 << build->level, 1, split_task, build);
  }
  mote_parallel_for(threads, SUBTREE_TASKS, 1, subtree_task, build);
  size_t below = tree->leaves;
  for (size_t first = tree->first_leaf; first > 1; first = build->first_node) {
    build->first_node = (first - 1) / FAN;
    below = (below + FAN - 1) / FAN;
    mote_parallel_for(threads, below, NODE_GRAIN, box_task, build);
  }
}

mote_result mote_kdtree_build(mote_kdtree *tree, const double *position, mote_error *error) {
  MOTE_ASSERT(position != NULL || tree->count == 0);
  MOTE_ASSERT(tree->dimensions >= 1 && tree->dimensions <= 3);
  MOTE_ASSERT(tree->node != NULL && tree->leaf != NULL);
  size_t records = 2 * tree->count;
  builder build = {.tree = tree, .position = position};
  MOTE_ALLOC(build.points, &tree->env, records, error);
  if (tree->count > 0) build_tree(&build);
  mote_free(&tree->env, build.points, records, sizeof(record));
  return MOTE_OK;
}
