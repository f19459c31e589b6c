// Motion between keys inside: docs/theory/deformation.md, "Motion".
#ifndef MOTE_DEFORM_MOTION_H
#define MOTE_DEFORM_MOTION_H

#include "deform/deform_data.h"

#define MOTE_MOTION_REACH 16  // frames that a time depends on, at most

// The frame of reference x = R(t) y + c(t), y = X - origin + u', and its time derivatives.
typedef struct mote_moving_frame {
  double rotation[3][9], move[3][3];  // of order 0, 1, 2
} mote_moving_frame;

// Natural cubic splines of rotation vectors and centres through the keys that have them:
// deform_moving_frame.c
typedef struct mote_motion_path {
  size_t count;
  double *time, *value, *second;  // six numbers each: rotation vector, centre
  double first_rotation[9];       // the rotation vectors are relative to it
  double origin[3];
} mote_motion_path;

// What the displacement at a time depends on: EG09 (80), values and two derivatives.
typedef struct mote_motion_row {
  int count;
  uint32_t frame[MOTE_MOTION_REACH];
  double value[MOTE_MOTION_REACH], slope[MOTE_MOTION_REACH], bend[MOTE_MOTION_REACH];
} mote_motion_row;

struct mote_deform_motion {
  mote_env env;
  mote_arena memory, round;  // round: what depends on the number of frames
  mote_deform_motion_def def;
  size_t nodes, unknowns;  // unknowns: of a frame
  double start, length;    // s
  mote_deform_key *key;    // copies
  size_t keys;
  mote_deform_obstacle *obstacle;
  size_t obstacles;
  double *radius;  // of the nodes: covers their share of the shape, m
  mote_motion_path path;
  // Keys in the frame of reference: deform_motion.c
  double *key_target;    // u' of the nodes, for each key
  double *key_velocity;  // velocities in the axes of the frame of reference, for each key
  mote_moving_frame *key_moving_frame;
  // Frames: of this round
  size_t frames;
  double *time, *support, *share;  // share: of the length, their sum is 1
  double *unknown;                 // u' coefficients, frames x unknowns
  mote_motion_row *at_frame, *at_key;
  mote_moving_frame *moving;  // of reference, at the frames
  double *field, *force;      // of an evaluation: u' at the frames, and the derivative by it
  double *smooth;             // frames x frames: integral of the products of second time derivatives
  double *part;               // energies and penetration at the frames, 8 each
  double *node;               // scratch of evaluations at any time
};

void mote_moving_frame_at(const mote_motion_path *path, double t, mote_moving_frame *out);
// At times and supports of frames; `count` 1, 2: constant, linear.
void mote_motion_row_at(const double *time, const double *support, size_t count, double t,
                        mote_motion_row *out);
void mote_motion_supports(const double *time, size_t count, double *support);
mote_result mote_motion_path_make(mote_deform_motion *motion, mote_error *error);

// Signed distance of x from all obstacles at time t, negative inside, and its gradient.
double mote_motion_distance(const mote_deform_motion *motion, const double x[3], double t, double normal[3]);

// Where node i is, with displacements u' in the frame of reference.
void mote_motion_place(const mote_deform_motion *motion, const mote_moving_frame *moving, const double *u,
                       size_t i, double out[3]);

// EG09 (85) at the unknowns, and the gradient where not null.
double mote_motion_evaluate(mote_deform_motion *motion, const double *unknown,
                            mote_deform_motion_report *report, double *gradient);
// Energy per length of time at any time, without keys and velocities, and the deepest penetration.
double mote_motion_density(const mote_deform_motion *motion, double t, double *node, double *penetration);
// Takes new frames: fills all that belongs to them but the unknowns.
mote_result mote_motion_set_frames(mote_deform_motion *motion, const double *time, size_t count,
                                   mote_error *error);

#endif
