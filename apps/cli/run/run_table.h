// Tables that grow with a run: comma-separated values, the time first, rows in its order. A table can be cut
// back to an earlier time, to which a run was set back or from which it goes on.
#ifndef MOTE_RUN_TABLE_H
#define MOTE_RUN_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/base/paths.h"

typedef struct run_table {
  FILE *file;
  char path[PATH_CAPACITY];
  char row[2048];
  size_t length;
} run_table;

// Opens the table at the path: a new one with this head (columns, separated by commas, and a first line of
// remarks), or one that is there, cut back to `time`. Complains and returns false.
bool run_table_open(run_table *table, const char *path, const char *head);
bool run_table_reopen(run_table *table, const char *path, const char *head, double time);
void run_table_close(run_table *table);

// Removes the rows after `time`.
bool run_table_cut(run_table *table, double time);

// A row: begin with its time, add values, end it.
void run_table_row(run_table *table, double time);
void run_table_number(run_table *table, double value);
void run_table_text(run_table *table, const char *text);  // a word
void run_table_integer(run_table *table, uint64_t value);
void run_table_numbers(run_table *table, const double *value, int count);
bool run_table_end(run_table *table);

// Until the disk has all rows.
bool run_table_sync(run_table *table);

// The numbers of a table, row by row; null, after a complaint, where it cannot be read. Free with free().
double *run_table_read(const char *path, int columns, size_t *rows);

#endif
