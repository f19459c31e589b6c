// Memory of the neighbour lists of an elastic body: see elastic_lists.h.
#include "elastic/elastic_lists.h"

#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"

#define SLOPES_PER_PAIR 6

mote_result mote_elastic_lists_reserve(const mote_env *env, mote_elastic_lists *lists, size_t particles,
                                       size_t pairs, bool factors, bool slopes, mote_error *error) {
  mote_elastic_lists *l = lists;
  size_t count = pairs > 0 ? pairs : 1, *capacity = l->capacity;
  MOTE_TRY(mote_reserve(env, &l->first, capacity, particles + 1, sizeof *l->first, error));
  MOTE_TRY(mote_reserve(env, &l->neighbour, capacity + 1, count, sizeof *l->neighbour, error));
  MOTE_TRY(mote_reserve(env, &l->pair, capacity + 2, count, sizeof *l->pair, error));
  MOTE_TRY(mote_reserve(env, &l->path_length, capacity + 3, count, sizeof *l->path_length, error));
  if (factors || l->factor != NULL)
    MOTE_TRY(mote_reserve(env, &l->factor, capacity + 4, count, sizeof *l->factor, error));
  if (slopes || l->slope != NULL)
    MOTE_TRY(mote_reserve(env, &l->slope, capacity + 5, SLOPES_PER_PAIR * count, sizeof *l->slope, error));
  return MOTE_OK;
}

void mote_elastic_lists_free(const mote_env *env, mote_elastic_lists *lists) {
  mote_elastic_lists *l = lists;
  mote_free(env, l->first, l->capacity[0], sizeof *l->first);
  mote_free(env, l->neighbour, l->capacity[1], sizeof *l->neighbour);
  mote_free(env, l->pair, l->capacity[2], sizeof *l->pair);
  mote_free(env, l->path_length, l->capacity[3], sizeof *l->path_length);
  mote_free(env, l->factor, l->capacity[4], sizeof *l->factor);
  mote_free(env, l->slope, l->capacity[5], sizeof *l->slope);
  *lists = (mote_elastic_lists){0};
}

void mote_elastic_lists_copy(const mote_elastic_lists *lists, size_t particles, mote_elastic_lists *out) {
  size_t pairs = lists->pairs;
  MOTE_ASSERT(out->capacity[0] > particles && out->capacity[1] >= pairs && out->capacity[2] >= pairs);
  MOTE_ASSERT(out->capacity[3] >= pairs);
  MOTE_ASSERT(lists->factor == NULL || out->capacity[4] >= pairs);
  MOTE_ASSERT(lists->slope == NULL || out->capacity[5] >= SLOPES_PER_PAIR * pairs);
  out->pairs = pairs;
  memcpy(out->first, lists->first, (particles + 1) * sizeof *out->first);
  memcpy(out->neighbour, lists->neighbour, pairs * sizeof *out->neighbour);
  memcpy(out->pair, lists->pair, pairs * sizeof *out->pair);
  memcpy(out->path_length, lists->path_length, pairs * sizeof *out->path_length);
  if (lists->factor != NULL) memcpy(out->factor, lists->factor, pairs * sizeof *out->factor);
  if (lists->slope != NULL) memcpy(out->slope, lists->slope, SLOPES_PER_PAIR * pairs * sizeof *out->slope);
}

size_t mote_elastic_lists_find(const mote_elastic_lists *lists, size_t i, size_t j) {
  size_t first = lists->first[i], end = lists->first[i + 1];
  size_t k = first + mote_bisect(lists->neighbour + first, end - first, j);
  return k < end && lists->neighbour[k] == j ? k : SIZE_MAX;
}
