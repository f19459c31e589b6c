// Symbolic factorisation: order of elimination, elimination tree (Liu 1990) in postorder, columns of equal
// pattern joined to supernodes, small ones merged at the cost of some stored zeros (Ashcraft & Grimes 1989).
#include "num/supernodes.h"

#include <string.h>

#include "num/elimination_order.h"

#define NONE UINT32_MAX

typedef struct symbolic {
  mote_graph graph;
  mote_supernodes *t;
  uint32_t *parent;  // elimination tree of columns
  uint32_t *count;   // entries of a column of L
  uint32_t *node;    // supernode of a column
  uint32_t *mark;
} symbolic;

static void *take_or_fail(mote_arena *arena, size_t count, size_t size, mote_result *result,
                          mote_error *error) {
  void *taken = *result == MOTE_OK ? mote_arena_take(arena, count, size) : NULL;
  if (taken == NULL && *result == MOTE_OK) *result = mote_fail_memory(error, count * size);
  return taken;
}

// Both triangles without the diagonal; neighbours ascend.
static mote_result make_graph(const mote_sparse *a, mote_arena *scratch, mote_graph *graph,
                              mote_error *error) {
  size_t n = a->size, off = 2 * (a->first[n] - a->first[0] - n);
  mote_result result = MOTE_OK;
  size_t *first = take_or_fail(scratch, n + 2, sizeof *first, &result, error);
  uint32_t *near = take_or_fail(scratch, off, sizeof *near, &result, error);
  MOTE_TRY(result);
  memset(first, 0, (n + 2) * sizeof *first);
  size_t *end = first + 1;  // of the list so far; finally the beginning of the next
  for (size_t j = 0; j < n; ++j) {
    for (size_t e = a->first[j] + 1; e < a->first[j + 1]; ++e) ++end[a->row[e] + 1], ++end[j + 1];
  }
  for (size_t j = 0; j < n; ++j) end[j + 1] += end[j];
  for (size_t j = 0; j < n; ++j) {
    for (size_t e = a->first[j] + 1; e < a->first[j + 1]; ++e) near[end[a->row[e]]++] = (uint32_t)j;
  }
  for (size_t j = 0; j < n; ++j) {
    for (size_t e = a->first[j] + 1; e < a->first[j + 1]; ++e) near[end[j]++] = a->row[e];
  }
  *graph = (mote_graph){(uint32_t)n, first, near};
  return MOTE_OK;
}

static void set_order(mote_supernodes *t, uint32_t n) {
  for (uint32_t k = 0; k < n; ++k) t->position[t->order[k]] = k;
}

// parent[k]: the first column after k with an entry of L in row k's column; `ancestor` compresses paths.
static void find_tree(symbolic *s, uint32_t *ancestor) {
  for (uint32_t k = 0; k < s->graph.size; ++k) {
    uint32_t i = s->t->order[k];
    s->parent[k] = ancestor[k] = NONE;
    for (size_t e = s->graph.first[i]; e < s->graph.first[i + 1]; ++e) {
      uint32_t c = s->t->position[s->graph.near[e]];
      while (c < k && ancestor[c] != k) {
        uint32_t up = ancestor[c];
        ancestor[c] = k;
        if (up == NONE) s->parent[c] = up = k;
        c = up;
      }
    }
  }
}

// Renumbers the columns so that every subtree is a run. child and sibling: scratch lists.
static void postorder(symbolic *s, uint32_t *child, uint32_t *sibling, uint32_t *rank) {
  uint32_t n = s->graph.size, root = NONE, next = 0;
  for (uint32_t k = 0; k < n; ++k) child[k] = NONE;
  for (uint32_t k = n; k-- > 0;) {
    uint32_t *list = s->parent[k] == NONE ? &root : &child[s->parent[k]];
    sibling[k] = *list;
    *list = k;
  }
  for (uint32_t k = root; k != NONE;) {
    while (child[k] != NONE) {
      uint32_t down = child[k];
      child[k] = NONE;  // visited; parent[] leads back
      k = down;
    }
    rank[k] = next++;
    k = sibling[k] != NONE ? sibling[k] : s->parent[k];
  }
}

static void renumber(symbolic *s, const uint32_t *rank, uint32_t *order, uint32_t *parent) {
  uint32_t n = s->graph.size;
  for (uint32_t k = 0; k < n; ++k) {
    order[rank[k]] = s->t->order[k];
    parent[rank[k]] = s->parent[k] == NONE ? NONE : rank[s->parent[k]];
  }
  memcpy(s->t->order, order, n * sizeof *order);
  memcpy(s->parent, parent, n * sizeof *parent);
  set_order(s->t, n);
}

// Row k of L has an entry in every column on the paths of the tree from the entries of A in row k up to k.
static void count_columns(symbolic *s) {
  for (uint32_t k = 0; k < s->graph.size; ++k) {
    uint32_t i = s->t->order[k];
    s->count[k] = 1;
    s->mark[k] = k;
    for (size_t e = s->graph.first[i]; e < s->graph.first[i + 1]; ++e) {
      for (uint32_t c = s->t->position[s->graph.near[e]]; c < k && s->mark[c] != k; c = s->parent[c]) {
        ++s->count[c];
        s->mark[c] = k;
      }
    }
  }
}

