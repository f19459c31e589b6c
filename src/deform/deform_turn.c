// See deform_turn.h. Vertices of seams count as one where they are close together.
#include "deform/deform_turn.h"

#include <float.h>
#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#include "geom/mesh_parts.h"
#include "geom/triple.h"

// Of the size: coordinates of four-byte numbers differ by less at a seam.
#define WELD_DISTANCE (8 * (double)FLT_EPSILON)
enum { CLOSED_PART = 100 };  // of its area is more than the sum of the normals of a part with small holes
enum { PLACES = 24 };        // vertices of a part by which it is found inside of another

typedef struct place {
  int64_t at[3];
  uint32_t vertex;
} place;

static int by_place(const void *left, const void *right) {
  const place *a = left, *b = right;
  for (int k = 0; k < 3; ++k)
    if (a->at[k] != b->at[k]) return a->at[k] < b->at[k] ? -1 : 1;
  return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

// The triangles with one vertex for all at its place.
static mote_result weld(const mote_mesh *mesh, mote_arena *own, mote_mesh *out, mote_error *error) {
  double low[3], high[3];
  MOTE_TAKE_NEW(place, list, own, mesh->vertices, error);
  MOTE_TAKE_NEW(uint32_t, first, own, mesh->vertices, error);
  *out = *mesh;
  MOTE_TAKE(out->triangle, own, 3 * mesh->triangles, error);
  mote_mesh_bounds(mesh, low, high);
  double step = WELD_DISTANCE * distance3(low, high);
  for (size_t v = 0; v < mesh->vertices; ++v) {
    list[v].vertex = (uint32_t)v;
    for (int k = 0; k < 3; ++k)
      list[v].at[k] = (int64_t)floor((mesh->vertex[3 * v + k] - low[k]) / step + 0.5);
  }
  qsort(list, mesh->vertices, sizeof *list, by_place);
  for (size_t k = 0, begin = 0; k < mesh->vertices; ++k) {
    for (int c = 0; c < 3; ++c)
      if (list[k].at[c] != list[begin].at[c]) begin = k;
    first[list[k].vertex] = list[begin].vertex;
  }
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) out->triangle[k] = first[mesh->triangle[k]];
  return MOTE_OK;
}

typedef struct part_facts {
  double low[3], high[3], volume, area, normal[3];
  size_t first, triangles;
  bool turn;
} part_facts;

static void turn_triangle(uint32_t *v) {
  uint32_t swap = v[1];
  v[1] = v[2], v[2] = swap;
}

static void gather_facts(const mote_mesh *mesh, const mote_mesh_parts *parts, part_facts *facts) {
  for (size_t p = 0; p < parts->count; ++p) {
    facts[p] = (part_facts){.first = SIZE_MAX};
    set3(HUGE_VAL, HUGE_VAL, HUGE_VAL, facts[p].low);
    set3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, facts[p].high);
  }
  for (size_t t = 0; t < mesh->triangles; ++t) {
    if (parts->part[t] == UINT32_MAX) continue;
    part_facts *f = facts + parts->part[t];
    if (f->triangles++ == 0) f->first = t;
    const double *x[3], *origin = mesh->vertex + 3 * (size_t)mesh->triangle[3 * f->first];
    double a[3], b[3], n[3];
    for (int c = 0; c < 3; ++c) {
      x[c] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + c];
      for (int k = 0; k < 3; ++k)
        f->low[k] = min2(f->low[k], x[c][k]), f->high[k] = max2(f->high[k], x[c][k]);
    }
    sub3(x[1], x[0], a), sub3(x[2], x[0], b);
    cross3(a, b, n);
    f->area += length3(n);
    step3(f->normal, 1.0, n, f->normal);
    f->volume += mote_mesh_cone(mesh, t, origin);
  }
}

// How often part q winds around x: van Oosterom and Strackee 1983.
static double winding_of(const mote_mesh *mesh, const mote_mesh_parts *parts, size_t q, const double x[3]) {
  double sum = 0.0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    double a[3][3], n[3], r[3];
    if (parts->part[t] != q) continue;
    for (int k = 0; k < 3; ++k) {
      sub3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k], x, a[k]);
      r[k] = length3(a[k]);
    }
    cross3(a[1], a[2], n);
    sum += mote_atan2(dot3(a[0], n), r[0] * r[1] * r[2] + dot3(a[0], a[1]) * r[2] + dot3(a[1], a[2]) * r[0] +
                                         dot3(a[2], a[0]) * r[1]);
  }
  return sum / (2.0 * MOTE_PI);
}

