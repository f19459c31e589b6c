// Bodies that wait: what the command brings, what is in its way, whose ids are whose, and its return.
#include <string.h>

#include "steer_kit.h"
#include "test.h"

static const char scene[] =
    "dimensions: 2\n"
    "spacing: 0.05\n"
    "gravity: [0, 0, 0]\n"
    "domain: {low: [0, 0], high: [3, 2], x: wall, y: wall}\n"
    "materials:\n"
    "  wood: {model: rigid, density: 600}\n"
    "  gum: {model: elastic, density: 800, young: 30 kPa}\n"
    "  wax: {model: lattice, density: 800, young: 30 kPa}\n"
    "bodies:\n"
    "  pool: {fill: cubic, shape: {box: {low: [0, 0], high: [3, 0.5]}}}\n"
    "  rock: {material: wood, fixed: true, shape: {box: {low: [0.2, 1], high: [0.5, 1.3]}}}\n"
    "  crate: {material: wood, waits: true, shape: {box: {low: [0.2, 1], high: [0.5, 1.3]}}, spin: [0, 0, "
    "2]}\n"
    "  gel: {material: gum, waits: true, shape: {box: {low: [0.2, 1], high: [0.5, 1.3]}}}\n"
    "  candle: {material: wax, waits: true, shape: {box: {low: [0.2, 1], high: [0.5, 1.3]}}}\n"
    "  drop: {fill: cubic, waits: true, shape: {box: {low: [0.2, 1], high: [0.5, 1.3]}}, velocity: [0, 1]}\n"
    "  last: {material: wood, shape: {box: {low: [2.6, 1], high: [2.8, 1.2]}}}\n"
    "colliders:\n"
    "  post: {shape: {box: {low: [2, 0.8], high: [2.1, 1.9]}}}\n";

static const char *const waiting[] = {"crate", "gel", "candle", "drop"};

static bool there(const mote_world *world, const char *body) {
  return mote_world_find_body(world, body).generation > 0;
}

static bool add(mote_world *world, const char *body, double x, double y) {
  const double move[3] = {x, y, 0};
  mote_error error = {0};
  bool ok = mote_world_add_waiting(world, body, move, NULL, &error) == MOTE_OK;
  if (!ok) fprintf(stderr, "  %s: %s\n", error.key, error.text);
  return ok;
}

static void remove_body(mote_world *world, const char *body) {
  CHECK(mote_world_remove_body(world, mote_world_find_body(world, body), NULL) == MOTE_OK);
}

static mote_body_info about(const mote_world *world, const char *body) {
  mote_body_info info = {0};
  CHECK(mote_world_body_about(world, mote_world_find_body(world, body), &info, NULL) == MOTE_OK);
  return info;
}

// The ids of the particles of a body, in their order.
static size_t ids_of(const mote_world *world, const char *body, uint64_t *out, size_t most) {
  mote_field_view (*const views[3])(const mote_world *, const char *) = {
      mote_world_view, mote_world_elastic_view, mote_world_lattice_view};
  uint32_t label = mote_world_find_body(world, body).index + 1;
  size_t count = 0;
  for (int kind = 0; kind < 3; ++kind) {
    mote_field_view own = views[kind](world, "body"), id = views[kind](world, "id");
    for (size_t i = 0; i < own.count && count < most; ++i)
      if ((uint32_t)mote_field_value(&own, i, 0) == label)
        out[count++] = (uint64_t)mote_field_value(&id, i, 0);
  }
  for (size_t k = 1; k < count; ++k)
    for (size_t i = k; i > 0 && out[i] < out[i - 1]; --i) {
      uint64_t held = out[i];
      out[i] = out[i - 1], out[i - 1] = held;
    }
  return count;
}

// Whenever they come, in whichever order, and again after their removal.
static void test_ids(void) {
  enum { MOST = 64 };
  uint64_t first[4][MOST], again[MOST];
  size_t count[4];
  mote_world *world = steer_kit_world(scene, 1), *other = steer_kit_world(scene, 1);
  for (int k = 0; k < 4; ++k) {
    CHECK(!there(world, waiting[k]));
    CHECK(add(world, waiting[k], 0.1 + 0.35 * k, 0.35));
    CHECK(there(world, waiting[k]));
    count[k] = ids_of(world, waiting[k], first[k], MOST);
    CHECK((count[k] > 0) == (k > 0));
  }
  CHECK(mote_world_find_body(world, "last").index == mote_world_find_body(other, "last").index);
  for (int k = 3; k >= 0; --k) {
    CHECK(mote_world_step(other, 10, NULL) == MOTE_OK);
    CHECK(add(other, waiting[k], 0.1 + 0.35 * k, 0.35));
    CHECK(mote_world_find_body(other, waiting[k]).index == mote_world_find_body(world, waiting[k]).index);
    CHECK(ids_of(other, waiting[k], again, MOST) == count[k]);
    CHECK(memcmp(again, first[k], count[k] * sizeof *again) == 0);
  }
  for (int k = 0; k < 4; ++k) {
    remove_body(other, waiting[k]);
    CHECK(!there(other, waiting[k]));
    CHECK(mote_world_step(other, 10, NULL) == MOTE_OK);
    CHECK(add(other, waiting[k], 0.1 + 0.35 * k, 0.35));
    CHECK(ids_of(other, waiting[k], again, MOST) == count[k]);
    CHECK(memcmp(again, first[k], count[k] * sizeof *again) == 0);
  }
  mote_world_destroy(world);
  mote_world_destroy(other);
}

