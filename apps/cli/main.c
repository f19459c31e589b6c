// The command-line tool: a table of commands. It uses the public API only.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <mote/render.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

const command commands[] = {
    {"demo", cmd_demo, "simulate and render a dam break in three minutes", help_demo},
    {"examples", cmd_examples, "list or print the built-in scenes", help_examples},
    {"check", cmd_check, "check a scene for errors and estimate its cost", help_check},
    {"run", cmd_run, "simulate a scene", help_run},
    {"mesh", cmd_mesh, "make closed surfaces of particles", help_mesh},
    {"skin", cmd_skin, "deform a fine mesh with an elastic body of a run", help_skin},
    {"shatter", cmd_shatter, "break a mesh into closed pieces", help_shatter},
    {"foam", cmd_foam, "spray, foam and bubbles on the water of a run", help_foam},
    {"track", cmd_track, "move one mesh with the particles of a run", help_track},
    {"deform", cmd_deform, "bend a mesh by its handles", help_deform},
    {"animate", cmd_animate, "move a mesh smoothly between poses, past obstacles", help_animate},
    {"render", cmd_render, "draw pictures and videos of particles, surfaces and runs", help_render},
    {"view", cmd_view, "write a page that shows a run, a scene or meshes in a browser", help_view},
    {"sample", cmd_sample, "evaluate fields of particle files on a grid or at points", help_sample},
    {"info", cmd_info, "describe the contents of a file", help_info},
    {"diff", cmd_diff, "compare two particle files or snapshots field by field", help_diff},
    {"convert", cmd_convert, "convert particles and meshes to other formats", help_convert},
    {"validate", cmd_validate, "compare mathematics and physics with published values", help_validate},
    {"bench", cmd_bench, "measure the speed on this machine", help_bench},
    {"help", cmd_help, "describe a command or a key of the scene language", help_help},
    {NULL, NULL, NULL, NULL},
};

const command *find_command(const char *name) {
  for (const command *c = commands; c->name != NULL; ++c) {
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

int unknown_command(const char *name) {
  const char *names[32];
  size_t count = 0;
  while (commands[count].name != NULL) names[count] = commands[count].name, ++count;
  APP_ASSERT(count <= sizeof names / sizeof *names);
  char buffer[128];
  complain("unknown command \"%s\"%s (mote help lists them)", name,
           suggestion(name, names, count, buffer, sizeof buffer));
  return EXIT_USAGE;
}

int print_overview(void) {
  printf("mote %s: meshless physics for computer graphics\n\nusage: mote COMMAND [OPTIONS]\n\n",
         mote_version());
  for (const command *c = commands; c->name != NULL; ++c) printf("  %-10s %s\n", c->name, c->summary);
  printf("\nmote help COMMAND describes a command; mote --version prints the version.\n");
  return EXIT_DONE;
}

static int print_version(void) {
  const char *engine = mote_render_engine();
  printf("mote %s\ncommit %s; %s; %s\n", mote_version(), build_commit, build_how,
         engine != NULL ? engine : "no ray tracer");
  return EXIT_DONE;
}

static bool asks_for_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run(int argc, char **argv) {
  if (argc < 2) {
    print_overview();
    return EXIT_USAGE;
  }
  if (asks_for_help(argv[1])) return print_overview();
  if (strcmp(argv[1], "--version") == 0) return print_version();
  const command *found = find_command(argv[1]);
  if (found == NULL) return unknown_command(argv[1]);
  for (int k = 2; k < argc; ++k) {
    if (strcmp(argv[k], "--") == 0) break;
    if (asks_for_help(argv[k])) {
      fputs(found->help, stdout);
      return EXIT_DONE;
    }
  }
  return found->run(argc - 1, argv + 1);
}

const char *program = "mote";

// A standard stream that is closed would be the next file that is opened, and our talk would go into it. So
// it is held by one on which reading or writing fails.
static void occupy_streams(void) {
  for (int stream = 0; stream < 3; ++stream) {
    bool closed = fcntl(stream, F_GETFD) == -1;
    if (closed && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream) return;
  }
}

int main(int argc, char **argv) {
  occupy_streams();
  if (argc > 0) program = argv[0];
  int status = run(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    complain("the results could not be written to the standard output");
    return EXIT_FAILED;
  }
  return status;
}
