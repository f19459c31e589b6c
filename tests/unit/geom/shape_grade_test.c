// Graded filling: exact volumes, even outer layers, whole blocks inside, fewer particles; refusals.
#include <mote/mote.h>

#include "geom/shape_tree.h"
#include "shape_kit.h"
#include "test.h"

#define SPACING 0.05
#define DEPTH (2.0 * SPACING)

// Every particle's cell, as a number of fine ones, fits in the shape with the room that is asked for; no two
// cells overlap.
static void check_cells(const mote_shape *shape, const mote_samples *s, int most) {
  int dimensions = shape->dimensions;
  double least = HUGE_VAL, volume, sum = 0.0;
  CHECK(mote_shape_volume(shape, &volume, NULL) == MOTE_OK);
  for (size_t i = 0; i < s->count; ++i) least = fmin(least, s->volume[i]), sum += s->volume[i];
  CHECK_NEAR(sum / volume, 1.0, 1e-13);
  for (size_t i = 0; i < s->count; ++i) {
    double times = s->volume[i] / least, size = round(dimensions == 2 ? sqrt(times) : cbrt(times));
    CHECK_NEAR(times, pow(size, dimensions), 1e-9 * times);
    CHECK(size == 1.0 || size == 2.0 || size == 4.0 || size == 8.0);
    CHECK(size <= most);
    double depth = -mote_shape_distance(shape, s->position + 3 * i);
    if (size > 1.0) CHECK(depth >= (size - 1.0) * DEPTH);
    for (size_t j = 0; j < i; ++j) {
      double apart = kit_distance(s->position + 3 * i, s->position + 3 * j);
      if (apart < 0.93 * SPACING * size) CHECK(s->volume[j] < s->volume[i] && apart > 0.7 * SPACING * size);
    }
  }
}

// A ball of ten spacings, and shapes of many kinds.
static void test_shapes(void) {
  for (int k = MOTE_SHAPE_SPHERE; k < MOTE_SHAPE_KINDS; ++k) {
    if (k == MOTE_SHAPE_HALF_SPACE || k >= MOTE_SHAPE_FIGURE) continue;
    for (int dimensions = 2; dimensions <= 3; ++dimensions) {
      if (k == MOTE_SHAPE_CYLINDER && dimensions == 2) continue;  // a box
      mote_shape_def def = kit_single((mote_shape_kind)k, dimensions);
      if (k == MOTE_SHAPE_SPHERE) def.radius = 10.0 * SPACING;
      if (def.kind == MOTE_SHAPE_MESH) continue;
      mote_shape *shape = kit_shape(&def, dimensions);
      mote_samples even = {0}, graded = {0}, same = {0};
      CHECK(mote_shape_fill(shape, SPACING, MOTE_FILL_CUBIC, 1, 100000, NULL, &even, NULL) == MOTE_OK);
      CHECK(mote_shape_fill_graded(shape, SPACING, 4, DEPTH, 100000, NULL, &graded, NULL) == MOTE_OK);
      CHECK(mote_shape_fill_graded(shape, SPACING, 1, DEPTH, 100000, NULL, &same, NULL) == MOTE_OK);
      check_cells(shape, &graded, 4);
      CHECK(same.count == even.count && graded.count <= even.count);
      for (size_t c = 0; c < 3 * even.count; ++c) CHECK(same.position[c] == even.position[c]);
      double about = mote_shape_fill_graded_estimate(shape, SPACING, 4, DEPTH);
      CHECK_NEAR(about / (double)graded.count, 1.0, 0.15);
      mote_samples_free(&even, NULL);
      mote_samples_free(&graded, NULL);
      mote_samples_free(&same, NULL);
      mote_shape_destroy(shape);
    }
  }
}

// What a ball of ten spacings saves: a third of its particles at grading 2.
static void test_saving(void) {
  mote_shape_def def = mote_shape_def_sphere(0.0, 0.0, 0.0, 10.0 * SPACING);
  mote_shape *shape = kit_shape(&def, 3);
  size_t count[3];
  for (int k = 0; k < 3; ++k) {
    mote_samples s = {0};
    CHECK(mote_shape_fill_graded(shape, SPACING, 1 << k, DEPTH, 100000, NULL, &s, NULL) == MOTE_OK);
    count[k] = s.count;
    mote_samples_free(&s, NULL);
  }
  printf("ball of 10 spacings: %zu, %zu, %zu particles at grading 1, 2, 4\n", count[0], count[1], count[2]);
  CHECK(3 * count[1] < 2 * count[0] + count[0] / 10 && count[2] <= count[1]);
  mote_shape_destroy(shape);
}

static void test_refused(void) {
  mote_shape_def def = mote_shape_def_sphere(0.0, 0.0, 0.0, 10.0 * SPACING);
  mote_shape *shape = kit_shape(&def, 3);
  mote_samples s = {0};
  mote_error error;
  CHECK(mote_shape_fill_graded(shape, SPACING, 3, DEPTH, 100000, NULL, &s, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "grading");
  CHECK(mote_shape_fill_graded(shape, SPACING, 2, -1.0, 100000, NULL, &s, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "depth");
  CHECK(mote_shape_fill_graded(shape, SPACING, 2, DEPTH, 1000, NULL, &s, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "spacing");
  CHECK(mote_shape_fill_graded(shape, SPACING, 2, DEPTH, 1000, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  mote_shape_destroy(shape);
}

int main(void) {
  test_shapes();
  test_saving();
  test_refused();
  return test_end();
}
