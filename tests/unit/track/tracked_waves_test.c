// The printed source of waves (YU11 5.6): how a mesh that is bent by a harmonic is driven, exact for small
// bends; parts keep their mean heights; the energy with it is kept; projection leaves heights alone.
#include <math.h>
#include <mote/track.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_kit.h"
#include "test.h"

#define STRENGTH 0.01
#define BEND 0.01  // height of the harmonic, of the radius

static mote_wave_def printed(void) {
  mote_wave_def def = mote_wave_def_default();
  def.law = MOTE_WAVE_PLATE, def.source = MOTE_WAVE_PRINTED, def.strength = STRENGTH;
  return def;
}

static double legendre3(double z) {
  return 0.5 * z * (5.0 * z * z - 3.0);
}

// A sphere about the origin with a harmonic of n = 3 on it; beside it a plain one of this radius, or none.
static mote_tracked *make_spheres(double bend, double other) {
  mote_mesh mesh = kit_sphere(5), second = kit_sphere(4), both = kit_mesh(8000, 16000);
  for (size_t v = 0; v < mesh.vertices; ++v) {
    double *x = mesh.vertex + 3 * v, r = 1.0 + bend * legendre3(x[2]);
    kit_vertex(&both, r * x[0], r * x[1], r * x[2]);
  }
  for (size_t f = 0; f < mesh.triangles; ++f)
    kit_triangle(&both, mesh.triangle[3 * f], mesh.triangle[3 * f + 1], mesh.triangle[3 * f + 2]);
  uint32_t first = (uint32_t)both.vertices;
  for (size_t v = 0; v < second.vertices && other > 0.0; ++v) {
    const double *x = second.vertex + 3 * v;
    kit_vertex(&both, 3.0 + other * x[0], other * x[1], other * x[2]);
  }
  for (size_t f = 0; f < second.triangles && other > 0.0; ++f)
    kit_triangle(&both, first + second.triangle[3 * f], first + second.triangle[3 * f + 1],
                 first + second.triangle[3 * f + 2]);
  mote_track_def def = mote_track_def_default();
  mote_tracked *t = NULL;
  def.edge = 0.05;
  CHECK(mote_tracked_create(&def, &(mote_surface){.mesh = both}, NULL, &t, NULL) == MOTE_OK);
  kit_free(&mesh);
  kit_free(&second);
  kit_free(&both);
  return t;
}

static const double *field_of(const mote_surface *s, const char *name) {
  for (int f = 0; f < s->fields; ++f) {
    if (strcmp(s->field[f].name, name) == 0) return s->field[f].data;
  }
  CHECK(false);
  return NULL;
}

// Thirds of the triangles about each vertex.
static double *areas_of(const mote_mesh *mesh) {
  double *area = calloc(mesh->vertices, sizeof *area);
  for (size_t f = 0; f < mesh->triangles; ++f) {
    const uint32_t *c = mesh->triangle + 3 * f;
    const double *a = mesh->vertex + 3 * (size_t)c[0], *b = mesh->vertex + 3 * (size_t)c[1],
                 *d = mesh->vertex + 3 * (size_t)c[2];
    double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, w[3] = {d[0] - a[0], d[1] - a[1], d[2] - a[2]};
    double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    for (int k = 0; k < 3; ++k) area[c[k]] += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 6.0;
  }
  return area;
}

