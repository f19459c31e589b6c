// Meshes from GLB files: all triangles of the scene, transformed by their nodes. Normals and fields are
// read if there is one primitive, as in Mote's own files.
#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "io/glb.h"
#include "io/stamp.h"

enum { DEPTH_MOST = 256, COPIES_MOST = 16 };

typedef struct glb_walk {
  mote_glb *glb;
  uint8_t *seen;  // for each node
  mote_buffer corner;
  bool shared;        // a previous primitive of the same mesh has
  uint64_t accessor;  // the same positions
} glb_walk;

static mote_result fail(const mote_glb *glb, mote_error *error, const char *what) {
  return mote_io_fail(error, MOTE_ERROR_FORMAT, glb->maker->source->path, "%s", what);
}

// --- The container ----------------------------------------------------------------------------------------

static bool next_chunk(mote_word *rest, uint32_t *kind, mote_word *chunk) {
  uint32_t head[2];
  if (rest->size < sizeof head) return false;
  memcpy(head, rest->text, sizeof head);
  if (head[0] > rest->size - sizeof head) return false;
  *kind = head[1];
  *chunk = (mote_word){rest->text + sizeof head, head[0]};
  rest->text += sizeof head + head[0];
  rest->size -= sizeof head + head[0];
  return true;
}

static mote_result open_container(mote_glb *glb, mote_error *error) {
  const mote_file_content *source = glb->maker->source;
  uint32_t head[3] = {0}, kind = 0;
  mote_word chunk = {"", 0};
  if (source->size >= sizeof head) memcpy(head, source->data, sizeof head);
  if (head[0] != MOTE_GLB_MAGIC) return fail(glb, error, "not a GLB file: it does not begin with glTF");
  if (head[1] != 2)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "glTF of version %u; version 2 is read",
                        head[1]);
  if (head[2] < sizeof head || head[2] > source->size)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                        "cut short: %u bytes are announced, %zu there", head[2], source->size);
  mote_word rest = {(const char *)source->data + sizeof head, head[2] - sizeof head};
  if (!next_chunk(&rest, &kind, &chunk) || kind != MOTE_GLB_JSON)
    return fail(glb, error, "the first chunk is not JSON, or is cut short");
  MOTE_IO_TRY(mote_json_check(chunk, source->path, &glb->root, error));
  while (rest.size > 0) {
    if (!next_chunk(&rest, &kind, &chunk)) return fail(glb, error, "a chunk is cut short");
    if (kind == MOTE_GLB_BIN && glb->bin.size == 0) glb->bin = chunk;
  }
  return MOTE_OK;
}

static void list_items(mote_json list, mote_buffer *out) {
  mote_json none, value;
  if (list.size == 0 || list.text[0] != '[') return;
  for (size_t at = 0; mote_json_next(list, &at, &none, &value);) mote_buffer_add(out, &value, sizeof value);
}

static mote_result open_lists(mote_glb *glb, mote_error *error) {
  mote_json required = mote_json_get(glb->root, "extensionsRequired"), none, value;
  for (size_t at = 0; mote_json_next(required, &at, &none, &value);) {
    char name[80];
    mote_json_text(value, name, sizeof name);
    if (strncmp(name, "KHR_materials_", 14) != 0 && strcmp(name, "KHR_texture_transform") != 0)
      return mote_io_fail(error, MOTE_ERROR_FORMAT, glb->maker->source->path,
                          "needs the extension %s, which is not read", name);
  }
  list_items(mote_json_get(glb->root, "accessors"), &glb->accessor);
  list_items(mote_json_get(glb->root, "bufferViews"), &glb->view);
  list_items(mote_json_get(glb->root, "meshes"), &glb->mesh);
  list_items(mote_json_get(glb->root, "nodes"), &glb->node);
  return glb->accessor.failed || glb->view.failed || glb->mesh.failed || glb->node.failed
             ? mote_io_fail_memory(error)
             : MOTE_OK;
}

static void read_stamp(mote_glb *glb) {
  mote_json extras = mote_json_get(mote_json_get(glb->root, "asset"), "extras");
  mote_stamp_lines lines = mote_stamp_lines_make();
  static const char *const keys[] = {"mote", "scene", "step", "time", "spacing", "volume_ratio"};
  for (int k = 0; k < 6; ++k) {
    char value[64], line[80];
    mote_json member = mote_json_get(extras, keys[k]);
    mote_json_text(member, value, sizeof value);
    if (value[0] == 0) mote_word_copy(member, value, sizeof value);
    int length = snprintf(line, sizeof line, "%s %s", keys[k], value);
    if (member.size > 0) mote_stamp_take(&lines, (mote_word){line, (size_t)length});
  }
  glb->maker->cloud.stamp = lines.stamp;
}

// --- Triangles --------------------------------------------------------------------------------------------

