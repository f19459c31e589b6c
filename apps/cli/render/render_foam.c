// Spray, foam and bubbles in pictures: see render_foam.h.
#include "cli/render/render_foam.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

// How a kind looks. Spray and foam are white grains, foam a layer of them by its number; bubbles are soft
// balls, which together make the water milky.
typedef struct foam_look {
  double radius;  // in sizes
  double stops;   // what the middle of a soft ball stops of the light; 1: a grain
} foam_look;
static const foam_look look_of[MOTE_FOAM_KINDS] = {{0.4, 1.0}, {0.6, 1.0}, {1.0, 0.3}};

// RUN/particles.0012.vtp has its foam in RUN/foam.0012.vtp, or in another format.
static bool find_file(const char *particles, char *path, size_t size) {
  static const char *const ending[] = {"vtp", "ply", "bgeo", "vtu", "csv"};
  const char *slash = strrchr(particles, '/'), *base = slash != NULL ? slash + 1 : particles;
  const char *number = strchr(base, '.');
  if (number == NULL || strncmp(base, "particles.", 10) != 0) return false;
  size_t digits = strspn(number + 1, "0123456789");
  for (size_t k = 0; k < sizeof ending / sizeof *ending; ++k) {
    snprintf(path, size, "%.*sfoam.%.*s.%s", (int)(base - particles), particles, (int)digits, number + 1,
             ending[k]);
    FILE *file = fopen(path, "rb");
    if (file == NULL) continue;
    fclose(file);
    return true;
  }
  return false;
}

static mote_look white(const foam_look *how, double size) {
  if (how->stops == 1.0) return mote_look_matte(0.95F, 0.96F, 0.97F);
  // A puff's depth along its middle is 16/15 of its radius times its absorption.
  double depth = -mote_log(1.0 - how->stops);
  return (mote_look){.kind = MOTE_LOOK_PUFF,
                     .colour = {0.97F, 0.98F, 0.99F},
                     .roughness = 1,
                     .index = 1,
                     .absorption = {(float)(depth * 15.0 / 16.0 / (how->radius * size))},
                     .depth = 1};
}

static void add_kind(render_foam *out, const mote_cloud *cloud, const mote_field_view *field[4],
                     uint32_t kind, size_t *used) {
  size_t first = *used;
  double size = 0.0;
  for (size_t i = 0; i < cloud->count; ++i) {
    if ((uint32_t)mote_field_value(field[2], i, 0) != kind) continue;
    for (int a = 0; a < 3; ++a) {
      out->position[3 * *used + (size_t)a] = mote_field_value(field[0], i, a);
      out->velocity[3 * *used + (size_t)a] = (float)mote_field_value(field[1], i, a);
    }
    size = fmax(size, mote_field_value(field[3], i, 0));
    ++*used;
  }
  if (*used == first || !(size > 0.0)) return;
  const foam_look *how = &look_of[kind];
  out->set[out->sets++] = (mote_render_spheres){.position = out->position + 3 * first,
                                                .count = *used - first,
                                                .radius = how->radius * size,
                                                .velocity = out->velocity + 3 * first,
                                                .look = white(how, size)};
}

static int take(const mote_cloud *cloud, const char *path, double time, render_foam *out) {
  const mote_field_view *field[4] = {mote_cloud_find(cloud, "position"), mote_cloud_find(cloud, "velocity"),
                                     mote_cloud_find(cloud, "kind"), mote_cloud_find(cloud, "size")};
  for (int k = 0; k < 4; ++k) {
    if (field[k] == NULL || field[k]->components != (k < 2 ? 3 : 1))
      return complain("%s: not a file of mote foam (--no-foam leaves it out)", path), EXIT_USAGE;
  }
  if (!isnan(time) && !isnan(cloud->stamp.time) && fabs(cloud->stamp.time - time) > 1e-6)
    return complain("%s: its time is %g s, that of the frame %g s (--no-foam leaves it out)", path,
                    cloud->stamp.time, time),
           EXIT_USAGE;
  out->position = input_take(3 * cloud->count + 3, sizeof *out->position);
  out->velocity = input_take(3 * cloud->count + 3, sizeof *out->velocity);
  size_t used = 0;
  for (uint32_t kind = 0; kind < MOTE_FOAM_KINDS; ++kind) add_kind(out, cloud, field, kind, &used);
  return EXIT_DONE;
}

int render_foam_read(const render_studio *studio, const render_shot *shot, render_foam *out) {
  APP_ASSERT(shot->path != NULL);
  char path[4096];
  mote_cloud cloud;
  mote_error error;
  *out = (render_foam){.sets = 0};
  if (studio->options->no_foam || !find_file(shot->path, path, sizeof path)) return EXIT_DONE;
  if (mote_cloud_read(path, &studio->env, &cloud, &error) != MOTE_OK) return complain_error(&error);
  int status = take(&cloud, path, studio->take.time, out);
  mote_cloud_free(&cloud, &studio->env);
  return status;
}

void render_foam_free(render_foam *foam) {
  free(foam->position), free(foam->velocity);
  *foam = (render_foam){.sets = 0};
}
