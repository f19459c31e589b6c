// The surface of elastic bodies for contact: at rest, in another reference, and after neighbours were parted.
#include "../elastic/elastic_kit.h"
#include "contact/elastic_contact.h"
#include "elastic/elastic_change.h"

#define SIDE 6

static mote_elastic_contact *contact_of(const elastic_kit *kit, const mote_elastic *present,
                                        const double *metric) {
  mote_elastic_contact_part part = {
      .body = kit->body, .present = present, .metric = metric, .rest = kit->rest, .friction = 0.5};
  mote_elastic_contact *set = NULL;
  CHECK(mote_elastic_contact_create(&part, 1, NULL, &set, NULL) == MOTE_OK);
  return set;
}

static elastic_kit cube(void) {
  return kit_make(kit_def(3, 1, 1e5, 0.3), SIDE, SIDE, SIDE, 0.0, (double[3]){0.0, 0.0, 0.0});
}

static int row_of(const elastic_kit *kit, size_t i, int axis) {
  return (int)(kit->rest[3 * i + (size_t)axis] / KIT_SPACING);
}

static bool is_outer(const elastic_kit *kit, size_t i) {
  bool outer = false;
  for (int a = 0; a < 3; ++a) outer = outer || row_of(kit, i, a) == 0 || row_of(kit, i, a) == SIDE - 1;
  return outer;
}

static void test_rest(void) {
  elastic_kit kit = cube();
  mote_elastic_contact *set = contact_of(&kit, kit.body, NULL);
  bool *surface = calloc(kit.count, sizeof *surface);
  for (size_t k = 0; k < set->surfaces; ++k) surface[set->surface[k]] = true;
  for (size_t i = 0; i < kit.count; ++i) CHECK(surface[i] == is_outer(&kit, i));
  free(surface);
  mote_elastic_contact_destroy(set);
  kit_free(&kit);
}

// Clay that was pressed to a quarter of its height has the surface that it had: its neighbourhoods are flat,
// and round in the metric alone.
static void test_pressed(void) {
  static const double stretch[3] = {2.0, 0.25, 2.0};
  elastic_kit kit = cube();
  mote_elastic_contact *rest = contact_of(&kit, kit.body, NULL);
  double *array = kit_array(10 * kit.count);
  mote_elastic_reference reference = {array, array + 3 * kit.count, array + 9 * kit.count};
  for (size_t i = 0; i < kit.count; ++i) {
    for (size_t a = 0; a < 3; ++a) {
      reference.position[3 * i + a] = stretch[a] * kit.rest[3 * i + a];
      reference.metric[6 * i + (a == 0 ? 0 : a == 1 ? 3 : 5)] = 1.0 / stretch[a] - 1.0;
    }
  }
  mote_elastic *pressed = NULL;
  if (CHECK(mote_elastic_create_from_reference(kit.body, &reference, &pressed, NULL) == MOTE_OK)) {
    mote_elastic_contact *set = contact_of(&kit, pressed, reference.metric);
    CHECK(set->surfaces == rest->surfaces);
    for (size_t k = 0; k < set->surfaces; ++k) {
      size_t i = set->surface[k];
      double n[3], m[3];
      CHECK(set->surface[k] == rest->surface[k]);
      CHECK_NEAR(set->flatness[i], rest->flatness[i], 1e-9);
      mote_elastic_contact_normal(set, reference.position, i, n);
      mote_elastic_contact_normal(rest, reference.position, i, m);  // deformed by as much
      CHECK(distance3(n, m) < 1e-9);
    }
    elastic_kit alone = kit;  // what the metric is for
    alone.body = pressed;
    mote_elastic_contact *plain = contact_of(&alone, pressed, NULL);
    CHECK(plain->surfaces < rest->surfaces);
    mote_elastic_contact_destroy(plain);
    mote_elastic_contact_destroy(set);
  }
  mote_elastic_destroy(pressed);
  free(array);
  mote_elastic_contact_destroy(rest);
  kit_free(&kit);
}

