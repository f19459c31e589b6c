// mote examples: the scenes that are part of the program.
#include <mote/io.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/scene_open.h"

const char help_examples[] =
    "usage: mote examples [NAME]\n"
    "\n"
    "Lists the built-in scenes, or prints one as a starting point:\n"
    "\n"
    "  mote examples dam_break > my.yaml\n"
    "  mote run my.yaml\n";

static int list_examples(void) {
  for (const example *e = examples; e->name != NULL; ++e) {
    mote_scene_file *file;
    mote_error error;
    if (mote_scene_parse((const char *)e->text, e->size, e->name, NULL, 0, NULL, &file, &error) != MOTE_OK) {
      return complain_error(&error);
    }
    const char *title = mote_scene_file_scene(file)->title;
    printf("%-20s %s\n", e->name, title != NULL ? title : "");
    mote_scene_file_destroy(file);
  }
  return EXIT_DONE;
}

int cmd_examples(int argc, char **argv) {
  const option options[] = {{.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  if (argc < 2) return list_examples();
  if (argc > 2) {
    complain("examples takes one name, not \"%s\" as well", argv[2]);
    return EXIT_USAGE;
  }
  const example *found = find_example(argv[1]);
  if (found != NULL) return fwrite(found->text, 1, found->size, stdout), EXIT_DONE;
  const char *names[64];
  size_t count = 0;
  while (examples[count].name != NULL && count < 64) names[count] = examples[count].name, ++count;
  char buffer[128];
  complain("no built-in scene \"%s\"%s (mote examples lists them)", argv[1],
           suggestion(argv[1], names, count, buffer, sizeof buffer));
  return EXIT_USAGE;
}
