// Islands of touching bodies, the order of a chain, and matrices within its envelope.
#include "contact/contact_islands.h"

#include <mote/numeric.h>

#include "base/random.h"
#include "contact/contact_envelope.h"
#include "contact_kit.h"

#define D 0.02
#define EDGE 0.1

// Two stacks in mixed order, one box that falls, one that is alone on the floor.
static kit_world *make(void) {
  static const double place[][2] = {{0.0, 0.2}, {1.0, 0.0}, {0.0, 0.0}, {2.0, 0.5},
                                    {0.0, 0.1}, {1.0, 0.1}, {3.0, 0.0}};
  kit_world *w = kit_make(D, 5e-3, 1);
  mote_shape_def ground = kit_floor(0.0, 0.0);
  for (size_t k = 0; k < sizeof place / sizeof *place; ++k) {
    double x = place[k][0], y = place[k][1];
    mote_shape_def box = mote_shape_def_box(x, y, 0.0, x + EDGE, y + EDGE, EDGE);
    kit_body(w, &box, 1000.0, 0.5, 0.0);
  }
  kit_obstacle(w, &ground);
  kit_step(w);
  return w;
}

static mote_contact_rows *rows_of(kit_world *w) {
  mote_contact_rows *rows;
  mote_contact_report report;
  double *start = mote_arena_take(&w->scratch, 6 * w->scene.bodies, sizeof *start);
  CHECK(mote_contact_solve_rows(&w->scene, &w->set, start, false, &w->scratch, &rows, &report, NULL) ==
        MOTE_OK);
  return rows;
}

static void test_islands(void) {
  kit_world *w = make();
  mote_contact_rows *rows = rows_of(w);
  mote_islands islands;
  CHECK(mote_contact_find_islands(rows, &w->scratch, &islands, NULL) == MOTE_OK);
  CHECK(islands.count == 3);
  CHECK(islands.of[0] == 0 && islands.of[2] == 0 && islands.of[4] == 0);
  CHECK(islands.of[1] == 1 && islands.of[5] == 1 && islands.of[6] == 2);
  CHECK(islands.of[3] == UINT32_MAX && islands.of[7] == UINT32_MAX);
  CHECK(islands.bodies[1] == 3 && islands.bodies[2] == 5 && islands.bodies[3] == 6);
  CHECK(islands.groups[1] == 3 && islands.groups[2] == 5 && islands.groups[3] == 6);  // with the floor
  kit_free(w);
}

// A random matrix of the envelope, times a vector, is solved for it.
static void check_envelope(kit_world *w, const mote_island *in) {
  size_t n = 6 * in->bodies;
  double *a = mote_arena_take(&w->scratch, in->entries, sizeof *a), x[60], b[60];
  CHECK(n <= 60);
  for (size_t i = 0; i < n; ++i) x[i] = mote_random_uniform(1, 0, i) - 0.5, b[i] = 0.0;
  for (size_t i = 0; i < n; ++i) {
    size_t low = 6 * in->low[i / 6];
    for (size_t j = low; j <= i; ++j) {
      double value = i == j ? 20.0 : mote_random_uniform(2, i, j) - 0.5;
      a[in->line[i] + j - low] = value;
      b[i] += value * x[j];
      if (j < i) b[j] += value * x[i];
    }
  }
  CHECK(mote_envelope_factorise(in, a));
  mote_envelope_solve(in, a, b);
  for (size_t i = 0; i < n; ++i) CHECK_NEAR(b[i], x[i], 1e-13);
  for (size_t k = 0; k < in->entries; ++k) a[k] = 0.0;
  CHECK(!mote_envelope_factorise(in, a));
}

// Neighbours of a stack are neighbours in the order, whatever their numbers.
static void test_order(void) {
  kit_world *w = make();
  mote_contact_rows *rows = rows_of(w);
  mote_islands islands;
  mote_island in;
  CHECK(mote_contact_find_islands(rows, &w->scratch, &islands, NULL) == MOTE_OK);
  CHECK(mote_contact_order_island(rows, &islands, 0, &w->scratch, &in, NULL) == MOTE_OK);
  CHECK(in.bodies == 3 && in.groups == 3);
  CHECK(in.body[1] == 4 && in.body[0] + in.body[2] == 2);
  for (size_t k = 0; k < 3; ++k) CHECK(in.place[in.body[k]] == k && in.low[k] == (k == 0 ? 0 : k - 1));
  CHECK(in.entries == 21 + 2 * (21 + 36));
  check_envelope(w, &in);
  kit_free(w);
}

int main(void) {
  test_islands();
  test_order();
  return test_end();
}
