// Elastic bodies: explicit and implicit steps, and the skins they carry. Goals: 2 million particles an
// explicit step and second; implicit steps in a quarter of the peer's time; 100,000 vertices of 16 nodes in 4
// ms; EG09's own example at 500 frames a second.
#include <math.h>
#include <mote/elastic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define SPACING 0.05
#define PAIR_BYTES 36  // what a pair stores: place, weight, index
#define NODE_BYTES 20  // what a vertex stores for a node: shape function, its gradient, index
#define MOMENTS 648    // bytes of a particle's inverse, order 2
#define GRAVITY 9.81
#define SAFE 0.9  // of the longest stable step

typedef struct block {
  int n[3];        // particles along each axis
  double support;  // in spacings
  int order;       // 0: 2
  size_t count;
  double *rest, *position, *velocity, *other;  // `other`: forces or accelerations
  uint8_t *held;
  mote_elastic *body;
  mote_error error;
} block;

static void block_free(block *k) {
  mote_elastic_destroy(k->body);
  free(k->rest), free(k->position), free(k->velocity), free(k->other), free(k->held);
  memset(k, 0, sizeof *k);
}

static void place_particles(block *k) {
  size_t i = 0;
  for (int a = 0; a < k->n[0]; ++a) {
    for (int b = 0; b < k->n[1]; ++b) {
      for (int c = 0; c < k->n[2]; ++c, ++i) {
        const int at[3] = {a, b, c};
        for (int e = 0; e < 3; ++e) k->rest[3 * i + (size_t)e] = SPACING * (at[e] + 0.5);
      }
    }
  }
  memcpy(k->position, k->rest, 3 * k->count * sizeof *k->rest);
}

static bool block_make(block *k, double young, int threads) {
  k->count = (size_t)k->n[0] * (size_t)k->n[1] * (size_t)k->n[2];
  k->rest = calloc(3 * k->count, sizeof(double)), k->position = calloc(3 * k->count, sizeof(double));
  k->velocity = calloc(3 * k->count, sizeof(double)), k->other = calloc(3 * k->count, sizeof(double));
  k->held = calloc(k->count, 1);
  if (!k->rest || !k->position || !k->velocity || !k->other || !k->held) abort();
  place_particles(k);
  mote_env env = mote_env_default();
  mote_elastic_def def = mote_elastic_def_default();
  env.threads = threads;
  def.position = k->rest, def.count = k->count, def.uniform_support = k->support * SPACING;
  def.total_volume = (double)k->count * SPACING * SPACING * SPACING;
  if (k->order > 0) def.order = k->order;
  def.density = 1000.0, def.kind = MOTE_ELASTIC_SAINT_VENANT, def.young = young;
  return mote_elastic_create(&def, &env, &k->body, &k->error) == MOTE_OK;
}

// Of both ends.
static double block_pairs(const block *k) {
  double pairs = 0.0;
  int far = (int)k->support;
  for (int a = -far; a <= far; ++a) {
    for (int b = -far; b <= far; ++b) {
      for (int c = -far; c <= far; ++c) {
        int square = a * a + b * b + c * c;
        if (square == 0 || square >= k->support * k->support) continue;
        pairs += (double)(k->n[0] - abs(a)) * (k->n[1] - abs(b)) * (k->n[2] - abs(c));
      }
    }
  }
  return pairs;
}

// The least wall and processor time of a few calls.
static double least(bench *b, void (*run)(void *), void *data, double *cpu) {
  double best = 1e300, spent = 0.0;
  *cpu = 1e300;
  for (int k = 0; k < 3 || (spent < (bench_quick(b) ? 0.1 : 0.5) && k < 1000); ++k) {
    double begun = bench_now();
    clock_t from = clock();
    run(data);
    double seconds = bench_now() - begun, own = (double)(clock() - from) / CLOCKS_PER_SEC;
    spent += seconds;
    best = fmin(best, seconds), *cpu = fmin(*cpu, own);
  }
  return best;
}

// --- Explicit steps ---

