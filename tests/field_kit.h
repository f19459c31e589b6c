// What tests of surfaces share: sets of particles with all that is hard about them, and a pipeline of the
// library's own stages that may also evaluate the field everywhere.
#ifndef MOTE_FIELD_KIT_H
#define MOTE_FIELD_KIT_H

#include <math.h>
#include <mote/numeric.h>
#include <mote/surface.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/marching_cubes.h"
#include "surface/field_blocks.h"
#include "surface/surface_kernels.h"

#define FIELD_KIT_MOST 40000

// Particles of spacing 1.
typedef struct field_kit_set {
  double *x;
  size_t count;
} field_kit_set;

static inline double field_kit_noise(uint64_t seed, size_t index) {
  return 2.0 * mote_random_uniform(seed, 7, index) - 1.0;
}

static inline field_kit_set field_kit_begin(void) {
  return (field_kit_set){.x = malloc(3 * FIELD_KIT_MOST * sizeof(double))};
}

static inline void field_kit_add(field_kit_set *s, double x, double y, double z, uint64_t seed,
                                 double jitter) {
  if (s->count == FIELD_KIT_MOST) return;
  const double at[3] = {x, y, z};
  for (int a = 0; a < 3; ++a)
    s->x[3 * s->count + a] = at[a] + jitter * field_kit_noise(seed, 3 * s->count + (size_t)a);
  ++s->count;
}

static inline void field_kit_block(field_kit_set *s, const double from[3], const int side[3], uint64_t seed,
                                   double jitter) {
  for (int k = 0; k < side[2]; ++k) {
    for (int j = 0; j < side[1]; ++j) {
      for (int i = 0; i < side[0]; ++i) field_kit_add(s, from[0] + i, from[1] + j, from[2] + k, seed, jitter);
    }
  }
}

// Removes what lies in a ball: a hole.
static inline void field_kit_hole(field_kit_set *s, double x, double y, double z, double radius) {
  size_t kept = 0;
  for (size_t i = 0; i < s->count; ++i) {
    double dx = s->x[3 * i] - x, dy = s->x[3 * i + 1] - y, dz = s->x[3 * i + 2] - z;
    if (dx * dx + dy * dy + dz * dz < radius * radius) continue;
    memmove(s->x + 3 * kept++, s->x + 3 * i, 3 * sizeof(double));
  }
  s->count = kept;
}

// A block with holes of all sizes, a tilted sheet, a thread, drops, heaps at one place, a dense sheet.
static inline field_kit_set field_kit_everything(uint64_t seed, double jitter) {
  field_kit_set s = field_kit_begin();
  field_kit_block(&s, (double[3]){0, 0, 0}, (int[3]){20, 18, 19}, seed, jitter);
  for (int h = 0; h < 6; ++h) {
    double at[3];
    for (int a = 0; a < 3; ++a) at[a] = 9.0 + 6.0 * field_kit_noise(seed + 1, (size_t)(3 * h + a));
    field_kit_hole(&s, at[0], at[1], at[2], 0.8 + 0.5 * h);
  }
  for (int j = 0; j < 14; ++j) {
    for (int i = 0; i < 14; ++i) field_kit_add(&s, 26 + 0.8 * i, 0.6 * i, j, seed, jitter);
  }
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j) field_kit_add(&s, 26 + 0.2 * i, 14 + 0.1 * i, 0.2 * j, seed, 0.05);
  }
  for (int i = 0; i < 25; ++i) field_kit_add(&s, i, 25, 0.3 * i, seed, jitter);
  for (int i = 0; i < 10; ++i) field_kit_add(&s, 4 * i, 32 + i % 3, 5, seed, jitter);
  for (int i = 0; i < 9; ++i) field_kit_add(&s, 20, 32, 12, seed, 0.0);
  return s;
}

// --- The pipeline -----------------------------------------------------------------------------------------

typedef struct field_kit_result {
  mote_mesh mesh;
  size_t blocks;
  mote_result result;
} field_kit_result;

typedef struct field_kit_stages {
  mote_env env;
  mote_arena arena, scratch;
  mote_field_blocks blocks;
  mote_point_set set;
  mote_surface_kernels kernels;
  mote_surface_def def;
  double level;
} field_kit_stages;

static inline mote_result field_kit_prepare(field_kit_stages *k, const mote_surface_def *def,
                                            const field_kit_set *s, const mote_env *env, mote_error *error) {
  *k = (field_kit_stages){.env = mote_env_resolve(env), .def = *def};
  k->arena = mote_arena_make(&k->env);
  k->scratch = mote_arena_make(&k->env);
  k->blocks = mote_field_blocks_make(&k->env);
  MOTE_TRY(mote_surface_def_complete(&k->def, &k->env, &k->level, error));
  mote_surface_particles particles = {.position = s->x, .count = s->count};
  mote_point_set_opts opts = {.domain = &k->def.domain,
                              .spacing = 1.0,
                              .pad = 12.0,
                              .origin_step = MOTE_BLOCK_SIDE * def->cell,
                              .threads = k->env.threads};
  MOTE_TRY(mote_point_set_build(&particles, &opts, &k->arena, &k->scratch, &k->set, error));
  MOTE_TRY(mote_surface_kernels_make(&k->set, &k->def, NULL, NULL, &k->env, &k->arena, &k->scratch,
                                     &k->kernels, error));
  mote_kernel_field *f = &k->kernels.field;
  f->isovalue = k->def.isovalue;
  f->outside = (f->bump == MOTE_BUMP_MEAN ? k->def.radius - k->def.support : 0.0) - f->isovalue;
  f->inside = HUGE_VAL;
  for (int a = 0; a < 3; ++a) {
    f->clip_low[a] = def->clip_low[a] - k->set.origin[a];
    f->clip_high[a] = def->clip_high[a] - k->set.origin[a];
  }
  f->clip_slope = 0.25 / def->cell;
  return MOTE_OK;
}

static inline void field_kit_end(field_kit_stages *k) {
  mote_field_blocks_free(&k->blocks);
  mote_arena_destroy(&k->scratch);
  mote_arena_destroy(&k->arena);
}

// The mesh, from blocks near the surface or from all that kernels touch.
static inline field_kit_result field_kit_mesh(const mote_surface_def *def, const field_kit_set *s,
                                              bool everywhere, const mote_env *env) {
  field_kit_stages k;
  mote_error error;
  field_kit_result r = {.result = field_kit_prepare(&k, def, s, env, &error)};
  mote_field_opts opts = {.cell = def->cell,
                          .near = everywhere ? NULL : k.kernels.near,
                          .close = mote_surface_close(&k.def, k.level),
                          .most_nodes = SIZE_MAX};
  mote_sparse_field grid;
  const mote_grid_vertex *place;
  if (!r.result) r.result = mote_field_blocks_evaluate(&k.blocks, &k.kernels.field, &opts, &grid, &error);
  if (!r.result) r.result = mote_marching_cubes(&grid, &k.scratch, &k.env, &r.mesh, &place, &error);
  if (!r.result) r.blocks = grid.blocks;
  field_kit_end(&k);
  return r;
}

static inline bool field_kit_same_mesh(const mote_mesh *a, const mote_mesh *b) {
  return a->vertices == b->vertices && a->triangles == b->triangles &&
         memcmp(a->vertex, b->vertex, 3 * a->vertices * sizeof *a->vertex) == 0 &&
         memcmp(a->triangle, b->triangle, 3 * a->triangles * sizeof *a->triangle) == 0;
}

#endif
