// Pieces of a broken shape as files. GLB: a node for each piece, "fragment_0000", ..., with the outer surface
// and the walls as primitives with materials and normals of their own; texture coordinates and colours belong
// to the outer surface alone. Other formats: one mesh, with the piece of each vertex as a field.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/glb.h"

enum { KINDS = 2, VIEWS = 5 };  // outer surface and walls; positions, normals, triangles, uv, colours

// One primitive. The primitives of a piece share positions, so that the piece is a closed mesh.
typedef struct glb_side {
  size_t fragment;
  int kind;  // 0: outer, 1: walls
  size_t first_vertex, vertices, first_normal, first_triangle, triangles;
  size_t positions, normals, corners;  // accessors
  float low[3], high[3];
} glb_side;

typedef struct glb_pieces {
  const mote_fragments_view *view;
  const mote_stamp *stamp;
  mote_env env;
  mote_buffer side;      // of glb_side
  mote_buffer position;  // of float
  mote_buffer normal;
  mote_buffer triangle;  // of uint32_t, from the side's first vertex
  mote_buffer uv;        // of float, as positions; empty: none
  mote_buffer colour;    // of uint16_t, in linear light; empty: none
} glb_pieces;

// --- Sides ------------------------------------------------------------------------------------------------

// Triangles in the order of (fragment, kind): order[first[2 f + kind]] ...
static void sort_triangles(const mote_fragments_view *view, size_t *first, uint32_t *order) {
  size_t keys = KINDS * view->fragments;
  memset(first, 0, (keys + 2) * sizeof *first);
  for (size_t t = 0; t < view->mesh.triangles; ++t) ++first[KINDS * view->fragment[t] + view->wall[t] + 2];
  for (size_t k = 0; k < keys; ++k) first[k + 2] += first[k + 1];
  for (uint32_t t = 0; t < view->mesh.triangles; ++t)
    order[first[KINDS * view->fragment[t] + view->wall[t] + 1]++] = t;
}

static void add_area(const mote_mesh *mesh, const uint32_t *t, const uint32_t *number, float *normal) {
  const double *a = mesh->vertex + 3 * (size_t)t[0], *b = mesh->vertex + 3 * (size_t)t[1],
               *c = mesh->vertex + 3 * (size_t)t[2];
  for (int k = 0; k < 3; ++k) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    double n = (b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]);
    for (int corner = 0; corner < 3; ++corner) normal[3 * (size_t)number[t[corner]] + k] += (float)n;
  }
}

static void finish_normals(float *normal, size_t count) {
  for (size_t v = 0; v < count; ++v) {
    float *n = normal + 3 * v, length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; ++k) n[k] = length > 0.0f ? n[k] / length : (float)(k == 2);
  }
}

static void add_colour(glb_pieces *p, const uint8_t colour[4]) {
  uint16_t linear[4];
  for (int c = 0; c < 4; ++c) {
    double value = colour[c] / 255.0;
    linear[c] = (uint16_t)(65535.0 * (c < 3 ? mote_glb_linear(value) : value) + 0.5);
  }
  mote_buffer_add(&p->colour, linear, sizeof linear);
}

// The vertices of one piece, in the order in which its triangles name them. number: of each vertex of the
// mesh in its last piece; seen: that piece.
static void add_vertices(glb_pieces *p, size_t fragment, const uint32_t *order, size_t count, glb_side *side,
                         uint32_t *number, uint32_t *seen) {
  const mote_mesh *mesh = &p->view->mesh;
  *side = (glb_side){.fragment = fragment, .first_vertex = p->position.size / 12};
  for (size_t k = 0; k < 3 * count; ++k) {
    uint32_t v = mesh->triangle[3 * (size_t)order[k / 3] + k % 3];
    if (seen[v] == fragment + 1) continue;
    float x[3];
    for (int c = 0; c < 3; ++c) {
      x[c] = (float)mesh->vertex[3 * (size_t)v + (size_t)c];
      side->low[c] = side->vertices == 0 ? x[c] : fminf(side->low[c], x[c]);
      side->high[c] = side->vertices == 0 ? x[c] : fmaxf(side->high[c], x[c]);
    }
    seen[v] = (uint32_t)(fragment + 1), number[v] = (uint32_t)side->vertices++;
    mote_buffer_add(&p->position, x, sizeof x);
    if (p->view->uv != NULL) mote_buffer_add(&p->uv, p->view->uv + 2 * (size_t)v, 2 * sizeof *p->view->uv);
    if (p->view->colour != NULL) add_colour(p, p->view->colour + 4 * (size_t)v);
  }
}