typedef struct explicit_run {
  block k;
  mote_elastic_motion motion;
  double step;
  mote_result result;
} explicit_run;

static bool explicit_begin(explicit_run *r, double young, int threads) {
  if (!block_make(&r->k, young, threads)) return false;
  for (size_t i = 0; i < r->k.count; ++i) r->k.velocity[3 * i] = 0.1 * sin(r->k.rest[3 * i + 1]);
  r->motion = (mote_elastic_motion){.position = r->k.position, .velocity = r->k.velocity};
  return mote_elastic_find_limit(r->k.body, 1.1, &r->step, &r->k.error) == MOTE_OK;
}

static void explicit_step(void *data) {
  explicit_run *r = data;
  if (r->result) return;
  r->result = mote_elastic_step(r->k.body, &r->motion, NULL, SAFE * r->step, r->k.other, &r->k.error);
}

static void run_explicit(bench *b) {
  int side = bench_quick(b) ? 16 : 32;
  for (int threads = 1; threads <= bench_threads(b); threads += bench_threads(b) - 1) {
    explicit_run r = {.k = {.n = {side, side, side}, .support = 2.1}};
    bool good = explicit_begin(&r, 1e6, threads);
    double cpu, seconds = good ? least(b, explicit_step, &r, &cpu) : 0.0;
    if (!good || r.result) {
      bench_error(b, &r.k.error);
    } else {
      char name[96];
      double pairs = block_pairs(&r.k), count = (double)r.k.count;
      snprintf(name, sizeof name, "%.1f neighbours: %.2f M/s (goal 2 on 2), %.2f a core", pairs / count,
               1e-6 * count / seconds, 1e-6 * count / cpu);
      double bytes = pairs * PAIR_BYTES + count * MOMENTS;
      bench_report(b, &(bench_line){.name = name,
                                    .particles = r.k.count,
                                    .threads = threads,
                                    .seconds = seconds,
                                    .cpu_seconds = cpu,
                                    .pairs = pairs,
                                    .floor = bench_floor_bytes(b, bytes, threads),
                                    .floor_of = "pairs and moments read once"});
    }
    block_free(&r.k);
    if (bench_threads(b) == 1) break;
  }
}

// --- Another reference for what has flowed ---

typedef struct renewal_run {
  block k;
  double *plastic, *flow;  // now, and when it has flowed
  mote_elastic_reference reference;
  mote_elastic_motion motion;
  mote_result result;
} renewal_run;

// A block that is sheared and flows.
static bool renewal_begin(renewal_run *r, int threads) {
  const mote_plastic_law law = {.yield = 0.02, .rate = HUGE_VAL, .most = HUGE_VAL};
  if (!block_make(&r->k, 1e6, threads)) return false;
  size_t n = r->k.count;
  r->plastic = calloc(22 * n, sizeof *r->plastic);
  if (r->plastic == NULL) abort();
  r->flow = r->plastic + 6 * n;
  r->reference = (mote_elastic_reference){r->plastic + 12 * n, r->plastic + 15 * n, r->plastic + 21 * n};
  for (size_t i = 0; i < n; ++i) r->k.position[3 * i] += 0.3 * sin(3.0 * r->k.rest[3 * i + 1]);
  r->motion = (mote_elastic_motion){.position = r->k.position, .plastic = r->plastic};
  r->result = mote_elastic_flow_for(r->k.body, &law, &r->motion, 1.0, NULL, &r->k.error);
  memcpy(r->flow, r->plastic, 6 * n * sizeof *r->plastic);
  return r->result == MOTE_OK;
}

static void renew(void *data) {
  renewal_run *r = data;
  size_t n = r->k.count;
  mote_elastic *next = NULL;
  if (r->result) return;
  memcpy(r->plastic, r->flow, 6 * n * sizeof *r->plastic);
  memcpy(r->reference.position, r->k.rest, 3 * n * sizeof *r->k.rest);
  memset(r->reference.metric, 0, 7 * n * sizeof *r->plastic);
  r->result = mote_elastic_renew(r->k.body, r->k.body, 0.1, &r->motion, &r->reference, &next, &r->k.error);
  if (r->result == MOTE_OK && next == NULL) r->result = MOTE_ERROR_NUMERIC;
  mote_elastic_destroy(next);
}

