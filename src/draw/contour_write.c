// Contours of 2D particles as files: CSV, VTP of lines, SVG of filled areas.
#include <math.h>
#include <mote/draw.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "io/stamp.h"
#include "io/vtk_write.h"

// --- CSV --------------------------------------------------------------------------------------------------

static void put_number(mote_buffer *out, double value, mote_type type) {
  char number[MOTE_TEXT_NUMBER];
  if (type == MOTE_TYPE_F32)
    mote_text_print_float(number, (float)value);
  else
    mote_text_print_double(number, value);
  mote_buffer_text(out, number);
}

static void put_names(mote_buffer *out, const mote_contour *contour) {
  mote_buffer_text(out, "loop,x,y");
  for (int k = 0; k < contour->fields; ++k) {
    const mote_field_view *f = &contour->field[k];
    for (int c = 0; c < f->components; ++c) {
      char name[160];
      if (f->components == 1)
        snprintf(name, sizeof name, ",%.120s", f->name);
      else if (f->components <= 3)
        snprintf(name, sizeof name, ",%.120s_%c", f->name, "xyz"[c]);
      else
        snprintf(name, sizeof name, ",%.120s_%d", f->name, c);
      mote_buffer_text(out, name);
    }
  }
  mote_buffer_text(out, "\n");
}

static void put_csv(mote_buffer *out, const mote_contour *contour, const mote_stamp *stamp) {
  put_names(out, contour);
  mote_stamp_print(out, "# ", stamp, NULL, 0);
  for (size_t k = 0; k < contour->loops; ++k)
    for (size_t i = contour->first[k]; i < contour->first[k + 1]; ++i) {
      put_number(out, (double)k, MOTE_TYPE_F64);
      for (size_t a = 0; a < 2; ++a) {
        mote_buffer_text(out, ",");
        put_number(out, contour->point[2 * i + a], MOTE_TYPE_F64);
      }
      for (int f = 0; f < contour->fields; ++f)
        for (int c = 0; c < contour->field[f].components; ++c) {
          mote_buffer_text(out, ",");
          put_number(out, mote_field_value(&contour->field[f], i, c), contour->field[f].type);
        }
      mote_buffer_text(out, "\n");
    }
}

// --- VTP --------------------------------------------------------------------------------------------------

// A loop's line ends with its first point.
static bool take_lines(const mote_contour *contour, mote_buffer *position, mote_buffer *corner,
                       mote_buffer *offset) {
  uint32_t end = 0;
  for (size_t i = 0; i < contour->points; ++i) {
    double x[3] = {contour->point[2 * i], contour->point[2 * i + 1], 0};
    mote_buffer_add(position, x, sizeof x);
  }
  for (size_t k = 0; k < contour->loops; ++k) {
    size_t first = contour->first[k], last = contour->first[k + 1];
    for (size_t i = first; i <= last; ++i) {
      uint32_t vertex = (uint32_t)(i < last ? i : first);
      mote_buffer_add(corner, &vertex, sizeof vertex);
    }
    end += (uint32_t)(last - first + 1);
    mote_buffer_add(offset, &end, sizeof end);
  }
  return !position->failed && !corner->failed && !offset->failed;
}

static mote_result write_vtp(const mote_contour *contour, const mote_stamp *stamp, mote_file_out *out,
                             mote_error *error) {
  mote_env env = mote_env_default();
  mote_buffer position = mote_buffer_make(&env), corner = mote_buffer_make(&env),
              offset = mote_buffer_make(&env);
  bool ok = take_lines(contour, &position, &corner, &offset);
  if (ok) {
    mote_vtk_begin(out, "PolyData", "", stamp);
    mote_vtk_text(out, "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"%zu\" ",
                  contour->points, contour->loops);
    mote_vtk_text(out, "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n");
    mote_vtk_add_fields(out, contour->field, contour->fields, NULL);
    mote_vtk_text(out, "<Points>\n");
    mote_vtk_add(out,
                 (mote_vtk_array){"Points", "m", MOTE_TYPE_F64, 3, contour->points, position.data, 0, 0});
    mote_vtk_text(out, "</Points>\n<Lines>\n");
    mote_vtk_add(out, (mote_vtk_array){"connectivity", NULL, MOTE_TYPE_U32, 1, corner.size / sizeof(uint32_t),
                                       corner.data, 0, 0});
    mote_vtk_add(out, (mote_vtk_array){"offsets", NULL, MOTE_TYPE_U32, 1, contour->loops, offset.data, 0, 0});
    mote_vtk_text(out, "</Lines>\n");
    mote_vtk_end(out, "PolyData");
  }
  mote_buffer_free(&position);
  mote_buffer_free(&corner);
  mote_buffer_free(&offset);
  return ok ? MOTE_OK : mote_io_fail_memory(error);
}

