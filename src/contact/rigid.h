// One rigid body: what it is, and how it moves by itself. The state (position of its reference point,
// orientation as a unit quaternion, velocity, angular momentum about the reference point) belongs to the
// caller. Theory: docs/theory/bodies.md
#ifndef MOTE_RIGID_H
#define MOTE_RIGID_H

#include <mote/geom.h>
#include <mote/world.h>

// Never changes. What may not move, or not turn about an axis, has an inverse of 0.
typedef struct mote_rigid {
  double mass, inverse_mass;
  double inverse_moment[3];
  double axes[9];       // in columns: those of the moments, where the body was defined
  double reference[3];  // the centre of mass, or a point of the hinge, where the body was defined
  double lever[3];      // from there to the centre of mass
} mote_rigid;

// Free to move and turn; in 2D in the plane.
mote_rigid mote_rigid_free(const mote_moments *moments, double density, int dimensions);
// Never moves.
mote_rigid mote_rigid_fixed(const mote_moments *moments, double density);
// Turns about the unit vector `axis` through `point`.
mote_rigid mote_rigid_hinged(const mote_moments *moments, double density, const double point[3],
                             const double axis[3]);

bool mote_rigid_moves(const mote_rigid *body);

// Of the orientation q: the inverse of the inertia in the world, by rows; angular velocity of the momentum L,
// and the momentum of the velocity, as far as the body turns.
void mote_rigid_inverse_inertia(const mote_rigid *body, const double q[4], double inverse[9]);
void mote_rigid_spin(const mote_rigid *body, const double q[4], const double L[3], double spin[3]);
void mote_rigid_momentum(const mote_rigid *body, const double q[4], const double spin[3], double L[3]);

// Adds an angular impulse, as far as the body turns.
void mote_rigid_twist(const mote_rigid *body, const double q[4], const double impulse[3], double L[3]);
// Adds gravity's part of a step.
void mote_rigid_pull(const mote_rigid *body, const double q[4], const double gravity[3], double dt,
                     double velocity[3], double L[3]);

// Turns by itself for dt seconds; L stays (Dullweber, Leimkuhler & McLachlan 1997).
void mote_rigid_turn(const mote_rigid *body, const double L[3], double dt, double q[4]);
// Turns by the vector `angle`, rad.
void mote_rigid_rotate(const double angle[3], double q[4]);

// Where the shape as it was defined is now.
mote_pose mote_rigid_pose(const mote_rigid *body, const double position[3], const double q[4]);

double mote_rigid_energy(const mote_rigid *body, const double q[4], const double velocity[3],
                         const double L[3]);

#endif
