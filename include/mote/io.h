// Files, in libmote-io: particles, meshes, grids of values, scenes. The file extension selects the
// format. Files are written to PATH.part, then renamed: after a failure the previous file is still there.
// docs/formats.md
#ifndef MOTE_IO_H
#define MOTE_IO_H

#include <mote/base.h>
#include <mote/edits.h>
#include <mote/fragments.h>
#include <mote/geom.h>
#include <mote/keys.h>
#include <mote/scene.h>
#include <mote/steer.h>
#include <mote/surface.h>
#include <mote/view.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Bytes ------------------------------------------------------------------------------------------------

// A file being written: PATH.part, which is renamed to PATH when it is complete. Devices and pipes are
// written directly. A name that ends in .gz is compressed.
typedef struct mote_file_out mote_file_out;

// FILE with the message of the system: no such directory, not permitted, name too long. `durable`: the bytes
// are on the disk before the name is, so that a power failure leaves the old file or the new one.
MOTE_API mote_result mote_file_out_begin(const char *path, bool durable, const mote_env *env,
                                         mote_file_out **out, mote_error *error);
// False after a failure, which commit reports. A mote_world_write_fn, with the file as its user.
MOTE_API bool mote_file_out_write(void *file, const void *bytes, size_t size);
// Both end the file. After a failure, and when abandoned, the previous file is still there.
MOTE_API mote_result mote_file_out_commit(mote_file_out *file, mote_error *error);
MOTE_API void mote_file_out_abandon(mote_file_out *file);
// Writes a whole file.
MOTE_API mote_result mote_file_write(const char *path, const void *bytes, size_t size, mote_error *error);

// A file read from front to back. FILE: missing, a directory, not permitted.
typedef struct mote_file_in mote_file_in;
MOTE_API mote_result mote_file_in_open(const char *path, const mote_env *env, mote_file_in **out,
                                       mote_error *error);
MOTE_API uint64_t mote_file_in_size(const mote_file_in *file);
// False when fewer bytes are left. A mote_world_read_fn, with the file as its user.
MOTE_API bool mote_file_in_read(void *file, void *bytes, size_t size);
MOTE_API void mote_file_in_close(mote_file_in *file);

// --- Clouds: particles with named fields ----------------------------------------------------------------

// Written into every file of Mote.
typedef struct mote_stamp {
  char version[16];  // of Mote; empty in files of others
  uint64_t scene_hash;
  double time;  // s; NaN: not in the file
  uint64_t step;
  double spacing;       // of the particles, m; 0: not in the file
  double volume_ratio;  // of a surface: its volume over that of its particles; 0: not in the file
} mote_stamp;

#define MOTE_CLOUD_FIELDS 64

// One of the fields is called "position" and has 3 components (F32 or F64).
typedef struct mote_cloud {
  size_t count;
  int fields;
  mote_field_view field[MOTE_CLOUD_FIELDS];
  mote_stamp stamp;
} mote_cloud;

// The field called `name`; null when there is none.
MOTE_API const mote_field_view *mote_cloud_find(const mote_cloud *cloud, const char *name);

// A value as a number, whatever the field's type.
MOTE_API double mote_field_value(const mote_field_view *field, size_t row, int component);

// vtp vtu ply bgeo csv xyz usda, each also followed by .gz. Contents of the formats: docs/formats.md
MOTE_API mote_result mote_cloud_write(const mote_cloud *cloud, const char *path, mote_error *error);
// The same formats, written by Mote or by ParaView, SPlisHSPlasH, Houdini and others; also vtk. Free with
// mote_cloud_free. FORMAT, in text files with line and column: malformed, cut short, without positions. No
// memory is allocated for a size that the file claims before its bytes are known to exist.
MOTE_API mote_result mote_cloud_read(const char *path, const mote_env *env, mote_cloud *out,
                                     mote_error *error);
MOTE_API void mote_cloud_free(mote_cloud *cloud, const mote_env *env);

// The file extensions, e.g. for messages: "vtp", ...; ends with a null pointer.
MOTE_API const char *const *mote_cloud_endings(bool writing);

// A list of files with their times: PVD for ParaView, or usda, which shows USD files one after the other.
// Names are relative to it.
MOTE_API mote_result mote_series_write(const char *path, const char *const *name, const double *time,
                                       size_t count, mote_error *error);

