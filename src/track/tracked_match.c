// Changes of topology, part by part: a tracked mesh is held against a fresh surface of the particles. Parts
// of both that lie on each other make a group; where a group is one part each, of one Euler number, and
// nowhere far apart, the tracked part stays as it is. In all other groups the fresh parts take the place of
// the tracked ones and have the values of the nearest old vertices. docs/theory/tracking.md
#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "mesh/surface_parts.h"
#include "mesh/surface_rows.h"
#include "track/tracked_mesh.h"

// One of the two surfaces.
typedef struct side {
  const mote_mesh *mesh;
  uint32_t *part;  // of each vertex
  size_t parts;
  int64_t *euler;     // of each part
  uint32_t *nearest;  // vertex of the other side
  double *distance2;
  bool *far;  // of each part: a vertex has none of the other side near
} side;

typedef struct matching {
  mote_tracked *t;
  mote_arena *arena;
  side old, fresh;
  uint32_t *group;  // of each part, the old ones first: the lowest of its group
  bool *changes;    // of each part: its group is not the same
  mote_track_match *report;
} matching;

static mote_result measure_side(matching *m, side *s, const mote_mesh *mesh, mote_error *error) {
  size_t n = mesh->vertices;
  s->mesh = mesh;
  s->part = mote_arena_take(m->arena, n, sizeof *s->part);
  s->nearest = mote_arena_take(m->arena, n, sizeof *s->nearest);
  s->distance2 = mote_arena_take(m->arena, n, sizeof *s->distance2);
  if (s->part == NULL || s->nearest == NULL || s->distance2 == NULL)
    return mote_fail_memory(error, 4 * n * 8);
  s->parts = n > 0 ? mote_surface_parts(mesh, s->part) : 0;
  s->euler = mote_arena_take(m->arena, s->parts, sizeof *s->euler);
  s->far = mote_arena_take(m->arena, s->parts, sizeof *s->far);
  if (s->euler == NULL || s->far == NULL) return mote_fail_memory(error, s->parts * sizeof *s->euler);
  for (size_t p = 0; p < s->parts; ++p) s->euler[p] = 0, s->far[p] = false;
  for (size_t v = 0; v < n; ++v) s->euler[s->part[v]] += 2;
  for (size_t f = 0; f < mesh->triangles; ++f)
    s->euler[s->part[mesh->triangle[3 * f]]] -= 1;  // twice V - E + F
  return MOTE_OK;
}

static mote_result find_nearest(matching *m, side *s, const side *other, mote_error *error) {
  for (size_t v = 0; v < s->mesh->vertices; ++v) s->nearest[v] = UINT32_MAX, s->distance2[v] = HUGE_VAL;
  if (other->mesh->vertices == 0 || s->mesh->vertices == 0) return MOTE_OK;
  mote_kdtree *tree;
  MOTE_TRY(mote_kdtree_create(3, other->mesh->vertex, other->mesh->vertices, &m->t->env, &tree, error));
  mote_result result =
      mote_kdtree_nearest_at(tree, s->mesh->vertex, s->mesh->vertices, 1, s->nearest, s->distance2, error);
  mote_kdtree_destroy(tree);
  return result;
}

static uint32_t root_of(const uint32_t *group, uint32_t p) {
  while (group[p] != p) p = group[p];
  return p;
}

// Joins the parts of vertices within reach of each other.
static void join_near(matching *m, side *s, const side *other, size_t own_first, size_t other_first,
                      double reach) {
  for (size_t v = 0; v < s->mesh->vertices; ++v) {
    if (!(s->distance2[v] <= reach * reach)) {
      s->far[s->part[v]] = true;
      continue;
    }
    uint32_t a = root_of(m->group, (uint32_t)(own_first + s->part[v]));
    uint32_t b = root_of(m->group, (uint32_t)(other_first + other->part[s->nearest[v]]));
    if (a < b)
      m->group[b] = a;
    else
      m->group[a] = b;
  }
}

