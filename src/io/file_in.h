// Whole files in memory, uncompressed where they were packed by gzip.
#ifndef MOTE_FILE_IN_H
#define MOTE_FILE_IN_H

#include "io/io_base.h"

// FILE: missing, a directory, unreadable; FORMAT: empty, damaged gzip.
mote_result mote_file_in_load(const char *path, const mote_env *env, mote_buffer *out, mote_error *error);

#endif
