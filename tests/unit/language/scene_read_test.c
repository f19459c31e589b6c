// Reading scenes: the tree becomes definitions, units become SI, and the flattened text reads back the same.
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "scene_kit.h"

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

// The quality decides what other keys start from, wherever it stands.
static void test_quality(void) {
  const char *texts[] = {"spacing: 1\nsolver: {quality: fast, support: 2.5, density_error: 0.01}\n",
                         "spacing: 1\nsolver: {support: 2.5, density_error: 0.01, quality: fast}\n"};
  for (int k = 0; k < 2; ++k) {
    mote_scene_file *file = parse(texts[k]);
    if (!CHECK(file != NULL)) return;
    const mote_solver_def *s = &mote_scene_file_scene(file)->world.solver;
    CHECK(s->quality == MOTE_QUALITY_FAST && s->kernel == MOTE_KERNEL_CUBIC_SPLINE && !s->consistent);
    CHECK(s->support == 2.5 && s->density_error == 0.01 && s->noise_damping == 0.0);
    mote_scene_file_destroy(file);
  }
  mote_scene_file *plain = parse("spacing: 1\n"),
                  *standard = parse("spacing: 1\nsolver: {quality: standard}\n");
  if (CHECK(plain != NULL && standard != NULL)) {
    const mote_solver_def *a = &mote_scene_file_scene(plain)->world.solver;
    const mote_solver_def *b = &mote_scene_file_scene(standard)->world.solver;
    CHECK(a->kernel == b->kernel && a->support == b->support && a->consistent == b->consistent);
  }
  mote_scene_file_destroy(plain), mote_scene_file_destroy(standard);
}

// A quality that a change of the scene names gives way to keys that stand in the file.
static void test_quality_set(void) {
  const char text[] = "spacing: 1\nsolver: {support: 2.5}\n", *set = "solver.quality=accurate";
  mote_scene_file *file = NULL;
  CHECK(mote_scene_parse(text, strlen(text), "test.yaml", &set, 1, NULL, &file, NULL) == MOTE_OK);
  const mote_solver_def *s = &mote_scene_file_scene(file)->world.solver;
  CHECK(s->quality == MOTE_QUALITY_ACCURATE && s->support == 2.5 && s->cfl == 0.2);
  mote_scene_file_destroy(file);
}

static void test_quality_unknown(void) {
  const char text[] = "spacing: 1\nsolver:\n  support: 2.5\n  quality: quick\n";
  mote_scene_file *file = NULL;
  mote_error error = {0};
  CHECK(mote_scene_parse(text, strlen(text), "test.yaml", NULL, 0, NULL, &file, &error) == MOTE_ERROR_FORMAT);
  CHECK(file == NULL && error.line == 4 && error.column == 12);
  CHECK(strstr(error.text, "fast, standard, accurate") != NULL);
}

// A tracked surface is written unless the scene says otherwise.
static void test_tracked_is_written(void) {
  const struct {
    const char *text;
    bool on;
    mote_surface_method method;
  } cases[] = {{"spacing: 1\ntrack: true\n", true, MOTE_SURFACE_TRACKED},
               {"spacing: 1\ntrack: true\noutputs: {preview: false}\n", true, MOTE_SURFACE_TRACKED},
               {"spacing: 1\ntrack: true\noutputs: {surface: false}\n", false, MOTE_SURFACE_ANISOTROPIC},
               {"spacing: 1\ntrack: true\noutputs: {surface: true}\n", true, MOTE_SURFACE_ANISOTROPIC},
               {"spacing: 1\n", false, MOTE_SURFACE_ANISOTROPIC}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    mote_scene_file *file = parse(cases[k].text);
    if (!CHECK(file != NULL)) continue;
    const mote_surface_output_def *surface = &mote_scene_file_scene(file)->outputs.surface;
    CHECK(surface->on == cases[k].on && surface->def.method == cases[k].method);
    mote_scene_file_destroy(file);
  }
}

