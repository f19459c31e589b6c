// Meshes as STL, binary and ASCII. Triangles are independent: each has three vertices of its own.
#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "io/mesh_file.h"
#include "io/raw.h"
#include "io/stamp.h"

enum { HEAD = 84, FACET = 50 };

static void add_triangle(mote_mesh_maker *maker, const double x[9]) {
  uint32_t first = (uint32_t)mote_mesh_vertices(maker), corner[3] = {first, first + 1, first + 2};
  for (int c = 0; c < 3; ++c) mote_mesh_add_vertex(maker, x + 3 * c);
  mote_mesh_add_polygon(maker, corner, 3);
}

static mote_result read_binary(mote_mesh_maker *maker, uint32_t facets, mote_error *error) {
  const mote_file_content *source = maker->source;
  if ((source->size - HEAD) / FACET < facets)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                        "cut short: %u triangles are announced, %zu are there", facets,
                        (source->size - HEAD) / FACET);
  for (uint32_t k = 0; k < facets; ++k) {
    float number[9];
    double x[9];
    memcpy(number, source->data + HEAD + (size_t)k * FACET + 12, sizeof number);
    for (int c = 0; c < 9; ++c) x[c] = (double)number[c];
    add_triangle(maker, x);
  }
  return maker->vertex.failed || maker->triangle.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

// facet normal n n n / outer loop / vertex x y z (three) / endloop / endfacet. Only the vertices are used.
static mote_result read_ascii(mote_mesh_maker *maker, mote_error *error) {
  const mote_file_content *source = maker->source;
  mote_scan scan = mote_scan_make(source->data, source->size, source->path);
  double x[9];
  int corners = 0;
  mote_scan_line(&scan);  // any name
  for (;;) {
    mote_word word = mote_scan_any_word(&scan);
    if (word.size == 0) break;
    if (mote_word_like(word, "endfacet")) {
      if (corners != 3) return mote_scan_fail_at(&scan, word, error, "a facet with %d vertices", corners);
      add_triangle(maker, x);
      corners = 0;
    }
    if (mote_word_like(word, "solid") || mote_word_like(word, "endsolid")) mote_scan_line(&scan);
    if (!mote_word_like(word, "vertex")) continue;
    if (corners == 3) return mote_scan_fail_at(&scan, word, error, "a facet with more than 3 vertices");
    for (int c = 0; c < 3; ++c)
      MOTE_IO_TRY(mote_scan_number(&scan, MOTE_TYPE_F64, &x[3 * corners + c], error));
    ++corners;
  }
  if (corners != 0) return mote_scan_fail(&scan, error, "cut short in a facet");
  return maker->vertex.failed || maker->triangle.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

// Text begins with "solid NAME" and continues with a facet or the end.
static bool is_text(const mote_file_content *source) {
  mote_scan scan = mote_scan_make(source->data, source->size, source->path);
  if (!mote_word_like(mote_scan_any_word(&scan), "solid")) return false;
  mote_scan_line(&scan);
  mote_word next = mote_scan_any_word(&scan);
  return mote_word_like(next, "facet") || mote_word_like(next, "endsolid");
}

// "mote 0.1.0 time 0.25 step 12 scene 00c0ffee00c0ffee": pairs of words.
static void read_stamp(mote_mesh_maker *maker) {
  mote_word head = {(const char *)maker->source->data, 80};
  const char *end = memchr(head.text, 0, head.size);
  if (end != NULL) head.size = (size_t)(end - head.text);
  mote_stamp_lines lines = mote_stamp_lines_make();
  for (;;) {
    mote_word line = head;
    (void)mote_word_next(&head);
    mote_word value = mote_word_next(&head);
    if (value.size == 0) break;
    line.size = (size_t)(value.text + value.size - line.text);
    mote_stamp_take(&lines, line);
  }
  maker->cloud.stamp = lines.stamp;
}

// Binary files may begin with "solid", too: those of the right length are binary.
mote_result mote_stl_read(mote_mesh_maker *maker, mote_error *error) {
  const mote_file_content *source = maker->source;
  uint32_t facets = 0;
  if (source->size >= HEAD) memcpy(&facets, source->data + HEAD - 4, sizeof facets);
  bool exact = source->size >= HEAD && source->size - HEAD == (uint64_t)facets * FACET;
  if (!exact && is_text(source)) return read_ascii(maker, error);
  if (source->size >= HEAD) read_stamp(maker);
  if (source->size >= HEAD) return read_binary(maker, facets, error);
  return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                      "not an STL file: neither \"solid\" with facets nor a binary header");
}

// As much as fits.
static void print_stamp(const mote_stamp *stamp, char head[80]) {
  char time[MOTE_TEXT_NUMBER] = "", hash[MOTE_STAMP_HASH], step[MOTE_TEXT_NUMBER];
  mote_text_print_double(time, stamp->time);
  mote_text_print_integer(step, (long long)stamp->step);
  mote_stamp_hash(stamp->scene_hash, hash);
  const struct {
    const char *key, *value;
    bool known;
  } part[] = {{"mote", stamp->version, stamp->version[0] != 0},
              {"time", time, !isnan(stamp->time)},
              {"step", step, stamp->version[0] != 0},
              {"scene", hash, stamp->version[0] != 0}};
  size_t used = 0;
  for (size_t k = 0; k < sizeof part / sizeof *part; ++k) {
    size_t length = strlen(part[k].key) + strlen(part[k].value) + 2;
    if (!part[k].known || used + length > 79) continue;
    snprintf(head + used, 80 - used, "%s %s ", part[k].key, part[k].value);
    used += length;
  }
}

mote_result mote_stl_write(const mote_surface *surface, const mote_stamp *stamp, mote_file_out *out,
                           mote_error *error) {
  const mote_mesh *mesh = &surface->mesh;
  if (mesh->triangles > UINT32_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "STL holds at most %u triangles", UINT32_MAX);
  char head[HEAD] = {0};
  print_stamp(stamp, head);
  uint32_t facets = (uint32_t)mesh->triangles;
  memcpy(head + 80, &facets, sizeof facets);
  mote_file_out_write(out, head, sizeof head);
  for (size_t k = 0; k < mesh->triangles; ++k) {
    uint8_t facet[FACET] = {0};  // readers compute normals that are zero
    float x[9];
    for (int c = 0; c < 9; ++c)
      x[c] = (float)mesh->vertex[3 * (size_t)mesh->triangle[3 * k + (size_t)(c / 3)] + (size_t)(c % 3)];
    memcpy(facet + 12, x, sizeof x);
    mote_file_out_write(out, facet, sizeof facet);
  }
  return MOTE_OK;
}
