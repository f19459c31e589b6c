// Fragments of a cut grid: connected components of inner nodes over uncut edges; small ones are merged with a
// neighbour. See cut_grid.h.
#include <stdlib.h>

#include "base/arena.h"
#include "base/sets.h"
#include "fragments/cut_grid.h"

typedef struct division {
  mote_cut_grid *grid;
  uint32_t *parent;   // of each node: a smaller one of its component, or itself
  uint32_t *nodes;    // of each component: nodes it has
  uint32_t *held;     // of each component: particles it has
  uint32_t *label;    // of each component: that of its particles; NONE: it has none
  uint32_t *partner;  // of each component: the one it is rejoined to, or NONE
  uint32_t *anchor;   // of each component: the home by which it is
  struct border *border;
  mote_arena *memory;
} division;

// A cut edge of a component that is too small to remain.
typedef struct border {
  uint32_t from, to;  // components
} border;

static void join_all(division *d) {
  const mote_cut_grid *g = d->grid;
  for (uint32_t n = 0; n < g->nodes; ++n) d->parent[n] = n;
  for (uint32_t n = 0; n < g->nodes; ++n) {
    int parity = mote_cut_grid_parity(g, n);
    if (!g->inside[n]) continue;
    for (uint32_t k = 0; k < MOTE_NODE_EDGES; ++k) {
      if (g->mark[MOTE_NODE_EDGES * n + k] != MOTE_CUT_NONE) continue;
      uint32_t end = g->number[g->site[n] + mote_cut_grid_step(g, parity, g->table.direction[k])];
      if (d->parent[end] != d->parent[n]) mote_set_join(d->parent, n, end);
    }
  }
}

// Numbers components by their first nodes, in grid->fragment, and counts their nodes and particles.
static void number_all(division *d, const mote_cut_matter *matter) {
  mote_cut_grid *g = d->grid;
  g->fragments = 0;
  for (uint32_t n = 0; n < g->nodes; ++n) {
    g->fragment[n] = MOTE_CUT_NONE;
    if (!g->inside[n]) continue;
    uint32_t root = mote_set_root(d->parent, n);
    if (root == n) {
      d->nodes[g->fragments] = d->held[g->fragments] = 0;
      d->label[g->fragments] = MOTE_CUT_NONE;
      g->fragment[n] = (uint32_t)g->fragments++;
    }
    g->fragment[n] = g->fragment[root];
    ++d->nodes[g->fragment[n]];
  }
  for (size_t k = 0; matter != NULL && k < matter->count; ++k) {
    if (matter->node[k] == MOTE_CUT_NONE) continue;
    uint32_t f = g->fragment[matter->node[k]];
    ++d->held[f];
    d->label[f] = matter->label != NULL ? matter->label[k] : 0;
  }
}

