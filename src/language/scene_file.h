// What a scene file holds.
#ifndef MOTE_SCENE_FILE_H
#define MOTE_SCENE_FILE_H

#include <mote/edits.h>

#include "language/scene_bind.h"

typedef enum mote_scene_file_kind {
  MOTE_FILE_SCENE,
  MOTE_FILE_EDITS,
  MOTE_FILE_ANIMATION
} mote_scene_file_kind;

struct mote_scene_file {
  mote_pool pool;  // holds the file itself
  mote_scene_file_kind kind;
  mote_node *root;
  mote_scene scene;
  mote_animation animation;  // EDITS: in its `deform`
  mote_scene_mesh *meshes;
  const char *text;
  size_t size;
  uint64_t hash;
};

// The definitions of an EDITS or KEYS file, with the checks of values that belong together.
mote_result mote_bind_edits(mote_binder *binder, mote_node *root, mote_edits *out);
mote_result mote_bind_animation(mote_binder *binder, mote_node *root, mote_animation *out);

#endif
