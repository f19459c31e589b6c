// mote view: a run, a scene or meshes as one HTML file that shows them in a browser (apps/web), which opens
// from the disk. The page and the core of it come from `make web`.
#include <mote/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/scene_open.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"
#include "cli/view/view_mesh.h"
#include "cli/view/view_page.h"
#include "cli/view/view_run.h"

const char help_view[] =
    "usage: mote view SCENE [-o FILE.html] [--set KEY=VALUE]...\n"
    "       mote view RUN [-o FILE.html] [--every N]\n"
    "       mote view MESH... [-o FILE.html]\n"
    "\n"
    "Writes one HTML file that shows it in a browser, without a network; it can be sent by mail.\n"
    "\n"
    "  SCENE      lives in the page: play it, pull things about with the pointer\n"
    "  RUN        the particles of a run's directory, frame by frame (its files vtp, ply, bgeo, csv ...)\n"
    "  MESH       a mesh, or several one after the other: obj ply stl vtp glb\n"
    "\n"
    "  -o FILE    default: view.html\n"
    "  --set      changes a value of the scene\n"
    "  --every N  every N-th frame of a run (default 1)\n"
    "  --overwrite  replace an existing file\n"
    "\n"
    "The page is built by `make web` and looked for in the folder $MOTE_WEB, beside this program and where "
    "it is\n"
    "installed. It needs WebGL 2, scenes WebAssembly with SIMD: browsers since 2023.\n"
    "\n"
    "examples:\n"
    "  mote view dam_break -o dam.html\n"
    "  mote view run/ -o run.html --every 2\n"
    "  mote view run/surface.*.ply -o surface.html\n";

#define SETS_MAX 64  // changes of a scene, at most

typedef struct view_options {
  const char *output;
  word_list set;
  int every;
  bool overwrite;
  mote_env env;
} view_options;

static int view_scene(const char *word, const view_options *o, view_text *out) {
  mote_scene_file *file = NULL;
  int status = scene_open(word, o->set.word, o->set.count, &o->env, &file);
  if (status != EXIT_DONE) return status;
  size_t size;
  const char *words = mote_scene_file_text(file, &size), *name = strrchr(word, '/');
  view_add_text(out, "{\"kind\":\"scene\",\"name\":");
  view_add_quoted(out, name != NULL ? name + 1 : word, strlen(name != NULL ? name + 1 : word));
  view_add_text(out, ",\"text\":");
  view_add_quoted(out, words, size);
  view_add_text(out, "}");
  mote_scene_file_destroy(file);
  return EXIT_DONE;
}

// What is no file may be a scene by its name: then the reader of scenes says which ones there are.
static input_kind kind_of(const char *word) {
  FILE *file = fopen(word, "rb");
  if (file == NULL) return strpbrk(word, "./") == NULL ? INPUT_SCENE : input_kind_of(word);
  fclose(file);
  return input_kind_of(word);
}

static int collect(int count, char **word, const view_options *o, view_text *data, bool *live) {
  input_kind kind = kind_of(word[0]);
  *live = kind == INPUT_SCENE;
  if (kind == INPUT_MESH) return view_meshes(count, word, &o->env, data);
  if (count > 1) return complain("several inputs are meshes; \"%s\" is none", word[0]), EXIT_USAGE;
  if (kind == INPUT_SCENE) return view_scene(word[0], o, data);
  if (kind == INPUT_RUN) return view_run(word[0], o->every, &o->env, data);
  if (kind != INPUT_UNKNOWN) complain("%s is no run, scene or mesh (mote help view)", word[0]);
  return EXIT_USAGE;
}

int cmd_view(int argc, char **argv) {
  const char *set[SETS_MAX];
  view_options o = {.output = "view.html",
                    .set = {.word = set, .capacity = SETS_MAX},
                    .every = 1,
                    .env = mote_env_default()};
  const option table[] = {{.name = "-o", .value = &o.output},
                          {.name = "--set", .list = &o.set},
                          {.name = "--every", .number = &o.every, .low = 1, .high = 1000000},
                          {.name = "--overwrite", .flag = &o.overwrite},
                          {.name = NULL}};
  if (!options_parse(&argc, argv, table)) return EXIT_USAGE;
  if (argc < 2) return complain("which run, scene or mesh? (mote help view)"), EXIT_USAGE;
  int status = output_check(o.output, o.overwrite, NULL);
  view_text data = {.data = NULL};
  bool live = false;
  if (status == EXIT_DONE) status = collect(argc - 1, argv + 1, &o, &data, &live);
  if (status == EXIT_DONE) status = view_page_write(&data, live, &o.env, o.output);
  free(data.data);
  return status;
}
