// What the cases that judge surfaces share: one surface of a set of particles, lines of the report, a table.
#ifndef MOTE_SURFACE_TRIAL_H
#define MOTE_SURFACE_TRIAL_H

#include <mote/surface.h>
#include <stdio.h>

#include "validate/surfaces/particle_sets.h"
#include "validate/validate.h"

// The library's defaults for the method, with the spacing known.
mote_surface_def trial_def(mote_surface_method method, double spacing, double cell);

// A surface with its normals. Reports what went wrong and returns false. stats may be null.
bool trial_build(validation *v, const mote_surface_def *def, const mote_surface_particles *particles,
                 mote_surface *out, mote_surface_stats *stats);
bool trial_build_set(validation *v, const mote_surface_def *def, const particle_set *set, mote_surface *out);

// A shape that must exist: reports and returns null else.
mote_shape *trial_shape(validation *v, const mote_shape_def *def);

// "what, of, method" into the report; `judged` false: shown only.
void trial_report(validation *v, bool judged, const char *what, const char *of, mote_surface_method method,
                  double value, double reference, double tolerance, const char *source);

// DIR/name for a table when one is asked for, else null; `head` is its first line. Closed by trial_table_end,
// which reports a failure.
FILE *trial_table(validation *v, const char *name, const char *head);
void trial_table_end(validation *v, FILE *table);

#endif
