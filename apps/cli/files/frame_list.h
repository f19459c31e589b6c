// The frames of a run as its own table says, totals.csv, which has a row for each: also of runs without files
// of particles.
#ifndef MOTE_FRAME_LIST_H
#define MOTE_FRAME_LIST_H

#include <stddef.h>
#include <stdint.h>

typedef struct frame_row {
  double time;  // s
  uint64_t step;
} frame_row;

// Row n is frame n + 1. Null where there are none; free with free().
frame_row *frame_list_read(const char *directory, size_t *count);

#endif
