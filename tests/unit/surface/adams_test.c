// What is remembered of particles between frames: by id, in any order, with some gone and some new.
#include "surface/adams.h"

#include <math.h>

#include "stingy.h"
#include "test.h"

enum { N = 5000 };

static uint64_t id[N];
static float distance[N], recalled[N];
static const double nowhere[3] = {0.0, 0.0, 0.0};

static mote_surface_particles of(const uint64_t *ids, size_t count) {
  return (mote_surface_particles){.position = nowhere, .count = count, .id = ids};
}

// Ids with all bits in use, in no order; then read in another one, every third of them unknown.
static void test_ids(void) {
  mote_env env = mote_env_default();
  mote_arena scratch = mote_arena_make(&env);
  mote_adams adams = mote_adams_make(&env);
  for (size_t k = 0; k < N; ++k) {
    id[k] = (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    distance[k] = (float)k;
  }
  mote_surface_particles before = of(id, N);
  CHECK(mote_adams_remember(&adams, &before, distance, &scratch, NULL) == MOTE_OK);
  CHECK(adams.count == N);
  for (size_t k = 1; k < N; ++k) CHECK(adams.id[k - 1] < adams.id[k]);
  for (size_t k = 0; k < N; ++k) {
    size_t from = N - 1 - k;
    id[k] = (from + 1) * UINT64_C(0x9e3779b97f4a7c15) + (from % 3 == 0);
  }
  mote_surface_particles after = of(id, N);
  mote_adams_recall(&adams, &after, recalled);
  for (size_t k = 0; k < N; ++k) {
    size_t from = N - 1 - k;
    CHECK(from % 3 == 0 ? isnan(recalled[k]) : recalled[k] == (float)from);
  }
  mote_adams_forget(&adams);
  mote_adams_recall(&adams, &after, recalled);
  for (size_t k = 0; k < N; ++k) CHECK(isnan(recalled[k]));
  mote_adams_free(&adams);
  mote_arena_destroy(&scratch);
}

// Without ids the row is one; of particles that share an id the first counts.
static void test_rows(void) {
  mote_env env = mote_env_default();
  mote_arena scratch = mote_arena_make(&env);
  mote_adams adams = mote_adams_make(&env);
  for (size_t k = 0; k < N; ++k) distance[k] = (float)(2 * k);
  mote_surface_particles rows = of(NULL, 10), more = of(NULL, 12);
  CHECK(mote_adams_remember(&adams, &rows, distance, &scratch, NULL) == MOTE_OK);
  mote_adams_recall(&adams, &more, recalled);
  for (size_t k = 0; k < 12; ++k) CHECK(k < 10 ? recalled[k] == distance[k] : isnan(recalled[k]));
  const uint64_t twice[] = {7, 5, 7, 5, 6};
  mote_surface_particles shared = of(twice, 5);
  CHECK(mote_adams_remember(&adams, &shared, distance, &scratch, NULL) == MOTE_OK);
  const uint64_t ask[] = {5, 6, 7};
  mote_surface_particles asked = of(ask, 3);
  mote_adams_recall(&adams, &asked, recalled);
  CHECK(recalled[0] == 2.0f && recalled[1] == 8.0f && recalled[2] == 0.0f);
  mote_adams_free(&adams);
  mote_arena_destroy(&scratch);
}

// When memory is out what was remembered stays.
static void test_memory(void) {
  for (int granted = 2; granted < 12; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_arena scratch = mote_arena_make(&env);
    mote_adams adams = mote_adams_make(&env);
    mote_surface_particles few = of(NULL, 3), many = of(NULL, N);
    mote_result first = mote_adams_remember(&adams, &few, distance, &scratch, NULL);
    mote_result second = first ? first : mote_adams_remember(&adams, &many, distance, &scratch, NULL);
    CHECK(second == MOTE_OK || second == MOTE_ERROR_MEMORY);
    CHECK(adams.count == (second == MOTE_OK ? N : first == MOTE_OK ? 3 : 0));
    if (granted == 11) CHECK(second == MOTE_OK);
    mote_adams_free(&adams);
    mote_arena_destroy(&scratch);
    CHECK(s.held == 0);
  }
}

int main(void) {
  test_ids();
  test_rows();
  test_memory();
  return test_end();
}
