// What of a scene is seen besides its particles: how far it reaches, and its colliders and its rigid and
// elastic bodies as meshes.
#ifndef MOTE_BACKDROP_H
#define MOTE_BACKDROP_H

#include <mote/draw.h>
#include <mote/io.h>
#include <mote/world.h>

#include "cli/bodies/body_meshes.h"
#include "cli/bodies/body_table.h"
#include "cli/bodies/elastic_skins.h"

typedef struct backdrop {
  const mote_scene *scene;
  mote_env env;
  double low[3], high[3];              // what a camera should take in
  const mote_collider_def **collider;  // those that are drawn, then a null for each rigid body
  mote_preview_mesh *mesh;             // theirs; vessels and glass are transparent in previews
  mote_pose *pose;
  size_t meshes, bodies;
  body_meshes body;
  double (*reference)[3];  // of each body, where it was defined: what its places are of
  body_place *place;
  const mote_body_def **body_def;  // of each rigid body
  elastic_skins elastic;           // their meshes are the last
  size_t *triangles;               // of each mesh while it is shown
  mote_command *command;           // that steered the run, with their times
  size_t commands;
  mote_command_file *file;  // that they were read from; null: none
} backdrop;

// What the colliders look like is worked out once. False after a complaint.
bool backdrop_open(backdrop *stage, const mote_scene *scene, const mote_env *env);
void backdrop_close(backdrop *stage);
// The commands that have steered a world, always the same one; or those that a run's directory keeps. False
// after a complaint.
bool backdrop_follow_commands(backdrop *stage, const mote_world *world);
bool backdrop_read_commands(backdrop *stage, const char *directory);
// Hides what commands before this time, s, have removed, and puts the colliders where they are at it; those
// that move into the domain, where it is periodic.
void backdrop_set(backdrop *stage, double time);
// Puts the bodies where they are in the world, always the same one, which must outlive the stage.
bool backdrop_set_bodies(backdrop *stage, const mote_world *world);
// Puts them where the run's table and files say that they were; without a table rigid ones stay. False after
// a complaint.
bool backdrop_read_bodies(backdrop *stage, body_table *table, const char *directory, double time);

// The first rigid body among the meshes.
size_t backdrop_first_body(const backdrop *stage);

// A vertex of a mesh that is drawn in a pose; null: as it is.
void backdrop_place(const mote_pose *pose, const double v[3], double out[3]);

// Whether it is not always where its shape is defined.
bool motion_moves(const mote_motion_def *motion);

// Parts from 0 to 1 as bytes, opaque.
mote_colour backdrop_colour(const double rgb[3]);
// Of particles with this value of their field "body": bodies are counted from 1, emitters behind them. Null:
// there is none.
const mote_material_def *backdrop_material(const mote_scene *scene, uint32_t body);

#endif
