// Lattices of values as VTI (VTK's image data) and as CSV with the points' coordinates.
#include <math.h>
#include <stdio.h>

#include "io/csv_table.h"
#include "io/vtk_write.h"

static mote_result check(const mote_lattice *lattice, const char *path, mote_error *error) {
  size_t count = 1;
  if (lattice->fields < 1 || lattice->fields > MOTE_CLOUD_FIELDS)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "a lattice has 1 to %d fields", MOTE_CLOUD_FIELDS);
  for (int a = 0; a < 3; ++a) {
    if (lattice->size[a] < 1 || !isfinite(lattice->origin[a]) || !isfinite(lattice->spacing[a]))
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "size, origin or spacing of the lattice");
    count *= (size_t)lattice->size[a];
  }
  for (int k = 0; k < lattice->fields; ++k) {
    const mote_field_view *f = &lattice->field[k];
    if (f->name == NULL || f->data == NULL || f->count != count || f->components < 1 || f->components > 255)
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "field %d of the lattice has not %zu rows", k,
                          count);
  }
  return MOTE_OK;
}

static void write_vti(const mote_lattice *lattice, mote_file_out *out) {
  char extent[80], attributes[512], number[6][MOTE_TEXT_NUMBER];
  snprintf(extent, sizeof extent, "0 %d 0 %d 0 %d", lattice->size[0] - 1, lattice->size[1] - 1,
           lattice->size[2] - 1);
  for (int a = 0; a < 3; ++a) {
    mote_text_print_double(number[a], lattice->origin[a]);
    mote_text_print_double(number[3 + a], lattice->spacing[a]);
  }
  snprintf(attributes, sizeof attributes, " WholeExtent=\"%s\" Origin=\"%s %s %s\" Spacing=\"%s %s %s\"",
           extent, number[0], number[1], number[2], number[3], number[4], number[5]);
  mote_vtk_begin(out, "ImageData", attributes, &lattice->stamp);
  mote_vtk_text(out, "<Piece Extent=\"%s\">\n", extent);
  mote_vtk_add_fields(out, lattice->field, lattice->fields, NULL);
  mote_vtk_end(out, "ImageData");
}

static void print_point(mote_buffer *text, const void *user, size_t row) {
  const mote_lattice *lattice = user;
  size_t nx = (size_t)lattice->size[0], ny = (size_t)lattice->size[1];
  size_t place[3] = {row % nx, row / nx % ny, row / nx / ny};
  for (int a = 0; a < 3; ++a) {
    char number[MOTE_TEXT_NUMBER];
    double x = lattice->origin[a] + (double)place[a] * lattice->spacing[a];
    if (a > 0) mote_buffer_text(text, ",");
    mote_buffer_add(text, number, mote_text_print_double(number, x));
  }
}

static mote_result write_csv(const mote_lattice *lattice, mote_file_out *out, mote_error *error) {
  mote_env env = mote_env_default();
  mote_buffer text = mote_buffer_make(&env);
  mote_stamp_print(&text, "# ", &lattice->stamp, lattice->field, lattice->fields);
  mote_buffer_text(&text, "x,y,z");
  mote_result result = mote_csv_table(lattice->field, lattice->fields, lattice->field[0].count, print_point,
                                      lattice, &text, out, error);
  mote_buffer_free(&text);
  return result;
}

mote_result mote_lattice_write(const mote_lattice *lattice, const char *path, mote_error *error) {
  mote_file_out *out;
  if (lattice == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "lattice or path is null");
  bool vti = mote_io_ends(path, ".vti");
  if (!vti && !mote_io_ends(path, ".csv"))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "lattices are written as vti or csv");
  MOTE_IO_TRY(check(lattice, path, error));
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  mote_result result = MOTE_OK;
  if (vti)
    write_vti(lattice, out);
  else
    result = write_csv(lattice, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}
