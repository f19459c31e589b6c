// Parts and orientations by a forest of sets with parities: of each triangle, its set and whether it is
// turned against the set's first triangle.
#include "geom/mesh_parts.h"

#include "base/memory.h"

enum { RUN_MOST = 64 };  // triangles at one edge that are paired; more stay alone

typedef struct forest {
  uint32_t *parent;
  bool *turned;  // against the parent
} forest;

// The first triangle of the set of t; *turned: against it. Paths are halved on the way.
static uint32_t find_first(const forest *f, uint32_t t, bool *turned) {
  bool odd = false;
  while (f->parent[t] != t) {
    uint32_t up = f->parent[t], above = f->parent[up];
    bool whole = f->turned[t] != (up != above && f->turned[up]);
    f->turned[t] = whole;
    f->parent[t] = above;
    odd = odd != whole;
    t = above;
  }
  *turned = odd;
  return t;
}

// Joins the sets of two neighbours; false when they are one already and disagree. The lower first wins, so
// that sets are named by their lowest triangle.
static bool join(const forest *f, const mote_mesh_edge *a, const mote_mesh_edge *b) {
  bool odd_a, odd_b, opposed = a->descending == b->descending;
  uint32_t first_a = find_first(f, a->triangle, &odd_a), first_b = find_first(f, b->triangle, &odd_b);
  bool turned = (odd_a != odd_b) != opposed;
  if (first_a == first_b) return !turned;
  uint32_t low = first_a < first_b ? first_a : first_b, high = first_a < first_b ? first_b : first_a;
  f->parent[high] = low;
  f->turned[high] = turned;
  return true;
}

// The edge of the run that goes on at edge k: the next free one in the other direction, else the next free
// one; `run` where there is none. Where bodies touch along an edge, each is written whole, so its two
// triangles follow each other.
static size_t find_partner(const mote_mesh_edge *e, size_t run, size_t k, const bool *taken) {
  size_t any = run;
  for (size_t l = k + 1; l < run; ++l) {
    if (taken[l]) continue;
    if (e[l].descending != e[k].descending) return l;
    any = any < run ? any : l;
  }
  return any;
}

// Calls `pair` for the pairs of edges that belong together; edges that stay alone with null.
void mote_mesh_edges_pair(const mote_mesh_edges *edges, mote_edge_pair_fn *pair, void *data) {
  MOTE_ASSERT(pair != NULL);
  for (size_t first = 0, run; first < edges->count; first += run) {
    run = mote_mesh_edges_run(edges, first);
    const mote_mesh_edge *e = edges->edge + first;
    bool taken[RUN_MOST] = {false};
    for (size_t k = 0; k < run; ++k) {
      if (k < RUN_MOST && taken[k]) continue;
      size_t l = k < RUN_MOST ? find_partner(e, run < RUN_MOST ? run : RUN_MOST, k, taken) : run;
      bool alone = l >= run || l >= RUN_MOST;
      if (!alone) taken[l] = true;
      pair(data, e + k, alone ? NULL : e + l, run);
    }
  }
}

typedef struct joining {
  mote_mesh_parts *parts;
  const forest *f;
} joining;

static void join_pair(void *data, const mote_mesh_edge *a, const mote_mesh_edge *b, size_t run) {
  joining *j = data;
  if (b == NULL || join(j->f, a, b) || run > 2 || !j->parts->agree) return;
  j->parts->agree = false;
  j->parts->conflict[0] = a->triangle, j->parts->conflict[1] = b->triangle;
}

// Numbers the sets in the order of their first triangles.
static void number_parts(const mote_mesh *mesh, mote_mesh_parts *parts, const forest *f) {
  for (uint32_t t = 0; t < parts->triangles; ++t) {
    parts->turned[t] = false;
    parts->part[t] = UINT32_MAX;
    if (mote_mesh_repeats_vertex(mesh, t)) continue;
    uint32_t first = find_first(f, t, parts->turned + t);
    parts->part[t] = first == t ? (uint32_t)parts->count++ : parts->part[first];
  }
}

mote_result mote_mesh_parts_create(const mote_mesh *mesh, const mote_mesh_edges *edges, const mote_env *env,
                                   mote_mesh_parts *out, mote_error *error) {
  MOTE_ASSERT(edges->count <= 3 * mesh->triangles);
  MOTE_ASSERT(env != NULL && out != NULL);
  size_t n = mesh->triangles;
  mote_mesh_parts parts = {.env = *env, .triangles = n};
  parts.part = mote_alloc(env, n, sizeof *parts.part);
  parts.turned = mote_alloc(env, n, sizeof *parts.turned);
  forest f = {.parent = mote_alloc(env, n, sizeof *f.parent), .turned = mote_alloc(env, n, sizeof *f.turned)};
  bool ok = parts.part && parts.turned && f.parent && f.turned;
  for (uint32_t t = 0; ok && t < n; ++t) f.parent[t] = t, f.turned[t] = false;
  parts.agree = true;
  if (ok) mote_mesh_edges_pair(edges, join_pair, &(joining){&parts, &f});
  if (ok) number_parts(mesh, &parts, &f);
  mote_free(env, f.parent, n, sizeof *f.parent);
  mote_free(env, f.turned, n, sizeof *f.turned);
  *out = parts;
  if (ok) return MOTE_OK;
  mote_mesh_parts_destroy(out);
  return mote_fail_memory(error, n * 2 * (sizeof *f.parent + sizeof *f.turned));
}

mote_result mote_mesh_parts_check(const mote_mesh_parts *parts, mote_error *error) {
  if (parts->agree) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT,
                   "the mesh has no outside: triangles %u and %u cannot be made to agree",
                   (unsigned)parts->conflict[0], (unsigned)parts->conflict[1]);
}

void mote_mesh_parts_destroy(mote_mesh_parts *parts) {
  MOTE_ASSERT(parts != NULL);
  mote_free(&parts->env, parts->part, parts->triangles, sizeof *parts->part);
  mote_free(&parts->env, parts->turned, parts->triangles, sizeof *parts->turned);
  *parts = (mote_mesh_parts){0};
}
