// Changes of topology, part by part: a tracked mesh is held against a fresh surface of the particles. Parts
// of both that lie on each other make a group; where a group is one part each, of one Euler number, and
// nowhere far apart, the tracked part stays as it is. In all other groups the fresh parts take the place of
// the tracked ones and have the values of the nearest old vertices. docs/theory/tracking.md
#include <math.h>
#include <string.h>

#include "geom/tri_cross.h"
#include "geom/triple.h"
#include "mesh/surface_parts.h"
#include "mesh/surface_rows.h"
#include "track/tracked_mesh.h"
#include "track/tracked_surgery.h"

#define EVENT_FAR 0.4   // reaches: vertices farther from the other surface are the place of an event
#define NEW_MATTER 2.0  // reaches: a vertex farther from the old mesh has no values from there

// One of the two surfaces.
typedef struct side {
  const mote_mesh *mesh;
  uint32_t *part;  // of each vertex
  size_t parts;
  int64_t *euler;     // of each part
  uint32_t *nearest;  // vertices of the other side, MOTE_SURGERY_NEAR each
  double *distance2;
  bool *far;  // of each part: a vertex has none of the other side near
} side;

typedef struct matching {
  mote_tracked *t;
  mote_arena *arena;
  side old, fresh;
  uint32_t *group;  // of each part, the old ones first: the lowest of its group
  bool *changes;    // of each part: its group is not the same
  uint32_t *count;  // of each group: its parts, old and fresh
  double reach;
  mote_track_match *report;
} matching;

