// The flattened scene: its text, its hash, its differences from another.
#ifndef MOTE_SCENE_TEXT_H
#define MOTE_SCENE_TEXT_H

#include "language/scene_node.h"

// The tree as YAML, every value on a line of its own.
void mote_scene_text_block(mote_growing *out, const mote_node *root);
// On one line.
void mote_scene_text_flow(mote_growing *out, const mote_node *node);

// FNV-1a of bytes: continues `hash`; begin with MOTE_SCENE_HASH.
#define MOTE_SCENE_HASH 0xcbf29ce484222325u
uint64_t mote_scene_hash_bytes(uint64_t hash, const void *bytes, size_t size);
// Of all that decides the results.
uint64_t mote_scene_hash_node(uint64_t hash, const mote_node *node);

#endif
