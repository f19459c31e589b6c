// Particles of a file as a surfacer wants them: see mesh_particles.h.
#include "cli/mesh/mesh_particles.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

static bool is_finite(const mote_field_view *position, size_t i) {
  return isfinite(mote_field_value(position, i, 0)) && isfinite(mote_field_value(position, i, 1)) &&
         isfinite(mote_field_value(position, i, 2));
}

// --- Spacing ----------------------------------------------------------------------------------------------

// The middle of the positive values of at most so many rows; NaN where there are none. `elsewhere`: what
// others call the field.
#define PROBES_MAX 4096

static double middle_of(const mote_cloud *cloud, const char *name, const char *elsewhere) {
  const mote_field_view *field = mote_cloud_find(cloud, name);
  if (field == NULL) field = mote_cloud_find(cloud, elsewhere);
  double found[PROBES_MAX];
  size_t count = 0;
  if (field == NULL || field->components != 1) return (double)NAN;
  for (size_t i = 0; i < field->count; i += field->count / PROBES_MAX + 1) {
    double value = mote_field_value(field, i, 0);
    APP_ASSERT(count < PROBES_MAX);
    if (isfinite(value) && value > 0) found[count++] = value;
  }
  sort_numbers(found, count);
  return count > 0 ? found[count / 2] : (double)NAN;
}

double mesh_spacing(const mote_cloud *cloud, bool flat) {
  if (cloud->stamp.spacing > 0.0) return cloud->stamp.spacing;
  double spacing = middle_of(cloud, "spacing", "Spacing");
  if (!isnan(spacing)) return spacing;
  double volume = middle_of(cloud, "volume", "Volume");
  if (isnan(volume)) volume = middle_of(cloud, "mass", "Mass") / middle_of(cloud, "density", "Rhop");
  if (!isnan(volume)) return flat ? sqrt(volume) : mote_cbrt(volume);
  return 2 * middle_of(cloud, "radius", "pscale");
}

// --- Particles --------------------------------------------------------------------------------------------

// Rows that are to stay, one behind the other.
static void copy_rows(const mote_field_view *from, const mote_field_view *position, size_t rows,
                      mote_field_view *to) {
  APP_ASSERT(rows <= from->count && from->count == position->count);
  size_t size = (size_t)from->components * mote_type_size(from->type), row = 0;
  *to = *from;
  to->count = rows;
  uint8_t *data = to->data = input_take(rows, size);
  for (size_t i = 0; i < from->count; ++i)
    if (is_finite(position, i)) memcpy(data + row++ * size, (const uint8_t *)from->data + i * size, size);
}

static void leave_out(const char *path, const mote_cloud *cloud, size_t rows, mesh_particles *out) {
  APP_ASSERT(rows < cloud->count);
  const mote_field_view *position = mote_cloud_find(cloud, "position");
  complain("%s: %zu of %zu particles have non-finite positions and are left out", path, cloud->count - rows,
           cloud->count);
  out->copied = true;
  out->cloud.count = rows;
  for (int k = 0; k < cloud->fields; ++k) copy_rows(&cloud->field[k], position, rows, &out->cloud.field[k]);
}

static void take_positions(const mote_field_view *position, mesh_particles *out) {
  APP_ASSERT(position != NULL && position->components == 3);
  out->position = input_take(3 * position->count, sizeof *out->position);
  bool flat = position->count > 3;
  for (size_t i = 0; i < position->count; ++i)
    for (size_t c = 0; c < 3; ++c) {
      out->position[3 * i + c] = mote_field_value(position, i, (int)c);
      flat = flat && (c < 2 || out->position[3 * i + 2] == out->position[2]);
    }
  for (size_t i = 0; flat && i < position->count; ++i) out->position[3 * i + 2] = 0;
  out->flat = flat;
}

static void take_volumes(mesh_particles *out) {
  const mote_field_view *volume = mote_cloud_find(&out->cloud, "volume");
  if (volume == NULL || volume->components != 1) return;
  out->volume = input_take(volume->count, sizeof *out->volume);
  for (size_t i = 0; i < volume->count; ++i) out->volume[i] = (float)mote_field_value(volume, i, 0);
  out->view.volume = out->volume;
}

// Ids are any whole numbers; DualSPHysics calls them Idp. Others sort their particles from frame to frame.
static void take_ids(mesh_particles *out) {
  const mote_field_view *id = mote_cloud_find(&out->cloud, "id");
  if (id == NULL) id = mote_cloud_find(&out->cloud, "Idp");
  if (id == NULL || id->components != 1) return;
  out->id = input_take(id->count, sizeof *out->id);
  for (size_t i = 0; i < id->count; ++i) {
    double number = mote_field_value(id, i, 0);
    if (!(number >= 0 && number < 0x1p64)) return;
    out->id[i] = id->type == MOTE_TYPE_U64 ? ((const uint64_t *)id->data)[i] : (uint64_t)number;
  }
  out->view.id = out->id;
}

int mesh_particles_make(const char *path, const mote_cloud *cloud, const surface_wish *wish, bool holds,
                        mesh_particles *out) {
  const mote_field_view *position = mote_cloud_find(cloud, "position");
  size_t rows = 0;
  *out = (mesh_particles){.cloud = *cloud};
  if (position == NULL || position->components != 3) {
    complain("%s: no positions in the file", path);
    return EXIT_USAGE;
  }
  for (size_t i = 0; i < position->count; ++i) rows += is_finite(position, i);
  if (rows < cloud->count) leave_out(path, cloud, rows, out);
  take_positions(mote_cloud_find(&out->cloud, "position"), out);
  take_volumes(out);
  out->view.position = out->position;
  out->view.count = rows;
  take_ids(out);
  if (!surface_wish_choose(wish, &out->cloud, holds, path, out->field, &out->view.fields)) return EXIT_USAGE;
  out->view.field = out->field;
  return EXIT_DONE;
}

void mesh_particles_free(mesh_particles *particles) {
  for (int k = 0; particles->copied && k < particles->cloud.fields; ++k) free(particles->cloud.field[k].data);
  free(particles->position);
  free(particles->volume);
  free(particles->id);
  *particles = (mesh_particles){0};
}
