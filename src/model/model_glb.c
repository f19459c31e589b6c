// GLB files as models: positions and normals are replaced within their buffer and the bounds in the JSON
// text; all else stays, but for tangents, which readers compute where there are none.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_file.h"

// --- Reading ----------------------------------------------------------------------------------------------

size_t mote_model_parts(const mote_model *model) {
  return model->glb.primitive.size / sizeof(mote_glb_primitive);
}

static const mote_glb_primitive *primitive_at(const mote_model *model, size_t k) {
  return (const mote_glb_primitive *)(const void *)model->glb.primitive.data + k;
}

static uint64_t attribute(const mote_glb_primitive *primitive, const char *name) {
  uint64_t number = UINT64_MAX;
  (void)mote_json_count(mote_json_get(mote_json_get(primitive->primitive, "attributes"), name), &number);
  return number;
}

static bool invert(const mote_glb_place *place, mote_glb_place *out) {
  const double *m = place->m;
  double det = mote_glb_determinant(place);
  if (!isfinite(1 / det)) return false;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      int a1 = (b + 1) % 3, a2 = (b + 2) % 3, b1 = (a + 1) % 3, b2 = (a + 2) % 3;
      out->m[4 * a + b] = (m[4 * a1 + b1] * m[4 * a2 + b2] - m[4 * a1 + b2] * m[4 * a2 + b1]) / det;
    }
  for (int a = 0; a < 3; ++a) {
    const double *r = out->m + 4 * a;
    out->m[4 * a + 3] = -(r[0] * m[3] + r[1] * m[7] + r[2] * m[11]);
  }
  return true;
}

mote_result mote_model_part_open(const mote_model *model, size_t k, mote_model_part *out, mote_error *error) {
  const mote_glb_primitive *p = primitive_at(model, k);
  mote_json attributes = mote_json_get(p->primitive, "attributes"),
            normal = mote_json_get(attributes, "NORMAL");
  *out = (mote_model_part){.primitive = p};
  MOTE_IO_TRY(mote_glb_open(&model->glb, mote_json_get(attributes, "POSITION"), &out->position, error));
  if (normal.size > 0) MOTE_IO_TRY(mote_glb_open(&model->glb, normal, &out->normal, error));
  out->has_normal = normal.size > 0 && out->normal.components == 3 && out->normal.raw == MOTE_RAW_F32 &&
                    out->normal.count == out->position.count;
  if (!invert(&p->place, &out->inverse))
    return mote_io_fail(error, MOTE_ERROR_FORMAT, model->source.path, "a node with a mesh has a scale of 0");
  return MOTE_OK;
}

// A mesh that stands at two places cannot be deformed in two ways.
static mote_result check_instances(const mote_model *model, mote_error *error) {
  size_t accessors = model->glb.accessor.size / sizeof(mote_json), parts = mote_model_parts(model);
  size_t *first = mote_io_new(&model->env, accessors * sizeof *first);  // 1 + the first part that uses it
  mote_result result = first == NULL ? mote_io_fail_memory(error) : MOTE_OK;
  for (size_t k = 0; result == MOTE_OK && k < parts; ++k) {
    uint64_t number = attribute(primitive_at(model, k), "POSITION");
    const mote_glb_place *place = &primitive_at(model, k)->place;
    if (number >= accessors) continue;
    if (first[number] == 0) first[number] = k + 1;
    if (memcmp(&primitive_at(model, first[number] - 1)->place, place, sizeof *place) == 0) continue;
    char name[MOTE_MODEL_NAME];
    mote_json_text(mote_json_get(primitive_at(model, k)->mesh, "name"), name, sizeof name);
    result = mote_io_fail(error, MOTE_ERROR_FORMAT, model->source.path,
                          "mesh \"%s\" is shown by several nodes: give each a mesh of its own", name);
  }
  mote_io_delete(&model->env, first, accessors * sizeof *first);
  return result;
}

static void add_names(mote_model *model) {
  mote_buffer materials = mote_buffer_make(&model->env);
  mote_json none, item;
  for (size_t at = 0; mote_json_next(mote_json_get(model->glb.root, "materials"), &at, &none, &item);)
    mote_buffer_add(&materials, &item, sizeof item);
  for (size_t k = 0; k < mote_model_parts(model); ++k) {
    const mote_glb_primitive *p = primitive_at(model, k);
    uint64_t material = UINT64_MAX;
    (void)mote_json_count(mote_json_get(p->primitive, "material"), &material);
    mote_json named[] = {p->node, p->mesh, mote_glb_item(&materials, material)};
    for (int n = 0; n < 3; ++n) {
      char name[MOTE_MODEL_NAME];
      mote_json_text(mote_json_get(named[n], "name"), name, sizeof name);
      mote_model_add_run(model, (mote_word){name, strlen(name)}, p->first_triangle,
                         p->first_triangle + p->triangles);
    }
  }
  mote_buffer_free(&materials);
}