// With 2 H = 2 + a (n - 1)(n + 2) P_n on a sphere of radius 1, (M^2 x) n has a (n - 1)(n + 2) (n (n + 1) + 6)
// P_n beside its mean.
static void drives_a_harmonic(void) {
  mote_tracked *t = make_spheres(BEND, 0.0);
  mote_wave_def def = printed();
  double dt = 1e-9, top = 0.0, bottom = 0.0;
  mote_surface s;
  CHECK(mote_tracked_waves(t, &def, dt, NULL, NULL) == MOTE_OK);
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  const double *rate = field_of(&s, "wave_rate");
  double *area = areas_of(&s.mesh);
  for (size_t v = 0; v < s.mesh.vertices; ++v) {
    const double *x = s.mesh.vertex + 3 * v;
    double p = legendre3(x[2] / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    top += area[v] * rate[v] / dt * p, bottom += area[v] * p * p;
  }
  CHECK_NEAR(top / bottom / (-2.0 * STRENGTH * BEND * 2.0 * 5.0 * (12.0 + 6.0)), 1.0, 0.03);
  free(area);
  mote_surface_free(&s, NULL);
  mote_tracked_destroy(t);
}

// Round parts of two sizes are not driven in the mean: volumes stay.
static void keeps_each_part(void) {
  mote_tracked *t = make_spheres(0.0, 0.5);
  mote_wave_def def = printed();
  double dt = 1e-9, sum[2] = {0.0, 0.0}, all[2] = {0.0, 0.0};
  mote_surface s;
  CHECK(mote_tracked_waves(t, &def, dt, NULL, NULL) == MOTE_OK);
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  const double *rate = field_of(&s, "wave_rate");
  double *area = areas_of(&s.mesh);
  for (size_t v = 0; v < s.mesh.vertices; ++v) {
    int part = s.mesh.vertex[3 * v] > 2.0;
    sum[part] += area[v] * rate[v] / dt, all[part] += area[v];
  }
  CHECK_NEAR(sum[0] / all[0] / (8.0 * STRENGTH), 0.0, 0.02);   // without levelling -1
  CHECK_NEAR(sum[1] / all[1] / (64.0 * STRENGTH), 0.0, 0.02);  // -1
  free(area);
  mote_surface_free(&s, NULL);
  mote_tracked_destroy(t);
}

// Heights, once driven, swing; the energy that counts the source stays 0.
static void keeps_energy(void) {
  mote_tracked *t = make_spheres(BEND, 0.0);
  mote_wave_def def = printed();
  double energy = 1.0, motion = 0.0;
  mote_surface s;
  for (int k = 0; k < 5; ++k) CHECK(mote_tracked_waves(t, &def, 0.01, NULL, NULL) == MOTE_OK);
  CHECK(mote_tracked_wave_energy(t, &def, &energy, NULL) == MOTE_OK);
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  const double *rate = field_of(&s, "wave_rate");
  double *area = areas_of(&s.mesh);
  for (size_t v = 0; v < s.mesh.vertices; ++v) motion += 0.5 * area[v] * rate[v] * rate[v];
  CHECK(motion > 0.0);
  CHECK_NEAR(energy / motion, 0.0, 0.05);
  free(area);
  mote_surface_free(&s, NULL);
  mote_tracked_destroy(t);
}

// What projection moves goes into heights, or not.
static void is_free_of_projection(void) {
  double at[3 * 125], most[2] = {0.0, 0.0};
  for (int k = 0; k < 125; ++k)
    at[3 * k] = k % 5 - 2, at[3 * k + 1] = k / 5 % 5 - 2, at[3 * k + 2] = k / 25 - 2;
  mote_surface_particles particles = {.position = at, .count = 125};
  mote_surface_def fine = mote_surface_def_default();
  fine.spacing = 1.0;
  for (int k = 0; k < 2; ++k) {
    mote_mesh mesh = kit_sphere(4);
    for (size_t i = 0; i < 3 * mesh.vertices; ++i) mesh.vertex[i] *= 2.9;
    mote_track_def def = mote_track_def_default();
    mote_tracked *t;
    mote_surfacer *surfacer;
    mote_surface s;
    def.edge = 0.5, def.free_waves = k == 1;
    CHECK(mote_tracked_create(&def, &(mote_surface){.mesh = mesh}, NULL, &t, NULL) == MOTE_OK);
    CHECK(mote_surfacer_create(&fine, NULL, &surfacer, NULL) == MOTE_OK);
    CHECK(mote_tracked_set_field(t, "wave_height", "m", 1, NULL, NULL) == MOTE_OK);
    CHECK(mote_tracked_project(t, surfacer, &particles, &(mote_track_projection){1.0, 0.0, 0.0}, NULL,
                               NULL) == MOTE_OK);
    CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
    for (size_t v = 0; v < s.mesh.vertices; ++v)
      most[k] = fmax(most[k], fabs(field_of(&s, "wave_height")[v]));
    mote_surface_free(&s, NULL);
    mote_surfacer_destroy(surfacer);
    mote_tracked_destroy(t);
    kit_free(&mesh);
  }
  CHECK(most[0] > 0.1 && most[1] == 0.0);
}

static void refuses_other_laws(void) {
  mote_tracked *t = make_spheres(0.0, 0.0);
  mote_wave_def def = printed();
  mote_error error = {0};
  def.law = MOTE_WAVE_CAPILLARY;
  CHECK(mote_tracked_waves(t, &def, 0.01, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "source");
  mote_tracked_destroy(t);
}

int main(void) {
  drives_a_harmonic();
  keeps_each_part();
  keeps_energy();
  is_free_of_projection();
  refuses_other_laws();
  return test_end();
}