static mote_result take_corners(glb_walk *walk, mote_json indices, size_t vertices, mote_error *error) {
  mote_glb_values values;
  size_t base = mote_mesh_vertices(walk->glb->maker) - vertices;
  uint32_t corner;
  walk->corner.size = 0;
  if (indices.size == 0) {
    for (size_t k = 0; k < vertices; ++k) {
      corner = (uint32_t)(base + k);
      mote_buffer_add(&walk->corner, &corner, sizeof corner);
    }
    return MOTE_OK;
  }
  MOTE_IO_TRY(mote_glb_open(walk->glb, indices, &values, error));
  if (values.components != 1 || values.raw == MOTE_RAW_F32)
    return fail(walk->glb, error, "indices that are not integers");
  values.normalized = false;
  for (size_t k = 0; k < values.count; ++k) {
    double number = mote_glb_value(&values, k, 0);
    if (!(number >= 0 && number < (double)vertices))
      return fail(walk->glb, error, "an index beyond the vertices of its primitive");
    corner = (uint32_t)(base + (size_t)number);
    mote_buffer_add(&walk->corner, &corner, sizeof corner);
  }
  return MOTE_OK;
}

static void add_triangles(glb_walk *walk, uint64_t mode, bool turned) {
  mote_mesh_maker *maker = walk->glb->maker;
  const uint32_t *corner = (const uint32_t *)(const void *)walk->corner.data;
  size_t corners = walk->corner.size / sizeof *corner, begin = maker->triangle.size;
  if (mode == MOTE_GLB_FAN) mote_mesh_add_polygon(maker, corner, corners);
  if (mode == MOTE_GLB_STRIP) mote_mesh_add_strip(maker, corner, corners);
  for (size_t k = 0; mode == MOTE_GLB_TRIANGLES && k + 2 < corners; k += 3)
    mote_mesh_add_polygon(maker, corner + k, 3);
  if (!turned || maker->triangle.failed) return;
  for (size_t at = begin; at < maker->triangle.size; at += 3 * sizeof(uint32_t)) {
    uint32_t *triangle = (uint32_t *)(void *)(maker->triangle.data + at), kept = triangle[1];
    triangle[1] = triangle[2];
    triangle[2] = kept;
  }
}

