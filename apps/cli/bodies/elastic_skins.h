// Meshes of elastic bodies for pictures and files: surfaces of their shapes, deformed with their particles.
// Those of bodies that can break show their pieces; particle by particle where a run is read, whose files do
// not have the cracks.
#ifndef MOTE_ELASTIC_SKINS_H
#define MOTE_ELASTIC_SKINS_H

#include <mote/steer.h>

#include "cli/bodies/body_meshes.h"

typedef struct elastic_skin_mesh {
  const mote_body_def *def;
  const mote_material_def *material;
  mote_mesh mesh;  // current vertices; of bodies that can break empty at first
  double *rest;    // vertices at rest
  mote_world_skin *skin;
  bool lattice;  // carried by a lattice
  mote_lattice_skin *ties;
  mote_world_pieces *pieces;  // of a body that can break: the mesh is theirs
} elastic_skin_mesh;

typedef struct elastic_skins {
  const mote_scene *scene;
  mote_env env;
  body_meshes meshes;
  elastic_skin_mesh *skin;
  size_t count;
  mote_world *own;              // made from the scene to read a run; null: not made yet
  const mote_command *command;  // that steered the run, with their times
  size_t commands;
} elastic_skins;

// Makes the meshes of the scene's elastic bodies at rest. Returns false after printing an error.
bool elastic_skins_open(elastic_skins *skins, const mote_scene *scene, const mote_env *env);
// Call before destroying the world that they follow.
void elastic_skins_close(elastic_skins *skins);

// Moves the meshes with the world, always the same one; or to the positions in the files of a run. Return
// false after printing an error.
bool elastic_skins_follow(elastic_skins *skins, const mote_world *world);
bool elastic_skins_read(elastic_skins *skins, const char *directory, double time);

#endif
