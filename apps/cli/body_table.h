// bodies.csv of a run: where its rigid bodies were, frame by frame.
#ifndef MOTE_BODY_TABLE_H
#define MOTE_BODY_TABLE_H

#include <mote/world.h>
#include <stdio.h>

// Of a body's row.
typedef struct body_place {
  double position[3], orientation[4];
} body_place;

typedef struct body_moment {
  double time;
  long offset;  // of its first row in the file
} body_moment;

typedef struct body_table {
  FILE *file;  // null: there is none
  char path[4096];
  body_moment *moment;  // ascending
  size_t moments;
} body_table;

// Of the run in the directory. A run without bodies has none, which is no failure; false after a complaint.
bool body_table_open(body_table *table, const char *directory);
void body_table_close(body_table *table);

// Places of the first `count` bodies at the moment nearest to the time; those that are not in the table stay
// as they are. False after a complaint.
bool body_table_read(body_table *table, double time, body_place *place, size_t count);

#endif