// --- Meshes and surfaces ----------------------------------------------------------------------------------

// obj ply stl vtp glb usda bgeo, and vtk to read, each also followed by .gz. Polygons are split into
// triangles. Free with mote_mesh_free. Triangles of STL files share no vertices: mote_mesh_repair merges
// them.
MOTE_API mote_result mote_mesh_read(const char *path, const mote_env *env, mote_mesh *out, mote_error *error);
MOTE_API mote_result mote_mesh_write(const mote_mesh *mesh, const char *path, mote_error *error);

// The same with normals and fields, as far as the format can hold them: vtp, ply and usda all, glb and bgeo
// in single precision, obj normals and colours, stl nothing. A field "colour" of U8 (or of floating point
// from 0 to 1) with 3 or 4 components is sRGB, and is a colour elsewhere, too. stamp null: version only.
MOTE_API mote_result mote_surface_write(const mote_surface *surface, const mote_stamp *stamp,
                                        const char *path, mote_error *error);
// Free with mote_surface_free. An empty surface is accepted if Mote wrote it. `stamp` may be null. Fields
// beyond MOTE_SURFACE_FIELDS are left out (reported in the log).
MOTE_API mote_result mote_surface_read(const char *path, const mote_env *env, mote_surface *out,
                                       mote_stamp *stamp, mote_error *error);
// Pieces of a broken shape. glb: a node for each piece, named fragment_0000 and so on, with walls that have a
// material of their own; other formats: one closed mesh with a field "fragment". stamp null: version only.
MOTE_API mote_result mote_fragments_write(const mote_fragments_view *view, const mote_stamp *stamp,
                                          const char *path, mote_error *error);
// As mote_cloud_endings.
MOTE_API const char *const *mote_surface_endings(bool writing);
// Whether a readable file holds triangles, by its header: ply, vtp, vtk, usda and bgeo may hold triangles
// or particles.
MOTE_API bool mote_surface_holds(const char *path);

// --- Grids of samples -----------------------------------------------------------------------------------

// size[0] * size[1] * size[2] points, x fastest, each field of that many rows.
typedef struct mote_grid_samples {
  int size[3];
  double origin[3], spacing[3];
  int fields;
  mote_field_view field[MOTE_CLOUD_FIELDS];
  mote_stamp stamp;
} mote_grid_samples;

// vti csv
MOTE_API mote_result mote_grid_samples_write(const mote_grid_samples *grid, const char *path,
                                             mote_error *error);

// --- Scenes -----------------------------------------------------------------------------------------------

// A scene from a file, with the line and column of every value.
typedef struct mote_scene_file mote_scene_file;

// Reads the scene and the files it includes or extends; `set` holds `sets` changes "a.b=c". Errors give file,
// line, column, reason and a suggestion. Relative file names are relative to the file that contains them.
MOTE_API mote_result mote_scene_read(const char *path, const char *const *set, size_t sets,
                                     const mote_env *env, mote_scene_file **out, mote_error *error);
// The same from memory; `name` stands for the file in messages. Other files are read only if `name` has a
// folder ("./memory"), to which they are relative.
MOTE_API mote_result mote_scene_parse(const char *text, size_t size, const char *name, const char *const *set,
                                      size_t sets, const mote_env *env, mote_scene_file **out,
                                      mote_error *error);

// Where a scene comes from.
typedef struct mote_scene_source {
  const char *path;        // of the file; beside a text the name that stands for it in messages
  const char *text;        // null: the file is read
  size_t size;             // of the text, bytes
  const char *const *set;  // changes "a.b=c"
  size_t sets;
} mote_scene_source;
// Reads a scene as the functions above do, checks it as mote_scene_check does, and lists its errors in the
// order of their places, without those that another one may have caused. Reading ends at 1000 errors.
MOTE_API mote_result mote_scene_open(const mote_scene_source *source, const mote_env *env,
                                     mote_scene_file **out, mote_error_list *errors);
MOTE_API void mote_scene_file_destroy(mote_scene_file *file);

MOTE_API const mote_scene *mote_scene_file_scene(const mote_scene_file *file);
// The file that the mesh of a shape of this scene was read from, and the factor of its numbers; null: the
// shape is no single mesh.
MOTE_API const char *mote_scene_file_mesh(const mote_scene_file *file, const mote_shape_def *shape,
                                          double *factor);
