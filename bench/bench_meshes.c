// Meshes as people have them: a pot in pieces, and the solids that clean and mended meshes are. Goals: a
// mesh of a million triangles filled from a million points in 10 s on two cores, with at most 300 bytes a
// triangle; the pot's 20 pieces with at most 60,000 triangles.
#include <math.h>
#include <mote/fragments.h>
#include <mote/geom.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "validate/fracture/pot_mesh.h"

// --- A pot in pieces --------------------------------------------------------------------------------------

typedef struct pot_run {
  mote_env env;
  mote_mesh mesh;
  mote_shape *shape;
  mote_fragments *pieces;
} pot_run;

static mote_result prepare_pot(pot_run *r, mote_error *error) {
  mote_shape_def shape = mote_shape_def_default();
  if (!pot_mesh_make(&r->mesh)) return MOTE_ERROR_MEMORY;
  shape.kind = MOTE_SHAPE_MESH, shape.mesh = r->mesh;
  return mote_shape_create(&shape, 3, &r->env, &r->shape, error);
}

static mote_result break_pot(pot_run *r, mote_error *error) {
  mote_fragments_def def = mote_fragments_def_default();
  mote_shatter_def how = mote_shatter_def_default();
  mote_soup soup = {0};
  def.shape = r->shape;
  mote_result result = mote_shatter(r->shape, &how, &r->env, &soup, error);
  if (result == MOTE_OK) result = mote_fragments_create(&def, &r->env, &r->pieces, error);
  if (result == MOTE_OK) result = mote_fragments_cut(r->pieces, soup.corner, soup.count, error);
  mote_soup_free(&soup, &r->env);
  return result;
}

static mote_result sharpen_pot(pot_run *r, mote_error *error) {
  return mote_fragments_sharpen(r->pieces, error);
}

static mote_result simplify_pot(pot_run *r, mote_error *error) {
  mote_simplify_def def = mote_simplify_def_default();
  return mote_fragments_simplify(r->pieces, &def, error);
}

static void run_pot(bench *b) {
  static const struct {
    const char *name;
    mote_result (*run)(pot_run *, mote_error *);
  } stage[] = {
      {"breaking", break_pot}, {"sharpening", sharpen_pot}, {"simplifying, goal 60,000", simplify_pot}};
  pot_run r = {.env = mote_env_default()};
  mote_error error = {.text = "out of memory"};
  r.env.threads = bench_threads(b);
  mote_result result = prepare_pot(&r, &error);
  for (size_t k = 0; k < sizeof stage / sizeof *stage && result == MOTE_OK; ++k) {
    size_t before = mote_fragments_look(r.pieces).mesh.triangles;
    clock_t cpu = clock();
    double begun = bench_now();
    result = stage[k].run(&r, &error);
    bench_line line = {.name = stage[k].name, .threads = r.env.threads, .seconds = bench_now() - begun};
    line.cpu_seconds = (double)(clock() - cpu) / CLOCKS_PER_SEC;
    line.triangles = mote_fragments_look(r.pieces).mesh.triangles;
    line.particles = before > 0 ? before : line.triangles;
    if (result == MOTE_OK) bench_report(b, &line);
  }
  if (result != MOTE_OK) bench_error(b, &error);
  mote_fragments_destroy(r.pieces);
  mote_shape_destroy(r.shape);
  pot_mesh_free(&r.mesh);
}

// --- Solids ----------------------------------------------------------------------------------------------

#define PI 3.14159265358979323846
#define TORUS_RADIUS 1.0
#define TUBE_RADIUS 0.4
#define SECOND_MOVE 0.5  // of a second torus: it crosses the first one

// Memory through an environment, and the most that there was.
typedef struct memory_meter {
  mote_env plain;
  size_t now, most;
} memory_meter;

// Called by one thread: meshes are prepared by the calling one.
static void *meter_resize(void *user, void *block, size_t old_size, size_t size) {
  memory_meter *m = user;
  m->now += size - old_size;
  if (m->now > m->most) m->most = m->now;
  return m->plain.resize(m->plain.resize_user, block, old_size, size);
}

