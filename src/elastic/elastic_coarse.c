// Coarse grid: see elastic_coarse.h. Cells are at least as long as the largest neighbour distance, so the
// energy of a particle depends on the nodes of its own and the adjacent cells: four along each axis, its
// window. Stiffness blocks are stored by node offset, 7 along each axis; by symmetry half of them suffice.
#include "elastic/elastic_coarse.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

#define WINDOW_NODES 4  // nodes of a window along one axis
#define WINDOW (WINDOW_NODES * WINDOW_NODES * WINDOW_NODES)
#define OFFSETS_ALONG_AXIS (2 * WINDOW_NODES - 1)  // offsets between two nodes of a window, along one axis
#define OFFSETS                              \
  (OFFSETS_ALONG_AXIS * OFFSETS_ALONG_AXIS * \
   OFFSETS_ALONG_AXIS)  // in the order of nodes; the first half follows by symmetry
#define MIDDLE (OFFSETS / 2)
#define OFFSETS_KEPT (OFFSETS - MIDDLE)
#define BLOCK_ENTRIES 9
#define PARTICLES_PER_CHUNK 64

typedef struct grid {
  const mote_elastic *body;
  mote_elastic_coarse *coarse;
  double low[3], over, damped, inertia;
  size_t size[3];     // nodes along each axis
  uint32_t *cell;     // first node of each particle's cell, in the box
  uint32_t *number;   // index of a node of the box among the active nodes; UINT32_MAX: inactive
  double *stiffness;  // OFFSETS_KEPT blocks per node
} grid;

// The energy of one particle as a function of the nodes in its window.
typedef struct window {
  int used;
  int slot[WINDOW];                           // active slots, ascending
  int at[WINDOW];                             // index of a slot among those, or -1
  double value[WINDOW];                       // of the node's shape function at the particle
  double moment[WINDOW][MOTE_ELASTIC_TERMS];  // of differences u: sums of w p u
  double fit[WINDOW][MOTE_ELASTIC_TERMS];     // their fits
  double square[WINDOW][WINDOW];              // sums of w u u'
} window;

// --- The grid -------------------------------------------------------------------------------------------

static double edge_of(const mote_elastic *b) {
  double farthest = 0.0, rest_volume = 0.0;
  for (size_t k = 0; k < b->pairs; ++k) farthest = max2(farthest, dot3(b->pair[k].rest, b->pair[k].rest));
  for (size_t i = 0; i < b->count; ++i) rest_volume += b->rest_volume[i];
  rest_volume /= (double)b->count;
  return max2(CELL_SPACINGS * (b->dimensions == 3 ? mote_cbrt(rest_volume) : sqrt(rest_volume)),
              CELL_NEIGHBOUR_RATIO * sqrt(farthest));
}

// The body's bounding box in cells, centred.
static void find_box(grid *g) {
  const mote_elastic *b = g->body;
  double low[3] = {0}, high[3] = {0}, edge = edge_of(b), nodes;
  for (int a = 0; a < b->dimensions; ++a) {
    low[a] = high[a] = b->rest[a];
    for (size_t i = 0; i < b->count; ++i) {
      low[a] = min2(low[a], b->rest[3 * i + (size_t)a]), high[a] = max2(high[a], b->rest[3 * i + (size_t)a]);
    }
  }
  for (;; edge *= 2.0) {
    nodes = 1.0;
    for (int a = 0; a < b->dimensions; ++a) nodes *= floor((high[a] - low[a]) / edge) + 2.0;
    if (nodes <= NODES_PER_PARTICLE_MAX * (double)b->count + 8.0) break;
  }
  g->over = 1.0 / edge;
  for (int a = 0; a < 3; ++a) {
    double cells = floor((high[a] - low[a]) / edge) + 1.0;
    g->low[a] = 0.5 * (low[a] + high[a] - cells * edge);
    g->size[a] = a < b->dimensions ? (size_t)cells + 1 : 1;
  }
}

static size_t node_at(const grid *g, size_t x, size_t y, size_t z) {
  return (x * g->size[1] + y) * g->size[2] + z;
}

