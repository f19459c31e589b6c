// Files, in libmote-io: particles, meshes, lattices of values, scenes. Formats are chosen by the file's
// ending. Files are written beside (PATH.part) and renamed: a failure leaves what was there before.
// docs/formats.md
#ifndef MOTE_IO_H
#define MOTE_IO_H

#include <mote/base.h>
#include <mote/geom.h>
#include <mote/scene.h>
#include <mote/surface.h>
#include <mote/view.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Bytes ------------------------------------------------------------------------------------------------

// A file on its way: written as PATH.part, which takes the name PATH when all of it is there. Where PATH is a
// device or a pipe, it is written straight. A name that ends in .gz is compressed.
typedef struct mote_file_out mote_file_out;

// FILE with the system's words: no such directory, not permitted, name too long. `durable`: the bytes are on
// the disk before the name is, so that a power failure leaves the old file or the new one.
MOTE_API mote_result mote_file_out_begin(const char *path, bool durable, const mote_env *env,
                                         mote_file_out **out, mote_error *error);
// False once something went wrong; commit says what. A mote_world_write_fn, with the file as its user.
MOTE_API bool mote_file_out_write(void *file, const void *bytes, size_t size);
// Both end the file. After a failure, and when abandoned, what was there before is still there.
MOTE_API mote_result mote_file_out_commit(mote_file_out *file, mote_error *error);
MOTE_API void mote_file_out_abandon(mote_file_out *file);
// All at once.
MOTE_API mote_result mote_file_write(const char *path, const void *bytes, size_t size, mote_error *error);

// A file read from front to back. FILE: missing, a directory, not permitted.
typedef struct mote_file_in mote_file_in;
MOTE_API mote_result mote_file_in_open(const char *path, const mote_env *env, mote_file_in **out,
                                       mote_error *error);
MOTE_API uint64_t mote_file_in_size(const mote_file_in *file);
// False when there are not so many bytes left. A mote_world_read_fn, with the file as its user.
MOTE_API bool mote_file_in_read(void *file, void *bytes, size_t size);
MOTE_API void mote_file_in_close(mote_file_in *file);

// --- Clouds: particles with named fields ----------------------------------------------------------------

