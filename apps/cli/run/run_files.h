// The names of the files that a run makes, as patterns between blanks: # is a frame's number, frames=N the
// last one. They stand in the scene that a run keeps, so that a later run knows which files of a directory
// are the run's and which the user's.
#ifndef MOTE_RUN_FILES_H
#define MOTE_RUN_FILES_H

#include <mote/scene.h>
#include <stdbool.h>
#include <stddef.h>

// What any run may have made: of directories that do not say.
extern const char run_files_any[];

// Those of this scene with so many frames, of a run that commands steer, and those of `earlier` (null: none).
// To be freed; null when memory is out.
char *run_files_list(const mote_scene *scene, size_t frames, bool steered, const char *earlier);
// Whether the name is one of them, also while it is written (NAME.part); *frame is 0 where it has none.
bool run_files_match(const char *files, const char *name, size_t *frame);

// The line of a kept scene that holds them.
#define RUN_FILES_MARK "# Its files: "
// From that line of a file; null where it has none.
char *run_files_read(const char *path);

#endif