// Corners in ascending order; in 2D the last axis has one node.
static void place_one(grid *g, const uint8_t *held, size_t i) {
  mote_elastic_coarse *c = g->coarse;
  size_t cell[3] = {0}, corners = (size_t)c->corners;
  double part[3] = {0};
  for (int a = 0; a < g->body->dimensions; ++a) {
    double at = (g->body->rest[3 * i + (size_t)a] - g->low[a]) * g->over;
    double whole = min2(max2(floor(at), 0.0), (double)(g->size[a] - 2));
    cell[a] = (size_t)whole, part[a] = at - whole;
  }
  g->cell[i] = (uint32_t)node_at(g, cell[0], cell[1], cell[2]);
  for (size_t k = 0; k < corners; ++k) {
    size_t up[3] = {corners == 8 ? k / 4 : k / 2, corners == 8 ? k / 2 % 2 : k % 2, corners == 8 ? k % 2 : 0};
    double weight = held != NULL && held[i] ? 0.0 : 1.0;
    for (int a = 0; a < g->body->dimensions; ++a) weight *= up[a] ? part[a] : 1.0 - part[a];
    c->node[corners * i + k] = (uint32_t)node_at(g, cell[0] + up[0], cell[1] + up[1], cell[2] + up[2]);
    c->weight[corners * i + k] = (float)weight;
  }
}

static void number_nodes(grid *g) {
  mote_elastic_coarse *c = g->coarse;
  size_t box = g->size[0] * g->size[1] * g->size[2], all = (size_t)c->corners * g->body->count;
  memset(g->number, 0xff, box * sizeof *g->number);
  for (size_t k = 0; k < all; ++k) {
    if (c->weight[k] != 0.0f) g->number[c->node[k]] = 0;
  }
  for (size_t k = 0; k < box; ++k) {
    if (g->number[k] == 0) g->number[k] = (uint32_t)c->nodes++;
  }
  for (size_t k = 0; k < all; ++k) c->node[k] = c->weight[k] != 0.0f ? g->number[c->node[k]] : 0;
}

// Inverts `node`: lists the entries of each node.
static void invert_node_lists(mote_elastic_coarse *c) {
  size_t all = (size_t)c->corners * c->body->count;
  memset(c->first, 0, (c->nodes + 2) * sizeof *c->first);
  for (size_t k = 0; k < all; ++k) c->first[c->node[k] + 2] += c->weight[k] != 0.0f;
  for (size_t k = 0; k < c->nodes; ++k) c->first[k + 2] += c->first[k + 1];
  for (size_t k = 0; k < all; ++k) {
    if (c->weight[k] != 0.0f) c->place[c->first[c->node[k] + 1]++] = (uint32_t)k;
  }
}

// --- Stiffness ------------------------------------------------------------------------------------------

// Slot of a corner of particle j in the window of i, which starts one node before the cell of i.
static int slot_of(const grid *g, size_t i, size_t j, size_t corner) {
  bool deep = g->body->dimensions == 3;
  size_t z = g->size[2], y = g->size[1], a = g->cell[i], b = g->cell[j];
  size_t up[3] = {deep ? corner / 4 : corner / 2, deep ? corner / 2 % 2 : corner % 2, deep ? corner % 2 : 0};
  size_t dx = b / (y * z) + 1 + up[0] - a / (y * z), dy = b / z % y + 1 + up[1] - a / z % y;
  size_t dz = b % z + (deep ? 1 : 0) + up[2] - a % z;
  return (int)((dx * WINDOW_NODES + dy) * WINDOW_NODES + dz);
}

