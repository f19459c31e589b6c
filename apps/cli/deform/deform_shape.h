// A mesh file that is deformed by handles: what `mote deform` and `mote animate` share.
#ifndef MOTE_DEFORM_SHAPE_H
#define MOTE_DEFORM_SHAPE_H

#include <mote/deform.h>
#include <mote/io.h>
#include <mote/model.h>

#include "cli/base/cli.h"

// Options of both commands.
typedef struct deform_options {
  const char *output;
  bool overwrite, json, quiet, force;
  const char *set[64];
  size_t sets;
  int threads;  // 0: of the environment
} deform_options;

// Takes them, and those of `more` (ends with a null name), out of argv. False after a complaint.
bool deform_options_parse(int *argc, char **argv, const option *more, deform_options *out);

// A region of the mesh.
typedef struct deform_region {
  uint32_t *row;  // of the model's mesh
  size_t count;
  double middle[3];  // of its bounds
} deform_region;

typedef struct deform_shape {
  const char *path;       // of the mesh; null: the shape of the edits
  mote_scene_file *file;  // EDITS or KEYS
  const mote_edits *edits;
  const char *prefix;  // of the edits' keys in the file: "" or "deform."
  mote_env env;
  mote_model *model;
  mote_deform *deform;
  deform_region *region;   // of each handle, which has its number
  double *moved, *turned;  // rows; turned: null where the file has no normals
  double volume, seconds_begin;
  bool force;  // poses count although their solve did not converge
} deform_shape;

// Reads EDITS or, with `keys`, KEYS: a file, or one of the built-in ones. Complains; gives the exit status.
int deform_shape_read(deform_shape *shape, const char *word, bool keys, const char *const *set, size_t sets);
// Reads the mesh, places the nodes and finds the regions. Complains; gives the exit status.
int deform_shape_open(deform_shape *shape);
void deform_shape_close(deform_shape *shape);
// Of the mesh's file, or "shape".
const char *deform_shape_name(const deform_shape *shape);

// How a solve went.
typedef struct deform_result {
  mote_deform_report report;  // iterations and evaluations of all its calls
  double seconds;
  bool stopped;  // by the user
} deform_result;

// Goes from rest to the poses of the edits; `poses` (null: none) takes the place of those that it names.
// Handles without a pose are free. `note`: for the progress, or null.
typedef void deform_note_fn(void *user, double part);
int deform_shape_solve(deform_shape *shape, const mote_handle_def *poses, size_t count, deform_note_fn *note,
                       void *user, deform_result *out);
// Complains where it has not converged, after `where` (a key of a motion, or ""); gives the exit status.
int deform_shape_check(const deform_shape *shape, const char *where, const deform_result *result, bool force);
// Names the parts that are tied to others.
void deform_shape_list_ties(const deform_shape *shape);

// A complaint about the value of a key in the file, e.g. "handles.head.group".
int deform_shape_complain(const deform_shape *shape, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same about an error of the library, which names its key.
int deform_shape_error(const deform_shape *shape, mote_error *error);

// Whether the file may be written: it is not there, or may be replaced, and is none of the inputs.
int deform_check_output(const char *path, const char *mesh, const char *edits, bool overwrite);

#endif
