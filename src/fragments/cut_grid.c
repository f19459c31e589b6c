// A grid of tetrahedra over a shape: see cut_grid.h. Cutting its edges: cut_edges.c; fragments:
// cut_components.c.
#include "fragments/cut_grid.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

#define MARGIN_HALF_EDGES 6  // half edges from the bounds to the last site
#define MOST_SITES 0x1p28    // 1 GiB of numbers
#define BLOCK_HALF_EDGES 8   // half edges along a block whose sign is asked for at once
#define ROOT_STEPS 4         // of the search for the surface on an edge: 1e-3 edges on curved shapes
#define NODES_PER_CHUNK 4096

typedef struct making {
  mote_cut_grid *grid;
  const mote_cut_grid_def *def;
  float *distance;  // at every site; of the correct sign
  size_t blocks[3];
} making;

// --- Inside and outside -----------------------------------------------------------------------------------

// Distances of the sites in one block; far from the surface, that of its centre decides the sign for all.
static void measure_block(const making *m, const size_t at[3]) {
  const mote_cut_grid *g = m->grid;
  double middle[3], x[3];
  const double centre[3] = {BLOCK_HALF_EDGES * ((double)at[0] + 0.5),
                            BLOCK_HALF_EDGES * ((double)at[1] + 0.5),
                            BLOCK_HALF_EDGES * ((double)at[2] + 0.5)};
  step3(g->origin, g->half, centre, middle);
  double all = m->def->distance(m->def->user, middle);
  bool far = fabs(all) > 0.9 * BLOCK_HALF_EDGES * g->half;  // sqrt(3)/2 = 0.866
  for (size_t z = BLOCK_HALF_EDGES * at[2]; z < BLOCK_HALF_EDGES * (at[2] + 1) && z < g->size[2]; ++z) {
    for (size_t y = BLOCK_HALF_EDGES / 2 * at[1]; y < BLOCK_HALF_EDGES / 2 * (at[1] + 1) && y < g->size[1];
         ++y) {
      for (size_t i = BLOCK_HALF_EDGES / 2 * at[0]; i < BLOCK_HALF_EDGES / 2 * (at[0] + 1) && i < g->size[0];
           ++i) {
        size_t site = (z * g->size[1] + y) * g->size[0] + i;
        mote_cut_site_position(g, site, x);
        double distance = far ? all : m->def->distance(m->def->user, x);
        m->distance[site] = (float)(distance < 0.0 ? min2(distance, -1e-30) : distance);
      }
    }
  }
}

static void measure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  for (size_t b = begin; b < end; ++b) {
    const size_t at[3] = {b % m->blocks[0], b / m->blocks[0] % m->blocks[1], b / m->blocks[0] / m->blocks[1]};
    measure_block(m, at);
  }
}

// Whether the site or one of its fourteen neighbours is inside. False at the boundary of the box.
static bool is_needed(const making *m, size_t site) {
  const mote_cut_grid *g = m->grid;
  int parity = (int)(site / ((size_t)g->size[0] * g->size[1]) & 1);
  if (m->distance[site] < 0.0f) return true;
  for (int e = 0; e < MOTE_NODE_EDGES; ++e) {
    const int8_t *d = g->table.direction[e];
    const int8_t back[3] = {(int8_t)-d[0], (int8_t)-d[1], (int8_t)-d[2]};
    int64_t up = (int64_t)site + mote_cut_grid_step(g, parity, d);
    int64_t down = (int64_t)site + mote_cut_grid_step(g, parity, back);
    if (up < (int64_t)g->sites && m->distance[up] < 0.0f) return true;
    if (down >= 0 && m->distance[down] < 0.0f) return true;
  }
  return false;
}

// Whether a neighbour of the site's neighbours could lie outside of the box.
static bool is_at_boundary(const mote_cut_grid *g, size_t site) {
  size_t layer = site / ((size_t)g->size[0] * g->size[1]), row = site / g->size[0] % g->size[1];
  size_t at = site % g->size[0];
  return layer < 4 || layer + 4 >= g->size[2] || row < 2 || row + 2 >= g->size[1] || at < 2 ||
         at + 2 >= g->size[0];
}