static mote_result measure_side(matching *m, side *s, const mote_mesh *mesh, mote_error *error) {
  size_t n = mesh->vertices;
  s->mesh = mesh;
  s->part = mote_arena_take(m->arena, n, sizeof *s->part);
  s->nearest = mote_arena_take(m->arena, MOTE_SURGERY_NEAR * n, sizeof *s->nearest);
  s->distance2 = mote_arena_take(m->arena, MOTE_SURGERY_NEAR * n, sizeof *s->distance2);
  if (s->part == NULL || s->nearest == NULL || s->distance2 == NULL)
    return mote_fail_memory(error, 13 * n * MOTE_SURGERY_NEAR);
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
  for (size_t i = 0; i < MOTE_SURGERY_NEAR * s->mesh->vertices; ++i)
    s->nearest[i] = UINT32_MAX, s->distance2[i] = HUGE_VAL;
  if (other->mesh->vertices == 0 || s->mesh->vertices == 0) return MOTE_OK;
  mote_kdtree *tree;
  MOTE_TRY(mote_kdtree_create(3, other->mesh->vertex, other->mesh->vertices, &m->t->env, &tree, error));
  mote_result result = mote_kdtree_nearest_at(tree, s->mesh->vertex, s->mesh->vertices, MOTE_SURGERY_NEAR,
                                              s->nearest, s->distance2, error);
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
    if (!(s->distance2[MOTE_SURGERY_NEAR * v] <= reach * reach)) {
      s->far[s->part[v]] = true;
      continue;
    }
    uint32_t a = root_of(m->group, (uint32_t)(own_first + s->part[v]));
    uint32_t b = root_of(m->group, (uint32_t)(other_first + other->part[s->nearest[MOTE_SURGERY_NEAR * v]]));
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
  uint32_t *count = m->count = mote_arena_take(m->arena, 2 * parts, sizeof *count);
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

// The old vertex whose values a fresh one has; UINT32_MAX: none is near, it is new matter.
static uint32_t old_vertex_near(const matching *m, size_t fresh) {
  double most = NEW_MATTER * m->reach;
  return m->fresh.distance2[MOTE_SURGERY_NEAR * fresh] <= most * most
             ? m->fresh.nearest[MOTE_SURGERY_NEAR * fresh]
             : UINT32_MAX;
}

// The row of the old surface whose values a vertex of the new mesh has, by its side.
static void set_sources(const matching *m, const uint32_t *old_number, const uint32_t *fresh_number,
                        uint32_t *source) {
  for (size_t v = 0; v < m->old.mesh->vertices; ++v) {
    if (old_number[v] != MOTE_ROW_GONE) source[old_number[v]] = (uint32_t)v;
  }
  for (size_t v = 0; v < m->fresh.mesh->vertices; ++v) {
    if (fresh_number[v] != MOTE_ROW_GONE) source[fresh_number[v]] = old_vertex_near(m, v);
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
  made->event = t->event, made->events = t->events, made->event_capacity = t->event_capacity;
  t->record = NULL, t->event = NULL;
  mote_result result = MOTE_OK;
  for (int f = 0; f < t->fields && !result; ++f)
    result =
        mote_tracked_set_field(made, t->field[f].name, t->field[f].unit, t->field[f].components, NULL, error);
  for (size_t v = 0; v < mesh->vertices && !result; ++v) {
    made->id[v] = v < kept ? id[source[v]] : made->ids++;
    for (int f = 0; f < t->fields; ++f) {
      size_t n = (size_t)t->field[f].components;
      for (size_t c = 0; c < n; ++c)
        made->field[f].value[n * v + c] =
            source[v] == UINT32_MAX ? (double)NAN : ((const double *)old->field[f].data)[n * source[v] + c];
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

// --- Surgery ----------------------------------------------------------------------------------------------

#define GROW_LEAST 2
#define GROW_MOST 6  // cells

static uint8_t *vertex_changes(const matching *m, const side *s, size_t first) {
  uint8_t *changes = mote_arena_take(m->arena, s->mesh->vertices, 1);
  for (size_t v = 0; changes != NULL && v < s->mesh->vertices; ++v)
    changes[v] = m->changes[first + s->part[v]];
  return changes;
}

// The mesh as it is while clusters are worked on.
typedef struct operation {
  mote_mesh mesh;
  uint32_t *source;  // of each vertex: in the old mesh, or behind its vertices in the fresh one
  uint8_t *changes;
  int64_t euler;  // twice, of all parts
  size_t parts;
} operation;

// *closed: the mesh is a closed manifold, and parts and Euler number are known.
static mote_result measure_operation(matching *m, operation *o, bool *closed, mote_error *error) {
  mote_half_edges edges;
  side s = {0};
  *closed = mote_half_edges_create(&o->mesh, m->t->env.threads, m->arena, &edges, NULL) == MOTE_OK;
  if (!*closed) return MOTE_OK;
  MOTE_TRY(measure_side(m, &s, &o->mesh, error));
  o->parts = s.parts, o->euler = 0;
  for (size_t p = 0; p < s.parts; ++p) o->euler += s.euler[p];
  return MOTE_OK;
}

// The state behind a surgery.
static mote_result next_operation(matching *m, const operation *from, const mote_surgery_result *r,
                                  operation *to, mote_error *error) {
  size_t n = r->mesh.vertices, before = from->mesh.vertices;
  *to = (operation){.mesh = r->mesh, .source = r->source};
  to->changes = mote_arena_take(m->arena, n, 1);
  if (to->changes == NULL) return mote_fail_memory(error, n);
  for (size_t v = 0; v < n; ++v) {
    bool kept = r->source[v] < before;
    to->changes[v] = kept ? from->changes[r->source[v]] : 1;
    to->source[v] =
        kept ? from->source[r->source[v]] : (uint32_t)(m->old.mesh->vertices + (r->source[v] - before));
  }
  return MOTE_OK;
}

// One cluster: the smallest region whose border fits. Where nothing changes but positions, it is left alone.
static mote_result operate_on(matching *m, mote_surgery *g, const mote_surgery_seeds *seeds, size_t cluster,
                              int least, operation *now, mote_error *error) {
  for (int grow = least; grow <= GROW_MOST; ++grow) {
    mote_surgery_result r;
    operation next;
    bool closed = false;
    mote_arena_mark mark = mote_arena_here(m->arena);
    g->old.mesh = &now->mesh, g->old.changes = now->changes;
    MOTE_TRY(mote_surgery_run(g, seeds, cluster, grow, &m->t->env, m->arena, &r, error));
    if (r.done) {
      MOTE_TRY(next_operation(m, now, &r, &next, error));
      MOTE_TRY(measure_operation(m, &next, &closed, error));
    }
    if (closed && (seeds->lost[cluster] || next.parts != now->parts || next.euler != now->euler)) {
      *now = next;
      return MOTE_OK;
    }
    mote_arena_release(m->arena, mark);
    if (closed) return MOTE_OK;
  }
  return MOTE_OK;
}

// The old mesh before any cluster is worked on.
static mote_result begin_operation(matching *m, const uint8_t *changes, operation *out, mote_error *error) {
  size_t n = m->old.mesh->vertices;
  bool closed;
  *out = (operation){.mesh = *m->old.mesh, .source = mote_arena_take(m->arena, n, sizeof(uint32_t))};
  out->changes = mote_arena_take(m->arena, n, 1);
  if (out->source == NULL || out->changes == NULL) return mote_fail_memory(error, 5 * n);
  for (uint32_t v = 0; v < n; ++v) out->source[v] = v, out->changes[v] = changes[v];
  return measure_operation(m, out, &closed, error);
}

// Whether there are the parts and handles of the fresh surface, and no crossings (where that is asked for).
static mote_result is_sound(const matching *m, const operation *o, bool uncrossed, bool *sound,
                            mote_error *error) {
  int64_t euler = 0;
  mote_crossings crossings = {0};
  for (size_t p = 0; p < m->fresh.parts; ++p) euler += m->fresh.euler[p];
  *sound = o->parts == m->fresh.parts && o->euler == euler;
  if (*sound && uncrossed) MOTE_TRY(mote_mesh_crossings(&o->mesh, &m->t->env, &crossings, error));
  *sound = *sound && crossings.count == 0;
  return MOTE_OK;
}

static mote_result finish_operation(matching *m, const mote_surface *old, operation *o, mote_error *error) {
  size_t n = m->old.mesh->vertices, kept = 0, left = 0;
  while (kept < o->mesh.vertices && o->source[kept] < n) ++kept;
  for (size_t f = 0; f < o->mesh.triangles; ++f) {
    const uint32_t *v = o->mesh.triangle + 3 * f;
    left += v[0] < kept && v[1] < kept && v[2] < kept;
  }
  m->report->removed = m->old.mesh->triangles - left, m->report->made = o->mesh.triangles - left;
  for (size_t v = kept; v < o->mesh.vertices; ++v) o->source[v] = old_vertex_near(m, o->source[v] - n);
  return replace_mesh(m, old, &o->mesh, kept, o->source, error);
}

// Cluster by cluster, with larger regions until all is sound. *done false: it never was.
static mote_result operate(matching *m, const mote_surface *old, double reach, bool *done,
                           mote_error *error) {
  const uint8_t *changes = vertex_changes(m, &m->old, 0);
  mote_surgery g = {.old = {m->old.mesh, changes, m->old.nearest, m->old.distance2},
                    .fresh = {m->fresh.mesh, vertex_changes(m, &m->fresh, m->old.parts), m->fresh.nearest,
                              m->fresh.distance2},
                    .reach = reach};
  mote_surgery_seeds seeds;
  *done = false;
  if (m->old.mesh->vertices == 0 || m->fresh.mesh->vertices == 0) return MOTE_OK;
  if (changes == NULL || g.fresh.changes == NULL) return mote_fail_memory(error, m->old.mesh->vertices);
  MOTE_TRY(mote_surgery_find(&g, m->arena, &seeds, error));
  for (int least = GROW_LEAST; least <= GROW_MOST && !*done; ++least) {
    operation now;
    mote_arena_mark mark = mote_arena_here(m->arena);
    MOTE_TRY(begin_operation(m, changes, &now, error));
    for (size_t c = 0; c < seeds.clusters; ++c) MOTE_TRY(operate_on(m, &g, &seeds, c, least, &now, error));
    MOTE_TRY(is_sound(m, &now, least < GROW_MOST, done, error));
    if (*done) MOTE_TRY(finish_operation(m, old, &now, error));
    mote_arena_release(m->arena, mark);
  }
  return MOTE_OK;
}

// --- Events -----------------------------------------------------------------------------------------------

const char *mote_track_kind_name(mote_track_kind kind) {
  static const char *const name[MOTE_TRACK_KINDS] = {"merged", "split", "appeared", "vanished", "reshaped"};
  return (unsigned)kind < MOTE_TRACK_KINDS ? name[kind] : "?";
}

const mote_track_event *mote_tracked_events(const mote_tracked *t, size_t *count) {
  *count = t->events;
  return t->event;
}

static mote_track_kind kind_of(const uint32_t count[2]) {
  if (count[0] == 0) return MOTE_TRACK_APPEARED;
  if (count[1] == 0) return MOTE_TRACK_VANISHED;
  return count[0] > count[1]   ? MOTE_TRACK_MERGED
         : count[0] < count[1] ? MOTE_TRACK_SPLIT
                               : MOTE_TRACK_RESHAPED;
}

// Adds the vertices of a group on one side that are farther than `most` from the other.
static size_t add_far_vertices(const matching *m, const side *s, size_t first, uint32_t group, double most,
                               double sum[3]) {
  size_t count = 0;
  for (size_t v = 0; v < s->mesh->vertices; ++v) {
    if (root_of(m->group, (uint32_t)(first + s->part[v])) != group) continue;
    if (!(s->distance2[MOTE_SURGERY_NEAR * v] >= most * most)) continue;
    step3(sum, 1.0, s->mesh->vertex + 3 * v, sum);
    ++count;
  }
  return count;
}

static mote_result write_events(matching *m, mote_error *error) {
  mote_tracked *t = m->t;
  t->events = 0;
  for (uint32_t p = 0; p < m->old.parts + m->fresh.parts; ++p) {
    if (!m->changes[p] || m->group[p] != p) continue;
    MOTE_TRY(mote_reserve(&t->env, &t->event, &t->event_capacity, t->events + 1, sizeof *t->event, error));
    mote_track_event *e = &t->event[t->events++];
    *e = (mote_track_event){.kind = kind_of(m->count + 2 * p)};
    size_t found = 0;
    for (double most = EVENT_FAR * m->reach; found == 0; most = 0.0) {
      found = add_far_vertices(m, &m->old, 0, p, most, e->place) +
              add_far_vertices(m, &m->fresh, m->old.parts, p, most, e->place);
    }
    for (int k = 0; k < 3; ++k) e->place[k] /= (double)found;
  }
  m->report->changed = t->events;
  return MOTE_OK;
}

static mote_result match(matching *m, const mote_surface *fresh, double reach, const mote_surface *old,
                         mote_error *error) {
  MOTE_TRY(measure_side(m, &m->old, &old->mesh, error));
  MOTE_TRY(measure_side(m, &m->fresh, &fresh->mesh, error));
  MOTE_TRY(find_nearest(m, &m->old, &m->fresh, error));
  MOTE_TRY(find_nearest(m, &m->fresh, &m->old, error));
  MOTE_TRY(find_groups(m, reach, error));
  MOTE_TRY(write_events(m, error));
  bool done = m->report->changed == 0;
  if (!done) MOTE_TRY(operate(m, old, reach, &done, error));
  m->report->rebuilt = done ? 0 : m->report->changed;
  if (done) return MOTE_OK;
  for (size_t e = 0; e < m->t->events; ++e) m->t->event[e].rebuilt = true;
  return take_fresh(m, old, error);
}

mote_result mote_tracked_match(mote_tracked *t, const mote_surface *fresh, double reach,
                               mote_track_match *report, mote_error *error) {
  if (t == NULL || fresh == NULL || !(reach > 0.0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a mesh, a surface and a reach above 0 are needed");
  MOTE_TRY(mote_surface_check(fresh, error));
  if (t->fields == MOTE_SURFACE_FIELDS) return mote_fail(error, MOTE_ERROR_ARGUMENT, "at most 15 fields");
  mote_track_match own = {0};
  mote_arena arena = mote_arena_make(&t->env);
  matching m = {.t = t, .arena = &arena, .report = &own, .reach = reach};
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
