// Images of particles behind walls, where all of them are known.
#include <math.h>
#include <mote/scene.h>
#include <string.h>

#include "test.h"

static mote_surface_def spaced(double spacing) {
  mote_surface_def def = mote_surface_def_default();
  def.spacing = spacing;
  return def;
}

static void finds_walls(void) {
  mote_world_def world = mote_world_def_default();
  for (int k = 0; k < 3; ++k) {
    world.low[k] = -1.0 - k, world.high[k] = 1.0 + k;
    world.side[k][0] = world.side[k][1] = MOTE_SIDE_OPEN;
  }
  world.side[0][0] = MOTE_SIDE_WALL, world.side[1][1] = MOTE_SIDE_WALL;
  world.side[2][0] = world.side[2][1] = MOTE_SIDE_PERIODIC;
  mote_surface_walls walls = mote_world_def_walls(&world);
  CHECK(walls.low[0] == -1.0 && isinf(walls.high[0]));
  CHECK(isinf(walls.low[1]) && walls.high[1] == 2.0);
  CHECK(isinf(walls.low[2]) && isinf(walls.high[2]));
  // What is cut already stays cut.
  mote_surface_def def = spaced(0.1);
  def.clip_low[0] = -0.5, def.clip_high[1] = 3.0;
  mote_surface_walls_cut(&walls, &def);
  CHECK(def.clip_low[0] == -0.5 && def.clip_high[1] == 2.0 && isinf(def.clip_high[0]));
}

// One particle in a corner has seven images, with all that it carries; one far away has none.
static void repeats_at_corners(void) {
  const double x[6] = {3.0, 3.0, 3.0, 0.05, 0.06, 0.07};
  const float volume[2] = {1.0F, 2.0F};
  const uint64_t id[2] = {7, 9};
  float speed[6] = {1, 2, 3, 4, 5, 6};
  mote_field_view field = {"velocity", "m/s", MOTE_TYPE_F32, 3, 2, speed};
  mote_surface_particles particles = {
      .position = x, .count = 2, .volume = volume, .id = id, .field = &field, .fields = 1};
  mote_surface_walls walls = mote_surface_walls_none();
  mote_surface_def def = spaced(0.1);  // images of what is within 4 spacings
  mote_surface_images images;
  for (int k = 0; k < 3; ++k) walls.low[k] = 0.0;
  CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
  if (!CHECK(images.count == 2 && images.view.count == 9)) return;
  CHECK(memcmp(images.view.position, x, sizeof x) == 0);
  CHECK(images.view.id[0] == 7 && images.view.id[1] == 9);
  CHECK(images.view.fields == 1 && images.view.field[0].count == 9);
  unsigned seen = 0;
  for (size_t i = 2; i < 9; ++i) {
    const double *y = images.view.position + 3 * i;
    for (int k = 0; k < 3; ++k) CHECK(fabs(y[k]) == x[3 + k]);
    seen |= 1U << ((y[0] < 0) + 2 * (y[1] < 0) + 4 * (y[2] < 0));
    CHECK(images.view.volume[i] == 2.0F);
    CHECK(memcmp((const float *)images.view.field[0].data + 3 * i, speed + 3, 3 * sizeof *speed) == 0);
    for (size_t j = 0; j < i; ++j) CHECK(images.view.id[j] != images.view.id[i]);
  }
  CHECK(seen == 0xfe);
  mote_surface_images_free(&images, NULL);
}

// A particle that passed a wall, or lies on it, has no image there; a narrow tank has images of both sides.
static void keeps_to_the_inside(void) {
  const double x[9] = {-0.01, 0, 0, 0.0, 0, 0, 0.15, 0, 0};
  mote_surface_particles particles = {.position = x, .count = 3};
  mote_surface_walls walls = mote_surface_walls_none();
  mote_surface_def def = spaced(0.1);
  mote_surface_images images;
  walls.low[0] = 0.0, walls.high[0] = 10.0;
  CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
  CHECK(images.view.count == 4 && images.view.position[9] == -0.15);
  mote_surface_images_free(&images, NULL);
  walls.low[0] = 0.08, walls.high[0] = 0.2;
  particles.position = x + 6, particles.count = 1;
  CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
  if (CHECK(images.view.count == 4)) {  // at 0.01; of both at the other side
    CHECK_NEAR(images.view.position[3], 0.01, 1e-15);
    CHECK_NEAR(images.view.position[6], 0.25, 1e-15);
    CHECK_NEAR(images.view.position[9], 0.39, 1e-15);
  }
  mote_surface_images_free(&images, NULL);
}

// Nothing is copied where there is nothing to repeat.
static void leaves_alone(void) {
  const double x[3] = {0.1, 0.1, 0.1};
  mote_surface_particles particles = {.position = x, .count = 1};
  mote_surface_walls walls = mote_surface_walls_none();
  mote_surface_def def = spaced(0.1);
  mote_surface_images images;
  CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
  CHECK(images.view.position == x && images.view.count == 1 && images.view.id == NULL && images.count == 1);
  mote_surface_images_free(&images, NULL);
  particles.count = 0, walls.low[0] = 0.0;
  CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
  CHECK(images.view.count == 0 && images.count == 0);
  mote_surface_images_free(&images, NULL);
}

// A wall shapes the liquid that touches it, all within reach, and nothing before.
static void waits_for_a_touch(void) {
  const double x[9] = {0.101, 0.5, 0.5, 0.2, 0.5, 0.5, 0.099, 5.0, 5.0};
  mote_surface_particles particles = {.position = x, .count = 2};
  mote_surface_walls walls = mote_surface_walls_none();
  mote_surface_def def = spaced(0.1);
  mote_surface_images images;
  walls.low[0] = 0.0, walls.high[0] = 0.4;
  CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
  CHECK(images.view.count == 2);
  mote_surface_images_free(&images, NULL);
  particles.count = 3;
  CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
  CHECK(images.view.count == 6);
  for (size_t k = 3; k < images.view.count; ++k) CHECK(images.view.position[3 * k] < 0);
  mote_surface_images_free(&images, NULL);
}

// A drop that is pressed to a wall keeps its volume: it is taken to lie 0.45 d from it, its image as far
// behind.
static void keeps_drops_at_walls(void) {
  const double x[3] = {0.01, 0.5, 0.5};
  mote_surface_particles particles = {.position = x, .count = 1};
  mote_surface_walls walls = mote_surface_walls_none();
  mote_surface_def def = spaced(0.1);
  mote_surface_images images;
  walls.low[0] = 0.0;
  CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
  if (CHECK(images.view.count == 2)) {
    CHECK_NEAR(images.view.position[0], 0.045, 1e-15);
    CHECK_NEAR(images.view.position[3], -0.045, 1e-15);
  }
  mote_surface_images_free(&images, NULL);
}

int main(void) {
  keeps_drops_at_walls();
  waits_for_a_touch();
  finds_walls();
  repeats_at_corners();
  keeps_to_the_inside();
  leaves_alone();
  return test_end();
}
