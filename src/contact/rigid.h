// One rigid body: its mass properties, and its free motion. The state (position of its reference point,
// orientation as a unit quaternion, velocity, angular momentum about the reference point) belongs to the
// caller. Theory: docs/theory/bodies.md
#ifndef MOTE_RIGID_H
#define MOTE_RIGID_H

#include <mote/geom.h>
#include <mote/world.h>

// Constant. A body that cannot move, or not rotate about an axis, has an inverse of 0.
typedef struct mote_rigid {
  double mass, inverse_mass;
  double inverse_moment[3];
  double axes[9];       // principal axes in columns, in the defined pose
  double reference[3];  // the centre of mass, or a point of the hinge, in the defined pose
  double lever[3];      // from the reference point to the centre of mass
} mote_rigid;

// Free to move and rotate; in 2D within the plane.
mote_rigid mote_rigid_free(const mote_moments *moments, double density, int dimensions);
// Never moves.
mote_rigid mote_rigid_fixed(const mote_moments *moments, double density);
// Rotates about the unit vector `axis` through `point`.
mote_rigid mote_rigid_hinged(const mote_moments *moments, double density, const double point[3],
                             const double axis[3]);

bool mote_rigid_moves(const mote_rigid *body);

// At orientation q: the inverse inertia in world coordinates, by rows; the angular velocity of momentum L;
// the angular momentum of `spin`. Directions about which the body cannot rotate give 0.
void mote_rigid_inverse_inertia(const mote_rigid *body, const double q[4], double inverse[9]);
void mote_rigid_spin(const mote_rigid *body, const double q[4], const double L[3], double spin[3]);
void mote_rigid_momentum(const mote_rigid *body, const double q[4], const double spin[3], double L[3]);

// Adds an angular impulse, N m s, about the axes on which the body rotates.
void mote_rigid_add_angular_impulse(const mote_rigid *body, const double q[4], const double impulse[3],
                                    double L[3]);
// Adds the impulse of gravity in a step of dt.
void mote_rigid_add_gravity(const mote_rigid *body, const double q[4], const double gravity[3], double dt,
                            double velocity[3], double L[3]);

// Free rotation for dt seconds at constant L, by any angle: exact where two moments are equal; otherwise in
// parts small enough for the flips of a box, with the energy exact.
void mote_rigid_turn(const mote_rigid *body, const double L[3], double dt, double q[4]);
// Rotates by the vector `angle`, rad.
void mote_rigid_rotate(const double angle[3], double q[4]);
// The same, and the angular momentum with it, which keeps the energy.
void mote_rigid_rotate_moving(const double angle[3], double q[4], double L[3]);

// From the defined to the current pose.
mote_pose mote_rigid_pose(const mote_rigid *body, const double position[3], const double q[4]);

double mote_rigid_energy(const mote_rigid *body, const double q[4], const double velocity[3],
                         const double L[3]);

#endif
