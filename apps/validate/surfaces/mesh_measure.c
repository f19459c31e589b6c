// Where a mesh is, what it covers and how it curves: see mesh_measure.h.
#include "validate/surfaces/mesh_measure.h"

#include <math.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"

#define DEGREES_PER_RADIAN (180.0 / 3.14159265358979323846)

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (memory == NULL) abort();
  return memory;
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1], out[1] = a[2] * b[0] - a[0] * b[2], out[2] = a[0] * b[1] - a[1] * b[0];
}

static const double *corner(const mote_mesh *mesh, size_t t, size_t k) {
  APP_ASSERT(t < mesh->triangles);
  return mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k % 3];
}

static void difference(const double *a, const double *b, double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = a[k] - b[k];
}

// Twice the area as a vector.
static void area_vector(const mote_mesh *mesh, size_t t, double out[3]) {
  double u[3], w[3];
  difference(corner(mesh, t, 1), corner(mesh, t, 0), u);
  difference(corner(mesh, t, 2), corner(mesh, t, 0), w);
  cross(u, w, out);
}

double *mesh_vertex_areas(const mote_mesh *mesh) {
  double *area = allocate(mesh->vertices, sizeof *area);
  for (size_t t = 0; t < mesh->triangles; ++t) {
    double n[3];
    area_vector(mesh, t, n);
    for (size_t k = 0; k < 3; ++k) area[mesh->triangle[3 * t + k]] += sqrt(dot(n, n)) / 6.0;
  }
  return area;
}

// --- Distances --------------------------------------------------------------------------------------------

static double angle_between(const float *normal, const double exact[3]) {
  double n[3] = {(double)normal[0], (double)normal[1], (double)normal[2]}, across[3];
  cross(n, exact, across);
  return DEGREES_PER_RADIAN * mote_atan2(sqrt(dot(across, across)), dot(n, exact));
}

mesh_fit mesh_fit_shape(const mote_surface *surface, const mote_shape *shape, mesh_choose_fn *choose,
                        const void *user) {
  mesh_fit fit = {0};
  double *area = mesh_vertex_areas(&surface->mesh), turned = 0.0;
  for (size_t i = 0; i < surface->mesh.vertices; ++i) {
    const double *x = surface->mesh.vertex + 3 * i;
    mesh_weight weight = choose != NULL ? choose(user, x) : MESH_PLACE_AND_NORMAL;
    if (weight == MESH_SKIP) continue;
    double normal[3], distance = mote_shape_closest(shape, x, normal);
    fit.area += area[i], fit.mean += area[i] * distance, fit.error += area[i] * distance * distance;
    fit.worst = fabs(distance) <= fit.worst ? fit.worst : fabs(distance);  // keeps a NaN
    if (weight != MESH_PLACE_AND_NORMAL || surface->normal == NULL) continue;
    double angle = angle_between(surface->normal + 3 * i, normal);
    turned += area[i], fit.normal += area[i] * angle * angle;
  }
  free(area);
  fit.mean /= fit.area, fit.error = sqrt(fit.error / fit.area);
  fit.scatter = sqrt(fmax(0.0, fit.error * fit.error - fit.mean * fit.mean));
  fit.normal = sqrt(fit.normal / turned);
  return fit;
}

// --- What it covers ---------------------------------------------------------------------------------------

typedef struct screen {
  double origin[3], u[3], v[3], step;
  long columns, rows;
  bool *hit;
} screen;

static void cover(screen *s, const mote_mesh *mesh, size_t t) {
  double a[3], b[3], low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (size_t k = 0; k < 3; ++k) {
    double r[3];
    difference(corner(mesh, t, k), s->origin, r);
    a[k] = dot(r, s->u) / s->step - 0.5, b[k] = dot(r, s->v) / s->step - 0.5;  // in points
    low[0] = fmin(low[0], a[k]), high[0] = fmax(high[0], a[k]);
    low[1] = fmin(low[1], b[k]), high[1] = fmax(high[1], b[k]);
  }
  long i0 = (long)ceil(fmax(low[0], 0.0)), i1 = (long)floor(fmin(high[0], (double)s->columns - 1.0));
  long j0 = (long)ceil(fmax(low[1], 0.0)), j1 = (long)floor(fmin(high[1], (double)s->rows - 1.0));
  for (long j = j0; j <= j1; ++j) {
    for (long i = i0; i <= i1; ++i) {
      bool left = true, right = true;
      for (int k = 0; k < 3; ++k) {
        int l = (k + 1) % 3;
        double side = (a[l] - a[k]) * ((double)j - b[k]) - (b[l] - b[k]) * ((double)i - a[k]);
        left = left && side >= 0.0, right = right && side <= 0.0;
      }
      if (left || right) s->hit[j * s->columns + i] = true;
    }
  }
}