// One side of the piece: `like` has its vertices.
static void add_side(glb_pieces *p, const glb_side *like, int kind, const uint32_t *order, size_t count,
                     const uint32_t *number) {
  const mote_mesh *mesh = &p->view->mesh;
  const float zero[3] = {0};
  glb_side side = *like;
  side.kind = kind, side.triangles = count;
  side.first_normal = p->normal.size / 12, side.first_triangle = p->triangle.size / 12;
  for (size_t v = 0; v < side.vertices; ++v) mote_buffer_add(&p->normal, zero, sizeof zero);
  for (size_t k = 0; k < 3 * count; ++k)
    mote_buffer_add(&p->triangle, number + mesh->triangle[3 * (size_t)order[k / 3] + k % 3], sizeof *number);
  if (p->normal.failed || p->position.failed || p->triangle.failed) return;
  float *normal = (float *)(void *)p->normal.data + 3 * side.first_normal;
  for (size_t k = 0; k < count; ++k) add_area(mesh, mesh->triangle + 3 * (size_t)order[k], number, normal);
  finish_normals(normal, side.vertices);
  size_t sides = p->side.size / sizeof side;
  const glb_side *last = sides == 0 ? NULL : (const glb_side *)(const void *)p->side.data + sides - 1;
  bool first = last == NULL || last->fragment != side.fragment;
  size_t free = last == NULL ? 0 : last->corners + 1;
  side.positions = first ? free : last->positions, side.normals = first ? free + 1 : free;
  side.corners = side.normals + 1;
  mote_buffer_add(&p->side, &side, sizeof side);
}

static void add_piece(glb_pieces *p, size_t fragment, const size_t *first, const uint32_t *order,
                      uint32_t *number, uint32_t *seen) {
  glb_side like;
  add_vertices(p, fragment, order + first[0], first[KINDS] - first[0], &like, number, seen);
  for (int kind = 0; kind < KINDS; ++kind) {
    if (first[kind + 1] > first[kind])
      add_side(p, &like, kind, order + first[kind], first[kind + 1] - first[kind], number);
  }
}

static mote_result add_sides(glb_pieces *p, mote_error *error) {
  const mote_fragments_view *view = p->view;
  size_t keys = KINDS * view->fragments, vertices = view->mesh.vertices, triangles = view->mesh.triangles;
  size_t *first = mote_io_new(&p->env, (keys + 2) * sizeof *first);
  uint32_t *order = mote_io_new(&p->env, triangles * sizeof *order);
  uint32_t *number = mote_io_new(&p->env, vertices * sizeof *number);
  uint32_t *seen = mote_io_new(&p->env, vertices * sizeof *seen);
  bool made = first != NULL && order != NULL && number != NULL && seen != NULL;
  if (made) sort_triangles(view, first, order);
  for (size_t f = 0; f < view->fragments && made; ++f)
    add_piece(p, f, first + KINDS * f, order, number, seen);
  mote_io_delete(&p->env, first, (keys + 2) * sizeof *first);
  mote_io_delete(&p->env, order, triangles * sizeof *order);
  mote_io_delete(&p->env, number, vertices * sizeof *number);
  mote_io_delete(&p->env, seen, vertices * sizeof *seen);
  made &= !p->side.failed && !p->position.failed && !p->normal.failed && !p->triangle.failed;
  made &= !p->uv.failed && !p->colour.failed;
  return made ? MOTE_OK : mote_io_fail_memory(error);
}