static mote_result number_nodes(making *m, mote_error *error) {
  mote_cut_grid *g = m->grid;
  size_t inner = 0;
  for (size_t p = 0; p < g->sites; ++p) {
    g->number[p] = is_needed(m, p) ? (uint32_t)g->nodes++ : MOTE_CUT_NONE;
    inner += m->distance[p] < 0.0f;
    if (m->distance[p] < 0.0f && is_at_boundary(g, p))
      return mote_fail_key(error, "shape", "the shape reaches beyond its bounds");
  }
  if (inner == 0)
    return mote_fail_key(error, "edge", "an edge of %g m is too long: no node of the grid is inside",
                         2.0 * g->half);
  if (g->nodes >= UINT32_MAX / MOTE_TETRAS)
    return mote_fail_key(error, "edge", "an edge of %g m makes too many nodes", 2.0 * g->half);
  g->site = mote_alloc(&g->env, g->nodes, sizeof *g->site);
  g->inside = mote_alloc(&g->env, g->nodes, sizeof *g->inside);
  g->mark = mote_alloc(&g->env, MOTE_NODE_EDGES * g->nodes, sizeof *g->mark);
  g->record = mote_alloc(&g->env, MOTE_TETRAS * g->nodes, sizeof *g->record);
  g->fragment = mote_alloc(&g->env, g->nodes, sizeof *g->fragment);
  g->home = mote_alloc(&g->env, g->nodes, sizeof *g->home);
  if (!g->site || !g->inside || !g->mark || !g->record || !g->fragment || !g->home)
    return mote_fail_memory(error, MOTE_TETRAS * g->nodes * sizeof *g->record);
  for (size_t p = 0; p < g->sites; ++p) {
    if (g->number[p] == MOTE_CUT_NONE) continue;
    g->site[g->number[p]] = (uint32_t)p;
    g->inside[g->number[p]] = m->distance[p] < 0.0f;
  }
  for (size_t n = 0; n < g->nodes; ++n) g->home[n] = MOTE_CUT_NONE;
  for (size_t t = 0; t < MOTE_TETRAS * g->nodes; ++t) g->record[t] = MOTE_CUT_NONE;
  return MOTE_OK;
}

// --- The surface ------------------------------------------------------------------------------------------

// Regula falsi (Illinois): fraction of the way from a (inside) to b (outside).
static double find_root(const making *m, const double a[3], const double b[3], double at_a, double at_b) {
  double low = 0.0, high = 1.0, t = at_a / (at_a - at_b), off[3], x[3];
  sub3(b, a, off);
  for (int k = 0, last = 0; k < ROOT_STEPS; ++k) {
    step3(a, t, off, x);
    double value = m->def->distance(m->def->user, x);
    if (fabs(value) < 1e-3 * m->grid->half) break;
    if (value < 0.0) {
      low = t, at_a = value;
      if (last == 1) at_b *= 0.5;
      last = 1;
    } else {
      high = t, at_b = value;
      if (last == 2) at_a *= 0.5;
      last = 2;
    }
    t = low + (high - low) * at_a / (at_a - at_b);
  }
  return min2(max2(t, LEAST_SHARE), 1.0 - LEAST_SHARE);
}

// The inner node of a surface edge, and the outer one.
static void find_ends(const mote_cut_grid *g, size_t s, uint32_t *inner, uint32_t *outer) {
  uint32_t a = g->surface[s] / MOTE_NODE_EDGES, b = mote_cut_grid_end(g, g->surface[s]);
  *inner = g->inside[a] ? a : b, *outer = g->inside[a] ? b : a;
}

void mote_cut_grid_crossing(const mote_cut_grid *grid, size_t k, double x[3]) {
  uint32_t a, b;
  double from[3], to[3], off[3];
  MOTE_ASSERT(k < grid->surfaces);
  find_ends(grid, k, &a, &b);
  mote_cut_grid_position(grid, a, from), mote_cut_grid_position(grid, b, to);
  sub3(to, from, off);
  step3(from, grid->share[k], off, x);
}