double mesh_uncovered(const mote_mesh *mesh, const double origin[3], const double u[3], const double v[3],
                      const double lengths[2], double step) {
  APP_ASSERT(step > 0.0 && lengths[0] >= step && lengths[1] >= step);
  screen s = {.step = step, .columns = (long)(lengths[0] / step), .rows = (long)(lengths[1] / step)};
  for (int k = 0; k < 3; ++k) s.origin[k] = origin[k], s.u[k] = u[k], s.v[k] = v[k];
  size_t points = (size_t)(s.columns * s.rows), missed = 0;
  s.hit = allocate(points, sizeof *s.hit);
  for (size_t t = 0; t < mesh->triangles; ++t) cover(&s, mesh, t);
  for (size_t k = 0; k < points; ++k) missed += !s.hit[k];
  free(s.hit);
  return (double)missed / (double)points;
}

double mesh_reach(const mote_mesh *mesh, const double centre[3], const double axis[3], double radius,
                  double limit) {
  APP_ASSERT(radius >= 0.0);
  double most = -HUGE_VAL;
  for (size_t i = 0; i < mesh->vertices; ++i) {
    double r[3];
    difference(mesh->vertex + 3 * i, centre, r);
    double along = dot(r, axis), across2 = dot(r, r) - along * along;
    if (across2 <= radius * radius && along <= limit) most = fmax(most, along);
  }
  return most;
}

// --- Curvature --------------------------------------------------------------------------------------------

double *mesh_curvature(const mote_mesh *mesh) {
  double *H = allocate(mesh->vertices, sizeof *H), *area = mesh_vertex_areas(mesh);
  double *laplacian = allocate(3 * mesh->vertices, sizeof *laplacian),
         *normal = allocate(3 * mesh->vertices, sizeof *laplacian);
  for (size_t t = 0; t < mesh->triangles; ++t) {
    double n[3];
    area_vector(mesh, t, n);
    for (size_t k = 0; k < 3; ++k) {
      size_t i = mesh->triangle[3 * t + (k + 1) % 3], j = mesh->triangle[3 * t + (k + 2) % 3];
      double u[3], w[3], e[3];
      difference(corner(mesh, t, k + 1), corner(mesh, t, k), u);
      difference(corner(mesh, t, k + 2), corner(mesh, t, k), w);
      difference(mesh->vertex + 3 * i, mesh->vertex + 3 * j, e);
      double cotangent = dot(u, w) / sqrt(dot(n, n));
      for (size_t a = 0; a < 3; ++a) {
        laplacian[3 * i + a] += 0.5 * cotangent * e[a], laplacian[3 * j + a] -= 0.5 * cotangent * e[a];
        normal[3 * mesh->triangle[3 * t + k] + a] += n[a];
      }
    }
  }
  for (size_t i = 0; i < mesh->vertices; ++i) {
    double size = sqrt(dot(laplacian + 3 * i, laplacian + 3 * i)) / (2.0 * area[i]);
    H[i] = dot(laplacian + 3 * i, normal + 3 * i) < 0.0 ? -size : size;
  }
  free(laplacian), free(normal), free(area);
  return H;
}

double *mesh_kernel_mean(const mote_mesh *mesh, const double *value, double radius) {
  APP_ASSERT(radius > 0.0);
  enum { CAPACITY = 1 << 16 };
  double *mean = allocate(mesh->vertices, sizeof *mean), *area = mesh_vertex_areas(mesh);
  uint32_t *near = allocate(CAPACITY, sizeof *near);
  mote_kdtree *tree = NULL;
  if (mote_kdtree_create(3, mesh->vertex, mesh->vertices, NULL, &tree, NULL)) abort();
  for (size_t i = 0; i < mesh->vertices; ++i) {
    const double *x = mesh->vertex + 3 * i;
    size_t count = mote_kdtree_range(tree, x, radius, near, CAPACITY);
    double sum = 0.0, weights = 0.0;
    for (size_t n = 0; n < count && n < CAPACITY; ++n) {
      double r[3];
      difference(mesh->vertex + 3 * (size_t)near[n], x, r);
      double q = 1.0 - dot(r, r) / (radius * radius), w = area[near[n]] * q * q * q;
      sum += w * value[near[n]], weights += w;
    }
    mean[i] = sum / weights;
  }
  mote_kdtree_destroy(tree);
  free(near), free(area);
  return mean;
}

double mesh_relative_rms(const mote_mesh *mesh, const double *value, double reference) {
  APP_ASSERT(reference != 0.0);
  double *area = mesh_vertex_areas(mesh), sum = 0.0, all = 0.0;
  for (size_t i = 0; i < mesh->vertices; ++i) {
    double error = value[i] / reference - 1.0;
    sum += area[i] * error * error, all += area[i];
  }
  free(area);
  return sqrt(sum / all);
}
