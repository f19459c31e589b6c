// Which particle files become which surfaces, and the list of them for ParaView.
#ifndef MOTE_MESH_FILES_H
#define MOTE_MESH_FILES_H

#include <mote/io.h>

#include "cli/files/sequence.h"

// What is to be read and written.
typedef struct mesh_wish {
  const char *stem;  // of a run's files: "particles", "elastic"
  size_t
      bare_frames;  // of a run without such files: how many there are; inputs are then named RUN/frame.0001
  frame_range frames;      // of them
  const char *output;      // a file, a pattern, a directory
  const char *format;      // of the files in that; null: not given
  const char *besides;     // a file that is read besides the inputs, or null
  bool overwrite, points;  // points: particles are written, not meshes
} mesh_wish;

// Inputs are files, "frame.%04d.ply", globs that the shell left alone, and directories of runs (their frames;
// where there are no files of particles, the snapshot, or the frames that are said to be). Outputs keep the
// numbers of the inputs. Complains; gives the exit status.
int mesh_files_make(int inputs, char **input, const mesh_wish *wish, sequence *out);

// The last number in the name of a file, -1: none.
long mesh_files_number(const char *path);

// The scene of a run, from its directory; the caller's to destroy. Complains; gives the exit status.
int run_scene_open(const char *directory, const mote_env *env, mote_scene_file **out);

// The surfaces written so far with their times.
typedef struct mesh_series {
  char path[4096];  // empty: there is no list
  const char **name;
  double *time;
  size_t count;
} mesh_series;

// A list where VTP files are written, and more than one.
void mesh_series_open(mesh_series *series, const sequence *files);
// Rewrites the list; files that do not tell a time are at their place in the sequence.
int mesh_series_add(mesh_series *series, const char *output, double time);
void mesh_series_close(mesh_series *series);

// Calls `make` for each of the files, with a list of what is written, until one fails or a stop is asked for;
// complains about what is left. An earlier list is replaced with `overwrite` only.
typedef int mesh_make_fn(void *user, size_t k);
int mesh_series_run(mesh_series *series, const sequence *files, bool overwrite, mesh_make_fn *make,
                    void *user);

#endif
