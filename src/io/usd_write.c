// Surfaces and particles as USD in text (usda): one prim Mesh or Points, y up, in metres. The schemas require
// points in single precision: they are relative to the prim's translation, as in GLB. Names and types of
// fields are in customData; velocities are those of the schema, which renderers use for motion blur.
// https://openusd.org/release/api/usd_geom_page_front.html
#include <math.h>
#include <mote/text.h>
#include <string.h>

#include "io/glb.h"
#include "io/stamp.h"

enum { PORTION = 1 << 16 };

typedef struct usd_writer {
  mote_buffer text;
  mote_file_out *out;
  size_t count;  // of points
  double origin[3];
} usd_writer;

static void put(usd_writer *usd, const char *text) {
  mote_buffer_text(&usd->text, text);
}

static void flush(usd_writer *usd, size_t from) {
  if (usd->text.size < from || usd->text.failed) return;
  mote_file_out_write(usd->out, usd->text.data, usd->text.size);
  usd->text.size = 0;
}

static void put_float(usd_writer *usd, double value) {
  char number[MOTE_TEXT_NUMBER];
  mote_text_print_float(number, (float)value);
  put(usd, number);
}

static void put_integer(usd_writer *usd, long long value) {
  char number[MOTE_TEXT_NUMBER];
  mote_text_print_integer(number, value);
  put(usd, number);
}

static void put_quoted(usd_writer *usd, const char *text) {
  put(usd, "\"");
  for (; *text != 0; ++text) {
    if (*text == '"' || *text == '\\') put(usd, "\\");
    mote_buffer_add(&usd->text, *text == '\n' ? " " : text, 1);
  }
  put(usd, "\"");
}

// --- Points -----------------------------------------------------------------------------------------------

static void find_bounds(const mote_field_view *x, double low[3], double high[3]) {
  for (int c = 0; c < 3; ++c) {
    low[c] = (double)INFINITY, high[c] = (double)-INFINITY;
    for (size_t k = 0; k < x->count; ++k) {
      double value = mote_field_value(x, k, c);
      if (!isfinite(value)) continue;
      low[c] = fmin(low[c], value), high[c] = fmax(high[c], value);
    }
    if (low[c] > high[c]) low[c] = high[c] = 0;
  }
}

static void put_triple(usd_writer *usd, const double x[3]) {
  for (int c = 0; c < 3; ++c) {
    put(usd, c == 0 ? "(" : ", ");
    put_float(usd, x[c]);
  }
  put(usd, ")");
}

static void put_points(usd_writer *usd, const mote_field_view *x) {
  double low[3], high[3], size = 0, away = 0;
  find_bounds(x, low, high);
  for (int c = 0; c < 3; ++c) {
    size = fmax(size, high[c] - low[c]);
    away = fmax(away, fmax(fabs(low[c]), fabs(high[c])));
  }
  for (int c = 0; c < 3; ++c) {
    usd->origin[c] = away > 8 * size ? (double)(float)(0.5 * (low[c] + high[c])) : 0;
    low[c] -= usd->origin[c], high[c] -= usd->origin[c];
  }
  put(usd, "    float3[] extent = [");
  put_triple(usd, low);
  put(usd, ", ");
  put_triple(usd, high);
  put(usd, "]\n    point3f[] points = [");
  for (size_t k = 0; k < x->count; ++k) {
    double place[3];
    for (int c = 0; c < 3; ++c) place[c] = mote_field_value(x, k, c) - usd->origin[c];
    if (k > 0) put(usd, ", ");
    put_triple(usd, place);
    flush(usd, PORTION);
  }
  put(usd, "]\n    double3 xformOp:translate = ");
  put_triple(usd, usd->origin);
  put(usd, "\n    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n");
}

// --- Fields -----------------------------------------------------------------------------------------------

static void put_number(usd_writer *usd, const mote_field_view *field, size_t row, int c) {
  char number[MOTE_TEXT_NUMBER];
  if (field->type == MOTE_TYPE_U64) {
    uint64_t value = ((const uint64_t *)field->data)[row * (size_t)field->components + (size_t)c];
    if (value > INT64_MAX) put_integer(usd, (long long)(value / 10)), value %= 10;
    put_integer(usd, (long long)value);
  } else if (field->type == MOTE_TYPE_F64) {
    mote_text_print_double(number, mote_field_value(field, row, c));
    put(usd, number);
  } else if (field->type == MOTE_TYPE_F32) {
    put_float(usd, mote_field_value(field, row, c));
  } else {
    put_integer(usd, (long long)mote_field_value(field, row, c));
  }
}

static void put_rows(usd_writer *usd, const mote_field_view *field, bool tuples) {
  put(usd, " = [");
  for (size_t k = 0; k < field->count; ++k) {
    if (k > 0) put(usd, ", ");
    if (tuples) put(usd, "(");
    for (int c = 0; c < field->components; ++c) {
      if (c > 0) put(usd, ", ");
      put_number(usd, field, k, c);
    }
    if (tuples) put(usd, ")");
    flush(usd, PORTION);
  }
  put(usd, "]");
}