static void find_points(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  const mote_cut_grid *g = m->grid;
  for (size_t s = begin; s < end; ++s) {
    uint32_t a, b;
    double from[3], to[3];
    find_ends(g, s, &a, &b);
    mote_cut_grid_position(g, a, from), mote_cut_grid_position(g, b, to);
    g->share[s] = find_root(m, from, to, (double)m->distance[g->site[a]], (double)m->distance[g->site[b]]);
    mote_cut_grid_crossing(g, s, g->point + 3 * s);
  }
}

static bool is_surface(const mote_cut_grid *g, uint32_t edge) {
  uint32_t end = mote_cut_grid_end(g, edge);
  return end != MOTE_CUT_NONE && g->inside[edge / MOTE_NODE_EDGES] != g->inside[end];
}

// Whether an even node's tetrahedron has nodes on both sides.
static bool is_outer(const mote_cut_grid *g, uint32_t node, int tetra) {
  int inner = 0;
  for (int c = 0; c < 4; ++c) {
    uint32_t at = mote_cut_grid_neighbour(g, node, g->table.corner[tetra][c]);
    if (at == MOTE_CUT_NONE) return false;
    inner += g->inside[at];
  }
  return inner > 0 && inner < 4;
}

// Counts, and stores if the arrays are allocated.
static void list_surface(mote_cut_grid *g) {
  g->surfaces = g->outers = 0;
  for (uint32_t n = 0; n < g->nodes; ++n) {
    // Outer nodes may lie at the boundary of the box; edges that they own beyond it have no inner node.
    for (uint32_t e = MOTE_NODE_EDGES * n; e < MOTE_NODE_EDGES * (n + 1); ++e) {
      bool crossed = is_surface(g, e);
      g->mark[e] = crossed ? (uint32_t)g->surfaces : MOTE_CUT_NONE;
      if (crossed && g->surface) g->surface[g->surfaces] = e;
      g->surfaces += crossed;
    }
    for (int k = 0; k < MOTE_TETRAS && mote_cut_grid_parity(g, n) == 0; ++k) {
      if (!is_outer(g, n, k)) continue;
      if (g->outer) g->outer[g->outers] = MOTE_TETRAS * n + (uint32_t)k;
      ++g->outers;
    }
  }
}

static mote_result make_surface(making *m, mote_error *error) {
  mote_cut_grid *g = m->grid;
  list_surface(g);
  uint32_t *surface = mote_alloc(&g->env, g->surfaces, sizeof *surface);
  g->outer = mote_alloc(&g->env, g->outers, sizeof *g->outer);
  g->surface = surface;
  g->point = mote_alloc(&g->env, 3 * g->surfaces, sizeof *g->point);
  g->share = mote_alloc(&g->env, g->surfaces, sizeof *g->share);
  g->drawn = mote_alloc(&g->env, g->surfaces, sizeof *g->drawn);
  if (!g->surface || !g->outer || !g->point || !g->share || !g->drawn)
    return mote_fail_memory(error, 3 * g->surfaces * sizeof *g->point);
  list_surface(g);
  memset(g->drawn, 0, g->surfaces);
  mote_parallel_for(g->env.threads, g->surfaces, NODES_PER_CHUNK, find_points, m);
  return MOTE_OK;
}

// --- Creation ---------------------------------------------------------------------------------------------

