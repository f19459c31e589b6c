// Reading scenes: the tree becomes definitions, units become SI, and the flattened text reads back the same.
#include <math.h>
#include <mote/io.h>
#include <stdlib.h>

#include "test.h"

static mote_scene_file *parse(const char *text) {
  mote_scene_file *file = NULL;
  mote_error error = {0};
  if (mote_scene_parse(text, strlen(text), "test.yaml", NULL, 0, NULL, &file, &error) != MOTE_OK)
    fprintf(stderr, "%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
  return file;
}

static const char dam[] =
    "# A dam breaks.\n"
    "title: Dam break\n"
    "spacing: 2 cm\n"
    "duration: 1500 ms\n"
    "domain: {low: [0, 0, 0], high: [1.5, 1, 0.5], x: wall, y: [wall, open], z: wall, friction: 0.5}\n"
    "bodies:\n"
    "  dam:\n"
    "    material: water\n"
    "    shape: {box: {low: [0, 0, 0], high: [0.5, 0.75, 50 cm]}}\n"
    "    velocity: [\"-100*x\", 10 km/h, 0]\n"
    "    spin: [0, 60 rpm, 0]\n";

static void test_dam(void) {
  mote_scene_file *file = parse(dam);
  if (!CHECK(file != NULL)) return;
  const mote_scene *scene = mote_scene_file_scene(file);
  CHECK_TEXT(scene->title, "Dam break");
  CHECK(scene->world.spacing == 0.02 && scene->duration == 1.5 && scene->fps == 25);
  CHECK(scene->world.high[0] == 1.5 && scene->world.high[1] == 1);
  CHECK(scene->world.side[0][0] == MOTE_SIDE_WALL && scene->world.side[0][1] == MOTE_SIDE_WALL);
  CHECK(scene->world.side[1][0] == MOTE_SIDE_WALL && scene->world.side[1][1] == MOTE_SIDE_OPEN);
  CHECK(scene->world.wall_friction == 0.5);
  CHECK(scene->bodies == 1 && scene->materials == 1);
  const mote_body_def *body = scene->body;
  CHECK_TEXT(body->name, "dam");
  CHECK_TEXT(body->material, "water");
  CHECK_TEXT(scene->material[0].name, "water");
  CHECK(body->shape.kind == MOTE_SHAPE_BOX && body->shape.high[2] == 0.5);
  CHECK_TEXT(body->velocity.x.formula, "-100*x");
  CHECK(body->velocity.y.formula == NULL);
  CHECK_NEAR(body->velocity.y.constant, 10 / 3.6, 1e-15);
  CHECK_NEAR(body->spin[1], 2 * acos(-1.0), 1e-15);
  mote_scene_file_destroy(file);
}

// What is printed reads back to the same text and hash.
static void test_round_trip(void) {
  mote_scene_file *file = parse(dam);
  if (!CHECK(file != NULL)) return;
  size_t size;
  const char *text = mote_scene_file_text(file, &size);
  CHECK(strlen(text) == size);
  mote_scene_file *again = parse(text);
  if (CHECK(again != NULL)) {
    CHECK_TEXT(mote_scene_file_text(again, NULL), text);
    CHECK(mote_scene_file_hash(again) == mote_scene_file_hash(file));
    CHECK(mote_scene_differences(file, again, NULL, NULL) == 0);
  }
  mote_scene_file_destroy(again);
  mote_scene_file_destroy(file);
}

int main(void) {
  test_dam();
  test_round_trip();
  return test_end();
}