// Tori of 2 * rows * 2 * rows triangles each, beside each other along x.
static bool make_tori(uint32_t rows, int count, mote_mesh *out) {
  uint32_t each = 2 * rows * rows, columns = 2 * rows;
  mote_mesh m = {.vertices = (size_t)count * each, .triangles = 2 * (size_t)count * each};
  m.vertex = malloc(3 * m.vertices * sizeof *m.vertex);
  m.triangle = malloc(3 * m.triangles * sizeof *m.triangle);
  *out = m;
  if (m.vertex == NULL || m.triangle == NULL) return false;
  for (uint32_t v = 0; v < m.vertices; ++v) {
    uint32_t i = v % each / rows, j = v % rows, first = v - v % each;
    double a = 2.0 * PI * i / columns, b = 2.0 * PI * j / rows;
    double r = TORUS_RADIUS + TUBE_RADIUS * mote_cos(b), *x = m.vertex + 3 * (size_t)v;
    x[0] = r * mote_cos(a) + SECOND_MOVE * (v / each), x[1] = r * mote_sin(a),
    x[2] = TUBE_RADIUS * mote_sin(b);
    uint32_t next = first + (i + 1) % columns * rows, own = first + i * rows, *t = m.triangle + 6 * (size_t)v;
    t[0] = own + j, t[1] = next + j, t[2] = next + (j + 1) % rows;
    t[3] = own + j, t[4] = next + (j + 1) % rows, t[5] = own + (j + 1) % rows;
  }
  return true;
}

static void time_solid(bench *b, int tori, const mote_mesh *mesh) {
  memory_meter meter = {.plain = mote_env_default()};
  mote_env env = meter.plain;
  mote_shape_def def = mote_shape_def_default();
  mote_shape *shape = NULL;
  mote_error error = {0};
  char name[96];
  size_t points = bench_quick(b) ? 20000 : 1000000;
  env.resize = meter_resize, env.resize_user = &meter, env.threads = bench_threads(b);
  def.kind = MOTE_SHAPE_MESH, def.mesh = *mesh;
  double begun = bench_now();
  if (mote_shape_create(&def, 3, &env, &shape, &error) != MOTE_OK) {
    bench_error(b, &error);
    return;
  }
  const char *what = tori == 1 ? "clean" : "two parts united";
  snprintf(name, sizeof name, "%s, %.0f bytes a triangle, goal 300", what,
           (double)meter.most / (double)mesh->triangles);
  bench_line line = {.name = name, .particles = mesh->triangles, .threads = env.threads};
  line.seconds = bench_now() - begun, line.bytes = meter.most;
  bench_report(b, &line);
  double low[3], high[3], box = 1.0;
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < 3; ++k) box *= high[k] - low[k];
  mote_samples fill = {0};
  begun = bench_now();
  clock_t cpu = clock();
  mote_result filled = mote_shape_fill(shape, mote_cbrt(box / (double)points), MOTE_FILL_CUBIC, 0, points,
                                       &env, &fill, &error);
  line = (bench_line){.name = name, .particles = points, .threads = env.threads};
  line.seconds = bench_now() - begun, line.cpu_seconds = (double)(clock() - cpu) / CLOCKS_PER_SEC;
  snprintf(name, sizeof name, "%s, points of its box asked, %.1f %% inside, goal 10 s", what,
           100.0 * (double)fill.count / (double)points);
  if (filled == MOTE_OK)
    bench_report(b, &line);
  else
    bench_error(b, &error);
  mote_samples_free(&fill, &env);
  mote_shape_destroy(shape);
}

static void run_inside(bench *b) {
  uint32_t rows = bench_quick(b) ? 100 : 500;
  for (int tori = 1; tori <= 2; ++tori) {
    mote_mesh mesh;
    if (make_tori(tori == 1 ? rows : (uint32_t)(rows / sqrt(2.0)), tori, &mesh)) time_solid(b, tori, &mesh);
    free(mesh.vertex), free(mesh.triangle);
  }
}

const bench_case bench_mesh_cases[] = {
    {"pieces", "meshes", "a pot of 1,120 triangles in 20 pieces: broken, sharpened, simplified", run_pot},
    {"inside", "meshes", "solids of a million triangles, clean and mended, and the fill of their boxes",
     run_inside},
    {0},
};
