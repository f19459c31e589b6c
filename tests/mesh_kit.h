// Small meshes for tests: icosphere, torus, prism over a polygon, box. All are closed and look outward.
#ifndef MOTE_MESH_KIT_H
#define MOTE_MESH_KIT_H

#include <math.h>
#include <mote/geom.h>
#include <stdlib.h>

static inline mote_mesh kit_mesh(size_t vertices, size_t triangles) {
  return (mote_mesh){.vertex = malloc((vertices + 1) * 3 * sizeof(double)),
                     .triangle = malloc((triangles + 1) * 3 * sizeof(uint32_t)),
                     .vertices = 0,
                     .triangles = 0};
}

static inline void kit_free(mote_mesh *mesh) {
  free(mesh->vertex);
  free(mesh->triangle);
  *mesh = (mote_mesh){0};
}

static inline uint32_t kit_vertex(mote_mesh *mesh, double x, double y, double z) {
  double *v = mesh->vertex + 3 * mesh->vertices;
  v[0] = x, v[1] = y, v[2] = z;
  return (uint32_t)mesh->vertices++;
}

static inline void kit_triangle(mote_mesh *mesh, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *t = mesh->triangle + 3 * mesh->triangles++;
  t[0] = a, t[1] = b, t[2] = c;
}

// The middle of an edge on the unit sphere; found again by its place.
static inline uint32_t kit_middle(mote_mesh *mesh, size_t from, uint32_t a, uint32_t b) {
  double x[3], length = 0.0;
  for (int k = 0; k < 3; ++k) {
    double low = mesh->vertex[3 * (a < b ? a : b) + k], high = mesh->vertex[3 * (a < b ? b : a) + k];
    x[k] = low + high;
    length += x[k] * x[k];
  }
  length = sqrt(length);
  for (int k = 0; k < 3; ++k) x[k] /= length;
  for (size_t v = from; v < mesh->vertices; ++v) {
    const double *p = mesh->vertex + 3 * v;
    if (p[0] == x[0] && p[1] == x[1] && p[2] == x[2]) return (uint32_t)v;
  }
  return kit_vertex(mesh, x[0], x[1], x[2]);
}

// An octahedron whose triangles are cut in four, `halvings` times, on the unit sphere.
static inline mote_mesh kit_sphere(int halvings) {
  size_t triangles = (size_t)8 << 2 * halvings;
  mote_mesh mesh = kit_mesh(triangles / 2 + 2, triangles);
  for (int k = 0; k < 6; ++k) {
    double s = k % 2 ? -1.0 : 1.0;
    kit_vertex(&mesh, k / 2 == 0 ? s : 0.0, k / 2 == 1 ? s : 0.0, k / 2 == 2 ? s : 0.0);
  }
  for (uint32_t k = 0; k < 8; ++k) {
    uint32_t a = k & 1, b = 2 + (k >> 1 & 1), c = 4 + (k >> 2 & 1);
    bool odd = ((k & 1) + (k >> 1 & 1) + (k >> 2 & 1)) % 2;
    kit_triangle(&mesh, a, odd ? c : b, odd ? b : c);
  }
  for (int round = 0; round < halvings; ++round) {
    size_t from = mesh.vertices, count = mesh.triangles;
    for (size_t t = 0; t < count; ++t) {
      uint32_t v[3], m[3];
      for (int k = 0; k < 3; ++k) v[k] = mesh.triangle[3 * t + k];
      for (int k = 0; k < 3; ++k) m[k] = kit_middle(&mesh, from, v[k], v[(k + 1) % 3]);
      for (int k = 0; k < 3; ++k) mesh.triangle[3 * t + k] = m[k];
      for (int k = 0; k < 3; ++k) kit_triangle(&mesh, v[k], m[k], m[(k + 2) % 3]);
    }
  }
  return mesh;
}

// Around z: n steps around the ring, m around the tube.
static inline mote_mesh kit_torus(double ring, double tube, uint32_t n, uint32_t m) {
  mote_mesh mesh = kit_mesh((size_t)n * m, (size_t)2 * n * m);
  for (uint32_t k = 0; k < n * m; ++k) {
    double u = 2.0 * 3.14159265358979323846 * (k / m) / n, v = 2.0 * 3.14159265358979323846 * (k % m) / m;
    double r = ring + tube * cos(v);
    kit_vertex(&mesh, r * cos(u), r * sin(u), tube * sin(v));
  }
  for (uint32_t k = 0; k < n * m; ++k) {
    uint32_t i = k / m, j = k % m, i2 = (i + 1) % n, j2 = (j + 1) % m;
    kit_triangle(&mesh, i * m + j, i2 * m + j, i2 * m + j2);
    kit_triangle(&mesh, i * m + j, i2 * m + j2, i * m + j2);
  }
  return mesh;
}

static inline mote_mesh kit_box(double x0, double y0, double z0, double x1, double y1, double z1) {
  static const uint32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  mote_mesh mesh = kit_mesh(8, 12);
  for (int k = 0; k < 8; ++k) kit_vertex(&mesh, k & 1 ? x1 : x0, k & 2 ? y1 : y0, k & 4 ? z1 : z0);
  for (int k = 0; k < 12; ++k) kit_triangle(&mesh, faces[k][0], faces[k][1], faces[k][2]);
  return mesh;
}

// The prism over an L: [0,2]x[0,1] and [0,1]x[1,2] for z in [0,1].
static inline mote_mesh kit_corner(void) {
  static const double outline[8][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 1}};
  static const uint32_t tops[6][3] = {{0, 1, 4}, {0, 4, 7}, {1, 2, 3}, {1, 3, 4}, {7, 4, 5}, {7, 5, 6}};
  mote_mesh mesh = kit_mesh(16, 28);
  for (int k = 0; k < 16; ++k) kit_vertex(&mesh, outline[k % 8][0], outline[k % 8][1], k / 8);
  for (int k = 0; k < 6; ++k) {
    kit_triangle(&mesh, tops[k][0], tops[k][2], tops[k][1]);
    kit_triangle(&mesh, tops[k][0] + 8, tops[k][1] + 8, tops[k][2] + 8);
  }
  for (uint32_t k = 0; k < 8; ++k) {
    uint32_t next = (k + 1) % 8;
    kit_triangle(&mesh, k, next, next + 8);
    kit_triangle(&mesh, k, next + 8, k + 8);
  }
  return mesh;
}

// Both meshes in one.
static inline mote_mesh kit_join(const mote_mesh *a, const mote_mesh *b) {
  mote_mesh mesh = kit_mesh(a->vertices + b->vertices, a->triangles + b->triangles);
  for (size_t v = 0; v < a->vertices + b->vertices; ++v) {
    const double *x = v < a->vertices ? a->vertex + 3 * v : b->vertex + 3 * (v - a->vertices);
    kit_vertex(&mesh, x[0], x[1], x[2]);
  }
  for (size_t t = 0; t < a->triangles; ++t) {
    kit_triangle(&mesh, a->triangle[3 * t], a->triangle[3 * t + 1], a->triangle[3 * t + 2]);
  }
  for (size_t t = 0; t < b->triangles; ++t) {
    uint32_t v[3];
    for (int k = 0; k < 3; ++k) v[k] = b->triangle[3 * t + k] + (uint32_t)a->vertices;
    kit_triangle(&mesh, v[0], v[1], v[2]);
  }
  return mesh;
}

#endif
