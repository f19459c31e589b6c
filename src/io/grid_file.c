// Grids of samples as VTI (VTK's image data) and as CSV with the points' coordinates.
#include <math.h>
#include <stdio.h>

#include "io/csv_table.h"
#include "io/vtk_write.h"

static mote_result check(const mote_grid_samples *grid, const char *path, mote_error *error) {
  size_t count = 1;
  if (grid->fields < 1 || grid->fields > MOTE_CLOUD_FIELDS)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "a grid has 1 to %d fields", MOTE_CLOUD_FIELDS);
  for (int a = 0; a < 3; ++a) {
    if (grid->size[a] < 1 || !isfinite(grid->origin[a]) || !isfinite(grid->spacing[a]))
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "size, origin or spacing of the grid");
    count *= (size_t)grid->size[a];
  }
  for (int k = 0; k < grid->fields; ++k) {
    const mote_field_view *f = &grid->field[k];
    if (f->name == NULL || f->data == NULL || f->count != count || f->components < 1 || f->components > 255)
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "field %d of the grid has not %zu rows", k,
                          count);
  }
  return MOTE_OK;
}

static void write_vti(const mote_grid_samples *grid, mote_file_out *out) {
  char extent[80], attributes[512], number[6][MOTE_TEXT_NUMBER];
  snprintf(extent, sizeof extent, "0 %d 0 %d 0 %d", grid->size[0] - 1, grid->size[1] - 1, grid->size[2] - 1);
  for (int a = 0; a < 3; ++a) {
    mote_text_print_double(number[a], grid->origin[a]);
    mote_text_print_double(number[3 + a], grid->spacing[a]);
  }
  snprintf(attributes, sizeof attributes, " WholeExtent=\"%s\" Origin=\"%s %s %s\" Spacing=\"%s %s %s\"",
           extent, number[0], number[1], number[2], number[3], number[4], number[5]);
  mote_vtk_begin(out, "ImageData", attributes, &grid->stamp);
  mote_vtk_text(out, "<Piece Extent=\"%s\">\n", extent);
  mote_vtk_add_fields(out, grid->field, grid->fields, NULL);
  mote_vtk_end(out, "ImageData");
}

static void print_point(mote_buffer *text, const void *user, size_t row) {
  const mote_grid_samples *grid = user;
  size_t nx = (size_t)grid->size[0], ny = (size_t)grid->size[1];
  size_t place[3] = {row % nx, row / nx % ny, row / nx / ny};
  for (int a = 0; a < 3; ++a) {
    char number[MOTE_TEXT_NUMBER];
    double x = grid->origin[a] + (double)place[a] * grid->spacing[a];
    if (a > 0) mote_buffer_text(text, ",");
    mote_buffer_add(text, number, mote_text_print_double(number, x));
  }
}

static mote_result write_csv(const mote_grid_samples *grid, mote_file_out *out, mote_error *error) {
  mote_env env = mote_env_default();
  mote_buffer text = mote_buffer_make(&env);
  mote_buffer_text(&text, "x,y,z");
  mote_result result =
      mote_csv_table(grid->field, grid->fields, grid->field[0].count, print_point, grid, &text, out, error);
  mote_buffer_free(&text);
  return result;
}

mote_result mote_grid_samples_write(const mote_grid_samples *grid, const char *path, mote_error *error) {
  mote_file_out *out;
  if (grid == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "grid or path is null");
  bool vti = mote_io_ends(path, ".vti");
  if (!vti && !mote_io_ends(path, ".csv"))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "grids are written as vti or csv");
  MOTE_IO_TRY(check(grid, path, error));
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  mote_result result = MOTE_OK;
  if (vti)
    write_vti(grid, out);
  else
    result = write_csv(grid, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}
