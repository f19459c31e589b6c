// What a mesh is like: edges, parts, area, volume, angles, crossings.
#include <mote/numeric.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sets.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_parts.h"
#include "geom/tri_cross.h"
#include "geom/triple.h"

static void count_edges(const mote_mesh_edges *edges, mote_mesh_report *report) {
  for (size_t first = 0, run; first < edges->count; first += run) {
    const mote_mesh_edge *e = edges->edge + first;
    run = mote_mesh_edges_run(edges, first);
    report->open_edges += run == 1;
    report->crowded_edges += run > 2;
    report->flipped_edges += run == 2 && e[0].descending == e[1].descending;
    --report->euler;
  }
}

// Corners of triangles that share an edge are of one fan, at either end of it.
static void join_run(const mote_mesh_edge *e, size_t run, uint32_t *parent) {
  for (size_t k = 1; k < run; ++k) {
    for (int end = 0; end < 2; ++end) {
      uint32_t c = 3 * e[0].triangle + (e[0].side + (end != e[0].descending)) % 3u;
      uint32_t d = 3 * e[k].triangle + (e[k].side + (end != e[k].descending)) % 3u;
      mote_set_join(parent, c, d);
    }
  }
}

static mote_result count_fans(const mote_mesh *mesh, const mote_mesh_edges *edges, const mote_env *env,
                              mote_mesh_report *report, mote_error *error) {
  size_t corners = 3 * mesh->triangles;
  uint32_t *parent = mote_alloc(env, corners, sizeof *parent);
  uint8_t *fans = mote_alloc(env, mesh->vertices, sizeof *fans);
  if (parent && fans) {
    for (size_t v = 0; v < mesh->vertices; ++v) fans[v] = 0;
    for (uint32_t c = 0; c < corners; ++c) parent[c] = c;
    for (size_t first = 0, run; first < edges->count; first += run) {
      run = mote_mesh_edges_run(edges, first);
      join_run(edges->edge + first, run, parent);
    }
    for (uint32_t c = 0; c < corners; ++c) {
      uint8_t *count = fans + mesh->triangle[c];
      if (parent[c] == c && *count < 2 && !mote_mesh_repeats_vertex(mesh, c / 3)) ++*count;
    }
    for (size_t v = 0; v < mesh->vertices; ++v) {
      report->pinched_vertices += fans[v] > 1;
      report->euler += fans[v] > 0;
    }
  }
  mote_free(env, parent, corners, sizeof *parent);
  mote_free(env, fans, mesh->vertices, sizeof *fans);
  return parent && fans ? MOTE_OK : mote_fail_memory(error, corners * sizeof *parent + mesh->vertices);
}

// The smallest angle lies opposite the shortest side. 0 for a flat triangle.
static double smallest_angle(const mote_mesh *mesh, size_t t) {
  const double *x[3];
  double side[3], u[3], w[3], n[3];
  for (int k = 0; k < 3; ++k) x[k] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k];
  for (int k = 0; k < 3; ++k) side[k] = distance3(x[(k + 1) % 3], x[(k + 2) % 3]);
  int k = side[0] <= side[1] ? (side[0] <= side[2] ? 0 : 2) : (side[1] <= side[2] ? 1 : 2);
  sub3(x[(k + 1) % 3], x[k], u);
  sub3(x[(k + 2) % 3], x[k], w);
  cross3(u, w, n);
  return mote_atan2(length3(n), dot3(u, w));
}

static int compare_numbers(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static mote_result measure_angles(const mote_mesh *mesh, const mote_env *env, mote_mesh_report *report,
                                  mote_error *error) {
  size_t n = mesh->triangles, thin = 0;
  if (n == 0) return MOTE_OK;
  MOTE_ALLOC_NEW(double, angle, env, n, error);
  for (size_t t = 0; t < n; ++t) angle[t] = smallest_angle(mesh, t);
  qsort(angle, n, sizeof *angle, compare_numbers);
  while (thin < n && angle[thin] < MOTE_PI / 18.0) ++thin;
  report->smallest_angle = angle[0];
  report->low_angle = angle[n / 100];
  report->thin_share = (double)thin / (double)n;
  mote_free(env, angle, n, sizeof *angle);
  return MOTE_OK;
}

static void measure(const mote_mesh *mesh, mote_mesh_report *report) {
  for (size_t t = 0; t < mesh->triangles; ++t) {
    double area;
    report->flat_triangles += mote_mesh_is_flat(mesh, t, &area);
    report->area += area;
    report->euler += !mote_mesh_repeats_vertex(mesh, t);
  }
  report->volume = mote_mesh_volume(mesh);
  mote_mesh_bounds(mesh, report->low, report->high);
  bool closed =
      report->open_edges + report->crowded_edges + report->flipped_edges + report->pinched_vertices == 0;
  report->genus = closed ? (int64_t)report->parts - report->euler / 2 : -1;
}

mote_result mote_mesh_examine(const mote_mesh *mesh, const mote_env *env, mote_mesh_report *report,
                              mote_error *error) {
  if (!report) return mote_fail(error, MOTE_ERROR_ARGUMENT, "out must not be NULL");
  MOTE_TRY(mote_mesh_check(mesh, error));
  mote_env resolved = mote_env_resolve(env);
  mote_mesh_report found = {0};
  mote_mesh_edges edges;
  mote_crossings crossings;
  MOTE_TRY(mote_mesh_edges_create(mesh, &resolved, &edges, error));
  count_edges(&edges, &found);
  mote_mesh_parts parts;
  mote_result result = mote_mesh_parts_create(mesh, &edges, &resolved, &parts, error);
  if (!result) {
    found.parts = parts.count;
    mote_mesh_parts_destroy(&parts);
    result = mote_mesh_crossings(mesh, &resolved, &crossings, error);
  }
  if (!result) result = count_fans(mesh, &edges, &resolved, &found, error);
  if (!result) result = measure_angles(mesh, &resolved, &found, error);
  mote_mesh_edges_destroy(&edges);
  if (result) return result;
  measure(mesh, &found);
  found.crossings = crossings.count;
  found.first_crossing[0] = crossings.first[0], found.first_crossing[1] = crossings.first[1];
  *report = found;
  return MOTE_OK;
}
