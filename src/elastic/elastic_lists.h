// The neighbour lists of an elastic body, with the data of each pair. Pairs are sorted by particle, then
// by neighbour, and each is stored at both ends with the same path length, weight and factor.
#ifndef MOTE_ELASTIC_LISTS_H
#define MOTE_ELASTIC_LISTS_H

#include <mote/base.h>

// A neighbour, relative to its particle.
typedef struct mote_elastic_pair {
  double rest[3];  // X_j - X_i
  double weight;   // by the path length, times the factor
} mote_elastic_pair;

#define MOTE_ELASTIC_LIST_ARRAYS 6

typedef struct mote_elastic_lists {
  size_t pairs;
  size_t *first;        // pairs of i: first[i] .. first[i+1] - 1
  uint32_t *neighbour;  // ascending for each particle
  mote_elastic_pair *pair;
  double *path_length;  // m
  double *factor;       // null: all are 1
  double *slope;        // six per pair; null: no analytic gradients
  size_t capacity[MOTE_ELASTIC_LIST_ARRAYS];
} mote_elastic_lists;

// Capacity for this many pairs; existing entries are kept. Factors and slopes only if requested or present.
mote_result mote_elastic_lists_reserve(const mote_env *env, mote_elastic_lists *lists, size_t particles,
                                       size_t pairs, bool factors, bool slopes, mote_error *error);
void mote_elastic_lists_free(const mote_env *env, mote_elastic_lists *lists);

// out has capacity for the pairs and the arrays of `lists`.
void mote_elastic_lists_copy(const mote_elastic_lists *lists, size_t particles, mote_elastic_lists *out);

// The pair of i and j in the list of i; SIZE_MAX: they are not neighbours.
size_t mote_elastic_lists_find(const mote_elastic_lists *lists, size_t i, size_t j);

#endif
