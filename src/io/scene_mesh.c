// Meshes of scenes: read, mended, and held against the hash of a flattened scene.
#include "io/scene_bind.h"

mote_result mote_bind_mesh(mote_binder *b, mote_node *map, mote_shape_values *values) {
  (void)values;
  return mote_place_fail(b->error, mote_node_place(map), "meshes cannot be read yet");
}

void mote_scene_free_meshes(mote_scene_mesh *first, const mote_env *env) {
  (void)first, (void)env;
}
