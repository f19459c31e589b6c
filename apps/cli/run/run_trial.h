// A run of a scene's first steps in a temporary directory, which is removed: what mote check measures.
#ifndef MOTE_RUN_TRIAL_H
#define MOTE_RUN_TRIAL_H

#include <mote/io.h>

#include "cli/check/check_budget.h"
#include "cli/check/check_trial.h"

// Makes the world, writes its first frame, makes steps for a moment and writes a frame again. Worlds that
// would need more than `memory` has are tried with a larger spacing; trial->made tells whether that was
// possible. An error is that of a scene that cannot be run.
mote_result run_trial(mote_scene_file *file, const mote_scene *scene, budget *memory, mote_world **world,
                      scene_trial *trial, mote_error *error);

#endif
