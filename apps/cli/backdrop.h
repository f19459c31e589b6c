// What of a scene is seen besides its particles: how far it reaches, and its colliders and rigid bodies as
// meshes.
#ifndef MOTE_BACKDROP_H
#define MOTE_BACKDROP_H

#include <mote/draw.h>
#include <mote/world.h>

typedef struct backdrop {
  const mote_scene *scene;
  mote_env env;
  double low[3], high[3];              // what a camera should take in
  const mote_collider_def **collider;  // those that are drawn, then a null for each rigid body
  mote_preview_mesh *mesh;             // theirs
  mote_pose *pose;
  size_t meshes, bodies;
} backdrop;

// What the colliders look like is worked out once. False after a complaint.
bool backdrop_open(backdrop *stage, const mote_scene *scene, const mote_env *env);
void backdrop_close(backdrop *stage);
// Puts the colliders where they are at this time, s.
void backdrop_set(backdrop *stage, double time);
// Puts the rigid bodies where they are in the world.
void backdrop_set_bodies(backdrop *stage, const mote_world *world);

// Parts from 0 to 1 as bytes, opaque.
mote_colour backdrop_colour(const double rgb[3]);

#endif
