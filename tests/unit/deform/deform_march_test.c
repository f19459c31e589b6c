// Distances inside a shape: straight in a box, around corners in a spiral channel of 12 cells across against
// the exact path by its corners; a slit thinner than a cell parts the shape, faces that touch join it.
#include "deform/deform_march.h"

#include <math.h>

#include "deform_kit.h"
#include "geom/triple.h"
#include "test.h"

// --- Spiral -----------------------------------------------------------------------------------------------

// A channel of one box, walls of one box: # is the channel.
#define WIDE 9
static const char *const spiral[WIDE] = {
    "#########", "........#", "#######.#", "#.....#.#", "#.###.#.#",
    "#.#...#.#", "#.#####.#", "#.......#", "#########",
};

static bool spiral_inside(int i, int j, int k) {
  (void)k;
  return spiral[j][i] == '#';
}

// Whether the segment stays in the channel, sampled.
static bool sees(const double a[2], const double b[2]) {
  for (int s = 0; s <= 4000; ++s) {
    double x = a[0] + (b[0] - a[0]) * s / 4000.0, y = a[1] + (b[1] - a[1]) * s / 4000.0;
    bool any = false;  // corners belong to the channel
    for (int c = 0; c < 4; ++c) {
      int i = (int)floor(x + (c % 2 ? 1e-7 : -1e-7)), j = (int)floor(y + (c / 2 ? 1e-7 : -1e-7));
      any |= i >= 0 && j >= 0 && i < WIDE && j < WIDE && spiral[j][i] == '#';
    }
    if (!any) return false;
  }
  return true;
}

typedef struct corners {
  double x[64][2], distance[64];
  int count;
} corners;

// Corners of walls, and their distances from the source by shortest paths.
static corners corner_distances(const double source[2]) {
  corners c = {.count = 0};
  for (int j = 1; j < WIDE; ++j) {
    for (int i = 1; i < WIDE; ++i) {
      int full = 0;
      for (int k = 0; k < 4; ++k) full += spiral[j - k / 2][i - k % 2] == '#';
      if (full == 3) c.x[c.count][0] = i, c.x[c.count][1] = j, c.distance[c.count++] = HUGE_VAL;
    }
  }
  for (int a = 0; a < c.count; ++a)
    if (sees(source, c.x[a])) c.distance[a] = hypot(source[0] - c.x[a][0], source[1] - c.x[a][1]);
  for (int round = 0; round < c.count; ++round) {
    for (int a = 0; a < c.count; ++a) {
      for (int b = 0; b < c.count; ++b) {
        double length = c.distance[b] + hypot(c.x[a][0] - c.x[b][0], c.x[a][1] - c.x[b][1]);
        if (length < c.distance[a] && sees(c.x[a], c.x[b])) c.distance[a] = length;
      }
    }
  }
  return c;
}

static double exact_distance(const corners *c, const double source[2], const double x[2]) {
  double best = sees(source, x) ? hypot(source[0] - x[0], source[1] - x[1]) : HUGE_VAL;
  for (int a = 0; a < c->count; ++a) {
    double length = c->distance[a] + hypot(c->x[a][0] - x[0], c->x[a][1] - x[1]);
    if (length < best && sees(c->x[a], x)) best = length;
  }
  return best;
}

static void test_spiral(void) {
  kit_boxes b = kit_boxes_make(WIDE, WIDE, 1, 1.0, spiral_inside, false);
  mote_env env = mote_env_default();
  mote_arena memory = mote_arena_make(&env);
  mote_deform_grid grid;
  mote_deform_march march;
  CHECK(mote_deform_grid_make(&b.mesh, 0.0, 1.0 / 12.0, &memory, &grid, NULL) == MOTE_OK);
  CHECK(grid.unbalanced == 0.0);
  CHECK(mote_deform_march_make(&grid, &memory, &march, NULL) == MOTE_OK);
  const double start[3] = {0.5, 0.5, 0.5};
  uint32_t source = mote_deform_grid_anchor(&grid, start, NULL);
  double from[3], worst = 0.0, farthest = 0.0;
  mote_deform_grid_place(&grid, source, from);
  mote_deform_march_run(&march, source, HUGE_VAL, NULL);
  CHECK(march.count == grid.count);
  corners c = corner_distances(from);
  for (uint32_t k = 0; k < march.count; k += 17) {
    uint32_t i = march.reached[k];
    double x[3];
    mote_deform_grid_place(&grid, i, x);
    double flat = exact_distance(&c, from, x), exact = hypot(flat, x[2] - from[2]);
    farthest = max2(farthest, exact);
    if (exact > 5.0 * grid.cell) worst = max2(worst, fabs(march.value[i] / exact - 1.0));
  }
  CHECK(farthest > 30.0);
  CHECK_NEAR(worst, 0.0, 0.02);
  // In the part that is seen: exact.
  for (uint32_t i = 0; i < grid.count; ++i) {
    double x[3];
    mote_deform_grid_place(&grid, i, x);
    if (x[1] < 1.0) CHECK_NEAR(march.value[i], distance3(x, from), 1e-9);
  }
  mote_arena_destroy(&memory);
  kit_boxes_free(&b);
}

// --- Slits ------------------------------------------------------------------------------------------------

// A block cut half through at x = 0.5: vertices at x within the cut's width are moved together.
static bool slit_inside(int i, int j, int k) {
  (void)j;
  return i != 5 || k < 5;
}

static void test_slit(double width) {
  kit_boxes b = kit_boxes_make(11, 4, 10, 0.1, slit_inside, false);
  mote_env env = mote_env_default();
  mote_arena memory = mote_arena_make(&env);
  mote_deform_grid grid;
  mote_deform_march march;
  for (size_t i = 0; i < b.mesh.vertices; ++i) {
    double *x = b.mesh.vertex + 3 * i;
    x[0] = x[0] < 0.55 ? x[0] : x[0] - 0.1 + width;
  }
  CHECK(mote_deform_grid_make(&b.mesh, 0.0, 0.05, &memory, &grid, NULL) == MOTE_OK);
  CHECK(mote_deform_march_make(&grid, &memory, &march, NULL) == MOTE_OK);
  const double left[3] = {0.4, 0.2, 0.9}, right[3] = {0.6, 0.2, 0.9};
  uint32_t a = mote_deform_grid_anchor(&grid, left, NULL), to = mote_deform_grid_anchor(&grid, right, NULL);
  mote_deform_march_run(&march, a, HUGE_VAL, NULL);
  CHECK(mote_deform_march_has(&march, to));
  double x[3], y[3];
  mote_deform_grid_place(&grid, a, x), mote_deform_grid_place(&grid, to, y);
  double exact =
      width > 0.0 ? hypot(x[0] - 0.5, x[2] - 0.5) + hypot(y[0] - 0.5, y[2] - 0.5) : distance3(x, y);
  CHECK_NEAR(march.value[to], exact, 0.1);  // two cells around the end of the slit
  mote_arena_destroy(&memory);
  kit_boxes_free(&b);
}

int main(void) {
  test_spiral();
  test_slit(0.01);
  test_slit(1e-6);
  test_slit(0.0);
  return test_end();
}