static void run_renewal(bench *b) {
  int side = bench_quick(b) ? 8 : 14;
  renewal_run r = {.k = {.n = {side, side, side}, .support = 2.4, .order = 1}};
  bool good = renewal_begin(&r, bench_threads(b));
  double cpu, seconds = good ? least(b, renew, &r, &cpu) : 0.0;
  if (!good || r.result) {
    bench_error(b, &r.k.error);
  } else {
    double pairs = block_pairs(&r.k);
    bench_report(b, &(bench_line){.name = "the next reference and its body",
                                  .particles = r.k.count,
                                  .threads = bench_threads(b),
                                  .seconds = seconds,
                                  .cpu_seconds = cpu,
                                  .pairs = pairs,
                                  .floor = bench_floor_bytes(b, 2.0 * pairs * PAIR_BYTES, bench_threads(b)),
                                  .floor_of = "pairs read and written once"});
  }
  free(r.plastic);
  block_free(&r.k);
}

// --- Implicit steps: the cantilever of the peers, 5 ms, at rest in the beginning ---

#define HELD_ROWS 3
#define YOUNG 2e7
#define STATIC 1e3  // s: a step so long that nothing moves at its end

typedef struct beam {
  block k;
  mote_elastic_implicit *solver;
  mote_elastic_motion motion;
  int newton, cg, late;
} beam;

static bool beam_begin(beam *m, int threads) {
  mote_elastic_implicit_def def = mote_elastic_implicit_def_default();
  if (!block_make(&m->k, YOUNG, threads)) return false;
  size_t across = (size_t)m->k.n[1] * (size_t)m->k.n[2];
  for (size_t i = 0; i < m->k.count; ++i) {
    m->k.held[i] = i < HELD_ROWS * across;
    m->k.other[3 * i + 1] = -GRAVITY;
  }
  m->motion = (mote_elastic_motion){.position = m->k.position, .velocity = m->k.velocity, .held = m->k.held};
  def.tolerance = 1e-6;
  return mote_elastic_implicit_create(&def, m->k.body, &m->solver, &m->k.error) == MOTE_OK;
}

static bool beam_step(beam *m, double dt) {
  mote_elastic_report report;
  if (mote_elastic_implicit_step(m->solver, &m->motion, m->k.other, dt, &report, &m->k.error)) return false;
  m->newton += report.newton, m->cg += report.cg, m->late += !report.converged;
  return true;
}

// How deep the tip hangs when all is still, over Timoshenko's. The clamp lies in the last held row's plane,
// and the tip half a spacing beyond the last one, to which the slope of a loaded beam goes on.
static bool beam_tip(beam *m, double *ratio) {
  size_t across = (size_t)m->k.n[1] * (size_t)m->k.n[2];
  double height = m->k.n[1] * SPACING, length = (m->k.n[0] - HELD_ROWS + 0.5) * SPACING;
  double weight = 1000.0 * GRAVITY * height * height, shear = YOUNG / 2.6, depth = 0.0;
  memset(m->k.velocity, 0, 3 * m->k.count * sizeof(double));
  if (!beam_step(m, STATIC)) return false;
  for (size_t i = m->k.count - across; i < m->k.count; ++i) {
    depth += (m->k.rest[3 * i + 1] - m->k.position[3 * i + 1]) / (double)across;
  }
  double inertia = height * height * height * height / 12.0;
  double theory = weight * length * length * length * length / (8.0 * YOUNG * inertia) +
                  weight * length * length / (2.0 * 0.85 * shear * height * height);
  *ratio = depth * (1.0 + 2.0 / 3.0 * SPACING / length) / theory;
  return true;
}