static mote_result find_groups(matching *m, double reach, mote_error *error) {
  size_t parts = m->old.parts + m->fresh.parts;
  m->group = mote_arena_take(m->arena, parts, sizeof *m->group);
  m->changes = mote_arena_take(m->arena, parts, sizeof *m->changes);
  uint32_t *count = mote_arena_take(m->arena, 2 * parts, sizeof *count);
  int64_t *euler = mote_arena_take(m->arena, parts, sizeof *euler);
  if (m->group == NULL || m->changes == NULL || count == NULL || euler == NULL)
    return mote_fail_memory(error, 4 * parts * sizeof *euler);
  for (uint32_t p = 0; p < parts; ++p)
    m->group[p] = p, m->changes[p] = false, count[2 * p] = count[2 * p + 1] = 0, euler[p] = 0;
  join_near(m, &m->old, &m->fresh, 0, m->old.parts, reach);
  join_near(m, &m->fresh, &m->old, m->old.parts, 0, reach);
  for (uint32_t p = 0; p < parts; ++p) {
    uint32_t g = root_of(m->group, p);
    bool fresh = p >= m->old.parts;
    const side *s = fresh ? &m->fresh : &m->old;
    size_t own = fresh ? p - m->old.parts : p;
    ++count[2 * g + fresh];
    euler[g] += fresh ? s->euler[own] : -s->euler[own];
    m->changes[g] |= s->far[own];
  }
  for (uint32_t p = 0; p < parts; ++p) {
    uint32_t g = root_of(m->group, p);
    if (p == g) m->changes[g] |= count[2 * g] != 1 || count[2 * g + 1] != 1 || euler[g] != 0;
    m->changes[p] = m->changes[g];
  }
  return MOTE_OK;
}

// --- The new mesh -----------------------------------------------------------------------------------------

static bool stays(const matching *m, bool fresh, size_t vertex) {
  return fresh ? m->changes[m->old.parts + m->fresh.part[vertex]] : !m->changes[m->old.part[vertex]];
}

// Vertices and triangles of one side that stay, behind those that are there; number: of its vertices.
static void append_side(const matching *m, bool fresh, uint32_t *number, mote_mesh *out) {
  const mote_mesh *mesh = fresh ? m->fresh.mesh : m->old.mesh;
  for (size_t v = 0; v < mesh->vertices; ++v) {
    number[v] = MOTE_ROW_GONE;
    if (!stays(m, fresh, v)) continue;
    copy3(mesh->vertex + 3 * v, out->vertex + 3 * out->vertices);
    number[v] = (uint32_t)out->vertices++;
  }
  for (size_t f = 0; f < mesh->triangles; ++f) {
    const uint32_t *v = mesh->triangle + 3 * f;
    if (number[v[0]] == MOTE_ROW_GONE) continue;
    for (int k = 0; k < 3; ++k) out->triangle[3 * out->triangles + (size_t)k] = number[v[k]];
    ++out->triangles;
  }
}

// The row of the old surface whose values a vertex of the new mesh has, by its side.
static void set_sources(const matching *m, const uint32_t *old_number, const uint32_t *fresh_number,
                        uint32_t *source) {
  for (size_t v = 0; v < m->old.mesh->vertices; ++v) {
    if (old_number[v] != MOTE_ROW_GONE) source[old_number[v]] = (uint32_t)v;
  }
  for (size_t v = 0; v < m->fresh.mesh->vertices; ++v) {
    if (fresh_number[v] != MOTE_ROW_GONE) source[fresh_number[v]] = m->fresh.nearest[v];
  }
}

