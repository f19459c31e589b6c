// The mesh moved by the nodes: Alternative 1 of EG09 7.2, as in surface/elastic_skin.c. See deform_shapes.h.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "deform/deform_shapes.h"
#include "geom/triple.h"

#define VERTICES_PER_CHUNK 256
#define PREFETCH_VERTICES 4
#define ROUNDS 8     // of enlarged supports
#define ENLARGE 1.2  // supports, where a vertex has too few nodes in reach

// --- Table ------------------------------------------------------------------------------------------------

typedef struct making {
  mote_deform_space *space;
  const double *vertex, *normal;
  mote_deform_skin *skin;
  uint8_t *weak;
} making;

static void anchor_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  for (size_t i = begin; i < end; ++i) {
    const double *normal = m->normal != NULL ? m->normal + 3 * i : NULL;
    m->skin->anchor[i] = mote_deform_grid_anchor(&m->space->grid, m->vertex + 3 * i, normal);
  }
}

static void count_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  mote_deform_near near[MOTE_DEFORM_REACH_MAX];
  for (size_t i = begin; i < end; ++i) {
    uint32_t count = mote_deform_space_find(m->space, m->vertex + 3 * i, m->skin->anchor[i], near);
    m->skin->first[i + 1] = count > 0 ? count : 1;
  }
}

static void shape_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  mote_deform_skin *skin = m->skin;
  mote_deform_point point;
  for (size_t i = begin; i < end; ++i) {
    m->weak[i] = !mote_deform_shapes_at(m->space, m->vertex + 3 * i, skin->anchor[i], &point);
    MOTE_ASSERT(point.count == skin->first[i + 1] - skin->first[i]);
    for (uint32_t k = 0; k < point.count; ++k) {
      size_t at = skin->first[i] + k;
      skin->node[at] = (uint16_t)point.node[k];
      skin->value[4 * at] = (float)point.value[k];
      for (int a = 0; a < 3; ++a) skin->value[4 * at + 1 + (size_t)a] = (float)point.gradient[k][a];
    }
  }
}

static mote_result make_table(making *m, mote_arena *memory, mote_error *error) {
  mote_deform_skin *skin = m->skin;
  int threads = memory->env.threads;
  mote_parallel_for(threads, skin->count, VERTICES_PER_CHUNK, count_chunk, m);
  skin->first[0] = 0;
  for (size_t i = 0; i < skin->count; ++i) skin->first[i + 1] += skin->first[i];
  size_t total = skin->first[skin->count];
  skin->node = mote_arena_take(memory, total, sizeof *skin->node);
  skin->value = mote_arena_take(memory, total, 4 * sizeof *skin->value);
  if (skin->node == NULL || skin->value == NULL)
    return mote_fail_memory(error, total * 4 * sizeof *skin->value);
  mote_parallel_for(threads, skin->count, VERTICES_PER_CHUNK, shape_chunk, m);
  return MOTE_OK;
}

// Enlarges the supports of the nodes nearest to weak vertices; returns whether there were any.
static bool enlarge(making *m, uint8_t *marked) {
  mote_deform_space *s = m->space;
  bool any = false;
  memset(marked, 0, s->nodes);
  for (size_t i = 0; i < m->skin->count; ++i) {
    if (!m->weak[i]) continue;
    const double *x = s->node[0];
    any = true;
    // The nodes that are, or nearly are, in reach.
    for (uint32_t a = 0; a < s->nodes; ++a) {
      x = s->node[a];
      marked[a] |= distance3(x, m->vertex + 3 * i) < ENLARGE * s->support[a];
    }
  }
  for (uint32_t a = 0; a < s->nodes; ++a)
    if (marked[a]) s->support[a] *= ENLARGE;
  return any;
}

static void set_moments(mote_deform_skin *skin, const mote_deform_space *s, const double *rest) {
  double moment[9] = {0};
  set3(0.0, 0.0, 0.0, skin->centre);
  for (uint32_t a = 0; a < s->nodes; ++a) step3(skin->centre, 1.0 / s->nodes, rest + 3 * a, skin->centre);
  for (uint32_t a = 0; a < s->nodes; ++a) {
    double x[3];
    sub3(rest + 3 * a, skin->centre, x);
    for (int k = 0; k < 9; ++k) moment[k] += x[k / 3] * x[k % 3];
  }
  mote_dense_pseudo_inverse(3, moment, 1e-12, skin->inverse, NULL);
}

