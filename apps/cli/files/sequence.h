// Numbered files: "frame.%04d.vtp", and what many outputs are called.
#ifndef MOTE_SEQUENCE_H
#define MOTE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

// Inputs and outputs, one for one.
typedef struct sequence {
  char **input, **output;
  size_t count;
} sequence;

// Whether the name holds a %d or %04d.
bool sequence_is_pattern(const char *name);
// The name with this number; and the numbers of the files that are there, ascending. Both to be freed.
char *sequence_name(const char *pattern, long number);
long *sequence_find(const char *pattern, size_t *count);
// Pairs the inputs with outputs: a pattern with a pattern, several files with a pattern (numbered from 1) or
// with a directory, where they have the ending `format` (null: an error). Complains; gives the exit status.
int sequence_make(int inputs, char **input, const char *output, const char *format, sequence *out);
void sequence_free(sequence *sequence);

// Some of many frames, as --frames has them.
typedef struct frame_range {
  long first, last, step;  // first 0: the lowest there is; step 0: all of them
} frame_range;

// "5", "1:100", "1:100:5". Complains and returns false.
bool frame_range_read(const char *text, frame_range *out);
// `lowest`: number of all frames there are.
bool frame_range_has(const frame_range *range, long lowest, long number);

#endif
