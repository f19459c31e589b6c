// Changes of topology: the tracked mesh is compared with a newly extracted ("fresh") surface of the
// particles. Parts of both meshes that coincide form a group. In a group of one part each, with the same
// Euler number and small distance everywhere, the tracked part is kept. In all other groups the fresh parts
// replace the tracked ones and get the values of the nearest old vertices. docs/theory/tracking.md
#include <math.h>
#include <string.h>

#include "base/sets.h"
#include "geom/triple.h"
#include "mesh/surface_parts.h"
#include "mesh/surface_rows.h"
#include "track/tracked_cross.h"
#include "track/tracked_mesh.h"
#include "track/tracked_surgery.h"
#include "track/tuning.inc"

// One of the two surfaces.
typedef struct side {
  const mote_mesh *mesh;
  uint32_t *part;  // of each vertex
  size_t parts;
  int64_t *euler;     // of each part
  uint32_t *nearest;  // vertices of the other side, `near` of each
  double *distance2;
  size_t near;       // 1, or MOTE_SURGERY_NEAR for surgery
  bool *far;         // of each part: a vertex has none of the other side near, or crosses
  uint8_t *crossed;  // of each vertex of the tracked mesh: its triangles cross others
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
  size_t left;  // clusters for which no region fitted
  bool whole;   // only what crosses is looked at, and replaced as a whole
} matching;

static mote_result measure_side(matching *m, side *s, const mote_mesh *mesh, mote_error *error) {
  size_t n = mesh->vertices;
  s->mesh = mesh;
  MOTE_TAKE(s->part, m->arena, n, error);
  MOTE_TAKE(s->nearest, m->arena, MOTE_SURGERY_NEAR * n, error);
  MOTE_TAKE(s->distance2, m->arena, MOTE_SURGERY_NEAR * n, error);
  s->parts = n > 0 ? mote_surface_parts(mesh, s->part) : 0;
  MOTE_TAKE(s->euler, m->arena, s->parts, error);
  MOTE_TAKE(s->far, m->arena, s->parts, error);
  for (size_t p = 0; p < s->parts; ++p) s->euler[p] = 0, s->far[p] = false;
  for (size_t v = 0; v < n; ++v) s->euler[s->part[v]] += 2;
  for (size_t f = 0; f < mesh->triangles; ++f)
    s->euler[s->part[mesh->triangle[3 * f]]] -= 1;  // twice V - E + F
  return MOTE_OK;
}

// The `near` vertices of the other side nearest to each vertex.
static mote_result find_nearest(matching *m, side *s, const side *other, size_t near, mote_error *error) {
  s->near = near;
  for (size_t i = 0; i < near * s->mesh->vertices; ++i)
    s->nearest[i] = UINT32_MAX, s->distance2[i] = HUGE_VAL;
  if (other->mesh->vertices == 0 || s->mesh->vertices == 0) return MOTE_OK;
  mote_kdtree *tree;
  MOTE_TRY(mote_kdtree_create(3, other->mesh->vertex, other->mesh->vertices, &m->t->env, &tree, error));
  mote_result result =
      mote_kdtree_nearest_at(tree, s->mesh->vertex, s->mesh->vertices, near, s->nearest, s->distance2, error);
  mote_kdtree_destroy(tree);
  return result;
}

// Joins the parts of vertices within reach of each other.
static void join_near(matching *m, side *s, const side *other, size_t own_first, size_t other_first,
                      double reach) {
  for (size_t v = 0; v < s->mesh->vertices; ++v) {
    double distance2 = s->distance2[s->near * v];
    if (!(distance2 <= MATCH_DISTANCE_MAX * reach * MATCH_DISTANCE_MAX * reach) ||
        (s->crossed != NULL && s->crossed[v]))
      s->far[s->part[v]] = true;
    if (!(distance2 <= reach * reach)) continue;
    mote_set_join(m->group, (uint32_t)(own_first + s->part[v]),
                  (uint32_t)(other_first + other->part[s->nearest[s->near * v]]));
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
    uint32_t g = mote_set_root(m->group, p);
    bool fresh = p >= m->old.parts;
    const side *s = fresh ? &m->fresh : &m->old;
    size_t own = fresh ? p - m->old.parts : p;
    ++count[2 * g + fresh];
    euler[g] += fresh ? s->euler[own] : -s->euler[own];
    m->changes[g] |= s->far[own];
  }
  for (uint32_t p = 0; p < parts; ++p) {
    uint32_t g = mote_set_root(m->group, p);
    if (p == g) m->changes[g] |= count[2 * g] != 1 || count[2 * g + 1] != 1 || euler[g] != 0;
    m->changes[p] = m->changes[g];
  }
  return MOTE_OK;
}

