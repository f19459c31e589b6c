// What a mesh is by counting its edges, fans and parts: see mesh_measure.h. Corners of triangles that meet in
// an edge are joined: each component of corners is one vertex of the surface, independent of the file's
// numbers.
#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "validate/surfaces/mesh_measure.h"

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (memory == NULL) abort();
  return memory;
}

// --- Sets that are joined ---------------------------------------------------------------------------------

static uint32_t find(uint32_t *parent, uint32_t k) {
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b) {
  a = find(parent, a), b = find(parent, b);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
}

static uint32_t *singles(size_t count) {
  uint32_t *parent = allocate(count, sizeof *parent);
  for (size_t k = 0; k < count; ++k) parent[k] = (uint32_t)k;
  return parent;
}

// --- Edges ------------------------------------------------------------------------------------------------

// A side of a triangle: from corner % 3 of triangle corner / 3 to the next.
typedef struct side {
  uint32_t high, corner;
  bool descending;
} side;

typedef struct sides {
  size_t *first;  // of each lower vertex; vertices + 1 entries
  side *at;       // by lower, then higher vertex
} sides;

static bool repeats(const uint32_t *t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

static uint32_t next_corner(uint32_t corner) {
  return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// Triangles that name a vertex twice have no sides.
static sides sort_sides(const mote_mesh *mesh) {
  sides s = {allocate(mesh->vertices + 1, sizeof *s.first), allocate(3 * mesh->triangles, sizeof *s.at)};
  size_t *place = allocate(mesh->vertices + 1, sizeof *place);
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t c = 0; c < 3 * mesh->triangles; ++c) {
      if (repeats(mesh->triangle + c / 3 * 3)) continue;
      uint32_t a = mesh->triangle[c], b = mesh->triangle[next_corner(c)], low = a < b ? a : b;
      if (pass == 0) {
        ++s.first[low + 1];
        continue;
      }
      side *to = s.at + place[low]++, *from = s.at + s.first[low];
      uint32_t high = a < b ? b : a;
      for (; to > from && to[-1].high > high; --to) *to = to[-1];
      *to = (side){high, c, a > b};
    }
    for (size_t k = 0; k < mesh->vertices && pass == 0; ++k) s.first[k + 1] += s.first[k];
    if (pass == 0) memcpy(place, s.first, (mesh->vertices + 1) * sizeof *place);
  }
  free(place);
  return s;
}

// --- The census -------------------------------------------------------------------------------------------

typedef struct counting {
  const mote_mesh *mesh;
  sides sides;
  uint32_t *triangle, *corner;  // joined where they meet in an edge
  uint32_t *part;               // of each triangle
} counting;

static size_t run_length(const side *s, const side *end) {
  APP_ASSERT(s < end);
  size_t run = 1;
  while (s + run < end && s[run].high == s->high) ++run;
  return run;
}

static void join_sides(counting *c, const side *a, const side *b) {
  APP_ASSERT(a->high == b->high);
  join(c->triangle, a->corner / 3, b->corner / 3);
  bool same = a->descending == b->descending;
  uint32_t a2 = next_corner(a->corner), b2 = next_corner(b->corner);
  join(c->corner, a->corner, same ? b->corner : b2);
  join(c->corner, a2, same ? b2 : b->corner);
}

static void count_edges(counting *c, mesh_census *out) {
  for (size_t v = 0; v < c->mesh->vertices; ++v) {
    const side *s = c->sides.at + c->sides.first[v], *end = c->sides.at + c->sides.first[v + 1];
    for (size_t run; s < end; s += run) {
      run = run_length(s, end);
      out->open_edges += run == 1;
      out->crowded_edges += run > 2;
      out->flipped_edges += run == 2 && s[0].descending == s[1].descending;
      if (run == 2) join_sides(c, s, s + 1);
    }
  }
}

static void corner_at(const mote_mesh *mesh, size_t corner, const double **x) {
  *x = mesh->vertex + 3 * (size_t)mesh->triangle[corner];
}

// Twice its area as a vector, and six times the volume of the cone from the mesh's first vertex.
static double triangle_measure(const mote_mesh *mesh, size_t t, double normal[3]) {
  const double *o = mesh->vertex, *a, *b, *c;
  corner_at(mesh, 3 * t, &a), corner_at(mesh, 3 * t + 1, &b), corner_at(mesh, 3 * t + 2, &c);
  double u[3], w[3], cone = 0.0;
  for (int k = 0; k < 3; ++k) u[k] = b[k] - a[k], w[k] = c[k] - a[k];
  for (int k = 0; k < 3; ++k) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    normal[k] = u[l] * w[m] - u[m] * w[l];
    cone += normal[k] * (a[k] - o[k]);
  }
  return cone;
}

