// Meshes of elastic bodies for pictures and files: surfaces of their shapes, carried along by their
// particles.
#ifndef MOTE_SOFT_SKINS_H
#define MOTE_SOFT_SKINS_H

#include <mote/world.h>

#include "body_meshes.h"

typedef struct soft_skin {
  const mote_body_def *def;
  const mote_material_def *material;
  mote_mesh mesh;  // where it is
  double *rest;    // its vertices
  mote_world_skin *skin;
} soft_skin;

typedef struct soft_skins {
  const mote_scene *scene;
  mote_env env;
  body_meshes meshes;
  soft_skin *skin;
  size_t count;
  mote_world *own;  // of the scene, where a run is read; null: not yet
} soft_skins;

// Meshes of the scene's elastic bodies where they were defined. False after a complaint.
bool soft_skins_open(soft_skins *skins, const mote_scene *scene, const mote_env *env);
// Before the world that they follow.
void soft_skins_close(soft_skins *skins);

// Puts them where they are in the world, always the same one; and where the files of the run in the directory
// say that they were.
bool soft_skins_follow(soft_skins *skins, const mote_world *world);
bool soft_skins_read(soft_skins *skins, const char *directory, double time);

#endif
