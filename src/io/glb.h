// GLB, the binary container of glTF 2.0: numbers of its accessors, and colours.
// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
#ifndef MOTE_GLB_H
#define MOTE_GLB_H

#include "io/json.h"
#include "io/mesh_file.h"

enum {
  MOTE_GLB_MAGIC = 0x46546c67,  // "glTF"
  MOTE_GLB_JSON = 0x4e4f534a,   // "JSON"
  MOTE_GLB_BIN = 0x004e4942,    // "BIN"
  MOTE_GLB_BYTE = 5120,
  MOTE_GLB_U8 = 5121,
  MOTE_GLB_I16 = 5122,
  MOTE_GLB_U16 = 5123,
  MOTE_GLB_U32 = 5125,
  MOTE_GLB_F32 = 5126,
  MOTE_GLB_TRIANGLES = 4,
  MOTE_GLB_STRIP = 5,
  MOTE_GLB_FAN = 6,
};

// The field that is written as a morph target: the way of each vertex to where it is in the next frame, m.
// Its place among the fields in "extras" is named so.
#define MOTE_GLB_NEXT "next"
#define MOTE_GLB_TARGET "TARGET_0"

// Coordinates of a node within the whole: M (x, 1), row by row.
typedef struct mote_glb_place {
  double m[12];
} mote_glb_place;

// Triangles of a scene.
typedef struct mote_glb_primitive {
  mote_json node, mesh, primitive;  // node: empty without scenes
  mote_glb_place place;
  size_t first_vertex, vertices, first_triangle, triangles;  // in the mesh
} mote_glb_primitive;

// A file being read.
typedef struct mote_glb {
  mote_mesh_maker *maker;
  mote_json root;
  mote_word bin;
  mote_buffer accessor, view, mesh, node;  // of mote_json: the items of these lists
  mote_buffer primitive;                   // of mote_glb_primitive
  bool share_vertices;                     // of primitives of one mesh with the same positions
} mote_glb;

mote_glb mote_glb_make(mote_mesh_maker *maker);
void mote_glb_free(mote_glb *glb);
// Reads all primitives into the maker.
mote_result mote_glb_load(mote_glb *glb, mote_error *error);

// The numbers of one accessor: `count` rows, `stride` bytes apart, within the file.
typedef struct mote_glb_values {
  const uint8_t *data;
  size_t stride, count;
  int components;
  mote_raw raw;
  bool normalized;
} mote_glb_values;

mote_json mote_glb_item(const mote_buffer *list, uint64_t k);
// FORMAT names the accessor: missing, sparse, beyond its buffer, or of an unsupported kind.
mote_result mote_glb_open(const mote_glb *glb, mote_json index, mote_glb_values *out, mote_error *error);
// One number; normalised integers are mapped to 0 or -1 to 1.
double mote_glb_value(const mote_glb_values *values, size_t row, int component);

mote_glb_place mote_glb_place_of(mote_json node, const mote_glb_place *parent);
void mote_glb_point(const mote_glb_place *place, const double x[3], double out[3]);
// A unit normal; n itself if the transformation is singular.
void mote_glb_normal(const mote_glb_place *place, const double n[3], double out[3]);
double mote_glb_determinant(const mote_glb_place *place);

// Normals and fields of the one primitive of the file.
mote_result mote_glb_read_fields(const mote_glb *glb, mote_json primitive, const mote_glb_place *place,
                                 mote_error *error);

// sRGB to linear and back, 0 to 1.
double mote_glb_linear(double srgb);
double mote_glb_srgb(double linear);

#endif
