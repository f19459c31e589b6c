// Ellipsoid queries: what is refused, what is empty, what is extreme.
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "stingy.h"
#include "test.h"

static void bad_input_is_named(void) {
  mote_ellipsoid_grid *grid = NULL;
  mote_error error;
  double centre[6] = {0}, G[12] = {1, 0, 0, 1, 0, 1, 1, 2, 0, 1, 0, 1};
  CHECK(mote_ellipsoid_grid_create(3, centre, G, 2, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "ellipsoids: matrix 1 is not positive definite, or its ellipsoid is beyond 1e150");
  G[7] = 0, centre[4] = (double)NAN;
  CHECK(mote_ellipsoid_grid_create(3, centre, G, 2, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "ellipsoids: coordinate 1 of centre 1 is not finite");
  centre[4] = 0, G[6] = (double)INFINITY;
  CHECK(mote_ellipsoid_grid_create(3, centre, G, 2, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_ellipsoid_grid_create(4, centre, G, 1, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_ellipsoid_grid_create(3, NULL, G, 1, NULL, &grid, &error) == MOTE_ERROR_ARGUMENT);
}

static void empty_and_strange_queries(void) {
  mote_ellipsoid_grid *grid = NULL;
  uint32_t index[4];
  double x[3] = {0}, strange[3] = {(double)NAN, (double)INFINITY, 1e300};
  CHECK(mote_ellipsoid_grid_create(3, NULL, NULL, 0, NULL, &grid, NULL) == MOTE_OK);
  CHECK(mote_ellipsoid_grid_query(grid, x, index, 4) == 0);
  mote_ellipsoid_grid_destroy(grid);
  double centre[9] = {0, 0, 0, 0, 0, 0, 1e300, 0, 0},
         G[18] = {1, 0, 0, 1, 0, 1, 2, 0, 0, 2, 0, 2, 1e-3, 0, 0, 1, 0, 1};
  CHECK(mote_ellipsoid_grid_create(3, centre, G, 3, NULL, &grid, NULL) == MOTE_OK);
  CHECK(mote_ellipsoid_grid_query(grid, x, index, 4) == 2);
  CHECK(mote_ellipsoid_grid_query(grid, x, index, 1) == 2);
  CHECK(mote_ellipsoid_grid_query(grid, centre + 6, index, 4) == 1 && index[0] == 2);
  CHECK(mote_ellipsoid_grid_query(grid, strange, index, 4) == 0);
  mote_ellipsoid_grid_destroy(grid);
}

static void want_of_memory_leaks_nothing(void) {
  double centre[30] = {0}, G[60];
  for (int k = 0; k < 60; ++k) G[k] = k % 6 == 0 || k % 6 == 3 || k % 6 == 5;
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; result != MOTE_OK && CHECK(granted < 20); ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_ellipsoid_grid *grid = NULL;
    result = mote_ellipsoid_grid_create(3, centre, G, 10, &env, &grid, NULL);
    CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
    mote_ellipsoid_grid_destroy(grid);
    CHECK(s.held == 0);
  }
}

int main(void) {
  bad_input_is_named();
  empty_and_strange_queries();
  want_of_memory_leaks_nothing();
  return test_end();
}
