// Numbered files: "frame.%04d.vtp", and what many outputs are called.
#ifndef MOTE_SAMPLE_SEQUENCE_H
#define MOTE_SAMPLE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

// Inputs and outputs, one for one.
typedef struct sequence {
  char **input, **output;
  size_t count;
} sequence;

// Whether the name holds a %d or %04d.
bool sequence_is_pattern(const char *name);
// Such a name with its number; to be freed.
char *sequence_name(const char *pattern, long number);
// The name with this number; and the numbers of the files that are there, ascending. Both to be freed.
char *sequence_name(const char *pattern, long number);
long *sequence_find(const char *pattern, size_t *count);
// Pairs the inputs with outputs: a pattern with a pattern, several files with a pattern (numbered from 1) or
// with a directory, where they have the ending `format` (null: an error). Complains; gives the exit status.
int sequence_make(int inputs, char **input, const char *output, const char *format, sequence *out);
void sequence_free(sequence *sequence);

#endif
