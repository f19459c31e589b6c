// Files that are there whole or not at all: written beside (PATH.part) and renamed. The tool's own small
// ones: snapshots, the run's scene and report.
#ifndef MOTE_PART_FILE_H
#define MOTE_PART_FILE_H

#include <mote/base.h>
#include <stdio.h>

#define PATH_ROOM 4096

typedef struct part_file {
  FILE *file;
  char path[PATH_ROOM], part[PATH_ROOM + 8];
} part_file;

// Complains and returns false when the file cannot be made.
bool part_file_open(part_file *out, const char *path);
// Of mote_world_write_fn's kind; `out` is a part_file. Keeps silent: closing tells.
bool part_file_write(void *out, const void *bytes, size_t size);
// Waits until the disk has it, and renames. On failure what was at the path before is still there, and this
// complains.
bool part_file_close(part_file *out);
// Leaves what was at the path before.
void part_file_drop(part_file *out);

// A whole file at once.
bool part_file_put(const char *path, const char *text, size_t size);

#endif
