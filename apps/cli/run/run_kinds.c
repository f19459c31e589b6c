// The files of a run's particles by kind: see run_kinds.h.
#include "cli/run/run_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/scene_kinds.h"
#include "cli/files/input_file.h"

// --- What the kinds have ---

// Of those of this list that the kind has.
static const char *const stored[] = {"id",   "position", "velocity",      "mass",
                                     "body", "object",   "solid_fraction"};
enum { STORED_FIELDS = sizeof stored / sizeof *stored };

typedef struct kind_row {
  const char *stem;  // of its files
  material_test *is_of;
  bool is_written_empty;  // where the scene has its material: particles may freeze into the kind later
  size_t (*particles)(const mote_world *world);
  mote_field_view (*view)(const mote_world *world, const char *field);
  const char *carrier;                    // field that moves skins along; null: position alone does
  mote_field_view measure[RUN_MEASURES];  // name, unit, type and components of the computed fields
  mote_result (*compute)(const mote_world *world, void *const out[RUN_MEASURES], mote_error *error);
} kind_row;

static mote_result compute_elastic(const mote_world *world, void *const out[RUN_MEASURES],
                                   mote_error *error) {
  const double *x = mote_world_elastic_view(world, "position").data,
               *rest = mote_world_elastic_view(world, "rest").data;
  double *displacement = out[0];
  for (size_t k = 0; k < 3 * mote_world_elastic_particles(world); ++k) displacement[k] = x[k] - rest[k];
  return mote_world_elastic_measure(world, &(mote_elastic_measures){.stress = out[1], .plastic = out[2]},
                                    error);
}

static mote_result compute_lattice(const mote_world *world, void *const out[RUN_MEASURES],
                                   mote_error *error) {
  mote_lattice_measures measures = {.strain = out[0], .open = out[1], .neighbours = out[2]};
  return mote_world_lattice_measure(world, &measures, error);
}

static const kind_row rows[RUN_KINDS] = {
    {.stem = "elastic",
     .is_of = material_is_elastic,
     .particles = mote_world_elastic_particles,
     .view = mote_world_elastic_view,
     .measure = {{"displacement", "m", MOTE_TYPE_F64, 3, 0, NULL},
                 {"stress", "Pa", MOTE_TYPE_F64, 1, 0, NULL},
                 {"plastic", "1", MOTE_TYPE_F64, 1, 0, NULL}},
     .compute = compute_elastic},
    {.stem = "lattice",
     .is_of = material_is_lattice,
     .is_written_empty = true,
     .particles = mote_world_lattice_particles,
     .view = mote_world_lattice_view,
     .carrier = "lattice_frame",
     .measure = {{"strain", "1", MOTE_TYPE_F64, 1, 0, NULL},
                 {"open_sites", "1", MOTE_TYPE_F64, 1, 0, NULL},
                 {"neighbours", "1", MOTE_TYPE_U32, 1, 0, NULL}},
     .compute = compute_lattice},
};

static bool has_field(const kind_row *row, const mote_world *world, const char *name) {
  bool has = false;
  for (size_t k = 0; k < STORED_FIELDS; ++k)
    has = has || (strcmp(stored[k], name) == 0 && row->view(world, name).name != NULL);
  for (size_t k = 0; k < RUN_MEASURES; ++k) has = has || strcmp(row->measure[k].name, name) == 0;
  return has && row->particles(world) > 0;
}

bool run_kinds_have(const mote_world *world, const char *name) {
  bool have = false;
  for (size_t k = 0; k < RUN_KINDS; ++k) have = have || has_field(&rows[k], world, name);
  return have;
}

// --- Files ---

static bool is_written(const kind_row *row, const mote_scene *scene, const mote_world *world) {
  if (row->is_written_empty) return has_material(scene, row->is_of);
  return row->particles(world) > 0 || has_waiting(scene, row->is_of);
}

bool run_kinds_open(run_kinds *kinds, const run_directory *directory, const mote_scene *scene,
                    const mote_world *world, uint64_t scene_hash, size_t frame) {
  bool ok = true;
  *kinds = (run_kinds){.directory = directory, .outputs = &scene->outputs, .scene_hash = scene_hash};
  for (size_t b = 0; b < scene->bodies; ++b) kinds->skins = kinds->skins || scene->body[b].skin;
  for (size_t k = 0; ok && k < RUN_KINDS; ++k) {
    kinds->kind[k].any = is_written(&rows[k], scene, world);
    if (kinds->kind[k].any)
      ok = run_list_open(&kinds->kind[k].list, directory, scene, rows[k].stem,
                         run_frames_listed(&scene->outputs), frame);
  }
  return ok;
}

void run_kinds_close(run_kinds *kinds) {
  for (size_t k = 0; k < RUN_KINDS; ++k) {
    if (kinds->kind[k].any) run_list_close(&kinds->kind[k].list);
    for (size_t m = 0; m < RUN_MEASURES; ++m) free(kinds->kind[k].measure[m]);
  }
  *kinds = (run_kinds){0};
}

// Particles may have been split or frozen since the last frame.
static void reserve(run_kind *kind, const kind_row *row, size_t count) {
  if (count <= kind->capacity) return;
  kind->capacity = count + count / 4;
  for (size_t m = 0; m < RUN_MEASURES; ++m) {
    free(kind->measure[m]);
    kind->measure[m] = input_take((size_t)row->measure[m].components * kind->capacity, sizeof(double));
  }
}

static void add_wanted(const run_kinds *kinds, mote_cloud *cloud, mote_field_view field) {
  if (field.name != NULL && run_frames_wants(kinds->outputs, field.name))
    cloud->field[cloud->fields++] = field;
}

static bool gather(run_kinds *kinds, size_t k, const mote_world *world, mote_cloud *cloud) {
  const kind_row *row = &rows[k];
  run_kind *kind = &kinds->kind[k];
  mote_error error;
  *cloud = (mote_cloud){.count = row->particles(world), .stamp = run_stamp(world, kinds->scene_hash)};
  reserve(kind, row, cloud->count);
  if (row->compute(world, kind->measure, &error) != MOTE_OK) return complain_error(&error), false;
  for (size_t f = 0; f < STORED_FIELDS; ++f) add_wanted(kinds, cloud, row->view(world, stored[f]));
  if (kinds->skins && row->carrier != NULL) cloud->field[cloud->fields++] = row->view(world, row->carrier);
  for (size_t m = 0; m < RUN_MEASURES; ++m) {
    mote_field_view field = row->measure[m];
    field.count = cloud->count, field.data = kind->measure[m];
    add_wanted(kinds, cloud, field);
  }
  return true;
}

static bool write_kind(run_kinds *kinds, size_t k, const mote_world *world, size_t frame) {
  char name[32], path[PATH_CAPACITY];
  mote_error error;
  mote_cloud cloud;
  if (!kinds->kind[k].any || (!rows[k].is_written_empty && rows[k].particles(world) == 0)) return true;
  if (!gather(kinds, k, world, &cloud)) return false;
  for (size_t f = 0; f < kinds->outputs->formats; ++f) {
    run_list_name(rows[k].stem, frame, kinds->outputs->format[f], name);
    run_directory_path(kinds->directory, name, path);
    if (mote_cloud_write(&cloud, path, &error) != MOTE_OK) return complain_error(&error), false;
  }
  return run_list_add(&kinds->kind[k].list, frame, cloud.stamp.time);
}

bool run_kinds_write(run_kinds *kinds, const mote_world *world, size_t frame) {
  bool ok = true;
  for (size_t k = 0; ok && k < RUN_KINDS; ++k) ok = write_kind(kinds, k, world, frame);
  return ok;
}
