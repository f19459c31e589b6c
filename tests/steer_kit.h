// What the tests of steering share: a small scene with one of everything, in 2D, and a script of commands.
#ifndef MOTE_STEER_KIT_H
#define MOTE_STEER_KIT_H

#include <math.h>
#include <mote/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world_kit.h"

static const char steer_kit_scene[] =
    "dimensions: 2\n"
    "spacing: 0.05\n"
    "duration: 1\n"
    "fps: 20\n"
    "domain: {low: [0, 0], high: [2, 1.5], x: wall, y: wall}\n"
    "materials:\n"
    "  wood: {model: rigid, density: 600, friction: 0.5, restitution: 0}\n"
    "  gum: {model: elastic, density: 800, young: 30 kPa, poisson: 0.3}\n"
    "colliders:\n"
    "  paddle: {shape: {box: {low: [0.9, 0.05], high: [1, 0.5]}}}\n"
    "  post: {shape: {box: {low: [1.5, 0], high: [1.6, 0.2]}}}\n"
    "bodies:\n"
    "  pool: {shape: {box: {low: [0, 0], high: [0.8, 0.4]}}}\n"
    "  drop: {shape: {box: {low: [1.1, 0.9], high: [1.3, 1.1]}}}\n"
    "  block: {material: wood, shape: {box: {low: [0.2, 0.6], high: [0.4, 0.7]}}}\n"
    "  log: {material: wood, shape: {box: {low: [0.5, 0.6], high: [0.7, 0.7]}}}\n"
    "  ball: {material: gum, shape: {box: {low: [1.3, 0.3], high: [1.5, 0.5]}}}\n"
    "  cube: {material: gum, shape: {box: {low: [1.7, 0.3], high: [1.9, 0.5]}}}\n"
    "emitters:\n"
    "  tap: {material: water, centre: [0.2, 1.3], direction: [0, -1], radius: 0.1, speed: 1}\n";

static inline mote_world *steer_kit_world(const char *text, int threads) {
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  mote_error error = {0};
  mote_env env = world_kit_env(threads);
  if (mote_scene_parse(text, strlen(text), "steer", NULL, 0, NULL, &file, &error) != MOTE_OK ||
      mote_world_create_scene(mote_scene_file_scene(file), &env, &world, &error) != MOTE_OK) {
    fprintf(stderr, "steer_kit: %d:%d: %s: %s\n", error.line, error.column, error.key, error.text);
    abort();
  }
  mote_scene_file_destroy(file);
  return world;
}

// Commands of one file in memory.
static inline mote_command_file *steer_kit_commands(const char *text) {
  mote_command_file *file = NULL;
  mote_error error = {0};
  if (mote_commands_parse(text, strlen(text), "commands", NULL, &file, &error) != MOTE_OK) {
    fprintf(stderr, "steer_kit: %d:%d: %s\n", error.line, error.column, error.text);
    abort();
  }
  return file;
}

#endif
