// Builds the tree from libyaml's events: see scene_yaml.h.
#include "language/scene_yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

// An open list or mapping.
typedef struct level {
  mote_node *node;
  const char *key;  // of a mapping, while its value is waited for
  mote_text_position key_place;
} level;

typedef struct anchor {
  const char *name;
  mote_node *node;
  struct anchor *next;
} anchor;

typedef struct builder {
  mote_yaml *yaml;
  const char *text, *file;
  size_t size;
  yaml_parser_t parser;
  mote_node *root;
  level open[MOTE_YAML_DEPTH + 1];
  int depth;
  anchor *anchors;
  int anchor_count, documents;
} builder;

static mote_text_position place_of(const builder *b, yaml_mark_t mark) {
  return (mote_text_position){b->file, (int)mark.line + 1, (int)mark.column + 1};
}

// --- What libyaml complains about -------------------------------------------------------------------------

// The line and column of a byte; the reader of encodings knows only that.
static mote_text_position place_of_byte(const builder *b, size_t offset) {
  mote_text_position place = {b->file, 1, 1};
  for (size_t k = 0; k < offset && k < b->size; ++k) {
    bool line = b->text[k] == '\n';
    place.line += line;
    place.column = line ? 1 : place.column + ((b->text[k] & 0xc0) != 0x80);
  }
  return place;
}

// Marks count letters, not bytes.
static char letter_at(const builder *b, size_t index) {
  size_t k = 0;
  while (k < b->size && index > 0) {
    ++k;
    index -= k == b->size || (b->text[k] & 0xc0) != 0x80;
  }
  return k < b->size ? b->text[k] : 0;
}

static mote_result fail_yaml(builder *b) {
  const yaml_parser_t *p = &b->parser;
  if (p->error == YAML_MEMORY_ERROR) return mote_io_fail_memory(b->yaml->error);
  const char *problem = p->problem != NULL ? p->problem : "malformed";
  if (p->error == YAML_READER_ERROR)
    return mote_place_fail(b->yaml->error, place_of_byte(b, p->problem_offset), "not a text file: %s",
                           problem);
  mote_text_position place = place_of(b, p->problem_mark);
  if (letter_at(b, p->problem_mark.index) == '\t')
    return mote_place_fail(b->yaml->error, place, "a tab cannot indent a line; use blanks");
  if (p->context == NULL) return mote_place_fail(b->yaml->error, place, "not YAML: %s", problem);
  return mote_place_fail(b->yaml->error, place, "not YAML: %s %s (line %d)", problem, p->context,
                         (int)p->context_mark.line + 1);
}

// --- Nodes ------------------------------------------------------------------------------------------------

static mote_result new_node(builder *b, mote_node_kind kind, mote_text_position place, mote_node **out) {
  if (++b->yaml->nodes > MOTE_YAML_NODES)
    return mote_place_fail(b->yaml->error, place, "the scene has more than %d values", MOTE_YAML_NODES);
  *out = mote_node_new(b->yaml->pool, kind, place);
  return *out == NULL ? mote_io_fail_memory(b->yaml->error) : MOTE_OK;
}

static bool waits_for_key(const builder *b) {
  const level *top = &b->open[b->depth];
  return b->depth > 0 && top->node->kind == MOTE_NODE_MAP && top->key == NULL;
}

static void attach(builder *b, mote_node *node) {
  level *top = &b->open[b->depth];
  if (b->depth == 0) {
    b->root = node;
    return;
  }
  node->key = top->key;
  node->key_place = top->key_place;
  mote_node_append(top->node, node);
  top->key = NULL;
}

static int compare_keys(const void *a, const void *b) {
  const mote_node *x = *(mote_node *const *)a, *y = *(mote_node *const *)b;
  int order = strcmp(x->key, y->key);
  if (order != 0) return order;
  if (x->key_place.line != y->key_place.line) return x->key_place.line < y->key_place.line ? -1 : 1;
  return (x->key_place.column > y->key_place.column) - (x->key_place.column < y->key_place.column);
}