// Everything there is, in 2D and as JSON would have it.
static const char full[] =
    "{\"mote\": 1, \"dimensions\": 2, \"spacing\": 0.1, \"gravity\": 9.81, \"seed\": 9007199254740993,\n"
    " \"particles_max\": 1e6, \"speed_limit\": \"auto\", \"fps\": \"30 fps\",\n"
    " \"domain\": {\"low\": [0, 0], \"high\": [\"inf\", 2], \"x\": \"open\"},\n"
    " \"materials\": {\"goo\": {\"preset\": \"honey\", \"density\": \"1.1 g/cm3\", \"colour\": \"#ff8000\"}, "
    "\"oil\": {}},\n"
    " \"bodies\": {\"a\": {\"material\": \"goo\", \"velocity\": [\"x > 1 ? y : 0\", 2], \"shape\": "
    "{\"union\": [\n"
    "   {\"sphere\": {\"centre\": [0, 1], \"radius\": 2}}, {\"box\": {\"centre\": [1, 1], \"size\": [2, "
    "4]},\n"
    "   \"rotate\": {\"angle\": \"90 deg\", \"about\": [1, 2]}}]}},\n"
    "  \"b\": {\"material\": \"milk\", \"shape\": {\"figure\": {\"centre\": [5, 5], \"size\": 3}}}},\n"
    " \"colliders\": {\"wheel\": {\"visible\": false, \"colour\": \"red\", \"friction\": 1,\n"
    "   \"shape\": {\"torus\": {\"centre\": [0, 0], \"axis\": [0, 0, 1], \"radius\": 3, \"thickness\": 1}, "
    "\"inverted\": true},\n"
    "   \"motion\": {\"angle\": \"90*deg*t\", \"pivot\": [0, 0]}},\n"
    "  \"gate\": {\"shape\": {\"half_space\": {\"point\": [0, 0], \"normal\": [0, 1]}},\n"
    "   \"motion\": {\"keys\": [{\"time\": 0}, {\"time\": 1, \"move\": [0, 2], \"angle\": 1}]}}},\n"
    " \"emitters\": {\"tap\": {\"centre\": [1, 1], \"size\": [1, 2], \"speed\": \"min(t, 2)\", \"end\": 5, "
    "\"most\": 100}},\n"
    " \"drains\": {\"hole\": {\"shape\": {\"capsule\": {\"from\": [0, 0], \"to\": [1, 0], \"radius\": 1}}, "
    "\"start\": 1}},\n"
    " \"forces\": {\"wind\": {\"acceleration\": [\"sin(t)\", \"1 g\"]}},\n"
    " \"probes\": {\"p\": {\"kind\": \"line\", \"from\": [0, 0], \"to\": [1, 0], \"count\": 7}},\n"
    " \"outputs\": {\"formats\": [\"ply\", \"csv\"], \"fields\": [\"velocity\"], \"size\": [640, 480], "
    "\"range\": [0, 5],\n"
    "   \"camera\": {\"from\": [0, 0, 5], \"angle\": \"45 deg\"}},\n"
    " \"solver\": {\"pressure\": \"wcsph\", \"kernel\": \"wendland-c2\", \"stiffness\": \"2 kPa\"}}\n";

static void check_things(const mote_scene *s) {
  CHECK(s->materials == 4 && s->material[0].density == 1100 && s->material[0].viscosity == 10);
  CHECK(s->material[0].colour[0] == 1 && s->material[0].colour[2] == 0);
  CHECK(s->material[1].density == 911);  // an entry called like a preset is that preset
  CHECK_TEXT(s->material[0].preset, "honey");
  CHECK_TEXT(s->material[1].preset, "oil");
  CHECK_TEXT(s->material[2].name, "milk");
  const mote_shape_def *shape = &s->body[0].shape;
  CHECK(shape->kind == MOTE_SHAPE_UNION && shape->parts == 2 && shape->part[0].radius == 2);
  CHECK(shape->part[1].low[1] == -1 && shape->part[1].high[0] == 2);
  CHECK_NEAR(shape->part[1].angle, acos(0.0), 1e-15);
  CHECK(shape->part[1].pivot[1] == 2 && shape->part[1].pivot[2] == 0);
  CHECK(s->body[1].shape.kind == MOTE_SHAPE_FIGURE && s->body[1].shape.radius == 1.5);
  const mote_collider_def *wheel = &s->collider[0], *gate = &s->collider[1];
  CHECK(!wheel->visible && wheel->shape.inverted && wheel->shape.normal[2] == 1);
  CHECK_TEXT(wheel->motion.angle.formula, "90*deg*t");
  CHECK(wheel->motion.pivot[2] == 0);
  CHECK(gate->motion.keys == 2 && gate->motion.key[1].move[1] == 2 && gate->motion.key[1].angle == 1);
}

