// Reach of the particles of an elastic body's definition, the balance of weights between large and small
// particles, and the weight of a pair by its path length.
#ifndef MOTE_ELASTIC_SUPPORT_H
#define MOTE_ELASTIC_SUPPORT_H

#include <mote/elastic.h>

#include "approx/kernel.h"

static inline double mote_elastic_support(const mote_elastic_def *def, size_t i) {
  return def->support == NULL ? def->uniform_support : def->support[i];
}

static inline double mote_elastic_reach(const mote_elastic_def *def, size_t i, size_t j) {
  return 0.5 * (mote_elastic_support(def, i) + mote_elastic_support(def, j));
}

// Factor on the weight of a pair, 1 for equal particles. Between particles of different size it replaces
// counts by volumes and makes the first moments independent of the reach of either side.
static inline double mote_elastic_balance(const mote_elastic_def *def, size_t i, size_t j) {
  double part = mote_elastic_support(def, 0) / mote_elastic_reach(def, i, j), square = part * part;
  double scale = def->dimensions == 2 ? square * part : square * square;
  if (def->volume != NULL) scale *= def->volume[i] / def->volume[0] * (def->volume[j] / def->volume[0]);
  return scale;
}

// Weight of a pair whose path inside the body has this length, EG09 (86): the same bits from both ends. 0
// where it is not within reach.
static inline double mote_elastic_weight(const mote_elastic_def *def, size_t i, size_t j, double length) {
  double q = length / mote_elastic_reach(def, i, j);
  double weight = q < 1.0 ? mote_shape_value(MOTE_KERNEL_POLY6, def->dimensions, q) : 0.0;
  return weight * mote_elastic_balance(def, i, j);
}

#endif