static mote_result read_normals(mote_model *model, mote_error *error) {
  for (size_t k = 0; k < mote_model_parts(model); ++k) {
    mote_model_part part;
    MOTE_IO_TRY(mote_model_part_open(model, k, &part, error));
    if (!part.has_normal) continue;
    size_t size = 3 * model->surface.mesh.vertices * sizeof *model->normal;
    if (model->normal == NULL) model->normal = mote_io_new(&model->env, size);
    if (model->normal == NULL) return mote_io_fail_memory(error);
    for (size_t v = 0; v < part.normal.count; ++v) {
      double n[3];
      for (int c = 0; c < 3; ++c) n[c] = mote_glb_value(&part.normal, v, c);
      mote_glb_normal(&part.primitive->place, n, model->normal + 3 * (part.primitive->first_vertex + v));
    }
  }
  return MOTE_OK;
}

mote_result mote_model_read_glb(mote_model *model, mote_error *error) {
  MOTE_IO_TRY(mote_glb_load(&model->glb, error));
  MOTE_IO_TRY(mote_mesh_finish(&model->maker, &model->surface, error));
  model->vertices = model->surface.mesh.vertices;
  MOTE_IO_TRY(check_instances(model, error));
  add_names(model);
  return read_normals(model, error);
}

// --- Changes of the JSON text -----------------------------------------------------------------------------

mote_json_edits mote_json_edits_make(const mote_env *env) {
  return (mote_json_edits){mote_buffer_make(env), mote_buffer_make(env)};
}

void mote_json_edits_free(mote_json_edits *edits) {
  mote_buffer_free(&edits->edit);
  mote_buffer_free(&edits->put);
}

void mote_json_edit_begin(mote_json_edits *edits, const char *from, const char *to) {
  mote_json_edit edit = {from, to, edits->put.size, edits->put.size};
  mote_buffer_add(&edits->edit, &edit, sizeof edit);
}

void mote_json_edit_end(mote_json_edits *edits) {
  if (edits->edit.failed) return;
  mote_json_edit *last = (mote_json_edit *)(void *)(edits->edit.data + edits->edit.size) - 1;
  last->end = edits->put.size;
}

static int compare_edits(const void *left, const void *right) {
  const mote_json_edit *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return a->begin < b->begin ? -1 : a->begin > b->begin;
}

void mote_json_edits_apply(mote_json_edits *edits, mote_json root, mote_buffer *out) {
  mote_json_edit *edit = (mote_json_edit *)(void *)edits->edit.data;
  size_t count = edits->edit.size / sizeof *edit;
  const char *at = root.text;
  if (edits->edit.failed || edits->put.failed) out->failed = true;
  if (out->failed) return;
  if (count > 0) qsort(edit, count, sizeof *edit, compare_edits);
  for (size_t k = 0; k < count; ++k) {
    if (edit[k].from < at) continue;  // a text that was replaced already: the same accessor
    mote_buffer_add(out, at, (size_t)(edit[k].from - at));
    mote_buffer_add(out, edits->put.data + edit[k].begin, edit[k].end - edit[k].begin);
    at = edit[k].to;
  }
  mote_buffer_add(out, at, (size_t)(root.text + root.size - at));
}

// --- Writing ----------------------------------------------------------------------------------------------

void mote_model_part_row(const mote_model_part *part, const mote_model_pose *pose, size_t row,
                         float position[3], float normal[3]) {
  size_t at = 3 * (part->primitive->first_vertex + row);
  double x[3], length = 0, turned[3];
  const double *m = part->primitive->place.m;
  mote_glb_point(&part->inverse, pose->position + at, x);
  for (int c = 0; c < 3; ++c) position[c] = (float)x[c];
  if (!part->has_normal || pose->normal == NULL) return;
  const double *n = pose->normal + at;
  for (int c = 0; c < 3; ++c) {
    turned[c] = m[c] * n[0] + m[4 + c] * n[1] + m[8 + c] * n[2];
    length += turned[c] * turned[c];
  }
  length = sqrt(length);
  for (int c = 0; c < 3; ++c) normal[c] = (float)(length > 0 ? turned[c] / length : 0);
}

static void put_bounds(mote_json_edits *edits, mote_json accessor, const char *key, const float bound[3]) {
  mote_json value = mote_json_get(accessor, key);
  if (value.size == 0) return;
  mote_json_edit_begin(edits, value.text, value.text + value.size);
  for (int c = 0; c < 3; ++c) {
    mote_buffer_text(&edits->put, c == 0 ? "[" : ",");
    mote_json_put_number(&edits->put, (double)bound[c]);
  }
  mote_buffer_text(&edits->put, "]");
  mote_json_edit_end(edits);
}