// --- The new mesh -----------------------------------------------------------------------------------------

static bool stays(const matching *m, bool fresh, size_t vertex) {
  return fresh ? m->changes[m->old.parts + m->fresh.part[vertex]] : !m->changes[m->old.part[vertex]];
}

// Appends the vertices and triangles of one side that stay; number: new index of each of its vertices.
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

// The old vertex from which a fresh one takes its values; UINT32_MAX: none is near, it is new matter.
static uint32_t old_vertex_near(const matching *m, size_t fresh) {
  double most = NEW_MATTER * m->reach;
  size_t at = m->fresh.near * fresh;
  return m->fresh.distance2[at] <= most * most ? m->fresh.nearest[at] : UINT32_MAX;
}

// The row of the old surface from which a vertex of the new mesh takes its values.
static void set_sources(const matching *m, const uint32_t *old_number, const uint32_t *fresh_number,
                        uint32_t *source) {
  for (size_t v = 0; v < m->old.mesh->vertices; ++v) {
    if (old_number[v] != MOTE_ROW_GONE) source[old_number[v]] = (uint32_t)v;
  }
  for (size_t v = 0; v < m->fresh.mesh->vertices; ++v) {
    if (fresh_number[v] != MOTE_ROW_GONE) source[fresh_number[v]] = old_vertex_near(m, v);
  }
}

// The offset of the new surface from the old one is subtracted from the wave heights, so that the surface
// with its waves does not jump; at most one edge length, and 0 where the normals disagree.
static void keep_waves(const mote_surface *old, size_t kept, const uint32_t *source, mote_tracked *made) {
  double *height = mote_tracked_field_values(made, "wave_height"), most = made->def.edge;
  for (uint32_t v = (uint32_t)kept; v < made->edges.vertices && height != NULL; ++v) {
    if (source[v] == UINT32_MAX) continue;
    const float *m = old->normal + 3 * (size_t)source[v];
    double n[3], shift[3];
    mote_tracked_normal(made, v, n);
    sub3(old->mesh.vertex + 3 * (size_t)source[v], mote_tracked_at(made, v), shift);
    double along = n[0] * (double)m[0] + n[1] * (double)m[1] + n[2] * (double)m[2];
    height[v] = along < WAVE_NORMAL_COSINE ? 0.0 : max2(-most, min2(most, height[v] + dot3(shift, n)));
  }
}

// Replaces the tracked mesh; values and ids come from the old surface.
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
  if (!result && !t->def.free_waves) keep_waves(old, kept, source, made);
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

#define STRICTNESS_LEVELS 3
static const double far[STRICTNESS_LEVELS] = {0.4, 0.3, 0.2}, cosine[STRICTNESS_LEVELS] = {0.3, 0.5, 0.7};

static uint8_t *vertex_changes(const matching *m, const side *s, size_t first) {
  uint8_t *changes = mote_arena_take(m->arena, s->mesh->vertices, 1);
  for (size_t v = 0; changes != NULL && v < s->mesh->vertices; ++v)
    changes[v] = m->changes[first + s->part[v]];
  return changes;
}

static mote_result finish_operation(matching *m, const mote_surface *old, const mote_surgery_result *r,
                                    mote_error *error) {
  size_t n = m->old.mesh->vertices, left = 0;
  for (size_t f = 0; f < r->mesh.triangles; ++f) {
    const uint32_t *v = r->mesh.triangle + 3 * f;
    left += v[0] < r->kept && v[1] < r->kept && v[2] < r->kept;
  }
  m->report->removed = m->old.mesh->triangles - left, m->report->made = r->mesh.triangles - left;
  for (size_t v = r->kept; v < r->mesh.vertices; ++v) r->source[v] = old_vertex_near(m, r->source[v] - n);
  return replace_mesh(m, old, &r->mesh, r->kept, r->source, error);
}

// Whether the Euler number of the fresh surface differs from that of the mesh after all planned replacements.
static bool is_missed(const matching *m, const mote_surgery *g) {
  int64_t euler = 0;
  for (size_t p = 0; p < m->old.parts; ++p) euler += m->old.euler[p];
  for (size_t p = 0; p < m->fresh.parts; ++p) euler -= m->fresh.euler[p];
  for (uint32_t c = 0; c < g->clusters; ++c) {
    if (g->cluster[c].grow > 0 && g->cluster[c].root == c) euler += g->cluster[c].euler;
  }
  return euler != 0;
}

