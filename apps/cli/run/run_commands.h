// The commands that steer a run: read from a file, given to the world when they are due, and kept in the
// run's directory as commands.jsonl: those that have taken effect with their steps, then those to come. A run
// that is resumed goes on with them.
#ifndef MOTE_RUN_COMMANDS_H
#define MOTE_RUN_COMMANDS_H

#include <mote/io.h>

#include "cli/run/run_directory.h"

typedef struct run_commands {
  mote_command_file *file;  // null: there are none
  const mote_command *command;
  size_t count;
  size_t kept;  // that had taken effect when the directory's file was written; SIZE_MAX: never
} run_commands;

#define RUN_COMMANDS_NAME "commands.jsonl"

// Reads them, from `path`, or of a run to be resumed from its directory (path null), and checks the names.
// Complains; gives the exit status.
int run_commands_open(run_commands *list, const char *path, const run_directory *directory, bool resume,
                      const mote_scene *scene);
void run_commands_close(run_commands *list);

// Whether those that the world has had are the first of them, and none is due in its past. Complains; gives
// the exit status.
int run_commands_check(const run_commands *list, const mote_world *world);

// Gives the world what is due. Complains; gives the exit status.
int run_commands_give(const run_commands *list, mote_world *world);

// Writes the directory's file where more of them have taken effect. False after a complaint.
bool run_commands_keep(run_commands *list, const run_directory *directory, const mote_world *world);

#endif
