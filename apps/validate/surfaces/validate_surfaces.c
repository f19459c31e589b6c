// Validation of surfaces of particles whose exact surface is known: solids and a pool of jittered particles
// by every method (volume, distance, normals, topology), curvature, the same bytes on any number of threads.
// Criteria Q1-Q5, Q10, Q12 of docs/surface_quality.md.
#include <math.h>
#include <stdlib.h>

#include "validate/surfaces/mesh_measure.h"
#include "validate/surfaces/surface_trial.h"

#define D 0.02              // spacing, m
#define CELL_SPACINGS 0.25  // spacings
#define PI 3.14159265358979323846

// --- Solids -----------------------------------------------------------------------------------------------

typedef struct test_shape {
  const char *name;
  mote_shape_def def;
  double volume;  // exact, m^3
  long euler;
  double volume_tolerance;  // of the anisotropic method; 0: not judged
  bool fit_judged;          // distances and normals
} test_shape;

enum { SPHERE_SMALL, SPHERE_LARGE, TORUS, BOX, TEST_SHAPES };

// Off the packing's points of symmetry, but for the box, which its particles fill side to side.
static void make_test_shapes(test_shape *s) {
  for (int k = 0; k < 2; ++k) {
    double radius = (k == 0 ? 12.5 : 25.0) * D;
    s[k] = (test_shape){.name = k == 0 ? "sphere 12.5 d" : "sphere 25 d",
                        .def = mote_shape_def_sphere(0.13 * D, 0.21 * D, -0.17 * D, radius),
                        .volume = 4.0 / 3.0 * PI * radius * radius * radius,
                        .euler = 2,
                        .volume_tolerance = k == 0 ? 0.02 : 0.01,
                        .fit_judged = k == 1};
  }
  double ring = 16.0 * D, tube = 6.0 * D;
  s[TORUS] = (test_shape){.name = "torus", .def = mote_shape_def_default(), .euler = 0};
  s[TORUS].volume = 2.0 * PI * PI * ring * tube * tube;
  s[TORUS].def.kind = MOTE_SHAPE_TORUS, s[TORUS].def.radius = ring, s[TORUS].def.thickness = tube;
  s[TORUS].def.normal[0] = 0.2, s[TORUS].def.normal[1] = 1.0, s[TORUS].def.normal[2] = 0.3;
  s[BOX] = (test_shape){.name = "box", .euler = 2, .volume = 24.0 * 16.0 * 20.0 * D * D * D};
  s[BOX].def = mote_shape_def_box(-12 * D, -8 * D, -10 * D, 12 * D, 8 * D, 10 * D);
}

// Normals count where no edge of the box is within 2 d.
static mesh_weight inside_faces(const void *user, const double x[3]) {
  const mote_shape_def *box = user;
  int near = 0;
  for (int k = 0; k < 3; ++k) near += x[k] < box->low[k] + 2 * D || x[k] > box->high[k] - 2 * D;
  return near > 1 ? MESH_PLACE : MESH_PLACE_AND_NORMAL;
}

static void report_curvature(validation *v, const test_shape *s, mote_surface_method method,
                             const mote_mesh *mesh) {
  double *H = mesh_curvature(mesh), *mean = mesh_kernel_mean(mesh, H, 2.0 * D);
  trial_report(v, false, "RMS of H R - 1", s->name, method, mesh_relative_rms(mesh, H, 1.0 / s->def.radius),
               0.0, 0.0, "peers 1.2 (Q10)");
  trial_report(v, false, "RMS of mean H R - 1", s->name, method,
               mesh_relative_rms(mesh, mean, 1.0 / s->def.radius), 0.0, 0.0, "peers 0.76 (Q10)");
  free(H), free(mean);
}

