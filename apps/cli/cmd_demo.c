// mote demo: the built-in dam break, and what to try next; or the figures of the approximation methods.
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "run.h"

const char help_demo[] =
    "usage: mote demo [-o DIR] [--threads N] [--quiet]\n"
    "       mote demo --figures [-o DIR] [--format png|svg]\n"
    "\n"
    "Lets a dam break (the built-in scene dam_break) and writes particles and a picture of each frame into "
    "DIR\n"
    "(default: demo), in less than a minute. An earlier demo there is overwritten.\n"
    "\n"
    "With --figures, draws the figures of the approximation methods instead:\n"
    "  kernels         the kernels: EG09 Fig. 1, and all of ours side by side\n"
    "  shape-function  weight and shape function of one sample among scattered ones: EG09 Fig. 10\n"
    "  sph-mls         a known function from 900 scattered samples, by SPH and by moving least squares\n"
    "and prints the errors of the last. Takes seconds.\n";

static int break_dam(const char *directory, int threads, bool quiet) {
  run_options o = run_options_default();
  o.scene = "dam_break", o.directory = directory, o.overwrite = true;
  o.threads = threads, o.quiet = quiet;
  int status = run_scene(&o);
  if (status != EXIT_DONE) return status;
  printf("\nThe pictures are %s/preview.*.png; ParaView opens %s/particles.pvd.\n\nTry next:\n", directory,
         directory);
  printf("  %s examples dam_break > my.yaml                a scene to change\n", program);
  printf("  %s check my.yaml --set bodies.dam.material=oil what it will cost\n", program);
  printf("  %s run my.yaml --set bodies.dam.material=oil   and how it flows, into my/\n", program);
  return EXIT_DONE;
}

int cmd_demo(int argc, char **argv) {
  const char *directory = "demo", *format = NULL;
  bool figures = false, quiet = false;
  int threads = 0;
  const option options[] = {{.name = "-o", .value = &directory},
                            {.name = "--figures", .flag = &figures},
                            {.name = "--format", .value = &format},
                            {.name = "--threads", .number = &threads, .low = 1, .high = 1024},
                            {.name = "--quiet", .flag = &quiet},
                            {.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  if (argc > 1) {
    complain("demo takes no \"%s\" (mote help demo)", argv[1]);
    return EXIT_USAGE;
  }
  if (format != NULL && strcmp(format, "png") != 0 && strcmp(format, "svg") != 0) {
    complain("--format takes png or svg, not \"%s\"", format);
    return EXIT_USAGE;
  }
  if (format != NULL && !figures) {
    complain("--format goes with --figures");
    return EXIT_USAGE;
  }
  return figures ? draw_figures(directory, format != NULL ? format : "png")
                 : break_dam(directory, threads, quiet);
}
