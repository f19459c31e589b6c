// How far the particles of an elastic body's definition reach, and how weights are balanced between large and
// small ones.
#ifndef MOTE_ELASTIC_SUPPORT_H
#define MOTE_ELASTIC_SUPPORT_H

#include <mote/elastic.h>

static inline double mote_elastic_support(const mote_elastic_def *def, size_t i) {
  return def->support == NULL ? def->uniform_support : def->support[i];
}

static inline double mote_elastic_reach(const mote_elastic_def *def, size_t i, size_t j) {
  return 0.5 * (mote_elastic_support(def, i) + mote_elastic_support(def, j));
}

// Of a pair: 1 among equals. Where particles are larger on one side than on the other, both sides count as if
// they were not: volumes in place of numbers, and first moments that do not know how far each side reaches.
static inline double mote_elastic_balance(const mote_elastic_def *def, size_t i, size_t j) {
  double part = mote_elastic_support(def, 0) / mote_elastic_reach(def, i, j), square = part * part;
  double scale = def->dimensions == 2 ? square * part : square * square;
  if (def->volume != NULL) scale *= def->volume[i] / def->volume[0] * (def->volume[j] / def->volume[0]);
  return scale;
}

#endif
