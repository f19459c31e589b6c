// Projection of a motion onto contacts: the nearest vector that satisfies a few planes.
#ifndef MOTE_SWEEP_PLANES_H
#define MOTE_SWEEP_PLANES_H

#include <stdbool.h>

#define MOTE_CONTACT_PLANES_MAX 8

// Allows v with v . normal >= least; the normal is a unit vector.
typedef struct mote_contact_plane {
  double normal[3], least;
} mote_contact_plane;

typedef struct mote_contact_planes {
  mote_contact_plane plane[MOTE_CONTACT_PLANES_MAX];
  int count;
} mote_contact_planes;

// Adds a plane; equal planes are merged with the larger bound. If there are too many the last is replaced.
void mote_contact_planes_add(mote_contact_planes *planes, const double normal[3], double least);

// The allowed vector nearest to v; `bounds` false: all bounds are 0. False when none is allowed (walls that
// close on each other): then out is the allowed vector of the last plane alone. out may be v.
bool mote_contact_planes_project(const mote_contact_planes *planes, bool bounds, const double v[3],
                                 double out[3]);

#endif
