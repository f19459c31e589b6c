// One layer of samples: points spread evenly over the surface at a given depth.
#ifndef MOTE_SHELL_LAYER_H
#define MOTE_SHELL_LAYER_H

#include "base/arena.h"
#include "geom/shape_shell.h"

typedef struct mote_shell_layer {
  const mote_shell_task *task;
  mote_arena *arena;
  int index;     // from the surface; walls too thin for the first two get points half-way through
  double apart;  // of its points along the surface, m
  double outer, level,
      inner;  // signed distances: where the layer begins, where its points are, where it ends
  size_t count;
  double *position, *weight;  // weight: 1; else the wall is thin
  double filled;              // volume of the solid that this layer stands for, without thin walls
} mote_shell_layer;

// Fills in count, position, weight (from the arena) and filled. Points may lie a little outside of the
// region.
mote_result mote_shell_layer_place(mote_shell_layer *layer, mote_error *error);

// Moves a point to the layer's level along gradients; false where there is no such place near.
bool mote_shell_layer_settle(const mote_shell_layer *layer, double x[3], double *weight);

// Spreads the points evenly; then gives the area (2D: length) of each.
mote_result mote_shell_layer_spread(mote_shell_layer *layer, double *area, mote_error *error);

#endif