// Whether columns [begin, end) may be one block: few zeros, or few columns.
static bool worth_merging(const symbolic *s, uint32_t begin, uint32_t end, size_t entries) {
  double columns = end - begin, rows = columns + s->count[end - 1] - 1.0;
  double block = columns * rows - 0.5 * columns * (columns - 1.0), zeros = block - (double)entries;
  double share = columns <= 4 ? 1.0 : columns <= 16 ? 0.8 : columns <= 48 ? 0.1 : 0.05;
  return zeros <= share * block;
}

static void find_supernodes(symbolic *s) {
  uint32_t n = s->graph.size, begin = 0;
  size_t entries = 0;
  mote_supernodes *t = s->t;
  for (uint32_t k = 0; k < n;) {
    uint32_t end = k + 1;
    size_t run = s->count[k];
    while (end < n && s->parent[end - 1] == end && s->count[end - 1] == s->count[end] + 1)
      run += s->count[end++];
    bool child = k > begin && s->parent[k - 1] == k;
    if (!child || !worth_merging(s, begin, end, entries + run)) {
      t->start[t->count++] = begin = k;
      entries = 0;
    }
    entries += run;
    t->entries += run;
    for (; k < end; ++k) s->node[k] = (uint32_t)t->count - 1;
  }
  t->start[t->count] = n;
}

// False when the blocks are too large to be counted in bytes.
static bool measure_blocks(symbolic *s) {
  mote_supernodes *t = s->t;
  t->row_first[0] = t->value_first[0] = 0;
  for (size_t k = 0; k < t->count; ++k) {
    uint32_t last = t->start[k + 1] - 1;
    size_t columns = mote_supernode_columns(t, k), rows = columns + s->count[last] - 1;
    if (rows > (SIZE_MAX / sizeof(double) - t->value_first[k]) / rows) return false;
    t->parent[k] = s->parent[last] == NONE ? NONE : s->node[s->parent[last]];
    t->row_first[k + 1] = t->row_first[k] + rows;
    t->value_first[k + 1] = t->value_first[k] + rows * columns;
  }
  return true;
}

// Rows in ascending order, each into the supernodes on its paths up the tree.
static void list_rows(symbolic *s, size_t *end) {
  mote_supernodes *t = s->t;
  for (size_t k = 0; k < t->count; ++k) {
    end[k] = t->row_first[k];
    s->mark[k] = NONE;
    for (uint32_t c = t->start[k]; c < t->start[k + 1]; ++c) t->row[end[k]++] = c;
  }
  for (uint32_t k = 0; k < s->graph.size; ++k) {
    uint32_t i = t->order[k];
    s->mark[s->node[k]] = k;
    for (size_t e = s->graph.first[i]; e < s->graph.first[i + 1]; ++e) {
      uint32_t c = t->position[s->graph.near[e]];
      if (c > k) continue;
      for (uint32_t b = s->node[c]; s->mark[b] != k; b = t->parent[b]) {
        t->row[end[b]++] = k;
        s->mark[b] = k;
      }
    }
  }
  for (size_t k = 0; k < t->count; ++k) MOTE_ASSERT(end[k] == t->row_first[k + 1]);
}

mote_result mote_supernodes_find(const mote_sparse *a, mote_arena *keep, mote_arena *scratch,
                                 mote_supernodes *out, mote_error *error) {
  MOTE_ASSERT(a != NULL && out != NULL);
  MOTE_ASSERT(keep != NULL && scratch != NULL && keep != scratch);
  size_t n = a->size;
  mote_result result = MOTE_OK;
  symbolic s = {.t = out};
  *out = (mote_supernodes){0};
  MOTE_TRY(make_graph(a, scratch, &s.graph, error));
  uint32_t *work[3];
  for (int k = 0; k < 3; ++k) work[k] = take_or_fail(scratch, n, sizeof *work[k], &result, error);
  uint32_t *copy = take_or_fail(scratch, s.graph.first[n], sizeof *copy, &result, error);
  s.parent = take_or_fail(scratch, n, sizeof *s.parent, &result, error);
  out->order = take_or_fail(keep, n, sizeof *out->order, &result, error);
  out->position = take_or_fail(keep, n, sizeof *out->position, &result, error);
  out->start = take_or_fail(keep, n + 1, sizeof *out->start, &result, error);
  out->parent = take_or_fail(keep, n, sizeof *out->parent, &result, error);
  out->row_first = take_or_fail(keep, n + 1, sizeof *out->row_first, &result, error);
  out->value_first = take_or_fail(keep, n + 1, sizeof *out->value_first, &result, error);
  size_t *end = take_or_fail(scratch, n, sizeof *end, &result, error);
  MOTE_TRY(result);
  memcpy(copy, s.graph.near, s.graph.first[n] * sizeof *copy);
  MOTE_TRY(
      mote_elimination_order((mote_graph){s.graph.size, s.graph.first, copy}, scratch, out->order, error));
  set_order(out, s.graph.size);
  find_tree(&s, work[0]);
  postorder(&s, work[0], work[1], work[2]);
  renumber(&s, work[2], work[0], work[1]);
  s.count = work[0], s.node = work[1], s.mark = work[2];
  count_columns(&s);
  find_supernodes(&s);
  if (!measure_blocks(&s)) return mote_fail_memory(error, SIZE_MAX);
  out->row = take_or_fail(keep, out->row_first[out->count], sizeof *out->row, &result, error);
  MOTE_TRY(result);
  list_rows(&s, end);
  return MOTE_OK;
}