mote_result mote_deform_skin_make(mote_deform_space *space, const double *vertex, const double *normal,
                                  size_t count, const double *rest, mote_arena *memory,
                                  mote_deform_skin *skin, mote_error *error) {
  *skin = (mote_deform_skin){.count = count};
  skin->first = mote_arena_take(memory, count + 1, sizeof *skin->first);
  skin->anchor = mote_arena_take(memory, count, sizeof *skin->anchor);
  skin->rest_of = mote_arena_take(memory, space->nodes, 4 * sizeof *skin->rest_of);
  making m = {space, vertex, normal, skin, mote_arena_take(memory, count, 1)};
  uint8_t *marked = mote_arena_take(memory, space->nodes, 1);
  if (!skin->first || !skin->anchor || !skin->rest_of || !m.weak || !marked)
    return mote_fail_memory(error, count * sizeof *skin->first);
  set_moments(skin, space, rest);
  mote_parallel_for(memory->env.threads, count, VERTICES_PER_CHUNK, anchor_chunk, &m);
  for (int round = 0;; ++round) {
    mote_arena_mark mark = mote_arena_here(memory);
    MOTE_TRY(mote_deform_space_tables(space, memory, error));
    MOTE_TRY(make_table(&m, memory, error));
    if (round == ROUNDS || !enlarge(&m, marked)) return MOTE_OK;
    mote_arena_release(memory, mark);
  }
}

// --- Motion -----------------------------------------------------------------------------------------------

typedef struct moving {
  const mote_deform_skin *skin;
  const double *rest_vertex, *rest_normal;
  double u[3], g[9];  // affine motion of all nodes: u + g (X - centre)
  double *vertex, *normal;
} moving;

// The affine motion that fits the nodes best, and what remains of each.
static void split(mote_deform_skin *skin, const mote_deform_space *s, const double *position, moving *m) {
  double sum[9] = {0}, x[3], u[3], off[3];
  set3(0.0, 0.0, 0.0, m->u);
  for (uint32_t a = 0; a < s->nodes; ++a) {
    sub3(position + 3 * a, s->node[a], u);
    sub3(s->node[a], skin->centre, x);
    step3(m->u, 1.0 / s->nodes, u, m->u);
    for (int k = 0; k < 9; ++k) sum[k] += u[k / 3] * x[k % 3];
  }
  multiply3(sum, skin->inverse, m->g);
  for (uint32_t a = 0; a < s->nodes; ++a) {
    sub3(position + 3 * a, s->node[a], u);
    sub3(s->node[a], skin->centre, x);
    turn3(m->g, x, off);
    for (int k = 0; k < 3; ++k) skin->rest_of[4 * a + (uint32_t)k] = (float)(u[k] - m->u[k] - off[k]);
    skin->rest_of[4 * a + 3] = 0.0f;
  }
}

static inline void fetch(const void *from, size_t bytes) {
  for (size_t k = 0; k < bytes; k += 64) __builtin_prefetch((const char *)from + k);
}

// cof(F) n, normalised: columns of the cofactor are cross products of the other two columns of F.
static inline void turn_normal(const double g[9], const mote_lane along[3], const double n[3],
                               double out[3]) {
  double f[3][3], c[3];
  for (int a = 0; a < 3; ++a)
    for (int k = 0; k < 3; ++k) f[a][k] = g[3 * k + a] + (double)along[a][k] + (a == k ? 1.0 : 0.0);
  set3(0.0, 0.0, 0.0, out);
  cross3(f[1], f[2], c), step3(out, n[0], c, out);
  cross3(f[2], f[0], c), step3(out, n[1], c, out);
  cross3(f[0], f[1], c), step3(out, n[2], c, out);
  double length = length3(out), over = length > 0.0 ? 1.0 / length : 1.0;
  set3(over * out[0], over * out[1], over * out[2], out);
}

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const moving *m = data;
  const mote_deform_skin *skin = m->skin;
  for (size_t i = begin; i < end; ++i) {
    mote_lane u = {0}, along[3] = {{0}, {0}, {0}};
    size_t first = skin->first[i], last = skin->first[i + 1];
    if (i + PREFETCH_VERTICES < skin->count) {
      size_t from = skin->first[i + PREFETCH_VERTICES];
      fetch(skin->value + 4 * from, 16 * (last - first));
    }
    for (size_t k = first; k < last; ++k) {
      mote_lane moved = mote_lane_load(skin->rest_of + 4 * (size_t)skin->node[k]);
      const float *phi = skin->value + 4 * k;
      u += phi[0] * moved;
      if (m->normal == NULL) continue;
      along[0] += phi[1] * moved, along[1] += phi[2] * moved, along[2] += phi[3] * moved;
    }
    double off[3], to[3];
    const double *x = m->rest_vertex + 3 * i;
    sub3(x, skin->centre, off);
    turn3(m->g, off, to);
    for (int k = 0; k < 3; ++k) m->vertex[3 * i + (size_t)k] = x[k] + (m->u[k] + to[k] + (double)u[k]);
    if (m->normal != NULL) turn_normal(m->g, along, m->rest_normal + 3 * i, m->normal + 3 * i);
  }
}

void mote_deform_skin_move(mote_deform_skin *skin, const mote_deform_space *space, const double *position,
                           const double *rest_vertex, const double *rest_normal, int threads, double *vertex,
                           double *normal) {
  moving m = {.skin = skin,
              .rest_vertex = rest_vertex,
              .rest_normal = rest_normal,
              .vertex = vertex,
              .normal = normal};
  split(skin, space, position, &m);
  mote_parallel_for(threads, skin->count, VERTICES_PER_CHUNK, move_chunk, &m);
}