// What every file of ours carries.
typedef struct mote_stamp {
  char version[16];  // of Mote; empty in files of others
  uint64_t scene_hash;
  double time;  // s; NaN where the file does not say
  uint64_t step;
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

// vtp vtu ply bgeo csv xyz, each also with .gz behind. What the formats can hold: docs/formats.md
MOTE_API mote_result mote_cloud_write(const mote_cloud *cloud, const char *path, mote_error *error);
// The same, ours or others' (ParaView's, SPlisHSPlasH's, Houdini's), vtk besides. Free with mote_cloud_free.
// FORMAT with line and column in texts: malformed, cut short, without positions. Nothing is allocated for
// what the file claims before its bytes are known to be there.
MOTE_API mote_result mote_cloud_read(const char *path, const mote_env *env, mote_cloud *out,
                                     mote_error *error);
MOTE_API void mote_cloud_free(mote_cloud *cloud, const mote_env *env);

// Which endings there are, e.g. for messages: "vtp", ...; null behind the last.
MOTE_API const char *const *mote_cloud_endings(bool writing);

// PVD: a list of files with their times, for ParaView. Names are relative to it.
MOTE_API mote_result mote_series_write(const char *path, const char *const *name, const double *time,
                                       size_t count, mote_error *error);

// --- Meshes and surfaces ----------------------------------------------------------------------------------

// obj ply stl vtp glb, and vtk to read, each also with .gz behind. Polygons are cut into triangles. Free with
// mote_mesh_free. Vertices of STL files stand alone: mote_mesh_repair joins them.
MOTE_API mote_result mote_mesh_read(const char *path, const mote_env *env, mote_mesh *out, mote_error *error);
MOTE_API mote_result mote_mesh_write(const mote_mesh *mesh, const char *path, mote_error *error);

// The same with normals and fields, as much of them as the format holds: vtp and ply all of it, glb in single
// precision, obj normals and colours, stl nothing. A field "colour" of U8 (or of floating point from 0 to 1)
// with 3 or 4 components is sRGB, and is a colour elsewhere, too. stamp null: version only.
MOTE_API mote_result mote_surface_write(const mote_surface *surface, const mote_stamp *stamp,
                                        const char *path, mote_error *error);
// Free with mote_surface_free. A surface of nothing is read where Mote wrote it. `stamp` may be null. Fields
// beyond MOTE_SURFACE_FIELDS are left out, which the log says.
MOTE_API mote_result mote_surface_read(const char *path, const mote_env *env, mote_surface *out,
                                       mote_stamp *stamp, mote_error *error);
// As mote_cloud_endings.
MOTE_API const char *const *mote_surface_endings(bool writing);
// Whether a file that can be read holds triangles, by what it says in front: ply, vtp and vtk may be either.
MOTE_API bool mote_surface_holds(const char *path);

// --- Lattices of values -----------------------------------------------------------------------------------

// size[0] * size[1] * size[2] points, x fastest, each field of that many rows.
typedef struct mote_lattice {
  int size[3];
  double origin[3], spacing[3];
  int fields;
  mote_field_view field[MOTE_CLOUD_FIELDS];
  mote_stamp stamp;
} mote_lattice;

// vti csv
MOTE_API mote_result mote_lattice_write(const mote_lattice *lattice, const char *path, mote_error *error);

// --- Scenes
// -------------------------------------------------------------------------------------------------

// A scene from a file, with the place of every value.
typedef struct mote_scene_file mote_scene_file;

// Reads the scene and what it includes or extends; `set` holds `sets` changes "a.b=c". Errors say file, line,
// column, what is wrong and what was meant. Relative names of files are relative to the file they stand in.
MOTE_API mote_result mote_scene_read(const char *path, const char *const *set, size_t sets,
                                     const mote_env *env, mote_scene_file **out, mote_error *error);
// The same from memory; `name` stands for the file in messages. Other files are read only where `name` has a
// folder ("./memory"), which they are relative to.
MOTE_API mote_result mote_scene_parse(const char *text, size_t size, const char *name, const char *const *set,
                                      size_t sets, const mote_env *env, mote_scene_file **out,
                                      mote_error *error);
MOTE_API void mote_scene_file_destroy(mote_scene_file *file);

MOTE_API const mote_scene *mote_scene_file_scene(const mote_scene_file *file);
// The whole scene in one text, without includes: reads back to the same scene.
MOTE_API const char *mote_scene_file_text(const mote_scene_file *file, size_t *size);
// Of that text without title, outputs and duration: of what decides the results.
MOTE_API uint64_t mote_scene_file_hash(const mote_scene_file *file);
// Fills in file, line and column of the value that error->key names, as near as it is known, and puts the key
// before the text. An error that has a file already stays as it is.
MOTE_API void mote_scene_file_locate(const mote_scene_file *file, mote_error *error);
// Calls `tell` for every value that decides the results and differs; returns how many there are. Texts are
// "(none)" where one scene lacks the value.
typedef void mote_scene_difference_fn(void *user, const char *key, const char *a, const char *b);
MOTE_API size_t mote_scene_differences(const mote_scene_file *a, const mote_scene_file *b,
                                       mote_scene_difference_fn *tell, void *user);

// A length as scenes have it: "2 cm" is 0.02. *plain: no unit stands there, and the number is as it is.
// ARGUMENT says which units there are.
MOTE_API mote_result mote_length_read(const char *text, double *value, bool *plain, mote_error *error);

// One key of the scene language.
typedef struct mote_scene_key {
  const char *section;  // the mapping it stands in: "scene", "material", "body", "shape", "box", ...
  const char *name;
  const char *type;   // for people: "number", "length", "3 lengths", "one of cubic, hexagonal, relaxed", ...
  const char *unit;   // SI; "" where there is none
  const char *range;  // "", "> 0", "0 to 1", ...
  const char *initial;  // the default as text; "required" where there is none
  const char *text;     // a sentence
} mote_scene_key;

// All keys, in the order of docs/scene.md.
MOTE_API const mote_scene_key *mote_scene_keys(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
