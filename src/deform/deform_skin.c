// The mesh moved by the nodes: Alternative 1 of EG09 7.2, as in surface/elastic_skin.c. See deform_shapes.h.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "deform/deform_shapes.h"
#include "geom/triple.h"

#define VERTICES_PER_CHUNK 256
#define GROUPS_PER_CHUNK 64  // of four vertices

// --- Table ------------------------------------------------------------------------------------------------

typedef struct making {
  const mote_deform_space *space;
  const double *vertex, *outward;
  mote_deform_skin *skin;
} making;

static void anchor_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  for (size_t i = begin; i < end; ++i) {
    m->skin->anchor[i] = mote_deform_grid_anchor(&m->space->grid, m->vertex + 3 * i, m->outward + 3 * i);
  }
}

// The longest list of each four vertices.
static void count_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  mote_deform_near near[MOTE_DEFORM_REACH_MAX];
  for (size_t g = begin; g < end; ++g) {
    size_t most = 1;
    for (size_t i = 4 * g; i < 4 * g + 4 && i < m->skin->count; ++i) {
      uint32_t count = mote_deform_space_find(m->space, m->vertex + 3 * i, m->skin->anchor[i], near);
      most = count > most ? count : most;
    }
    m->skin->first[g + 1] = most;
  }
}

static float amount_of(const mote_deform_point *point) {
  double sum = 0.0;
  for (uint32_t k = 0; k < point->count; ++k) sum += fabs(point->value[k]);
  return (float)sum;
}

static void shape_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  mote_deform_skin *skin = m->skin;
  mote_deform_point point;
  for (size_t i = 4 * begin; i < 4 * end; ++i) {
    size_t first = skin->first[i / 4], capacity = skin->first[i / 4 + 1] - first;
    point.count = 0;
    if (i < skin->count) {
      bool good = mote_deform_shapes_at(m->space, m->vertex + 3 * i, skin->anchor[i], &point);
      skin->amount[i] = good ? amount_of(&point) : (float)HUGE_VAL;
    }
    MOTE_ASSERT(point.count <= capacity);
    for (size_t k = 0; k < capacity; ++k) {
      size_t at = 4 * (first + k) + i % 4;
      bool used = k < point.count;
      skin->node[at] = (uint16_t)(used ? point.node[k] : 0);
      skin->value[4 * at] = used ? (float)point.value[k] : 0.0f;
      for (size_t a = 0; a < 3; ++a) skin->value[4 * at + 1 + a] = used ? (float)point.gradient[k][a] : 0.0f;
    }
  }
}

static mote_result make_table(making *m, mote_arena *memory, mote_error *error) {
  mote_deform_skin *skin = m->skin;
  int threads = memory->env.threads;
  size_t groups = (skin->count + 3) / 4;
  mote_parallel_for(threads, groups, GROUPS_PER_CHUNK, count_chunk, m);
  skin->first[0] = 0;
  for (size_t g = 0; g < groups; ++g) skin->first[g + 1] += skin->first[g];
  size_t total = 4 * skin->first[groups];
  MOTE_TAKE(skin->node, memory, total, error);
  MOTE_TAKE(skin->value, memory, 4 * total, error);
  mote_parallel_for(threads, groups, GROUPS_PER_CHUNK, shape_chunk, m);
  return MOTE_OK;
}

static void set_normals(mote_deform_skin *skin, const double *normal) {
  for (size_t i = 0; i < (skin->count + 3) / 4 * 4; ++i)
    for (size_t k = 0; k < 3; ++k)
      skin->normal[12 * (i / 4) + 4 * k + i % 4] = i < skin->count ? (float)normal[3 * i + k] : 0.0f;
}