static void beam_report(bench *b, beam *m, int steps, double seconds, double cpu, double peer) {
  char name[96];
  double tip, pairs = block_pairs(&m->k);
  double newton = (double)m->newton / steps, cg = (double)m->cg / steps;
  if (!beam_tip(m, &tip)) {
    bench_error(b, &m->k.error);
    return;
  }
  snprintf(name, sizeof name, "Newton %.1f, products %.1f, tip %.3f%s", newton, cg, tip,
           m->late > 0 ? ", not converged" : "");
  bench_report(b, &(bench_line){.name = name,
                                .particles = m->k.count,
                                .threads = bench_threads(b),
                                .seconds = seconds,
                                .cpu_seconds = cpu,
                                .pairs = pairs,
                                .floor = bench_floor_bytes(
                                    b, pairs * (20.0 * cg + PAIR_BYTES * (newton + 1.0)), bench_threads(b)),
                                .floor_of = "pairs read once a product and force, goal 0.25 of",
                                .peer = "Kugelstadt21",
                                .peer_seconds = peer,
                                .peer_cpu_seconds = 2.0 * peer});
}

static void run_beam(bench *b, int along, int across, int steps, double peer) {
  beam m = {.k = {.n = {along, across, across}, .support = 2.0}};
  bool good = beam_begin(&m, bench_threads(b)) && beam_step(&m, 5e-3);
  double begun = bench_now();
  clock_t cpu = clock();
  m.newton = m.cg = m.late = 0;
  for (int k = 0; good && k < steps; ++k) good = beam_step(&m, 5e-3);
  double seconds = (bench_now() - begun) / steps;
  double spent = (double)(clock() - cpu) / CLOCKS_PER_SEC / steps;
  if (good) {
    beam_report(b, &m, steps, seconds, spent, peer);
  } else {
    bench_error(b, &m.k.error);
  }
  mote_elastic_implicit_destroy(m.solver);
  block_free(&m.k);
}

static void run_beam_small(bench *b) {
  run_beam(b, 41, 9, bench_quick(b) ? 5 : 40, 0.032);
}

static void run_beam_large(bench *b) {
  if (!bench_quick(b)) run_beam(b, 81, 19, 5, 0.570);
}

// --- Skins ---

typedef struct skin_run {
  explicit_run of;
  mote_elastic_skin *skin;
  size_t vertices;
  double *vertex, *normal, *moved, *turned;
  int substeps;  // explicit ones before the skin moves; 0: only the skin
  double nodes;  // of all vertices together
} skin_run;

// Rings of 100 points on a ball in the middle of the body, one after the other as in most meshes.
static void place_vertices(skin_run *s, double radius) {
  for (size_t i = 0; i < s->vertices; ++i) {
    double z = 1.0 - (2.0 * (double)(i / 100) + 1.0) / (double)(s->vertices / 100), ring = sqrt(1.0 - z * z);
    double turn = 0.06283185307179586 * (double)(i % 100), n[3] = {ring * cos(turn), ring * sin(turn), z};
    for (int e = 0; e < 3; ++e) {
      size_t at = 3 * i + (size_t)e;
      s->normal[at] = n[e];
      s->vertex[at] = SPACING * (0.5 * s->of.k.n[e] + radius * n[e]);
    }
  }
}

static double count_nodes(const skin_run *s, double support) {
  double nodes = 0.0, most = support * support * SPACING * SPACING;
  for (size_t i = 0; i < s->vertices; ++i) {
    for (size_t j = 0; j < s->of.k.count; ++j) {
      const double *x = s->vertex + 3 * i, *y = s->of.k.rest + 3 * j;
      double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
      nodes += dx * dx + dy * dy + dz * dz < most;
    }
  }
  return nodes;
}

