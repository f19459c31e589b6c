// Which particles move each vertex of a skin, and their weights: MLS shape functions, EG09 (67), or
// normalised weights, (68). Theory: docs/theory/elastic.md
#ifndef MOTE_SKIN_SHAPES_H
#define MOTE_SKIN_SHAPES_H

#include <mote/elastic.h>

#include "base/arena.h"

// In single precision: the factors are small (elastic_skin.c).
typedef struct mote_skin_shapes {
  size_t *first;    // entries of vertex i: first[i] .. first[i + 1] - 1
  uint32_t *index;  // their particles
  float *value;     // `numbers` each: Phi; Phi and grad Phi . n; Phi and its derivatives along x, y, z
  int numbers;      // 1, 2 or 4
} mote_skin_shapes;

// `def` has passed the check of mote_elastic_skin_create. ARGUMENT reports vertices with too few particles in
// reach.
mote_result mote_skin_shapes_make(const mote_elastic_skin_def *def, mote_arena *memory, mote_skin_shapes *out,
                                  mote_error *error);

#endif
