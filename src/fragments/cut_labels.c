// Homes of the nodes of a cut grid, and cuts between them: see cut_grid.h. A node's home is the nearest
// particle that is reachable over uncut edges. Where cracks have separated particles but have not met yet,
// edges between homes of different bodies, or between homes that have separated, are cut at equal distance
// from both. Theory: docs/theory/fragments.md, "Labels"
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "fragments/cut_grid.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

void mote_cut_site_position(const mote_cut_grid *g, size_t site, double x[3]) {
  size_t layer = site / ((size_t)g->size[0] * g->size[1]), parity = layer & 1;
  size_t row = site / g->size[0] % g->size[1], column = site % g->size[0];
  const double at[3] = {(double)(2 * column + parity), (double)(2 * row + parity), (double)layer};
  step3(g->origin, g->half, at, x);
}

void mote_cut_grid_position(const mote_cut_grid *grid, uint32_t node, double x[3]) {
  MOTE_ASSERT(node < grid->nodes);
  mote_cut_site_position(grid, grid->site[node], x);
}

#define RELABEL_ROUNDS 8  // in which nodes look for a nearer particle among those of their neighbours

typedef struct labelling {
  mote_cut_grid *grid;
  const mote_cut_matter *matter;
  uint32_t *first;  // of each component: a label in it; NONE
  uint8_t *wanted;  // of each component: its nodes get homes
  uint32_t *queue;  // nodes with homes, in the order in which they were reached
  size_t reached;
  uint8_t *stale;                        // of each node: a home beside it has changed since it looked
  int64_t step[2][2 * MOTE_NODE_EDGES];  // sites to the neighbours, by parity: upwards, then downwards
} labelling;

static void fill_steps(labelling *l) {
  for (int k = 0; k < 2 * 2 * MOTE_NODE_EDGES; ++k) {
    int parity = k / (2 * MOTE_NODE_EDGES), edge = k % (2 * MOTE_NODE_EDGES);
    const int8_t *d = l->grid->table.direction[edge % MOTE_NODE_EDGES];
    const int8_t back[3] = {(int8_t)-d[0], (int8_t)-d[1], (int8_t)-d[2]};
    l->step[parity][edge] = mote_cut_grid_step(l->grid, parity, edge < MOTE_NODE_EDGES ? d : back);
  }
}

// The node beyond an uncut edge, k below MOTE_NODE_EDGES upwards, then downwards; NONE. `step`: those of the
// node's parity.
static uint32_t beyond(const mote_cut_grid *g, const int64_t *step, uint32_t node, int k) {
  uint32_t to = g->number[g->site[node] + step[k]];
  if (to == MOTE_CUT_NONE || !g->inside[to]) return MOTE_CUT_NONE;
  uint32_t edge = k < MOTE_NODE_EDGES ? MOTE_NODE_EDGES * node + (uint32_t)k
                                      : MOTE_NODE_EDGES * to + (uint32_t)(k - MOTE_NODE_EDGES);
  return g->mark[edge] == MOTE_CUT_NONE ? to : MOTE_CUT_NONE;
}

static double square_to(const labelling *l, uint32_t node, uint32_t particle) {
  double x[3];
  mote_cut_grid_position(l->grid, node, x);
  sub3(l->matter->position + 3 * (size_t)particle, x, x);
  return dot3(x, x);
}

// Selects the components with particles of several labels, or all if homes are requested; returns whether
// there are any.
static bool find_wanted(labelling *l) {
  const mote_cut_matter *m = l->matter;
  bool any = m->homes;
  for (size_t f = 0; f < l->grid->fragments; ++f) l->first[f] = MOTE_CUT_NONE, l->wanted[f] = m->homes;
  for (size_t i = 0; m->label != NULL && i < m->count; ++i) {
    if (m->node[i] == MOTE_CUT_NONE) continue;
    uint32_t f = l->grid->fragment[m->node[i]];
    if (l->first[f] == MOTE_CUT_NONE) l->first[f] = m->label[i];
    if (l->first[f] != m->label[i]) l->wanted[f] = 1, any = true;
  }
  return any;
}

// Breadth-first search from the nodes in the queue: assigns homes to nodes that have none.
static void spread(labelling *l) {
  mote_cut_grid *g = l->grid;
  for (size_t q = 0; q < l->reached; ++q) {
    const int64_t *step = l->step[mote_cut_grid_parity(g, l->queue[q])];
    for (int k = 0; k < 2 * MOTE_NODE_EDGES; ++k) {
      uint32_t to = beyond(g, step, l->queue[q], k);
      if (to == MOTE_CUT_NONE || g->home[to] != MOTE_CUT_NONE) continue;
      g->home[to] = g->home[l->queue[q]];
      l->queue[l->reached++] = to;
    }
  }
}

static bool take_nearer_label(labelling *l, uint32_t n) {
  mote_cut_grid *g = l->grid;
  const int64_t *step = l->step[mote_cut_grid_parity(g, n)];
  double least = -1.0;
  uint32_t last = g->home[n];
  for (int k = 0; k < 2 * MOTE_NODE_EDGES; ++k) {
    uint32_t by = beyond(g, step, n, k);
    if (by == MOTE_CUT_NONE || g->home[by] == g->home[n]) continue;
    if (least < 0.0) least = square_to(l, n, g->home[n]);
    double square = square_to(l, n, g->home[by]);
    if (square < least) least = square, g->home[n] = g->home[by];
  }
  l->stale[n] = 0;
  for (int k = 0; k < 2 * MOTE_NODE_EDGES && g->home[n] != last; ++k) {
    uint32_t by = beyond(g, step, n, k);
    if (by != MOTE_CUT_NONE) l->stale[by] = 1;
  }
  return g->home[n] != last;
}

