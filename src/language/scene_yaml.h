// YAML (and so JSON) to a tree of nodes, by libyaml's events. Deep nesting, too many nodes, duplicate keys,
// tags and several documents are refused; aliases are copied under a budget.
#ifndef MOTE_SCENE_YAML_H
#define MOTE_SCENE_YAML_H

#include "language/scene_node.h"

enum {
  MOTE_YAML_DEPTH = 64,
  MOTE_YAML_NODES = 1000000,  // in all files of a scene together
  MOTE_YAML_COPIES = 100000,  // made by aliases
  MOTE_YAML_ANCHORS = 1000,   // in a file
};

typedef struct mote_yaml {
  mote_pool *pool;
  mote_error *error;  // the newest of `sink`
  mote_error_sink *sink;
  size_t nodes, copies;  // so far
} mote_yaml;

// *out is null when the text holds no document. `file` is kept for messages.
mote_result mote_yaml_read(mote_yaml *yaml, const char *text, size_t size, const char *file, mote_node **out);

#endif
