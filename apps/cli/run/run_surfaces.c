// The surfaces of a run: see run_surfaces.h.
#include "run_surfaces.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "run_frames.h"

mote_surface_def run_surface_def(const mote_scene *scene) {
  const mote_surface_output_def *output = &scene->outputs.surface;
  const mote_world_def *world = &scene->world;
  const mote_surface_def plain = mote_surface_def_default();
  mote_surface_def def = output->def;
  def.spacing = world->spacing, def.most_nodes = plain.most_nodes, def.domain = plain.domain;
  memcpy(def.clip_low, plain.clip_low, sizeof def.clip_low);
  memcpy(def.clip_high, plain.clip_high, sizeof def.clip_high);
  for (int k = 0; k < 3; ++k) {
    def.domain.periodic[k] = world->side[k][0] == MOTE_SIDE_PERIODIC;
    def.domain.low[k] = world->low[k], def.domain.high[k] = world->high[k];
  }
  return def;
}

static const char *find_listed(const mote_surface_output_def *output) {
  for (size_t k = 0; k < output->formats; ++k)
    if (strcmp(output->format[k], "vtp") == 0) return output->format[k];
  return NULL;
}

static bool take_wishes(run_surfaces *s) {
  const mote_surface_output_def *output = s->output;
  s->wish = surface_wish_default();
  s->wish.listed = output->fields > 0;
  s->wish.colour_by = output->colour_by;
  s->wish.low = output->colour_low, s->wish.high = output->colour_high;
  for (size_t k = 0; k < output->fields; ++k) {
    if (k == MOTE_SURFACE_FIELDS - 1) return complain("outputs.surface.fields: too many names"), false;
    snprintf(s->wish.name[s->wish.names++], sizeof s->wish.name[0], "%.63s", output->field[k]);
  }
  return true;
}

bool run_surfaces_open(run_surfaces *s, const run_directory *directory, const mote_scene *scene,
                       uint64_t scene_hash, size_t frame, const mote_env *env) {
  mote_error error;
  *s = (run_surfaces){.directory = directory, .scene_hash = scene_hash, .env = *env};
  if (!scene->outputs.surface.on) return true;
  s->output = &scene->outputs.surface;
  s->def = run_surface_def(scene);
  s->walls = s->output->walls ? surface_walls_of(&scene->world) : surface_walls_none();
  surface_walls_cut(&s->walls, &s->def);
  if (mote_surfacer_create(&s->def, env, &s->surfacer, &error) != MOTE_OK)
    return complain_error(&error), false;
  return take_wishes(s) &&
         run_list_open(&s->list, directory, scene, "surface", find_listed(s->output), frame);
}

void run_surfaces_close(run_surfaces *s) {
  mote_surfacer_destroy(s->surfacer);
  run_list_close(&s->list);
  *s = (run_surfaces){.output = NULL};
}

// Fields are carried once for all formats: those that do not hold them leave them out.
static bool build(run_surfaces *s, const mote_cloud *cloud, mote_surface *out) {
  mote_field_view field[MOTE_SURFACE_FIELDS];
  mote_surface_particles particles = {.count = cloud->count, .field = field};
  mote_error error;
  bool holds = false;
  for (size_t k = 0; k < s->output->formats; ++k) {
    char name[32];
    run_list_name("surface", 1, s->output->format[k], name);
    holds = holds || surface_holds_fields(name);
  }
  const mote_field_view *position = mote_cloud_find(cloud, "position"), *id = mote_cloud_find(cloud, "id");
  particles.position = position->data;
  particles.id = id != NULL && id->type == MOTE_TYPE_U64 ? id->data : NULL;
  if (!surface_wish_choose(&s->wish, cloud, holds, s->directory->path, field, &particles.fields))
    return false;
  surface_images images;
  surface_images_make(&s->walls, &particles, &s->def, &images);
  mote_result result = mote_surfacer_build(s->surfacer, &images.view, out, &error);
  surface_images_free(&images);
  if (result != MOTE_OK) return complain_error(&error), false;
  surface_wish wish = s->wish;  // whose range is of this frame, so that a resumed run makes the same colours
  if (surface_wish_colour(&wish, out, holds, &s->env) == EXIT_DONE) return true;
  mote_surface_free(out, &s->env);
  return false;
}

bool run_surfaces_write(run_surfaces *s, const mote_world *world, size_t frame) {
  char name[32], path[PATH_CAPACITY];
  mote_surface surface;
  mote_error error;
  if (s->output == NULL) return true;
  mote_cloud cloud = run_cloud(world, s->scene_hash);
  if (!build(s, &cloud, &surface)) return false;
  bool ok = true;
  for (size_t k = 0; k < s->output->formats && ok; ++k) {
    run_list_name("surface", frame, s->output->format[k], name);
    run_directory_path(s->directory, name, path);
    ok = mote_surface_write(&surface, &cloud.stamp, path, &error) == MOTE_OK ||
         (complain_error(&error), false);
  }
  mote_surface_free(&surface, &s->env);
  return ok && run_list_add(&s->list, frame, cloud.stamp.time);
}
