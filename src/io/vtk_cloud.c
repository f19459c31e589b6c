// Particles as VTP and VTU: points with a vertex cell each, so that they are visible and selectable; and
// surfaces as VTP.
#include "io/mesh_file.h"
#include "io/vtk_write.h"

// first, first + step, ...: points, or the ends of cells of `step` points. Readers expect signed numbers.
static void add_counted(mote_file_out *out, const char *name, size_t count, uint32_t first, uint32_t step) {
  mote_type type = count < INT32_MAX / step ? MOTE_TYPE_I32 : MOTE_TYPE_U64;
  mote_vtk_add(out, (mote_vtk_array){name, NULL, type, 1, count, NULL, first, step});
}

static void add_points(mote_file_out *out, const mote_cloud *cloud) {
  const mote_field_view *x = mote_cloud_find(cloud, "position");
  mote_vtk_text(out, "<Points>\n");
  mote_vtk_add(out, (mote_vtk_array){"Points", x->unit, x->type, 3, x->count, x->data, 0, 0});
  mote_vtk_text(out, "</Points>\n");
  mote_vtk_add_fields(out, cloud->field, cloud->fields, "position");
}

mote_result mote_vtp_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error) {
  (void)error;
  mote_vtk_begin(out, "PolyData", "", &cloud->stamp);
  mote_vtk_text(
      out,
      "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n",
      cloud->count, cloud->count);
  add_points(out, cloud);
  mote_vtk_text(out, "<Verts>\n");
  add_counted(out, "connectivity", cloud->count, 0, 1);
  add_counted(out, "offsets", cloud->count, 1, 1);
  mote_vtk_text(out, "</Verts>\n");
  mote_vtk_end(out, "PolyData");
  return MOTE_OK;
}

mote_result mote_vtu_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error) {
  (void)error;
  mote_vtk_begin(out, "UnstructuredGrid", "", &cloud->stamp);
  mote_vtk_text(out, "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", cloud->count, cloud->count);
  add_points(out, cloud);
  mote_vtk_text(out, "<Cells>\n");
  add_counted(out, "connectivity", cloud->count, 0, 1);
  add_counted(out, "offsets", cloud->count, 1, 1);
  mote_vtk_add(out, (mote_vtk_array){"types", NULL, MOTE_TYPE_U8, 1, cloud->count, NULL, 1, 0});
  mote_vtk_text(out, "</Cells>\n");
  mote_vtk_end(out, "UnstructuredGrid");
  return MOTE_OK;
}

mote_result mote_vtp_write_surface(const mote_surface *surface, const mote_stamp *stamp, mote_file_out *out,
                                   mote_error *error) {
  (void)error;
  const mote_mesh *mesh = &surface->mesh;
  mote_vtk_begin(out, "PolyData", "", stamp);
  mote_vtk_text(out,
                "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                "NumberOfPolys=\"%zu\">\n<Points>\n",
                mesh->vertices, mesh->triangles);
  mote_vtk_add(out, (mote_vtk_array){.name = "Points",
                                     .unit = "m",
                                     .type = MOTE_TYPE_F64,
                                     .components = 3,
                                     .count = mesh->vertices,
                                     .data = mesh->vertex});
  mote_vtk_text(out, "</Points>\n<PointData%s>\n", surface->normal != NULL ? " Normals=\"Normals\"" : "");
  if (surface->normal != NULL)
    mote_vtk_add(out, (mote_vtk_array){.name = "Normals",
                                       .type = MOTE_TYPE_F32,
                                       .components = 3,
                                       .count = mesh->vertices,
                                       .data = surface->normal});
  for (int k = 0; k < surface->fields; ++k) mote_vtk_add_field(out, &surface->field[k]);
  mote_vtk_text(out, "</PointData>\n<Polys>\n");
  mote_vtk_add(out, (mote_vtk_array){.name = "connectivity",
                                     .type = mesh->vertices < INT32_MAX ? MOTE_TYPE_I32 : MOTE_TYPE_U32,
                                     .components = 1,
                                     .count = 3 * mesh->triangles,
                                     .data = mesh->triangle});
  add_counted(out, "offsets", mesh->triangles, 3, 3);
  mote_vtk_text(out, "</Polys>\n");
  mote_vtk_end(out, "PolyData");
  return MOTE_OK;
}
