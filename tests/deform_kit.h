// Closed meshes made of boxes, for the tests of deformations.
#ifndef MOTE_DEFORM_KIT_H
#define MOTE_DEFORM_KIT_H

#include <mote/deform.h>
#include <stdlib.h>
#include <string.h>

#define KIT_PI 3.14159265358979323846

typedef bool kit_inside_fn(int i, int j, int k);

typedef struct kit_boxes {
  int n[3];
  double cell;
  kit_inside_fn *inside;  // null: all
  mote_mesh mesh;
} kit_boxes;

static inline bool kit_has(const kit_boxes *b, int i, int j, int k) {
  if (i < 0 || j < 0 || k < 0 || i >= b->n[0] || j >= b->n[1] || k >= b->n[2]) return false;
  return b->inside == NULL || b->inside(i, j, k);
}

// Every face has its own four vertices where `split`: as in files without indices.
static inline void kit_face(kit_boxes *b, uint32_t *number, const int box[3], int side, bool split) {
  static const int square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  int axis = side / 2, up = side % 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
  uint32_t corner[4];
  for (int k = 0; k < 4; ++k) {
    int at[3] = {box[0], box[1], box[2]};
    const int *s = square[up ? k : 3 - k];
    at[axis] += up, at[u] += s[0], at[v] += s[1];
    size_t place =
        ((size_t)at[2] * (size_t)(b->n[1] + 1) + (size_t)at[1]) * (size_t)(b->n[0] + 1) + (size_t)at[0];
    if (split || number[place] == UINT32_MAX) {
      number[place] = (uint32_t)b->mesh.vertices;
      for (int a = 0; a < 3; ++a) b->mesh.vertex[3 * b->mesh.vertices + (size_t)a] = b->cell * at[a];
      ++b->mesh.vertices;
    }
    corner[k] = number[place];
  }
  uint32_t *t = b->mesh.triangle + 3 * b->mesh.triangles;
  t[0] = corner[0], t[1] = corner[1], t[2] = corner[2], t[3] = corner[0], t[4] = corner[2], t[5] = corner[3];
  b->mesh.triangles += 2;
}

static inline kit_boxes kit_boxes_make(int nx, int ny, int nz, double cell, kit_inside_fn *inside,
                                       bool split) {
  kit_boxes b = {.n = {nx, ny, nz}, .cell = cell, .inside = inside};
  size_t places = (size_t)(nx + 1) * (size_t)(ny + 1) * (size_t)(nz + 1);
  uint32_t *number = malloc(places * sizeof *number);
  b.mesh.vertex = malloc(72 * places * sizeof(double)),
  b.mesh.triangle = malloc(36 * places * sizeof(uint32_t));
  if (!number || !b.mesh.vertex || !b.mesh.triangle) abort();
  memset(number, 0xff, places * sizeof *number);
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const int box[3] = {i, j, k};
        for (int side = 0; side < 6 && kit_has(&b, i, j, k); ++side) {
          int next[3] = {i, j, k};
          next[side / 2] += side % 2 ? 1 : -1;
          if (!kit_has(&b, next[0], next[1], next[2])) kit_face(&b, number, box, side, split);
        }
      }
    }
  }
  free(number);
  return b;
}

static inline void kit_boxes_free(kit_boxes *b) {
  free(b->mesh.vertex), free(b->mesh.triangle);
}

// A bar of 1 x 1 x 4 with both caps as handles 0 and 1.
static inline mote_deform *kit_bar(kit_boxes *b, size_t nodes, int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_deform_def def = mote_deform_def_default();
  mote_deform *d = NULL;
  *b = kit_boxes_make(6, 6, 24, 1.0 / 6.0, NULL, false);
  def.mesh = b->mesh, def.nodes = nodes;
  if (mote_deform_create(&def, &env, &d, NULL) != MOTE_OK) return NULL;
  for (int cap = 0; cap < 2; ++cap) {
    uint32_t list[64];
    size_t count = 0;
    for (size_t i = 0; i < b->mesh.vertices && count < 64; ++i) {
      double z = b->mesh.vertex[3 * i + 2];
      if (cap == 0 ? z < 1e-9 : z > 4.0 - 1e-9) list[count++] = (uint32_t)i;
    }
    if (mote_deform_add_region(d, list, count, NULL, NULL) != MOTE_OK) return NULL;
  }
  return d;
}

// Rotation by an angle about the x axis through (0.5, 0.5, 4), and a movement along z.
static inline mote_pose kit_pose(double cosine, double sine, double move) {
  return (mote_pose){.rotation = {1.0, 0.0, 0.0, 0.0, cosine, -sine, 0.0, sine, cosine},
                     .pivot = {0.5, 0.5, 4.0},
                     .move = {0.0, 0.0, move}};
}

#endif
