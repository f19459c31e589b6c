// Tension of a tracked mesh: no net force, no net torque; the work of the forces is the change of the area; a
// ball is pressed together by 2 sigma / R; walls that are not wetted are pushed away from.
#include <math.h>
#include <mote/track.h>
#include <stdlib.h>

#include "mesh_kit.h"
#include "test.h"

#define SPACING 0.1
#define SIGMA 0.07

typedef struct ball {
  double *x;
  size_t count;
  mote_tracked *mesh;
} ball;

// Particles of a cubic packing in an ellipsoid, and a mesh half a spacing outside.
static ball make_ball(double stretch) {
  ball b = {.x = malloc(3 * 40000 * sizeof(double))};
  for (int n = 0; n < 33 * 33 * 33; ++n) {
    double p[3] = {n % 33 - 16, n / 33 % 33 - 16, n / 33 / 33 - 16};
    for (int k = 0; k < 3; ++k) p[k] *= SPACING;
    if (p[0] * p[0] / (stretch * stretch) + p[1] * p[1] + p[2] * p[2] > 1.0) continue;
    for (int k = 0; k < 3; ++k) b.x[3 * b.count + (size_t)k] = p[k] + 0.3 * k;
    ++b.count;
  }
  mote_mesh mesh = kit_sphere(4);
  for (size_t v = 0; v < mesh.vertices; ++v) {
    mesh.vertex[3 * v] *= 1.05 * stretch;
    for (size_t k = 0; k < 3; ++k)
      mesh.vertex[3 * v + k] = (k > 0 ? 1.05 : 1.0) * mesh.vertex[3 * v + k] + 0.3 * (double)k;
  }
  mote_track_def def = mote_track_def_default();
  def.edge = 0.07;
  CHECK(mote_tracked_create(&def, &(mote_surface){.mesh = mesh}, NULL, &b.mesh, NULL) == MOTE_OK);
  kit_free(&mesh);
  return b;
}

static mote_track_tension tension_of(const ball *b) {
  static const double sigma[] = {SIGMA}, cosine[] = {0.0};
  return (mote_track_tension){SPACING, b->x, b->count, NULL, sigma, cosine, mote_surface_walls_none()};
}

static void ball_free(ball *b) {
  mote_tracked_destroy(b->mesh);
  free(b->x);
}

static void keeps_momenta(void) {
  ball b = make_ball(1.4);
  mote_track_tension how = tension_of(&b);
  double *force = malloc(3 * b.count * sizeof *force), net[3] = {0}, torque[3] = {0}, all = 0.0, arms = 0.0;
  CHECK(mote_tracked_tension(b.mesh, &how, force, NULL) == MOTE_OK);
  for (size_t i = 0; i < b.count; ++i) {
    const double *f = force + 3 * i, *x = b.x + 3 * i;
    for (int k = 0; k < 3; ++k) {
      int l = (k + 1) % 3, m = (k + 2) % 3;
      net[k] += f[k], torque[k] += x[l] * f[m] - x[m] * f[l];
    }
    double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    all += size, arms += size * sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  }
  for (int k = 0; k < 3; ++k) CHECK(fabs(net[k]) < 1e-12 * all && fabs(torque[k]) < 1e-12 * arms);
  // Virial: sum of x.f over the particles is near -2 sigma A (each of the mean places of its vertex).
  double virial = 0.0;
  for (size_t i = 0; i < b.count; ++i)
    for (size_t k = 0; k < 3; ++k) virial += (b.x[3 * i + k] - 0.3 * (double)k) * force[3 * i + k];
  CHECK_NEAR(virial / (-2.0 * SIGMA * mote_tracked_area(b.mesh)), 0.92, 0.05);
  free(force);
  ball_free(&b);
}

// Threads do not matter; where there are no particles there is nothing to do.
static void edge_cases(void) {
  ball b = make_ball(1.0);
  mote_track_tension how = tension_of(&b);
  how.count = 0;
  CHECK(mote_tracked_tension(b.mesh, &how, NULL, NULL) == MOTE_OK);
  how.spacing = 0.0;
  CHECK(mote_tracked_tension(b.mesh, &how, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  ball_free(&b);
}

// A drop of one particle does not pull itself along by its surface.
static void one_particle(void) {
  static const double sigma[] = {SIGMA}, cosine[] = {0.0};
  mote_track_def def = mote_track_def_default();
  mote_tracked *tracked;
  def.edge = 0.5e-3;
  for (int n = 0; n < 20; ++n) {
    double x[3] = {0.13e-3 * n, 0.3e-3 - 0.07e-3 * n, 0.03e-3 * n}, force[3];
    mote_mesh mesh = kit_sphere(1);
    for (size_t i = 0; i < 3 * mesh.vertices; ++i)
      mesh.vertex[i] = x[i % 3] + (0.6e-3 + 0.01e-3 * (double)(i % 7)) * mesh.vertex[i];
    CHECK(mote_tracked_create(&def, &(mote_surface){.mesh = mesh}, NULL, &tracked, NULL) == MOTE_OK);
    mote_track_tension how = {1e-3, x, 1, NULL, sigma, cosine, mote_surface_walls_none()};
    CHECK(mote_tracked_tension(tracked, &how, force, NULL) == MOTE_OK);
    for (int k = 0; k < 3; ++k) CHECK(fabs(force[k]) < 1e-12 * SIGMA * 1e-3);
    mote_tracked_destroy(tracked);
    kit_free(&mesh);
  }
}

// A floor 0.05 below the ball's lowest particles: one that is wetted (contact angle 0) draws the fluid
// outward along it, beside one that is not (180 degrees); what is across the floor, the floor takes.
static void walls(void) {
  ball b = make_ball(1.0);
  static const double sigma[] = {SIGMA}, wetted[] = {1.0}, shunned[] = {-1.0};
  mote_track_tension how = tension_of(&b);
  double *force = malloc(3 * b.count * sizeof *force), low[2] = {0};
  how.sigma = sigma, how.walls.low[1] = 0.3 - 1.05 - 0.02;
  for (int w = 0; w < 2; ++w) {
    how.cosine = w == 0 ? wetted : shunned;
    CHECK(mote_tracked_tension(b.mesh, &how, force, NULL) == MOTE_OK);
    for (size_t i = 0; i < b.count; ++i) {
      const double *x = b.x + 3 * i;
      double r = sqrt(x[0] * x[0] + (x[2] - 0.6) * (x[2] - 0.6));
      if (x[1] > 0.3 - 0.7 || r < 0.01) continue;
      low[w] += (force[3 * i] * x[0] + force[3 * i + 2] * (x[2] - 0.6)) / r;
    }
  }
  CHECK(low[0] > low[1]);
  free(force);
  ball_free(&b);
}

int main(void) {
  one_particle();
  keeps_momenta();
  edge_cases();
  walls();
  return test_end();
}
