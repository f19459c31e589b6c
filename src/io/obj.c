// Meshes as OBJ: lines v and f; all else is passed over.
#include <mote/text.h>
#include <string.h>

#include "io/mesh_file.h"
#include "io/raw.h"

typedef struct obj_reader {
  mote_mesh_maker *maker;
  mote_scan scan;
  mote_buffer corner;  // of the face at hand
  uint32_t highest;    // vertex of all faces, and where it was asked for
  mote_scan highest_at;
  mote_word highest_word;
} obj_reader;

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
  return obj->maker->vertex.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

// The vertex of a corner v, v/vt, v//vn or v/vt/vn: from 1 on, or from the last back where negative.
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
  return MOTE_OK;
}

static mote_result read_face(obj_reader *obj, mote_error *error) {
  obj->corner.size = 0;
  for (;;) {
    mote_word word = mote_scan_word(&obj->scan);
    if (word.size == 0 || word.text[0] == '#') break;
    bool more = word.text[word.size - 1] == '\\';  // the face goes on in the next line
    word.size -= more;
    if (word.size > 0) MOTE_IO_TRY(read_corner(obj, word, error));
    if (more) mote_scan_line(&obj->scan);
  }
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
    mote_scan_line(&obj->scan);
  }
  if (obj->maker->triangle.failed) return mote_io_fail_memory(error);
  // Faces may stand before their vertices.
  if (obj->maker->triangle.size > 0 && obj->highest >= mote_mesh_vertices(obj->maker))
    return mote_scan_fail_at(&obj->highest_at, obj->highest_word, error,
                             "there is no vertex %u: the file has %zu", obj->highest + 1,
                             mote_mesh_vertices(obj->maker));
  return MOTE_OK;
}

mote_result mote_obj_read(mote_mesh_maker *maker, mote_error *error) {
  const mote_source *source = maker->source;
  obj_reader obj = {.maker = maker,
                    .scan = mote_scan_make(source->data, source->size, source->path),
                    .corner = mote_buffer_make(source->env)};
  mote_result result = read_lines(&obj, error);
  mote_buffer_free(&obj.corner);
  return result;
}

static void print_vertex(mote_buffer *text, const double *x) {
  mote_buffer_text(text, "v");
  for (int c = 0; c < 3; ++c) {
    char number[MOTE_TEXT_NUMBER + 1] = " ";
    mote_buffer_add(text, number, 1 + mote_text_print_double(number + 1, x[c]));
  }
  mote_buffer_text(text, "\n");
}

static void print_face(mote_buffer *text, const uint32_t *corner) {
  mote_buffer_text(text, "f");
  for (int c = 0; c < 3; ++c) {
    char number[MOTE_TEXT_NUMBER + 1] = " ";
    mote_buffer_add(text, number, 1 + mote_text_print_integer(number + 1, (long long)corner[c] + 1));
  }
  mote_buffer_text(text, "\n");
}

static void drain(mote_buffer *text, size_t limit, mote_file_out *out) {
  if (text->size < limit) return;
  mote_file_out_write(out, text->data, text->size);
  text->size = 0;
}

mote_result mote_obj_write(const mote_mesh *mesh, mote_file_out *out, mote_error *error) {
  mote_env env = mote_env_default();
  mote_buffer text = mote_buffer_make(&env);
  mote_buffer_text(&text, "# mote ");
  mote_buffer_text(&text, mote_version());
  mote_buffer_text(&text, "\n");
  for (size_t k = 0; k < mesh->vertices; ++k) {
    print_vertex(&text, mesh->vertex + 3 * k);
    drain(&text, 60000, out);
  }
  for (size_t k = 0; k < mesh->triangles; ++k) {
    print_face(&text, mesh->triangle + 3 * k);
    drain(&text, 60000, out);
  }
  drain(&text, 0, out);
  bool failed = text.failed;
  mote_buffer_free(&text);
  return failed ? mote_io_fail_memory(error) : MOTE_OK;
}
