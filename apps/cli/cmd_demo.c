// mote demo: the built-in dam break, and what to try next; or the figures of the documents Mote is built
// after.
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/paths.h"
#include "cli/render/render_options.h"
#include "cli/run/run.h"
#include "figures/figures.h"

const char help_demo[] =
    "usage: mote demo [-o DIR] [--threads N] [--quiet]\n"
    "       mote demo --figures [NAME...] [-o DIR] [--list] [--quick] [--format png|svg] [--threads N]\n"
    "\n"
    "Simulates a dam break (the built-in scene dam_break), makes and renders the water surface of every\n"
    "frame, and writes into DIR (default: demo) a video (dam_break.mp4), a contact sheet of some of its\n"
    "frames, a large picture, and the run itself: particles, preview pictures, tables. Takes less than\n"
    "three minutes on two cores. An earlier demo in DIR is overwritten.\n"
    "\n"
    "With --figures, makes figures and tables of the five documents that Mote is built after instead\n"
    "(docs/seeds.md compares them): those named, or all of them, which takes hours. NAME.png is the\n"
    "figure, the folder NAME holds what it was made of.\n"
    "\n"
    "  --list         list the figures; with a NAME, the steps by which it is made (@ is DIR/NAME)\n"
    "  --quick        coarser, for a fast look\n"
    "  --format svg   drawings as SVG; without a NAME, only those that can be\n"
    "\n"
    "examples:\n"
    "  mote demo --figures eg09-1 des96-4     kernels; a tool cuts a body in two\n"
    "  mote demo --figures yu11-4.2 --quick   two spheres that merge\n";

// As fine and as long as three minutes allow on two slow cores.
static const char *const demo_set[] = {"spacing=2.2cm", "fps=24", "duration=1.2s"};
#define STILL_FRAME 11  // the frame in which the water meets the post

static int simulate(const char *directory, int threads, bool quiet) {
  run_options o = run_options_default();
  o.scene = "dam_break", o.directory = directory, o.overwrite = true;
  o.set = demo_set, o.sets = sizeof demo_set / sizeof *demo_set;
  o.threads = threads, o.quiet = quiet;
  return run_scene(&o);
}

static render_options of_surface(char **directory, const char *output, int threads, bool quiet) {
  render_options o = render_options_default();
  o.input = directory, o.inputs = 1, o.output = output;
  o.as = RENDER_SURFACE, o.overwrite = true;
  o.preview = mote_render_engine() == NULL;
  o.threads = threads, o.quiet = quiet;
  return o;
}

// Numbered pictures where there is no ffmpeg, of which the first try complains.
static int make_video(char *directory, int threads, bool quiet) {
  char path[PATH_CAPACITY];
  snprintf(path, sizeof path, "%s/dam_break.mp4", directory);
  render_options o = of_surface(&directory, path, threads, quiet);
  o.width = 640, o.height = 360, o.samples = 4, o.contact_sheet = 6;
  int status = render_pictures(&o);
  if (status != EXIT_FAILED) return status;
  snprintf(path, sizeof path, "%s/video", directory);
  return render_pictures(&o);
}

static int still(char *directory, int threads, bool quiet) {
  char path[PATH_CAPACITY];
  snprintf(path, sizeof path, "%s/dam_break.png", directory);
  render_options o = of_surface(&directory, path, threads, quiet);
  o.frames = (frame_range){STILL_FRAME, STILL_FRAME, 1}, o.samples = 16;
  return render_pictures(&o);
}

static int break_dam(const char *directory, int threads, bool quiet) {
  char name[PATH_CAPACITY - 64];
  if (strlen(directory) >= sizeof name) {
    complain("the directory's name is too long");
    return EXIT_USAGE;
  }
  snprintf(name, sizeof name, "%s", directory);
  if (mote_render_engine() == NULL) printf("This build of Mote has no ray tracer: pictures are previews.\n");
  int status = simulate(name, threads, quiet);
  if (status == EXIT_DONE) status = make_video(name, threads, quiet);
  if (status == EXIT_DONE) status = still(name, threads, quiet);
  if (status != EXIT_DONE) return status;
  printf("\nThe particles are %s/particles.*.vtp; ParaView opens %s/particles.pvd.\n\nTry next:\n", name,
         name);
  printf("  %s render %s --frames 11 --section z=0.3 --colour-by pressure\n", program, name);
  printf("  %s render %s --frames 10:30 --as surface --look chocolate --preview -o chocolate.gif\n", program,
         name);
  printf("  %s run dam_break -o oil --set bodies.dam.material=oil\n", program);
  return EXIT_DONE;
}

int cmd_demo(int argc, char **argv) {
  const char *directory = "demo", *format = NULL;
  bool of_documents = false, quiet = false, list = false, quick = false;
  int threads = 0;
  const option options[] = {{.name = "-o", .value = &directory},
                            {.name = "--figures", .flag = &of_documents},
                            {.name = "--format", .value = &format},
                            {.name = "--list", .flag = &list},
                            {.name = "--quick", .flag = &quick},
                            {.name = "--threads", .number = &threads, .low = 1, .high = 1024},
                            {.name = "--quiet", .flag = &quiet},
                            {.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  if (argc > 1 && !of_documents) {
    complain("demo takes no \"%s\" (mote help demo)", argv[1]);
    return EXIT_USAGE;
  }
  if (format != NULL && strcmp(format, "png") != 0 && strcmp(format, "svg") != 0) {
    complain("--format takes png or svg, not \"%s\"", format);
    return EXIT_USAGE;
  }
  if (!of_documents && (format != NULL || list || quick)) {
    complain("--%s needs --figures", format != NULL ? "format" : list ? "list" : "quick");
    return EXIT_USAGE;
  }
  if (!of_documents) return break_dam(directory, threads, quiet);
  const figure_options o = {directory, format != NULL ? format : "png", list, quick, threads};
  return make_figures(&o, argc, argv);
}