static void number_parts(counting *c, mesh_census *out) {
  for (uint32_t t = 0; t < c->mesh->triangles; ++t) {
    uint32_t root = find(c->triangle, t);
    c->part[t] = root == t ? (uint32_t)out->parts++ : c->part[root];
  }
  out->part = allocate(out->parts, sizeof *out->part);
}

static void count_triangles(counting *c, mesh_census *out) {
  for (size_t t = 0; t < c->mesh->triangles; ++t) {
    double n[3], cone = triangle_measure(c->mesh, t, n), area2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    mesh_part *part = out->part + c->part[t];
    out->flat_triangles += repeats(c->mesh->triangle + 3 * t) || !(area2 > 0.0);
    out->area += 0.5 * sqrt(area2), out->volume += cone / 6.0;
    ++part->triangles, part->volume += cone / 6.0;
    ++part->euler;
  }
}

static void count_vertices(counting *c, mesh_census *out) {
  size_t fans = 0, used = 0;
  bool *seen = allocate(c->mesh->vertices, sizeof *seen);
  for (uint32_t k = 0; k < 3 * c->mesh->triangles; ++k) {
    if (repeats(c->mesh->triangle + k / 3 * 3)) continue;
    uint32_t v = c->mesh->triangle[k];
    if (!seen[v]) seen[v] = true, ++used;
    if (find(c->corner, k) == k) ++fans, ++out->part[c->part[k / 3]].euler;
  }
  APP_ASSERT(fans >= used);
  out->extra_fans = fans - used;
  out->unused_vertices = c->mesh->vertices - used;
  free(seen);
}

static void subtract_edges(counting *c, mesh_census *out) {
  for (size_t v = 0; v < c->mesh->vertices; ++v) {
    const side *s = c->sides.at + c->sides.first[v], *end = c->sides.at + c->sides.first[v + 1];
    for (; s < end; s += run_length(s, end)) --out->part[c->part[s->corner / 3]].euler;
  }
}

void mesh_census_take(const mote_mesh *mesh, mesh_census *out) {
  *out = (mesh_census){0};
  counting c = {.mesh = mesh,
                .sides = sort_sides(mesh),
                .triangle = singles(mesh->triangles),
                .corner = singles(3 * mesh->triangles),
                .part = allocate(mesh->triangles, sizeof *c.part)};
  count_edges(&c, out);
  number_parts(&c, out);
  count_triangles(&c, out);
  count_vertices(&c, out);
  subtract_edges(&c, out);
  for (size_t p = 0; p < out->parts; ++p) {
    out->euler += out->part[p].euler;
    out->not_spheres += out->part[p].euler != 2;
  }
  free(c.sides.first), free(c.sides.at), free(c.triangle), free(c.corner), free(c.part);
}

void mesh_census_free(mesh_census *census) {
  free(census->part);
  *census = (mesh_census){0};
}

size_t mesh_census_defects(const mesh_census *c) {
  return c->open_edges + c->crowded_edges + c->flipped_edges + c->extra_fans + c->flat_triangles +
         c->unused_vertices;
}

// --- Angles -----------------------------------------------------------------------------------------------

#define DEGREES_PER_RADIAN (180.0 / 3.14159265358979323846)

static double angle_at(const double *x, const double *a, const double *b) {
  double u[3], w[3], dot = 0.0, cross = 0.0;
  for (int k = 0; k < 3; ++k) u[k] = a[k] - x[k], w[k] = b[k] - x[k], dot += u[k] * w[k];
  for (int k = 0; k < 3; ++k) {
    double n = u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3];
    cross += n * n;
  }
  return DEGREES_PER_RADIAN * mote_atan2(sqrt(cross), dot);
}

mesh_angles mesh_angles_measure(const mote_mesh *mesh) {
  enum { BINS = 600 };  // of 0.1 degrees: no least angle is above 60
  size_t bin[BINS + 1] = {0}, below = 0, thin = 0, sum = 0, wanted = mesh->triangles / 100;
  mesh_angles out = {.least = mesh->triangles > 0 ? 60.0 : 0.0};
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const double *x[3];
    double least = 60.0;
    for (int k = 0; k < 3; ++k) corner_at(mesh, 3 * t + k, &x[k]);
    for (int k = 0; k < 3; ++k) least = fmin(least, angle_at(x[k], x[(k + 1) % 3], x[(k + 2) % 3]));
    out.least = fmin(out.least, least);
    below += least < 10.0, thin += least < 2.0;
    ++bin[(int)(least * 10.0)];
  }
  int k = 0;
  while (k < BINS && sum + bin[k] <= wanted) sum += bin[k++];
  out.first_percent = 0.1 * k;
  out.below_10 = mesh->triangles > 0 ? (double)below / (double)mesh->triangles : 0.0;
  out.below_2 = mesh->triangles > 0 ? (double)thin / (double)mesh->triangles : 0.0;
  return out;
}
