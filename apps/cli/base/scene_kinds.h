// What the materials and bodies of a scene are: the one place of the tool that names the kinds of matter.
#ifndef MOTE_SCENE_KINDS_H
#define MOTE_SCENE_KINDS_H

#include <math.h>

#include "cli/base/scene_open.h"

static inline bool material_is_fluid(const mote_material_def *def) {
  return def->model == MOTE_KIND_FLUID;
}
static inline bool material_is_rigid(const mote_material_def *def) {
  return def->model == MOTE_KIND_RIGID;
}
static inline bool material_is_elastic(const mote_material_def *def) {
  return def->model == MOTE_KIND_ELASTIC;
}
static inline bool material_is_lattice(const mote_material_def *def) {
  return def->model == MOTE_KIND_LATTICE;
}
static inline bool material_can_break(const mote_material_def *def) {
  return material_is_elastic(def) && isfinite(def->elastic.strength);
}

typedef bool material_test(const mote_material_def *def);

// A body without a material is of the world's own water.
static inline bool body_is(const mote_scene *scene, const mote_body_def *body, material_test *test) {
  const mote_material_def *material = scene_material(scene, body->material);
  return material != NULL ? test(material) : test == material_is_fluid;
}

static inline size_t count_bodies(const mote_scene *scene, material_test *test) {
  size_t count = 0;
  for (size_t b = 0; b < scene->bodies; ++b) count += body_is(scene, &scene->body[b], test);
  return count;
}

// A body that may come later.
static inline bool has_waiting(const mote_scene *scene, material_test *test) {
  bool any = false;
  for (size_t b = 0; b < scene->bodies; ++b)
    any = any || (scene->body[b].waits && body_is(scene, &scene->body[b], test));
  return any;
}

static inline bool has_material(const mote_scene *scene, material_test *test) {
  bool any = false;
  for (size_t m = 0; m < scene->materials; ++m) any = any || test(&scene->material[m]);
  return any;
}

#endif
