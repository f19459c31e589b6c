// Public functions of base/random.h.
#include <mote/numeric.h>

#include "base/random.h"

double mote_random_uniform(uint64_t seed, uint64_t stream, uint64_t index) {
  return mote_random_unit(seed, stream, index);
}
