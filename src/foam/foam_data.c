// The arrays of a foam, and the ways of the liquid's particles: see foam_data.h.
#include "foam/foam_data.h"

#include <string.h>

// Every array of the particles, its place and the size of its rows.
#define FOAM_ARRAYS 7
typedef struct foam_array {
  void **at;
  size_t size;
} foam_array;

static void list_arrays(mote_foam *f, foam_array out[FOAM_ARRAYS]) {
  const foam_array all[FOAM_ARRAYS] = {
      {(void **)&f->position, 3 * sizeof(double)}, {(void **)&f->velocity, 3 * sizeof(float)},
      {(void **)&f->life, sizeof(float)},          {(void **)&f->size, sizeof(float)},
      {(void **)&f->id, sizeof(uint64_t)},         {(void **)&f->kind, sizeof(uint32_t)},
      {(void **)&f->born, sizeof(double)}};
  memcpy(out, all, sizeof all);
}

mote_result mote_foam_reserve(mote_foam *foam, size_t count, mote_error *error) {
  foam_array array[FOAM_ARRAYS];
  list_arrays(foam, array);
  size_t capacity = foam->capacity;
  for (int k = 0; k < FOAM_ARRAYS; ++k) {
    capacity = foam->capacity;
    MOTE_TRY(mote_reserve(&foam->env, array[k].at, &capacity, count, array[k].size, error));
  }
  foam->capacity = capacity;
  return MOTE_OK;
}

void mote_foam_free_arrays(mote_foam *foam) {
  foam_array array[FOAM_ARRAYS];
  list_arrays(foam, array);
  for (int k = 0; k < FOAM_ARRAYS; ++k) mote_free(&foam->env, *array[k].at, foam->capacity, array[k].size);
}

void mote_foam_place(const mote_foam_flow *flow, size_t i, double s, double x[3], double v[3]) {
  double h = flow->length, s2 = s * s, s3 = s2 * s;
  for (size_t a = 3 * i, k = 0; k < 3; ++a, ++k) {
    double path = flow->x1[a] - flow->x0[a];
    x[k] = flow->x0[a] + (3.0 * s2 - 2.0 * s3) * path +
           h * ((s3 - 2.0 * s2 + s) * flow->v0[a] + (s3 - s2) * flow->v1[a]);
    v[k] = (1.0 - s) * flow->v0[a] + s * flow->v1[a];
  }
}