// Marks the active slots and evaluates the shape functions at the particle.
static void open_window(const grid *g, size_t i, window *w) {
  const mote_elastic *b = g->body;
  const mote_elastic_coarse *c = g->coarse;
  size_t corners = (size_t)c->corners;
  memset(w->at, 0xff, sizeof w->at);
  for (size_t k = b->first[i]; k <= b->first[i + 1]; ++k) {
    size_t j = k < b->first[i + 1] ? b->neighbour[k] : i;
    for (size_t e = 0; e < corners; ++e) {
      if (c->weight[corners * j + e] != 0.0f) w->at[slot_of(g, i, j, e)] = 0;
    }
  }
  w->used = 0;
  for (int s = 0; s < WINDOW; ++s) {
    if (w->at[s] < 0) continue;
    w->at[s] = w->used, w->slot[w->used++] = s;
  }
  for (int s = 0; s < w->used; ++s) {
    w->value[s] = 0.0;
    memset(w->fit[s], 0, sizeof w->fit[s]);
    memset(w->square[s], 0, sizeof w->square[s]);
  }
  for (size_t e = 0; e < corners; ++e) {
    double weight = (double)c->weight[corners * i + e];
    if (weight != 0.0) w->value[w->at[slot_of(g, i, i, e)]] = weight;
  }
}

// Contribution of a neighbour: sums of w p u and w u u', u the difference of a shape function between both
// ends.
static void add_pair(const grid *g, size_t i, size_t k, window *w) {
  const mote_elastic *b = g->body;
  const mote_elastic_coarse *c = g->coarse;
  size_t corners = (size_t)c->corners, j = b->neighbour[k];
  double p[MOTE_ELASTIC_TERMS], u[WINDOW], weight = b->pair[k].weight;
  int list[WINDOW], listed = 0;
  mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, b->pair[k].rest, p);
  for (int s = 0; s < w->used; ++s) u[s] = -w->value[s];
  for (size_t e = 0; e < corners; ++e) {
    double at = (double)c->weight[corners * j + e];
    if (at != 0.0) u[w->at[slot_of(g, i, j, e)]] += at;
  }
  for (int s = 0; s < w->used; ++s) {
    if (u[s] != 0.0) list[listed++] = s;
  }
  for (int a = 0; a < listed; ++a) {
    double wu = weight * u[list[a]];
    for (int t = 0; t < b->terms; ++t) w->fit[list[a]][t] += wu * p[t];
    for (int e = a; e < listed; ++e) w->square[list[a]][list[e]] += wu * u[list[e]];
  }
}

// Moves the sums to `moment` and replaces fit by the inverse times these.
static void finish_fits(const mote_elastic *b, size_t i, window *w) {
  int m = b->terms;
  const double *inverse = b->inverse + (size_t)(m * m) * i;
  for (int s = 0; s < w->used; ++s) {
    memcpy(w->moment[s], w->fit[s], sizeof w->moment[s]);
    for (int t = 0; t < m; ++t) {
      w->fit[s][t] = 0.0;
      for (int l = 0; l < m; ++l) w->fit[s][t] += inverse[t * m + l] * w->moment[s][l];
    }
  }
}

// Hooke's law of both gradients, hourglass control and masses; rows of node `two`, columns of `one`.
static void find_block(const grid *g, size_t i, const window *w, int one, int two,
                       double out[BLOCK_ENTRIES]) {
  const mote_elastic *b = g->body;
  double scale = g->damped * b->volume[i] * b->inverse_unit * b->inverse_unit, product = 0.0, seen = 0.0;
  double mu = scale * b->law.mu, lambda = scale * (b->law.lambda + b->law.volume);
  const double *p = w->fit[one], *q = w->fit[two];
  for (int a = 0; a < b->dimensions; ++a) product += p[a] * q[a];
  for (int t = 0; t < b->terms; ++t) seen += w->moment[one][t] * q[t];
  double all = mu * product + g->damped * b->hourglass_stiffness[i] * (w->square[one][two] - seen) +
               g->inertia * b->mass[i] * w->value[one] * w->value[two];
  for (int r = 0; r < b->dimensions; ++r) {
    for (int c = 0; c < b->dimensions; ++c) {
      out[3 * r + c] = lambda * q[r] * p[c] + mu * p[r] * q[c] + (r == c ? all : 0.0);
    }
  }
}

