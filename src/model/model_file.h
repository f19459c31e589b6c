// A mesh file with everything in it, as model.c and the files of the formats share it.
#ifndef MOTE_MODEL_FILE_H
#define MOTE_MODEL_FILE_H

#include <mote/model.h>

#include "io/glb.h"
#include "io/mesh_file.h"

typedef enum mote_model_kind {
  MOTE_MODEL_OBJ,
  MOTE_MODEL_PLY,
  MOTE_MODEL_GLB,
  MOTE_MODEL_OTHER
} mote_model_kind;

enum { MOTE_MODEL_NAME = 64 };

// Triangles of one name.
typedef struct mote_model_run {
  char name[MOTE_MODEL_NAME];
  size_t first, end;
} mote_model_run;

struct mote_model {
  mote_env env;
  mote_buffer path;
  mote_model_kind kind;
  mote_buffer bytes;  // the file, unpacked
  mote_file_content source;
  mote_surface surface;  // mesh of all rows, with fields
  size_t vertices;       // of the file
  double *normal;        // of the rows; null: none
  mote_buffer run;       // mote_model_run
  mote_buffer name;      // of runs, each once: char[MOTE_MODEL_NAME]
  // OBJ: the number of its normal for each row (UINT32_MAX: none), and the next row of the same vertex (0:
  // none)
  mote_buffer normal_of, next;
  mote_glb glb;  // GLB: its lists and primitives
  mote_mesh_maker maker;
};

// As mote_model_read, from memory; the bytes are copied.
mote_result mote_model_parse(const mote_file_content *source, mote_model **out, mote_error *error);
// Names a run of triangles; runs without triangles or name are left out.
void mote_model_add_run(mote_model *model, mote_word name, size_t first, size_t end);

mote_result mote_model_read_obj(mote_model *model, mote_error *error);
mote_result mote_model_read_glb(mote_model *model, mote_error *error);

// OBJ: texture coordinates, two floats each, and for each corner of the mesh the number of its own
// (UINT32_MAX: none).
void mote_model_obj_textures(const mote_model *model, mote_buffer *coordinate, mote_buffer *corner);

// model_split.c: an OBJ file with texture coordinates, as a surface of rows that have one each.
typedef struct mote_model_split {
  mote_surface surface;  // its field "uv" is the last one
  uint32_t *row;         // of the model, for each row; null: the model has no texture coordinates
} mote_model_split;
mote_result mote_model_split_make(const mote_model *model, mote_model_split *out, mote_error *error);
void mote_model_split_free(mote_model_split *split, const mote_env *env);
// Three numbers of each row of the model to those of the split.
void mote_model_split_take(const mote_model_split *split, const double *of_model, double *out);

// What is to be written.
typedef struct mote_model_pose {
  const double *position, *normal;
} mote_model_pose;

typedef mote_result mote_model_writer(const mote_model *model, const mote_model_pose *pose,
                                      mote_file_out *out, mote_error *error);
mote_model_writer mote_model_write_obj, mote_model_write_ply, mote_model_write_glb;

// Rows of a primitive in the coordinates of its node, as floats.
typedef struct mote_model_part {
  const mote_glb_primitive *primitive;
  mote_glb_values position, normal;  // of the file
  bool has_normal;
  mote_glb_place inverse;
} mote_model_part;
mote_result mote_model_part_open(const mote_model *model, size_t k, mote_model_part *out, mote_error *error);
size_t mote_model_parts(const mote_model *model);
void mote_model_part_row(const mote_model_part *part, const mote_model_pose *pose, size_t row,
                         float position[3], float normal[3]);

// A JSON text that is changed at places.
typedef struct mote_json_edit {
  const char *from, *to;  // of the text
  size_t begin, end;      // of what takes its place, in `put`
} mote_json_edit;
typedef struct mote_json_edits {
  mote_buffer edit;  // mote_json_edit
  mote_buffer put;
} mote_json_edits;
mote_json_edits mote_json_edits_make(const mote_env *env);
void mote_json_edits_free(mote_json_edits *edits);
// What is added to edits->put from here on takes the place of this text.
void mote_json_edit_begin(mote_json_edits *edits, const char *from, const char *to);
void mote_json_edit_end(mote_json_edits *edits);
// The root with all edits.
void mote_json_edits_apply(mote_json_edits *edits, mote_json root, mote_buffer *out);

// A GLB file of these chunks, which are padded; ARGUMENT beyond 4 GB.
mote_result mote_model_put_chunks(mote_buffer *json, mote_buffer *bin, mote_file_out *out, mote_error *error);

#endif
