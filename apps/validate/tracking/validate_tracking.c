// Validation of tracked surfaces: rigid motions, Enright's test, curvature.
// docs/theory/tracking.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/surfaces/mesh_measure.h"
#include "validate/tracking/track_trial.h"
#include "validate/validate.h"

#define PI 3.14159265358979323846

static void report_least(validation *v, const char *name, double value, double least, const char *source) {
  validation_report(v, &(measure){name, MEASURE_AT_LEAST, value, least, 0.0, source});
}

// --- Rigid motion -----------------------------------------------------------------------------------------

#define TURN_STEPS 1000

static void turning(void *user, double time, const double *x, size_t count, double *velocity) {
  (void)user, (void)time;
  for (size_t i = 0; i < count; ++i) {
    velocity[3 * i] = -2.0 * PI * (x[3 * i + 1] - 0.5), velocity[3 * i + 1] = 2.0 * PI * (x[3 * i] - 0.5);
    velocity[3 * i + 2] = 0.0;
  }
}

static void moving(void *user, double time, const double *x, size_t count, double *velocity) {
  (void)user, (void)time, (void)x;
  for (size_t i = 0; i < 3 * count; ++i) velocity[i] = i % 3 == 0 ? 0.7 : i % 3 == 1 ? -0.3 : 0.11;
}

// A sphere with a slot, as Zalesak's disc has it: particles, and their surface.
static bool slotted_surface(validation *v, double spacing, mote_surface *out, mote_error *error) {
  mote_shape_def part[2] = {mote_shape_def_sphere(0.5, 0.75, 0.5, 0.15),
                            mote_shape_def_box(0.475, 0.55, 0.3, 0.525, 0.80, 0.7)};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_DIFFERENCE, def.part = part, def.parts = 2;
  const mote_env *env = validation_env(v);
  mote_shape *shape = NULL;
  mote_surfacer *surfacer = NULL;
  mote_samples samples = {0};
  mote_surface_def how = mote_surface_def_default();
  how.spacing = spacing;
  bool done = mote_shape_create(&def, 3, env, &shape, error) == MOTE_OK &&
              mote_shape_fill(shape, spacing, MOTE_FILL_CUBIC, 1, 100000, env, &samples, error) == MOTE_OK &&
              mote_surfacer_create(&how, env, &surfacer, error) == MOTE_OK;
  mote_surface_particles particles = {.position = samples.position, .count = samples.count};
  done = done && mote_surfacer_build(surfacer, &particles, out, error) == MOTE_OK;
  mote_surfacer_destroy(surfacer);
  mote_samples_free(&samples, env);
  mote_shape_destroy(shape);
  return done;
}

typedef struct rigid_found {
  double volume, area, distance;  // relative, relative, m
  size_t operations, colours;     // colours: values whose bits changed
} rigid_found;

static bool carry(mote_tracked *t, mote_flow_fn *flow, int steps, double time, const double shift[3],
                  const mote_env *env, rigid_found *out, mote_error *error) {
  mote_surface before, after;
  double volume = mote_tracked_volume(t), area = mote_tracked_area(t);
  *out = (rigid_found){0};
  if (mote_tracked_surface(t, &before, error) != MOTE_OK) return false;
  bool done = true;
  for (int k = 0; k < steps && done; ++k) {
    mote_track_report r = {0};
    done = mote_tracked_move(t, 4, flow, NULL, time * k / steps, time / steps, error) == MOTE_OK &&
           mote_tracked_improve(t, &r, error) == MOTE_OK;
    out->operations += r.splits + r.collapses + r.flips + r.slides;
  }
  done = done && mote_tracked_surface(t, &after, error) == MOTE_OK;
  if (done) {
    size_t n = before.mesh.vertices < after.mesh.vertices ? before.mesh.vertices : after.mesh.vertices;
    for (size_t i = 0; i < 3 * n; ++i)
      out->distance = fmax(out->distance, fabs(after.mesh.vertex[i] - before.mesh.vertex[i] - shift[i % 3]));
    const double *c0 = before.field[0].data, *c1 = after.field[0].data;
    for (size_t i = 0; i < n; ++i) out->colours += memcmp(c0 + i, c1 + i, sizeof *c0) != 0;
    mote_surface_free(&after, env);
  }
  out->volume = mote_tracked_volume(t) / volume - 1.0, out->area = mote_tracked_area(t) / area - 1.0;
  mote_surface_free(&before, env);
  return done;
}