// --- The JSON chunk ---------------------------------------------------------------------------------------

static void put(mote_buffer *json, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(mote_buffer *json, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  mote_buffer_text(json, text);
}

static void put_asset(const glb_pieces *p, mote_buffer *json) {
  put(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"mote %s\"", mote_version());
  if (isfinite(p->stamp->time)) {
    mote_buffer_text(json, ",\"extras\":{\"time\":");
    mote_json_put_number(json, p->stamp->time);
    mote_buffer_text(json, "}");
  }
  mote_buffer_text(json,
                   "},\"materials\":["
                   "{\"name\":\"surface\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,"
                   "\"roughnessFactor\":0.5}},"
                   "{\"name\":\"wall\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,"
                   "\"roughnessFactor\":0.9,\"baseColorFactor\":[0.6,0.55,0.5,1]}}]");
}

// Accessors of the texture coordinates and colours of all pieces come last; walls have none.
static void put_outer_attributes(const glb_pieces *p, size_t free, size_t piece, size_t pieces,
                                 mote_buffer *json) {
  if (p->uv.size > 0) put(json, ",\"TEXCOORD_0\":%zu", free + piece);
  if (p->uv.size > 0) free += pieces;
  if (p->colour.size > 0) put(json, ",\"COLOR_0\":%zu", free + piece);
}

static size_t count_pieces(const glb_pieces *p) {
  const glb_side *side = (const glb_side *)(const void *)p->side.data;
  size_t sides = p->side.size / sizeof *side, pieces = 0;
  for (size_t k = 0; k < sides; ++k) pieces += k == 0 || side[k].fragment != side[k - 1].fragment;
  return pieces;
}

// Pieces that have triangles, each with its sides, which follow each other.
static void put_nodes(const glb_pieces *p, mote_buffer *json) {
  const glb_side *side = (const glb_side *)(const void *)p->side.data;
  size_t sides = p->side.size / sizeof *side, pieces = 0, all = count_pieces(p);
  mote_buffer_text(json, ",\"meshes\":[");
  for (size_t k = 0; k < sides; ++k) {
    bool fresh = k == 0 || side[k].fragment != side[k - 1].fragment;
    if (fresh)
      put(json, "%s{\"name\":\"fragment_%04zu\",\"primitives\":[", k > 0 ? "]}," : "", side[k].fragment);
    pieces += fresh;
    put(json, "%s{\"material\":%d,\"mode\":4,\"attributes\":{\"POSITION\":%zu,\"NORMAL\":%zu",
        fresh ? "" : ",", side[k].kind, side[k].positions, side[k].normals);
    if (side[k].kind == 0) put_outer_attributes(p, side[sides - 1].corners + 1, pieces - 1, all, json);
    put(json, "},\"indices\":%zu}", side[k].corners);
  }
  mote_buffer_text(json, "]}],\"nodes\":[");
  for (size_t k = 0, mesh = 0; k < sides; ++k) {
    if (k > 0 && side[k].fragment == side[k - 1].fragment) continue;
    put(json, "%s{\"name\":\"fragment_%04zu\",\"mesh\":%zu}", mesh > 0 ? "," : "", side[k].fragment, mesh);
    ++mesh;
  }
  mote_buffer_text(json, "],\"scene\":0,\"scenes\":[{\"nodes\":[");
  for (size_t k = 0; k < pieces; ++k) put(json, "%s%zu", k > 0 ? "," : "", k);
  mote_buffer_text(json, "]}]");
}

static void put_bounds(mote_buffer *json, const char *key, const float x[3]) {
  put(json, ",\"%s\":[", key);
  for (int c = 0; c < 3; ++c) {
    if (c > 0) mote_buffer_text(json, ",");
    mote_json_put_number(json, (double)x[c]);
  }
  mote_buffer_text(json, "]");
}

// One accessor for each piece, into its part of one of the last views.
static void put_outer_accessors(const glb_pieces *p, int view, const char *type, size_t row,
                                mote_buffer *json) {
  const glb_side *side = (const glb_side *)(const void *)p->side.data;
  size_t sides = p->side.size / sizeof *side;
  for (size_t k = 0; k < sides; ++k) {
    if (k > 0 && side[k].fragment == side[k - 1].fragment) continue;
    put(json, ",{\"bufferView\":%d,\"byteOffset\":%zu,\"count\":%zu,%s}", view, row * side[k].first_vertex,
        side[k].vertices, type);
  }
}

// Views of positions, normals and triangles, and accessors into them: positions once for each piece. Then,
// where there are some, those of texture coordinates and colours.
static void put_accessors(const glb_pieces *p, mote_buffer *json) {
  static const char vectors[] =
      "%s{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%zu,\"type\":\"VEC3\"";
  const glb_side *side = (const glb_side *)(const void *)p->side.data;
  size_t sides = p->side.size / sizeof *side, bytes = 0;
  mote_buffer_text(json, ",\"accessors\":[");
  for (size_t k = 0; k < sides; ++k) {
    if (k == 0 || side[k].fragment != side[k - 1].fragment) {
      put(json, vectors, k > 0 ? "," : "", 0, 12 * side[k].first_vertex, MOTE_GLB_F32, side[k].vertices);
      put_bounds(json, "min", side[k].low), put_bounds(json, "max", side[k].high);
      mote_buffer_text(json, "}");
    }
    put(json, vectors, ",", 1, 12 * side[k].first_normal, MOTE_GLB_F32, side[k].vertices);
    put(json,
        "},{\"bufferView\":2,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}",
        12 * side[k].first_triangle, MOTE_GLB_U32, 3 * side[k].triangles);
  }
  int view = 3;
  if (p->uv.size > 0) put_outer_accessors(p, view++, "\"componentType\":5126,\"type\":\"VEC2\"", 8, json);
  if (p->colour.size > 0)
    put_outer_accessors(p, view, "\"componentType\":5123,\"type\":\"VEC4\",\"normalized\":true", 8, json);
  const mote_buffer *all[VIEWS] = {&p->position, &p->normal, &p->triangle, &p->uv, &p->colour};
  static const char *const kind[VIEWS] = {
      "\"byteStride\":12,\"target\":34962", "\"byteStride\":12,\"target\":34962", "\"target\":34963",
      "\"byteStride\":8,\"target\":34962", "\"byteStride\":8,\"target\":34962"};
  mote_buffer_text(json, "],\"bufferViews\":[");
  for (int v = 0; v < VIEWS; ++v) {
    if (all[v]->size == 0) continue;
    put(json, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,%s}", v > 0 ? "," : "", bytes,
        all[v]->size, kind[v]);
    bytes += all[v]->size;
  }
  put(json, "],\"buffers\":[{\"byteLength\":%zu}]}", bytes);
  while (json->size % 4 != 0 && !json->failed) mote_buffer_text(json, " ");
}