// Index of a block within its node, by the offset between two slots.
static size_t offset_index(int one, int two) {
  int x = two / (WINDOW_NODES * WINDOW_NODES) - one / (WINDOW_NODES * WINDOW_NODES);
  int y = two / WINDOW_NODES % WINDOW_NODES - one / WINDOW_NODES % WINDOW_NODES,
      z = two % WINDOW_NODES - one % WINDOW_NODES;
  return (size_t)((x * OFFSETS_ALONG_AXIS + y) * OFFSETS_ALONG_AXIS + z);
}

static void add_particle(const grid *g, size_t i, window *w) {
  const mote_elastic *b = g->body;
  size_t y = g->size[1], z = g->size[2], cell = g->cell[i];
  open_window(g, i, w);
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) add_pair(g, i, k, w);
  finish_fits(b, i, w);
  for (int one = 0; one < w->used; ++one) {
    size_t s = (size_t)w->slot[one];
    size_t node = cell + (s / (WINDOW_NODES * WINDOW_NODES)) * y * z + (s / WINDOW_NODES % WINDOW_NODES) * z +
                  s % WINDOW_NODES;
    node -= y * z + z + (b->dimensions == 3 ? 1 : 0);
    double *to = g->stiffness + OFFSETS_KEPT * BLOCK_ENTRIES * (size_t)g->number[node];
    for (int two = one; two < w->used; ++two) {
      double block[BLOCK_ENTRIES] = {0}, *sum = to + BLOCK_ENTRIES * offset_index(w->slot[one], w->slot[two]);
      find_block(g, i, w, one, two, block);
      for (int e = 0; e < BLOCK_ENTRIES; ++e) sum[e] += block[e];
    }
  }
}

// --- The factor -----------------------------------------------------------------------------------------

// The node at a block's offset from `node` of the box, or UINT32_MAX beyond the grid.
static uint32_t other_at(const grid *g, size_t node, size_t kept) {
  ptrdiff_t at[3] = {(ptrdiff_t)(node / (g->size[1] * g->size[2])),
                     (ptrdiff_t)(node / g->size[2] % g->size[1]), (ptrdiff_t)(node % g->size[2])};
  size_t place = kept + MIDDLE;
  ptrdiff_t off[3] = {(ptrdiff_t)(place / (OFFSETS_ALONG_AXIS * OFFSETS_ALONG_AXIS)),
                      (ptrdiff_t)(place / OFFSETS_ALONG_AXIS % OFFSETS_ALONG_AXIS),
                      (ptrdiff_t)(place % OFFSETS_ALONG_AXIS)};
  for (int a = 0; a < 3; ++a) {
    at[a] += off[a] - (WINDOW_NODES - 1);
    if (at[a] < 0 || at[a] >= (ptrdiff_t)g->size[a]) return UINT32_MAX;
  }
  return g->number[node_at(g, (size_t)at[0], (size_t)at[1], (size_t)at[2])];
}

static bool is_there(const double block[BLOCK_ENTRIES]) {
  for (int e = 0; e < BLOCK_ENTRIES; ++e) {
    if (block[e] != 0.0) return true;
  }
  return false;
}

// Columns of one node: rows ascend because the offsets do.
static size_t add_node(const grid *g, size_t node, size_t end) {
  mote_elastic_coarse *to = g->coarse;
  size_t d = (size_t)g->body->dimensions, own = g->number[node];
  for (size_t c = 0; c < d; ++c) {
    for (size_t k = 0; k < OFFSETS_KEPT; ++k) {
      uint32_t other = other_at(g, node, k);
      const double *block = g->stiffness + BLOCK_ENTRIES * (OFFSETS_KEPT * own + k);
      if (other == UINT32_MAX || !is_there(block)) continue;
      for (size_t r = k == 0 ? c : 0; r < d; ++r, ++end) {
        to->row[end] = (uint32_t)(d * other + r);
        to->untouched[end] = block[3 * r + c] * (k == 0 && r == c ? 1.0 + DIAGONAL_SHIFT : 1.0);
      }
    }
    to->column[d * own + c + 1] = end;
  }
  return end;
}