static void report_rigid(validation *v, const char *what, const rigid_found *f, double tolerance) {
  char name[64];
  snprintf(name, sizeof name, "%s: volume", what),
      validation_near(v, name, f->volume, 0.0, tolerance, "exact");
  snprintf(name, sizeof name, "%s: area", what), validation_near(v, name, f->area, 0.0, tolerance, "exact");
  snprintf(name, sizeof name, "%s: largest distance, m", what);
  validation_near(v, name, f->distance, 0.0, tolerance, "exact");
  snprintf(name, sizeof name, "%s: operations", what),
      validation_near(v, name, (double)f->operations, 0.0, 0.0, "exact");
  snprintf(name, sizeof name, "%s: changed colours", what),
      validation_near(v, name, (double)f->colours, 0.0, 0.0, "exact");
}

void validate_track_rigid(validation *v) {
  mote_error error = {0};
  mote_surface surface;
  mote_tracked *t = NULL;
  rigid_found turned, moved;
  const mote_env *env = validation_env(v);
  double spacing = validation_quick(v) ? 0.025 : 0.015;
  if (!slotted_surface(v, spacing, &surface, &error)) {
    validation_error(v, &error);
    return;
  }
  double *colour = malloc(surface.mesh.vertices * sizeof *colour);
  for (size_t i = 0; colour != NULL && i < surface.mesh.vertices; ++i)
    colour[i] = sin(40.0 * surface.mesh.vertex[3 * i]);
  bool done = track_begin(&surface.mesh, colour, 0.5 * spacing, env, &t, &error) &&
              carry(t, turning, TURN_STEPS, 1.0, (double[3]){0, 0, 0}, env, &turned, &error) &&
              carry(t, moving, 100, 1.0, (double[3]){0.7, -0.3, 0.11}, env, &moved, &error);
  if (done) {
    validation_show(v, "slotted sphere, triangles", (double)mote_tracked_triangles(t), 0.0, "");
    report_rigid(v, "one turn", &turned, 1e-10);
    report_rigid(v, "translation", &moved, 1e-13);
  } else {
    validation_error(v, &error);
  }
  mote_tracked_destroy(t);
  free(colour);
  mote_surface_free(&surface, env);
}

// --- Enright ----------------------------------------------------------------------------------------------

typedef struct enright_found {
  double triangles, volume, rms, worst, angle, mixed;
  size_t crossing_steps, tangled_steps;  // crossings left, and crossings before they were untangled
  int64_t genus;
} enright_found;

// The part of the area where the colour is neither: 0.05 to 0.95, at points of each triangle.
static double mixed_share(const mote_mesh *mesh, const double *colour) {
  double mixed = 0.0, all = 0.0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *c = mesh->triangle + 3 * t;
    double u[3], w[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = mesh->vertex[3 * (size_t)c[1] + (size_t)k] - mesh->vertex[3 * (size_t)c[0] + (size_t)k];
      w[k] = mesh->vertex[3 * (size_t)c[2] + (size_t)k] - mesh->vertex[3 * (size_t)c[0] + (size_t)k];
    }
    double x = u[1] * w[2] - u[2] * w[1], y = u[2] * w[0] - u[0] * w[2], z = u[0] * w[1] - u[1] * w[0];
    double area = sqrt(x * x + y * y + z * z);
    int within = 0, points = 0;
    for (int i = 0; i < 12; ++i) {
      for (int j = 0; i + j < 12; ++j, ++points) {
        double a = (i + 1.0 / 3.0) / 12.0, b = (j + 1.0 / 3.0) / 12.0;
        double value = a * colour[c[0]] + b * colour[c[1]] + (1.0 - a - b) * colour[c[2]];
        within += value > 0.05 && value < 0.95;
      }
    }
    mixed += area * within / points, all += area;
  }
  return mixed / all;
}

static void measure_end(const mote_surface *s, enright_found *f) {
  for (size_t i = 0; i < s->mesh.vertices; ++i) {
    double r = 0.0;
    for (size_t k = 0; k < 3; ++k) r += pow(s->mesh.vertex[3 * i + k] - enright_centre[k], 2.0);
    double off = sqrt(r) / ENRIGHT_RADIUS - 1.0;
    f->rms += off * off / (double)s->mesh.vertices, f->worst = fmax(f->worst, fabs(off));
  }
  f->rms = sqrt(f->rms);
  f->mixed = mixed_share(&s->mesh, s->field[0].data);
}

