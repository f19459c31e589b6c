// Approximate minimum degree (Amestoy, Davis & Duff 1996). The graph during elimination is kept as a quotient
// graph: variables not yet eliminated, and elements, the cliques that eliminations left behind, each stored
// once by the list of its variables. Variables with equal neighbours are merged; elements within others are
// absorbed. A variable's degree is bounded by sums over its elements. Memory: about four times the graph.
#include "num/elimination_order.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct quotient {
  uint32_t size, left;  // unknowns; those not eliminated yet
  const size_t *first;  // of a variable's list: its elements, then its variables
  uint32_t *list;
  uint32_t *elements, *variables;  // their numbers
  uint32_t *weight;                // unknowns that a variable stands for; 0: no longer a variable
  uint32_t *degree;                // at least the unknowns next to a variable, itself not counted
  uint32_t *chain, *chain_end;     // the unknowns merged into a variable
  uint32_t *head, *next, *before;  // variables by degree
  uint32_t *bucket, *link;         // variables by hash
  uint64_t *mark, tick;            // scratch per node: mark[k] >= tick: visited
  bool *in_pivot;                  // belongs to the element under construction

  uint32_t *store;  // the elements' lists one after the other, oldest first
  size_t used, capacity;
  size_t *element_first;
  uint32_t *element_count;   // 0: absorbed
  uint32_t *element_weight;  // unknowns in it
  uint32_t *pivots, pivot_count;
} quotient;

static void degree_insert(quotient *g, uint32_t i) {
  uint32_t d = g->degree[i], other = g->head[d];
  g->next[i] = other;
  g->before[i] = NONE;
  if (other != NONE) g->before[other] = i;
  g->head[d] = i;
}

static void degree_remove(quotient *g, uint32_t i) {
  uint32_t next = g->next[i], before = g->before[i];
  if (next != NONE) g->before[next] = before;
  if (before != NONE) {
    g->next[before] = next;
  } else {
    g->head[g->degree[i]] = next;
  }
}

// Merges j into i: both are eliminated together.
static void merge(quotient *g, uint32_t i, uint32_t j) {
  g->weight[i] += g->weight[j];
  g->weight[j] = 0;
  g->chain[g->chain_end[i]] = j;
  g->chain_end[i] = g->chain_end[j];
}

// Removes absorbed elements. The others are never longer than the graph, so the capacity suffices.
static void compact(quotient *g) {
  size_t used = 0;
  for (uint32_t k = 0; k < g->pivot_count; ++k) {
    uint32_t e = g->pivots[k];
    memmove(g->store + used, g->store + g->element_first[e], g->element_count[e] * sizeof *g->store);
    g->element_first[e] = used;
    used += g->element_count[e];
  }
  g->used = used;
}

static void take_into_pivot(quotient *g, uint32_t i) {
  if (g->weight[i] == 0 || g->in_pivot[i]) return;
  g->in_pivot[i] = true;
  degree_remove(g, i);
  g->store[g->used++] = i;
}

// The new element: all neighbours of p, directly or through its elements, which it absorbs.
static void make_element(quotient *g, uint32_t p) {
  if (g->capacity - g->used < g->degree[p]) compact(g);
  size_t begin = g->used;
  const uint32_t *list = g->list + g->first[p];
  g->in_pivot[p] = true;
  for (uint32_t k = 0; k < g->elements[p]; ++k) {
    uint32_t e = list[k];
    for (uint32_t m = 0; m < g->element_count[e]; ++m) take_into_pivot(g, g->store[g->element_first[e] + m]);
    g->element_count[e] = 0;
  }
  for (uint32_t k = 0; k < g->variables[p]; ++k) take_into_pivot(g, list[g->elements[p] + k]);
  g->in_pivot[p] = false;
  g->element_first[p] = begin;
  g->element_count[p] = (uint32_t)(g->used - begin);
  g->pivots[g->pivot_count++] = p;
}

// Leaves in mark[e] - tick the unknowns of e outside the new element, for every adjacent element e.
static void measure_overlaps(quotient *g, uint32_t p) {
  g->tick += (uint64_t)g->size + 1;
  const uint32_t *pivot = g->store + g->element_first[p];
  for (uint32_t m = 0; m < g->element_count[p]; ++m) {
    const uint32_t *list = g->list + g->first[pivot[m]];
    for (uint32_t k = 0; k < g->elements[pivot[m]]; ++k) {
      uint32_t e = list[k];
      if (g->element_count[e] == 0) continue;
      if (g->mark[e] < g->tick) g->mark[e] = g->tick + g->element_weight[e];
      g->mark[e] -= g->weight[pivot[m]];
    }
  }
}