static void judge_test_shape(validation *v, const test_shape *s, mote_surface_method method,
                             const mote_shape *shape, const mote_surface *surface, FILE *table) {
  bool best = method == MOTE_SURFACE_ANISOTROPIC, iso = method == MOTE_SURFACE_DENSITY;
  mesh_census census;
  mesh_census_take(&surface->mesh, &census);
  mesh_fit fit = mesh_fit_shape(surface, shape, s->def.kind == MOTE_SHAPE_BOX ? inside_faces : NULL, &s->def);
  double volume = census.volume / s->volume - 1.0;
  trial_report(v, true, "defects", s->name, method, (double)mesh_census_defects(&census), 0.0, 0.0,
               "closed manifold (Q1)");
  trial_report(v, best || iso, "Euler number", s->name, method, (double)census.euler, (double)s->euler, 0.0,
               "exact (Q1)");
  trial_report(v, best && s->volume_tolerance > 0.0, "volume error", s->name, method, volume, 0.0,
               s->volume_tolerance, "peers 0.4 %, -8.6 % (Q2)");
  trial_report(v, false, "mean distance, in d", s->name, method, fit.mean / D, 0.0, 0.0, "exact");
  trial_report(v, best && s->fit_judged, "RMS distance, in d", s->name, method, fit.scatter / D, 0.0, 0.07,
               "peers 0.07 d (Q3)");
  trial_report(v, false, "largest distance, in d", s->name, method, fit.worst / D, 0.0, 0.0, "exact");
  trial_report(v, best && s->fit_judged, "normals, degrees", s->name, method, fit.normal, 0.0, 5.0,
               "peers 5.6, 4.1 (Q4)");
  if (table != NULL) {
    fprintf(table, "| %s | %s | %+.2f | %+.3f | %.3f | %.2f | %.1f | %ld | %zu |\n", s->name,
            mote_surface_method_name(method), 100.0 * volume, fit.mean / D, fit.scatter / D, fit.worst / D,
            fit.normal, census.euler, mesh_census_defects(&census));
  }
  mesh_census_free(&census);
}

static void run_test_shape(validation *v, const test_shape *s, FILE *table) {
  mote_shape *shape = trial_shape(v, &s->def);
  if (shape == NULL) return;
  particle_set set = particle_set_fill(shape, D, 1);
  bool small = set.count < 10000;
  for (mote_surface_method method = 0; method < MOTE_SURFACE_METHODS; ++method) {
    bool chosen = method == MOTE_SURFACE_ANISOTROPIC || (small && s->def.kind == MOTE_SHAPE_SPHERE);
    if (validation_quick(v) && !chosen) continue;
    mote_surface_def def = trial_def(method, D, CELL_SPACINGS);
    mote_surface surface;
    if (!trial_build_set(v, &def, &set, &surface)) continue;
    judge_test_shape(v, s, method, shape, &surface, table);
    if (s->def.kind == MOTE_SHAPE_SPHERE && small) report_curvature(v, s, method, &surface.mesh);
    mote_surface_free(&surface, validation_env(v));
  }
  particle_set_free(&set);
  mote_shape_destroy(shape);
}

void validate_surface_shapes(validation *v) {
  test_shape test_shapes[TEST_SHAPES];
  make_test_shapes(test_shapes);
  FILE *table =
      trial_table(v, "surface-shapes.md",
                  " shape | method | volume, % | mean, d | RMS, d | largest, d | normals, ° | Euler "
                  "| defects |");
  for (int k = 0; k < TEST_SHAPES; ++k) run_test_shape(v, &test_shapes[k], table);
  trial_table_end(v, table);
}

// --- A pool -----------------------------------------------------------------------------------------------

// Its upper side, at least 5 d from the rims.
static mesh_weight middle_of_pool(const void *user, const double x[3]) {
  const mote_shape_def *pool = user;
  bool in = x[1] > 0.5 * (pool->low[1] + pool->high[1]);
  for (int k = 0; k < 3; k += 2) in = in && x[k] > pool->low[k] + 5 * D && x[k] < pool->high[k] - 5 * D;
  return in ? MESH_PLACE_AND_NORMAL : MESH_SKIP;
}

