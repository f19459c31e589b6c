// Jumps of a tracked surface: what a vertex moves along its normal in a step beside the flow that carries it.
// Projections, fairing, edge operations and untangling make them; away from changes of topology none may be
// seen.
#ifndef MOTE_TRACK_JUMPS_H
#define MOTE_TRACK_JUMPS_H

#include <mote/surface.h>

#define JUMP_MOST 0.25  // spacings

typedef struct track_point {
  double x[3];
  size_t frame;
} track_point;

typedef struct track_points {
  track_point *point;
  size_t count, capacity;
} track_points;

bool track_points_add(track_points *points, const double x[3], size_t frame);
// How many have no event within `reach` in the same frame or one beside it.
size_t track_points_away(const track_points *points, const track_points *events, double reach);
void track_points_free(track_points *points);

typedef struct track_jumps {
  double spacing, low[3], high[3];  // walls; infinite where there are none
  double largest;                   // spacings
  size_t at_walls;                  // jumps of vertices within a spacing of one: they become wet
  track_points jumps;               // all others farther than JUMP_MOST
  double *position;                 // of the step before, 3 each
  uint64_t *id;                     // of the same rows
  size_t rows, capacity;
  uint32_t *row_of;  // by id: 1 + its row in the step before, or 0
  size_t ids;
} track_jumps;

// The surface after a step of dt (its fields id and velocity are read), in a frame. False: memory is out.
bool track_jumps_measure(track_jumps *j, const mote_surface *surface, double dt, size_t frame);
void track_jumps_free(track_jumps *j);

#endif
