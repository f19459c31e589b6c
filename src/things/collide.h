// Hard contact, EG09 6.4: keeps particles out of shapes at any speed and in every corner.
//
// A particle that is outside of all obstacles at the beginning of the step is outside at its end, for any
// path and any thickness of walls, if they are static. Its path changes only within `clearance` of an
// obstacle: there it loses the normal component of its motion relative to the wall, and continues along it.
// Moving obstacles are swept in coordinates that move with them; a particle between two closing obstacles is
// placed where its penetration is smallest, and counted. Theory: docs/theory/collisions.md
#ifndef MOTE_COLLIDE_H
#define MOTE_COLLIDE_H

#include <mote/search.h>
#include <mote/world.h>

#include "contact/obstacle.h"

#define MOTE_MET_MAX 3  // obstacles that one particle meets in a step, for what they feel of it

// Arrays have one row per particle, vectors three together.
typedef struct mote_collision {
  const mote_obstacle *obstacle;  // fixed, or with their poses at both ends of the step; bounded ones last
  size_t obstacles;
  const mote_domain
      *domain;  // positions are not wrapped here; paths across a periodic side are swept on both sides
  double images_reach;  // m: images of moving obstacles within this distance are listed; 0: none
  double clearance;     // m: smallest distance of particles from obstacles
  int threads;
  size_t count;
  const double *from;  // positions at the step's beginning
  double *position;    // predicted positions at its end; then the final ones
  float *velocity;
  // Derived state, 0 at first and for new particles: distance that each can move before it can hit an
  // unbounded obstacle, m. Results do not depend on it. Sorted with the particles; null: always test.
  float *wall_distance;
  // Of particles that hit a bounded obstacle: the numbers of all obstacles hit, in sequence, MOTE_MET_MAX per
  // particle, UINT32_MAX behind the last; the velocity before; and for those that hit several, four numbers
  // for each obstacle, its velocity's bound v . normal >= least. Null: not needed.
  uint32_t *met;
  float *velocity_before;
  float *met_plane;
} mote_collision;

typedef struct mote_collision_report {
  size_t touched;         // particles in contact with an obstacle
  size_t pushed;          // overtaken by an obstacle, and moved out of it
  size_t squeezed;        // without a position outside of all obstacles
  size_t first_squeezed;  // the lowest row of these; SIZE_MAX: none
} mote_collision_report;

mote_collision_report mote_collide(const mote_collision *collision);

#endif