// Tangents of the shape at rest would be wrong.
static void drop_tangents(mote_json_edits *edits, const mote_glb_primitive *primitive) {
  mote_json attributes = mote_json_get(primitive->primitive, "attributes"), key, value;
  const char *before = "";
  if (mote_json_get(attributes, "TANGENT").size == 0) return;
  mote_json_edit_begin(edits, attributes.text, attributes.text + attributes.size);
  mote_buffer_text(&edits->put, "{");
  for (size_t at = 0; mote_json_next(attributes, &at, &key, &value);) {
    if (mote_json_is(key, "TANGENT")) continue;
    mote_buffer_text(&edits->put, before);
    mote_buffer_add(&edits->put, key.text, key.size);
    mote_buffer_text(&edits->put, ":");
    mote_buffer_add(&edits->put, value.text, value.size);
    before = ",";
  }
  mote_buffer_text(&edits->put, "}");
  mote_json_edit_end(edits);
}

static void patch_part(const mote_model *model, const mote_model_part *part, const mote_model_pose *pose,
                       mote_buffer *bin, mote_json_edits *edits) {
  float low[3], high[3], position[3], normal[3];
  size_t to = (size_t)((const char *)part->position.data - model->glb.bin.text);
  size_t normal_to = part->has_normal ? (size_t)((const char *)part->normal.data - model->glb.bin.text) : 0;
  for (size_t v = 0; v < part->position.count; ++v) {
    mote_model_part_row(part, pose, v, position, normal);
    memcpy(bin->data + to + v * part->position.stride, position, sizeof position);
    if (part->has_normal && pose->normal != NULL)
      memcpy(bin->data + normal_to + v * part->normal.stride, normal, sizeof normal);
    for (int c = 0; c < 3; ++c) {
      low[c] = v == 0 ? position[c] : fminf(low[c], position[c]);
      high[c] = v == 0 ? position[c] : fmaxf(high[c], position[c]);
    }
  }
  mote_json accessor = mote_glb_item(&model->glb.accessor, attribute(part->primitive, "POSITION"));
  put_bounds(edits, accessor, "min", low);
  put_bounds(edits, accessor, "max", high);
  drop_tangents(edits, part->primitive);
}

mote_result mote_model_put_chunks(mote_buffer *json, mote_buffer *bin, mote_file_out *out,
                                  mote_error *error) {
  uint8_t zero[4] = {0};
  while (json->size % 4 != 0 && !json->failed) mote_buffer_text(json, " ");
  mote_buffer_add(bin, zero, (4 - bin->size % 4) % 4);
  if (json->failed || bin->failed) return mote_io_fail_memory(error);
  uint64_t all = 12 + 8 + (uint64_t)json->size + 8 + bin->size;
  if (all > UINT32_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "GLB files hold at most 4 GB, this one needs %llu",
                        (unsigned long long)all);
  uint32_t head[5] = {MOTE_GLB_MAGIC, 2, (uint32_t)all, (uint32_t)json->size, MOTE_GLB_JSON};
  uint32_t chunk[2] = {(uint32_t)bin->size, MOTE_GLB_BIN};
  mote_file_out_write(out, head, sizeof head);
  mote_file_out_write(out, json->data, json->size);
  mote_file_out_write(out, chunk, sizeof chunk);
  mote_file_out_write(out, bin->data, bin->size);
  return MOTE_OK;
}

static mote_result put_file(const mote_model *model, const mote_model_pose *pose, mote_json_edits *edits,
                            mote_buffer *json, mote_buffer *bin, mote_file_out *out, mote_error *error) {
  mote_buffer_add(bin, model->glb.bin.text, model->glb.bin.size);
  if (bin->failed) return mote_io_fail_memory(error);
  for (size_t k = 0; k < mote_model_parts(model); ++k) {
    mote_model_part part;
    MOTE_IO_TRY(mote_model_part_open(model, k, &part, error));
    patch_part(model, &part, pose, bin, edits);
  }
  mote_json_edits_apply(edits, model->glb.root, json);
  return mote_model_put_chunks(json, bin, out, error);
}

mote_result mote_model_write_glb(const mote_model *model, const mote_model_pose *pose, mote_file_out *out,
                                 mote_error *error) {
  mote_json_edits edits = mote_json_edits_make(&model->env);
  mote_buffer json = mote_buffer_make(&model->env), bin = mote_buffer_make(&model->env);
  mote_result result = put_file(model, pose, &edits, &json, &bin, out, error);
  mote_json_edits_free(&edits);
  mote_buffer_free(&json);
  mote_buffer_free(&bin);
  return result;
}