static void set_moments(mote_deform_skin *skin, const mote_deform_space *s) {
  double moment[9] = {0};
  set3(0.0, 0.0, 0.0, skin->centre);
  for (uint32_t a = 0; a < s->nodes; ++a) step3(skin->centre, 1.0 / s->nodes, s->node[a], skin->centre);
  for (uint32_t a = 0; a < s->nodes; ++a) {
    double x[3];
    sub3(s->node[a], skin->centre, x);
    for (int k = 0; k < 9; ++k) moment[k] += x[k / 3] * x[k % 3];
  }
  mote_dense_pseudo_inverse(3, moment, 1e-12, skin->inverse, NULL);
}

mote_result mote_deform_skin_make(const mote_deform_space *space, const double *vertex, const double *outward,
                                  const double *normal, size_t count, mote_arena *memory,
                                  mote_deform_skin *skin, mote_error *error) {
  *skin = (mote_deform_skin){.count = count};
  skin->first = mote_arena_take(memory, (count + 3) / 4 + 1, sizeof *skin->first);
  skin->anchor = mote_arena_take(memory, count, sizeof *skin->anchor);
  skin->amount = mote_arena_take(memory, count, sizeof *skin->amount);
  skin->normal = mote_arena_take(memory, (count + 3) / 4 * 12, sizeof *skin->normal);
  skin->rest_of = mote_arena_take(memory, space->nodes, 4 * sizeof *skin->rest_of);
  making m = {space, vertex, outward, skin};
  if (!skin->first || !skin->anchor || !skin->amount || !skin->normal || !skin->rest_of)
    return mote_fail_memory(error, count * sizeof *skin->first);
  set_moments(skin, space);
  set_normals(skin, normal);
  mote_parallel_for(memory->env.threads, count, VERTICES_PER_CHUNK, anchor_chunk, &m);
  MOTE_TRY(make_table(&m, memory, error));
  for (size_t i = 0; i < count; ++i) skin->beyond += skin->amount[i] > (float)MOTE_DEFORM_BEYOND;
  return MOTE_OK;
}

// --- Motion -----------------------------------------------------------------------------------------------