// --- SVG --------------------------------------------------------------------------------------------------

#define SVG_SIDE 1200  // of the longer side, pixels

static void put_path(mote_buffer *out, const mote_contour *contour, const double low[2], double scale,
                     double top) {
  char text[80];
  mote_buffer_text(out,
                   "<path fill=\"#4a90c8\" stroke=\"#123a5c\" stroke-width=\"1\" fill-rule=\"evenodd\" d=\"");
  for (size_t k = 0; k < contour->loops; ++k) {
    for (size_t i = contour->first[k]; i < contour->first[k + 1]; ++i) {
      double x = scale * (contour->point[2 * i] - low[0]),
             y = top - scale * (contour->point[2 * i + 1] - low[1]);
      snprintf(text, sizeof text, "%c%.2f %.2f", i == contour->first[k] ? 'M' : 'L', x, y);
      mote_buffer_text(out, text);
    }
    mote_buffer_text(out, "Z\n");
  }
  mote_buffer_text(out, "\"/>\n");
}

static void put_svg(mote_buffer *out, const mote_contour *contour, const mote_stamp *stamp) {
  double low[2] = {0, 0}, high[2] = {1, 1};
  char text[200];
  for (size_t i = 0; i < 2 * contour->points; ++i) {
    size_t a = i % 2;
    low[a] = i < 2 ? contour->point[i] : fmin(low[a], contour->point[i]);
    high[a] = i < 2 ? contour->point[i] : fmax(high[a], contour->point[i]);
  }
  double side = fmax(high[0] - low[0], high[1] - low[1]), margin = 0.02 * side,
         scale = SVG_SIDE / (1.04 * side);
  for (int a = 0; a < 2; ++a) low[a] -= margin, high[a] += margin;
  double width = scale * (high[0] - low[0]), height = scale * (high[1] - low[1]);
  snprintf(text, sizeof text,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.2f "
           "%.2f\">\n<desc>\n",
           width, height, width, height);
  mote_buffer_text(out, text);
  mote_stamp_print(out, "", stamp, NULL, 0);
  snprintf(text, sizeof text, "x %.9g to %.9g m, y %.9g to %.9g m\n</desc>\n", low[0], high[0], low[1],
           high[1]);
  mote_buffer_text(out, text);
  put_path(out, contour, low, scale, height);
  mote_buffer_text(out, "</svg>\n");
}

// --- The file ---------------------------------------------------------------------------------------------

static mote_result write_text(const mote_contour *contour, const mote_stamp *stamp, bool svg,
                              mote_file_out *out, mote_error *error) {
  mote_env env = mote_env_default();
  mote_buffer text = mote_buffer_make(&env);
  if (svg)
    put_svg(&text, contour, stamp);
  else
    put_csv(&text, contour, stamp);
  mote_file_out_write(out, text.data, text.size);
  bool ok = !text.failed;
  mote_buffer_free(&text);
  return ok ? MOTE_OK : mote_io_fail_memory(error);
}

mote_result mote_contour_write(const mote_contour *contour, const mote_stamp *stamp, const char *path,
                               mote_error *error) {
  mote_stamp own = {.time = (double)NAN};
  mote_file_out *out;
  snprintf(own.version, sizeof own.version, "%s", mote_version());
  if (contour == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "contour or path is null");
  bool vtp = mote_io_ends(path, ".vtp"), svg = mote_io_ends(path, ".svg");
  if (!vtp && !svg && !mote_io_ends(path, ".csv"))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "contours are written as csv, vtp or svg");
  if (stamp == NULL) stamp = &own;
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  mote_result result =
      vtp ? write_vtp(contour, stamp, out, error) : write_text(contour, stamp, svg, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}
