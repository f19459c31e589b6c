// Solves in lanes: see cholesky_lanes.h. Blocks of L are stored in strips of four columns, each in groups of
// four rows, column by column: lanes are rows. Subtrees store their contributions to the columns above them
// separately; these are then added in the order of the subtrees.
#include "num/cholesky_lanes.h"

#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "num/sparse_cholesky.h"

#define STRIP_COLUMNS 4
#define TREES_MAX 32

typedef struct tree {
  size_t first, last;  // supernodes, the last is its root
  size_t work;
} tree;

struct mote_cholesky_lanes {
  mote_arena arena;
  const mote_supernodes *t;
  size_t *strip_first;  // of a supernode's strips
  float *strip;
  float *x;  // by elimination
  tree trees[TREES_MAX];
  size_t tree_count, tops;  // tops: columns in no tree
  uint32_t *top_node;       // supernodes in no tree, ascending
  size_t top_nodes;
  uint32_t *top;   // number of a column among them
  float *apart;    // contributions of each tree to them
  float *scratch;  // rows of a frontal block, for every tree and one more
  size_t highest;  // floats of the largest frontal block
};

// --- The trees ------------------------------------------------------------------------------------------

static size_t strips_of(size_t columns) {
  return (columns + STRIP_COLUMNS - 1) / STRIP_COLUMNS;
}

// Rows of a frontal block, padded to a multiple of four.
static size_t height_of(const mote_supernodes *t, size_t s) {
  return strips_of(mote_supernode_rows(t, s)) * STRIP_COLUMNS;
}

static size_t size_of(const mote_supernodes *t, size_t s) {
  return strips_of(mote_supernode_columns(t, s)) * height_of(t, s) * STRIP_COLUMNS;
}

// The first supernode of the subtree that ends with `root`: those of a subtree are contiguous.
static size_t first_of(const mote_supernodes *t, size_t root) {
  size_t s = root;
  while (s > 0 && t->parent[s - 1] <= root) --s;
  return s;
}

static tree tree_of(const mote_supernodes *t, size_t root) {
  tree k = {.first = first_of(t, root), .last = root};
  for (size_t s = k.first; s <= root; ++s) k.work += size_of(t, s);
  return k;
}

// Replaces tree k by the subtrees of its children. False without capacity or children.
static bool split(mote_cholesky_lanes *l, size_t k) {
  tree old = l->trees[k];
  size_t children = 0;
  for (size_t s = old.first; s < old.last; ++s) children += l->t->parent[s] == old.last;
  if (children == 0 || l->tree_count + children > TREES_MAX) return false;
  l->trees[k] = l->trees[--l->tree_count];
  for (size_t s = old.first; s < old.last; ++s) {
    if (l->t->parent[s] == old.last) l->trees[l->tree_count++] = tree_of(l->t, s);
  }
  return true;
}

// Whether the critical path, through the largest tree and then the columns in no tree, is no longer if its
// root is in no tree.
static bool is_worth_it(const mote_cholesky_lanes *l, size_t most) {
  size_t below = l->trees[most].work - size_of(l->t, l->trees[most].last);
  for (size_t k = 0; k < l->tree_count; ++k) {
    if (k != most && l->trees[k].work > below) return false;
  }
  return true;
}

static void find_trees(mote_cholesky_lanes *l) {
  const mote_supernodes *t = l->t;
  for (size_t s = 0; s < t->count; ++s) {
    if (t->parent[s] == UINT32_MAX && l->tree_count < TREES_MAX) l->trees[l->tree_count++] = tree_of(t, s);
  }
  for (bool more = true; more;) {
    size_t most = 0;
    for (size_t k = 1; k < l->tree_count; ++k) most = l->trees[k].work > l->trees[most].work ? k : most;
    more = l->tree_count > 0 && is_worth_it(l, most) && split(l, most);
  }
}

static void find_tops(mote_cholesky_lanes *l) {
  const mote_supernodes *t = l->t;
  for (size_t s = 0; s < t->count; ++s) {
    bool below = false;
    for (size_t k = 0; k < l->tree_count; ++k) below |= l->trees[k].first <= s && s <= l->trees[k].last;
    if (below) continue;
    l->top_node[l->top_nodes++] = (uint32_t)s;
    for (size_t c = t->start[s]; c < t->start[s + 1]; ++c) l->top[c] = (uint32_t)l->tops++;
  }
}

// --- Creation -----------------------------------------------------------------------------------------