static mote_result make_matrix(const grid *g, mote_error *error) {
  mote_elastic_coarse *c = g->coarse;
  size_t box = g->size[0] * g->size[1] * g->size[2], d = (size_t)g->body->dimensions, end = 0, entries = 0;
  for (size_t k = 0; k < OFFSETS_KEPT * c->nodes; ++k)
    entries += is_there(g->stiffness + BLOCK_ENTRIES * k) ? d * d : 0;
  MOTE_TAKE(c->column, &c->memory, d * c->nodes + 1, error);
  MOTE_TAKE(c->row, &c->memory, entries, error);
  MOTE_TAKE(c->untouched, &c->memory, entries, error);
  MOTE_TAKE(c->value, &c->memory, entries, error);
  c->column[0] = 0;
  for (size_t k = 0; k < box; ++k) {
    if (g->number[k] != UINT32_MAX) end = add_node(g, k, end);
  }
  MOTE_ASSERT(end <= entries);
  return MOTE_OK;
}

// Of all pairs of its corners, those of the lower triangle.
static void add_block(mote_elastic_coarse *c, const mote_elastic_block *block) {
  size_t d = (size_t)c->body->dimensions, corners = (size_t)c->corners, at = corners * block->particle;
  for (size_t pair = 0; pair < corners * corners; ++pair) {
    size_t one = at + pair / corners, two = at + pair % corners;
    double weight = (double)c->weight[one] * (double)c->weight[two];
    if (weight == 0.0) continue;
    for (size_t e = 0; e < d * d; ++e) {
      size_t row = d * c->node[one] + e / d, column = d * c->node[two] + e % d, k = c->column[column];
      if (row < column) continue;
      while (c->row[k] != row) ++k;
      c->value[k] += weight * block->value[3 * (e / d) + e % d];
    }
  }
}

mote_result mote_elastic_coarse_factorise(mote_elastic_coarse *coarse, const mote_elastic_block *block,
                                          size_t blocks, mote_error *error) {
  MOTE_ASSERT(coarse->body != NULL);
  mote_elastic_coarse *c = coarse;
  size_t size = (size_t)c->body->dimensions * c->nodes;
  memcpy(c->value, c->untouched, c->column[size] * sizeof *c->value);
  for (size_t k = 0; k < blocks; ++k) add_block(c, block + k);
  mote_sparse matrix = {.size = size, .first = c->column, .row = c->row, .value = c->value};
  if (c->factor == NULL) {
    MOTE_TRY(mote_cholesky_create(&matrix, &c->body->env, &c->factor, error));
    return mote_cholesky_lanes_create(c->factor, &c->body->env, &c->lanes, error);
  }
  MOTE_TRY(mote_cholesky_update(c->factor, c->value, error));
  mote_cholesky_lanes_update(c->lanes, c->factor);
  return MOTE_OK;
}

static mote_result take_grid(grid *g, mote_arena *scratch, mote_error *error) {
  mote_elastic_coarse *c = g->coarse;
  size_t n = g->body->count, corners = (size_t)c->corners, box = g->size[0] * g->size[1] * g->size[2];
  MOTE_TAKE(c->node, &c->memory, corners * n, error);
  MOTE_TAKE(c->weight, &c->memory, corners * n, error);
  MOTE_TAKE(c->place, &c->memory, corners * n, error);
  MOTE_TAKE(c->first, &c->memory, box + 2, error);
  MOTE_TAKE(c->vector, &c->memory, 3 * box, error);
  MOTE_TAKE(g->cell, scratch, n, error);
  MOTE_TAKE(g->number, scratch, box, error);
  return MOTE_OK;
}

static mote_result make(grid *g, const uint8_t *held, mote_arena *scratch, mote_error *error) {
  mote_elastic_coarse *c = g->coarse;
  find_box(g);
  MOTE_TRY(take_grid(g, scratch, error));
  for (size_t i = 0; i < g->body->count; ++i) place_one(g, held, i);
  number_nodes(g);
  invert_node_lists(c);
  size_t blocks = OFFSETS_KEPT * c->nodes;
  MOTE_TAKE_NEW(window, w, scratch, 1, error);
  MOTE_TAKE(g->stiffness, scratch, BLOCK_ENTRIES * blocks, error);
  memset(g->stiffness, 0, blocks * BLOCK_ENTRIES * sizeof *g->stiffness);
  for (size_t i = 0; i < g->body->count; ++i) add_particle(g, i, w);
  return make_matrix(g, error);
}

