// mote run: carries a scene through its frames.
#include "cli/base/cli.h"
#include "cli/run/run.h"

const char help_run[] =
    "usage: mote run SCENE [-o DIR] [OPTIONS]\n"
    "       mote run DIR --resume\n"
    "\n"
    "Simulates a scene (a file or a built-in scene, see mote examples) and writes into DIR (default:\n"
    "the name of the scene) particles and pictures of each frame, totals and probes as tables and\n"
    "plots, and snapshots from which the run can be resumed.\n"
    "\n"
    "  -o DIR            output directory\n"
    "  --resume          continue a stopped run, bit-identically to an uninterrupted one\n"
    "  --from-frame N    restart from the snapshot of frame N or the latest before (outputs.snapshot_every)\n"
    "  --overwrite       start again in the directory of an old run, removing its files\n"
    "  --commands FILE   steer the run by recorded or written commands (docs/steering.md), one JSON object "
    "a\n"
    "                    line; DIR/commands.jsonl keeps them with the steps at which they took effect\n"
    "  --set KEY=VALUE   change a value of the scene, e.g. --set spacing=0.01 --set bodies.dam.material=oil\n"
    "  --frames N        number of frames, instead of the duration of the scene\n"
    "  --threads N       number of threads (results do not depend on it)\n"
    "  --autosave S      seconds of wall clock between snapshots; 0: after every step\n"
    "  --ledger          energy ledger: change of the energy by each stage of a step, in totals.csv and\n"
    "                    run.json (--set outputs.ledger=true)\n"
    "  --json            one JSON object per frame and one at the end, one per line\n"
    "  --quiet           no progress: neither the bar on a terminal nor a line per frame elsewhere\n"
    "  --times           at the end, the time spent in each stage of a step and in each kind of output\n"
    "\n"
    "Ctrl-C saves the state and stops; a second one stops immediately. No file is ever left partially\n"
    "written.\n"
    "exit status: 0 finished, 1 failed, 2 invalid input or usage, 130 stopped, state saved\n"
    "\n"
    "examples:\n"
    "  mote run dam_break                          a built-in scene\n"
    "  mote run my.yaml -o fine --set spacing=5mm  a scene file with a finer spacing\n"
    "  mote run fine --resume                      continue it after Ctrl-C\n";

#define SETS_MAX 256

static const char set_ledger[] = "outputs.ledger=true";

static bool options_agree(const run_options *o) {
  if (o->resume && o->overwrite) {
    complain("--resume and --overwrite exclude each other");
    return false;
  }
  return true;
}

int cmd_run(int argc, char **argv) {
  run_options o = run_options_default();
  const char *set[SETS_MAX];
  word_list sets = {.word = set, .capacity = SETS_MAX - 1};
  bool ledger = false;
  const option options[] = {{.name = "-o", .value = &o.directory},
                            {.name = "--resume", .flag = &o.resume},
                            {.name = "--from-frame", .number = &o.from_frame, .low = 1, .high = 100000000},
                            {.name = "--overwrite", .flag = &o.overwrite},
                            {.name = "--commands", .value = &o.commands},
                            {.name = "--set", .list = &sets},
                            {.name = "--frames", .number = &o.frames, .low = 1, .high = 100000000},
                            {.name = "--threads", .number = &o.threads, .low = 1, .high = 1024},
                            {.name = "--autosave", .real = &o.autosave},
                            {.name = "--ledger", .flag = &ledger},
                            {.name = "--json", .flag = &o.json},
                            {.name = "--quiet", .flag = &o.quiet},
                            {.name = "--times", .flag = &o.times},
                            {.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  if (argc != 2) {
    complain(argc < 2 ? "run needs a scene (mote examples lists built-in ones)"
                      : "run takes one scene (mote help run)");
    return EXIT_USAGE;
  }
  if (ledger) set[sets.count++] = set_ledger;
  o.scene = argv[1];
  o.set = set, o.sets = sets.count;
  o.resume = o.resume || o.from_frame > 0;
  if (!options_agree(&o) || (o.commands != NULL && refuse_pipe(o.commands))) return EXIT_USAGE;
  return run_scene(&o);
}