static mote_result write_glb(glb_pieces *p, const char *path, mote_error *error) {
  mote_file_out *out;
  mote_buffer json = mote_buffer_make(&p->env);
  put_asset(p, &json);
  put_nodes(p, &json);
  put_accessors(p, &json);
  const mote_buffer *part[VIEWS] = {&p->position, &p->normal, &p->triangle, &p->uv, &p->colour};
  uint64_t bytes = 0;
  for (int v = 0; v < VIEWS; ++v) bytes += part[v]->size;
  uint64_t all = 28 + json.size + bytes;
  mote_result result = MOTE_OK;
  if (json.failed) result = mote_io_fail_memory(error);
  if (all > UINT32_MAX)
    result = mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "GLB files hold at most 4 GB");
  if (result == MOTE_OK) result = mote_file_out_begin(path, false, NULL, &out, error);
  if (result == MOTE_OK) {
    const uint32_t head[5] = {MOTE_GLB_MAGIC, 2, (uint32_t)all, (uint32_t)json.size, MOTE_GLB_JSON};
    const uint32_t chunk[2] = {(uint32_t)bytes, MOTE_GLB_BIN};
    mote_file_out_write(out, head, sizeof head);
    mote_file_out_write(out, json.data, json.size);
    mote_file_out_write(out, chunk, sizeof chunk);
    for (int v = 0; v < VIEWS; ++v) mote_file_out_write(out, part[v]->data, part[v]->size);
    result = mote_file_out_commit(out, error);
  }
  mote_buffer_free(&json);
  return result;
}

