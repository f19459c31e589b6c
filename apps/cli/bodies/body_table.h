// bodies.csv of a run: positions of its rigid bodies, frame by frame.
#ifndef MOTE_BODY_TABLE_H
#define MOTE_BODY_TABLE_H

#include <mote/world.h>
#include <stdio.h>

// One row.
typedef struct body_place {
  double position[3], orientation[4];
  double velocity[3], spin[3];
} body_place;

typedef struct body_moment {
  double time;
  long offset;  // of its first row in the file
} body_moment;

typedef struct body_table {
  FILE *file;  // null: the run has no bodies
  char path[4096];
  body_moment *moment;  // ascending in time
  size_t moments;
} body_table;

// Opens the table of the run in the directory. A run without bodies has none, which is not an error. Returns
// false after printing an error.
bool body_table_open(body_table *table, const char *directory);
void body_table_close(body_table *table);

// Reads the first `count` bodies at the time nearest to `time`; bodies that are not in the table stay
// unchanged. Returns false after printing an error.
bool body_table_read(body_table *table, double time, body_place *place, size_t count);

#endif
