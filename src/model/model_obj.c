// OBJ files as models: lines v and vn are written anew, and the normals of corners in lines f; all else is
// copied. A normal that several vertices share becomes one for each of them, because they are deformed apart.
#include <mote/text.h>
#include <string.h>

#include "model/model_file.h"

// A walk over the lines; the text is known to be good.
typedef struct obj_walk {
  mote_scan scan;
  size_t vertices, normals, textures;  // so far
} obj_walk;

// A corner v, v/vt, v//vn or v/vt/vn.
typedef struct obj_corner {
  uint32_t vertex, texture, normal;  // from 0; UINT32_MAX: no texture coordinate, no normal
  mote_word front;                   // all in front of the normal's number
} obj_corner;

static uint32_t resolve(long long number, size_t count) {
  if (number < 0) number += (long long)count + 1;
  return number < 1 || number >= UINT32_MAX ? UINT32_MAX : (uint32_t)(number - 1);
}

static obj_corner take_corner(const obj_walk *walk, mote_word word) {
  long long number = 0;
  obj_corner corner = {.texture = UINT32_MAX, .normal = UINT32_MAX, .front = word};
  mote_text_read_integer(word.text, word.size, &number);
  corner.vertex = resolve(number, walk->vertices);
  const char *end = word.text + word.size, *slash = memchr(word.text, '/', word.size);
  if (slash != NULL && mote_text_read_integer(slash + 1, (size_t)(end - slash - 1), &number).length > 0)
    corner.texture = resolve(number, walk->textures);
  if (slash != NULL) slash = memchr(slash + 1, '/', (size_t)(end - slash - 1));
  if (slash == NULL) return corner;
  size_t length = mote_text_read_integer(slash + 1, (size_t)(end - slash - 1), &number).length;
  if (length == 0) return corner;
  corner.normal = resolve(number, walk->normals);
  corner.front.size = (size_t)(slash + 1 - word.text);
  return corner;
}

// The next corner of a face; false at its end.
static bool next_corner(obj_walk *walk, obj_corner *out) {
  mote_word word = mote_obj_corner(&walk->scan);
  if (word.size > 0) *out = take_corner(walk, word);
  return word.size > 0;
}

// --- Reading ----------------------------------------------------------------------------------------------

typedef struct obj_rows {
  mote_model *model;
  obj_walk walk;
  mote_buffer normal;  // of vn, 3 doubles each
  mote_buffer extra;   // vertices of the rows behind those of the file
  size_t corner;       // of the mesh: next to be set
  mote_word name[3];   // of the group, object and material at hand
  size_t since[3];     // their first triangle
} obj_rows;

// The row of a vertex with this normal; a new one where all it has are others.
static uint32_t find_row(obj_rows *rows, uint32_t vertex, uint32_t normal) {
  mote_model *model = rows->model;
  uint32_t row = vertex, none = UINT32_MAX, zero = 0;
  for (;;) {
    uint32_t *of = (uint32_t *)(void *)model->normal_of.data, *next = (uint32_t *)(void *)model->next.data;
    if (of[row] == UINT32_MAX || normal == UINT32_MAX) {
      if (normal != UINT32_MAX) of[row] = normal;
      return row;
    }
    if (of[row] == normal) return row;
    if (next[row] == 0) break;
    row = next[row];
  }
  uint32_t added = (uint32_t)(model->next.size / sizeof zero);
  mote_buffer_add(&rows->extra, &vertex, sizeof vertex);
  mote_buffer_add(&model->normal_of, &none, sizeof none);
  mote_buffer_add(&model->next, &zero, sizeof zero);
  if (model->next.failed || model->normal_of.failed || rows->extra.failed) return vertex;
  ((uint32_t *)(void *)model->normal_of.data)[added] = normal;
  ((uint32_t *)(void *)model->next.data)[row] = added;
  return added;
}

// Corners of the mesh's triangles become rows: a fan about the face's first corner, as the reader made it.
static void take_face(obj_rows *rows) {
  uint32_t *triangle = rows->model->surface.mesh.triangle, first = 0, last = 0;
  size_t most = 3 * rows->model->surface.mesh.triangles;
  obj_corner corner;
  for (size_t k = 0; next_corner(&rows->walk, &corner); ++k) {
    if (corner.vertex >= rows->model->vertices) continue;
    uint32_t row = find_row(rows, corner.vertex, corner.normal);
    if (k == 0) first = row;
    if (k >= 2 && rows->corner + 3 <= most) {
      uint32_t fan[3] = {first, last, row};
      memcpy(triangle + rows->corner, fan, sizeof fan);
      rows->corner += 3;
    }
    last = row;
  }
}

static void take_normal(obj_rows *rows) {
  double n[3] = {0, 0, 0};
  for (int c = 0; c < 3; ++c) {
    mote_word word = mote_scan_word(&rows->walk.scan);
    mote_raw_parse(MOTE_TYPE_F64, word.text, word.size, &n[c]);
  }
  mote_buffer_add(&rows->normal, n, sizeof n);
  ++rows->walk.normals;
}

