// The names of a run's files: see run_files.h.
#include "cli/run/run_files.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/scene_kinds.h"
#include "cli/bodies/action_view.h"

// * is the name of a probe.
const char run_files_any[] =
    "scene.yaml run.json commands.jsonl totals.csv totals.png probe_*.csv probe_*.png particles.pvd "
    "particles.#.vtp "
    "particles.#.vtu "
    "particles.#.ply particles.#.csv particles.#.xyz particles.#.bgeo particles.#.usda preview.#.png "
    "snapshot.mote "
    "snapshot.#.mote "
    "surface.pvd surface.#.vtp surface.#.ply surface.#.glb surface.#.obj surface.#.stl surface.#.usda "
    "surface.#.bgeo surface.#.csv surface.#.svg surface.#.png bodies.csv cracks.csv view.csv elastic.pvd "
    "elastic.#.vtp elastic.#.vtu elastic.#.ply elastic.#.csv elastic.#.xyz elastic.#.bgeo elastic.#.usda "
    "lattice.pvd lattice.#.vtp lattice.#.vtu lattice.#.ply lattice.#.csv lattice.#.xyz lattice.#.bgeo "
    "lattice.#.usda fragments.#.glb fragments.#.vtp fragments.#.ply fragments.#.obj fragments.#.stl "
    "solids.pvd solids.#.vtp solids.#.vtu solids.#.ply solids.#.csv solids.#.xyz solids.#.bgeo "  // before
                                                                                                  // 0.1.0
    "solids.#.usda";

#define FRAMES_WORD "frames="

static const char always[] = "scene.yaml run.json totals.csv totals.png snapshot.mote snapshot.#.mote";

// --- Matching ---

// Letters of a frame's number as runs write it; 0: there is none.
static size_t read_frame(const char *name, size_t *frame) {
  char written[32];
  size_t length = strspn(name, "0123456789");
  if (length > 18 || sscanf(name, "%zu", frame) != 1) return 0;
  snprintf(written, sizeof written, "%04zu", *frame);
  return strlen(written) == length && *frame > 0 ? length : 0;
}

static bool matches(const char *pattern, const char *name, size_t *frame) {
  *frame = 0;
  for (; *pattern != '\0' && *pattern != ' '; ++pattern) {
    size_t length = *pattern == '#'   ? read_frame(name, frame)
                    : *pattern == '*' ? strcspn(name, ".")
                                      : (size_t)(*pattern == *name);
    if (length == 0) return false;
    name += length;
  }
  return *name == '\0' || strcmp(name, ".part") == 0;
}

// The last frame of the list, in one word or several of them; lists of other versions do not say.
static size_t last_frame(const char *files) {
  size_t last = 0;
  for (const char *at = strstr(files, FRAMES_WORD); at != NULL; at = strstr(at + 1, FRAMES_WORD)) {
    size_t frame = 0;
    if (sscanf(at + strlen(FRAMES_WORD), "%zu", &frame) == 1 && frame > last) last = frame;
  }
  return last > 0 ? last : SIZE_MAX;
}

bool run_files_match(const char *files, const char *name, size_t *frame) {
  for (const char *at = files; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
    if (matches(at, name, frame)) return *frame <= last_frame(files);
  *frame = 0;
  return false;
}

// --- Lists ---

typedef struct list {
  char *text;
  size_t length;
  bool failed;
} list;

static void append(list *l, const char *head, const char *name, const char *tail) {
  char word[96];
  int length = snprintf(word, sizeof word, "%s%s%.40s%s", l->length > 0 ? " " : "", head, name, tail);
  char *grown = l->failed ? NULL : realloc(l->text, l->length + (size_t)length + 1);
  l->failed = grown == NULL;
  if (l->failed) return;
  l->text = grown;
  memcpy(grown + l->length, word, (size_t)length + 1);
  l->length += (size_t)length;
}

static void append_all(list *l, const char *stem, const char *const *format, size_t formats) {
  append(l, stem, "", ".pvd");
  for (size_t k = 0; k < formats; ++k) append(l, stem, ".#.", format[k]);
}

// Both lists and what stands in one of them only, each word once.
static void append_words(list *l, const char *words) {
  for (const char *at = words; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
    char word[96];
    size_t length = strcspn(at, " ");
    snprintf(word, sizeof word, "%.*s", (int)(length < 90 ? length : 90), at);
    const char *found = l->text != NULL ? strstr(l->text, word) : NULL;
    bool there = found != NULL && (found == l->text || found[-1] == ' ') &&
                 (found[strlen(word)] == ' ' || found[strlen(word)] == '\0');
    if (!there) append(l, word, "", "");
  }
}

char *run_files_list(const mote_scene *scene, size_t frames, bool steered, const char *earlier) {
  const mote_outputs_def *o = &scene->outputs;
  list l = {0};
  char number[32];
  snprintf(number, sizeof number, "%zu", frames);
  append(&l, FRAMES_WORD, number, "");
  append_words(&l, always);
  if (steered) append(&l, "commands.jsonl", "", "");
  if (scene_flows(scene)) append_all(&l, "particles", o->format, o->formats);
  if (o->preview) append(&l, "preview.#.png", "", "");
  if (o->preview && domain_is_open(&scene->world)) append(&l, ACTION_TABLE, "", "");
  for (size_t k = 0; k < scene->probes; ++k) {
    append(&l, "probe_", scene->probe[k].name, ".csv");
    append(&l, "probe_", scene->probe[k].name, ".png");
  }
  if (o->surface.on) append_all(&l, "surface", o->surface.format, o->surface.formats);
  if (has_material(scene, material_is_rigid)) append(&l, "bodies.csv", "", "");
  if (has_material(scene, material_is_elastic)) append_all(&l, "elastic", o->format, o->formats);
  if (has_material(scene, material_can_break)) append(&l, "cracks.csv", "", "");
  for (size_t k = 0; k < o->fragment_formats; ++k) append(&l, "fragments", ".#.", o->fragment_format[k]);
  if (has_material(scene, material_is_lattice)) append_all(&l, "lattice", o->format, o->formats);
  if (earlier != NULL && earlier != run_files_any) append_words(&l, earlier);
  if (!l.failed) return l.text;
  free(l.text);
  return NULL;
}

char *run_files_read(const char *path) {
  FILE *file = fopen(path, "rb");
  char head[512], *line = NULL;
  size_t length = 0, mark = strlen(RUN_FILES_MARK);
  if (file == NULL) return NULL;
  bool first = fgets(head, sizeof head, file) != NULL;
  while (first && (line == NULL || line[length - 1] != '\n')) {
    char *grown = realloc(line, length + 4096);
    if (grown == NULL || fgets(grown + length, 4096, file) == NULL) {
      free(grown != NULL ? grown : line);
      line = NULL;
      break;
    }
    line = grown;
    length += strlen(line + length);
    if (strncmp(line, RUN_FILES_MARK, mark) != 0) break;
  }
  fclose(file);
  if (line == NULL || strncmp(line, RUN_FILES_MARK, mark) != 0) return free(line), NULL;
  line[strcspn(line, "\n")] = '\0';
  memmove(line, line + mark, strlen(line + mark) + 1);
  return line;
}
