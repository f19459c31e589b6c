// The table of keys: complete sentences, defaults that are those of the definitions, and docs/scene.md and
// docs/deforming.md, whose tables are written from it. MOTE_WRITE_DOCS=1 writes them anew.
#include <math.h>
#include <mote/io.h>
#include <stdlib.h>

#include "language/scene_units.h"
#include "test.h"

static const char marker[] = "<!-- tables: written by tests/unit/language/scene_table_test.c -->\n";

// Everything once, so that every key has a place.
static const char everything[] =
    "spacing: 1\n"
    "materials: {plain: {}}\n"
    "bodies: {b: {shape: {sphere: {centre: [0, 0, 0], radius: 9}}}}\n"
    "colliders:\n"
    "  c: {shape: {sphere: {centre: [0, 0, 0], radius: 9}}}\n"
    "  k: {shape: {sphere: {centre: [0, 0, 0], radius: 9}}, motion: {keys: [{time: 0}]}}\n"
    "emitters: {e: {centre: [0, 0, 0]}}\n"
    "drains: {d: {shape: {sphere: {centre: [0, 0, 0], radius: 9}}}}\n"
    "forces: {f: {acceleration: [0, 0, 0]}}\n"
    "probes: {p: {from: [0, 0, 0]}}\n";

static mote_scene_file *read(const char *set) {
  mote_scene_file *file = NULL;
  mote_error error = {0};
  mote_result result =
      mote_scene_parse(everything, strlen(everything), "test", &set, set != NULL, NULL, &file, &error);
  if (result != MOTE_OK) fprintf(stderr, "%s: %s\n", error.file, error.text);
  return file;
}

