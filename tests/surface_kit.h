// Sparse fields for tests, and a check of meshes that shares no code with the library: every vertex's
// triangles make one closed, oriented fan. That says that the mesh is a closed, oriented 2-manifold.
#ifndef MOTE_SURFACE_KIT_H
#define MOTE_SURFACE_KIT_H

#include <math.h>
#include <mote/surface.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "mesh/marching_cubes.h"
#include "mesh/surface_rows.h"

// A box of blocks from block `low` on, all held.
typedef struct kit_field {
  mote_sparse_field field;
  int low[3], blocks[3];
  int32_t *at;
  uint32_t (*above)[8];
} kit_field;

typedef double kit_value(void *data, const double x[3]);

static inline kit_field kit_field_create(const int low[3], const int blocks[3], double cell) {
  kit_field k = {.low = {low[0], low[1], low[2]}, .blocks = {blocks[0], blocks[1], blocks[2]}};
  size_t n = (size_t)blocks[0] * blocks[1] * blocks[2];
  k.at = malloc(n * 3 * sizeof *k.at);
  k.above = malloc(n * sizeof *k.above);
  for (size_t b = 0; b < n; ++b) {
    int p[3] = {(int)(b % blocks[0]), (int)(b / blocks[0] % blocks[1]), (int)(b / blocks[0] / blocks[1])};
    for (int a = 0; a < 3; ++a) k.at[3 * b + a] = low[a] + p[a];
    for (unsigned c = 0; c < 8; ++c) {
      int q[3] = {p[0] + (int)(c & 1), p[1] + (int)(c >> 1 & 1), p[2] + (int)(c >> 2)};
      bool there = q[0] < blocks[0] && q[1] < blocks[1] && q[2] < blocks[2];
      k.above[b][c] = there ? (uint32_t)((q[2] * blocks[1] + q[1]) * blocks[0] + q[0]) : MOTE_BLOCK_ABSENT;
    }
  }
  k.field =
      (mote_sparse_field){.cell = cell, .blocks = n, .at = k.at, .above = (const uint32_t(*)[8])k.above};
  k.field.value = malloc(n * MOTE_BLOCK_NODES * sizeof *k.field.value);
  return k;
}

static inline void kit_field_free(kit_field *k) {
  free(k->at), free(k->above), free(k->field.value);
}

// The value at a node counted from the box's lowest.
static inline float *kit_node(kit_field *k, int x, int y, int z) {
  size_t b = (size_t)((z / 8 * k->blocks[1] + y / 8) * k->blocks[0] + x / 8);
  return k->field.value + b * MOTE_BLOCK_NODES + (z % 8 * 8 + y % 8) * 8 + x % 8;
}

static inline bool kit_at_border(const kit_field *k, int x, int y, int z) {
  return x == 0 || y == 0 || z == 0 || x == 8 * k->blocks[0] - 1 || y == 8 * k->blocks[1] - 1 ||
         z == 8 * k->blocks[2] - 1;
}

static inline void kit_field_set(kit_field *k, kit_value *value, void *data) {
  for (int z = 0; z < 8 * k->blocks[2]; ++z) {
    for (int y = 0; y < 8 * k->blocks[1]; ++y) {
      for (int x = 0; x < 8 * k->blocks[0]; ++x) {
        int node[3] = {x, y, z};
        double at[3];
        for (int a = 0; a < 3; ++a) at[a] = k->field.origin[a] + (8 * k->low[a] + node[a]) * k->field.cell;
        *kit_node(k, x, y, z) = (float)value(data, at);
      }
    }
  }
}

// A ball or, where tube > 0, a torus about z, with noise of this width at the nodes (whole places only).
typedef struct kit_ball {
  double centre[3], radius, tube, noise;
} kit_ball;

