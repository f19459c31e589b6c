// Handles: regions that move as rigid bodies, and points. docs/theory/deformation.md, "Rigid handles",
// "Walk".
#ifndef MOTE_DEFORM_HANDLES_H
#define MOTE_DEFORM_HANDLES_H

#include "deform/deform_data.h"
#include "geom/quaternion.h"

// x -> rotation (x - pivot) + image
typedef struct mote_deform_transform {
  double rotation[9], pivot[3], image[3];
} mote_deform_transform;

void mote_deform_grip_transform(const mote_deform_grip *grip, bool at_goal, mote_deform_transform *out);

// A handle of all vertices, which the deformation does not know.
mote_result mote_deform_grip_of_all(mote_deform *deform, mote_deform_grip *out, mote_error *error);
void mote_deform_grip_free(const mote_env *env, mote_deform_grip *grip);
// All handles to their rest poses.
void mote_deform_grips_reset(mote_deform *deform);
// Moves all handles one increment towards their poses; returns false where they are there.
bool mote_deform_walk(mote_deform *deform, double angle, double length);

// Whether a handle has not reached its pose.
bool mote_deform_walk_left(const mote_deform *deform);

#endif
