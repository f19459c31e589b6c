// Prints trees as YAML: see scene_text.h.
#include "language/scene_text.h"

#include <stdio.h>
#include <string.h>

// Letters that need no quotes anywhere, and a text that cannot be taken for nothing.
static bool is_simple(const mote_node *node) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/";
  const char *text = node->text;
  mote_node bare = {.kind = MOTE_NODE_TEXT, .plain = true, .text = text};
  if (mote_node_is_null(&bare) || text[strspn(text, letters)] != 0) return false;
  return node->plain || (strchr("+-.", text[0]) == NULL);
}

// The character of UTF-8 at `text`, and its bytes.
static unsigned decode(const char *text, int *length) {
  const unsigned char *c = (const unsigned char *)text;
  *length = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
  unsigned value = *length == 1 ? c[0] : c[0] & (0x7fu >> *length);
  for (int k = 1; k < *length; ++k) value = value << 6 | (c[k] & 0x3fu);
  return value;
}

// What a reader would refuse, or take for the end of a line.
static bool needs_escape(unsigned c) {
  return c == '"' || c == '\\' || c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
         c == 0xfeff || (c & 0xfffe) == 0xfffe;
}

static void print_quoted(mote_growing *out, const char *text) {
  mote_growing_text(out, "\"");
  for (int length; *text != 0; text += length) {
    unsigned c = decode(text, &length);
    char escape[16];
    snprintf(escape, sizeof escape, "\\U%08X", c);
    if (needs_escape(c))
      mote_growing_text(out, escape);
    else
      mote_growing_add(out, text, (size_t)length);
  }
  mote_growing_text(out, "\"");
}

static void print_text(mote_growing *out, const mote_node *node) {
  if (is_simple(node))
    mote_growing_text(out, node->text);
  else
    print_quoted(out, node->text);
}

void mote_scene_text_flow(mote_growing *out, const mote_node *node) {
  if (node->kind == MOTE_NODE_TEXT) {
    print_text(out, node);
    return;
  }
  bool map = node->kind == MOTE_NODE_MAP;
  mote_growing_text(out, map ? "{" : "[");
  for (const mote_node *child = node->first; child != NULL; child = child->next) {
    if (child != node->first) mote_growing_text(out, ", ");
    if (map) {
      mote_growing_text(out, child->key);
      mote_growing_text(out, ": ");
    }
    mote_scene_text_flow(out, child);
  }
  mote_growing_text(out, map ? "}" : "]");
}

static bool fits_line(const mote_node *node) {
  if (node->kind == MOTE_NODE_TEXT || node->count == 0) return true;
  if (node->kind == MOTE_NODE_MAP) return false;
  for (const mote_node *child = node->first; child != NULL; child = child->next)
    if (child->kind != MOTE_NODE_TEXT) return false;
  return true;
}

static void print_block(mote_growing *out, const mote_node *node, int indent) {
  for (const mote_node *child = node->first; child != NULL; child = child->next) {
    mote_growing_blanks(out, indent);
    mote_growing_text(out, node->kind == MOTE_NODE_MAP ? child->key : "-");
    if (node->kind == MOTE_NODE_MAP) mote_growing_text(out, ":");
    if (fits_line(child)) {
      mote_growing_text(out, " ");
      mote_scene_text_flow(out, child);
    }
    mote_growing_text(out, "\n");
    if (!fits_line(child)) print_block(out, child, indent + 2);
  }
}

void mote_scene_text_block(mote_growing *out, const mote_node *root) {
  print_block(out, root, 0);
}

// --- Hashes -----------------------------------------------------------------------------------------------

uint64_t mote_scene_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *byte = bytes;
  for (size_t k = 0; k < size; ++k) hash = (hash ^ byte[k]) * 0x100000001b3u;
  return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
  return mote_scene_hash_bytes(hash, text, strlen(text) + 1);
}

uint64_t mote_scene_hash_node(uint64_t hash, const mote_node *node) {
  hash = mote_scene_hash_bytes(hash, &(char){(char)('0' + (int)node->kind)}, 1);
  if (node->kind == MOTE_NODE_TEXT) return hash_text(hash, node->text);
  for (const mote_node *child = node->first; child != NULL; child = child->next) {
    if (child->shown_only) continue;
    if (child->key != NULL) hash = hash_text(hash, child->key);
    hash = mote_scene_hash_node(hash, child);
  }
  return mote_scene_hash_bytes(hash, ")", 1);
}
