// Rows of a tracked mesh: see tracked_mesh.h.
#include "track/tracked_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geom/triple.h"
#include "mesh/mesh_normals.h"
#include "mesh/surface_rows.h"

mote_track_def mote_track_def_default(void) {
  return (mote_track_def){.edge = (double)NAN,
                          .shortest = 0.5,
                          .longest = 1.5,
                          .bend = 0.3,
                          .least_angle = 15.0 * MOTE_PI / 180.0};
}

static mote_result check_def(const mote_track_def *def, mote_error *error) {
  if (!(def->edge > 0.0 && isfinite(def->edge)))
    return mote_fail_key(error, "edge", "a length above 0 is needed");
  if (!(def->shortest > 0.0 && 2.0 * def->shortest < def->longest && def->longest < 10.0))
    return mote_fail_key(error, "shortest", "must be above 0 and less than half of `longest`, that below 10");
  if (!(def->bend >= 0.0 && def->bend <= 1.5)) return mote_fail_key(error, "bend", "0 to 1.5 rad");
  if (!(def->least_angle >= 0.0 && def->least_angle <= 0.5))
    return mote_fail_key(error, "least_angle", "0 to 0.5 rad");
  return MOTE_OK;
}

// --- Arrays -----------------------------------------------------------------------------------------------

typedef struct array {
  void **data;
  size_t size;  // of a row
  bool of_vertices;
} array;

static array array_of(mote_tracked *t, int k) {
  switch (k) {
    case MOTE_TRACKED_POSITION: return (array){(void **)&t->position, 3 * sizeof(double), true};
    case MOTE_TRACKED_ID: return (array){(void **)&t->id, sizeof(uint64_t), true};
    case MOTE_TRACKED_FIRST: return (array){(void **)&t->edges.first, sizeof(uint32_t), true};
    case MOTE_TRACKED_FREE_VERTEX: return (array){(void **)&t->free_vertex, sizeof(uint32_t), true};
    case MOTE_TRACKED_ORIGIN: return (array){(void **)&t->edges.origin, 3 * sizeof(uint32_t), false};
    case MOTE_TRACKED_TWIN: return (array){(void **)&t->edges.twin, 3 * sizeof(uint32_t), false};
    case MOTE_TRACKED_FREE_TRIANGLE: return (array){(void **)&t->free_triangle, sizeof(uint32_t), false};
    default: break;
  }
  mote_tracked_field *f = &t->field[k - MOTE_TRACKED_ARRAYS];
  return (array){(void **)&f->value, (size_t)f->components * sizeof(double), true};
}

static mote_result reserve_rows(mote_tracked *t, size_t vertices, size_t triangles, mote_error *error) {
  for (int k = 0; k < MOTE_TRACKED_ARRAYS + t->fields; ++k) {
    array a = array_of(t, k);
    MOTE_TRY(
        mote_reserve(&t->env, a.data, &t->capacity[k], a.of_vertices ? vertices : triangles, a.size, error));
  }
  return MOTE_OK;
}

mote_result mote_tracked_reserve(mote_tracked *t, size_t vertices, mote_error *error) {
  size_t v = t->edges.vertices + (vertices > t->free_vertices ? vertices - t->free_vertices : 0);
  size_t f = t->edges.triangles + (2 * vertices > t->free_triangles ? 2 * vertices - t->free_triangles : 0);
  if (f > UINT32_MAX / 3 - 1) return mote_fail(error, MOTE_ERROR_ARGUMENT, "more than 2^32 edges");
  return reserve_rows(t, v, f, error);
}

void mote_tracked_set_ids(mote_tracked *t, const uint64_t *id, uint64_t ids) {
  MOTE_ASSERT(t->free_vertices == 0);
  if (t->edges.vertices > 0) memcpy(t->id, id, t->edges.vertices * sizeof *t->id);
  t->ids = ids;
}

uint32_t mote_tracked_new_vertex(mote_tracked *t) {
  uint32_t v;
  if (t->free_vertices > 0) {
    v = t->free_vertex[--t->free_vertices];
  } else {
    MOTE_ASSERT(t->edges.vertices < t->capacity[MOTE_TRACKED_POSITION]);
    v = (uint32_t)t->edges.vertices++;
  }
  t->edges.first[v] = MOTE_NO_EDGE;
  t->id[v] = t->ids++;
  return v;
}

