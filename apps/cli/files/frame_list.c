// Frames of a run: see frame_list.h.
#include "cli/files/frame_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/files/input_file.h"

frame_row *frame_list_read(const char *directory, size_t *count) {
  char path[INPUT_PATH], line[4096];
  frame_row *row = NULL;
  size_t capacity = 0;
  *count = 0;
  snprintf(path, sizeof path, "%s/totals.csv", directory);
  FILE *file = fopen(path, "r");
  if (file == NULL) return NULL;
  while (fgets(line, sizeof line, file) != NULL) {
    char *end;
    double time = strtod(line, &end);
    if (end == line || *end != ',') continue;  // the names of the columns
    if (*count == capacity) {
      capacity = 2 * capacity + 64;
      row = realloc(row, capacity * sizeof *row);
      if (row == NULL) abort();
    }
    row[(*count)++] = (frame_row){time, strtoull(end + 1, NULL, 10)};
  }
  fclose(file);
  return row;
}