// Name and type of the field; `element`: numbers per point if the type has one.
static void put_about(usd_writer *usd, const mote_field_view *field, int element) {
  put(usd, " (\n        customData = {\n            string name = ");
  put_quoted(usd, field->name);
  put(usd, "\n            string type = \"");
  put(usd, mote_type_name(field->type));
  put(usd, "\"\n            string unit = ");
  put_quoted(usd, field->unit != NULL ? field->unit : "");
  put(usd, "\n        }\n");
  if (element > 1) {
    put(usd, "        elementSize = ");
    put_integer(usd, element);
    put(usd, "\n");
  }
  put(usd, "        interpolation = \"vertex\"\n    )\n");
}

// primvars:NAME of letters, digits and _; `k` makes it unique where a letter was changed.
static void put_name(usd_writer *usd, const char *name, int k) {
  bool changed = name[0] >= '0' && name[0] <= '9';
  put(usd, changed ? "primvars:_" : "primvars:");
  for (; *name != 0; ++name) {
    bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                 (*name >= '0' && *name <= '9') || *name == '_';
    changed = changed || !plain;
    mote_buffer_add(&usd->text, plain ? name : "_", 1);
  }
  if (!changed) return;
  put(usd, "_");
  put_integer(usd, k);
}

static void put_primvar(usd_writer *usd, const mote_field_view *field, int k) {
  static const char *const types[] = {
      [MOTE_TYPE_F32] = "float", [MOTE_TYPE_F64] = "double", [MOTE_TYPE_U8] = "uchar",
      [MOTE_TYPE_U32] = "uint",  [MOTE_TYPE_U64] = "uint64", [MOTE_TYPE_I32] = "int"};
  bool several = field->type == MOTE_TYPE_F32 || field->type == MOTE_TYPE_F64 || field->type == MOTE_TYPE_I32;
  bool tuples = several && field->components >= 2 && field->components <= 4;
  put(usd, "    ");
  put(usd, types[field->type]);
  if (tuples) put_integer(usd, field->components);
  put(usd, "[] ");
  put_name(usd, field->name, k);
  put_rows(usd, field, tuples);
  put_about(usd, field, tuples ? 1 : field->components);
}

// Linear, as colours in USD, with separate opacity.
static void put_colour(usd_writer *usd, const mote_field_view *field) {
  double most = field->type == MOTE_TYPE_U8 ? 255 : 1;
  put(usd, "    color3f[] primvars:displayColor = [");
  for (size_t k = 0; k < field->count; ++k) {
    double linear[3];
    for (int c = 0; c < 3; ++c) linear[c] = mote_glb_linear(mote_field_value(field, k, c) / most);
    if (k > 0) put(usd, ", ");
    put_triple(usd, linear);
    flush(usd, PORTION);
  }
  put(usd, "]");
  put_about(usd, field, 1);
  if (field->components < 4) return;
  put(usd, "    float[] primvars:displayOpacity = [");
  for (size_t k = 0; k < field->count; ++k) {
    if (k > 0) put(usd, ", ");
    put_float(usd, mote_field_value(field, k, 3) / most);
    flush(usd, PORTION);
  }
  put(usd, "] (\n        interpolation = \"vertex\"\n    )\n");
}

static void put_field(usd_writer *usd, const mote_cloud *cloud, int k, bool mesh) {
  const mote_field_view *field = &cloud->field[k];
  bool real = field->type == MOTE_TYPE_F32 || field->type == MOTE_TYPE_F64;
  bool vector = field->components == 3 && real;
  mote_field_view single = *field;
  if (strcmp(field->name, "position") == 0) return;
  if (vector && strcmp(field->name, "velocity") == 0) {
    put(usd, "    vector3f[] velocities");
  } else if (mesh && vector && strcmp(field->name, "normal") == 0) {
    put(usd, "    normal3f[] normals");
  } else if (strcmp(field->name, "colour") == 0 && (field->components == 3 || field->components == 4) &&
             (real || field->type == MOTE_TYPE_U8)) {
    put_colour(usd, field);
    return;
  } else {
    put_primvar(usd, field, k);
    return;
  }
  put_rows(usd, &single, true);
  put_about(usd, field, 1);
}

// --- Prims ------------------------------------------------------------------------------------------------

static void put_head(usd_writer *usd, const mote_stamp *stamp, const char *type, const char *name) {
  put(usd, "#usda 1.0\n(\n");
  if (stamp->version[0] != 0 || !isnan(stamp->time)) {
    put(usd, "    customLayerData = {\n        string mote = \"\"\"");
    mote_stamp_print(&usd->text, "", stamp, NULL, 0);
    put(usd, "\"\"\"\n    }\n");
  }
  put(usd, "    defaultPrim = \"");
  put(usd, name);
  put(usd, "\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\ndef ");
  put(usd, type);
  put(usd, " \"");
  put(usd, name);
  put(usd, "\"\n{\n");
}