// Rewrites the list of i: the new element p, the elements that reach out of p, the variables outside p.
// Returns their number of unknowns, and a hash of the list.
static uint32_t update_list(quotient *g, uint32_t i, uint32_t p, uint32_t *hash) {
  uint32_t *list = g->list + g->first[i], kept = 0, outside = 0, sum = p;
  const uint32_t *variable = list + g->elements[i];
  for (uint32_t k = 0; k < g->elements[i]; ++k) {
    uint32_t e = list[k];
    if (g->element_count[e] == 0) continue;
    uint32_t beyond = (uint32_t)(g->mark[e] - g->tick);
    if (beyond == 0) {
      g->element_count[e] = 0;
      continue;
    }
    outside += beyond, sum += e;
    list[kept++] = e;
  }
  g->elements[i] = kept + 1;
  uint32_t end = kept;
  for (uint32_t k = 0; k < g->variables[i]; ++k) {
    uint32_t j = variable[k];
    if (g->weight[j] == 0 || g->in_pivot[j] || j == p) continue;
    outside += g->weight[j], sum += j;
    list[end++] = j;
  }
  g->variables[i] = end - kept;
  list[end] = list[kept];  // a slot for p: it replaces an entry that led to it
  list[kept] = p;
  *hash = sum % g->size;
  return outside;
}

static bool same_lists(quotient *g, uint32_t i, uint32_t j) {
  if (g->elements[i] != g->elements[j] || g->variables[i] != g->variables[j]) return false;
  const uint32_t *list = g->list + g->first[j];
  for (uint32_t k = 0; k < g->elements[j] + g->variables[j]; ++k) {
    if (g->mark[list[k]] != g->tick) return false;
  }
  return true;
}

// Merges the variables of one bucket that are indistinguishable. They are not in each other's lists,
// since all of them are in the new element.
static void merge_equal(quotient *g, uint32_t first) {
  for (uint32_t i = first; i != NONE && g->link[i] != NONE; i = g->link[i]) {
    const uint32_t *list = g->list + g->first[i];
    ++g->tick;
    for (uint32_t k = 0; k < g->elements[i] + g->variables[i]; ++k) g->mark[list[k]] = g->tick;
    for (uint32_t before = i, j = g->link[i]; j != NONE; j = g->link[j]) {
      if (same_lists(g, i, j)) {
        merge(g, i, j);
        g->link[before] = g->link[j];
      } else {
        before = j;
      }
    }
  }
}

static void update_neighbours(quotient *g, uint32_t p) {
  uint32_t *pivot = g->store + g->element_first[p], count = g->element_count[p], kept = 0, weight = 0;
  for (uint32_t m = 0; m < count; ++m) {
    uint32_t i = pivot[m], hash, outside = update_list(g, i, p, &hash);
    if (outside == 0) {
      g->left -= g->weight[i];
      merge(g, p, i);
      continue;
    }
    if (outside < g->degree[i]) g->degree[i] = outside;
    weight += g->weight[i];
    g->link[i] = g->bucket[hash];
    g->bucket[hash] = i;
    g->next[i] = hash;  // free while i is in no degree list
    pivot[kept++] = i;
  }
  g->tick += (uint64_t)g->size + 1;
  for (uint32_t m = 0; m < kept; ++m) {
    uint32_t hash = g->next[pivot[m]];
    merge_equal(g, g->bucket[hash]);
    g->bucket[hash] = NONE;
  }
  count = kept, kept = 0;
  for (uint32_t m = 0; m < count; ++m) {
    uint32_t i = pivot[m];
    g->in_pivot[i] = false;
    if (g->weight[i] == 0) continue;
    uint32_t bound = g->degree[i] + weight - g->weight[i], most = g->left - g->weight[i];
    g->degree[i] = bound < most ? bound : most;
    pivot[kept++] = i;
  }
  for (uint32_t m = kept; m-- > 0;) degree_insert(g, pivot[m]);
  g->element_count[p] = kept;
  g->element_weight[p] = weight;
}