// A cut through the middle has two faces, which see each other.
static void test_cut(void) {
  elastic_kit kit = cube();
  mote_elastic *b = kit.body;
  mote_elastic_ends *ends = calloc(b->pairs, sizeof *ends);
  size_t count = 0;
  for (uint32_t i = 0; i < b->count; ++i) {
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      uint32_t j = b->neighbour[k];
      bool across = (row_of(&kit, i, 1) < SIDE / 2) != (row_of(&kit, j, 1) < SIDE / 2);
      if (i < j && across) ends[count++] = (mote_elastic_ends){i, j};
    }
  }
  CHECK(mote_elastic_remove_neighbours(b, ends, count, NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(b, NULL, 0, MOTE_ELASTIC_KEEP_VOLUMES, NULL) == MOTE_OK);
  mote_elastic_contact *set = contact_of(&kit, b, NULL);
  size_t exposed = 0;
  for (size_t k = 0; k < set->surfaces; ++k) {
    size_t i = set->surface[k];
    double n[3];
    if (is_outer(&kit, i)) continue;
    ++exposed;
    mote_elastic_contact_normal(set, kit.rest, i, n);
    CHECK_NEAR(n[1], row_of(&kit, i, 1) < SIDE / 2 ? 1.0 : -1.0, 0.01);  // sides are near
  }
  CHECK(exposed == 2 * (SIDE - 2) * (SIDE - 2));
  // Pressed against each other they touch.
  mote_contact_scene scene = {.dt = 1e-3, .spacing = KIT_SPACING, .dimensions = 3, .threads = 1};
  double *x = kit_array(3 * kit.count);
  memcpy(x, kit.rest, 3 * kit.count * sizeof *x);
  for (size_t i = 0; i < kit.count; ++i)
    x[3 * i + 1] += row_of(&kit, i, 1) < SIDE / 2 ? 0.1 * KIT_SPACING : 0.0;
  CHECK(mote_elastic_contact_find(set, &scene, x, 0.01 * KIT_SPACING, NULL) == MOTE_OK);
  printf("%zu records\n", set->records);
  CHECK(set->records >= 2 * SIDE * SIDE);
  free(x);
  mote_elastic_contact_destroy(set);
  free(ends);
  kit_free(&kit);
}

// A small ball inside of the body, which no particle of the surface touches, is met by the centres of inner
// ones: its energy begins at 0, so that nothing that gets past the surface is found deep in it later.
static void test_inner(void) {
  elastic_kit kit = cube();
  mote_elastic_contact *set = contact_of(&kit, kit.body, NULL);
  const double *middle = kit.rest + 3 * (size_t)(SIDE / 2 * (SIDE * SIDE + SIDE + 1));
  CHECK(!is_outer(&kit, (size_t)(middle - kit.rest) / 3));
  for (int k = 0; k < 4; ++k) {
    double depth = 0.1 * k - 0.05;  // of the particle in the ball, spacings
    mote_shape_def ball = mote_shape_def_sphere(middle[0] + (0.4 - depth) * KIT_SPACING, middle[1], middle[2],
                                                0.4 * KIT_SPACING);
    mote_shape *shape = NULL;
    CHECK(mote_shape_create(&ball, 3, NULL, &shape, NULL) == MOTE_OK);
    mote_obstacle obstacle = mote_obstacle_still(shape);
    mote_contact_scene scene = {.obstacle = &obstacle,
                                .obstacles = 1,
                                .dt = 1e-3,
                                .spacing = KIT_SPACING,
                                .dimensions = 3,
                                .threads = 1};
    CHECK(mote_elastic_contact_find(set, &scene, kit.rest, 0.01 * KIT_SPACING, NULL) == MOTE_OK);
    CHECK(set->records == (k > 0));
    if (k > 0) CHECK_NEAR(set->record[0].gap, -depth * KIT_SPACING, 1e-9);
    mote_shape_destroy(shape);
  }
  mote_elastic_contact_destroy(set);
  kit_free(&kit);
}

int main(void) {
  test_rest();
  test_inner();
  test_pressed();
  test_cut();
  return test_end();
}