typedef struct moving {
  const mote_deform_skin *skin;
  const double *rest_vertex;
  double u[3], g[9];  // affine motion of all nodes: u + g (X - centre)
  double *vertex, *normal;
  float *determinant;
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

// Displacements of four vertices beyond the affine motion, and their derivatives along x, y, z: a lane for
// each component.
static inline void sum_fields(const mote_deform_skin *skin, size_t group, mote_lane out[4][3]) {
  mote_lane x0 = {0}, y0 = {0}, z0 = {0}, x1 = {0}, y1 = {0}, z1 = {0};
  mote_lane x2 = {0}, y2 = {0}, z2 = {0}, x3 = {0}, y3 = {0}, z3 = {0};
  const float *moved = skin->rest_of;
  for (size_t k = skin->first[group]; k < skin->first[group + 1]; ++k) {
    const uint16_t *node = skin->node + 4 * k;
    const float *phi = skin->value + 16 * k, *m0 = moved + 4 * (size_t)node[0],
                *m1 = moved + 4 * (size_t)node[1];
    const float *m2 = moved + 4 * (size_t)node[2], *m3 = moved + 4 * (size_t)node[3];
    mote_lane p0 = mote_lane_load(phi), p1 = mote_lane_load(phi + 4);
    x0 += m0[0] * p0, y0 += m0[1] * p0, z0 += m0[2] * p0;
    x1 += m1[0] * p1, y1 += m1[1] * p1, z1 += m1[2] * p1;
    mote_lane p2 = mote_lane_load(phi + 8), p3 = mote_lane_load(phi + 12);
    x2 += m2[0] * p2, y2 += m2[1] * p2, z2 += m2[2] * p2;
    x3 += m3[0] * p3, y3 += m3[1] * p3, z3 += m3[2] * p3;
  }
  out[0][0] = x0, out[0][1] = y0, out[0][2] = z0, out[1][0] = x1, out[1][1] = y1, out[1][2] = z1;
  out[2][0] = x2, out[2][1] = y2, out[2][2] = z2, out[3][0] = x3, out[3][1] = y3, out[3][2] = z3;
}

static inline mote_lane cross_dot(const mote_lane *a, const mote_lane *b, const mote_lane *n) {
  return n[0] * (a[1] * b[2] - a[2] * b[1]) + n[1] * (a[2] * b[0] - a[0] * b[2]) +
         n[2] * (a[0] * b[1] - a[1] * b[0]);
}

// cof(F) n, normalised, of four vertices. F by rows, each component a lane of the four.
static inline void turn_normals(mote_lane f[3][3], const float *rest, float out[3][4]) {
  mote_lane n[3], to[3];
  for (int k = 0; k < 3; ++k) n[k] = mote_lane_load(rest + 4 * k);
  to[0] = cross_dot(f[1], f[2], n), to[1] = cross_dot(f[2], f[0], n), to[2] = cross_dot(f[0], f[1], n);
  mote_lane square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
  mote_lane over = 1.0f / mote_lane_sqrt(mote_lane_max(square, mote_lane_splat(FLT_MIN)));
  for (int k = 0; k < 3; ++k) mote_lane_store(out[k], to[k] * over);
}

static void move_four(const moving *m, size_t begin, size_t count) {
  mote_lane field[4][3], f[3][3];
  sum_fields(m->skin, begin / 4, field);
  for (size_t v = 0; v < count; ++v) {
    const double *x = m->rest_vertex + 3 * (begin + v);
    double *to = m->vertex + 3 * (begin + v), off[3], moved[3];
    sub3(x, m->skin->centre, off);
    turn3(m->g, off, moved);
    for (int k = 0; k < 3; ++k) to[k] = x[k] + (m->u[k] + moved[k] + (double)field[v][k][0]);
  }
  if (m->normal == NULL) return;
  for (int k = 0; k < 3; ++k) {
    mote_lane value = field[0][k];
    f[k][0] = field[1][k], f[k][1] = field[2][k], f[k][2] = field[3][k];
    mote_lane_transpose(&value, &f[k][0], &f[k][1], &f[k][2]);
    for (int a = 0; a < 3; ++a) f[k][a] += (float)(m->g[3 * k + a] + (a == k ? 1.0 : 0.0));
  }
  float turned[3][4];
  turn_normals(f, m->skin->normal + 3 * begin, turned);
  double *to = m->normal + 3 * begin;
  for (size_t v = 0; v < count; ++v)
    set3((double)turned[0][v], (double)turned[1][v], (double)turned[2][v], to + 3 * v);
}

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (size_t i = begin; i < end; i += 4) move_four(data, i, end - i < 4 ? end - i : 4);
}

void mote_deform_skin_move(mote_deform_skin *skin, const mote_deform_space *space, const double *position,
                           const double *rest_vertex, int threads, double *vertex, double *normal) {
  moving m = {.skin = skin, .rest_vertex = rest_vertex, .vertex = vertex, .normal = normal};
  split(skin, space, position, &m);
  mote_parallel_for(threads, skin->count, VERTICES_PER_CHUNK, move_chunk, &m);
}

static void determinant_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const moving *m = data;
  for (size_t i = begin; i < end; i += 4) {
    mote_lane field[4][3];
    sum_fields(m->skin, i / 4, field);
    for (size_t v = 0; v < 4 && i + v < end; ++v) {
      double F[3][3], n[3];
      for (int k = 0; k < 3; ++k)
        for (int a = 0; a < 3; ++a)
          F[k][a] = m->g[3 * k + a] + (a == k ? 1.0 : 0.0) + (double)field[v][k][1 + a];
      cross3(F[1], F[2], n);
      m->determinant[i + v] = (float)dot3(F[0], n);
    }
  }
}

void mote_deform_skin_determinants(mote_deform_skin *skin, const mote_deform_space *space,
                                   const double *position, int threads, float *determinant) {
  moving m = {.skin = skin, .determinant = determinant};
  split(skin, space, position, &m);
  mote_parallel_for(threads, skin->count, VERTICES_PER_CHUNK, determinant_chunk, &m);
}
