// Meshes and surfaces under construction, and the readers and writers of each format that mesh_file.c chooses
// from.
#ifndef MOTE_MESH_FILE_H
#define MOTE_MESH_FILE_H

#include "io/cloud.h"

// Vertices and triangles under construction, and fields of the vertices.
typedef struct mote_mesh_maker {
  const mote_file_content *source;
  mote_buffer vertex;    // 3 doubles each; empty if the cloud has positions
  mote_buffer triangle;  // 3 numbers each; checked at the end
  mote_cloud cloud;      // normals and fields of the vertices, and the stamp
} mote_mesh_maker;

void mote_mesh_add_vertex(mote_mesh_maker *maker, const double x[3]);
size_t mote_mesh_vertices(const mote_mesh_maker *maker);
// A polygon as a fan of triangles about its first corner. Fewer than 3 corners: none.
void mote_mesh_add_polygon(mote_mesh_maker *maker, const uint32_t *corner, size_t corners);
// Every second triangle of a strip is reversed.
void mote_mesh_add_strip(mote_mesh_maker *maker, const uint32_t *corner, size_t corners);
// Makes the surface; the caller frees the rest of the maker.
mote_result mote_mesh_finish(mote_mesh_maker *maker, mote_surface *out, mote_error *error);
void mote_mesh_maker_free(mote_mesh_maker *maker);

mote_result mote_surface_parse(const mote_file_content *source, mote_surface *out, mote_stamp *stamp,
                               mote_error *error);
mote_result mote_mesh_parse(const mote_file_content *source, mote_mesh *out, mote_error *error);

mote_result mote_obj_read(mote_mesh_maker *maker, mote_error *error);
mote_result mote_stl_read(mote_mesh_maker *maker, mote_error *error);
mote_result mote_ply_read_mesh(mote_mesh_maker *maker, mote_error *error);
mote_result mote_vtp_read_mesh(mote_mesh_maker *maker, mote_error *error);
mote_result mote_vtk_read_mesh(mote_mesh_maker *maker, mote_error *error);
mote_result mote_usd_read_mesh(mote_mesh_maker *maker, mote_error *error);
mote_result mote_bgeo_read_mesh(mote_mesh_maker *maker, mote_error *error);
mote_result mote_glb_read(mote_mesh_maker *maker, mote_error *error);

// The next corner of an OBJ file's face, v, v/vt, v//vn or v/vt/vn; empty at the face's end, in front of a
// comment.
mote_word mote_obj_corner(mote_scan *scan);

// The vertices of a surface as a cloud that refers to its arrays: position, normal, fields.
mote_cloud mote_surface_cloud(const mote_surface *surface, const mote_stamp *stamp);
// The field "colour" of 3 or 4 components: U8, or floating point from 0 to 1, in sRGB; null: none.
const mote_field_view *mote_surface_colour(const mote_surface *surface);

typedef mote_result mote_surface_writer(const mote_surface *surface, const mote_stamp *stamp,
                                        mote_file_out *out, mote_error *error);
mote_surface_writer mote_obj_write, mote_stl_write, mote_ply_write_surface, mote_vtp_write_surface,
    mote_glb_write, mote_usd_write_surface, mote_bgeo_write_surface;

// Whether a BGEO file holds polygons.
bool mote_bgeo_holds_polygons(const char *path);

#endif
