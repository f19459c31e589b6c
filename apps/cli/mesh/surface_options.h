// The options of surfaces that mote mesh and mote render take: those of `outputs: surface:`, from the same
// table of keys. A key `tag_count` is --tag-count; a switch that is on by default is --no-NAME.
#ifndef MOTE_SURFACE_OPTIONS_H
#define MOTE_SURFACE_OPTIONS_H

#include <mote/keys.h>

#include "cli/base/cli.h"

#define SURFACE_OPTIONS 32

typedef struct surface_option {
  const mote_scene_key *key;
  char name[32];
  const char *text;  // null: not given
  bool flag;
  int number;
  double metres;  // of a length that was given in m, else NaN
} surface_option;

typedef struct surface_options {
  mote_surface_def def;
  bool walls;
  surface_option option[SURFACE_OPTIONS];
  int count;
} surface_options;

// Sets the defaults and appends the options to a command's own table, which has room for SURFACE_OPTIONS
// more. Options that the command has itself are left out. The table points into `options`.
void surface_options_begin(surface_options *options, option *table);
// After the words were read: fills in def and walls. Complains.
bool surface_options_read(surface_options *options);
// Whether the key was given.
bool surface_options_given(const surface_options *options, const char *key);
// Whether a length was given in m.
bool surface_options_metric(const surface_options *options);
// Lengths in m become spacings, now that the spacing is known.
void surface_options_scale(const surface_options *options, mote_surface_def *def, double spacing);

#endif
