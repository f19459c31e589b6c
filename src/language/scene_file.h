// What a scene file holds.
#ifndef MOTE_SCENE_FILE_H
#define MOTE_SCENE_FILE_H

#include "language/scene_bind.h"

struct mote_scene_file {
  mote_pool pool;  // holds the file itself
  mote_node *root;
  mote_scene scene;
  mote_scene_mesh *meshes;
  const char *text;
  size_t size;
  uint64_t hash;
};

#endif
