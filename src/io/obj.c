// Surfaces as OBJ: lines v (with colours where there are some), vn and f; other lines are skipped.
#include <mote/text.h>
#include <string.h>

#include "io/mesh_file.h"
#include "io/raw.h"
#include "io/stamp.h"

typedef struct obj_reader {
  mote_mesh_maker *maker;
  mote_scan scan;
  mote_buffer corner;  // of the current face
  uint32_t highest;    // highest vertex of all faces, and its line
  mote_scan highest_at;
  mote_word highest_word;
  mote_buffer colour;     // 3 bytes for each vertex that has them
  mote_buffer normal;     // of vn, 3 floats each
  mote_buffer normal_of;  // for each vertex 1 + the number of its normal; 0: not known
  bool mixed;             // corners of one vertex have different normals, or none
  mote_stamp_lines lines;
} obj_reader;

// Optional numbers after the coordinates: a weight, or a colour from 0 to 1.
static void read_colour(obj_reader *obj) {
  uint8_t colour[3];
  for (int c = 0; c < 3; ++c) {
    mote_word word = mote_scan_word(&obj->scan);
    double value;
    if (word.size == 0 || mote_raw_parse(MOTE_TYPE_F64, word.text, word.size, &value) != word.size) return;
    mote_raw_store(MOTE_TYPE_U8, value * 255 + 0.5, &colour[c]);
  }
  mote_buffer_add(&obj->colour, colour, sizeof colour);
}

static mote_result read_normal(obj_reader *obj, mote_error *error) {
  float n[3];
  for (int c = 0; c < 3; ++c) {
    mote_word word = mote_scan_word(&obj->scan);
    if (word.size == 0 || mote_raw_parse(MOTE_TYPE_F32, word.text, word.size, &n[c]) != word.size)
      return mote_scan_fail_at(&obj->scan, word, error, "a normal needs three numbers");
  }
  mote_buffer_add(&obj->normal, n, sizeof n);
  return MOTE_OK;
}

// The normal of a corner: all corners of a vertex must have the same, else the vertices have none.
static void note_normal(obj_reader *obj, uint32_t vertex, mote_word rest) {
  long long number = 0;
  const char *slash = rest.size > 1 ? memchr(rest.text + 1, '/', rest.size - 1) : NULL;
  size_t at = slash != NULL ? (size_t)(slash + 1 - rest.text) : rest.size;
  size_t vertices = mote_mesh_vertices(obj->maker), known = obj->normal_of.size / sizeof(uint32_t);
  mote_text_scan scan = mote_text_read_integer(rest.text + at, rest.size - at, &number);
  if (number < 0) number += (long long)(obj->normal.size / 12) + 1;
  if (scan.length == 0 || number < 1 || number > UINT32_MAX || vertex >= vertices) obj->mixed = true;
  if (obj->mixed) return;
  uint8_t *added = mote_buffer_grow(&obj->normal_of, (vertices - known) * sizeof(uint32_t));
  if (added == NULL) return;
  memset(added, 0, (vertices - known) * sizeof(uint32_t));
  uint32_t *of = (uint32_t *)(void *)obj->normal_of.data + vertex;
  if (*of != 0 && *of != (uint32_t)number) obj->mixed = true;
  *of = (uint32_t)number;
}