// Replaces all clusters, each in the smallest region whose borders fit. *missed: some changes lie outside of
// the clusters; then nothing is replaced, except in the last round.
static mote_result operate(matching *m, const mote_surface *old, mote_surgery *g, bool last, bool *missed,
                           mote_error *error) {
  MOTE_TRY(mote_surgery_find(g, &m->t->env, m->arena, error));
  for (bool again = true; again;) {
    mote_surgery_result r;
    mote_arena_mark mark = mote_arena_here(m->arena);
    MOTE_TRY(mote_surgery_run(g, m->t->def.edge, &m->t->env, m->arena, &r, error));
    again = mote_cluster_choose(g);
    MOTE_ASSERT(again || r.done);
    *missed = is_missed(m, g), m->left = 0;
    for (size_t c = 0; c < g->clusters; ++c) m->left += g->cluster[c].given_up;
    *missed = *missed && m->left == 0;
    if (!again && r.done && (last || !*missed) && g->clusters > 0)
      MOTE_TRY(finish_operation(m, old, &r, error));
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

static mote_track_kind kind_of(size_t old, size_t fresh) {
  if (old == 0) return MOTE_TRACK_APPEARED;
  if (fresh == 0) return MOTE_TRACK_VANISHED;
  return old > fresh ? MOTE_TRACK_MERGED : old < fresh ? MOTE_TRACK_SPLIT : MOTE_TRACK_RESHAPED;
}

static mote_track_event *new_event(mote_tracked *t, mote_track_event event, mote_error *error) {
  if (mote_reserve(&t->env, &t->event, &t->event_capacity, t->events + 1, sizeof *t->event, error))
    return NULL;
  t->event[t->events] = event;
  return &t->event[t->events++];
}

// One event per region that was replaced.
static mote_result write_events(matching *m, const mote_surgery *g, mote_error *error) {
  double(*sum)[4] = mote_arena_take(m->arena, g->clusters, sizeof *sum);  // of places, and how many
  if (sum == NULL) return mote_fail_memory(error, g->clusters * sizeof *sum);
  for (size_t c = 0; c < g->clusters; ++c) sum[c][0] = sum[c][1] = sum[c][2] = sum[c][3] = 0.0;
  for (size_t i = 0; i < g->cells; ++i) {
    if (g->cluster[g->cluster_of[i]].grow == 0) continue;
    double *to = sum[mote_cluster_root(g, g->cluster_of[i])];
    for (int k = 0; k < 3; ++k) to[k] += (g->cell[i][k] + 0.5) * MOTE_SURGERY_CELL * m->reach;
    to[3] += 1.0;
  }
  for (uint32_t c = 0; c < g->clusters; ++c) {
    const mote_cluster *own = &g->cluster[c];
    if (own->grow == 0 || own->root != c) continue;
    mote_track_event *e =
        new_event(m->t, (mote_track_event){.kind = kind_of(own->parts[0], own->parts[1])}, error);
    if (e == NULL) return MOTE_ERROR_MEMORY;
    for (int k = 0; k < 3; ++k) e->place[k] = sum[c][k] / sum[c][3];
  }
  return MOTE_OK;
}

// Adds the positions of the vertices of a group on one side.
static size_t add_vertices(const matching *m, const side *s, size_t first, uint32_t group, double sum[3]) {
  size_t count = 0;
  for (size_t v = 0; v < s->mesh->vertices; ++v) {
    if (mote_set_root(m->group, (uint32_t)(first + s->part[v])) != group) continue;
    step3(sum, 1.0, s->mesh->vertex + 3 * v, sum);
    ++count;
  }
  return count;
}

// Replaces all groups that change as a whole; one event each.
static mote_result replace_groups(matching *m, const mote_surface *old, bool rebuilt, mote_error *error) {
  for (uint32_t p = 0; p < m->old.parts + m->fresh.parts; ++p) {
    if (!m->changes[p] || m->group[p] != p) continue;
    const uint32_t *count = m->count + 2 * p;
    mote_track_event *e =
        new_event(m->t, (mote_track_event){.kind = kind_of(count[0], count[1]), .rebuilt = rebuilt}, error);
    if (e == NULL) return MOTE_ERROR_MEMORY;
    size_t found = add_vertices(m, &m->old, 0, p, e->place);
    found += add_vertices(m, &m->fresh, m->old.parts, p, e->place);
    for (int k = 0; k < 3; ++k) e->place[k] /= (double)found;
    m->report->rebuilt += rebuilt;
  }
  return take_fresh(m, old, error);
}

static mote_result find_crossed(matching *m, mote_error *error) {
  size_t n = m->old.mesh->vertices;
  MOTE_TAKE(m->old.crossed, m->arena, n, error);
  memset(m->old.crossed, 0, n);
  return mote_cross_mark(m->old.mesh, m->t->def.edge, NULL, m->t->env.threads, m->arena, m->old.crossed,
                         &m->report->crossings, error);
}

// Replaces groups with crossing triangles as a whole; all others stay.
static mote_result rebuild_crossed(matching *m, const mote_surface *old, mote_error *error) {
  size_t parts = m->old.parts + m->fresh.parts;
  bool any = false;
  for (size_t p = 0; p < parts; ++p) m->changes[p] = false;
  for (size_t v = 0; v < m->old.mesh->vertices; ++v) {
    if (m->old.crossed[v]) any = m->changes[mote_set_root(m->group, m->old.part[v])] = true;
  }
  for (uint32_t p = 0; p < parts; ++p) m->changes[p] = m->changes[mote_set_root(m->group, p)];
  return any ? replace_groups(m, old, true, error) : MOTE_OK;
}

static mote_result match(matching *m, const mote_surface *fresh, double reach, const mote_surface *old,
                         mote_error *error) {
  MOTE_TRY(measure_side(m, &m->old, &old->mesh, error));
  MOTE_TRY(measure_side(m, &m->fresh, &fresh->mesh, error));
  MOTE_TRY(find_nearest(m, &m->old, &m->fresh, 1, error));
  MOTE_TRY(find_nearest(m, &m->fresh, &m->old, 1, error));
  MOTE_TRY(find_crossed(m, error));
  MOTE_TRY(find_groups(m, reach, error));
  m->t->events = 0;
  if (m->whole) return rebuild_crossed(m, old, error);
  bool changed = false;
  for (size_t p = 0; p < m->old.parts + m->fresh.parts; ++p) changed |= m->changes[p];
  if (!changed) return MOTE_OK;
  if (m->old.mesh->vertices == 0 || m->fresh.mesh->vertices == 0) return replace_groups(m, old, false, error);
  MOTE_TRY(find_nearest(m, &m->old, &m->fresh, MOTE_SURGERY_NEAR, error));
  MOTE_TRY(find_nearest(m, &m->fresh, &m->old, MOTE_SURGERY_NEAR, error));
  mote_surgery g = {.reach = reach, .lost = MATCH_DISTANCE_MAX};
  const side *s[2] = {&m->old, &m->fresh};
  for (int k = 0; k < 2; ++k) {
    const uint8_t *changes = vertex_changes(m, s[k], k == 0 ? 0 : m->old.parts);
    if (changes == NULL) return mote_fail_memory(error, s[k]->mesh->vertices);
    g.side[k] = (mote_surgery_side){.mesh = s[k]->mesh,
                                    .changes = changes,
                                    .part = s[k]->part,
                                    .nearest = s[k]->nearest,
                                    .distance2 = s[k]->distance2,
                                    .crossed = s[k]->crossed};
  }
  bool missed = true;
  for (size_t k = 0; k < STRICTNESS_LEVELS && missed; ++k) {
    g.far = far[k], g.cosine = cosine[k];
    MOTE_TRY(operate(m, old, &g, k == STRICTNESS_LEVELS - 1, &missed, error));
  }
  m->report->left = m->left;
  return write_events(m, &g, error);
}

static mote_result match_or_rebuild(mote_tracked *t, const mote_surface *fresh, double reach, bool whole,
                                    mote_track_match *report, mote_error *error) {
  if (t == NULL || fresh == NULL || !(reach > 0.0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a mesh, a surface and a reach above 0 are needed");
  MOTE_TRY(mote_surface_check(fresh, error));
  if (t->fields == MOTE_SURFACE_FIELDS) return mote_fail(error, MOTE_ERROR_ARGUMENT, "at most 15 fields");
  mote_track_match own = {0};
  mote_arena arena = mote_arena_make(&t->env);
  matching m = {.t = t, .arena = &arena, .report = &own, .reach = reach, .whole = whole};
  mote_surface old;
  mote_result result = mote_tracked_surface(t, &old, error);
  if (!result) {
    result = match(&m, fresh, reach, &old, error);
    mote_surface_free(&old, &arena.env);
  }
  mote_arena_destroy(&arena);
  own.changed = t->events;
  if (report != NULL) *report = own;
  return result;
}

mote_result mote_tracked_match(mote_tracked *t, const mote_surface *fresh, double reach,
                               mote_track_match *report, mote_error *error) {
  return match_or_rebuild(t, fresh, reach, false, report, error);
}

mote_result mote_tracked_rebuild(mote_tracked *t, const mote_surface *fresh, double reach,
                                 mote_track_match *report, mote_error *error) {
  return match_or_rebuild(t, fresh, reach, true, report, error);
}
