// Files of clouds: the format by the file's suffix, and checks common to all formats.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/cloud.h"
#include "io/raw.h"

typedef mote_result cloud_reader(const mote_file_content *source, mote_cloud *out, mote_error *error);
typedef mote_result cloud_writer(const mote_cloud *cloud, mote_file_out *out, mote_error *error);

typedef struct cloud_format {
  const char *ending;
  cloud_reader *read;
  cloud_writer *write;
} cloud_format;

static const cloud_format formats[] = {
    {"vtp", mote_vtk_xml_read, mote_vtp_write},
    {"vtu", mote_vtk_xml_read, mote_vtu_write},
    {"ply", mote_ply_read_cloud, mote_ply_write_cloud},
    {"bgeo", mote_bgeo_read, mote_bgeo_write},
    {"csv", mote_csv_read, mote_csv_write},
    {"xyz", mote_xyz_read, mote_xyz_write},
    {"usda", mote_usd_read_cloud, mote_usd_write_cloud},
    {"vtk", mote_vtk_legacy_read, NULL},
    {"json", mote_json_read_cloud, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *const *mote_cloud_endings(bool writing) {
  static const char *const read[] = {"vtp", "vtu", "ply", "bgeo", "csv", "xyz", "usda", "vtk", "json", NULL};
  static const char *const written[] = {"vtp", "vtu", "ply", "bgeo", "csv", "xyz", "usda", NULL};
  return writing ? written : read;
}

static mote_result choose_format(const char *path, bool writing, const cloud_format **out,
                                 mote_error *error) {
  char ending[16];
  for (int k = 0; k < FORMATS; ++k) {
    if (writing && formats[k].write == NULL) continue;
    *out = &formats[k];
    snprintf(ending, sizeof ending, ".%s", formats[k].ending);
    if (mote_io_ends(path, ending)) return MOTE_OK;
    snprintf(ending, sizeof ending, ".%s.gz", formats[k].ending);
    if (mote_io_ends(path, ending)) return MOTE_OK;
  }
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "particles are %s vtp, vtu, ply, bgeo, csv, xyz%s",
                      writing ? "written as" : "read from", writing ? " or usda" : ", usda, vtk or json");
}

// --- Reading ----------------------------------------------------------------------------------------------

// Positions are three floating-point numbers: integers are converted, and 2D positions get z = 0.
static mote_result widen_position(mote_field_view *position, const mote_env *env, mote_error *error) {
  mote_field_view wide = *position;
  wide.type = MOTE_TYPE_F64;
  wide.components = 3;
  double *x = wide.data = mote_io_new(env, mote_field_bytes(&wide));
  if (x == NULL) return mote_io_fail_memory(error);
  for (size_t i = 0; i < wide.count; ++i)
    for (int c = 0; c < position->components; ++c) x[3 * i + (size_t)c] = mote_field_value(position, i, c);
  mote_io_delete(env, position->data, mote_field_bytes(position));
  *position = wide;
  return MOTE_OK;
}

static mote_result finish_cloud(const mote_file_content *source, mote_cloud *cloud, mote_error *error) {
  mote_field_view *position = mote_cloud_field(cloud, "position");
  if (position == NULL)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "no positions in it (x, y, z)");
  if (position->components < 2 || position->components > 3)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "positions have %d components, not 3",
                        position->components);
  bool fine =
      position->components == 3 && (position->type == MOTE_TYPE_F32 || position->type == MOTE_TYPE_F64);
  return fine ? MOTE_OK : widen_position(position, source->env, error);
}

mote_result mote_cloud_parse(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  const cloud_format *format;
  MOTE_IO_TRY(choose_format(source->path, false, &format, error));
  mote_cloud cloud = {.stamp.time = (double)NAN};
  mote_result result = format->read(source, &cloud, error);
  if (result == MOTE_OK) result = finish_cloud(source, &cloud, error);
  if (result == MOTE_OK)
    *out = cloud;
  else
    mote_cloud_free(&cloud, source->env);
  return result;
}

mote_result mote_cloud_read(const char *path, const mote_env *env, mote_cloud *out, mote_error *error) {
  const cloud_format *format;
  mote_buffer bytes;
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  MOTE_IO_TRY(choose_format(path, false, &format, error));
  mote_env own = mote_io_env(env);
  MOTE_IO_TRY(mote_file_in_load(path, &own, &bytes, error));
  mote_file_content source = {bytes.data, bytes.size, path, &own};
  mote_result result = mote_cloud_parse(&source, out, error);
  mote_buffer_free(&bytes);
  return result;
}

// --- Writing ----------------------------------------------------------------------------------------------

static mote_result check_field(const mote_field_view *field, size_t count, const char *path,
                               mote_error *error) {
  const char *wrong = NULL;
  if (field->name == NULL || field->name[0] == 0) wrong = "has no name";
  if (field->components < 1 || field->components > 255) wrong = "must have 1 to 255 components";
  if ((unsigned)field->type >= MOTE_TYPE_COUNT) wrong = "has no known type";
  if (field->count != count) wrong = "has not as many rows as the cloud";
  if (field->data == NULL && count > 0) wrong = "has no data";
  if (wrong == NULL) return MOTE_OK;
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "field \"%s\" %s", field->name ? field->name : "",
                      wrong);
}

static mote_result check_cloud(const mote_cloud *cloud, const char *path, mote_error *error) {
  if (cloud->fields < 1 || cloud->fields > MOTE_CLOUD_FIELDS)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "a cloud has 1 to %d fields", MOTE_CLOUD_FIELDS);
  for (int k = 0; k < cloud->fields; ++k)
    MOTE_IO_TRY(check_field(&cloud->field[k], cloud->count, path, error));
  const mote_field_view *x = mote_cloud_find(cloud, "position");
  if (x == NULL || x->components != 3 || (x->type != MOTE_TYPE_F32 && x->type != MOTE_TYPE_F64))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path,
                        "a cloud has a field \"position\" of 3 floating-point components");
  return MOTE_OK;
}

mote_result mote_cloud_write(const mote_cloud *cloud, const char *path, mote_error *error) {
  const cloud_format *format;
  mote_file_out *out;
  if (cloud == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "cloud or path is null");
  MOTE_IO_TRY(choose_format(path, true, &format, error));
  MOTE_IO_TRY(check_cloud(cloud, path, error));
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  mote_result result = format->write(cloud, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}
