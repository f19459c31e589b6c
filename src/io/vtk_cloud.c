// Particles as VTP and VTU: points with a vertex cell each, so that they are seen and can be selected.
#include "io/cloud.h"
#include "io/vtk_write.h"

// 0, 1, 2, ... or, for one point each, 1, 2, 3, ...
static void add_counted(mote_file_out *out, const char *name, size_t count, uint32_t first) {
  mote_type type = count < INT32_MAX ? MOTE_TYPE_I32 : MOTE_TYPE_U64;
  mote_vtk_add(out, (mote_vtk_array){name, NULL, type, 1, count, NULL, first});
}

static void add_points(mote_file_out *out, const mote_cloud *cloud) {
  const mote_field_view *x = mote_cloud_find(cloud, "position");
  mote_vtk_text(out, "<Points>\n");
  mote_vtk_add(out, (mote_vtk_array){"Points", x->unit, x->type, 3, x->count, x->data, 0});
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
  add_counted(out, "connectivity", cloud->count, 0);
  add_counted(out, "offsets", cloud->count, 1);
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
  add_counted(out, "connectivity", cloud->count, 0);
  add_counted(out, "offsets", cloud->count, 1);
  mote_vtk_add(out, (mote_vtk_array){"types", NULL, MOTE_TYPE_U8, 1, cloud->count, NULL, 1});
  mote_vtk_text(out, "</Cells>\n");
  mote_vtk_end(out, "UnstructuredGrid");
  return MOTE_OK;
}