static void judge_pool(validation *v, mote_surface_method method, const mesh_fit *fit, FILE *table) {
  bool best = method == MOTE_SURFACE_ANISOTROPIC;
  trial_report(v, best, "RMS height, in d", "pool", method, fit->scatter / D, 0.0, 0.03,
               "peers 0.025 d (Q5)");
  trial_report(v, best, "level - nominal, in d", "pool", method, fit->mean / D, 0.0, 0.1,
               "peers -0.02, -0.8 d (Q5)");
  trial_report(v, false, "normals, degrees", "pool", method, fit->normal, 0.0, 0.0, "peers 1.5 (Q4)");
  if (table != NULL) {
    fprintf(table, "| %s | %.4f | %+.3f | %.2f |\n", mote_surface_method_name(method), fit->scatter / D,
            fit->mean / D, fit->normal);
  }
}

void validate_surface_pool(validation *v) {
  double side = validation_quick(v) ? 30 : 50, depth = 10;
  mote_shape_def def = mote_shape_def_box(0, 0, 0, side * D, depth * D, side * D);
  mote_shape_def top = mote_shape_def_default();
  top.kind = MOTE_SHAPE_HALF_SPACE, top.centre[1] = depth * D;
  top.normal[0] = 0.0, top.normal[1] = 1.0, top.normal[2] = 0.0;
  mote_shape *box = trial_shape(v, &def), *plane = trial_shape(v, &top);
  if (box != NULL && plane != NULL) {
    FILE *table = trial_table(v, "surface-pool.md", " method | RMS height, d | level, d | normals, ° |");
    particle_set set = particle_set_fill(box, D, 2);
    for (mote_surface_method method = 0; method < MOTE_SURFACE_METHODS; ++method) {
      mote_surface_def surface_def = trial_def(method, D, CELL_SPACINGS);
      mote_surface surface;
      if (!trial_build_set(v, &surface_def, &set, &surface)) continue;
      mesh_fit fit = mesh_fit_shape(&surface, plane, middle_of_pool, &def);
      judge_pool(v, method, &fit, table);
      mote_surface_free(&surface, validation_env(v));
    }
    particle_set_free(&set);
    trial_table_end(v, table);
  }
  mote_shape_destroy(box), mote_shape_destroy(plane);
}

// --- Threads ----------------------------------------------------------------------------------------------

static uint64_t hash(const void *data, size_t size, uint64_t h) {
  const unsigned char *byte = data;
  for (size_t k = 0; k < size; ++k) h = (h ^ byte[k]) * 0x100000001b3u;  // FNV-1a
  return h;
}

// Zero when it cannot be made.
static uint64_t hash_with(const mote_surface_def *def, const particle_set *set, int threads, validation *v) {
  mote_env env = *validation_env(v);
  env.threads = threads;
  mote_surfacer *surfacer = NULL;
  mote_surface s = {0};
  mote_error error;
  uint64_t h = 0;
  mote_surface_particles particles = {.position = set->position, .count = set->count};
  if (mote_surfacer_create(def, &env, &surfacer, &error) ||
      mote_surfacer_build(surfacer, &particles, &s, &error)) {
    validation_error(v, &error);
  } else {
    h = hash(s.mesh.vertex, 3 * s.mesh.vertices * sizeof(double), 0xcbf29ce484222325u);
    h = hash(s.mesh.triangle, 3 * s.mesh.triangles * sizeof(uint32_t), h);
    h = hash(s.normal, 3 * s.mesh.vertices * sizeof(float), h);
  }
  mote_surface_free(&s, &env);
  mote_surfacer_destroy(surfacer);
  return h;
}

void validate_surface_threads(validation *v) {
  test_shape test_shapes[TEST_SHAPES];
  make_test_shapes(test_shapes);
  mote_shape *shape = trial_shape(v, &test_shapes[SPHERE_SMALL].def);
  if (shape == NULL) return;
  particle_set set = particle_set_fill(shape, D, 3);
  for (mote_surface_method method = 0; method < MOTE_SURFACE_METHODS; ++method) {
    mote_surface_def def = trial_def(method, D, 0.5);
    uint64_t one = hash_with(&def, &set, 1, v), differ = 0;
    for (int threads = 2; threads <= 7; threads += 5) differ += hash_with(&def, &set, threads, v) != one;
    trial_report(v, true, "bytes differ by threads", "sphere 12.5 d", method, (double)differ, 0.0, 0.0,
                 "the same bits (Q12)");
  }
  particle_set_free(&set);
  mote_shape_destroy(shape);
}
