// Two threads at once: each with objects of its own gets the bits of one alone, and both may ask one grid and
// one factor. There is no hidden state between objects.
#include <mote/mote.h>
#include <pthread.h>

#include "base/hash.h"
#include "test.h"

#define N 700
#define ROUNDS 12

static double point[3 * N], field[N];
static mote_grid *shared_grid;
static mote_cholesky *shared_factor;

// The hash of the lists of a grid of its own, of SPH and of moving least squares.
static uint64_t hash_of_all(uint64_t seed) {
  mote_env env = mote_env_default();
  env.threads = 2;
  mote_lists lists = {0};
  mote_grid *grid = NULL;
  mote_sph *sph = NULL;
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  double gradient[3 * N] = {0}, value[N] = {0};
  mote_grid_def grid_def = mote_grid_def_default(0.1 + 0.01 * (double)seed);
  mote_sph_def sph_def = mote_sph_def_default();
  sph_def.position = point, sph_def.count = N, sph_def.radius = grid_def.radius;
  mote_mls_def mls_def = mote_mls_def_default();
  mls_def.position = point, mls_def.count = N, mls_def.uniform_radius = 2 * grid_def.radius;
  bool ok = mote_grid_create(&grid_def, &env, &grid, NULL) == MOTE_OK &&
            mote_grid_build(grid, point, N, NULL) == MOTE_OK &&
            mote_grid_neighbours(grid, &lists, NULL) == MOTE_OK &&
            mote_sph_create(&sph_def, &env, &sph, NULL) == MOTE_OK &&
            mote_sph_gradient(sph, MOTE_GRADIENT_CORRECTED, field, 1, gradient, NULL) == MOTE_OK &&
            mote_mls_create(&mls_def, &env, &mls, NULL) == MOTE_OK &&
            mote_mls_shapes_create(mls, point, N, 0, &env, &shapes, NULL) == MOTE_OK &&
            mote_mls_apply(shapes, field, 1, value, NULL, NULL, NULL) == MOTE_OK;
  uint64_t hash = 0;
  if (ok) {
    hash = mote_hash_bytes(hash, lists.index, lists.first[N] * sizeof *lists.index);
    hash = mote_hash_bytes(hash, gradient, sizeof gradient);
    hash = mote_hash_bytes(hash, value, sizeof value);
  }
  mote_grid_destroy(grid);
  mote_sph_destroy(sph);
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  return hash;
}

static uint64_t hash_of_shared(void) {
  uint64_t hash = 0;
  uint32_t index[N];
  double x[N];
  for (size_t i = 0; i < N; ++i) {
    size_t found = mote_grid_query(shared_grid, point + 3 * i, 0.15, index, N);
    hash = mote_hash_bytes(hash, index, found * sizeof *index);
  }
  for (int k = 0; k < 10; ++k) {
    memcpy(x, field, sizeof x);
    mote_cholesky_solve(shared_factor, 1, x);
    hash = mote_hash_bytes(hash, x, sizeof x);
  }
  return hash;
}

typedef struct worker {
  uint64_t own[ROUNDS], shared[ROUNDS];
} worker;

static void *work(void *data) {
  worker *w = data;
  for (uint64_t k = 0; k < ROUNDS; ++k) {
    w->own[k] = hash_of_all(k);
    w->shared[k] = hash_of_shared();
  }
  return NULL;
}

static bool make_shared(void) {
  mote_grid_def def = mote_grid_def_default(0.15);
  static size_t first[N + 1];
  static uint32_t row[2 * N];
  static double value[2 * N];
  size_t n = 0;
  for (uint32_t j = 0; j < N; ++j) {
    row[n] = j, value[n++] = 2.5;
    if (j + 1 < N) row[n] = j + 1, value[n++] = -1;
    first[j + 1] = n;
  }
  return mote_grid_create(&def, NULL, &shared_grid, NULL) == MOTE_OK &&
         mote_grid_build(shared_grid, point, N, NULL) == MOTE_OK &&
         mote_cholesky_create(&(mote_sparse){N, first, row, value}, NULL, &shared_factor, NULL) == MOTE_OK;
}

int main(void) {
  for (size_t k = 0; k < 3 * N; ++k) point[k] = mote_random_uniform(1, 0, k);
  for (size_t k = 0; k < N; ++k) field[k] = mote_random_uniform(2, 0, k);
  if (!CHECK(make_shared())) return test_end();
  static worker alone, one, other;
  work(&alone);
  pthread_t thread;
  if (!CHECK(pthread_create(&thread, NULL, work, &one) == 0)) return test_end();
  work(&other);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(alone.own[0] != 0 && alone.own[0] != alone.own[1]);
  CHECK(memcmp(&alone, &one, sizeof one) == 0);
  CHECK(memcmp(&alone, &other, sizeof other) == 0);
  mote_grid_destroy(shared_grid);
  mote_cholesky_destroy(shared_factor);
  return test_end();
}