static mote_result add_primitive(glb_walk *walk, mote_glb_primitive *at_hand, mote_error *error) {
  mote_glb *glb = walk->glb;
  mote_mesh_maker *maker = glb->maker;
  const mote_glb_place *place = &at_hand->place;
  mote_json primitive = at_hand->primitive;
  mote_glb_values position;
  uint64_t mode = MOTE_GLB_TRIANGLES;
  (void)mote_json_count(mote_json_get(primitive, "mode"), &mode);
  mote_json at = mote_json_get(mote_json_get(primitive, "attributes"), "POSITION");
  if (mode < MOTE_GLB_TRIANGLES || mode > MOTE_GLB_FAN || at.size == 0) return MOTE_OK;
  MOTE_IO_TRY(mote_glb_open(glb, at, &position, error));
  if (position.components != 3 || position.raw != MOTE_RAW_F32)
    return fail(glb, error, "positions that are not three floats");
  // Nodes may instance one mesh many times; the total is limited to a multiple of the file's size.
  if (mote_mesh_vertices(maker) + position.count > (size_t)COPIES_MOST * maker->source->size ||
      maker->triangle.size / 12 > (size_t)COPIES_MOST * maker->source->size)
    return fail(glb, error, "too many copies of its meshes");
  // Primitives of one mesh that have the same positions have the same vertices.
  uint64_t accessor = 0;
  bool shared = glb->share_vertices && mote_json_count(at, &accessor) && walk->shared &&
                accessor == walk->accessor && position.count == at_hand->vertices;
  walk->shared = true, walk->accessor = accessor;
  if (!shared) at_hand->first_vertex = mote_mesh_vertices(maker), at_hand->vertices = position.count;
  at_hand->first_triangle = maker->triangle.size / (3 * sizeof(uint32_t));
  for (size_t k = 0; k < position.count && !shared; ++k) {
    double x[3], y[3];
    for (int c = 0; c < 3; ++c) x[c] = mote_glb_value(&position, k, c);
    mote_glb_point(place, x, y);
    mote_mesh_add_vertex(maker, y);
  }
  if (maker->vertex.failed) return mote_io_fail_memory(error);
  MOTE_IO_TRY(take_corners(walk, mote_json_get(primitive, "indices"), position.count, error));
  if (walk->corner.failed) return mote_io_fail_memory(error);
  add_triangles(walk, mode, mote_glb_determinant(place) < 0);
  at_hand->triangles = maker->triangle.size / (3 * sizeof(uint32_t)) - at_hand->first_triangle;
  mote_buffer_add(&glb->primitive, at_hand, sizeof *at_hand);
  return maker->triangle.failed || glb->primitive.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

static mote_result add_mesh(glb_walk *walk, mote_json node, mote_json mesh, const mote_glb_place *place,
                            mote_error *error) {
  mote_json primitives = mote_json_get(mesh, "primitives"), none;
  mote_glb_primitive at_hand = {.node = node, .mesh = mesh, .place = *place};
  walk->shared = false;
  for (size_t at = 0; mote_json_next(primitives, &at, &none, &at_hand.primitive);)
    MOTE_IO_TRY(add_primitive(walk, &at_hand, error));
  return MOTE_OK;
}

// --- Nodes ------------------------------------------------------------------------------------------------

static mote_result walk_nodes(glb_walk *walk, mote_json numbers, const mote_glb_place *parent, int depth,
                              mote_error *error) {
  mote_json none, value;
  if (depth == DEPTH_MOST) return fail(walk->glb, error, "nodes nested more than 256 deep");
  for (size_t at = 0; mote_json_next(numbers, &at, &none, &value);) {
    uint64_t number, mesh;
    if (!mote_json_count(value, &number) || number >= walk->glb->node.size / sizeof(mote_json))
      return fail(walk->glb, error, "there is no such node");
    if (walk->seen[number]++ != 0) return fail(walk->glb, error, "a node has two parents");
    mote_json node = mote_glb_item(&walk->glb->node, number);
    mote_glb_place place = mote_glb_place_of(node, parent);
    if (mote_json_count(mote_json_get(node, "mesh"), &mesh))
      MOTE_IO_TRY(add_mesh(walk, node, mote_glb_item(&walk->glb->mesh, mesh), &place, error));
    MOTE_IO_TRY(walk_nodes(walk, mote_json_get(node, "children"), &place, depth + 1, error));
  }
  return MOTE_OK;
}

// The default scene; without scenes, all meshes untransformed.
static mote_result walk_scene(glb_walk *walk, mote_error *error) {
  static const mote_glb_place here = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  mote_glb *glb = walk->glb;
  uint64_t wanted = 0, number = 0;
  mote_json scenes = mote_json_get(glb->root, "scenes"), none, scene;
  (void)mote_json_count(mote_json_get(glb->root, "scene"), &wanted);
  for (size_t at = 0; mote_json_next(scenes, &at, &none, &scene); ++number)
    if (number == wanted) return walk_nodes(walk, mote_json_get(scene, "nodes"), &here, 0, error);
  for (size_t k = 0; k < glb->mesh.size / sizeof(mote_json); ++k)
    MOTE_IO_TRY(add_mesh(walk, (mote_json){"", 0}, mote_glb_item(&glb->mesh, k), &here, error));
  return MOTE_OK;
}

static mote_result read_file(mote_glb *glb, glb_walk *walk, mote_error *error) {
  MOTE_IO_TRY(open_container(glb, error));
  MOTE_IO_TRY(open_lists(glb, error));
  read_stamp(glb);
  walk->seen = mote_io_new(glb->maker->source->env, glb->node.size);
  if (walk->seen == NULL) return mote_io_fail_memory(error);
  return walk_scene(walk, error);
}

mote_glb mote_glb_make(mote_mesh_maker *maker) {
  const mote_env *env = maker->source->env;
  return (mote_glb){.maker = maker,
                    .bin = {"", 0},
                    .accessor = mote_buffer_make(env),
                    .view = mote_buffer_make(env),
                    .mesh = mote_buffer_make(env),
                    .node = mote_buffer_make(env),
                    .primitive = mote_buffer_make(env)};
}

void mote_glb_free(mote_glb *glb) {
  mote_buffer_free(&glb->accessor);
  mote_buffer_free(&glb->view);
  mote_buffer_free(&glb->mesh);
  mote_buffer_free(&glb->node);
  mote_buffer_free(&glb->primitive);
}

mote_result mote_glb_load(mote_glb *glb, mote_error *error) {
  const mote_env *env = glb->maker->source->env;
  glb_walk walk = {.glb = glb, .corner = mote_buffer_make(env)};
  mote_result result = read_file(glb, &walk, error);
  mote_io_delete(env, walk.seen, glb->node.size);
  mote_buffer_free(&walk.corner);
  return result;
}

mote_result mote_glb_read(mote_mesh_maker *maker, mote_error *error) {
  mote_glb glb = mote_glb_make(maker);
  glb.share_vertices = true;
  mote_result result = mote_glb_load(&glb, error);
  const mote_glb_primitive *first = (const mote_glb_primitive *)(const void *)glb.primitive.data;
  if (result == MOTE_OK && glb.primitive.size == sizeof *first)
    result = mote_glb_read_fields(&glb, first->primitive, &first->place, error);
  mote_glb_free(&glb);
  return result;
}
