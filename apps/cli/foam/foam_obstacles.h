// What stops foam in a run: the sides of the domain, colliders, rigid bodies.
#ifndef MOTE_FOAM_OBSTACLES_H
#define MOTE_FOAM_OBSTACLES_H

#include "cli/bodies/backdrop.h"

// A shape, and where it is at both ends of an interval.
typedef struct foam_obstacle {
  mote_shape *shape;
  const mote_collider_def *collider;  // null: a rigid body,
  size_t body;                        // the one of this number in the backdrop
  bool there;
  mote_pose from, to;
} foam_obstacle;

typedef struct foam_obstacles {
  const mote_scene *scene;
  const char *directory;
  backdrop stage;  // commands, and places of bodies
  body_table table;
  foam_obstacle *one;
  size_t count;
  double from, to;  // s
} foam_obstacles;

// Complain; false after that.
bool foam_obstacles_open(foam_obstacles *o, const char *directory, const mote_scene *scene,
                         const mote_env *env);
bool foam_obstacles_between(foam_obstacles *o, double from, double to);
void foam_obstacles_close(foam_obstacles *o);

// A mote_foam_obstacle_fn.
double foam_obstacles_distance(void *user, const double x[3], double t, double normal[3], double velocity[3]);

#endif
