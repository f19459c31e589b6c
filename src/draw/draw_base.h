// Shared by the drawing code: points and paths; failures, memory and files are io_base.h's.
#ifndef MOTE_DRAW_BASE_H
#define MOTE_DRAW_BASE_H

#include <mote/draw.h>

#include "io/io_base.h"

typedef struct mote_point2 {
  double x, y;
} mote_point2;

// Runs of points, each ended by a break: a point that is not a number.
typedef struct mote_path {
  mote_buffer points;
} mote_path;

mote_path mote_path_make(const mote_env *env);
void mote_path_free(mote_path *path);
void mote_path_clear(mote_path *path);
void mote_path_add(mote_path *path, double x, double y);
void mote_path_break(mote_path *path);
size_t mote_path_count(const mote_path *path);
const mote_point2 *mote_path_points(const mote_path *path);

// Walks the runs of a path: the first run at or after *at, moved behind it; false when there is none.
bool mote_path_run(const mote_path *path, size_t *at, const mote_point2 **run, size_t *count);

#endif
