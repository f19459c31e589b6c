// mote help: commands, and the keys of the scene language.
#include <mote/io.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/help/help_materials.h"
#include "cli/help/help_pages.h"

const char help_help[] =
    "usage: mote help [COMMAND|SECTION|KEY]\n"
    "       mote help scene [SECTION|KEY|SECTION.KEY]\n"
    "       mote help steering\n"
    "       mote help materials\n"
    "       mote help --pages DIR\n"
    "\n"
    "Prints the list of commands, the help page of one command, the sections of the scene language, or\n"
    "the type, unit, range and default of the keys of a section or of one key; or the commands that\n"
    "steer a run (mote run --commands); or the presets of materials and their values. With --pages, writes\n"
    "manual pages and completion for bash, zsh and fish into DIR.\n"
    "\n"
    "examples:\n"
    "  mote help run\n"
    "  mote help scene material\n"
    "  mote help scene viscosity\n";

// --- The scene language ---

#define NAMES_MAX 512

// Each section and key once.
static size_t collect_names(const char **names) {
  size_t count, found = 0;
  const mote_scene_key *key = mote_scene_keys(&count);
  for (size_t k = 0; k < count && found + 2 < NAMES_MAX; ++k) {
    if (k == 0 || strcmp(key[k].section, key[k - 1].section) != 0) names[found++] = key[k].section;
    names[found++] = key[k].name;
  }
  return found;
}

static int print_sections(void) {
  size_t count;
  const mote_scene_key *key = mote_scene_keys(&count);
  printf("Sections of a scene file, and their keys:\n");
  for (size_t k = 0, column = 0; k < count; ++k) {
    size_t length = strlen(key[k].name) + 1;
    if (k > 0 && strcmp(key[k].section, "edits") == 0 && strcmp(key[k - 1].section, "edits") != 0)
      printf("\n\nOf EDITS (edits) and KEYS (animation) files of mote deform and mote animate:\n");
    if (k == 0 || strcmp(key[k].section, key[k - 1].section) != 0) {
      printf("\n  %-12s", key[k].section);
      column = 14;
    } else if (column + length > 100) {
      printf("\n  %-12s", "");
      column = 14;
    }
    printf(" %s", key[k].name);
    column += length;
  }
  printf(
      "\n\nmote help scene NAME describes a section or key; mote examples NAME prints a complete scene.\n");
  return EXIT_DONE;
}

static void print_key(const mote_scene_key *key) {
  printf("%s.%s: %s", key->section, key->name, key->type);
  if (key->unit[0] != '\0') printf(", %s", key->unit);
  if (key->range[0] != '\0') printf(", %s", key->range);
  if (strcmp(key->initial, "required") == 0) {
    printf("; required\n");
  } else if (key->initial[0] != '\0') {
    printf("; default %s\n", key->initial);
  } else {
    printf("\n");
  }
  printf("    %s%s\n", key->text,
         (key->flags & MOTE_KEY_RUNNING) != 0 ? " May change while a world runs (mote help steering)." : "");
}

// "viscosity", "material" or "material.viscosity".
static bool key_matches(const mote_scene_key *key, const char *word) {
  size_t length = strlen(key->section);
  return strcmp(word, key->section) == 0 || strcmp(word, key->name) == 0 ||
         (strncmp(word, key->section, length) == 0 && word[length] == '.' &&
          strcmp(word + length + 1, key->name) == 0);
}

// Whether there are such keys.
static bool print_matching(const char *word) {
  size_t count, found = 0;
  const mote_scene_key *key = mote_scene_keys(&count);
  for (size_t k = 0; k < count; ++k) {
    if (key_matches(&key[k], word)) print_key(&key[k]), ++found;
  }
  return found > 0;
}

static int print_keys(const char *word) {
  if (print_matching(word)) return EXIT_DONE;
  const char *names[NAMES_MAX];
  char buffer[128];
  complain("scenes have no section or key \"%s\"%s (mote help scene lists them)", word,
           suggestion(word, names, collect_names(names), buffer, sizeof buffer));
  return EXIT_USAGE;
}

// --- Steering ---

static void print_field(const mote_command_field *f) {
  printf("    %-10s %s%s%s. %s\n", f->name, f->components == 3 ? "vector, " : "number, ", f->unit,
         f->optional ? ", optional" : "", f->text);
}

static int print_steering(void) {
  printf(
      "Commands that steer a run (mote run SCENE --commands FILE), one JSON object a line, in order:\n"
      "  {\"time\": 0.5, \"command\": \"gravity\", \"gravity\": [2, -9.5, 0]}\n"
      "Each has \"time\" (s, the first step that begins then) or \"step\" (steps done before), and:\n");
  for (int k = 0; k < MOTE_COMMANDS; ++k) {
    const mote_command_about *about = &mote_command_kinds()[k];
    const char *target = mote_command_target_name(about->target);
    printf("\n  %s: %s\n", about->name, about->text);
    if (target != NULL) printf("    %-10s %s\n", target, mote_command_target_text(about->target));
    for (int f = 0; f < MOTE_COMMAND_FIELDS && about->field[f].name != NULL; ++f)
      print_field(&about->field[f]);
    if (about->target == MOTE_TARGET_PARTICLES)
      printf(
          "    field      velocity or position\n    particles  list of ids\n"
          "    values     list of vectors, m/s or m, one for each\n");
  }
  return EXIT_DONE;
}

// --- Topics ---

static int unknown_topic(const char *word) {
  const char *names[NAMES_MAX + 64];
  char buffer[128];
  size_t count = collect_names(names);
  for (const command *c = commands; c->name != NULL; ++c) names[count++] = c->name;
  names[count++] = "scene", names[count++] = "steering", names[count++] = "materials";
  complain("no help on \"%s\"%s (mote help lists commands, mote help scene sections and keys of scenes)",
           word, suggestion(word, names, count, buffer, sizeof buffer));
  return EXIT_USAGE;
}

static int print_topic(const char *word) {
  const command *found = find_command(word);
  if (strcmp(word, "steering") == 0) return print_steering();
  if (strcmp(word, "materials") == 0) return print_materials();
  if (found == NULL) return print_matching(word) ? EXIT_DONE : unknown_topic(word);
  fputs(found->help, stdout);
  return EXIT_DONE;
}

int cmd_help(int argc, char **argv) {
  const char *pages = NULL;
  const option options[] = {{.name = "--pages", .value = &pages}, {.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  if (pages != NULL && pages[0] == '\0') {
    complain("--pages needs the name of a directory");
    return EXIT_USAGE;
  }
  if (pages != NULL) return write_help_pages(pages);
  bool scene = argc > 1 && strcmp(argv[1], "scene") == 0;
  int most = scene ? 3 : 2;
  if (argc > most) {
    complain("help takes one %s, not \"%s\" as well", scene ? "key" : "command", argv[most]);
    return EXIT_USAGE;
  }
  if (scene) return argc > 2 ? print_keys(argv[2]) : print_sections();
  return argc < 2 ? print_overview() : print_topic(argv[1]);
}
