// Smoothing that moves volume along the surface but makes and takes none: docs/theory/marching_cubes.md. Each
// vertex has a bump u, how far it lies under the mean of its neighbours along its normal. Every edge carries
// volume from the lower to the higher bump, the same amount out of one end as into the other: surface
// diffusion. Drops become round and sheets keep their thickness, where plain Laplacian smoothing would shrink
// both away.
#include <mote/surface.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "mesh/half_edges.h"
#include "mesh/mesh_normals.h"
#include "mesh/surface_rows.h"
#include "mesh/tuning.inc"

#define VERTICES_PER_TASK 1024

typedef struct bump {
  double slope[3];  // of the mesh's volume with the vertex's place: a third of its triangles' area vectors
  double drift[3];  // from the vertex to the mean of its neighbours
  double area;      // |slope|
  double share;     // of the area, per edge
  double height;    // drift along the normal
} bump;

typedef struct smoothing {
  mote_half_edges edges;
  double *position, *next;
  bump *bump;
} smoothing;

static bump find_bump(const smoothing *s, uint32_t v) {
  const mote_half_edges *e = &s->edges;
  const double *x = s->position + 3 * (size_t)v;
  bump b = {.area = 0.0};
  uint32_t h = e->first[v];
  if (h == MOTE_NO_EDGE) return b;
  double u[3], w[3], n[3];
  int valence = 0;
  sub3(s->position + 3 * (size_t)mote_edge_end(e, h), x, u);
  do {
    h = mote_edge_around(e, h);
    sub3(s->position + 3 * (size_t)mote_edge_end(e, h), x, w);
    cross3(u, w, n);
    step3(b.slope, 1.0 / 6.0, n, b.slope);
    step3(b.drift, 1.0, w, b.drift);
    copy3(w, u);
    ++valence;
  } while (h != e->first[v]);
  for (int k = 0; k < 3; ++k) b.drift[k] /= valence;
  b.area = length3(b.slope);
  b.share = b.area / valence;
  if (b.area > 0.0) b.height = dot3(b.drift, b.slope) / b.area;
  return b;
}

static void find_bumps(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smoothing *s = data;
  for (size_t v = begin; v < end; ++v) s->bump[v] = find_bump(s, (uint32_t)v);
}

// How far a vertex rises: what flows in over its area.
static double find_rise(const smoothing *s, uint32_t v) {
  const mote_half_edges *e = &s->edges;
  const bump *b = s->bump + v;
  double flow = 0.0;
  uint32_t h = e->first[v];
  do {
    h = mote_edge_around(e, h);
    const bump *other = s->bump + mote_edge_end(e, h);
    flow += min2(b->share, other->share) * (b->height - other->height);
  } while (h != e->first[v]);
  return BUMP_FLOW * flow / b->area;
}

static void move_vertices(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smoothing *s = data;
  for (size_t v = begin; v < end; ++v) {
    const bump *b = s->bump + v;
    double *to = s->next + 3 * v;
    copy3(s->position + 3 * v, to);
    if (!(b->area > 0.0)) continue;
    step3(to, SLIDE_SHARE, b->drift, to);
    step3(to, (find_rise(s, (uint32_t)v) - SLIDE_SHARE * b->height) / b->area, b->slope, to);
  }
}

mote_result mote_surface_smooth(mote_surface *surface, int passes, const mote_env *env, mote_error *error) {
  MOTE_TRY(mote_surface_check(surface, error));
  if (passes < 0)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "passes must not be negative, but is %d", passes);
  mote_env resolved = mote_env_resolve(env);
  mote_arena arena = mote_arena_make(&resolved);
  smoothing s = {.position = NULL};
  size_t n = surface->mesh.vertices;
  mote_result result = mote_half_edges_create(&surface->mesh, resolved.threads, &arena, &s.edges, error);
  if (!result) {
    s.position = surface->mesh.vertex;
    s.next = mote_arena_take(&arena, 3 * n, sizeof *s.next);
    s.bump = mote_arena_take(&arena, n, sizeof *s.bump);
    if (!s.next || !s.bump) result = mote_fail_memory(error, n * (3 * sizeof(double) + sizeof(bump)));
  }
  for (int pass = 0; pass < passes && !result; ++pass) {
    mote_parallel_for(resolved.threads, n, VERTICES_PER_TASK, find_bumps, &s);
    mote_parallel_for(resolved.threads, n, VERTICES_PER_TASK, move_vertices, &s);
    double *spare = s.position;
    s.position = s.next, s.next = spare;
  }
  if (!result) {
    for (size_t k = 0; k < 3 * n && s.position != surface->mesh.vertex; ++k) s.next[k] = s.position[k];
    if (surface->normal && passes > 0)
      mote_mesh_normals(&s.edges, surface->mesh.vertex, resolved.threads, surface->normal);
  }
  mote_arena_destroy(&arena);
  return result;
}