uint32_t mote_tracked_new_triangle(mote_tracked *t) {
  if (t->free_triangles > 0) return t->free_triangle[--t->free_triangles];
  MOTE_ASSERT(t->edges.triangles < t->capacity[MOTE_TRACKED_ORIGIN]);
  return (uint32_t)t->edges.triangles++;
}

void mote_tracked_free_vertex(mote_tracked *t, uint32_t v) {
  MOTE_ASSERT(v < t->edges.vertices && t->edges.first[v] == MOTE_NO_EDGE);
  t->free_vertex[t->free_vertices++] = v;
}

void mote_tracked_free_triangle(mote_tracked *t, uint32_t triangle) {
  MOTE_ASSERT(mote_triangle_is_gone(&t->edges, triangle));
  t->free_triangle[t->free_triangles++] = triangle;
}

// --- Values -----------------------------------------------------------------------------------------------

bool mote_tracked_mix(mote_tracked *t, uint32_t to, const uint32_t from[3], const double weight[3]) {
  for (int f = 0; f < t->fields; ++f) {
    double *value = t->field[f].value;
    size_t n = (size_t)t->field[f].components;
    for (size_t c = 0; c < n; ++c) {
      double sum = 0.0;
      // A value that is equal at all of them is kept bit for bit.
      double first = value[n * from[0] + c];
      for (int k = 0; k < 3; ++k) sum += weight[k] * (value[n * from[k] + c] - first);
      value[n * to + c] = first + sum;
    }
  }
  if (!t->def.record) return true;
  if (mote_reserve(&t->env, &t->record, &t->record_capacity, t->records + 1, sizeof *t->record, NULL))
    return false;
  mote_transfer *r = &t->record[t->records++];
  r->to = t->id[to];
  for (int k = 0; k < 3; ++k) r->from[k] = t->id[from[k]], r->weight[k] = weight[k];
  return true;
}

double *mote_tracked_field_values(mote_tracked *t, const char *name) {
  for (int f = 0; f < t->fields; ++f) {
    if (strcmp(t->field[f].name, name) == 0) return t->field[f].value;
  }
  return NULL;
}

// The field of that name, added if it does not exist; null: too many fields, or out of memory.
static mote_tracked_field *find_field(mote_tracked *t, const char *name, const char *unit, int components) {
  for (int f = 0; f < t->fields; ++f) {
    if (strcmp(t->field[f].name, name) == 0)
      return t->field[f].components == components ? &t->field[f] : NULL;
  }
  if (t->fields == MOTE_SURFACE_FIELDS) return NULL;
  mote_tracked_field *field = &t->field[t->fields];
  size_t *capacity = &t->capacity[MOTE_TRACKED_ARRAYS + t->fields], rows = t->capacity[MOTE_TRACKED_POSITION];
  *field = (mote_tracked_field){.components = components};
  *capacity = 0;
  snprintf(field->name, sizeof field->name, "%s", name);
  snprintf(field->unit, sizeof field->unit, "%s", unit != NULL ? unit : "");
  if (mote_reserve(&t->env, &field->value, capacity, rows, (size_t)components * sizeof(double), NULL))
    return NULL;
  ++t->fields;
  return field;
}

mote_result mote_tracked_set_field(mote_tracked *t, const char *name, const char *unit, int components,
                                   const double *value, mote_error *error) {
  if (t == NULL || name == NULL || strlen(name) >= sizeof t->field[0].name || components < 1 ||
      components > 16)
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "a field needs a name of at most 31 characters and 1 to 16 components");
  mote_tracked_field *field = find_field(t, name, unit, components);
  if (field == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "field \"%s\": too many fields, or another number of components", name);
  size_t n = (size_t)components, at = 0;
  for (size_t v = 0; v < t->edges.vertices; ++v) {
    bool live = t->edges.first[v] != MOTE_NO_EDGE;
    for (size_t c = 0; c < n; ++c) field->value[n * v + c] = live && value != NULL ? value[n * at + c] : 0.0;
    at += live;
  }
  return MOTE_OK;
}

const mote_transfer *mote_tracked_record(const mote_tracked *t, size_t *count) {
  *count = t->records;
  return t->record;
}

void mote_tracked_forget(mote_tracked *t) {
  t->records = 0;
}

