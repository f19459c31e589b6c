// Open edges: small holes are closed, sheets are found. See mesh_weld.h.
#include "base/memory.h"
#include "base/sets.h"
#include "geom/mesh_parts.h"
#include "geom/mesh_weld.h"
#include "geom/triple.h"
#include "geom/tuning.inc"
#include "geom/winding.h"

// A hole is closed when its area is at most this share of the mesh's: on a ball it covers half of that in the
// mean.
#define HOLE_SHARE (2 * (1 - COVERED_LEAST))

// --- Holes -------------------------------------------------------------------------------------------------

typedef struct rim_edges {
  mote_mesh_edge *edge;
  size_t count;
} rim_edges;

static void add_rim(void *data, const mote_mesh_edge *a, const mote_mesh_edge *b, size_t run) {
  (void)run;
  rim_edges *rims = data;
  if (b == NULL) rims->edge[rims->count++] = *a;
}

typedef struct hole {
  double middle[3], area;
  size_t edges;
  uint32_t vertex;  // its middle, once it is closed
  bool loops;       // as many edges end in each vertex as begin there
} hole;

typedef struct filling {
  mote_mesh *mesh;
  rim_edges rims;
  uint32_t *root;   // of vertices: the lowest one of their hole
  int32_t *excess;  // of vertices: edges that begin less those that end
  hole *hole;       // by root
} filling;

static void ends_of(const mote_mesh_edge *e, uint32_t v[2]) {
  v[0] = e->descending ? e->high : e->low;
  v[1] = e->descending ? e->low : e->high;
}

static void gather_holes(filling *f) {
  for (uint32_t v = 0; v < f->mesh->vertices; ++v) {
    f->root[v] = v, f->excess[v] = 0;
    f->hole[v] = (hole){.loops = true};
  }
  for (size_t k = 0; k < f->rims.count; ++k) {
    uint32_t v[2];
    ends_of(f->rims.edge + k, v);
    mote_set_join(f->root, v[0], v[1]);
    ++f->excess[v[0]], --f->excess[v[1]];
  }
  for (size_t k = 0; k < f->rims.count; ++k) {
    uint32_t v[2];
    ends_of(f->rims.edge + k, v);
    hole *h = f->hole + mote_set_root(f->root, v[0]);
    step3(h->middle, 1.0, f->mesh->vertex + 3 * (size_t)v[0], h->middle);
    ++h->edges;
    h->loops = h->loops && f->excess[v[0]] == 0 && f->excess[v[1]] == 0;
  }
}

static void measure_holes(filling *f) {
  for (size_t v = 0; v < f->mesh->vertices; ++v) {
    hole *h = f->hole + v;
    for (int k = 0; k < 3 && h->edges; ++k) h->middle[k] /= (double)h->edges;
  }
  for (size_t k = 0; k < f->rims.count; ++k) {
    uint32_t v[2];
    double p[3], q[3], n[3];
    ends_of(f->rims.edge + k, v);
    hole *h = f->hole + mote_set_root(f->root, v[0]);
    sub3(f->mesh->vertex + 3 * (size_t)v[0], h->middle, p);
    sub3(f->mesh->vertex + 3 * (size_t)v[1], h->middle, q);
    cross3(p, q, n);
    h->area += 0.5 * length3(n);
  }
}

// Around its middle each closed hole gets a triangle for each edge.
static mote_result add_fans(filling *f, const mote_env *env, double most, size_t *closed, mote_error *error) {
  size_t vertices = 0, triangles = 0;
  for (size_t v = 0; v < f->mesh->vertices; ++v) {
    hole *h = f->hole + v;
    if (h->edges == 0 || !h->loops || !(h->area <= most)) {
      h->edges = 0;
      continue;
    }
    h->vertex = (uint32_t)(f->mesh->vertices + vertices++);
    triangles += h->edges;
  }
  *closed = vertices;
  size_t v_all = f->mesh->vertices + vertices, t_all = f->mesh->triangles + triangles;
  mote_mesh whole = {mote_alloc(env, v_all, 3 * sizeof(double)), mote_alloc(env, t_all, 3 * sizeof(uint32_t)),
                     v_all, t_all};
  if (!whole.vertex || !whole.triangle) {
    mote_mesh_free(&whole, env);
    return mote_fail_memory(error, t_all * 3 * sizeof(uint32_t));
  }
  for (size_t k = 0; k < 3 * f->mesh->vertices; ++k) whole.vertex[k] = f->mesh->vertex[k];
  for (size_t k = 0; k < 3 * f->mesh->triangles; ++k) whole.triangle[k] = f->mesh->triangle[k];
  for (size_t v = 0; v < f->mesh->vertices; ++v) {
    if (f->hole[v].edges) copy3(f->hole[v].middle, whole.vertex + 3 * (size_t)f->hole[v].vertex);
  }
  for (size_t k = 0, t = f->mesh->triangles; k < f->rims.count; ++k) {
    uint32_t v[2];
    ends_of(f->rims.edge + k, v);
    const hole *h = f->hole + mote_set_root(f->root, v[0]);
    if (h->edges == 0) continue;
    uint32_t *triangle = whole.triangle + 3 * t++;
    triangle[0] = v[1], triangle[1] = v[0], triangle[2] = h->vertex;
  }
  mote_mesh_free(f->mesh, env);
  *f->mesh = whole;
  return MOTE_OK;
}

