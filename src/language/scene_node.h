// The tree of a document: texts, lists and mappings, each knowing where it stands.
#ifndef MOTE_SCENE_NODE_H
#define MOTE_SCENE_NODE_H

#include "language/scene_pool.h"

typedef struct mote_text_position {
  const char *file;
  int line, column;  // from 1; 0: no lines (--set)
} mote_text_position;

typedef enum mote_node_kind { MOTE_NODE_TEXT, MOTE_NODE_LIST, MOTE_NODE_MAP } mote_node_kind;

typedef struct mote_node {
  mote_node_kind kind;
  bool plain;       // text without quotes
  bool exact;       // the text stands in the file letter by letter, on one line
  bool shown_only;  // decides nothing but what is shown and for how long
  mote_text_position place, key_place;
  const char *key;   // in a mapping
  const char *text;  // in its shortest form after binding
  struct mote_node *first, *last, *next;
  size_t count;
} mote_node;

// Null when memory is out.
mote_node *mote_node_new(mote_pool *pool, mote_node_kind kind, mote_text_position place);
void mote_node_append(mote_node *parent, mote_node *child);
// Takes the child out.
void mote_node_remove(mote_node *parent, const mote_node *child);
// Gives the parent other children: those of `from`.
void mote_node_adopt(mote_node *parent, const mote_node *from);
// The child under that key; null when there is none.
mote_node *mote_node_find(const mote_node *map, const char *key);
// The same; of copies ("gravel-12") what they are copies of.
mote_node *mote_node_find_copy(const mote_node *map, const char *key);
// Whether it is nothing: null, ~ or empty, without quotes.
bool mote_node_is_null(const mote_node *node);
// Where a message about the node as a whole points: its key, where it has one.
mote_text_position mote_node_place(const mote_node *node);

// "a list of 3", "a mapping", the text in quotes, for messages.
#define MOTE_NODE_WHAT 96
const char *mote_node_what(const mote_node *node, char out[MOTE_NODE_WHAT]);

// "; quote formulas that have commas" where a text without quotes among the children, or the key of one, has
// parentheses that do not match, as of a formula that its comma has cut; else "".
const char *mote_node_advice(const mote_node *node);

// FORMAT at the place.
mote_result mote_place_fail(mote_error *error, mote_text_position place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Where the errors of a file are gathered.
typedef struct mote_error_sink {
  mote_error newest;  // code OK: it is listed already
  mote_error_list list;
} mote_error_sink;

enum { MOTE_ERRORS_MOST = 1000 };  // reading ends there

// Lists the newest error, so that the reading can go on: OK. What must end it comes back.
mote_result mote_sink_keep(mote_error_sink *sink, mote_result result);

#endif