uint64_t mote_tracked_ids(const mote_tracked *t) {
  return t->ids;
}

void mote_transfer_replay(const mote_transfer *record, size_t count, int components, double *value) {
  size_t n = (size_t)components;
  for (size_t i = 0; i < count; ++i) {
    const mote_transfer *r = &record[i];
    for (size_t c = 0; c < n; ++c) {
      double first = value[n * r->from[0] + c], sum = 0.0;
      for (int k = 0; k < 3; ++k) sum += r->weight[k] * (value[n * r->from[k] + c] - first);
      value[n * r->to + c] = first + sum;
    }
  }
}

// --- Making -----------------------------------------------------------------------------------------------

static mote_result copy_fields(mote_tracked *t, const mote_surface *surface, mote_error *error) {
  for (int f = 0; f < surface->fields; ++f) {
    const mote_field_view *from = &surface->field[f];
    bool single = from->type == MOTE_TYPE_F32;
    if (!single && from->type != MOTE_TYPE_F64) continue;
    mote_tracked_field *field = &t->field[t->fields];
    *field = (mote_tracked_field){.components = from->components};
    snprintf(field->name, sizeof field->name, "%s", from->name != NULL ? from->name : "");
    snprintf(field->unit, sizeof field->unit, "%s", from->unit != NULL ? from->unit : "");
    size_t n = surface->mesh.vertices, c = (size_t)from->components;
    size_t *capacity = &t->capacity[MOTE_TRACKED_ARRAYS + t->fields++];
    MOTE_TRY(mote_reserve(&t->env, &field->value, capacity, n, c * sizeof(double), error));
    for (size_t i = 0; i < n * c; ++i)
      field->value[i] = single ? (double)((const float *)from->data)[i] : ((const double *)from->data)[i];
  }
  return MOTE_OK;
}

static mote_result fill(mote_tracked *t, const mote_surface *surface, mote_error *error) {
  const mote_mesh *mesh = &surface->mesh;
  mote_half_edges made;
  MOTE_TRY(copy_fields(t, surface, error));
  MOTE_TRY(reserve_rows(t, mesh->vertices, mesh->triangles, error));
  MOTE_TRY(mote_half_edges_create(mesh, t->env.threads, &t->scratch, &made, error));
  t->edges.vertices = made.vertices, t->edges.triangles = made.triangles;
  t->ids = made.vertices;
  if (made.vertices == 0) return MOTE_OK;
  memcpy(t->position, mesh->vertex, 3 * made.vertices * sizeof(double));
  memcpy(t->edges.first, made.first, made.vertices * sizeof(uint32_t));
  memcpy(t->edges.origin, made.origin, 3 * made.triangles * sizeof(uint32_t));
  memcpy(t->edges.twin, made.twin, 3 * made.triangles * sizeof(uint32_t));
  for (uint32_t v = 0; v < made.vertices; ++v) {
    t->id[v] = v;
    if (made.first[v] == MOTE_NO_EDGE) mote_tracked_free_vertex(t, v);
  }
  return MOTE_OK;
}

mote_result mote_tracked_create(const mote_track_def *def, const mote_surface *surface, const mote_env *env,
                                mote_tracked **out, mote_error *error) {
  if (def == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "def and out must not be NULL");
  MOTE_TRY(check_def(def, error));
  MOTE_TRY(mote_surface_check(surface, error));
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_tracked, t, &resolved, 1, error);
  *t = (mote_tracked){.env = resolved, .def = *def, .scratch = mote_arena_make(&resolved)};
  mote_result result = fill(t, surface, error);
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  if (result) {
    mote_tracked_destroy(t);
    return result;
  }
  *out = t;
  return MOTE_OK;
}

void mote_tracked_destroy(mote_tracked *t) {
  if (t == NULL) return;
  mote_env env = t->env;
  for (int k = 0; k < MOTE_TRACKED_ARRAYS + t->fields; ++k) {
    array a = array_of(t, k);
    if (*a.data != NULL) mote_free(&env, *a.data, t->capacity[k], a.size);
  }
  if (t->record != NULL) mote_free(&env, t->record, t->record_capacity, sizeof *t->record);
  if (t->event != NULL) mote_free(&env, t->event, t->event_capacity, sizeof *t->event);
  mote_arena_destroy(&t->scratch);
  mote_free(&env, t, 1, sizeof *t);
}

