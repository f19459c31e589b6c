// The files of a run's lattice particles: see run_lattices.h.
#include "cli/run/run_lattices.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/scene_kinds.h"
#include "cli/files/input_file.h"

bool run_lattices_open(run_lattices *lattices, const run_directory *directory, const mote_scene *scene,
                       uint64_t scene_hash, size_t frame) {
  *lattices = (run_lattices){.directory = directory, .outputs = &scene->outputs, .scene_hash = scene_hash};
  for (size_t b = 0; b < scene->bodies; ++b) lattices->skins = lattices->skins || scene->body[b].skin;
  for (size_t m = 0; m < scene->materials; ++m)
    lattices->any = lattices->any || material_is_lattice(&scene->material[m]);
  if (!lattices->any) return true;
  return run_list_open(&lattices->list, directory, scene, "lattice", run_frames_listed(&scene->outputs),
                       frame);
}

void run_lattices_close(run_lattices *lattices) {
  if (lattices->any) run_list_close(&lattices->list);
  free(lattices->strain), free(lattices->open), free(lattices->neighbours);
  *lattices = (run_lattices){0};
}

static const char *const stored[] = {"id",   "position", "velocity",      "mass",
                                     "body", "object",   "solid_fraction"};
enum { STORED = sizeof stored / sizeof *stored };

bool run_lattices_has(const mote_world *world, const char *name) {
  static const char *const computed[] = {"strain", "open_sites", "neighbours"};
  bool has = false;
  for (size_t k = 0; k < STORED; ++k) has = has || strcmp(stored[k], name) == 0;
  for (size_t k = 0; k < sizeof computed / sizeof *computed; ++k) has = has || strcmp(computed[k], name) == 0;
  return has && mote_world_lattice_particles(world) > 0;
}

static void add_wanted(const run_lattices *lattices, mote_cloud *cloud, mote_field_view field) {
  if (run_frames_wants(lattices->outputs, field.name)) cloud->field[cloud->fields++] = field;
}

static void reserve(run_lattices *lattices, size_t count) {
  if (count <= lattices->capacity) return;
  free(lattices->strain), free(lattices->open), free(lattices->neighbours);
  lattices->capacity = count + count / 4;
  lattices->strain = input_take(lattices->capacity, sizeof *lattices->strain);
  lattices->open = input_take(lattices->capacity, sizeof *lattices->open);
  lattices->neighbours = input_take(lattices->capacity, sizeof *lattices->neighbours);
}

static bool gather(run_lattices *lattices, const mote_world *world, mote_cloud *cloud) {
  size_t count = mote_world_lattice_particles(world);
  mote_error error;
  reserve(lattices, count);
  *cloud = (mote_cloud){.count = count, .stamp = run_stamp(world, lattices->scene_hash)};
  mote_lattice_measures out = {
      .strain = lattices->strain, .open = lattices->open, .neighbours = lattices->neighbours};
  if (mote_world_lattice_measure(world, &out, &error) != MOTE_OK) return complain_error(&error), false;
  for (size_t k = 0; k < STORED; ++k) add_wanted(lattices, cloud, mote_world_lattice_view(world, stored[k]));
  if (lattices->skins) cloud->field[cloud->fields++] = mote_world_lattice_view(world, "lattice_frame");
  add_wanted(lattices, cloud, (mote_field_view){"strain", "1", MOTE_TYPE_F64, 1, count, lattices->strain});
  add_wanted(lattices, cloud, (mote_field_view){"open_sites", "1", MOTE_TYPE_F64, 1, count, lattices->open});
  add_wanted(lattices, cloud,
             (mote_field_view){"neighbours", "1", MOTE_TYPE_U32, 1, count, lattices->neighbours});
  return true;
}

bool run_lattices_write(run_lattices *lattices, const mote_world *world, size_t frame) {
  char name[32], path[PATH_CAPACITY];
  mote_error error;
  mote_cloud cloud;
  if (!lattices->any) return true;
  if (!gather(lattices, world, &cloud)) return false;
  for (size_t k = 0; k < lattices->outputs->formats; ++k) {
    run_list_name("lattice", frame, lattices->outputs->format[k], name);
    run_directory_path(lattices->directory, name, path);
    if (mote_cloud_write(&cloud, path, &error) != MOTE_OK) return complain_error(&error), false;
  }
  return run_list_add(&lattices->list, frame, cloud.stamp.time);
}