// --- Files ------------------------------------------------------------------------------------------------

static mote_result write_pieces(const mote_fragments_view *view, const mote_stamp *stamp, const char *path,
                                mote_error *error) {
  glb_pieces p = {.view = view, .stamp = stamp, .env = mote_env_default()};
  p.side = mote_buffer_make(&p.env), p.position = mote_buffer_make(&p.env);
  p.normal = mote_buffer_make(&p.env), p.triangle = mote_buffer_make(&p.env);
  p.uv = mote_buffer_make(&p.env), p.colour = mote_buffer_make(&p.env);
  mote_result result = add_sides(&p, error);
  if (result == MOTE_OK) result = write_glb(&p, path, error);
  mote_buffer_free(&p.side), mote_buffer_free(&p.position);
  mote_buffer_free(&p.normal), mote_buffer_free(&p.triangle);
  mote_buffer_free(&p.uv), mote_buffer_free(&p.colour);
  return result;
}

// One mesh with a field.
static mote_result write_surface(const mote_fragments_view *view, const mote_stamp *stamp, const char *path,
                                 mote_error *error) {
  mote_env env = mote_env_default();
  size_t vertices = view->mesh.vertices, numbers = view->uv != NULL ? 2 * vertices : 0;
  uint32_t *fragment = mote_io_new(&env, vertices * sizeof *fragment);
  float *uv = mote_io_new(&env, numbers * sizeof *uv);
  bool taken = fragment != NULL && uv != NULL;
  for (size_t k = 0; k < numbers && taken; ++k)
    uv[k] = k % 2 == 0 ? view->uv[k] : 1.0f - view->uv[k];  // upwards
  for (size_t k = 0; k < 3 * view->mesh.triangles && taken; ++k)
    fragment[view->mesh.triangle[k]] = view->fragment[k / 3];
  mote_surface surface = {.mesh = view->mesh, .fields = 1};
  surface.field[0] = (mote_field_view){"fragment", "", MOTE_TYPE_U32, 1, vertices, fragment};
  if (view->uv != NULL)
    surface.field[surface.fields++] = (mote_field_view){"uv", "", MOTE_TYPE_F32, 2, vertices, uv};
  if (view->colour != NULL)
    surface.field[surface.fields++] =
        (mote_field_view){"colour", "", MOTE_TYPE_U8, 4, vertices, view->colour};
  mote_result result = taken ? mote_surface_write(&surface, stamp, path, error) : mote_io_fail_memory(error);
  mote_io_delete(&env, fragment, vertices * sizeof *fragment);
  mote_io_delete(&env, uv, numbers * sizeof *uv);
  return result;
}

mote_result mote_fragments_write(const mote_fragments_view *view, const mote_stamp *stamp, const char *path,
                                 mote_error *error) {
  mote_stamp own = {.time = (double)NAN};
  snprintf(own.version, sizeof own.version, "%s", mote_version());
  if (view == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "view or path is null");
  if (view->fragments == 0 || view->mesh.triangles == 0)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "there are no fragments");
  for (size_t k = 0; k < 3 * view->mesh.vertices; ++k)
    if (!isfinite(view->mesh.vertex[k]))
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "vertex %zu is not finite", k / 3);
  bool pieces = mote_io_ends(path, ".glb") || mote_io_ends(path, ".glb.gz");
  return (pieces ? write_pieces : write_surface)(view, stamp != NULL ? stamp : &own, path, error);
}
