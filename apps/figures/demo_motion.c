// Figures: motion between poses: EG09 Figs. 16 and 17. Each picture shows the shape at some
// times, from pale to dark, and the obstacles.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/deform/animate_keys.h"
#include "cli/files/input_file.h"
#include "figures/deform_picture.h"
#include "figures/figures.h"

enum { TIMES = 7, OBSTACLE_CELLS = 48 };

typedef struct motion_panel {
  const char *keys, *title;
  const char *set[2];
  size_t sets;
} motion_panel;

typedef struct motion_figure {
  const char *name;
  size_t panels;
  motion_panel panel[4];
} motion_figure;

#define NO_VELOCITY "keys.0.velocity=auto"
#define NO_OBSTACLE "obstacles=null"

static const motion_figure motions[] = {
    {"eg09-16",
     4,
     {{"flight", "Two keys", {NO_VELOCITY, NO_OBSTACLE}, 2},
      {"flight", "With a velocity", {NO_OBSTACLE}, 1},
      {"flight", "With an obstacle", {NO_VELOCITY}, 1},
      {"flight", "With both", {NULL}, 0}}},
    {"eg09-17", 1, {{"gate", "Through a gate", {NULL}, 0}}},
};

static int draw_obstacles(const deform_shape *s, const animate_keys *keys, deform_picture *picture) {
  for (size_t k = 0; k < keys->obstacles; ++k) {
    mote_mesh mesh = {0};
    mote_error error = {0};
    double low[3], high[3];
    mote_shape_bounds(keys->moving[k].shape, low, high);
    for (int c = 0; c < 3; ++c) {
      double margin = 0.05 * (high[c] - low[c]);
      low[c] -= margin, high[c] += margin;
    }
    mote_result result =
        mote_shape_triangles(keys->moving[k].shape, 3, low, high, OBSTACLE_CELLS, &s->env, &mesh, &error);
    if (result != MOTE_OK) return complain_error(&error);
    deform_picture_add(picture, &mesh, NULL, (mote_colour){120, 125, 135, 130});
    mote_mesh_free(&mesh, &s->env);
  }
  return EXIT_DONE;
}

static int draw_times(const deform_shape *s, const animate_keys *keys, mote_deform_motion *motion,
                      deform_picture *picture) {
  double first = keys->key[0].time, last = keys->key[keys->keys - 1].time;
  for (int k = 0; k < TIMES; ++k) {
    double part = (double)k / (TIMES - 1);
    mote_error error = {0};
    mote_colour colour = {(uint8_t)(240 - 60 * part), (uint8_t)(205 - 110 * part),
                          (uint8_t)(170 - 120 * part), 255};
    if (mote_deform_motion_read(motion, first + part * (last - first), s->moved, NULL, NULL, &error) !=
        MOTE_OK)
      return complain_error(&error);
    deform_picture_add(picture, mote_model_mesh(s->model), s->moved, colour);
  }
  return EXIT_DONE;
}

static int draw_panel(const motion_panel *panel, const char *name, deform_picture *picture) {
  deform_shape shape = {.env = mote_env_default()};
  animate_keys keys = {0};
  mote_deform_motion *motion = NULL;
  mote_deform_motion_report report = {0};
  int status = deform_shape_read(&shape, panel->keys, true, panel->set, panel->sets);
  const mote_animation *animation = status == EXIT_DONE ? mote_scene_file_animation(shape.file) : NULL;
  if (status == EXIT_DONE) status = deform_shape_open(&shape);
  if (status == EXIT_DONE) status = animate_keys_make(&shape, animation, NULL, NULL, &keys);
  if (status == EXIT_DONE) status = animate_motion_solve(&shape, animation, &keys, &motion, &report);
  if (status == EXIT_DONE) {
    deform_picture_begin(picture, panel->title);
    printf("  %s, %s: keys to %.1e of the size, %zu frames, deepest in an obstacle %.1e m\n", name,
           panel->title, report.key_error, report.frames, report.penetration);
    status = draw_obstacles(&shape, &keys, picture);
  }
  if (status == EXIT_DONE) status = draw_times(&shape, &keys, motion, picture);
  mote_deform_motion_destroy(motion);
  animate_keys_free(&keys);
  deform_shape_close(&shape);
  return status;
}

int draw_motion(const figure_output *out) {
  const motion_figure *f = motions;
  while (strcmp(f->name, out->name) != 0) ++f;
  deform_picture *picture = input_take(1, sizeof *picture);
  int status = EXIT_DONE;
  for (size_t k = 0; k < f->panels && status == EXIT_DONE; ++k)
    status = draw_panel(&f->panel[k], f->name, picture);
  if (status == EXIT_DONE) status = deform_picture_write(picture, out->directory, f->name);
  deform_picture_free(picture);
  free(picture);
  return status;
}