mote_result mote_elastic_coarse_make(mote_elastic_coarse *coarse, const mote_elastic *body, double step,
                                     const uint8_t *held, mote_error *error) {
  MOTE_ASSERT(step > 0.0);
  MOTE_ASSERT(body != NULL && body->count > 0);
  mote_elastic_coarse_end(coarse);
  *coarse = (mote_elastic_coarse){
      .body = body, .memory = mote_arena_make(&body->env), .corners = 1 << body->dimensions};
  mote_arena scratch = mote_arena_make(&body->env);
  grid g = {
      .body = body, .coarse = coarse, .damped = 1.0 + body->damping / step, .inertia = 1.0 / (step * step)};
  mote_result result = make(&g, held, &scratch, error);
  mote_arena_destroy(&scratch);
  if (result != MOTE_OK) mote_elastic_coarse_end(coarse);
  return result;
}

void mote_elastic_coarse_end(mote_elastic_coarse *coarse) {
  if (coarse->body == NULL) return;
  mote_cholesky_lanes_destroy(coarse->lanes);
  mote_cholesky_destroy(coarse->factor);
  mote_arena_destroy(&coarse->memory);
  *coarse = (mote_elastic_coarse){0};
}

// --- Solving --------------------------------------------------------------------------------------------

typedef struct answer {
  const mote_elastic_coarse *coarse;
  const double *turn, *in;
  double *rest, *out;
} answer;

static void unturn_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const answer *s = data;
  for (size_t i = begin; i < end; ++i) unturn3(s->turn + 9 * i, s->in + 3 * i, s->rest + 3 * i);
}

static void collect_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const answer *s = data;
  const mote_elastic_coarse *c = s->coarse;
  size_t d = (size_t)c->body->dimensions;
  for (size_t k = begin; k < end; ++k) {
    double sum[3] = {0};
    for (size_t q = c->first[k]; q < c->first[k + 1]; ++q) {
      size_t place = c->place[q];
      step3(sum, (double)c->weight[place], s->rest + 3 * (place >> d), sum);
    }
    for (size_t a = 0; a < d; ++a) c->vector[d * k + a] = sum[a];
  }
}

static void spread_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const answer *s = data;
  const mote_elastic_coarse *c = s->coarse;
  size_t d = (size_t)c->body->dimensions, corners = (size_t)c->corners;
  for (size_t i = begin; i < end; ++i) {
    double sum[3] = {0}, turned[3];
    for (size_t k = corners * i; k < corners * (i + 1); ++k) {
      const double *node = c->vector + d * c->node[k];
      double weight = (double)c->weight[k];
      sum[0] += weight * node[0], sum[1] += weight * node[1];
      if (d == 3) sum[2] += weight * node[2];
    }
    turn3(s->turn + 9 * i, sum, turned);
    step3(s->out + 3 * i, 1.0, turned, s->out + 3 * i);
  }
}

void mote_elastic_coarse_add(mote_elastic_coarse *coarse, const double *turn, const double *in, double *rest,
                             double *out) {
  MOTE_ASSERT(coarse->body != NULL);
  MOTE_ASSERT(turn != NULL && in != NULL && rest != NULL && out != NULL);
  answer s = {.coarse = coarse, .turn = turn, .in = in, .rest = rest, .out = out};
  int threads = coarse->body->env.threads;
  mote_parallel_for(threads, coarse->body->count, 8 * PARTICLES_PER_CHUNK, unturn_chunk, &s);
  mote_parallel_for(threads, coarse->nodes, PARTICLES_PER_CHUNK / 8, collect_chunk, &s);
  mote_cholesky_lanes_solve(coarse->lanes, coarse->vector, coarse->vector);
  mote_parallel_for(threads, coarse->body->count, PARTICLES_PER_CHUNK, spread_chunk, &s);
}
