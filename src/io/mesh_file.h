// Meshes under construction, and the readers and writers of each format that mesh_file.c chooses from.
#ifndef MOTE_MESH_FILE_H
#define MOTE_MESH_FILE_H

#include "io/cloud.h"

// Vertices and triangles that grow.
typedef struct mote_mesh_maker {
  const mote_source *source;
  mote_buffer vertex;    // 3 doubles each
  mote_buffer triangle;  // 3 numbers each
} mote_mesh_maker;

void mote_mesh_add_vertex(mote_mesh_maker *maker, const double x[3]);
size_t mote_mesh_vertices(const mote_mesh_maker *maker);
// A polygon as a fan of triangles about its first corner; numbers must be checked. Fewer than 3 corners:
// none.
void mote_mesh_add_polygon(mote_mesh_maker *maker, const uint32_t *corner, size_t corners);

mote_result mote_mesh_parse(const mote_source *source, mote_mesh *out, mote_error *error);

mote_result mote_obj_read(mote_mesh_maker *maker, mote_error *error);
mote_result mote_stl_read(mote_mesh_maker *maker, mote_error *error);
mote_result mote_ply_read_mesh(mote_mesh_maker *maker, mote_error *error);

mote_result mote_obj_write(const mote_mesh *mesh, mote_file_out *out, mote_error *error);
mote_result mote_stl_write(const mote_mesh *mesh, mote_file_out *out, mote_error *error);
mote_result mote_ply_write_mesh(const mote_mesh *mesh, mote_file_out *out, mote_error *error);

#endif
