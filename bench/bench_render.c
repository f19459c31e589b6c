// Times of rendered pictures: a body of water of 100,000 triangles with waves on it, in a tank, about a ball.
#include <math.h>
#include <mote/numeric.h>
#include <mote/render.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

typedef struct picture {
  mote_render_def def;
  mote_render_scene scene;
  mote_render_mesh water;
  mote_render_spheres ball;
  double ball_at[3];
  mote_env env;
  mote_error error;
} picture;

static double wave(double x, double z) {
  return 0.35 + 0.03 * mote_sin(9 * x + 4 * z) + 0.02 * mote_sin(17 * x - 11 * z) +
         0.008 * mote_sin(40 * z + 23 * x);
}

// A sheet of n x n squares, its face up or down.
static void add_sheet(mote_mesh *mesh, size_t n, bool up) {
  size_t first = mesh->vertices;
  for (size_t k = 0; k < (n + 1) * (n + 1); ++k) {
    double x = (double)(k % (n + 1)) / (double)n, z = (double)(k / (n + 1)) / (double)n;
    double *v = mesh->vertex + 3 * mesh->vertices++;
    v[0] = x, v[1] = up ? wave(x, z) : 0, v[2] = 0.6 * z;
  }
  for (size_t k = 0; k < n * n; ++k) {
    uint32_t a = (uint32_t)(first + k / n * (n + 1) + k % n), b = a + 1, c = a + (uint32_t)n + 1, d = c + 1;
    const uint32_t corner[6] = {a, up ? c : b, up ? b : c, b, up ? c : d, up ? d : c};
    for (int m = 0; m < 6; ++m) mesh->triangle[3 * mesh->triangles + (size_t)m] = corner[m];
    mesh->triangles += 2;
  }
}

// Joins both sheets along their four sides.
static void add_sides(mote_mesh *mesh, size_t n) {
  size_t half = (n + 1) * (n + 1);
  for (int side = 0; side < 4; ++side)
    for (size_t k = 0; k < n; ++k) {
      size_t step = side < 2 ? 1 : n + 1, start = side == 1 ? n * (n + 1) : side == 3 ? n : 0;
      uint32_t a = (uint32_t)(start + k * step), b = (uint32_t)(a + step);
      uint32_t under = (uint32_t)half, *t = mesh->triangle + 3 * mesh->triangles;
      bool turn = side == 0 || side == 3;
      const uint32_t corner[6] = {a, turn ? b : a + under,         turn ? a + under : b,
                                  b, turn ? b + under : a + under, turn ? a + under : b + under};
      for (int m = 0; m < 6; ++m) t[m] = corner[m];
      mesh->triangles += 2;
    }
}

static void make_picture(bench *b, picture *p) {
  size_t n = bench_quick(b) ? 50 : 157, squares = 2 * n * n + 4 * n;
  *p = (picture){
      .def = mote_render_def_default(), .scene = mote_render_scene_default(), .env = mote_env_default()};
  p->def.width = bench_quick(b) ? 160 : 640, p->def.height = bench_quick(b) ? 90 : 360;
  p->def.noise = 0;  // all paths: their rate is what is measured
  p->env.threads = bench_threads(b);
  mote_mesh *mesh = &p->water.mesh;
  mesh->vertex = malloc(2 * (n + 1) * (n + 1) * 3 * sizeof *mesh->vertex);
  mesh->triangle = malloc(2 * squares * 3 * sizeof *mesh->triangle);
  if (mesh->vertex == NULL || mesh->triangle == NULL) abort();
  add_sheet(mesh, n, true);
  add_sheet(mesh, n, false);
  add_sides(mesh, n);
  p->water.look = mote_look_water();
  p->ball_at[0] = 0.7, p->ball_at[1] = 0.3, p->ball_at[2] = 0.3;
  p->ball = (mote_render_spheres){
      .position = p->ball_at, .count = 1, .radius = 0.12, .look = mote_look_glossy(0.7F, 0.15F, 0.05F)};
  p->scene.mesh = &p->water, p->scene.meshes = 1;
  p->scene.spheres = &p->ball, p->scene.sphere_sets = 1;
  const double high[3] = {1, 0.6, 0.6};
  for (int k = 0; k < 3; ++k) p->scene.low[k] = 0, p->scene.high[k] = high[k];
}

static double draw_once(picture *p) {
  mote_image *image = NULL;
  double start = bench_now();
  mote_render_draw(&p->def, &p->scene, &p->env, &image, &p->error);
  mote_image_destroy(image);
  return bench_now() - start;
}

// Pictures take seconds: once each. The rate counts paths.
static void report(bench *b, picture *p, const char *what) {
  char name[96];
  snprintf(name, sizeof name, "%d x %d, %d samples%s", p->def.width, p->def.height, p->def.samples, what);
  double seconds = draw_once(p);
  if (p->error.code != MOTE_OK) {
    bench_error(b, &p->error);
    return;
  }
  size_t paths = (size_t)p->def.width * (size_t)p->def.height * (size_t)p->def.samples;
  bench_report(
      b, &(bench_line){.name = name, .particles = paths, .threads = p->env.threads, .seconds = seconds});
}

static void run_render(bench *b) {
  picture p;
  make_picture(b, &p);
  report(b, &p, "");
  p.def.denoise = false;
  report(b, &p, ", not denoised");
  p.def.caustics = false;
  report(b, &p, ", without caustics");
  free(p.water.mesh.vertex), free(p.water.mesh.triangle);
}

const bench_case bench_render_cases[] = {
    {"render", "draw", "a picture of water in a tank, 100,000 triangles; the rate counts paths", run_render},
    {0}};
