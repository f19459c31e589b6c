// One number for all definitions of a world, so that a snapshot is only loaded into a world of the same
// definitions. Each call continues `seed`. Keys at their defaults are not hashed, nor are keys
// without effect on results (colours, probes, limits).
#ifndef MOTE_DEFINITION_HASH_H
#define MOTE_DEFINITION_HASH_H

#include <mote/scene.h>

uint64_t mote_definition_hash_world(uint64_t seed, const mote_world_def *def);
// `kind`: the section of the definition in the table of keys, "material", "body", "collider", ...
uint64_t mote_definition_hash(uint64_t seed, const char *kind, const char *name, const void *def);

#endif