// The whole scene in one text, without includes: reads back to the same scene.
MOTE_API const char *mote_scene_file_text(const mote_scene_file *file, size_t *size);
// Hash of that text without title, outputs and duration: of everything that influences the results.
MOTE_API uint64_t mote_scene_file_hash(const mote_scene_file *file);
// Fills in file, line and column of the value that error->key names, or of the nearest known one, and puts
// the key before the text. An error that already has a file is not changed.
MOTE_API void mote_scene_file_locate(const mote_scene_file *file, mote_error *error);
// Calls `report` for every value that influences the results and differs; returns how many there are. Texts
// are
// "(none)" where one scene lacks the value.
typedef void mote_scene_difference_fn(void *user, const char *key, const char *a, const char *b);
MOTE_API size_t mote_scene_differences(const mote_scene_file *a, const mote_scene_file *b,
                                       mote_scene_difference_fn *report, void *user);

// Calls `report` for every key that the scene gives and that has no effect beside its others
// (mote_scene_key_unused), with its place and a sentence; returns how many there are.
typedef void mote_scene_note_fn(void *user, const mote_error *where);
MOTE_API size_t mote_scene_file_unused(const mote_scene_file *file, mote_scene_note_fn *report, void *user);
// The same for meshes of the scene that were not clean: what was done to them so that they bound solids.
MOTE_API size_t mote_scene_file_mended(const mote_scene_file *file, mote_scene_note_fn *report, void *user);

// --- EDITS and KEYS of deformed meshes --------------------------------------------------------------------

// Files in the scene language, with the same messages; docs/deforming.md has their keys. Their text and hash
// are as those of scenes, mote_scene_file_locate finds their values.
MOTE_API mote_result mote_edits_read(const char *path, const char *const *set, size_t sets,
                                     const mote_env *env, mote_scene_file **out, mote_error *error);
MOTE_API mote_result mote_edits_parse(const char *text, size_t size, const char *name, const char *const *set,
                                      size_t sets, const mote_env *env, mote_scene_file **out,
                                      mote_error *error);
MOTE_API mote_result mote_animation_read(const char *path, const char *const *set, size_t sets,
                                         const mote_env *env, mote_scene_file **out, mote_error *error);
MOTE_API mote_result mote_animation_parse(const char *text, size_t size, const char *name,
                                          const char *const *set, size_t sets, const mote_env *env,
                                          mote_scene_file **out, mote_error *error);
// Of an EDITS file, and of a KEYS file, which holds an EDITS file; null of others.
MOTE_API const mote_edits *mote_scene_file_edits(const mote_scene_file *file);
MOTE_API const mote_animation *mote_scene_file_animation(const mote_scene_file *file);

// --- Commands ---------------------------------------------------------------------------------------------

// A file of commands (mote/steer.h), one JSON object a line: docs/steering.md.
typedef struct mote_command_file mote_command_file;

// Errors give file, line, column, reason and a suggestion. Commands come in the order in which they take
// effect; their targets are resolved by the world.
MOTE_API mote_result mote_commands_read(const char *path, const mote_env *env, mote_command_file **out,
                                        mote_error *error);
// The same from memory; `name` stands for the file in messages.
MOTE_API mote_result mote_commands_parse(const char *text, size_t size, const char *name, const mote_env *env,
                                         mote_command_file **out, mote_error *error);
MOTE_API void mote_command_file_destroy(mote_command_file *file);
// All of them, as long as the file lives. A step of UINT64_MAX is not given, as is a time of NaN; one of both
// is. A command is due once both are reached.
MOTE_API const mote_command *mote_command_file_commands(const mote_command_file *file, size_t *count);
// Fills in file, line and column of what error->key names in the k-th command, or of that itself.
MOTE_API void mote_command_file_locate(const mote_command_file *file, size_t k, mote_error *error);

// Writes commands, with their steps and times as far as they are given.
MOTE_API mote_result mote_commands_write(const mote_command *command, size_t count, const char *path,
                                         mote_error *error);
// Writes the executed commands of a world.
MOTE_API mote_result mote_commands_write_world(const mote_world *world, const char *path, mote_error *error);

// A length as in scenes: "2 cm" is 0.02. *plain: there is no unit, and the number is returned unchanged.
// ARGUMENT lists the units.
MOTE_API mote_result mote_length_read(const char *text, double *value, bool *plain, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