static bool skin_begin(skin_run *s, mote_skin_kind kind, double radius, double support, int threads) {
  size_t n = 3 * s->vertices;
  if (!explicit_begin(&s->of, 1e5, threads)) return false;
  s->vertex = calloc(n, sizeof(double)), s->normal = calloc(n, sizeof(double));
  s->moved = calloc(n, sizeof(double)), s->turned = calloc(n, sizeof(double));
  if (!s->vertex || !s->normal || !s->moved || !s->turned) abort();
  place_vertices(s, radius);
  s->nodes = count_nodes(s, support);
  mote_elastic_skin_def def = {.kind = kind, .body = s->of.k.body, .position = s->of.k.rest};
  def.support = support * SPACING, def.vertex = s->vertex, def.normal = s->normal, def.count = s->vertices;
  return mote_elastic_skin_create(&def, &s->skin, &s->of.k.error) == MOTE_OK;
}

static void skin_free(skin_run *s) {
  mote_elastic_skin_destroy(s->skin);
  free(s->vertex), free(s->normal), free(s->moved), free(s->turned);
  block_free(&s->of.k);
}

static void skin_frame(void *data) {
  skin_run *s = data;
  for (int k = 0; k < s->substeps; ++k) explicit_step(&s->of);
  if (s->of.result) return;
  s->of.result = mote_elastic_skin_move(s->skin, s->of.k.position, s->moved, s->turned, &s->of.k.error);
}

static void skin_report(bench *b, skin_run *s, const char *what, int threads) {
  double cpu, seconds = least(b, skin_frame, s, &cpu);
  if (s->of.result) {
    bench_error(b, &s->of.k.error);
    return;
  }
  char name[96];
  snprintf(name, sizeof name, "%s, %.1f nodes: %.0f/s, CPU %.2f ms", what, s->nodes / (double)s->vertices,
           1.0 / seconds, 1e3 * cpu);
  double bytes = s->nodes * NODE_BYTES + 96.0 * (double)s->vertices;
  bench_report(b, &(bench_line){.name = name,
                                .particles = s->vertices,
                                .threads = threads,
                                .seconds = seconds,
                                .pairs = s->nodes,
                                .floor = bench_floor_bytes(b, bytes, threads),
                                .floor_of = "nodes of vertices read once"});
}

static void run_skin(bench *b) {
  const char *const name[MOTE_SKIN_KINDS] = {"(67), goal 4 ms", "(68)"};
  for (int kind = 0; kind < MOTE_SKIN_KINDS; ++kind) {
    skin_run s = {.of = {.k = {.n = {12, 12, 12}, .support = 2.1}},
                  .vertices = bench_quick(b) ? 10000 : 100000};
    if (skin_begin(&s, (mote_skin_kind)kind, 4.5, 1.57, bench_threads(b))) {
      skin_report(b, &s, name[kind], bench_threads(b));
    } else {
      bench_error(b, &s.of.k.error);
    }
    skin_free(&s);
  }
}

// EG09 7.4: 200 particles with a surface of 10,000 points. Frames of 1/50 s, jelly.
static void run_eg09(bench *b) {
  skin_run s = {.of = {.k = {.n = {5, 5, 8}, .support = 2.1}}, .vertices = 10000};
  if (skin_begin(&s, MOTE_SKIN_SHAPES, 2.0, 2.1, bench_threads(b))) {
    char name[64];
    s.substeps = (int)(0.02 / (SAFE * s.of.step)) + 1;
    snprintf(name, sizeof name, "%d steps and a skin, goal 500", s.substeps);
    skin_report(b, &s, name, bench_threads(b));
  } else {
    bench_error(b, &s.of.k.error);
  }
  skin_free(&s);
}

const bench_case bench_elastic_cases[] = {
    {"explicit", "elastic", "an explicit step of a block, order 2", run_explicit},
    {"renewal", "elastic", "another reference for a block that has flowed, order 1", run_renewal},
    {"implicit-3k", "elastic", "5 ms of a cantilever of 3,321 particles", run_beam_small},
    {"implicit-29k", "elastic", "5 ms of a cantilever of 29,241 particles", run_beam_large},
    {"skin-100k", "elastic", "100,000 vertices carried by 16 nodes each", run_skin},
    {"eg09-7.4", "elastic", "200 particles and a surface of 10,000 points: frames of 1/50 s", run_eg09},
    {NULL, NULL, NULL, NULL},
};