static bool enright_step(mote_tracked *t, int k, const mote_env *env, enright_found *f, mote_error *error) {
  size_t crossings, left;
  double dt = ENRIGHT_TIME / ENRIGHT_STEPS;
  mote_surface s;
  if (mote_tracked_move(t, 4, enright_flow, NULL, k * dt, dt, error) != MOTE_OK ||
      mote_tracked_improve(t, NULL, error) != MOTE_OK ||
      mote_tracked_crossings(t, &crossings, error) != MOTE_OK ||
      mote_tracked_untangle(t, &left, error) != MOTE_OK || mote_tracked_surface(t, &s, error) != MOTE_OK)
    return false;
  f->crossing_steps += left > 0, f->tangled_steps += crossings > 0;
  f->triangles += (double)s.mesh.triangles / ENRIGHT_STEPS;
  f->angle = fmin(f->angle, mesh_angles_measure(&s.mesh).least);
  mote_surface_free(&s, env);
  return true;
}

static bool run_flow(double edge, const mote_env *env, enright_found *f, mote_error *error) {
  mote_tracked *t = NULL;
  mote_surface s = {0};
  mote_mesh_report r;
  *f = (enright_found){.angle = 180.0};
  bool done = enright_begin(edge, env, &t, error);
  double volume = done ? mote_tracked_volume(t) : 1.0;
  for (int k = 0; k < ENRIGHT_STEPS && done; ++k) done = enright_step(t, k, env, f, error);
  done = done && mote_tracked_surface(t, &s, error) == MOTE_OK &&
         mote_mesh_examine(&s.mesh, env, &r, error) == MOTE_OK;
  if (done) {
    f->volume = mote_tracked_volume(t) / volume - 1.0;
    f->genus = r.genus;
    measure_end(&s, f);
  }
  mote_surface_free(&s, env);
  mote_tracked_destroy(t);
  return done;
}

void validate_track_enright(validation *v) {
  static const char to_beat[] = "El Topo: 0.0017, 0.0025, 0.014";
  bool quick = validation_quick(v);
  enright_found f;
  mote_error error = {0};
  if (!run_flow(quick ? 0.023 : 0.0114, validation_env(v), &f, &error)) {
    validation_error(v, &error);
    return;
  }
  validation_show(v, "mean triangles", f.triangles, quick ? 4000.0 : 15500.0, "");
  validation_near(v, "volume against the first mesh", f.volume, 0.0, quick ? 0.005 : 0.001, to_beat);
  validation_near(v, "RMS distance to the sphere, of R", f.rms, 0.0, quick ? 0.005 : 0.0015, to_beat);
  validation_near(v, "largest distance, of R", f.worst, 0.0, quick ? 0.05 : 0.012, to_beat);
  validation_near(v, "steps with crossings", (double)f.crossing_steps, 0.0, 0.0, "exact");
  validation_show(v, "steps that had to be untangled", (double)f.tangled_steps, 0.0, "");
  validation_near(v, "genus", (double)f.genus, 0.0, 0.0, "exact");
  report_least(v, "least angle at any step, degrees", f.angle, 3.0, "goal");
  validation_near(v, "area with a mixed colour", f.mixed, 0.0, quick ? 0.15 : 0.07, "goal");
}

// --- Curvature --------------------------------------------------------------------------------------------

static double torus_curvature(const double x[3]) {
  double r = sqrt(x[0] * x[0] + x[1] * x[1]);
  return 0.5 * (4.0 + (r - 1.0) / (0.25 * r));
}

// The largest error at any vertex of a regular mesh.
static bool regular_error(const mote_mesh *mesh, bool torus, const mote_env *env, double *out,
                          mote_error *error) {
  mote_track_def def = mote_track_def_default();
  mote_surface surface = {.mesh = *mesh};
  mote_tracked *t = NULL;
  double *value = malloc(mesh->vertices * sizeof *value);
  def.edge = 1.0;
  bool done = value != NULL && mote_tracked_create(&def, &surface, env, &t, error) == MOTE_OK &&
              mote_tracked_curvature(t, value, error) == MOTE_OK;
  *out = 0.0;
  for (size_t i = 0; i < mesh->vertices && done; ++i)
    *out = fmax(*out, fabs(value[i] - (torus ? torus_curvature(mesh->vertex + 3 * i) : 1.0)));
  mote_tracked_destroy(t);
  free(value);
  return done;
}