static inline double kit_ball_value(void *data, const double x[3]) {
  const kit_ball *b = data;
  double d[3] = {x[0] - b->centre[0], x[1] - b->centre[1], x[2] - b->centre[2]}, value;
  if (b->tube > 0.0) {
    double ring = sqrt(d[0] * d[0] + d[1] * d[1]) - b->radius;
    value = b->tube - sqrt(ring * ring + d[2] * d[2]);
  } else {
    value = b->radius - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  if (b->noise == 0.0) return value;
  uint64_t place = (uint64_t)((x[0] + 512.0) * 1048576.0 + (x[1] + 512.0) * 1024.0 + x[2] + 512.0);
  return value + b->noise * mote_random_between(1, 2, place, -0.5, 0.5);
}

// The marching cubes' surface of a ball in cells of edge 1, with room for it.
static inline mote_surface kit_ball_surface(kit_ball ball) {
  int half = (int)(ball.radius + ball.tube + ball.noise + 2.0) / 8 + 1;
  const int low[3] = {-half, -half, -half}, blocks[3] = {2 * half, 2 * half, 2 * half};
  kit_field k = kit_field_create(low, blocks, 1.0);
  kit_field_set(&k, kit_ball_value, &ball);
  mote_arena arena = mote_arena_make(NULL);
  mote_surface surface = {.fields = 0};
  const mote_grid_vertex *place;
  if (mote_marching_cubes(&k.field, &arena, NULL, &surface.mesh, &place, NULL)) abort();
  mote_arena_destroy(&arena);
  kit_field_free(&k);
  return surface;
}

// Gives a surface normals and two fields: "x" holds the places as floats, "row" the vertices' numbers.
static inline void kit_dress(mote_surface *surface) {
  size_t n = surface->mesh.vertices;
  mote_env env = mote_env_default();
  surface->normal = mote_alloc(&env, n, 3 * sizeof(float));
  surface->fields = 0;
  mote_field_view places = {"x", "m", MOTE_TYPE_F32, 3, 0, NULL},
                  rows = {"row", "", MOTE_TYPE_U32, 1, 0, NULL};
  if (!mote_surface_add_field(surface, &places, &env) || !mote_surface_add_field(surface, &rows, &env))
    abort();
  float *x = surface->field[0].data;
  uint32_t *row = surface->field[1].data;
  for (size_t v = 0; v < n; ++v) row[v] = (uint32_t)v;
  for (size_t k = 0; k < 3 * n; ++k) {
    x[k] = (float)surface->mesh.vertex[k];
    surface->normal[k] = k % 3 == 0 ? 1.0f : 0.0f;
  }
}

// The vertices that are at fault: those whose triangles do not make one closed fan.
static inline size_t kit_bad_vertices(const mote_mesh *mesh) {
  size_t bad = 0, *first = calloc(mesh->vertices + 2, sizeof *first);
  uint32_t *link = malloc((6 * mesh->triangles + 1) * sizeof *link);
  for (size_t c = 0; c < 3 * mesh->triangles; ++c) ++first[mesh->triangle[c] + 2];
  for (size_t v = 0; v < mesh->vertices; ++v) first[v + 2] += first[v + 1];
  for (size_t c = 0; c < 3 * mesh->triangles; ++c) {
    const uint32_t *t = mesh->triangle + c / 3 * 3;
    size_t at = first[t[c % 3] + 1]++;
    link[2 * at] = t[(c + 1) % 3], link[2 * at + 1] = t[(c + 2) % 3];
  }
  for (size_t v = 0; v < mesh->vertices; ++v) {
    size_t begin = first[v], n = first[v + 1] - begin, steps = 0;
    bool good = n >= 3;
    for (size_t i = 0; i < n && good; ++i) {
      size_t next = 0;  // exactly one triangle goes on where this one ends
      for (size_t j = 0; j < n; ++j) next += link[2 * (begin + j)] == link[2 * (begin + i) + 1];
      good = next == 1 && link[2 * (begin + i)] != link[2 * (begin + i) + 1];
    }
    uint32_t at = n ? link[2 * begin] : 0;
    do {
      size_t j = 0;
      while (good && link[2 * (begin + j)] != at) ++j;
      if (good) at = link[2 * (begin + j) + 1], ++steps;
    } while (good && at != link[2 * begin]);
    bad += !good || steps != n;
  }
  free(first), free(link);
  return bad;
}

#endif
