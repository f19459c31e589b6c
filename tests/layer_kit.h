// One flat layer of LAYER_SIDE x LAYER_SIDE points of spacing 1, sorted into bins: what tests of ripples and
// of values at planes have in common.
#ifndef MOTE_LAYER_KIT_H
#define MOTE_LAYER_KIT_H

#include <string.h>

#include "surface/ripple.h"
#include "test.h"

#define LAYER_SIDE 40
#define LAYER_POINTS ((size_t)LAYER_SIDE * LAYER_SIDE)

typedef struct layer_kit {
  mote_arena arena, scratch;
  mote_point_set set;
  mote_surface_plane plane[LAYER_POINTS];
  mote_kernel_shape shape[LAYER_POINTS];
  uint32_t of[LAYER_POINTS], label[LAYER_POINTS];
} layer_kit;

// Planes, shapes, their numbers and labels are zero.
static inline void layer_kit_begin(layer_kit *l, const mote_env *env) {
  static double x[3 * LAYER_POINTS];
  for (size_t k = 0; k < LAYER_POINTS; ++k) {
    x[3 * k] = (double)(k % LAYER_SIDE), x[3 * k + 1] = (double)(k / LAYER_SIDE), x[3 * k + 2] = 0.25;
  }
  mote_domain open = mote_domain_open(3);
  mote_surface_particles particles = {.position = x, .count = LAYER_POINTS};
  mote_point_set_opts opts = {.domain = &open, .spacing = 1.0, .origin_step = 1.0, .threads = 2};
  memset(l, 0, sizeof *l);
  l->arena = mote_arena_make(env), l->scratch = mote_arena_make(env);
  CHECK(mote_point_set_build(&particles, &opts, &l->arena, &l->scratch, &l->set, NULL) == MOTE_OK);
}

static inline void layer_kit_end(layer_kit *l) {
  mote_arena_destroy(&l->scratch);
  mote_arena_destroy(&l->arena);
}

static inline int layer_kit_x(const layer_kit *l, size_t point) {
  return (int)(l->set.row[point] % LAYER_SIDE);
}

// Away from the rim.
static inline bool layer_kit_inner(const layer_kit *l, size_t point) {
  int x = layer_kit_x(l, point), y = (int)(l->set.row[point] / LAYER_SIDE);
  return x >= 10 && x < 30 && y >= 10 && y < 30;
}

#endif