// Unknowns with very many neighbours would be visited in every step; they are eliminated last anyway.
static uint32_t set_aside_dense(quotient *g) {
  double limit = fmax(16.0, 10.0 * sqrt((double)g->size));
  uint32_t dense = 0;
  for (uint32_t i = 0; i < g->size; ++i) {
    g->weight[i] = (double)(g->first[i + 1] - g->first[i]) > limit ? 0 : 1;
    dense += g->weight[i] == 0;
  }
  return dense;
}

static void begin(quotient *g) {
  g->left = g->size - set_aside_dense(g);
  for (uint32_t i = 0; i < g->size; ++i) {
    g->elements[i] = g->variables[i] = g->element_count[i] = 0;
    g->chain[i] = g->head[i] = g->bucket[i] = NONE;
    g->chain_end[i] = i;
    g->mark[i] = 0;
    g->in_pivot[i] = false;
  }
  for (uint32_t i = 0; i < g->size; ++i) {
    if (g->weight[i] == 0) continue;
    uint32_t *list = g->list + g->first[i], count = 0;
    for (size_t k = g->first[i]; k < g->first[i + 1]; ++k) {
      if (g->weight[g->list[k]] != 0) list[count++] = g->list[k];
    }
    g->variables[i] = g->degree[i] = count;
  }
  for (uint32_t i = g->size; i-- > 0;) {
    if (g->weight[i] != 0) degree_insert(g, i);
  }
}

static bool allocate(quotient *g, mote_arena *scratch) {
  size_t n = g->size;
  g->capacity = g->first[n] + n;
  uint32_t **arrays[] = {&g->elements,  &g->variables, &g->weight,        &g->degree,        &g->chain,
                         &g->chain_end, &g->head,      &g->next,          &g->before,        &g->bucket,
                         &g->link,      &g->pivots,    &g->element_count, &g->element_weight};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k) {
    *arrays[k] = mote_arena_take(scratch, n, sizeof **arrays[k]);
    if (*arrays[k] == NULL) return false;
  }
  g->store = mote_arena_take(scratch, g->capacity, sizeof *g->store);
  g->element_first = mote_arena_take(scratch, n, sizeof *g->element_first);
  g->mark = mote_arena_take(scratch, n, sizeof *g->mark);
  g->in_pivot = mote_arena_take(scratch, n, sizeof *g->in_pivot);
  return g->store != NULL && g->element_first != NULL && g->mark != NULL && g->in_pivot != NULL;
}

static void write_order(const quotient *g, uint32_t *order) {
  uint32_t k = 0;
  for (uint32_t m = 0; m < g->pivot_count; ++m) {
    for (uint32_t i = g->pivots[m]; i != NONE; i = g->chain[i]) order[k++] = i, g->in_pivot[i] = true;
  }
  for (uint32_t i = 0; i < g->size; ++i) {
    if (!g->in_pivot[i]) order[k++] = i;
  }
}

mote_result mote_elimination_order(mote_graph graph, mote_arena *scratch, uint32_t *order,
                                   mote_error *error) {
  MOTE_ASSERT(graph.size == 0 || (graph.first != NULL && graph.first[0] == 0));
  MOTE_ASSERT(graph.size == 0 || graph.first[graph.size] == 0 || graph.near != NULL);
  MOTE_ASSERT(scratch != NULL && (order != NULL || graph.size == 0));
  quotient g = {.size = graph.size, .first = graph.first, .list = graph.near};
  if (graph.size == 0) return MOTE_OK;
  if (!allocate(&g, scratch)) return mote_fail_memory(error, g.capacity * sizeof *g.store);
  begin(&g);
  uint32_t least = 0;
  while (g.left > 0) {
    while (g.head[least] == NONE) ++least;
    uint32_t p = g.head[least];
    degree_remove(&g, p);
    make_element(&g, p);
    g.left -= g.weight[p];
    measure_overlaps(&g, p);
    update_neighbours(&g, p);
    for (uint32_t m = 0; m < g.element_count[p]; ++m) {
      uint32_t d = g.degree[g.store[g.element_first[p] + m]];
      if (d < least) least = d;
    }
    g.weight[p] = 0;
  }
  for (uint32_t i = 0; i < g.size; ++i) g.in_pivot[i] = false;
  write_order(&g, order);
  return MOTE_OK;
}