// --- Reading ----------------------------------------------------------------------------------------------

size_t mote_tracked_vertices(const mote_tracked *t) {
  return t->edges.vertices - t->free_vertices;
}

size_t mote_tracked_triangles(const mote_tracked *t) {
  return t->edges.triangles - t->free_triangles;
}

double mote_tracked_volume(const mote_tracked *t) {
  double sum = 0.0, c[3];
  if (t->edges.vertices == 0) return 0.0;
  const double *o = t->position;
  for (size_t f = 0; f < t->edges.triangles; ++f) {
    const uint32_t *v = t->edges.origin + 3 * f;
    if (v[0] == MOTE_TRIANGLE_GONE) continue;
    double p[3][3];
    for (int k = 0; k < 3; ++k) sub3(mote_tracked_at(t, v[k]), o, p[k]);
    cross3(p[1], p[2], c);
    sum += dot3(p[0], c);
  }
  return sum / 6.0;
}

double mote_tracked_area(const mote_tracked *t) {
  double sum = 0.0;
  for (size_t f = 0; f < t->edges.triangles; ++f) {
    const uint32_t *v = t->edges.origin + 3 * f;
    if (v[0] == MOTE_TRIANGLE_GONE) continue;
    double p[3], q[3], c[3];
    sub3(mote_tracked_at(t, v[1]), mote_tracked_at(t, v[0]), p);
    sub3(mote_tracked_at(t, v[2]), mote_tracked_at(t, v[0]), q);
    cross3(p, q, c);
    sum += length3(c);
  }
  return 0.5 * sum;
}

void mote_tracked_normal(const mote_tracked *t, uint32_t v, double normal[3]) {
  mote_mesh_vertex_normal(&t->edges, t->position, v, normal);
  double length = length3(normal);
  for (int k = 0; k < 3; ++k) normal[k] = length > 0.0 ? normal[k] / length : 0.0;
}

// A surface of all rows that borrows the fields; mote_surface_select copies the rows in use.
static mote_result select_live(const mote_tracked *t, mote_arena *arena, mote_surface *out,
                               mote_error *error) {
  const mote_half_edges *e = &t->edges;
  mote_surface all = {.mesh = {.vertex = t->position, .vertices = e->vertices}};
  MOTE_TAKE_NEW(uint32_t, number, arena, e->vertices, error);
  MOTE_TAKE_NEW(uint32_t, triangle, arena, 3 * e->triangles, error);
  MOTE_TAKE_NEW(float, normal, arena, 3 * e->vertices, error);
  size_t vertices = 0, triangles = 0;
  for (size_t v = 0; v < e->vertices; ++v)
    number[v] = e->first[v] == MOTE_NO_EDGE ? MOTE_ROW_GONE : (uint32_t)vertices++;
  for (uint32_t f = 0; f < e->triangles; ++f) {
    if (!mote_triangle_is_gone(e, f))
      memcpy(triangle + 3 * triangles++, e->origin + 3 * (size_t)f, 3 * sizeof *triangle);
  }
  mote_mesh_normals(e, t->position, t->env.threads, normal);
  all.normal = normal;
  for (int f = 0; f < t->fields; ++f) {
    const mote_tracked_field *field = &t->field[f];
    all.field[all.fields++] = (mote_field_view){.name = field->name,
                                                .unit = field->unit,
                                                .type = MOTE_TYPE_F64,
                                                .components = field->components,
                                                .count = e->vertices,
                                                .data = field->value};
  }
  if (all.fields < MOTE_SURFACE_FIELDS)
    all.field[all.fields++] = (mote_field_view){.name = "id",
                                                .unit = "",
                                                .type = MOTE_TYPE_U64,
                                                .components = 1,
                                                .count = e->vertices,
                                                .data = t->id};
  return mote_surface_select(&all, number, vertices, triangle, triangles, &t->env, out, error);
}

mote_result mote_tracked_surface(const mote_tracked *t, mote_surface *out, mote_error *error) {
  if (t == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "tracked and out must not be NULL");
  mote_arena arena = mote_arena_make(&t->env);
  mote_result result = select_live(t, &arena, out, error);
  mote_arena_destroy(&arena);
  return result;
}