static bool is_inside(const mote_mesh *mesh, const mote_mesh_parts *parts, const part_facts *facts, size_t p,
                      size_t q) {
  for (int k = 0; k < 3; ++k)
    if (facts[p].low[k] < facts[q].low[k] || facts[p].high[k] > facts[q].high[k]) return false;
  size_t step = facts[p].triangles / PLACES + 1, seen = 0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    if (parts->part[t] != p || seen++ % step != 0) continue;
    if (!(fabs(winding_of(mesh, parts, q, mesh->vertex + 3 * (size_t)mesh->triangle[3 * t])) > 0.5))
      return false;
  }
  return true;
}

static bool is_closed(const part_facts *f) {
  return CLOSED_PART * length3(f->normal) < f->area;
}

// A part inside another is turned with the smallest one around it.
static void choose(const mote_mesh *mesh, const mote_mesh_parts *parts, part_facts *facts) {
  for (size_t p = 0; p < parts->count; ++p) facts[p].turn = is_closed(facts + p) && facts[p].volume < 0.0;
  for (size_t p = 0; p < parts->count; ++p) {
    size_t around = p;
    for (size_t q = 0; q < parts->count; ++q) {
      if (q == p || !is_closed(facts + q) || !(fabs(facts[q].volume) > fabs(facts[p].volume))) continue;
      if (around != p && fabs(facts[q].volume) > fabs(facts[around].volume)) continue;
      if (is_inside(mesh, parts, facts, p, q)) around = q;
    }
    if (around != p) facts[p].turn = facts[around].volume < 0.0;
  }
}

// Each begins with its lowest vertex, so that a copy with other corners first gives the same bits.
static void begin_lowest(mote_mesh *mesh) {
  for (size_t t = 0; t < mesh->triangles; ++t) {
    uint32_t *v = mesh->triangle + 3 * t;
    while (v[0] > v[1] || v[0] > v[2]) {
      uint32_t first = v[0];
      v[0] = v[1], v[1] = v[2], v[2] = first;
    }
  }
}

static mote_result turn(mote_mesh *mesh, const mote_mesh_parts *parts, mote_arena *own, mote_error *error) {
  MOTE_TAKE_NEW(part_facts, facts, own, parts->count, error);
  for (size_t t = 0; t < mesh->triangles; ++t)
    if (parts->turned[t]) turn_triangle(mesh->triangle + 3 * t);
  gather_facts(mesh, parts, facts);
  choose(mesh, parts, facts);
  for (size_t t = 0; t < mesh->triangles; ++t)
    if (parts->part[t] != UINT32_MAX && facts[parts->part[t]].turn) turn_triangle(mesh->triangle + 3 * t);
  if (parts->count > 1) begin_lowest(mesh);
  return MOTE_OK;
}

// Only edges of two triangles join them: where parts touch along an edge they stay apart.
static void keep_pairs(mote_mesh_edges *edges) {
  size_t kept = 0;
  for (size_t first = 0, run; first < edges->count; first += run) {
    run = mote_mesh_edges_run(edges, first);
    for (size_t k = 0; run == 2 && k < run; ++k) edges->edge[kept++] = edges->edge[first + k];
  }
  edges->count = kept;
}

mote_result mote_deform_turn_parts(mote_mesh *mesh, uint32_t *part, mote_arena *own, mote_error *error) {
  mote_mesh welded;
  mote_mesh_edges edges;
  mote_mesh_parts parts;
  MOTE_TRY(weld(mesh, own, &welded, error));
  MOTE_TRY(mote_mesh_edges_create(&welded, &own->env, &edges, error));
  keep_pairs(&edges);
  mote_result result = mote_mesh_parts_create(&welded, &edges, &own->env, &parts, error);
  mote_mesh_edges_destroy(&edges);
  if (result != MOTE_OK) return result;
  memcpy(part, parts.part, mesh->triangles * sizeof *part);
  if (parts.agree) result = turn(mesh, &parts, own, error);
  mote_mesh_parts_destroy(&parts);
  return result;
}
