// Validation: cases that measure something and hold it against a published or exact value.
#ifndef MOTE_VALIDATE_H
#define MOTE_VALIDATE_H

#include <mote/base.h>

typedef struct validation validation;

// How a value is held against its reference.
typedef enum measure_kind {
  MEASURE_NEAR,      // |value - reference| <= tolerance
  MEASURE_AT_LEAST,  // value >= reference - tolerance
  MEASURE_SHOWN,     // reported, not judged (tolerance is not read)
} measure_kind;

typedef struct measure {
  const char *name;  // what was measured, e.g. "gradient order, 2D, degree 1"
  measure_kind kind;
  double value, reference, tolerance;
  const char *source;  // "EG09 (8)", "exact", ...
} measure;

// The cases, validate_x() for each row of the table.
#define CASE(x, name, group, summary) void validate_##x(validation *);
#include "validate/case_table.inc"
#undef CASE

void validation_report(validation *v, const measure *m);
// A measure of MEASURE_NEAR, and one of MEASURE_SHOWN.
void validation_near(validation *v, const char *name, double value, double reference, double tolerance,
                     const char *source);
void validation_show(validation *v, const char *name, double value, double reference, const char *source);
// Reports that the case could not be finished: it fails.
void validation_error(validation *v, const mote_error *error);
// Reports that the case measures nothing this time, and why. A case that neither measures nor says this
// fails.
void validation_skip(validation *v, const char *why);
// Shorter sets where that still tests the same.
bool validation_quick(const validation *v);
// Published resolutions and long cases as well.
bool validation_release(const validation *v);
// The environment to compute in.
const mote_env *validation_env(const validation *v);
// Writes "DIR/name" to path when plots are asked for (mote validate -o DIR), else returns false.
bool validation_plot_path(const validation *v, const char *name, char *path, size_t size);

#endif