static void check_rest(const mote_scene *s) {
  CHECK(s->emitter->size[1] == 2 && s->emitter->end == 5 && s->emitter->most == 100 &&
        isnan(s->emitter->radius));
  CHECK_TEXT(s->emitter->material, "water");
  CHECK(s->drain->shape.to[0] == 1 && s->drain->start == 1 && isinf(s->drain->end));
  CHECK(s->force->acceleration.y.constant == 9.80665 && s->force->shape.kind == MOTE_SHAPE_NONE);
  CHECK(s->probe->kind == MOTE_PROBE_LINE && s->probe->count == 7);
  CHECK(s->outputs.formats == 2 && s->outputs.fields == 1 && s->outputs.height == 480 &&
        s->outputs.colour_high == 5);
  CHECK_TEXT(s->outputs.format[1], "csv");
  CHECK(isnan(s->outputs.camera.to[0]) && s->outputs.camera.from[2] == 5);
  CHECK(s->world.solver.pressure == MOTE_PRESSURE_WCSPH && s->world.solver.kernel == MOTE_KERNEL_WENDLAND_C2);
  CHECK(s->world.solver.stiffness == 2000);
}

static void test_full(void) {
  mote_scene_file *file = parse(full);
  if (!CHECK(file != NULL)) return;
  const mote_scene *scene = mote_scene_file_scene(file);
  CHECK(scene->world.dimensions == 2 && scene->world.gravity[1] == -9.81 && scene->world.gravity[0] == 0);
  CHECK(scene->world.seed == 9007199254740993u && scene->world.particles_max == 1000000);
  CHECK(isnan(scene->world.speed_limit) && scene->fps == 30);
  CHECK(isinf(scene->world.high[0]) && scene->world.high[1] == 2 && isinf(scene->world.high[2]));
  check_things(scene);
  check_rest(scene);
  mote_scene_file *again = parse(mote_scene_file_text(file, NULL));
  if (CHECK(again != NULL)) {
    CHECK_TEXT(mote_scene_file_text(again, NULL), mote_scene_file_text(file, NULL));
    CHECK(mote_scene_file_hash(again) == mote_scene_file_hash(file));
    check_things(mote_scene_file_scene(again));
    check_rest(mote_scene_file_scene(again));
  }
  mote_scene_file_destroy(again);
  mote_scene_file_destroy(file);
}

// --- Hashes and differences -------------------------------------------------------------------------------

static void note(void *user, const char *key, const char *a, const char *b) {
  char *out = user;
  size_t used = strlen(out);
  snprintf(out + used, 1024 - used, "%s: %s, %s\n", key, a, b);
}

static void test_differences(void) {
  static const char base[] =
      "spacing: 0.1\nbodies: {a: {fill: cubic, shape: {sphere: {centre: [0, 0, 0], radius: 1}}},"
      " b: {shape: {sphere: {centre: [3, 0, 0], radius: 1}}}}\n";
  static const struct {
    const char *other, *told;
  } table[] = {
      // The same: order of keys, units, comments, what only looks different.
      {"bodies: {a: {shape: {sphere: {radius: 100 cm, centre: [0, 0 m, 0]}}, fill: cubic},"
       " b: {shape: {sphere: {centre: [3, 0, 0], radius: 1}}}}\nspacing: 10 cm # here\ntitle: x\nduration: "
       "9\n"
       "outputs: {every: 3}\n",
       ""},
      {"spacing: 0.2\nbodies: {a: {shape: {sphere: {centre: [0, 0, 1], radius: 1}}},"
       " c: {shape: {sphere: {centre: [3, 0, 0], radius: 1}}}}\n",
       "spacing: 0.1, 0.2\n"
       "bodies.a.shape.sphere.centre: [0, 0, 0], [0, 0, 1]\n"
       "bodies.a.fill: cubic, (none)\n"
       "bodies.b: {shape: {sphere: {centre: [3, 0, 0], radius: 1}}}, (none)\n"
       "bodies.c: (none), {shape: {sphere: {centre: [3, 0, 0], radius: 1}}}\n"},
      {"spacing: 0.1\nbodies: {b: {shape: {sphere: {centre: [3, 0, 0], radius: 1}}},"
       " a: {fill: cubic, shape: {sphere: {centre: [0, 0, 0], radius: 1}}}}\n",
       "bodies: in this order, in another order\n"},
  };
  mote_scene_file *a = parse(base);
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    mote_scene_file *b = parse(table[k].other);
    if (!CHECK(b != NULL)) continue;
    char told[1024] = "";
    size_t count = mote_scene_differences(a, b, note, told), lines = 0;
    for (const char *c = told; *c != 0; ++c) lines += *c == '\n';
    CHECK(lines == count);
    if (!CHECK_TEXT(told, table[k].told)) fprintf(stderr, "%s", told);
    CHECK((mote_scene_file_hash(a) == mote_scene_file_hash(b)) == (count == 0));
    mote_scene_file_destroy(b);
  }
  mote_scene_file_destroy(a);
}

