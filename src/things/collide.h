// Hard contact, EG09 6.4: keeps particles out of shapes at any speed and in every corner.
//
// A particle that is outside of all obstacles at the beginning of the step is outside at its end, for any
// path, if they are static; no wall is too thin. Its path changes only within `clearance` of an obstacle:
// there it loses the normal component of its motion relative to the wall, and continues along it. Moving
// obstacles are treated in their own frame of reference; a particle between two closing obstacles is placed
// where its penetration is smallest, and counted. Theory: docs/theory/collisions.md
#ifndef MOTE_COLLIDE_H
#define MOTE_COLLIDE_H

#include <mote/search.h>
#include <mote/world.h>

#include "contact/obstacle.h"

#define MOTE_MET_MAX 3  // obstacles that one particle meets in a step, for what they feel of it

// Arrays have one row per particle, vectors three together.
typedef struct mote_collision {
  const mote_obstacle *obstacle;  // standing, or with their poses at both ends of the step; bounded ones last
  size_t obstacles;
  const mote_domain *domain;  // positions are not wrapped here; paths over a periodic side are seen on both
  double images_reach;        // m: images of moving obstacles that are not listed are farther; 0: none are
  double clearance;           // m: nearer no particle comes
  int threads;
  size_t count;
  const double *from;  // when the step began
  double *position;    // where they would be when it ends; then where they are
  float *velocity;
  // Derived state, 0 at first and for new particles: distance that each can move before it can hit an
  // unbounded obstacle, m. Results do not depend on it. Sorted with the particles; null: always test.
  float *wall_distance;
  // Of those that met a bounded obstacle: the numbers of all that they met, in turn, MOTE_MET_MAX a particle,
  // UINT32_MAX behind the last; what the velocity was; and of those that met several, four numbers for each,
  // its velocity's bound v . normal >= least. Null: not asked for.
  uint32_t *met;
  float *velocity_before;
  float *met_plane;
} mote_collision;

typedef struct mote_collision_report {
  size_t touched;         // particles that met an obstacle
  size_t pushed;          // that an obstacle came over, and were put outside of it
  size_t squeezed;        // for which no place outside of all obstacles was found
  size_t first_squeezed;  // the lowest row of these; SIZE_MAX: none
} mote_collision_report;

mote_collision_report mote_collide(const mote_collision *collision);

#endif