static mote_result prepare(mote_cholesky_lanes *l, mote_error *error) {
  const mote_supernodes *t = l->t;
  size_t size = t->start[t->count], entries = 0;
  MOTE_TAKE(l->strip_first, &l->arena, t->count + 1, error);
  MOTE_TAKE(l->top_node, &l->arena, t->count, error);
  MOTE_TAKE(l->top, &l->arena, size, error);
  MOTE_TAKE(l->x, &l->arena, size, error);
  for (size_t s = 0; s < t->count; ++s) {
    l->strip_first[s] = entries;
    entries += size_of(t, s);
    l->highest = height_of(t, s) > l->highest ? height_of(t, s) : l->highest;
  }
  find_trees(l);
  find_tops(l);
  MOTE_TAKE(l->strip, &l->arena, entries, error);
  MOTE_TAKE(l->apart, &l->arena, l->tree_count * l->tops + 1, error);
  MOTE_TAKE(l->scratch, &l->arena, (l->tree_count + 1) * l->highest, error);
  return MOTE_OK;
}

mote_result mote_cholesky_lanes_create(const mote_cholesky *factor, const mote_env *env,
                                       mote_cholesky_lanes **out, mote_error *error) {
  MOTE_ASSERT(factor != NULL && out != NULL);
  mote_env use = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_cholesky_lanes, l, &use, 1, error);
  *l = (mote_cholesky_lanes){.arena = mote_arena_make(&use), .t = mote_cholesky_supernodes(factor)};
  mote_result result = prepare(l, error);
  if (result == MOTE_OK) {
    mote_cholesky_lanes_update(l, factor);
    *out = l;
  } else {
    mote_cholesky_lanes_destroy(l);
  }
  return result;
}

void mote_cholesky_lanes_destroy(mote_cholesky_lanes *l) {
  if (l == NULL) return;
  mote_env env = l->arena.env;
  mote_arena_destroy(&l->arena);
  mote_free(&env, l, 1, sizeof *l);
}

// Offset of an entry of a frontal block.
static size_t place_of(size_t height, size_t r, size_t c) {
  return c / STRIP_COLUMNS * height * STRIP_COLUMNS + r / STRIP_COLUMNS * STRIP_COLUMNS * STRIP_COLUMNS +
         c % STRIP_COLUMNS * STRIP_COLUMNS + r % STRIP_COLUMNS;
}

// Above the diagonal, and in padding rows and columns of a strip, zeros; in place of the diagonal its
// inverse.
void mote_cholesky_lanes_update(mote_cholesky_lanes *l, const mote_cholesky *factor) {
  MOTE_ASSERT(l->t == mote_cholesky_supernodes(factor));
  MOTE_ASSERT(mote_cholesky_blocks(factor) != NULL);
  const mote_supernodes *t = l->t;
  const double *value = mote_cholesky_blocks(factor);
  for (size_t s = 0; s < t->count; ++s) {
    size_t rows = mote_supernode_rows(t, s), columns = mote_supernode_columns(t, s), height = height_of(t, s);
    const double *block = value + t->value_first[s];
    float *to = l->strip + l->strip_first[s];
    memset(to, 0, size_of(t, s) * sizeof *to);
    for (size_t c = 0; c < columns; ++c) {
      for (size_t r = c; r < rows; ++r) {
        double entry = block[c * rows + r];
        to[place_of(height, r, c)] = (float)(r == c ? 1.0 / entry : entry);
      }
    }
  }
}

// --- A frontal block ------------------------------------------------------------------------------------

// Four columns of a frontal block: y = L^-1 x for them, and their contributions to the rows below. Rows of
// the frontal block in the same group of four as the strip's own columns are processed one by one.
static void strip_down(const float *L, size_t at, size_t width, size_t rows, float *x) {
  float y[STRIP_COLUMNS] = {0};
  const float *own = L + at * STRIP_COLUMNS;
  for (size_t a = 0; a < STRIP_COLUMNS; ++a) {
    float sum = x[at + a];
    for (size_t b = 0; b < a; ++b) sum -= own[b * STRIP_COLUMNS + a] * y[b];
    y[a] = a < width ? sum * own[a * STRIP_COLUMNS + a] : 0.0f;
    x[at + a] = a < width ? y[a] : sum;
  }
  for (size_t r = at + STRIP_COLUMNS; r < rows; r += STRIP_COLUMNS) {
    const float *c = L + r * STRIP_COLUMNS;
    mote_lane lane = mote_lane_load(x + r);
    lane -= (mote_lane_load(c) * y[0] + mote_lane_load(c + 4) * y[1]) +
            (mote_lane_load(c + 8) * y[2] + mote_lane_load(c + 12) * y[3]);
    memcpy(x + r, &lane, sizeof lane);
  }
}

static void strip_up(const float *L, size_t at, size_t width, size_t rows, float *x) {
  mote_lane y[STRIP_COLUMNS] = {{0}};
  const float *own = L + at * STRIP_COLUMNS;
  for (size_t r = at + STRIP_COLUMNS; r < rows; r += STRIP_COLUMNS) {
    const float *c = L + r * STRIP_COLUMNS;
    mote_lane known = mote_lane_load(x + r);
    y[0] += mote_lane_load(c) * known, y[1] += mote_lane_load(c + 4) * known;
    y[2] += mote_lane_load(c + 8) * known, y[3] += mote_lane_load(c + 12) * known;
  }
  for (size_t a = width; a-- > 0;) {
    float sum = x[at + a] - ((y[a][0] + y[a][1]) + (y[a][2] + y[a][3]));
    for (size_t b = a + 1; b < STRIP_COLUMNS; ++b) sum -= own[a * STRIP_COLUMNS + b] * x[at + b];
    x[at + a] = sum * own[a * STRIP_COLUMNS + a];
  }
}