// Where a section is bound to in that scene, and its path there.
static const void *section_of(const mote_scene *scene, const char *section, const char **path) {
  const struct {
    const char *name, *path;
    const void *at;
  } table[] = {
      {"scene", "", scene},
      {"domain", "domain.", &scene->world},
      {"material", "materials.plain.", scene->material},
      {"body", "bodies.b.", scene->body},
      {"collider", "colliders.c.", scene->collider},
      {"motion", "colliders.c.motion.", &scene->collider->motion},
      {"key", "colliders.k.motion.keys.0.", scene->collider[1].motion.key},
      {"emitter", "emitters.e.", scene->emitter},
      {"drain", "drains.d.", scene->drain},
      {"force", "forces.f.", scene->force},
      {"probe", "probes.p.", scene->probe},
      {"outputs", "outputs.", &scene->outputs},
      {"camera", "outputs.camera.", &scene->outputs.camera},
      {"surface", "outputs.surface.", &scene->outputs.surface},
      {"solver", "solver.", &scene->world.solver},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
    if (strcmp(table[k].name, section) == 0) {
      *path = table[k].path;
      return table[k].at;
    }
  return NULL;
}

// Bytes that a value of the type has in its definition; 0 where pointers are in it.
static size_t bytes_of(mote_key_kind kind) {
  switch ((int)kind) {
    case MOTE_KEY_NUMBER: return sizeof(double);
    case MOTE_KEY_INTEGER:
    case MOTE_KEY_CHOICE:
    case MOTE_KEY_KERNEL: return sizeof(int);
    case MOTE_KEY_COUNT: return sizeof(size_t);
    case MOTE_KEY_SEED: return sizeof(uint64_t);
    case MOTE_KEY_SWITCH: return sizeof(bool);
    case MOTE_KEY_VECTOR:
    case MOTE_KEY_GRAVITY:
    case MOTE_KEY_COLOUR: return 3 * sizeof(double);
    case MOTE_KEY_PAIR: return 2 * sizeof(double);
    case MOTE_KEY_PIXELS:
    case MOTE_KEY_SIDES: return 2 * sizeof(int);
    case MOTE_KEY_VALUE: return sizeof(mote_value);  // constants: the pointer is null
    case MOTE_KEY_VALUE3: return sizeof(mote_value3);
    default: return 0;
  }
}

static bool is_value(const char *initial) {
  static const char *const words[] = {"", "required", "none", "of the preset"};
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
    if (strcmp(words[k], initial) == 0) return false;
  return true;
}

// Giving a key its default changes nothing.
static void test_default(const mote_scene_key *key) {
  mote_scene_file *file = read(NULL), *given = NULL;
  if (!CHECK(file != NULL)) return;
  const char *path = "";
  const char *at = section_of(mote_scene_file_scene(file), key->section, &path);
  if (at != NULL && bytes_of(key->kind) > 0 && is_value(key->initial)) {
    char set[256];
    snprintf(set, sizeof set, "%s%s=%s", path, key->name, key->initial);
    given = read(set);
    if (CHECK(given != NULL)) {
      const char *other = section_of(mote_scene_file_scene(given), key->section, &path);
      if (!CHECK(memcmp(at + key->offset, other + key->offset, bytes_of(key->kind)) == 0))
        fprintf(stderr, "  %s\n", set);
    }
  }
  mote_scene_file_destroy(file);
  mote_scene_file_destroy(given);
}

static void test_rows(void) {
  size_t count;
  const mote_scene_key *key = mote_scene_keys(&count);
  CHECK(count > 100);
  for (size_t k = 0; k < count; ++k) {
    size_t length = strlen(key[k].text), keys;
    CHECK(length > 4 && key[k].text[length - 1] == '.');
    CHECK(key[k].required == (strcmp(key[k].initial, "required") == 0));
    CHECK_TEXT(key[k].unit, mote_dimension_unit(key[k].dimension));
    mote_scene_section(key[k].section, &keys);
    CHECK(keys > 0 && keys <= 64);
    if (key[k].kind == MOTE_KEY_MAP || key[k].kind == MOTE_KEY_OPTION || key[k].kind == MOTE_KEY_NAMED ||
        key[k].kind == MOTE_KEY_LIST) {
      mote_scene_section(key[k].detail, &keys);
      CHECK(keys > 0);
    }
    size_t bytes = bytes_of(key[k].kind);  // pairs of members are named by their first
    bool halved =
        (key[k].kind == MOTE_KEY_PAIR || key[k].kind == MOTE_KEY_PIXELS) && 2 * key[k].size == bytes;
    if (bytes > 0 && !CHECK(key[k].size == bytes || halved)) fprintf(stderr, "  %s\n", key[k].name);
    test_default(&key[k]);
  }
  mote_scene_section("nowhere", &count);
  CHECK(count == 0);
}

// Names of methods stand in the table and in the library.
static void test_methods(void) {
  const mote_scene_key *key = mote_scene_key_find("surface", "method");
  for (int k = 0; k < MOTE_SURFACE_METHODS; ++k)
    CHECK(mote_scene_key_choice(key, mote_surface_method_name((mote_surface_method)k)) == k);
  CHECK(mote_scene_key_choice(key, "adam") == -1 && mote_scene_key_choice(key, "?") == -1);
}

// --- The page ---------------------------------------------------------------------------------------------

typedef struct page {
  char text[65536];
  size_t size;
} page;

static void add(page *out, const char *text) {
  size_t length = strlen(text);
  if (!CHECK(out->size + length < sizeof out->text)) return;
  memcpy(out->text + out->size, text, length + 1);
  out->size += length;
}

static void add_cell(page *out, const char *text) {
  add(out, " | ");
  add(out, text);
}

static void add_units(page *out) {
  add(out, "\n## Units\n\n| of | possible units, SI first |\n| --- | --- |\n");
  for (int k = 1; k < MOTE_DIMENSIONS; ++k) {
    char list[256];
    mote_unit_list((mote_dimension)k, list, sizeof list);
    add(out, "| ");
    add(out, mote_dimension_name((mote_dimension)k));
    add_cell(out, list);
    add(out, " |\n");
  }
}

static void add_presets(page *out) {
  const char *const *names;
  size_t count = mote_material_presets(&names);
  add(out, "\n## Presets of materials\n\n| name | density, kg/m3 | viscosity, Pa s |\n| --- | --- | --- |\n");
  for (size_t k = 0; k < count; ++k) {
    mote_material_def def;
    char line[128];
    mote_material_def_preset(names[k], &def);
    if (def.model == MOTE_KIND_RIGID) continue;
    snprintf(line, sizeof line, "| %s | %g | %g |\n", names[k], def.density, def.viscosity);
    add(out, line);
  }
}

static void add_elastic_presets(page *out) {
  static const char *const law[] = {"svk", "corotated", "neo_hookean"};
  const char *const *names;
  size_t count = mote_material_presets(&names);
  add(out,
      "\nElastic presets besides. A material with the name of a preset starts from it, its law included; "
      "`preset` names another start.\n\n"
      "| name | young, Pa | poisson | law | order | strain_damping, s | yield_strain |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (size_t k = 0; k < count; ++k) {
    mote_material_def def;
    char line[160];
    mote_material_def_preset(names[k], &def);
    if (def.model != MOTE_KIND_ELASTIC) continue;
    const mote_elastic_material_def *s = &def.elastic;
    snprintf(line, sizeof line, "| %s | %g | %g | %s | %d | %g | %g |\n", names[k], s->young, s->poisson,
             law[s->law], s->order, s->strain_damping, s->yield_strain);
    add(out, line);
  }
}

static void add_rigid_presets(page *out) {
  const char *const *names;
  size_t count = mote_material_presets(&names);
  add(out,
      "\nPresets of rigid matter, dry: density CRC Handbook, concrete EN 1991-1-1; friction in sliding on "
      "the same "
      "matter Marks' Standard Handbook for Mechanical Engineers, table 3.2.1, stone as masonry, concrete EN "
      "1992-1-1 "
      "6.2.5; restitution of compact pieces at about 1 m/s: steel Newton (5/9), stone Hoek, Practical Rock "
      "Engineering, the others typical. A material of such a name that gives another `model` does not start "
      "from "
      "it.\n\n"
      "| name | density, kg/m3 | friction | restitution |\n| --- | --- | --- | --- |\n");
  for (size_t k = 0; k < count; ++k) {
    mote_material_def def;
    char line[128];
    mote_material_def_preset(names[k], &def);
    if (def.model != MOTE_KIND_RIGID) continue;
    snprintf(line, sizeof line, "| %s | %g | %g | %g |\n", names[k], def.density, def.friction,
             def.restitution);
    add(out, line);
  }
}

// Sections from "edits" on are those of EDITS and KEYS files.
static void add_keys(page *out, bool edits) {
  size_t count, first = 0;
  const mote_scene_key *key = mote_scene_keys(&count);
  while (first < count && strcmp(key[first].section, "edits") != 0) ++first;
  for (size_t k = edits ? first : 0; k < (edits ? count : first); ++k) {
    if (k == 0 || strcmp(key[k].section, key[k - 1].section) != 0) {
      add(out, edits ? "\n### " : "\n## ");
      add(out, key[k].section);
      add(out, "\n\n| key | type | unit | range | default | |\n| --- | --- | --- | --- | --- | --- |\n");
    }
    add(out, "| `");
    add(out, key[k].name);
    add(out, "`");
    add_cell(out, key[k].type);
    add_cell(out, key[k].unit);
    add_cell(out, key[k].range);
    add_cell(out, key[k].initial);
    add_cell(out, key[k].text);
    if ((key[k].flags & MOTE_KEY_RUNNING) != 0)
      add(out, " May change while a world runs ([material](steering.md)).");
    add(out, " |\n");
  }
}

static void check_page(const char *name, const page *wanted) {
  static page found;
  char path[1024];
  snprintf(path, sizeof path, "%s", __FILE__);
  char *end = strstr(path, "tests/unit/language/");
  if (!CHECK(end != NULL)) return;
  strcpy(end, name);
  FILE *file = fopen(path, "rb");
  if (!CHECK(file != NULL)) return;
  found.size = fread(found.text, 1, sizeof found.text - 1, file);
  found.text[found.size] = 0;
  fclose(file);
  char *tables = strstr(found.text, marker);
  if (!CHECK(tables != NULL)) return;
  tables += sizeof marker - 1;
  if (getenv("MOTE_WRITE_DOCS") != NULL && (file = fopen(path, "wb")) != NULL) {
    fprintf(file, "%.*s%s", (int)(tables - found.text), found.text, wanted->text);
    fclose(file);
    return;
  }
  CHECK_TEXT(tables, wanted->text);
}

static void test_pages(void) {
  static page scene, deforming;
  add_keys(&scene, false);
  add_units(&scene);
  add_presets(&scene);
  add_elastic_presets(&scene);
  add_rigid_presets(&scene);
  check_page("docs/scene.md", &scene);
  add_keys(&deforming, true);
  check_page("docs/deforming.md", &deforming);
}

int main(void) {
  test_rows();
  test_methods();
  test_pages();
  return test_end();
}
