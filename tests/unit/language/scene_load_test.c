// Scenes of several files, and changes on the command line.
#define _POSIX_C_SOURCE 200809L
#include "scene_kit.h"

static mote_scene_file *read_scene(const char *name, const char *const *set, size_t sets) {
  mote_scene_file *file = NULL;
  mote_error error = {0};
  if (mote_scene_read(kit_path(name), set, sets, NULL, &file, &error) != MOTE_OK)
    fprintf(stderr, "%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
  return file;
}

static void write_files(void) {
  mkdir(kit_path("parts"), 0700);
  kit_write(
      "base.yaml",
      "title: base\nspacing: 0.1\nduration: 3\n"
      "domain: {low: [0, 0, 0], high: [1, 1, 1], friction: 0.5}\n"
      "bodies:\n  dam: {fill: relaxed, shape: {box: {low: [0, 0, 0], high: [1, 1, 1]}, move: [1, 0, 0]}}\n"
      "  drop: {shape: {sphere: {centre: [0, 2, 0], radius: 1}}}\n");
  kit_write("over.yaml",
            "extends: base.yaml\nspacing: 0.2\nduration: null\n"
            "domain: {friction: 0.25}\n"
            "bodies:\n  dam: {shape: {sphere: {centre: [0, 0, 0], radius: 2}}}\n  drop: null\n"
            "  last: {include: parts/body.yaml, fill: hexagonal}\n");
  kit_write("parts/body.yaml", "include: deeper.yaml\nmaterial: oil\nfill: relaxed\n");
  kit_write("parts/deeper.yaml", "material: honey\nshape: {sphere: {centre: [1, 1, 1], radius: 3}}\n");
  kit_write("list.yaml", "include: [one.yaml, two.yaml]\nspacing: 1\n");
  kit_write("one.yaml", "fps: 10\nduration: 1\n");
  kit_write("two.yaml", "fps: 20\n");
}

static void test_extends(void) {
  mote_scene_file *file = read_scene("over.yaml", NULL, 0);
  if (!CHECK(file != NULL)) return;
  const mote_scene *scene = mote_scene_file_scene(file);
  CHECK_TEXT(scene->title, "base");
  CHECK(scene->world.spacing == 0.2);
  CHECK(scene->duration == 2);  // null: the default again
  CHECK(scene->world.high[2] == 1 && scene->world.wall_friction == 0.25);
  CHECK(scene->bodies == 2);
  CHECK_TEXT(scene->body[0].name, "dam");
  CHECK(scene->body[0].fill == MOTE_FILL_RELAXED);
  CHECK(scene->body[0].shape.kind == MOTE_SHAPE_SPHERE && scene->body[0].shape.radius == 2);
  CHECK(scene->body[0].shape.move[0] == 0);  // another kind: the whole shape
  CHECK_TEXT(scene->body[1].name, "last");
  CHECK_TEXT(scene->body[1].material, "oil");
  CHECK(scene->body[1].shape.radius == 3 && scene->body[1].fill == MOTE_FILL_HEXAGONAL);
  mote_scene_file *again = NULL;
  size_t size;
  const char *text = mote_scene_file_text(file, &size);
  CHECK(mote_scene_parse(text, size, "flat", NULL, 0, NULL, &again, NULL) == MOTE_OK);
  CHECK(mote_scene_file_hash(again) == mote_scene_file_hash(file));
  mote_scene_file_destroy(again);
  mote_scene_file_destroy(file);
}

static void test_list(void) {
  mote_scene_file *file = read_scene("list.yaml", NULL, 0);
  if (!CHECK(file != NULL)) return;
  CHECK(mote_scene_file_scene(file)->fps == 20 && mote_scene_file_scene(file)->duration == 1);
  mote_scene_file_destroy(file);
}

static void test_anchors(void) {
  static const char text[] =
      "spacing: 1\n"
      "bodies:\n"
      "  a: &a {fill: relaxed, shape: &s {sphere: {centre: [0, 0, 0], radius: 1}}}\n"
      "  b: {<<: *a, shape: {move: [5, 0, 0]}}\n"
      "  c: {<<: [{fill: hexagonal}, *a], material: oil}\n"
      "  d: {shape: *s}\n";
  mote_scene_file *file = NULL;
  if (!CHECK(mote_scene_parse(text, strlen(text), "memory", NULL, 0, NULL, &file, NULL) == MOTE_OK)) return;
  const mote_body_def *body = mote_scene_file_scene(file)->body;
  CHECK(body[1].fill == MOTE_FILL_RELAXED && body[1].shape.radius == 1 && body[1].shape.move[0] == 5);
  CHECK(body[0].shape.move[0] == 0);
  CHECK(body[2].fill == MOTE_FILL_HEXAGONAL && body[2].shape.radius == 1);
  CHECK(body[3].shape.kind == MOTE_SHAPE_SPHERE);
  mote_scene_file_destroy(file);
}

static void test_set(void) {
  static const char *const set[] = {"spacing=3 cm",
                                    "domain.high[1]=7",
                                    "domain.high.0=8",
                                    "bodies.drop.fill=hexagonal",
                                    "solver.support=2.5",
                                    "bodies.dam.shape.box.low=[-1, 0, 0]",
                                    "title=",
                                    "track=true",
                                    "track.waves=yes",
                                    "track.waves.damping=3",
                                    "bodies.new={shape: {sphere: {centre: [9, 9, 9], radius: 1}}}",
                                    "bodies.dam.shape.move=null"};
  mote_scene_file *file = read_scene("base.yaml", set, sizeof set / sizeof *set);
  if (!CHECK(file != NULL)) return;
  const mote_scene *scene = mote_scene_file_scene(file);
  CHECK(scene->world.spacing == 0.03 && scene->world.high[0] == 8 && scene->world.high[1] == 7 &&
        scene->world.solver.support == 2.5);
  CHECK(scene->body[1].fill == MOTE_FILL_HEXAGONAL && scene->body[0].shape.low[0] == -1);
  CHECK(scene->body[0].shape.move[0] == 0);
  CHECK(scene->bodies == 3 && scene->body[2].shape.centre[0] == 9);
  CHECK_TEXT(scene->title, "");
  CHECK(scene->world.track.on && scene->world.track.waves.on && scene->world.track.waves.def.damping == 3);
  mote_scene_file_destroy(file);
}

static void test_set_messages(void) {
  static const struct {
    const char *set, *message;
  } table[] = {
      {"spacing", "--set spacing: KEY=VALUE is expected, e.g. bodies.dam.fill=relaxed"},
      {"=3", "--set : KEY=VALUE is expected, e.g. bodies.dam.fill=relaxed"},
      {"spacign=3", "--set spacign: unknown key \"spacign\" in the scene; did you mean \"spacing\"?"},
      {"bodies.dma.fill=cubic",
       "--set bodies.dma.fill: there is no \"dma\" in bodies; did you mean \"dam\"?"},
      {"bodies.dam.fil=cubic",
       "--set bodies.dam.fil: unknown key \"fil\" in body \"dam\"; did you mean \"fill\"?"},
      {"bodies.dam.fill=cubik",
       "--set bodies.dam.fill: \"fill\" must be one of cubic, hexagonal, relaxed, auto, but is \"cubik\"; "
       "did you "
       "mean "
       "\"cubic\"?"},
      {"spacing=2 kg",
       "--set spacing: \"spacing\" must have a unit of length (m, km, cm, mm, um, nm, in, ft), but \"kg\" is "
       "not "
       "known"},
      {"domain.high.7=1",
       "--set domain.high.7: \"7\" is no element of the list: they are numbered from 0 to 2"},
      {"domain.high[7]=1",
       "--set domain.high[7]: \"7\" is no element of the list: they are numbered from 0 to 2"},
      {"domain.high[x]=1",
       "--set domain.high[x]: unknown key \"high[x]\" in domain; there are low, high, x, y, z, friction, "
       "friction_low, friction_high, surface_velocity, temperature, air"},
      {"spacing.x=1", "--set spacing.x: \"x\" cannot be in \"0.1\", which is no mapping"},
      {"bodies..x=1", "--set bodies..x: a key is empty, or there are too many"},
      {"title=[",
       "--set title: not YAML: did not find expected node content while parsing a flow node (line 2)"},
      {"spacing=null", "base.yaml:1:1: \"spacing\" is missing in the scene"},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    mote_scene_file *file = NULL;
    mote_error error = {0};
    char message[1024];
    CHECK(mote_scene_read(kit_path("base.yaml"), &table[k].set, 1, NULL, &file, &error) == MOTE_ERROR_FORMAT);
    const char *name = strncmp(error.file, kit_folder, strlen(kit_folder)) == 0
                           ? error.file + strlen(kit_folder) + 1
                           : error.file;
    if (error.line > 0)
      snprintf(message, sizeof message, "%s:%d:%d: %s", name, error.line, error.column, error.text);
    else
      snprintf(message, sizeof message, "%s: %s", name, error.text);
    if (!CHECK_TEXT(message, table[k].message)) fprintf(stderr, "  %s\n", message);
    mote_scene_file_destroy(file);
  }
}

static void test_missing(void) {
  mote_scene_file *file = NULL;
  mote_error error = {0};
  CHECK(mote_scene_read(kit_path("nowhere.yaml"), NULL, 0, NULL, &file, &error) == MOTE_ERROR_FILE);
  CHECK(strstr(error.file, "nowhere.yaml") != NULL && file == NULL);
  CHECK(mote_scene_read(NULL, NULL, 0, NULL, &file, &error) == MOTE_ERROR_ARGUMENT);
  static const char including[] = "include: base.yaml\n";
  CHECK(mote_scene_parse(including, strlen(including), "memory", NULL, 0, NULL, &file, &error) ==
        MOTE_ERROR_FORMAT);
  CHECK(mote_scene_parse(including, strlen(including), kit_path("memory"), NULL, 0, NULL, &file, &error) ==
        MOTE_OK);
  mote_scene_file_destroy(file);
}

int main(void) {
  static const char *const names[] = {"base.yaml", "over.yaml", "parts/body.yaml", "parts/deeper.yaml",
                                      "list.yaml", "one.yaml",  "two.yaml",        "parts"};
  if (!kit_enter_folder()) return test_end();
  write_files();
  test_extends();
  test_list();
  test_anchors();
  test_set();
  test_set_messages();
  test_missing();
  kit_starve(kit_path("over.yaml"), NULL);
  kit_leave_folder(names, sizeof names / sizeof *names);
  return test_end();
}