static mote_result read_vertex(obj_reader *obj, mote_error *error) {
  double x[3];
  for (int c = 0; c < 3; ++c) {
    mote_word word = mote_scan_word(&obj->scan);
    if (word.size == 0) return mote_scan_fail(&obj->scan, error, "a vertex needs three coordinates");
    if (mote_raw_parse(MOTE_TYPE_F64, word.text, word.size, &x[c]) != word.size)
      return mote_scan_fail_at(&obj->scan, word, error, "\"%.*s\" is not a number",
                               (int)(word.size < 40 ? word.size : 40), word.text);
  }
  mote_mesh_add_vertex(obj->maker, x);
  read_colour(obj);
  return obj->maker->vertex.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

mote_word mote_obj_corner(mote_scan *scan) {
  for (;;) {
    bool more = scan->at > 0 && scan->text[scan->at - 1] == '\\';  // the face continues in the next line
    if (more) mote_scan_line(scan);
    size_t before = scan->at;
    mote_word word = mote_scan_word(scan);
    if (word.size > 0 && word.text[0] == '#') scan->at = before, word.size = 0;
    if (word.size == 0) return word;
    word.size -= word.text[word.size - 1] == '\\';
    if (word.size > 0) return word;
  }
}

// The vertex of a corner v, v/vt, v//vn or v/vt/vn: from 1 on, or negative: counted from the last.
static mote_result read_corner(obj_reader *obj, mote_word word, mote_error *error) {
  long long number = 0;
  mote_text_scan scan = mote_text_read_integer(word.text, word.size, &number);
  long long vertices = (long long)mote_mesh_vertices(obj->maker);
  bool whole = scan.length == word.size || (scan.length < word.size && word.text[scan.length] == '/');
  if (scan.length == 0 || !whole)
    return mote_scan_fail_at(&obj->scan, word, error, "\"%.*s\" is not a corner of a face",
                             (int)(word.size < 40 ? word.size : 40), word.text);
  if (number < 0) number += vertices + 1;
  if (number < 1 || number > UINT32_MAX)
    return mote_scan_fail_at(&obj->scan, word, error, "there is no such vertex: %lld vertices stand before",
                             vertices);
  uint32_t corner = (uint32_t)(number - 1);
  if (corner >= obj->highest) {
    obj->highest = corner;
    obj->highest_at = obj->scan;
    obj->highest_word = word;
  }
  mote_buffer_add(&obj->corner, &corner, sizeof corner);
  note_normal(obj, corner, (mote_word){word.text + scan.length, word.size - scan.length});
  return MOTE_OK;
}

static mote_result read_face(obj_reader *obj, mote_error *error) {
  obj->corner.size = 0;
  for (mote_word word = mote_obj_corner(&obj->scan); word.size > 0; word = mote_obj_corner(&obj->scan))
    MOTE_IO_TRY(read_corner(obj, word, error));
  if (obj->corner.failed) return mote_io_fail_memory(error);
  size_t corners = obj->corner.size / sizeof(uint32_t);
  if (corners < 3) return mote_scan_fail(&obj->scan, error, "a face needs three corners");
  mote_mesh_add_polygon(obj->maker, (const uint32_t *)(const void *)obj->corner.data, corners);
  return MOTE_OK;
}

static mote_result read_lines(obj_reader *obj, mote_error *error) {
  while (!mote_scan_ended(&obj->scan)) {
    mote_word key = mote_scan_word(&obj->scan);
    if (mote_word_is(key, "v")) MOTE_IO_TRY(read_vertex(obj, error));
    if (mote_word_is(key, "f")) MOTE_IO_TRY(read_face(obj, error));
    if (mote_word_is(key, "vn")) MOTE_IO_TRY(read_normal(obj, error));
    mote_word rest = mote_scan_line(&obj->scan);
    if (mote_word_is(key, "#")) mote_stamp_take(&obj->lines, rest);
  }
  if (obj->maker->triangle.failed) return mote_io_fail_memory(error);
  // Faces may precede their vertices.
  if (obj->maker->triangle.size > 0 && obj->highest >= mote_mesh_vertices(obj->maker))
    return mote_scan_fail_at(&obj->highest_at, obj->highest_word, error,
                             "there is no vertex %u: the file has %zu", obj->highest + 1,
                             mote_mesh_vertices(obj->maker));
  return MOTE_OK;
}

// Normals and colours that all vertices have become fields.
static mote_result finish_values(obj_reader *obj, mote_error *error) {
  mote_cloud *cloud = &obj->maker->cloud;
  size_t vertices = mote_mesh_vertices(obj->maker), normals = obj->normal.size / 12;
  const uint32_t *of = (const uint32_t *)(const void *)obj->normal_of.data;
  if (obj->colour.failed || obj->normal.failed || obj->normal_of.failed) return mote_io_fail_memory(error);
  cloud->stamp = obj->lines.stamp;
  cloud->count = vertices;
  if (vertices > 0 && obj->colour.size == 3 * vertices) {
    MOTE_IO_TRY(mote_cloud_add(cloud, obj->maker->source, (mote_word){"colour", 6}, MOTE_TYPE_U8, 3, error));
    memcpy(mote_cloud_field(cloud, "colour")->data, obj->colour.data, obj->colour.size);
  }
  if (obj->mixed || vertices == 0 || obj->normal_of.size != vertices * sizeof *of) return MOTE_OK;
  for (size_t k = 0; k < vertices; ++k)
    if (of[k] == 0 || of[k] > normals) return MOTE_OK;
  MOTE_IO_TRY(mote_cloud_add(cloud, obj->maker->source, (mote_word){"normal", 6}, MOTE_TYPE_F32, 3, error));
  float *normal = mote_cloud_field(cloud, "normal")->data;
  for (size_t k = 0; k < vertices; ++k)
    memcpy(normal + 3 * k, obj->normal.data + 12 * (size_t)(of[k] - 1), 12);
  return MOTE_OK;
}

mote_result mote_obj_read(mote_mesh_maker *maker, mote_error *error) {
  const mote_file_content *source = maker->source;
  obj_reader obj = {.maker = maker,
                    .scan = mote_scan_make(source->data, source->size, source->path),
                    .corner = mote_buffer_make(source->env),
                    .colour = mote_buffer_make(source->env),
                    .normal = mote_buffer_make(source->env),
                    .normal_of = mote_buffer_make(source->env),
                    .lines = mote_stamp_lines_make()};
  mote_result result = read_lines(&obj, error);
  if (result == MOTE_OK) result = finish_values(&obj, error);
  mote_buffer_free(&obj.corner);
  mote_buffer_free(&obj.colour);
  mote_buffer_free(&obj.normal);
  mote_buffer_free(&obj.normal_of);
  return result;
}

// --- Writing ----------------------------------------------------------------------------------------------

static void print_vertex(mote_buffer *text, const double *x, const mote_field_view *colour, size_t row) {
  mote_buffer_text(text, "v");
  for (int c = 0; c < 3; ++c) {
    char number[MOTE_TEXT_NUMBER + 1] = " ";
    mote_buffer_add(text, number, 1 + mote_text_print_double(number + 1, x[c]));
  }
  for (int c = 0; colour != NULL && c < 3; ++c) {
    char number[MOTE_TEXT_NUMBER + 1] = " ";
    double value = mote_field_value(colour, row, c) / (colour->type == MOTE_TYPE_U8 ? 255 : 1);
    mote_buffer_add(text, number, 1 + mote_text_print_float(number + 1, (float)value));
  }
  mote_buffer_text(text, "\n");
}

static void print_normal(mote_buffer *text, const float *n) {
  mote_buffer_text(text, "vn");
  for (int c = 0; c < 3; ++c) {
    char number[MOTE_TEXT_NUMBER + 1] = " ";
    mote_buffer_add(text, number, 1 + mote_text_print_float(number + 1, n[c]));
  }
  mote_buffer_text(text, "\n");
}

static void print_face(mote_buffer *text, const uint32_t *corner, bool normals) {
  mote_buffer_text(text, "f");
  for (int c = 0; c < 3; ++c) {
    char number[MOTE_TEXT_NUMBER + 1] = " ";
    size_t length = 1 + mote_text_print_integer(number + 1, (long long)corner[c] + 1);
    mote_buffer_add(text, number, length);
    if (!normals) continue;
    mote_buffer_text(text, "//");
    mote_buffer_add(text, number + 1, length - 1);
  }
  mote_buffer_text(text, "\n");
}

static void drain(mote_buffer *text, size_t limit, mote_file_out *out) {
  if (text->size < limit) return;
  mote_file_out_write(out, text->data, text->size);
  text->size = 0;
}

mote_result mote_obj_write(const mote_surface *surface, const mote_stamp *stamp, mote_file_out *out,
                           mote_error *error) {
  const mote_mesh *mesh = &surface->mesh;
  const mote_field_view *colour = mote_surface_colour(surface);
  mote_env env = mote_env_default();
  mote_buffer text = mote_buffer_make(&env);
  mote_stamp_print(&text, "# ", stamp, NULL, 0);
  for (size_t k = 0; k < mesh->vertices; ++k) {
    print_vertex(&text, mesh->vertex + 3 * k, colour, k);
    drain(&text, 60000, out);
  }
  for (size_t k = 0; surface->normal != NULL && k < mesh->vertices; ++k) {
    print_normal(&text, surface->normal + 3 * k);
    drain(&text, 60000, out);
  }
  for (size_t k = 0; k < mesh->triangles; ++k) {
    print_face(&text, mesh->triangle + 3 * k, surface->normal != NULL);
    drain(&text, 60000, out);
  }
  drain(&text, 0, out);
  bool failed = text.failed;
  mote_buffer_free(&text);
  return failed ? mote_io_fail_memory(error) : MOTE_OK;
}
