// From the tree to definitions, by the table of keys. Binding checks every value, and writes it back into the
// tree in its shortest form (SI, keys in the table's order), so that equal scenes have equal texts. A wrong
// value is listed and the next key is read; a definition with a wrong value is left out.
#ifndef MOTE_SCENE_BIND_H
#define MOTE_SCENE_BIND_H

#include <mote/keys.h>

#include "language/scene_node.h"
#include "language/scene_units.h"

// A mesh that was read, to be freed with the scene.
typedef struct mote_scene_mesh {
  mote_mesh mesh;
  const char *path;          // of the file
  double factor;             // of its numbers
  mote_text_position place;  // where it is named
  mote_mesh_mending mending;
  struct mote_scene_mesh *next;
} mote_scene_mesh;

typedef struct mote_binder {
  mote_pool *pool;
  mote_error *error;  // the newest of `sink`
  mote_error_sink *sink;
  mote_scene *scene;
  bool files;  // may be opened
  mote_scene_mesh *meshes;
  double scale;         // of the shapes around the one that is bound, and its own
  bool any_dimensions;  // those given are wrong: points may be of 2D or 3D
  bool world_is_wrong;  // a key of the scene itself: whether bodies suit it is not known
} mote_binder;

// The whole scene; *binder->scene begins as its default. OK, though errors may be listed.
mote_result mote_bind_scene(mote_binder *binder, mote_node *root);

// The mapping of a section onto its struct. `name`: of a body and the like, else null. FORMAT: its errors are
// listed.
mote_result mote_bind_section(mote_binder *binder, const char *section, const char *name, mote_node *map,
                              void *target);
// The scene's bodies as they were bound, mote_body_entry, become definitions; copies many: scene_copies.c.
mote_result mote_bind_copies(mote_binder *binder, const mote_node *root);
mote_result mote_bind_shape(mote_binder *binder, mote_node *node, mote_shape_def *out);
mote_result mote_bind_parts(mote_binder *binder, const mote_scene_key *key, mote_node *node,
                            mote_shape_entry *out);
mote_result mote_bind_mesh(mote_binder *binder, mote_node *map, mote_shape_entry *values);
void mote_scene_free_meshes(mote_scene_mesh *first, const mote_env *env);

// The kind of shape that a key of the section "shape" stands for; none for those beside the kind.
mote_shape_kind mote_bind_shape_kind(const char *name);

// Everything that is no mapping and no list of them.
mote_result mote_bind_value(mote_binder *binder, const mote_scene_key *key, mote_node *node, void *target);

// `"radius" must be ..., but is ...` at the node.
mote_result mote_bind_fail_type(mote_binder *binder, const mote_scene_key *key, const mote_node *node);
// Gives the node a text of its own.
mote_result mote_bind_text(mote_binder *binder, mote_node *node, const char *text);

// --- Shared by the values ---------------------------------------------------------------------------------

// A number of the key's dimension and range.
mote_result mote_bind_number(mote_binder *binder, const mote_scene_key *key, mote_node *node, double *out);
mote_result mote_bind_colour(mote_binder *binder, const mote_scene_key *key, mote_node *node, double out[3]);
mote_result mote_bind_formula(mote_binder *binder, const mote_scene_key *key, mote_node *node,
                              mote_value *out);
// One of the names of `detail`; its enum value in *out.
mote_result mote_bind_choice(mote_binder *binder, const mote_scene_key *key, mote_node *node, int *out);

#endif
