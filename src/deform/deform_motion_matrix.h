// The preconditioner of a motion's solver: docs/theory/deformation.md, "Motion".
#ifndef MOTE_DEFORM_MOTION_MATRIX_H
#define MOTE_DEFORM_MOTION_MATRIX_H

#include "deform/deform_motion.h"

// T (x) 1 + B (x) H: T of keys, velocities and acceleration, exact; B of the shape functions at the frames; H
// the second derivatives of rigidity and volume at one state, positive part. With B = Z Z^T and T = Z M Z^T,
// M diagonal, it is inverted by a matrix of the size of one frame for each entry of M. What concerns some
// nodes only, keys of a part of the shape and contact with obstacles, is a correction of low rank, U U^T.
typedef struct mote_motion_matrix {
  size_t frames, unknowns, stride;
  double *inverse;  // Z^-1, frames x frames
  double *mode;     // M
  double *factor;   // of H + M_k, one after the other
  double *work;     // frames x unknowns
  // The correction: deform_motion_rank.c
  size_t rank;
  double *reach;  // the inverse of the above times U, rank x frames x unknowns
  double *small;  // 1 + U^T reach, its Cholesky factor, rank x rank
  double *part;   // rank numbers, scratch
  const mote_env *env;
} mote_motion_matrix;

// Lower triangle of the Cholesky factor in place, the rest is not touched; false where it has none.
bool mote_motion_cholesky(double *a, size_t n);

// For the frames that there are. False where a factor fails.
mote_result mote_motion_matrix_make(mote_deform_motion *motion, mote_arena *memory, mote_motion_matrix *out,
                                    mote_error *error);
// The correction for the state that there is, in `memory`; again after contacts have changed.
mote_result mote_motion_rank_make(mote_deform_motion *motion, mote_motion_matrix *matrix, mote_arena *memory,
                                  mote_error *error);
// Without and with the correction.
void mote_motion_matrix_solve_whole(const mote_motion_matrix *matrix, double *x);
void mote_motion_matrix_solve(const mote_motion_matrix *matrix, double *x);

#endif
