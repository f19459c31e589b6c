// One number for all that a world was asked to be, so that a snapshot is only loaded into a world of the same
// definitions. Each continues `seed`. What does not decide results (colours, probes) does not count.
#ifndef MOTE_DEFINITION_HASH_H
#define MOTE_DEFINITION_HASH_H

#include <mote/scene.h>

uint64_t mote_definition_hash_world(uint64_t seed, const mote_world_def *def);
uint64_t mote_definition_hash_material(uint64_t seed, const mote_material_def *def);
uint64_t mote_definition_hash_body(uint64_t seed, const mote_body_def *def);
uint64_t mote_definition_hash_collider(uint64_t seed, const mote_collider_def *def);
uint64_t mote_definition_hash_emitter(uint64_t seed, const mote_emitter_def *def);
uint64_t mote_definition_hash_drain(uint64_t seed, const mote_drain_def *def);
uint64_t mote_definition_hash_force(uint64_t seed, const mote_force_def *def);

#endif
