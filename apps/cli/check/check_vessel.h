// Fluids in vessels: how far they can fall, and what sinks or rises in them.
#ifndef MOTE_CHECK_VESSEL_H
#define MOTE_CHECK_VESSEL_H

#include <mote/scene.h>

// For each body the fluid body in which it is, if it is rigid and can move; else null. To be freed; null: no
// body is in one.
const mote_body_def **vessel_fluids(const mote_scene *scene);

// How far all that flows or falls comes down on average, m, where colliders at rest hold it. Colliders and
// matter are seen on a grid of cells: matter spreads to the lowest of the cells that are joined to its own
// and no higher than its top. NaN: no such colliders, or no such cells.
// `in`: of vessel_fluids; what is in fluid does not count.
double vessel_drop(const mote_scene *scene, const mote_body_def *const *in);

// A rigid body in fluid: it starts as its weight less its buoyancy moves it and the fluid about it, to at
// most the speed at which drag balances them.
typedef struct sinking {
  double first, acceleration, terminal;  // m/s, m/s^2, m/s
  double land;                           // s until it is at the floor or at the surface
} sinking;

// `down`, `up`: how far it can move, m.
sinking vessel_sinking(const mote_scene *scene, const mote_body_def *body, const mote_body_def *fluid,
                       double down, double up);
// After landing it loses half of its speed in about the time that it moved.
double vessel_sinking_speed(const sinking *s, double t);

#endif