// --- Solving --------------------------------------------------------------------------------------------

// A frontal block's own rows are contiguous in x; those below are gathered and, downwards, contributions to
// them are added to x or, at and above column `end`, stored separately.
static void node_down(mote_cholesky_lanes *l, size_t s, size_t end, float *frontal, float *apart) {
  const mote_supernodes *t = l->t;
  size_t rows = mote_supernode_rows(t, s), columns = mote_supernode_columns(t, s);
  size_t height = height_of(t, s);
  const uint32_t *row = t->row + t->row_first[s];
  const float *L = l->strip + l->strip_first[s];
  memcpy(frontal, l->x + t->start[s], columns * sizeof *frontal);
  memset(frontal + columns, 0, (height - columns) * sizeof *frontal);
  for (size_t c = 0; c < columns; c += STRIP_COLUMNS, L += height * STRIP_COLUMNS) {
    strip_down(L, c, columns - c < STRIP_COLUMNS ? columns - c : STRIP_COLUMNS, rows, frontal);
  }
  memcpy(l->x + t->start[s], frontal, columns * sizeof *frontal);
  for (size_t r = columns; r < rows; ++r) {
    *(row[r] < end ? l->x + row[r] : apart + l->top[row[r]]) += frontal[r];
  }
}

static void node_up(mote_cholesky_lanes *l, size_t s, float *frontal) {
  const mote_supernodes *t = l->t;
  size_t rows = mote_supernode_rows(t, s), columns = mote_supernode_columns(t, s);
  size_t height = height_of(t, s);
  const uint32_t *row = t->row + t->row_first[s];
  const float *L = l->strip + l->strip_first[s];
  for (size_t r = 0; r < rows; ++r) frontal[r] = l->x[row[r]];
  memset(frontal + rows, 0, (height - rows) * sizeof *frontal);
  for (size_t q = strips_of(columns); q-- > 0;) {
    size_t c = q * STRIP_COLUMNS, width = columns - c < STRIP_COLUMNS ? columns - c : STRIP_COLUMNS;
    strip_up(L + q * height * STRIP_COLUMNS, c, width, rows, frontal);
  }
  memcpy(l->x + t->start[s], frontal, columns * sizeof *frontal);
}

static void trees_down(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_cholesky_lanes *l = data;
  for (size_t k = begin; k < end; ++k) {
    const tree *own = &l->trees[k];
    float *apart = l->apart + k * l->tops;
    memset(apart, 0, l->tops * sizeof *apart);
    for (size_t s = own->first; s <= own->last; ++s) {
      node_down(l, s, l->t->start[own->last + 1], l->scratch + k * l->highest, apart);
    }
  }
}

static void trees_up(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_cholesky_lanes *l = data;
  for (size_t k = begin; k < end; ++k) {
    for (size_t s = l->trees[k].last + 1; s-- > l->trees[k].first;) {
      node_up(l, s, l->scratch + k * l->highest);
    }
  }
}

static void add_apart(mote_cholesky_lanes *l) {
  size_t at = 0;
  for (size_t n = 0; n < l->top_nodes; ++n) {
    for (size_t c = l->t->start[l->top_node[n]]; c < l->t->start[l->top_node[n] + 1]; ++c, ++at) {
      for (size_t k = 0; k < l->tree_count; ++k) l->x[c] += l->apart[k * l->tops + at];
    }
  }
}

void mote_cholesky_lanes_solve(mote_cholesky_lanes *l, const double *in, double *out) {
  MOTE_ASSERT(in != NULL && out != NULL);
  MOTE_ASSERT(l->t->start[0] == 0);
  const mote_supernodes *t = l->t;
  size_t size = t->start[t->count];
  float *frontal = l->scratch + l->tree_count * l->highest;
  for (size_t k = 0; k < size; ++k) l->x[k] = (float)in[t->order[k]];
  mote_parallel_for(l->arena.env.threads, l->tree_count, 1, trees_down, l);
  add_apart(l);
  for (size_t n = 0; n < l->top_nodes; ++n) node_down(l, l->top_node[n], size, frontal, NULL);
  for (size_t n = l->top_nodes; n-- > 0;) node_up(l, l->top_node[n], frontal);
  mote_parallel_for(l->arena.env.threads, l->tree_count, 1, trees_up, l);
  for (size_t k = 0; k < size; ++k) out[t->order[k]] = (double)l->x[k];
}
