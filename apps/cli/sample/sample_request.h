// Where mote sample evaluates: points given, read, on a line or on a grid.
#ifndef MOTE_SAMPLE_REQUEST_H
#define MOTE_SAMPLE_REQUEST_H

#include <mote/base.h>

typedef enum request_kind { REQUEST_POINTS, REQUEST_LINE, REQUEST_GRID } request_kind;

typedef struct sample_request {
  request_kind kind;
  double *point;  // 3 each
  size_t count;
  int size[3];  // of a grid
  double low[3], step;
  bool flat;  // points were given without z
} sample_request;

// As the options say; each null where it was not given, at most one given. Complain and return false.
bool request_at(const char *text, sample_request *out);
bool request_line(const char *text, sample_request *out);
bool request_grid(const char *text, sample_request *out);
// All points of a grid over [low, high].
bool request_cover(const double low[3], const double high[3], double step, sample_request *out);
bool request_points(const char *path, const mote_env *env, sample_request *out);
void request_free(sample_request *request);

// A finite number that is the whole text.
bool parse_number(const char *text, double *value);

#endif
