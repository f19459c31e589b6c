// The path of one particle through a step among the obstacles near it. docs/theory/collisions.md
#ifndef MOTE_SWEEP_H
#define MOTE_SWEEP_H

#include "things/collide.h"
#include "things/sweep_planes.h"

#define MOTE_SEEN_MAX 16  // obstacles that one particle is led around; the nearest of more

// An obstacle in its pose at the end of the step; `start` is the start of the path in its frame of reference.
typedef struct mote_seen {
  const mote_obstacle *obstacle;
  double shift[3];  // from the particle to the image over a periodic side in which it meets the obstacle
  double start[3];  // of what is left of the path
  double distance;  // there
  bool stands;      // in this step
  bool inside;      // was so when the step began: nothing stops it, it is put out at the end
} mote_seen;

// An obstacle that it met, and the plane of its last contact with it.
typedef struct mote_met {
  const mote_obstacle *obstacle;
  mote_contact_plane plane;
} mote_met;

typedef struct mote_contact_path {
  double clearance;
  mote_seen seen[MOTE_SEEN_MAX];
  int count;
  bool crowded;    // there were more to see
  double from[3];  // when the step began
  double to[3];    // where it goes; at last, where it is
  bool pushed, squeezed;
  mote_met met[MOTE_MET_MAX];  // in the order in which it met them first; of more the last gives way
  int mets;
  mote_contact_planes planes;  // that it met, with the walls' speeds
} mote_contact_path;

// The obstacle, its start and distance.
mote_seen mote_seen_make(const mote_obstacle *obstacle, const double shift[3], const double from[3]);
// From x to the obstacle where it is when the step ends; `normal` where not null.
double mote_seen_distance(const mote_seen *seen, const double x[3], double normal[3]);

// Sweeps the particle along its path: `to` is then outside of all listed obstacles, or `squeezed` is set.
void mote_contact_path_walk(mote_contact_path *path);

#endif