static void end_run(obj_rows *rows, int k, mote_word name) {
  mote_model_add_run(rows->model, rows->name[k], rows->since[k], rows->corner / 3);
  rows->name[k] = name;
  rows->since[k] = rows->corner / 3;
}

static void take_lines(obj_rows *rows) {
  static const char *const names[] = {"g", "o", "usemtl"};
  mote_scan *scan = &rows->walk.scan;
  while (!mote_scan_ended(scan)) {
    mote_word key = mote_scan_word(scan);
    if (mote_word_is(key, "v")) ++rows->walk.vertices;
    if (mote_word_is(key, "vn")) take_normal(rows);
    if (mote_word_is(key, "f")) take_face(rows);
    for (int k = 0; k < 3; ++k)
      if (mote_word_is(key, names[k])) end_run(rows, k, mote_scan_word(scan));
    mote_scan_line(scan);
  }
  for (int k = 0; k < 3; ++k) end_run(rows, k, (mote_word){"", 0});
}

// The mesh gets the rows behind its vertices.
static mote_result add_rows(obj_rows *rows, size_t count, mote_error *error) {
  mote_model *model = rows->model;
  mote_mesh *mesh = &model->surface.mesh;
  const uint32_t *extra = (const uint32_t *)(const void *)rows->extra.data;
  double *vertex = mote_io_new(&model->env, 3 * count * sizeof *vertex);
  if (vertex == NULL) return mote_io_fail_memory(error);
  mote_io_delete(&model->env, model->surface.normal, 3 * mesh->vertices * sizeof *model->surface.normal);
  model->surface.normal = NULL;
  for (size_t r = 0; r < count; ++r) {
    size_t from = r < model->vertices ? r : extra[r - model->vertices];
    memcpy(vertex + 3 * r, mesh->vertex + 3 * from, 3 * sizeof *vertex);
  }
  mote_io_delete(&model->env, mesh->vertex, 3 * mesh->vertices * sizeof *mesh->vertex);
  mesh->vertex = vertex;
  mesh->vertices = count;
  return MOTE_OK;
}

static mote_result finish_rows(obj_rows *rows, mote_error *error) {
  mote_model *model = rows->model;
  size_t count = model->next.size / sizeof(uint32_t), normals = rows->normal.size / (3 * sizeof(double));
  const uint32_t *of = (const uint32_t *)(const void *)model->normal_of.data;
  if (rows->normal.failed || rows->extra.failed || model->next.failed || model->normal_of.failed)
    return mote_io_fail_memory(error);
  MOTE_IO_TRY(add_rows(rows, count, error));
  if (normals == 0) return MOTE_OK;
  model->normal = mote_io_new(&model->env, 3 * count * sizeof *model->normal);
  if (model->normal == NULL) return mote_io_fail_memory(error);
  for (size_t r = 0; r < count; ++r)
    if (of[r] < normals)
      memcpy(model->normal + 3 * r, rows->normal.data + of[r] * 3 * sizeof(double), 3 * sizeof(double));
  return MOTE_OK;
}

mote_result mote_model_read_obj(mote_model *model, mote_error *error) {
  obj_rows rows = {
      .model = model,
      .walk = {.scan = mote_scan_make(model->source.data, model->source.size, model->source.path)},
      .normal = mote_buffer_make(&model->env),
      .extra = mote_buffer_make(&model->env),
      .name = {{"", 0}, {"", 0}, {"", 0}}};
  size_t bytes = model->vertices * sizeof(uint32_t);
  void *of = mote_buffer_grow(&model->normal_of, bytes), *next = mote_buffer_grow(&model->next, bytes);
  mote_result result = of == NULL || next == NULL ? mote_io_fail_memory(error) : MOTE_OK;
  if (result == MOTE_OK) {
    memset(of, 0xff, bytes);
    memset(next, 0, bytes);
    take_lines(&rows);
    result = finish_rows(&rows, error);
  }
  mote_buffer_free(&rows.normal);
  mote_buffer_free(&rows.extra);
  return result;
}

// --- Texture coordinates ----------------------------------------------------------------------------------

static void take_texture(obj_walk *walk, mote_buffer *coordinate) {
  float uv[2] = {0, 0};
  for (int c = 0; c < 2; ++c) {
    mote_word word = mote_scan_word(&walk->scan);
    mote_raw_parse(MOTE_TYPE_F32, word.text, word.size, &uv[c]);
  }
  mote_buffer_add(coordinate, uv, sizeof uv);
  ++walk->textures;
}

// Numbers of the corners of the face's triangles, in the order of take_face.
static void take_texture_face(obj_walk *walk, size_t vertices, mote_buffer *corners) {
  uint32_t first = 0, last = 0;
  obj_corner corner;
  for (size_t k = 0; next_corner(walk, &corner); ++k) {
    if (corner.vertex >= vertices) continue;
    if (k == 0) first = corner.texture;
    uint32_t fan[3] = {first, last, corner.texture};
    if (k >= 2) mote_buffer_add(corners, fan, sizeof fan);
    last = corner.texture;
  }
}

