// What is still to come: relaxed filling.
#include "geom/shape_fill.h"

mote_result mote_fill_relaxed(const mote_shape *shape, double spacing, uint64_t seed, double wanted,
                              size_t most, const mote_env *env, mote_samples *out, mote_error *error) {
  (void)seed;
  return mote_fill_lattice(shape, spacing, MOTE_FILL_HEXAGONAL, wanted, most, env, out, error);
}
