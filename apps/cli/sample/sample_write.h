// What mote sample found, to a file or to the standard output.
#ifndef MOTE_SAMPLE_WRITE_H
#define MOTE_SAMPLE_WRITE_H

#include "cli/sample/sample_request.h"
#include "cli/sample/sample_set.h"

typedef struct sample_result {
  const sample_request *request;
  const sample_column *column;
  size_t columns;
  mote_stamp stamp;
  int dimensions;
  int slice_axis;  // of pictures of 3D grids
  double slice;    // where; NaN: the middle
  const char *title;
} sample_result;

// Whether the ending can be written for such a request; complains.
bool sample_can_write(const char *path, request_kind kind);
// As the ending says; null: CSV on the standard output. Complains; gives the exit status.
int sample_write(const sample_result *result, const char *path, const mote_env *env);

#endif