static int compare_borders(const void *left, const void *right) {
  const border *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

// Chooses the partners of components that are too small; returns the number of those that have one.
static size_t choose_partners(division *d, size_t least, const mote_cut_matter *matter) {
  const mote_cut_grid *g = d->grid;
  size_t borders = 0, chosen = 0;
  for (size_t c = 0; c < g->cuts; ++c) {
    uint32_t ends[2] = {g->fragment[g->cut[c].edge / MOTE_NODE_EDGES],
                        g->fragment[mote_cut_grid_end(g, g->cut[c].edge)]};
    for (int k = 0; k < 2 && ends[0] != ends[1]; ++k) {
      uint32_t from = ends[k], to = ends[1 - k];
      bool stays = d->nodes[from] >= least && (matter == NULL || d->held[from] >= matter->least);
      bool other = d->label[from] != MOTE_CUT_NONE && d->label[to] != d->label[from];
      if (!stays && !other) d->border[borders++] = (border){from, to};
    }
  }
  if (borders > 0) qsort(d->border, borders, sizeof *d->border, compare_borders);
  for (size_t f = 0; f < g->fragments; ++f) d->partner[f] = MOTE_CUT_NONE;
  for (size_t first = 0, most = 0, end; first < borders; first = end) {
    const border *b = d->border + first;
    for (end = first; end < borders && compare_borders(b, d->border + end) == 0;) ++end;
    if (first == 0 || b[-1].from != b->from) most = 0, ++chosen;
    if (end - first > most) most = end - first, d->partner[b->from] = b->to;
  }
  return chosen;
}

// A component between the faces of an open crack borders on both; it is merged with one of them.
static bool is_across(division *d, const mote_cut_matter *matter, uint32_t small, uint32_t beyond) {
  uint32_t home = matter != NULL && matter->apart != NULL ? d->grid->home[beyond] : MOTE_CUT_NONE;
  if (home == MOTE_CUT_NONE) return false;
  if (d->anchor[small] == MOTE_CUT_NONE) d->anchor[small] = home;
  return home != d->anchor[small] && matter->apart(matter->user, d->anchor[small], home);
}

// Cuts between merged components are ignored.
static void rejoin(division *d, const mote_cut_matter *matter) {
  mote_cut_grid *g = d->grid;
  for (size_t f = 0; f < g->fragments; ++f) d->anchor[f] = MOTE_CUT_NONE;
  for (size_t c = 0; c < g->cuts; ++c) {
    uint32_t a = g->cut[c].edge / MOTE_NODE_EDGES, b = mote_cut_grid_end(g, g->cut[c].edge);
    uint32_t from = g->fragment[a], to = g->fragment[b];
    if (from == to || (d->partner[from] != to && d->partner[to] != from)) continue;
    bool up = d->partner[from] == to;
    if (is_across(d, matter, up ? from : to, up ? b : a)) continue;
    g->mark[g->cut[c].edge] = MOTE_CUT_NONE;
    mote_set_join(d->parent, a, b);
  }
}

static mote_result divide(division *d, size_t least, const mote_cut_matter *matter, mote_error *error) {
  mote_cut_grid *g = d->grid;
  join_all(d);
  number_all(d, matter);
  if (matter != NULL && (matter->label != NULL || matter->homes)) {
    MOTE_TRY(mote_cut_grid_part_labels(g, matter, error));
    if (g->label_cuts > 0) join_all(d), number_all(d, matter);
  }
  MOTE_TAKE(d->border, d->memory, 2 * g->cuts + 1, error);
  // Every round has fewer components than the one before.
  while (choose_partners(d, least, matter) > 0) {
    rejoin(d, matter);
    number_all(d, matter);
  }
  for (size_t c = 0; c < g->cuts; ++c) g->joined_cuts += g->mark[g->cut[c].edge] == MOTE_CUT_NONE;
  return matter != NULL && matter->homes ? mote_cut_grid_spread_homes(g, matter, error) : MOTE_OK;
}

mote_result mote_cut_grid_divide(mote_cut_grid *grid, size_t least, const mote_cut_matter *matter,
                                 mote_error *error) {
  MOTE_ASSERT(grid != NULL && (matter == NULL || matter->node != NULL || matter->count == 0));
  mote_arena own = mote_arena_make(&grid->env);
  division d = {.grid = grid, .memory = &own};
  mote_cut_grid_restore(grid);
  d.parent = mote_arena_take(&own, grid->nodes, sizeof *d.parent);
  d.nodes = mote_arena_take(&own, grid->nodes, sizeof *d.nodes);
  d.held = mote_arena_take(&own, grid->nodes, sizeof *d.held);
  d.label = mote_arena_take(&own, grid->nodes, sizeof *d.label);
  d.partner = mote_arena_take(&own, grid->nodes, sizeof *d.partner);
  d.anchor = mote_arena_take(&own, grid->nodes, sizeof *d.anchor);
  mote_result result = d.parent && d.nodes && d.held && d.label && d.partner && d.anchor
                           ? divide(&d, least, matter, error)
                           : mote_fail_memory(error, 6 * grid->nodes * sizeof *d.parent);
  mote_arena_destroy(&own);
  return result;
}

void mote_cut_grid_close_slits(mote_cut_grid *grid, bool (*closed)(void *user, size_t cut), void *user) {
  MOTE_ASSERT(grid != NULL);
  for (size_t c = 0; c < grid->cuts; ++c) {
    uint32_t edge = grid->cut[c].edge, a = edge / MOTE_NODE_EDGES, b = mote_cut_grid_end(grid, edge);
    if (grid->mark[edge] == MOTE_CUT_NONE || grid->fragment[a] != grid->fragment[b]) continue;
    if (closed != NULL && !closed(user, c)) continue;
    grid->mark[edge] = MOTE_CUT_NONE;
    ++grid->joined_cuts;
  }
}
