// What the tests of the world share: small scenes, snapshots in memory, bits by id.
#ifndef MOTE_WORLD_KIT_H
#define MOTE_WORLD_KIT_H

#include <math.h>
#include <mote/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "bytes_kit.h"

// A scene with room for one or two of each thing.
typedef struct world_kit {
  mote_scene scene;
  mote_material_def material[2];
  mote_body_def body[2];
  mote_collider_def collider[2];
  mote_emitter_def emitter[1];
  mote_drain_def drain[1];
  mote_force_def force[2];
  mote_probe_def probe[2];
} world_kit;

// A tank of 1 m (cube or square) with walls all around and water, of quality fast; no bodies yet.
static inline void world_kit_tank(world_kit *kit, int dimensions, double spacing) {
  *kit = (world_kit){.scene = mote_scene_default()};
  mote_scene *s = &kit->scene;
  mote_solver_def_set_quality(&s->world.solver, MOTE_QUALITY_FAST);
  s->world.dimensions = dimensions;
  s->world.spacing = spacing;
  for (int a = 0; a < 3; ++a) {
    s->world.low[a] = 0.0, s->world.high[a] = 1.0;
    s->world.side[a][0] = s->world.side[a][1] = MOTE_SIDE_WALL;
  }
  kit->material[0] = mote_material_def_default();
  s->material = kit->material, s->materials = 1;
  s->body = kit->body, s->collider = kit->collider, s->emitter = kit->emitter, s->drain = kit->drain;
  s->force = kit->force, s->probe = kit->probe;
}

// The same with the settings that a scene has which names none.
static inline void world_kit_standard(world_kit *kit) {
  mote_solver_def_set_quality(&kit->scene.world.solver, MOTE_QUALITY_STANDARD);
}

static inline mote_body_def *world_kit_body(world_kit *kit, const char *name, mote_shape_def shape) {
  mote_body_def *body = &kit->body[kit->scene.bodies++];
  *body = mote_body_def_default();
  body->name = name;
  body->shape = shape;
  return body;
}

// A column of water that falls.
static inline void world_kit_dam(world_kit *kit, int dimensions, double spacing) {
  world_kit_tank(kit, dimensions, spacing);
  world_kit_body(kit, "dam", mote_shape_def_box(0.0, 0.0, 0.0, 0.4, 0.6, 0.4));
}

// All things at once: a dam, a paddle, a jet, a drain, a wind, probes.
static inline void world_kit_everything(world_kit *kit, int dimensions, double spacing) {
  world_kit_dam(kit, dimensions, spacing);
  mote_scene *s = &kit->scene;
  kit->material[1] = (mote_material_def){.name = "syrup",
                                         .density = 1400.0,
                                         .viscosity = 2.0,
                                         .xsph = 0.1,
                                         .colour = {0.5, 0.3, 0.1},
                                         .colour_depth = 0.05};
  s->materials = 2;
  kit->collider[0] = mote_collider_def_default();
  kit->collider[0].name = "paddle";
  kit->collider[0].shape = mote_shape_def_box(0.6, 0.2, 0.2, 0.7, 0.5, 0.8);
  kit->collider[0].motion.move.x.formula = "0.1*sin(6*t)";
  kit->collider[0].motion.angle.formula = "t";
  s->colliders = 1;
  kit->emitter[0] = mote_emitter_def_default();
  kit->emitter[0].name = "jet";
  kit->emitter[0].material = "syrup";
  kit->emitter[0].centre[0] = 0.8, kit->emitter[0].centre[1] = 0.9, kit->emitter[0].centre[2] = 0.5;
  kit->emitter[0].radius = 0.1;
  kit->emitter[0].speed.constant = 1.5;
  s->emitters = 1;
  kit->drain[0] = mote_drain_def_default();
  kit->drain[0].name = "hole";
  kit->drain[0].shape = mote_shape_def_sphere(0.9, 0.1, 0.9 * (dimensions - 2), 0.15);
  s->drains = 1;
  kit->force[0] = mote_force_def_default();
  kit->force[0].name = "wind";
  kit->force[0].acceleration.x.formula = "2*cos(3*t)*y";
  s->forces = 1;
  kit->probe[0] = mote_probe_def_default();
  kit->probe[0].name = "p";
  kit->probe[0].from[0] = 0.1, kit->probe[0].from[1] = 0.1, kit->probe[0].from[2] = 0.1;
  s->probes = 1;
}

static inline mote_world *world_kit_create(const world_kit *kit, const mote_env *env) {
  mote_world *world = NULL;
  mote_error error = {0};
  if (mote_world_create_scene(&kit->scene, env, &world, &error) != MOTE_OK) {
    fprintf(stderr, "world_kit_create: %s: %s\n", error.key, error.text);
    abort();
  }
  return world;
}

static inline mote_env world_kit_env(int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
#ifdef MOTE_AVX2  // so that whoever compares one thread and several compares the baseline and AVX2, too
  mote_cpu_avx2 = threads > 1 && __builtin_cpu_supports("avx2");
#endif
  return env;
}

// --- Snapshots in memory ----------------------------------------------------------------------------------

static inline kit_bytes world_kit_save(const mote_world *world) {
  kit_bytes bytes = {0};
  if (mote_world_save(world, kit_write, &bytes, NULL) != MOTE_OK) abort();
  return bytes;
}

static inline mote_result world_kit_load(mote_world *world, kit_bytes *bytes, mote_error *error) {
  bytes->at = 0;
  return mote_world_load(world, kit_read, bytes, bytes->size, error);
}

// Both hashes of a world: all state, and its motion alone.
typedef struct world_hashes {
  uint64_t state, motion;
} world_hashes;

static inline world_hashes world_kit_hashes(const mote_world *world) {
  return (world_hashes){mote_world_hash(world), mote_world_motion_hash(world)};
}

static inline bool world_hashes_same(world_hashes a, world_hashes b) {
  return a.state == b.state && a.motion == b.motion;
}

#endif