static void test_place(void) {
  mote_world *world = steer_kit_world(scene, 1);
  const double move[3] = {1, 0.2, 0}, velocity[3] = {0.5, -1, 0};
  for (int k = 0; k < 4; ++k) {
    CHECK(mote_world_add_waiting(world, waiting[k], move, velocity, NULL) == MOTE_OK);
    mote_body_info info = about(world, waiting[k]);
    CHECK_NEAR(info.centre[0], 1.35, 0.01);
    CHECK_NEAR(info.centre[1], 1.35, 0.01);
    for (int a = 0; a < 3; ++a) CHECK_NEAR(info.velocity[a], velocity[a], 1e-6);
    remove_body(world, waiting[k]);
  }
  CHECK(add(world, "drop", 0.4, 0));  // with the velocity of its definition
  CHECK_NEAR(about(world, "drop").velocity[1], 1, 1e-6);
  mote_world_destroy(world);
}

static void refused(mote_world *world, const char *body, double x, double y, const char *words) {
  const double move[3] = {x, y, 0};
  mote_error error = {0};
  uint64_t before = mote_world_hash(world);
  CHECK(mote_world_add_waiting(world, body, move, NULL, &error) == MOTE_ERROR_ARGUMENT);
  if (!CHECK(strstr(error.text, words) != NULL)) fprintf(stderr, "  %s\n", error.text);
  CHECK(mote_world_hash(world) == before);
}

static void test_refusals(void) {
  mote_world *world = steer_kit_world(scene, 1);
  for (int k = 0; k < 4; ++k) {
    refused(world, waiting[k], 0, 0, "would overlap \"rock\"");
    refused(world, waiting[k], 1.7, 0.1, "would overlap post");
    refused(world, waiting[k], 2.6, 0.5, "would overlap the domain's walls");
    refused(world, waiting[k], 2.35, 0.1, "would overlap \"last\"");
    for (int other = 0; other < 3; ++other) {  // liquids are no obstacles
      if (other == k) continue;
      CHECK(add(world, waiting[other], 0.7, 0.1));
      char words[64];
      snprintf(words, sizeof words, "would overlap \"%s\"", waiting[other]);
      refused(world, waiting[k], 0.8, 0.2, words);
      remove_body(world, waiting[other]);
    }
  }
  refused(world, "pool", 0, 0, "does not wait");
  refused(world, "poll", 0, 0, "there is no body \"poll\"; did you mean \"pool\"?");
  CHECK(add(world, "gel", 0.7, 0.1));
  refused(world, "gel", 1.2, 0.1, "is there already");
  mote_world_destroy(world);
}

// Solids and liquids in a pool: what lies in their place is gone, what is beside it stays.
static void test_liquids(void) {
  for (int k = 0; k < 4; ++k) {
    mote_world *world = steer_kit_world(scene, 1);
    mote_body_info before = about(world, "pool");
    CHECK(add(world, waiting[k], 1, -0.9));
    mote_body_info after = about(world, "pool");
    size_t gone = before.particles - after.particles;
    CHECK(gone >= 36 && gone <= 64);  // 6 x 6 spacings, and at most a layer about them
    CHECK(mote_world_step(world, 10, NULL) == MOTE_OK);
    mote_world_destroy(world);
  }
}

static void test_definition(void) {
  const struct {
    const char *more, *words;
  } cases[] = {{"hold: [{shape: {box: {low: [0, 0], high: [0.1, 1]}}}]", "a body with hold cannot wait"},
               {"cracks: [{point: [0.2, 0.2], normal: [1, 0]}]", "a body with cracks cannot wait"}};
  char text[1024];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    mote_error_list errors = {0};
    mote_scene_file *file = NULL;
    snprintf(
        text, sizeof text,
        "dimensions: 2\nspacing: 0.05\nmaterials:\n  gum: {model: elastic, young: 1e5, strength: 1e3}\n"
        "bodies:\n  gel: {material: gum, waits: true, shape: {box: {low: [0, 0], high: [0.4, 0.4]}}, %s}\n",
        cases[k].more);
    mote_scene_source source = {.path = "gel", .text = text, .size = strlen(text)};
    if (!CHECK(mote_scene_open(&source, NULL, &file, &errors) != MOTE_OK)) continue;
    if (!CHECK(strstr(errors.error[0].text, cases[k].words) != NULL))
      fprintf(stderr, "  %s\n", errors.error[0].text);
  }
}

int main(void) {
  test_ids();
  test_place();
  test_refusals();
  test_liquids();
  test_definition();
  return test_end();
}
