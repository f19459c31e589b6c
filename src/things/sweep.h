// The path of one particle through a step among the obstacles near it. docs/theory/collisions.md
#ifndef MOTE_SWEEP_H
#define MOTE_SWEEP_H

#include "things/collide.h"
#include "things/sweep_planes.h"

#define MOTE_SEEN_MAX 16  // obstacles that one particle is led around; the nearest of more

// An obstacle in its pose at the end of the step; `start` is the start of the path in coordinates that move
// with it.
typedef struct mote_seen {
  const mote_obstacle *obstacle;
  double
      shift[3];  // from the particle to its image across a periodic side, which is swept against the obstacle
  double start[3];  // of the rest of the path
  double distance;  // there
  bool stands;      // in this step
  bool inside;      // inside at the step's beginning: not stopped, but moved out at the end
} mote_seen;

// An obstacle in contact, and the plane of the last contact.
typedef struct mote_met {
  const mote_obstacle *obstacle;
  mote_contact_plane plane;
} mote_met;

typedef struct mote_contact_path {
  double clearance;
  mote_seen seen[MOTE_SEEN_MAX];
  int count;
  bool crowded;    // there were more than listed
  double from[3];  // position at the step's beginning
  double to[3];    // predicted position; at the end, the final one
  bool pushed, squeezed;
  mote_met met[MOTE_MET_MAX];  // in the order of first contact; of more the last is replaced
  int mets;
  mote_contact_planes planes;  // of all contacts, with the walls' speeds
} mote_contact_path;

// The obstacle, its start and distance.
mote_seen mote_seen_make(const mote_obstacle *obstacle, const double shift[3], const double from[3]);
// Distance from x to the obstacle in its pose at the step's end; writes `normal` if not null.
double mote_seen_distance(const mote_seen *seen, const double x[3], double normal[3]);

// Sweeps the particle along its path: `to` is then outside of all listed obstacles, or `squeezed` is set.
void mote_contact_path_walk(mote_contact_path *path);

#endif
