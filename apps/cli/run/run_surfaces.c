// The surfaces of a run: see run_surfaces.h.
#include "cli/run/run_surfaces.h"

#include <math.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/mesh/mesh_contour.h"
#include "cli/run/run_frames.h"

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
                       const mote_world *world, uint64_t scene_hash, size_t frame, const mote_env *env) {
  *s = (run_surfaces){.directory = directory, .scene_hash = scene_hash, .env = *env};
  if (!scene->outputs.surface.on) return true;
  s->output = &scene->outputs.surface;
  s->surface = mote_world_find_surface(world, "surface");
  s->flat = scene->world.dimensions == 2;
  s->coloured = s->output->def.method == MOTE_SURFACE_TRACKED && scene->world.track.properties.colour;
  s->width = scene->outputs.width, s->height = scene->outputs.height;
  s->apart = s->output->phases == MOTE_PHASES_APART;
  if (s->apart) s->lattice = mote_world_find_surface(world, "solid");
  return take_wishes(s) &&
         run_list_open(&s->list, directory, scene, "surface", find_listed(s->output), frame) &&
         (!s->apart || run_list_open(&s->lattice_list, directory, scene, "lattice_surface",
                                     find_listed(s->output), frame));
}

void run_surfaces_close(run_surfaces *s) {
  run_list_close(&s->list);
  if (s->apart) run_list_close(&s->lattice_list);
  mote_surface_free(&s->area, &s->env);
  *s = (run_surfaces){.output = NULL};
}

// Fields are carried once for all formats: those that do not hold them leave them out.
static bool build(run_surfaces *s, mote_world *world, mote_world_surface of, const surface_wish *asked,
                  const mote_cloud *cloud, mote_surface *out) {
  mote_field_view field[MOTE_SURFACE_FIELDS];
  int fields = 0;
  mote_error error;
  bool holds = false;
  for (size_t k = 0; k < s->output->formats; ++k) {
    char name[32];
    run_list_name("surface", 1, s->output->format[k], name);
    holds = holds || surface_holds_fields(name);
  }
  bool none = s->output->phases == MOTE_PHASES_TOGETHER,
       tracked = s->output->def.method == MOTE_SURFACE_TRACKED && of.index == s->surface.index;
  if (!none && !tracked && !surface_wish_choose(asked, cloud, holds, s->directory->path, field, &fields))
    return false;
  if (mote_world_build_surface(world, of, field, fields, out, &error) != MOTE_OK)
    return complain_error(&error), false;
  surface_wish wish = *asked;  // whose range is of this frame, so that a resumed run makes the same colours
  if (none || surface_wish_colour(&wish, out, holds, &s->env) == EXIT_DONE) {
    if (tracked) surface_wish_keep(&wish, out, &s->env);
    return true;
  }
  mote_surface_free(out, &s->env);
  return false;
}

static bool write_contours(run_surfaces *s, mote_world *world, size_t frame) {
  char name[32], path[PATH_CAPACITY];
  mote_error error;
  mote_field_view field[MOTE_SURFACE_FIELDS];
  mote_cloud cloud = run_cloud(world, s->scene_hash);
  mote_surface_particles particles = {
      .position = mote_world_view(world, "position").data, .count = cloud.count, .field = field};
  if (!surface_wish_choose(&s->wish, &cloud, true, s->directory->path, field, &particles.fields))
    return false;
  mote_surface_free(&s->area, &s->env);
  if (mote_world_build_surface(world, s->surface, NULL, 0, &s->area, &error) != MOTE_OK)
    return complain_error(&error), false;
  bool ok = true;
  for (size_t k = 0; k < s->output->formats && ok; ++k) {
    mote_contour contour;
    run_list_name("surface", frame, s->output->format[k], name);
    run_directory_path(s->directory, name, path);
    ok = contour_write(&s->area, &particles, &cloud.stamp, path, s->width, s->height, &s->env, &contour) ==
         EXIT_DONE;
    if (ok) mote_contour_free(&contour, &s->env);
  }
  return ok && run_list_add(&s->list, frame, cloud.stamp.time);
}