static mote_result set_size(mote_cut_grid *g, const mote_cut_grid_def *def, mote_error *error) {
  // Offset from the bounds by no simple fraction of an edge, so that planes of symmetry do not pass through
  // nodes.
  static const double shift[3] = {0.2887, 0.3170, 0.3466};
  double sites = 1.0;
  if (!(def->edge > 0.0) || !isfinite(def->edge))
    return mote_fail_key(error, "edge", "is %g, not positive and finite", def->edge);
  g->half = 0.5 * def->edge;
  for (int k = 0; k < 3; ++k) {
    double length = (def->high[k] - def->low[k]) / g->half;
    if (!(length >= 0.0) || !isfinite(length))
      return mote_fail_key(error, "low", "and high are no finite box");
    double layers = ceil(length) + 2.0 * MARGIN_HALF_EDGES;
    sites *= k < 2 ? ceil(0.5 * layers) + 1.0 : layers;
    if (!(sites < MOST_SITES)) {
      return mote_fail_key(error, "edge", "an edge of %g m makes a grid of more than %.0f points", def->edge,
                           MOST_SITES);
    }
    g->size[k] = k < 2 ? (uint32_t)ceil(0.5 * layers) + 1 : (uint32_t)layers;
    g->origin[k] = def->low[k] - (MARGIN_HALF_EDGES - shift[k]) * g->half;
  }
  g->sites = (size_t)g->size[0] * g->size[1] * g->size[2];
  return MOTE_OK;
}

static mote_result make(mote_cut_grid *g, const mote_cut_grid_def *def, mote_error *error) {
  making m = {.grid = g, .def = def};
  MOTE_TRY(set_size(g, def, error));
  mote_tetra_table_fill(&g->table);
  for (int k = 0; k < 3; ++k)
    m.blocks[k] = ((size_t)g->size[k] * (k < 2 ? 2 : 1) + BLOCK_HALF_EDGES - 1) / BLOCK_HALF_EDGES;
  g->number = mote_alloc(&g->env, g->sites, sizeof *g->number);
  m.distance = mote_alloc(&g->env, g->sites, sizeof *m.distance);
  mote_result result = MOTE_OK;
  if (!g->number || !m.distance) result = mote_fail_memory(error, g->sites * sizeof *g->number);
  if (!result) {
    mote_parallel_for(g->env.threads, m.blocks[0] * m.blocks[1] * m.blocks[2], 16, measure_chunk, &m);
    result = number_nodes(&m, error);
  }
  if (!result) result = make_surface(&m, error);
  mote_free(&g->env, m.distance, g->sites, sizeof *m.distance);
  return result ? result : mote_cut_grid_divide(g, 0, NULL, error);
}

mote_result mote_cut_grid_create(const mote_cut_grid_def *def, const mote_env *env, mote_cut_grid **out,
                                 mote_error *error) {
  if (def == NULL || out == NULL || def->distance == NULL)
    return mote_fail_key(error, def == NULL ? "def" : out == NULL ? "out" : "distance", "is null");
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_cut_grid, grid, &resolved, 1, error);
  *grid = (mote_cut_grid){.env = resolved, .distance = def->distance, .user = def->user};
  mote_result result = make(grid, def, error);
  if (result == MOTE_OK) {
    *out = grid;
  } else {
    mote_cut_grid_destroy(grid);
  }
  return result;
}

void mote_cut_grid_destroy(mote_cut_grid *grid) {
  if (grid == NULL) return;
  mote_env env = grid->env;
  mote_free(&env, grid->number, grid->sites, sizeof *grid->number);
  mote_free(&env, grid->site, grid->nodes, sizeof *grid->site);
  mote_free(&env, grid->inside, grid->nodes, sizeof *grid->inside);
  mote_free(&env, grid->mark, MOTE_NODE_EDGES * grid->nodes, sizeof *grid->mark);
  mote_free(&env, grid->record, MOTE_TETRAS * grid->nodes, sizeof *grid->record);
  mote_free(&env, grid->fragment, grid->nodes, sizeof *grid->fragment);
  mote_free(&env, grid->home, grid->nodes, sizeof *grid->home);
  mote_free(&env, grid->surface, grid->surfaces, sizeof *grid->surface);
  mote_free(&env, grid->point, 3 * grid->surfaces, sizeof *grid->point);
  mote_free(&env, grid->share, grid->surfaces, sizeof *grid->share);
  mote_free(&env, grid->drawn, grid->surfaces, sizeof *grid->drawn);
  mote_free(&env, grid->outer, grid->outers, sizeof *grid->outer);
  mote_free(&env, grid->cut, grid->cut_capacity, sizeof *grid->cut);
  mote_free(&env, grid, 1, sizeof *grid);
}