static void run_order(validation *v, bool torus) {
  static const double origin[3] = {0, 0, 0};
  double error_of[2];
  mote_error error = {0};
  for (size_t k = 0; k < 2; ++k) {
    mote_mesh mesh;
    size_t n = (size_t)24 << k;
    bool made = torus ? track_torus(1.0, 0.25, 2 * n, n, &mesh) : track_sphere(n, origin, 1.0, &mesh);
    if (!made) return;
    bool done = regular_error(&mesh, torus, validation_env(v), &error_of[k], &error);
    track_mesh_free(&mesh);
    if (!done) {
      validation_error(v, &error);
      return;
    }
  }
  validation_show(v, torus ? "torus: largest error of H" : "sphere: largest error of H", error_of[1], 0.0,
                  "exact");
  report_least(v, torus ? "torus: order" : "sphere: order", log2(error_of[0] / error_of[1]), 1.8,
               "Meyer et al. 2002");
}

// Vertices of a mesh that has gone through a quarter of Enright's flow and back, put onto the sphere.
static void run_irregular(validation *v) {
  const mote_env *env = validation_env(v);
  const double edge = 0.0114;
  mote_tracked *t = NULL, *ball = NULL;
  mote_surface s = {0};
  mote_error error = {0};
  bool done = enright_begin(edge, env, &t, &error);
  for (int k = 0; k < ENRIGHT_STEPS && done; k += k == ENRIGHT_STEPS / 4 - 1 ? ENRIGHT_STEPS / 2 + 1 : 1)
    done = mote_tracked_move(t, 4, enright_flow, NULL, 0.01 * k, 0.01, &error) == MOTE_OK &&
           mote_tracked_improve(t, NULL, &error) == MOTE_OK;
  done = done && mote_tracked_surface(t, &s, &error) == MOTE_OK;
  for (size_t i = 0; i < s.mesh.vertices && done; ++i) {
    double *x = s.mesh.vertex + 3 * i, r = 0.0;
    for (int k = 0; k < 3; ++k) r += pow(x[k] - enright_centre[k], 2.0);
    for (int k = 0; k < 3; ++k)
      x[k] = enright_centre[k] + (x[k] - enright_centre[k]) * ENRIGHT_RADIUS / sqrt(r);
  }
  mote_track_def def = mote_track_def_default();
  def.edge = edge;
  double *value = malloc((s.mesh.vertices + 1) * sizeof *value);
  done = done && value != NULL && mote_tracked_create(&def, &s, env, &ball, &error) == MOTE_OK &&
         mote_tracked_curvature(ball, value, &error) == MOTE_OK;
  if (done) {
    double *mean = mesh_kernel_mean(&s.mesh, value, 3.0 * edge);
    double worst = 0.0;
    for (size_t i = 0; i < s.mesh.vertices; ++i) worst = fmax(worst, fabs(mean[i] * ENRIGHT_RADIUS - 1.0));
    validation_show(v, "irregular sphere: single values, RMS of H R - 1",
                    mesh_relative_rms(&s.mesh, value, 1.0 / ENRIGHT_RADIUS), 0.0, "does not converge");
    validation_near(v, "the same over three edges, largest", worst, 0.0, 0.02, "exact");
    free(mean);
  } else {
    validation_error(v, &error);
  }
  free(value);
  mote_tracked_destroy(ball), mote_tracked_destroy(t);
  mote_surface_free(&s, env);
}

// Normal speed -(k1 + k2): r = sqrt(1 - 4 t).
static void run_shrinking(validation *v) {
  static const double origin[3] = {0, 0, 0};
  const double dt = 0.0005;
  mote_track_def def = mote_track_def_default();
  mote_mesh mesh;
  mote_tracked *t = NULL;
  mote_error error = {0};
  def.edge = 1.0;
  if (!track_sphere(16, origin, 1.0, &mesh)) return;
  mote_surface surface = {.mesh = mesh};
  bool done = mote_tracked_create(&def, &surface, validation_env(v), &t, &error) == MOTE_OK;
  double volume = done ? mote_tracked_volume(t) : 1.0, worst = 0.0;
  for (int k = 1; k <= 400 && done; ++k) {
    done = mote_tracked_curvature_flow(t, dt, &error) == MOTE_OK;
    worst = fmax(worst, fabs(cbrt(mote_tracked_volume(t) / volume) / sqrt(1.0 - 4.0 * k * dt) - 1.0));
  }
  if (done) {
    validation_near(v, "curvature flow to t = 0.2, V_n = -(k1 + k2): radius", worst, 0.0, 0.01, "exact");
  } else {
    validation_error(v, &error);
  }
  mote_tracked_destroy(t);
  track_mesh_free(&mesh);
}

void validate_track_curvature(validation *v) {
  run_order(v, false);
  run_order(v, true);
  run_irregular(v);
  run_shrinking(v);
}