static void put_triangles(usd_writer *usd, const mote_mesh *mesh) {
  put(usd, "    int[] faceVertexCounts = [");
  for (size_t k = 0; k < mesh->triangles; ++k) {
    put(usd, k > 0 ? ", 3" : "3");
    flush(usd, PORTION);
  }
  put(usd, "]\n    int[] faceVertexIndices = [");
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    if (k > 0) put(usd, ", ");
    put_integer(usd, mesh->triangle[k]);
    flush(usd, PORTION);
  }
  put(usd, "]\n    uniform token subdivisionScheme = \"none\"\n");
}

static mote_result write_prim(const mote_cloud *cloud, const mote_mesh *mesh, mote_file_out *out,
                              mote_error *error) {
  mote_env env = mote_env_default();
  usd_writer usd = {.text = mote_buffer_make(&env), .out = out, .count = cloud->count};
  if (mesh != NULL && mesh->vertices > INT32_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "USD holds at most 2147483647 vertices");
  put_head(&usd, &cloud->stamp, mesh != NULL ? "Mesh" : "Points", mesh != NULL ? "surface" : "particles");
  put_points(&usd, mote_cloud_find(cloud, "position"));
  if (mesh != NULL) put_triangles(&usd, mesh);
  if (mesh == NULL && cloud->stamp.spacing > 0) {
    put(&usd, "    float[] widths = [");
    put_float(&usd, cloud->stamp.spacing);
    put(&usd, "] (\n        interpolation = \"constant\"\n    )\n");
  }
  for (int k = 0; k < cloud->fields; ++k) put_field(&usd, cloud, k, mesh != NULL);
  put(&usd, "}\n");
  flush(&usd, 1);
  mote_result result = usd.text.failed ? mote_io_fail_memory(error) : MOTE_OK;
  mote_buffer_free(&usd.text);
  return result;
}

mote_result mote_usd_write_cloud(const mote_cloud *cloud, mote_file_out *out, mote_error *error) {
  return write_prim(cloud, NULL, out, error);
}

mote_result mote_usd_write_surface(const mote_surface *surface, const mote_stamp *stamp, mote_file_out *out,
                                   mote_error *error) {
  mote_cloud cloud = mote_surface_cloud(surface, stamp);
  return write_prim(&cloud, &surface->mesh, out, error);
}

// --- Sequences --------------------------------------------------------------------------------------------

// Time codes: integers if frames are equidistant.
static void put_code(usd_writer *usd, double time, double rate) {
  char number[MOTE_TEXT_NUMBER];
  double code = time * rate, whole = floor(code + 0.5);
  mote_text_print_double(number, fabs(code - whole) < 1e-6 * fmax(1, fabs(code)) ? whole : code);
  put(usd, number);
}

// A file is visible from its time to that of the next.
static void put_frame(usd_writer *usd, const char *name, const double *time, size_t k, size_t count,
                      double rate) {
  put(usd, "    def \"frame_");
  put_integer(usd, (long long)k);
  put(usd, "\" (\n        prepend references = @./");
  put(usd, name);
  put(usd, "@\n    )\n    {\n        token visibility.timeSamples = {\n");
  for (size_t at = k > 0 ? 0 : k; at <= k + 1 && at < count; at = at < k ? k : at + 1) {
    put(usd, "            ");
    put_code(usd, time[at], rate);
    put(usd, at == k ? ": \"inherited\",\n" : ": \"invisible\",\n");
  }
  put(usd, "        }\n    }\n");
  flush(usd, PORTION);
}

mote_result mote_usd_write_series(const char *const *name, const double *time, size_t count,
                                  mote_file_out *out, mote_error *error) {
  mote_env env = mote_env_default();
  usd_writer usd = {.text = mote_buffer_make(&env), .out = out};
  double length = count > 1 ? time[count - 1] - time[0] : 0;
  double rate = length > 0 ? (double)(count - 1) / length : 24;
  if (rate > 1) rate = floor(rate + 0.5);
  put(&usd, "#usda 1.0\n(\n    defaultPrim = \"frames\"\n    endTimeCode = ");
  put_code(&usd, count > 0 ? time[count - 1] : 0, rate);
  put(&usd, "\n    framesPerSecond = ");
  put_code(&usd, 1, rate);
  put(&usd, "\n    metersPerUnit = 1\n    startTimeCode = ");
  put_code(&usd, count > 0 ? time[0] : 0, rate);
  put(&usd, "\n    timeCodesPerSecond = ");
  put_code(&usd, 1, rate);
  put(&usd, "\n    upAxis = \"Y\"\n)\n\ndef Xform \"frames\"\n{\n");
  for (size_t k = 0; k < count; ++k) put_frame(&usd, name[k], time, k, count, rate);
  put(&usd, "}\n");
  flush(&usd, 1);
  mote_result result = usd.text.failed ? mote_io_fail_memory(error) : MOTE_OK;
  mote_buffer_free(&usd.text);
  return result;
}