// Sorted, so that a mapping of very many keys takes no very long time.
static mote_result drop_duplicates(builder *b, mote_node *map) {
  size_t count = map->count, size = count * sizeof(mote_node *), k = 0;
  if (count < 2) return MOTE_OK;
  mote_env *env = &b->yaml->pool->env;
  mote_node **sorted = env->resize(env->resize_user, NULL, 0, size);
  if (sorted == NULL) return mote_io_fail_memory(b->yaml->error);
  for (mote_node *node = map->first; node != NULL; node = node->next) sorted[k++] = node;
  qsort(sorted, count, sizeof *sorted, compare_keys);
  mote_result result = MOTE_OK;
  for (k = 1; k < count && result == MOTE_OK; ++k) {
    if (strcmp(sorted[k - 1]->key, sorted[k]->key) != 0) continue;
    mote_node_remove(map, sorted[k]);
    result =
        mote_place_fail(b->yaml->error, sorted[k]->key_place, "\"%.40s\" is given twice; first in line %d",
                        sorted[k]->key, sorted[k - 1]->key_place.line);
    result = mote_sink_keep(b->yaml->sink, result);
  }
  env->resize(env->resize_user, sorted, size, 0);
  return result;
}

// --- Anchors ----------------------------------------------------------------------------------------------

static mote_result remember(builder *b, const yaml_char_t *name, mote_node *node) {
  if (name == NULL) return MOTE_OK;
  if (++b->anchor_count > MOTE_YAML_ANCHORS)
    return mote_place_fail(b->yaml->error, node->place, "more than %d anchors", MOTE_YAML_ANCHORS);
  anchor *made = mote_pool_take(b->yaml->pool, sizeof *made);
  const char *own = mote_pool_copy(b->yaml->pool, (const char *)name, strlen((const char *)name));
  if (made == NULL || own == NULL) return mote_io_fail_memory(b->yaml->error);
  *made = (anchor){own, node, b->anchors};
  b->anchors = made;
  return MOTE_OK;
}

static mote_result copy_node(builder *b, const mote_node *node, int depth, mote_text_position place,
                             mote_node **out) {
  if (++b->yaml->copies > MOTE_YAML_COPIES)
    return mote_place_fail(b->yaml->error, place, "aliases make more than %d copies", MOTE_YAML_COPIES);
  if (depth > MOTE_YAML_DEPTH)
    return mote_place_fail(b->yaml->error, place, "nested deeper than %d", MOTE_YAML_DEPTH);
  MOTE_IO_TRY(new_node(b, node->kind, node->place, out));
  mote_node *copy = *out;
  *copy = *node;
  copy->first = copy->last = copy->next = NULL;
  copy->count = 0;
  for (const mote_node *child = node->first; child != NULL; child = child->next) {
    mote_node *made;
    MOTE_IO_TRY(copy_node(b, child, depth + 1, place, &made));
    mote_node_append(copy, made);
  }
  return MOTE_OK;
}

static mote_result add_alias(builder *b, const yaml_event_t *event) {
  const char *name = (const char *)event->data.alias.anchor;
  mote_text_position place = place_of(b, event->start_mark);
  const anchor *found = b->anchors;
  while (found != NULL && strcmp(found->name, name) != 0) found = found->next;
  if (found == NULL) return mote_place_fail(b->yaml->error, place, "there is no anchor \"%.40s\"", name);
  for (int k = 1; k <= b->depth; ++k)
    if (b->open[k].node == found->node)
      return mote_place_fail(b->yaml->error, place, "\"*%.40s\" stands inside of what it names", name);
  if (waits_for_key(b)) return mote_place_fail(b->yaml->error, place, "an alias cannot be a key");
  mote_node *copy;
  MOTE_IO_TRY(copy_node(b, found->node, b->depth + 1, place, &copy));
  attach(b, copy);
  return MOTE_OK;
}

// --- Events -----------------------------------------------------------------------------------------------