// A mesh in the place of the tracked one; values and ids from the old surface.
static mote_result replace_mesh(matching *m, const mote_surface *old, const mote_mesh *mesh, size_t kept,
                                const uint32_t *source, mote_error *error) {
  mote_tracked *t = m->t, *made;
  MOTE_TRY(mote_tracked_create(&t->def, &(mote_surface){.mesh = *mesh}, &t->env, &made, error));
  const uint64_t *id = old->field[old->fields - 1].data;
  made->ids = t->ids;
  made->record = t->record, made->records = t->records, made->record_capacity = t->record_capacity;
  t->record = NULL;
  mote_result result = MOTE_OK;
  for (int f = 0; f < t->fields && !result; ++f)
    result =
        mote_tracked_set_field(made, t->field[f].name, t->field[f].unit, t->field[f].components, NULL, error);
  for (size_t v = 0; v < mesh->vertices && !result; ++v) {
    made->id[v] = v < kept ? id[source[v]] : made->ids++;
    for (int f = 0; f < t->fields && source[v] != UINT32_MAX; ++f) {
      size_t n = (size_t)t->field[f].components;
      memcpy(made->field[f].value + n * v, (const double *)old->field[f].data + n * source[v],
             n * sizeof(double));
    }
    if (v < kept || !t->def.record || source[v] == UINT32_MAX) continue;
    result = mote_reserve(&made->env, &made->record, &made->record_capacity, made->records + 1,
                          sizeof *made->record, error);
    uint64_t from = id[source[v]];
    if (!result)
      made->record[made->records++] = (mote_transfer){made->id[v], {from, from, from}, {1.0, 0.0, 0.0}};
  }
  mote_tracked swap = *t;
  *t = *made, *made = swap;
  mote_tracked_destroy(made);
  return result;
}

static mote_result take_fresh(matching *m, const mote_surface *old, mote_error *error) {
  const mote_mesh *a = m->old.mesh, *b = m->fresh.mesh;
  size_t vertices = a->vertices + b->vertices, triangles = a->triangles + b->triangles;
  mote_mesh mesh = {.vertex = mote_arena_take(m->arena, 3 * vertices, sizeof(double)),
                    .triangle = mote_arena_take(m->arena, 3 * triangles, sizeof(uint32_t))};
  uint32_t *number = mote_arena_take(m->arena, vertices, sizeof *number);
  uint32_t *source = mote_arena_take(m->arena, vertices, sizeof *source);
  if (mesh.vertex == NULL || mesh.triangle == NULL || number == NULL || source == NULL)
    return mote_fail_memory(error, (3 * vertices + 2 * triangles) * sizeof(double));
  append_side(m, false, number, &mesh);
  size_t kept = mesh.vertices, kept_triangles = mesh.triangles;
  append_side(m, true, number + a->vertices, &mesh);
  set_sources(m, number, number + a->vertices, source);
  m->report->removed = a->triangles - kept_triangles, m->report->made = mesh.triangles - kept_triangles;
  return replace_mesh(m, old, &mesh, kept, source, error);
}

static mote_result match(matching *m, const mote_surface *fresh, double reach, const mote_surface *old,
                         mote_error *error) {
  MOTE_TRY(measure_side(m, &m->old, &old->mesh, error));
  MOTE_TRY(measure_side(m, &m->fresh, &fresh->mesh, error));
  MOTE_TRY(find_nearest(m, &m->old, &m->fresh, error));
  MOTE_TRY(find_nearest(m, &m->fresh, &m->old, error));
  MOTE_TRY(find_groups(m, reach, error));
  for (size_t p = 0; p < m->old.parts + m->fresh.parts; ++p)
    m->report->changed += m->changes[p] && root_of(m->group, (uint32_t)p) == p;
  return m->report->changed > 0 ? take_fresh(m, old, error) : MOTE_OK;
}

mote_result mote_tracked_match(mote_tracked *t, const mote_surface *fresh, double reach,
                               mote_track_match *report, mote_error *error) {
  if (t == NULL || fresh == NULL || !(reach > 0.0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a mesh, a surface and a reach above 0 are needed");
  MOTE_TRY(mote_surface_check(fresh, error));
  if (t->fields == MOTE_SURFACE_FIELDS) return mote_fail(error, MOTE_ERROR_ARGUMENT, "at most 15 fields");
  mote_track_match own = {0};
  mote_arena arena = mote_arena_make(&t->env);
  matching m = {.t = t, .arena = &arena, .report = &own};
  mote_surface old;
  mote_result result = mote_tracked_surface(t, &old, error);
  if (!result) {
    result = match(&m, fresh, reach, &old, error);
    mote_surface_free(&old, &arena.env);
  }
  mote_arena_destroy(&arena);
  if (report != NULL) *report = own;
  return result;
}
