// A leg of a steered motion: from one pose on at a constant velocity and spin, without end or until it
// reaches another pose. Theory: docs/steering.md, "Colliders"
#ifndef MOTE_MOTION_LEG_H
#define MOTE_MOTION_LEG_H

#include <mote/world.h>

typedef struct mote_motion_leg {
  double begin, end;  // s; end infinite: no other pose
  mote_pose from, to;
  double velocity[3], spin[3];  // m/s of the pivot; rad/s
} mote_motion_leg;

mote_motion_leg mote_motion_leg_free(const mote_pose *from, double begin, const double velocity[3],
                                     const double spin[3]);
// `turn`: the rotation at the end, axis times angle. The shortest rotation.
mote_motion_leg mote_motion_leg_to(const mote_pose *from, double begin, const double move[3],
                                   const double turn[3], double seconds);

mote_pose mote_motion_leg_at(const mote_motion_leg *leg, double t);

// Rodrigues' formula: rotation by `angle` about the unit vector `axis`, by rows.
void mote_turn_about(const double axis[3], double angle, double R[9]);
// Axis times angle of a rotation, at most pi.
void mote_turn_vector(const double R[9], double out[3]);

#endif