static bool write_one(run_surfaces *s, const mote_surface *surface, const mote_stamp *stamp, const char *as,
                      size_t frame) {
  char name[32], path[PATH_CAPACITY];
  mote_error error;
  bool ok = true;
  for (size_t k = 0; k < s->output->formats && ok; ++k) {
    run_list_name(as, frame, s->output->format[k], name);
    run_directory_path(s->directory, name, path);
    ok = mote_surface_write(surface, stamp, path, &error) == MOTE_OK || (complain_error(&error), false);
  }
  return ok;
}

// With those of the wanted fields that lattices have.
static bool write_lattice(run_surfaces *s, mote_world *world, size_t frame) {
  static const char *const names[] = {"velocity", "mass",        "object",         "solid_fraction",
                                      "enthalpy", "temperature", "liquid_fraction"};
  mote_cloud cloud = {.count = mote_world_lattice_particles(world), .stamp = run_stamp(world, s->scene_hash)};
  surface_wish wish = s->wish;
  mote_surface surface;
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    mote_field_view view = mote_world_lattice_view(world, names[k]);
    if (view.name != NULL && view.count == cloud.count) cloud.field[cloud.fields++] = view;
  }
  wish.names = 0;
  for (int k = 0; k < s->wish.names; ++k) {
    if (mote_cloud_find(&cloud, s->wish.name[k]) != NULL)
      memcpy(wish.name[wish.names++], s->wish.name[k], sizeof wish.name[0]);
  }
  if (wish.colour_by != NULL && mote_cloud_find(&cloud, wish.colour_by) == NULL) wish.colour_by = NULL;
  if (!build(s, world, s->lattice, &wish, &cloud, &surface)) return false;
  bool ok = write_one(s, &surface, &cloud.stamp, "lattice_surface", frame);
  mote_surface_free(&surface, &s->env);
  return ok && run_list_add(&s->lattice_list, frame, cloud.stamp.time);
}

// Due by time alone, so that a resumed run follows at the same steps; steps are not shortened for it.
bool run_surfaces_follow(run_surfaces *s, mote_world *world, double before) {
  mote_surface surface;
  mote_error error;
  if (s->output == NULL || s->output->def.method != MOTE_SURFACE_ADAMS || !(s->output->follow > 0))
    return true;
  if (!(floor(mote_world_time(world) * s->output->follow) > floor(before * s->output->follow))) return true;
  if (mote_world_build_surface(world, s->surface, NULL, 0, &surface, &error) != MOTE_OK)
    return complain_error(&error), false;
  mote_surface_free(&surface, &s->env);
  return true;
}

bool run_surfaces_write(run_surfaces *s, mote_world *world, size_t frame) {
  mote_surface surface;
  if (s->output == NULL) return true;
  if (s->flat) return write_contours(s, world, frame);
  mote_cloud cloud = run_cloud(world, s->scene_hash);
  if (!build(s, world, s->surface, &s->wish, &cloud, &surface)) return false;
  double d = cloud.stamp.spacing;
  size_t count = cloud.count;
  if (s->output->phases == MOTE_PHASES_TOGETHER) count += mote_world_lattice_particles(world);
  if (count > 0) cloud.stamp.volume_ratio = mote_mesh_volume(&surface.mesh) / ((double)count * d * d * d);
  bool ok = write_one(s, &surface, &cloud.stamp, "surface", frame);
  mote_surface_free(s->coloured ? &s->area : &surface, &s->env);
  if (s->coloured) s->area = surface;
  return ok && run_list_add(&s->list, frame, cloud.stamp.time) &&
         (!s->apart || write_lattice(s, world, frame));
}

const mote_surface *run_surfaces_shown(const run_surfaces *s) {
  return s->output != NULL && (s->flat || s->coloured) ? &s->area : NULL;
}
