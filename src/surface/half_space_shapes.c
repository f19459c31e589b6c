// The kernels of an ideal half space, for the isovalue: the lattice points around one of each layer, through
// the sums and rules that all points go through.
#include <math.h>

#include "surface/kernel_rule.h"

typedef struct lattice_walk {
  mote_candidates candidates;
  mote_neighbour_sums sums;
} lattice_walk;

static void flush(lattice_walk *walk, mote_neighbours_fn *add) {
  static const mote_target origin = {{0.0f, 0.0f, 0.0f}, 0};
  mote_candidates_close(&walk->candidates);
  add(&walk->candidates, &origin, &walk->sums);
  walk->candidates.count = 0;
}

// Around a point of the given layer (0 is the upper one), r in spacings.
static mote_neighbour_sums lattice_sums(size_t layer, double r, mote_neighbours_fn *add) {
  lattice_walk walk = {0};
  mote_candidates *c = &walk.candidates;
  int n = (int)floor(r), above = layer < (size_t)n ? (int)layer : n;
  for (int z = -n; z <= above; ++z) {
    for (int y = -n; y <= n; ++y) {
      for (int x = -n; x <= n; ++x) {
        size_t k = c->count++;
        c->x[k] = (float)(x / r), c->y[k] = (float)(y / r), c->z[k] = (float)(z / r);
        c->label[k] = 0;
        if (c->count == MOTE_CANDIDATES) flush(&walk, add);
      }
    }
  }
  flush(&walk, add);
  return walk.sums;
}

void mote_anisotropy_half_space(const mote_surface_def *def, double d, size_t layers,
                                mote_kernel_shape *shape) {
  mote_kernel_rule rule = mote_kernel_rule_make(def, d);
  for (size_t k = 0; k < layers; ++k) {
    mote_neighbour_sums count = lattice_sums(k, def->reach, mote_neighbours_count);
    mote_neighbour_sums weight = lattice_sums(k, def->reach, mote_neighbours_weigh);
    shape[k] = mote_kernel_rule_near_surface(&rule, &count) ? mote_kernel_rule_shape(&rule, &count, &weight)
                                                            : mote_kernel_rule_inside(&rule);
  }
}