static size_t letters(const char *text) {
  size_t count = 0;
  for (; *text != 0; ++text) count += (*text & 0xc0) != 0x80;
  return count;
}

static mote_result add_text(builder *b, const yaml_event_t *event) {
  const char *text = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  mote_text_position place = place_of(b, event->start_mark);
  if (memchr(text, 0, length) != NULL)
    return mote_place_fail(b->yaml->error, place, "a null character in a text");
  if (event->data.scalar.tag != NULL)
    return mote_place_fail(b->yaml->error, place, "tags are not known here");
  const char *own = mote_pool_copy(b->yaml->pool, text, length);
  if (own == NULL) return mote_io_fail_memory(b->yaml->error);
  if (waits_for_key(b)) {
    b->open[b->depth].key = own;
    b->open[b->depth].key_place = place;
    return MOTE_OK;
  }
  mote_node *node;
  MOTE_IO_TRY(new_node(b, MOTE_NODE_TEXT, place, &node));
  node->text = own;
  node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  node->exact = event->start_mark.line == event->end_mark.line &&
                event->end_mark.column - event->start_mark.column == letters(own) + (node->plain ? 0 : 2);
  MOTE_IO_TRY(remember(b, event->data.scalar.anchor, node));
  attach(b, node);
  return MOTE_OK;
}

static mote_result open_node(builder *b, const yaml_event_t *event, mote_node_kind kind) {
  mote_text_position place = place_of(b, event->start_mark);
  bool list = kind == MOTE_NODE_LIST;
  const yaml_char_t *tag = list ? event->data.sequence_start.tag : event->data.mapping_start.tag;
  if (tag != NULL) return mote_place_fail(b->yaml->error, place, "tags are not known here");
  if (waits_for_key(b))
    return mote_place_fail(b->yaml->error, place, "a key must be a text, not a %s",
                           list ? "list" : "mapping");
  if (b->depth == MOTE_YAML_DEPTH)
    return mote_place_fail(b->yaml->error, place, "nested deeper than %d", MOTE_YAML_DEPTH);
  mote_node *node;
  MOTE_IO_TRY(new_node(b, kind, place, &node));
  MOTE_IO_TRY(remember(b, list ? event->data.sequence_start.anchor : event->data.mapping_start.anchor, node));
  attach(b, node);
  b->open[++b->depth] = (level){.node = node};
  return MOTE_OK;
}

static mote_result close_map(builder *b) {
  return drop_duplicates(b, b->open[b->depth--].node);
}

static mote_result handle(builder *b, const yaml_event_t *event) {
  switch ((int)event->type) {
    case YAML_DOCUMENT_START_EVENT:
      if (++b->documents == 1) return MOTE_OK;
      return mote_place_fail(b->yaml->error, place_of(b, event->start_mark),
                             "a second document begins here; one is allowed");
    case YAML_SCALAR_EVENT: return add_text(b, event);
    case YAML_ALIAS_EVENT: return add_alias(b, event);
    case YAML_SEQUENCE_START_EVENT: return open_node(b, event, MOTE_NODE_LIST);
    case YAML_MAPPING_START_EVENT: return open_node(b, event, MOTE_NODE_MAP);
    case YAML_SEQUENCE_END_EVENT: --b->depth; return MOTE_OK;
    case YAML_MAPPING_END_EVENT: return close_map(b);
    default: return MOTE_OK;
  }
}

static mote_result build(builder *b) {
  for (bool done = false; !done;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&b->parser, &event)) return fail_yaml(b);
    mote_result result = handle(b, &event);
    done = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
    if (result != MOTE_OK) return result;
  }
  return MOTE_OK;
}

mote_result mote_yaml_read(mote_yaml *yaml, const char *text, size_t size, const char *file,
                           mote_node **out) {
  builder b = {.yaml = yaml, .text = text, .size = size, .file = file};
  if (!yaml_parser_initialize(&b.parser)) return mote_io_fail_memory(yaml->error);
  yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, size);
  mote_result result = build(&b);
  yaml_parser_delete(&b.parser);
  *out = b.root;
  return result;
}
