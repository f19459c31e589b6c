// Clouds under construction, and the readers and writers of each format that cloud_file.c chooses from.
#ifndef MOTE_CLOUD_H
#define MOTE_CLOUD_H

#include "io/scan.h"

// A file in memory, to be read.
typedef struct mote_file_content {
  const uint8_t *data;
  size_t size;
  const char *path;  // for messages
  const mote_env *env;
} mote_file_content;

// Adds a field with cloud->count rows, all zero; data is in cloud->field[cloud->fields - 1].
// FORMAT if there are too many fields, or two of one name.
mote_result mote_cloud_add(mote_cloud *cloud, const mote_file_content *source, mote_word name, mote_type type,
                           int components, mote_error *error);
// The modifiable field of that name, or null.
mote_field_view *mote_cloud_field(mote_cloud *cloud, const char *name);
mote_result mote_cloud_set_unit(mote_field_view *field, mote_word unit, const mote_env *env,
                                mote_error *error);
size_t mote_field_bytes(const mote_field_view *field);
// Refuses a count that the file is too short for: each row takes at least 1/per_byte bytes.
mote_result mote_cloud_set_count(mote_cloud *cloud, const mote_file_content *source, uint64_t count,
                                 uint64_t per_byte, mote_error *error);

// Reads `source` in the format given by the suffix of source->path.
mote_result mote_cloud_parse(const mote_file_content *source, mote_cloud *out, mote_error *error);

// Each fills an empty cloud; the caller frees its content after a failure.
mote_result mote_vtk_xml_read(const mote_file_content *source, mote_cloud *out, mote_error *error);
mote_result mote_vtk_legacy_read(const mote_file_content *source, mote_cloud *out, mote_error *error);
mote_result mote_ply_read_cloud(const mote_file_content *source, mote_cloud *out, mote_error *error);
mote_result mote_bgeo_read(const mote_file_content *source, mote_cloud *out, mote_error *error);
mote_result mote_csv_read(const mote_file_content *source, mote_cloud *out, mote_error *error);
mote_result mote_xyz_read(const mote_file_content *source, mote_cloud *out, mote_error *error);
mote_result mote_usd_read_cloud(const mote_file_content *source, mote_cloud *out, mote_error *error);
mote_result mote_json_read_cloud(const mote_file_content *source, mote_cloud *out, mote_error *error);

// Each writes a checked cloud. Failures of the file are reported when it is committed.
mote_result mote_vtp_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error);
mote_result mote_vtu_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error);
mote_result mote_ply_write_cloud(const mote_cloud *cloud, mote_file_out *out, mote_error *error);
mote_result mote_bgeo_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error);
mote_result mote_usd_write_cloud(const mote_cloud *cloud, mote_file_out *out, mote_error *error);
// A layer that refers to the files as a sequence.
mote_result mote_usd_write_series(const char *const *name, const double *time, size_t count,
                                  mote_file_out *out, mote_error *error);
mote_result mote_csv_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error);
mote_result mote_xyz_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error);

#endif
