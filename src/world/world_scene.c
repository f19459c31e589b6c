// A world made of a whole scene.
#include <string.h>

#include "matter/world_data.h"
#include "scene/def_check.h"
#include "world/step.h"

typedef struct builder {
  mote_world *world;
  const mote_scene *scene;
  mote_error *error;
} builder;

static mote_result add_materials(const builder *b) {
  for (size_t k = 0; k < b->scene->materials; ++k) {
    const mote_material_def *def = &b->scene->material[k];
    mote_result result = mote_world_add_material(b->world, def, NULL, b->error);
    if (result != MOTE_OK) return mote_fail_in_list(b->error, result, "materials", def->name, k);
  }
  return MOTE_OK;
}

static mote_result add_colliders(const builder *b) {
  for (size_t k = 0; k < b->scene->colliders; ++k) {
    const mote_collider_def *def = &b->scene->collider[k];
    mote_result result = mote_world_add_collider(b->world, def, NULL, b->error);
    if (result != MOTE_OK) return mote_fail_in_list(b->error, result, "colliders", def->name, k);
  }
  return MOTE_OK;
}

static mote_result add_bodies(const builder *b) {
  mote_coming_bodies *coming = &b->world->coming;
  mote_result result = MOTE_OK;
  *coming = (mote_coming_bodies){.def = b->scene->body, .count = b->scene->bodies};
  for (size_t k = 0; k < b->scene->bodies && result == MOTE_OK; ++k) {
    const mote_body_def *def = &b->scene->body[k];
    coming->first = k + 1;
    result = mote_world_add_body(b->world, def, NULL, b->error);
    if (result != MOTE_OK) result = mote_fail_in_list(b->error, result, "bodies", def->name, k);
  }
  mote_free(&b->world->env, coming->box, coming->count, sizeof *coming->box);
  *coming = (mote_coming_bodies){0};
  return result;
}

static mote_result add_emitters(const builder *b) {
  for (size_t k = 0; k < b->scene->emitters; ++k) {
    const mote_emitter_def *def = &b->scene->emitter[k];
    mote_result result = mote_world_add_emitter(b->world, def, NULL, b->error);
    if (result != MOTE_OK) return mote_fail_in_list(b->error, result, "emitters", def->name, k);
  }
  return MOTE_OK;
}

static mote_result add_drains(const builder *b) {
  for (size_t k = 0; k < b->scene->drains; ++k) {
    const mote_drain_def *def = &b->scene->drain[k];
    mote_result result = mote_world_add_drain(b->world, def, NULL, b->error);
    if (result != MOTE_OK) return mote_fail_in_list(b->error, result, "drains", def->name, k);
  }
  return MOTE_OK;
}

static mote_result add_forces(const builder *b) {
  for (size_t k = 0; k < b->scene->forces; ++k) {
    const mote_force_def *def = &b->scene->force[k];
    mote_result result = mote_world_add_force(b->world, def, NULL, b->error);
    if (result != MOTE_OK) return mote_fail_in_list(b->error, result, "forces", def->name, k);
  }
  return MOTE_OK;
}

static mote_result add_probes(const builder *b) {
  for (size_t k = 0; k < b->scene->probes; ++k) {
    const mote_probe_def *def = &b->scene->probe[k];
    mote_result result = mote_world_add_probe(b->world, def, NULL, b->error);
    if (result != MOTE_OK) return mote_fail_in_list(b->error, result, "probes", def->name, k);
  }
  return MOTE_OK;
}

static mote_result add_surface(const builder *b) {
  const mote_surface_output_def *output = &b->scene->outputs.surface;
  mote_world_surface_def def = mote_world_surface_def_default();
  const mote_surface_def plain = def.surface;
  if (!output->on) return MOTE_OK;
  def.walls = output->walls;
  def.surface = output->def;
  def.surface.spacing = plain.spacing, def.surface.most_nodes = plain.most_nodes;
  memcpy(def.surface.clip_low, plain.clip_low, sizeof plain.clip_low);
  memcpy(def.surface.clip_high, plain.clip_high, sizeof plain.clip_high);
  def.rows = output->phases == MOTE_PHASES_TOGETHER ? MOTE_ROWS_BOTH : MOTE_ROWS_FLUID;
  mote_result result = mote_world_add_surface(b->world, &def, NULL, b->error);
  if (result == MOTE_OK && output->phases == MOTE_PHASES_APART) {
    def.name = "solid", def.rows = MOTE_ROWS_LATTICE;
    if (def.surface.method == MOTE_SURFACE_TRACKED) def.surface = plain;  // that of fluids alone is tracked
    result = mote_world_add_surface(b->world, &def, NULL, b->error);
  }
  return result == MOTE_OK ? MOTE_OK : mote_fail_within(b->error, result, "outputs.surface");
}

// Colliders before bodies, because particles inside of colliders are removed.
static mote_result add_all(const builder *b) {
  MOTE_TRY(add_materials(b));
  MOTE_TRY(add_colliders(b));
  MOTE_TRY(add_bodies(b));
  MOTE_TRY(add_emitters(b));
  MOTE_TRY(add_drains(b));
  MOTE_TRY(add_forces(b));
  MOTE_TRY(add_probes(b));
  MOTE_TRY(add_surface(b));
  MOTE_TRY(mote_world_keep_ledger(b->world, b->scene->outputs.ledger, b->error));
  return mote_step_measure(b->world, b->error);
}

mote_result mote_world_create_scene(const mote_scene *scene, const mote_env *env, mote_world **out,
                                    mote_error *error) {
  if (scene == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "scene and out must not be NULL");
  }
  builder b = {.scene = scene, .error = error};
  MOTE_TRY(mote_world_create(&scene->world, env, &b.world, error));
  mote_result result = add_all(&b);
  if (result == MOTE_OK) {
    *out = b.world;
  } else {
    mote_world_destroy(b.world);
  }
  return result;
}
