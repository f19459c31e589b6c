// What the particles of elastic bodies touch: solids (walls, colliders, rigid bodies) by their distance
// fields, and each other as balls. A tick finds records, planes that hold for the tick; their energy, forces
// and stiffness go into explicit substeps or the implicit step. Rigid bodies that are touched move within the
// tick: they are unknowns like the particles. Theory: docs/theory/solids.md, Contact
#ifndef MOTE_ELASTIC_CONTACT_H
#define MOTE_ELASTIC_CONTACT_H

#include <mote/search.h>

#include "contact/contact.h"
#include "elastic/elastic_body.h"
#include "elastic/elastic_external.h"

#define MOTE_TOUCH_STILL UINT32_MAX  // what nothing moves

// One elastic body among those that are stepped together. Their particles lie one after the other in all
// arrays, in this order.
typedef struct mote_soft_part {
  const mote_elastic *body;  // as it was at first: its faces, and whose neighbours do not touch
  const double *rest;  // positions at rest, where pairs that are not joined may be nearer than two balls; or
                       // null
  double friction;
  bool alone;  // does not touch itself
} mote_soft_part;

// Particle i and something else. A ball is met by both: it has a record from each end, with opposite bits.
typedef struct mote_touch {
  uint32_t i;
  uint32_t other;    // number of the solid, or of the particle
  uint32_t mover;    // which of the set's movers the solid is
  bool ball;         // a particle
  double normal[3];  // out of the other
  double gap;        // m, when the tick began; negative: overlap
  double motion[3];  // velocity of the solid there, without what the touch does to it, m/s
  double arm[3];     // from the solid's reference point to the particle
  double stiff;      // N/m
  double bar;        // N/m: what is added to it beyond an overlap of `depth` m
  double depth;
  double friction;
  double slip[3];        // how far the surface stuck to the other is dragged along, from earlier ticks, m
  double press;          // the normal force of which friction is a part, N
  double impulse[3];     // what i got in the tick, N s
  double hold, drag[6];  // of the stiffness: along the normal, and by the plane (xx xy xz yy yz zz), N/m
} mote_touch;

// A rigid body that is touched. Its change of place in the tick, beyond its own velocity's, is (root_mass p,
// root_inertia q) with unknowns p, q of mass 1: what cannot move has roots of 0.
typedef struct mote_touch_mover {
  uint32_t solid;
  double root_mass, root_inertia[9];
  double still[3];  // the rate of p at which it stays where it is
  // What it got in the tick, about its reference point; and by how much farther it goes and turns in the tick
  // than the velocities that it has then make in so many seconds.
  double impulse[3], twist[3], shift[3], turn[3];
  double diagonal[2];  // of its part of the stiffness
} mote_touch_mover;

// Slips that outlive the tick: the state of touching. By ascending (i, ball, other).
typedef struct mote_touch_memory {
  uint32_t i, other;
  bool ball;
  double slip[3];
} mote_touch_memory;

typedef struct mote_touch_chunk {
  mote_touch *touch;
  size_t count, capacity;
  double deepest;
  mote_result result;
} mote_touch_chunk;

typedef struct mote_soft_touch {
  mote_elastic_external external;  // itself, as elastic steps use it
  mote_env env;
  mote_arena memory_of_all;  // of what never changes
  int dimensions;
  mote_soft_part *part;
  size_t *start;  // first particle of each part, and the number of all
  size_t parts, count;
  double *radius;  // of the balls
  double *face;    // at rest: second moments times the unit vector out of the body, three each
  double *flat;    // how flat the surface is at a particle: 1, edges and inside 0
  double *normal;  // now; of particles on the surface
  uint32_t *part_of;
  uint32_t *surface;  // particles on the surface, ascending
  size_t surfaces;
  double largest;  // ball

  // Of the tick.
  double *begin;      // positions when it began
  mote_touch *touch;  // by ascending (i, ball, other)
  size_t touches;
  size_t *row;  // records of the r-th particle that has any: row[r] .. row[r + 1] - 1
  size_t rows;
  mote_touch_mover *mover;
  size_t movers;
  size_t *mover_first;  // their records
  uint32_t *mover_touch;
  double pull[3];          // m/s^2: that the tick has added to the solids' velocities already; set by the
                           // caller before finding, at first 0. Explicit steps add it bit by bit
  double tick, since;      // s: its length, and how much of it is over
  double travel;           // m: how far particles go in it at most
  const uint8_t *stepped;  // parts that the tick is for, set by the caller before finding; null: all. The
                           // others touch nothing, and keep what friction remembers of them
  double *place, *speed, *push;       // p, q of all movers, their rates and forces, six each
  mote_touch_memory *memory, *fresh;  // of the last tick, and room for that of this one
  size_t memories;

  mote_grid *grid;
  double grid_radius;
  mote_touch_chunk *chunk;
  double *listed;  // positions of the balls in the grid,
  uint32_t *list;  // and their numbers
  uint8_t *near;   // solids near each part
  uint32_t *slot;  // of solids: their mover
  size_t chunks, touch_held, row_held, mover_held, first_held, mover_touch_held, place_held, speed_held,
      push_held;
  size_t memory_held, fresh_held, listed_held, list_held, near_held, slot_held;
} mote_soft_touch;

// `rest` and the parts' bodies must outlive it.
mote_result mote_soft_touch_create(const mote_soft_part *part, size_t parts, const mote_env *env,
                                   mote_soft_touch **out, mote_error *error);
void mote_soft_touch_destroy(mote_soft_touch *set);
static inline bool mote_soft_touch_steps(const mote_soft_touch *set, size_t part) {
  return set->stepped == NULL || set->stepped[part] != 0;
}

// --- Finding: elastic_contact_find.c
// -----------------------------------------------------------------------------

// Begins a tick of scene->dt seconds: all records of particles now at `position` of which none goes farther
// than `travel` m in it. Solids go with the velocities that they would have in the tick if nothing soft
// touched them (gravity's part included). Reads scene's solids, bodies, dt, domain, threads.
mote_result mote_soft_touch_find(mote_soft_touch *set, const mote_contact_scene *scene,
                                 const double *position, double travel, mote_error *error);

// Out of the body at particle i, of those at x, where its surface is flat.
void mote_soft_touch_normal(const mote_soft_touch *set, const double *x, size_t i, double normal[3]);

// --- The law: elastic_contact.c ----------------------------------------------------------------------------
// The functions of set->external.
mote_elastic_external mote_soft_touch_external(mote_soft_touch *set);

// Ends the tick, of which all steps are done, with the particles at x: the movers' impulses are there, and
// slips go into the set's memory.
mote_result mote_soft_touch_end(mote_soft_touch *set, const double *x, mote_error *error);

// --- Explicit steps -----------------------------------------------------------------------------------

// Contacts with a rigid body become so soft that steps of dt are stable for it, too.
void mote_soft_touch_soften(mote_soft_touch *set, double dt);
// The largest sum of stiffness over mass of any particle of each part, 1/s^2: squares of frequencies add.
void mote_soft_touch_rates(const mote_soft_touch *set, const double *mass, double *rate);

#endif