static void find_homes(labelling *l) {
  const mote_cut_matter *m = l->matter;
  mote_cut_grid *g = l->grid;
  for (size_t n = 0; n < g->nodes; ++n) g->home[n] = MOTE_CUT_NONE;
  for (uint32_t i = 0; i < m->count; ++i) {
    uint32_t n = m->node[i];
    if (n == MOTE_CUT_NONE || !l->wanted[g->fragment[n]]) continue;
    if (g->home[n] == MOTE_CUT_NONE) l->queue[l->reached++] = n, g->home[n] = i;
    if (square_to(l, n, i) < square_to(l, n, g->home[n])) g->home[n] = i;
  }
  spread(l);
  bool nearer = true;
  memset(l->stale, 1, g->nodes);
  for (int round = 0; round < RELABEL_ROUNDS && nearer; ++round) {
    nearer = false;
    for (size_t q = 0; q < l->reached; ++q)
      if (l->stale[l->queue[q]]) nearer |= take_nearer_label(l, l->queue[q]);
  }
}

static mote_result cut_between(labelling *l, uint32_t edge, mote_error *error) {
  mote_cut_grid *g = l->grid;
  uint32_t a = edge / MOTE_NODE_EDGES, b = mote_cut_grid_end(g, edge), p = g->home[a], q = g->home[b];
  double at_a = square_to(l, a, p) - square_to(l, a, q), at_b = square_to(l, b, p) - square_to(l, b, q);
  double at = at_a < at_b ? -at_a / (at_b - at_a) : 0.5;
  MOTE_TRY(mote_reserve(&g->env, &g->cut, &g->cut_capacity, g->cuts + 1, sizeof *g->cut, error));
  mote_edge_cut *cut = g->cut + g->cuts;
  *cut =
      (mote_edge_cut){.edge = edge, .at = min2(max2(at, MOTE_CUT_LEAST_SHARE), 1.0 - MOTE_CUT_LEAST_SHARE)};
  sub3(l->matter->position + 3 * (size_t)q, l->matter->position + 3 * (size_t)p, cut->normal);
  g->mark[edge] = (uint32_t)g->cuts++;
  ++g->label_cuts;
  return MOTE_OK;
}

static mote_result part(labelling *l, mote_error *error) {
  const mote_cut_matter *m = l->matter;
  const uint32_t *home = l->grid->home;
  find_homes(l);
  for (uint32_t n = 0; n < l->grid->nodes; ++n) {
    if (home[n] == MOTE_CUT_NONE) continue;
    const int64_t *step = l->step[mote_cut_grid_parity(l->grid, n)];
    for (int k = 0; k < MOTE_NODE_EDGES; ++k) {
      uint32_t to = beyond(l->grid, step, n, k);
      if (to == MOTE_CUT_NONE || home[to] == home[n]) continue;
      bool apart = m->label != NULL && m->label[home[to]] != m->label[home[n]];
      if (!apart && m->apart != NULL) apart = m->apart(m->user, home[n], home[to]);
      if (apart) MOTE_TRY(cut_between(l, MOTE_NODE_EDGES * n + (uint32_t)k, error));
    }
  }
  return MOTE_OK;
}

mote_result mote_cut_grid_part_labels(mote_cut_grid *grid, const mote_cut_matter *matter, mote_error *error) {
  MOTE_ASSERT(matter->position != NULL && grid->label_cuts == 0);
  mote_arena own = mote_arena_make(&grid->env);
  labelling l = {.grid = grid, .matter = matter};
  l.first = mote_arena_take(&own, grid->fragments + 1, sizeof *l.first);
  l.wanted = mote_arena_take(&own, grid->fragments + 1, sizeof *l.wanted);
  l.queue = mote_arena_take(&own, grid->nodes, sizeof *l.queue);
  l.stale = mote_arena_take(&own, grid->nodes, sizeof *l.stale);
  fill_steps(&l);
  mote_result result = MOTE_OK;
  if (l.first == NULL || l.wanted == NULL || l.queue == NULL || l.stale == NULL)
    result = mote_fail_memory(error, grid->nodes * sizeof *l.queue);
  else if (find_wanted(&l))
    result = part(&l, error);
  mote_arena_destroy(&own);
  return result;
}

// The particle nearest to a node; NONE: no particle has a node.
static uint32_t nearest_to(const labelling *l, uint32_t node) {
  double least = HUGE_VAL;
  uint32_t found = MOTE_CUT_NONE;
  for (uint32_t i = 0; i < l->matter->count; ++i) {
    if (l->matter->node[i] == MOTE_CUT_NONE) continue;
    double square = square_to(l, node, i);
    if (square < least) least = square, found = i;
  }
  return found;
}

mote_result mote_cut_grid_spread_homes(mote_cut_grid *grid, const mote_cut_matter *matter,
                                       mote_error *error) {
  mote_arena own = mote_arena_make(&grid->env);
  labelling l = {.grid = grid, .matter = matter};
  MOTE_TAKE(l.queue, &own, grid->nodes, error);
  fill_steps(&l);
  for (uint32_t n = 0; n < grid->nodes; ++n)
    if (grid->home[n] != MOTE_CUT_NONE) l.queue[l.reached++] = n;
  spread(&l);
  for (uint32_t n = 0; n < grid->nodes; ++n)
    if (grid->inside[n] && grid->home[n] == MOTE_CUT_NONE) grid->home[n] = nearest_to(&l, n);
  mote_arena_destroy(&own);
  return MOTE_OK;
}