void mote_model_obj_textures(const mote_model *model, mote_buffer *coordinate, mote_buffer *corner) {
  obj_walk walk = {.scan = mote_scan_make(model->source.data, model->source.size, model->source.path)};
  while (!mote_scan_ended(&walk.scan)) {
    mote_word key = mote_scan_word(&walk.scan);
    if (mote_word_is(key, "v")) ++walk.vertices;
    if (mote_word_is(key, "vn")) ++walk.normals;
    if (mote_word_is(key, "vt")) take_texture(&walk, coordinate);
    if (mote_word_is(key, "f")) take_texture_face(&walk, model->vertices, corner);
    mote_scan_line(&walk.scan);
  }
}

// --- Writing ----------------------------------------------------------------------------------------------

typedef struct obj_rewrite {
  const mote_model *model;
  const mote_model_pose *pose;
  obj_walk walk;
  mote_buffer text;
  uint32_t *number;  // of each row's normal in the new file, from 1
  bool normals;      // are written already
} obj_rewrite;

static void put_numbers(mote_buffer *text, const char *key, const double *x, bool single) {
  mote_buffer_text(text, key);
  for (int c = 0; c < 3; ++c) {
    char number[MOTE_TEXT_NUMBER + 1] = " ";
    size_t length =
        single ? mote_text_print_float(number + 1, (float)x[c]) : mote_text_print_double(number + 1, x[c]);
    mote_buffer_add(text, number, 1 + length);
  }
}

// What stands behind the coordinates stays.
static void put_vertex(obj_rewrite *w) {
  for (int c = 0; c < 3; ++c) mote_scan_word(&w->walk.scan);
  put_numbers(&w->text, "v", w->pose->position + 3 * w->walk.vertices++, false);
}

// All normals stand where the first one stood.
static void put_normals(obj_rewrite *w) {
  const uint32_t *of = (const uint32_t *)(const void *)w->model->normal_of.data;
  size_t rows = w->model->surface.mesh.vertices;
  for (size_t r = 0; !w->normals && r < rows; ++r) {
    if (of[r] == UINT32_MAX) continue;
    put_numbers(&w->text, "vn", w->pose->normal + 3 * r, true);
    mote_buffer_text(&w->text, "\n");
  }
  w->normals = true;
}

static void put_face(obj_rewrite *w) {
  const uint32_t *of = (const uint32_t *)(const void *)w->model->normal_of.data;
  const uint32_t *next = (const uint32_t *)(const void *)w->model->next.data;
  obj_corner corner;
  mote_buffer_text(&w->text, "f");
  while (next_corner(&w->walk, &corner)) {
    mote_buffer_text(&w->text, " ");
    mote_buffer_add(&w->text, corner.front.text, corner.front.size);
    if (corner.normal == UINT32_MAX || corner.vertex >= w->model->vertices) continue;
    uint32_t row = corner.vertex;
    while (of[row] != corner.normal && next[row] != 0) row = next[row];
    char number[MOTE_TEXT_NUMBER];
    mote_buffer_add(&w->text, number, mote_text_print_integer(number, (long long)w->number[row]));
  }
}

static void drain(mote_buffer *text, size_t limit, mote_file_out *out) {
  if (text->size < limit) return;
  mote_file_out_write(out, text->data, text->size);
  text->size = 0;
}

static void put_lines(obj_rewrite *w, mote_file_out *out) {
  mote_scan *scan = &w->walk.scan;
  bool normals = w->pose->normal != NULL;
  while (!mote_scan_ended(scan)) {
    size_t begin = scan->at;
    mote_word key = mote_scan_word(scan);
    bool changed = true, dropped = false;
    if (mote_word_is(key, "v")) {
      put_vertex(w);
    } else if (normals && mote_word_is(key, "vn")) {
      put_normals(w);
      ++w->walk.normals;
      dropped = true;
    } else if (normals && mote_word_is(key, "f")) {
      put_face(w);
    } else {
      changed = false;
    }
    size_t end = scan->at;
    mote_scan_line(scan);
    if (!changed) end = begin;
    if (!dropped) mote_buffer_add(&w->text, scan->text + end, scan->at - end);
    drain(&w->text, 60000, out);
  }
  drain(&w->text, 0, out);
}

mote_result mote_model_write_obj(const mote_model *model, const mote_model_pose *pose, mote_file_out *out,
                                 mote_error *error) {
  size_t rows = model->surface.mesh.vertices;
  const uint32_t *of = (const uint32_t *)(const void *)model->normal_of.data;
  obj_rewrite w = {
      .model = model,
      .pose = pose,
      .walk = {.scan = mote_scan_make(model->source.data, model->source.size, model->source.path)},
      .text = mote_buffer_make(&model->env),
      .number = mote_io_new(&model->env, rows * sizeof *w.number)};
  uint32_t numbers = 0;
  bool failed = w.number == NULL;
  for (size_t r = 0; !failed && r < rows; ++r)
    if (of[r] != UINT32_MAX) w.number[r] = ++numbers;
  if (!failed) put_lines(&w, out);
  failed = failed || w.text.failed;
  mote_buffer_free(&w.text);
  mote_io_delete(&model->env, w.number, rows * sizeof *w.number);
  return failed ? mote_io_fail_memory(error) : MOTE_OK;
}