static mote_result fill(filling *f, const mote_env *env, size_t *closed, mote_error *error) {
  double area = 0.0;
  for (size_t t = 0; t < f->mesh->triangles; ++t) area += mote_mesh_area(f->mesh, t);
  gather_holes(f);
  measure_holes(f);
  return add_fans(f, env, HOLE_SHARE * area, closed, error);
}

mote_result mote_mesh_close_holes(mote_mesh *mesh, const mote_env *env, size_t *closed, mote_error *error) {
  MOTE_ASSERT(mesh != NULL && env != NULL && closed != NULL);
  mote_mesh_edges edges;
  filling f = {.mesh = mesh};
  size_t n = mesh->vertices;
  *closed = 0;
  MOTE_TRY(mote_mesh_edges_create(mesh, env, &edges, error));
  size_t capacity = edges.count;
  f.rims.edge = mote_alloc(env, capacity, sizeof *f.rims.edge);
  f.root = mote_alloc(env, n, sizeof *f.root);
  f.excess = mote_alloc(env, n, sizeof *f.excess);
  f.hole = mote_alloc(env, n, sizeof *f.hole);
  bool ok = f.rims.edge && f.root && f.excess && f.hole;
  if (ok) mote_mesh_edges_pair(&edges, add_rim, &f.rims);
  mote_result result = !ok            ? mote_fail_memory(error, n * sizeof *f.hole)
                       : f.rims.count ? fill(&f, env, closed, error)
                                      : MOTE_OK;
  mote_free(env, f.rims.edge, capacity, sizeof *f.rims.edge);
  mote_free(env, f.root, n, sizeof *f.root);
  mote_free(env, f.excess, n, sizeof *f.excess);
  mote_free(env, f.hole, n, sizeof *f.hole);
  mote_mesh_edges_destroy(&edges);
  return result;
}

// --- Sheets ------------------------------------------------------------------------------------------------

static void copy_triangles(const mote_mesh *mesh, const uint32_t *part, const bool *wanted, bool value,
                           mote_mesh *out) {
  out->triangles = 0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    if (wanted[part[t]] != value) continue;
    for (int k = 0; k < 3; ++k) out->triangle[3 * out->triangles + k] = mesh->triangle[3 * t + k];
    ++out->triangles;
  }
}

// Of each open part the area, and the share of the sphere that open parts cover, seen from its inner side.
static void add_cover(const mote_mesh *mesh, const uint32_t *part, const bool *open, const mote_winding *w,
                      double tolerance, double (*sum)[2]) {
  for (size_t t = 0; t < mesh->triangles; ++t) {
    if (!open[part[t]]) continue;
    double x[3][3], u[3], v[3], n[3], middle[3];
    for (int k = 0; k < 3; ++k) copy3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k], x[k]);
    sub3(x[1], x[0], u), sub3(x[2], x[0], v);
    cross3(u, v, n);
    double length = length3(n);
    if (!(length > 0.0)) continue;
    for (int k = 0; k < 3; ++k) middle[k] = (x[0][k] + x[1][k] + x[2][k]) / 3.0 - tolerance * n[k] / length;
    sum[part[t]][0] += length;
    sum[part[t]][1] += length * mote_winding_at(w, middle);
  }
}

mote_result mote_mesh_drop_sheets(mote_mesh *mesh, const mote_mesh_parts *parts, const bool *open,
                                  double tolerance, const mote_env *env, size_t *dropped, mote_error *error) {
  MOTE_ASSERT(parts->triangles == mesh->triangles && dropped != NULL);
  size_t n = mesh->triangles;
  mote_mesh some = *mesh;
  some.triangle = mote_alloc(env, n, 3 * sizeof(uint32_t));
  bool *sheet = mote_alloc(env, parts->count, sizeof *sheet);
  double(*sum)[2] = mote_alloc(env, parts->count, sizeof *sum);
  mote_bvh bvh = {0};
  mote_winding w = {0};
  mote_result result =
      some.triangle && sheet && sum ? MOTE_OK : mote_fail_memory(error, n * 3 * sizeof(uint32_t));
  if (result == MOTE_OK) {
    copy_triangles(mesh, parts->part, open, true, &some);
    result = mote_bvh_create(&some, env, &bvh, error);
  }
  if (result == MOTE_OK) result = mote_winding_create(&some, &bvh, env, &w, error);
  *dropped = 0;
  if (result == MOTE_OK) {
    for (size_t p = 0; p < parts->count; ++p) sum[p][0] = sum[p][1] = 0.0;
    add_cover(mesh, parts->part, open, &w, tolerance, sum);
    for (size_t p = 0; p < parts->count; ++p) {
      sheet[p] = open[p] && !(sum[p][1] >= COVERED_LEAST * sum[p][0]);
      *dropped += sheet[p];
    }
    copy_triangles(mesh, parts->part, sheet, false, &some);
  }
  if (w.node) mote_winding_destroy(&w);
  if (bvh.node) mote_bvh_destroy(&bvh);
  mote_mesh kept = {0};
  if (result == MOTE_OK && *dropped > 0) result = mote_mesh_weld_rims(&some, tolerance, env, &kept, error);
  if (result == MOTE_OK && *dropped > 0) {
    mote_mesh_free(mesh, env);
    *mesh = kept;
  }
  mote_free(env, some.triangle, n, 3 * sizeof(uint32_t));
  mote_free(env, sheet, parts->count, sizeof *sheet);
  mote_free(env, sum, parts->count, sizeof *sum);
  return result;
}
