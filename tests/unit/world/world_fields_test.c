// The list of fields, rows by ids, the count of changes and the hash at a frame.
#include <mote/steer.h>

#include "test.h"
#include "world_kit.h"

static mote_world *make_world(world_kit *kit) {
  mote_world *world = NULL;
  world_kit_dam(kit, 2, 0.1);
  CHECK(mote_world_create_scene(&kit->scene, NULL, &world, NULL) == MOTE_OK);
  return world;
}

static void fields_are_listed(void) {
  world_kit kit;
  mote_world *world = make_world(&kit);
  mote_field_about about;
  int fluid = 0, all = 0, elastic = 0;
  for (; mote_world_field_at(world, MOTE_KIND_FLUID, fluid, &about); ++fluid) {
    mote_field_view view = mote_world_view(world, about.name);
    CHECK(view.name != NULL && view.type == about.type && view.components == about.components);
    CHECK(strcmp(view.unit, about.unit) == 0 && about.text[0] != '\0');
    CHECK(strcmp(about.name, "temperature") != 0 && strcmp(about.name, "rest") != 0);
  }
  bool rest = false;
  while (mote_world_field_at(world, MOTE_KIND_ELASTIC, elastic, &about))
    rest = rest || strcmp(about.name, "rest") == 0, ++elastic;
  CHECK(rest);
  while (mote_world_field_at(NULL, MOTE_KIND_FLUID, all, &about)) ++all;
  CHECK(fluid > 8 && elastic > 8 && all > fluid + elastic - 8);
  CHECK(!mote_world_field_at(world, MOTE_KIND_RIGID, 0, &about));
  CHECK(!mote_world_field_at(world, MOTE_KIND_FLUID, -1, &about));
  CHECK(!mote_world_field_at(world, MOTE_KINDS, 0, &about));
  CHECK(mote_world_field_at(NULL, MOTE_KIND_FLUID, 0, &about) && strcmp(about.group, "all") == 0);
  mote_world_destroy(world);
}

enum { MOST = 256 };

static void rows_come_by_ids(void) {
  world_kit kit;
  mote_world *world = make_world(&kit);
  CHECK(mote_world_advance(world, 0.3, NULL) == MOTE_OK);
  size_t count = mote_world_particles(world);
  uint64_t ids[MOST];
  float mass[MOST];
  double x[3 * MOST];
  bool found[MOST];
  CHECK(count < MOST - 1);
  for (size_t k = 0; k < count; ++k) ids[k] = count - 1 - k;
  CHECK(mote_world_gather(world, MOTE_KIND_FLUID, "position", ids, count, x, NULL, NULL) == MOTE_OK);
  const uint64_t *id = mote_world_view(world, "id").data;
  const double *position = mote_world_view(world, "position").data;
  bool same = true;
  for (size_t i = 0; i < count; ++i)
    same = same && memcmp(position + 3 * i, x + 3 * (count - 1 - id[i]), 3 * sizeof *x) == 0;
  CHECK(same);
  ids[1] = 1u << 30;
  mote_error error;
  CHECK(mote_world_gather(world, MOTE_KIND_FLUID, "mass", ids, 2, mass, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "ids");
  CHECK(strstr(error.text, "1073741824") != NULL);
  CHECK(mote_world_gather(world, MOTE_KIND_FLUID, "mass", ids, 2, mass, found, NULL) == MOTE_OK);
  CHECK(found[0] && !found[1] && mass[0] > 0.0f && mass[1] == 0.0f);
  CHECK(mote_world_gather(world, MOTE_KIND_FLUID, "weight", ids, 1, mass, NULL, &error) ==
        MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "field");
  CHECK(mote_world_gather(world, MOTE_KIND_RIGID, "mass", ids, 1, mass, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "kind");
  CHECK(mote_world_gather(world, MOTE_KIND_ELASTIC, "mass", ids, 1, mass, NULL, &error) ==
        MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_gather(NULL, MOTE_KIND_FLUID, "mass", ids, 1, mass, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  mote_world_destroy(world);
}

// A jet into a drain: few of the ids that were given are there.
static void rows_come_by_sparse_ids(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.05);
  kit.drain[0].shape = mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.5, 1.0);
  mote_world *world;
  CHECK(mote_world_create_scene(&kit.scene, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 2.0, NULL) == MOTE_OK);
  mote_field_view id = mote_world_view(world, "id"), mass = mote_world_view(world, "mass");
  CHECK(id.count > 0 && id.count < MOST);
  float out[MOST] = {0.0f};
  bool found[MOST], same = true;
  uint64_t gone = 0;
  CHECK(mote_world_gather(world, MOTE_KIND_FLUID, "mass", id.data, id.count, out, NULL, NULL) == MOTE_OK);
  for (size_t k = 0; k < id.count; ++k) same = same && out[k] == ((const float *)mass.data)[k];
  CHECK(same);
  CHECK(mote_world_gather(world, MOTE_KIND_FLUID, "mass", &gone, 1, out, found, NULL) == MOTE_OK);
  CHECK(!found[0]);
  mote_world_destroy(world);
}

static void changes_are_counted(void) {
  world_kit kit;
  mote_world *world = make_world(&kit);
  uint64_t before = mote_world_generation(world);
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(mote_world_generation(world) == before);
  CHECK(mote_world_step(world, 0.1, NULL) == MOTE_OK);
  CHECK(mote_world_generation(world) > before);
  before = mote_world_generation(world);
  double g[3] = {0.0, -1.0, 0.0}, up[3] = {0.0, 1.0, 0.0};
  uint64_t id = 3;
  CHECK(mote_world_set_gravity(world, g, NULL) == MOTE_OK);
  CHECK(mote_world_set_field(world, "velocity", &id, up, 1, NULL) == MOTE_OK);
  CHECK(mote_world_generation(world) > before);
  before = mote_world_generation(world);
  CHECK(mote_world_set_field(world, "velocity", &id, up, 0, NULL) != MOTE_OK);
  CHECK(mote_world_generation(world) == before);
  CHECK(mote_world_begin_frame(world, NULL) == MOTE_OK);
  CHECK(mote_world_generation(world) > before);
  mote_world_destroy(world);
}

static void hash_is_of_the_frame(void) {
  world_kit kit;
  mote_world *a = make_world(&kit), *b = make_world(&kit);
  uint64_t first, second;
  for (int frame = 1; frame < 4; ++frame) {
    CHECK(mote_world_advance(a, 0.05 * frame, NULL) == MOTE_OK);
    CHECK(mote_world_advance(b, 0.05 * frame, NULL) == MOTE_OK);
    CHECK(mote_world_begin_frame(a, NULL) == MOTE_OK);
    CHECK(mote_world_frame_hash(b, &first, NULL) == MOTE_OK);
    CHECK(first == mote_world_hash(a));
    CHECK(mote_world_frame_hash(b, &second, NULL) == MOTE_OK && second == first);
  }
  CHECK(mote_world_step(b, 1.0, NULL) == MOTE_OK && mote_world_time(b) < 1.0);
  uint64_t within = mote_world_hash(b);
  CHECK(mote_world_frame_hash(b, &second, NULL) == MOTE_OK && second == within);
  CHECK(mote_world_frame_hash(NULL, &second, NULL) == MOTE_ERROR_ARGUMENT);
  mote_world_destroy(a);
  mote_world_destroy(b);
}

int main(void) {
  fields_are_listed();
  rows_come_by_ids();
  rows_come_by_sparse_ids();
  changes_are_counted();
  hash_is_of_the_frame();
  return test_end();
}