// --- Places -----------------------------------------------------------------------------------------------

static void test_locate(void) {
  static const char text[] =
      "spacing: 0.1\n"                                                    // 1
      "domain:\n  low: [0, 0, 0]\n  friction: 1\n"                        // 2
      "bodies:\n"                                                         // 5
      "  a:\n    shape:\n      box: {low: [0, 0, 0], high: [1, 1, 1]}\n"  // 6
      "      rotate: {angle: 1}\n"                                        // 9
      "  b:\n    shape: {union: [{sphere: {centre: [0, 0, 0], radius: 1}},\n"
      "                    {sphere: {centre: [0, 0, 0], radius: 2}}]}\n";
  static const struct {
    const char *key;
    int line, column;
  } table[] = {
      {"spacing", 1, 10},
      {"domain.friction", 4, 13},
      {"domain.low", 3, 8},
      {"domain.high", 2, 1},
      {"bodies.a.shape.high", 8, 35},
      {"bodies.a.shape.angle", 9, 23},
      {"bodies.a.shape.axis", 9, 7},
      {"bodies.b.shape.part[1].radius", 12, 58},
      {"bodies.b.fill", 10, 3},
      {"", 1, 1},
  };
  mote_scene_file *file = parse(text);
  if (!CHECK(file != NULL)) return;
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    mote_error error = {.code = MOTE_ERROR_ARGUMENT, .text = "wrong"};
    snprintf(error.key, sizeof error.key, "%s", table[k].key);
    mote_scene_file_locate(file, &error);
    if (!CHECK(error.line == table[k].line && error.column == table[k].column))
      fprintf(stderr, "  %s: %d:%d\n", table[k].key, error.line, error.column);
    CHECK_TEXT(error.file, "test.yaml");
  }
  mote_scene_file_destroy(file);
}

// Rigid matter by its name, and by `preset`; another model makes other matter of it, which starts from water.
static void test_rigid_presets(void) {
  static const char text[] =
      "spacing: 0.1\nmaterials:\n  steel: {density: 7000}\n  wood: {model: rigid}\n"
      "  stone: {model: elastic, young: 1e6}\n  pebble: {preset: stone}\n  wax: {model: lattice, young: "
      "1e5}\n"
      "bodies: {b: {material: glass, shape: {sphere: {centre: [0, 0, 0], radius: 1}}}}\n";
  mote_scene_file *file = NULL;
  if (!CHECK(mote_scene_parse(text, strlen(text), "test.yaml", NULL, 0, NULL, &file, NULL) == MOTE_OK))
    return;
  const mote_material_def *m = mote_scene_file_scene(file)->material, water = mote_material_def_default();
  mote_material_def steel, stone, wax;
  CHECK(mote_material_def_preset("steel", &steel) && mote_material_def_preset("stone", &stone) &&
        mote_material_def_preset("wax", &wax));
  CHECK(m[0].model == MOTE_KIND_RIGID && m[0].density == 7000 && m[0].restitution == steel.restitution);
  CHECK(m[1].model == MOTE_KIND_RIGID && m[1].density < 1000);
  CHECK(m[2].model == MOTE_KIND_ELASTIC && m[2].density == water.density && m[2].friction == water.friction);
  CHECK(m[3].model == MOTE_KIND_RIGID && m[3].density == stone.density && m[3].friction == stone.friction);
  CHECK(m[4].model == MOTE_KIND_LATTICE && m[4].heat.melting_point == wax.heat.melting_point);
  CHECK(m[5].model == MOTE_KIND_RIGID && strcmp(m[5].name, "glass") == 0);
  mote_scene_file_destroy(file);
}

int main(void) {
  test_rigid_presets();
  test_dam();
  test_round_trip();
  test_quality();
  test_quality_set();
  test_quality_unknown();
  test_tracked_is_written();
  test_full();
  test_differences();
  test_locate();
  kit_starve("memory", full);
  mote_scene_file_destroy(NULL);
  return test_end();
}
