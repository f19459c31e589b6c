// Newton's method on the contacts of an island: see contact_direct.h, which decides where it is used. Theory:
// docs/theory/bodies.md, "The solver"
#ifndef MOTE_CONTACT_NEWTON_H
#define MOTE_CONTACT_NEWTON_H

#include "contact/contact_direct.h"
#include "contact/contact_islands.h"

// A contact in the scaled velocities y, v = start + W y with W W^T the inverse mass: 1 normal, 2 tangents.
typedef struct mote_newton_row {
  size_t number;   // of the row
  uint32_t at[2];  // bodies of the island; UINT32_MAX: an obstacle
  double J[3][2][6];
  double start[3];        // relative velocity without impulses
  double about[3], x[3];  // impulses about which it is linearised; trial impulses
  double softness[3], compliance[3];
  double impulse[3], friction;
  double limit;                   // of friction
  double along[2], most, factor;  // of the friction that is assembled
  bool pressed;
} mote_newton_row;

typedef struct mote_newton {
  const mote_contact_rows *s;
  const mote_contact_direct *def;
  mote_island island;
  double (*root)[7];  // of each body: root of the inverse mass; lower triangle of that of the inverse inertia
  double heaviest;    // least inverse mass of its bodies
  mote_newton_row *row;
  size_t rows;
  double need;                      // m/s: changes of a velocity that are small enough
  double *matrix, *rhs, *y, *last;  // of the envelope; 6 numbers a body
} mote_newton;

// For the island and def that are set.
mote_result mote_newton_make_rows(mote_newton *w, mote_arena *scratch, mote_error *error);

// Finds the impulses of the rows; false: no convergence. `follow`: limits of friction follow the normal
// impulses within the iteration; else they start at 0 and are fixed in each iteration, which is slower but
// converges more often.
bool mote_newton_solve(const mote_newton *w, bool follow);

#endif
