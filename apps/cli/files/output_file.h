// Files that a command writes: never an input, and an existing file only if it may be replaced.
#ifndef MOTE_OUTPUT_FILE_H
#define MOTE_OUTPUT_FILE_H

#include <stdbool.h>

#include "cli/files/sequence.h"

// Whether this file may be written; makes its directory. `choices` is what an existing file leaves to do,
// null:
// --overwrite. Complains; gives the exit status.
int output_check(const char *path, bool overwrite, const char *choices);
// The same for all outputs of a sequence, which must differ from each other and from all inputs, and from
// `besides`, which is also read (null: none).
int output_check_all(const sequence *files, const char *besides, bool overwrite);
// Whether the output is one of the files that are read (null: none); complains.
bool output_is_read(const char *path, const char *input);

#endif
