// Files of scenes as one tree: `include` anywhere and `extends` at the top are resolved, relative to the file
// they stand in; changes of the command line come last.
#ifndef MOTE_SCENE_LOAD_H
#define MOTE_SCENE_LOAD_H

#include "language/scene_yaml.h"

enum { MOTE_LOAD_DEPTH = 16, MOTE_LOAD_BYTES = 64 << 20 };

typedef struct mote_loader {
  mote_yaml yaml;
  const char *what;  // the file is: "scene", "EDITS file", for messages
  bool files;        // may be opened
  const char *open[MOTE_LOAD_DEPTH];
  int depth;
} mote_loader;

// The file at `path`; with `text` not null, this text instead, and `path` for messages.
mote_result mote_load_scene(mote_loader *loader, const char *path, const char *text, size_t size,
                            mote_node **out);

// The change "a.b=c".
mote_result mote_load_set(mote_loader *loader, mote_node *root, const char *set);

// The path of `name` as written in the file `from`; null when memory is out.
char *mote_load_path(mote_pool *pool, const char *from, const char *name);

#endif
