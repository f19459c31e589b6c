// Shared by the methods that sample a solid below its surface.
#ifndef MOTE_SHAPE_SHELL_H
#define MOTE_SHAPE_SHELL_H

#include "geom/shape_tree.h"

typedef struct mote_shell_task {
  const mote_shape *shape;
  double spacing, depth;
  double low[3], high[3];
  size_t most;
  mote_env env;
} mote_shell_task;

// Whether x lies in the region of interest, or within `margin` of it.
bool mote_shell_holds(const mote_shell_task *task, const double x[3], double margin);

// Of a sheet of this thickness, what its middle layer weighs against a full layer, so that a particle at half
// a spacing sees as much as of a thick wall.
double mote_shell_thin_weight(double thickness, double spacing);

// Distance along a curved surface of the points of the outermost layer, in spacings. In 2D, where they cost
// little, so near that a particle at the surface does not feel single ones.
double mote_shell_apart(int dimensions);

mote_result mote_shell_flat(const mote_shell_task *task, mote_samples *out, mote_error *error);
// For meshes and joined shapes with straight sides that a packing fits, as those of boxes; *fits says
// whether.
mote_result mote_shell_fitted(const mote_shell_task *task, bool *fits, mote_samples *out, mote_error *error);
mote_result mote_shell_curved(const mote_shell_task *task, mote_samples *out, mote_error *error);

// How many samples these would make, about.
double mote_shell_flat_estimate(const mote_shell_task *task);
double mote_shell_curved_estimate(const mote_shell_task *task);

#endif
