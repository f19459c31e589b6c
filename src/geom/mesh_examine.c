// What a mesh is like: edges, parts, area, volume, crossings.
#include "base/memory.h"
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
  }
}

// Flat when the height over the longest side is lost in rounding.
bool mote_mesh_is_flat(const mote_mesh *mesh, size_t t, double *area) {
  double longest = 0.0;
  *area = mote_mesh_area(mesh, t);
  for (int k = 0; k < 3; ++k) {
    longest = max2(longest, distance3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k],
                                      mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + (k + 1) % 3]));
  }
  return !(*area > 1e-14 * longest * longest);
}

double mote_mesh_area(const mote_mesh *mesh, size_t t) {
  const uint32_t *v = mesh->triangle + 3 * t;
  double u[3], w[3], n[3];
  sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], u);
  sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], w);
  cross3(u, w, n);
  return 0.5 * length3(n);
}

// A sixth of the box spanned by its corners, seen from `origin`.
double mote_mesh_cone(const mote_mesh *mesh, size_t t, const double origin[3]) {
  double x[3][3], n[3];
  for (int k = 0; k < 3; ++k) sub3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k], origin, x[k]);
  cross3(x[1], x[2], n);
  return dot3(x[0], n) / 6.0;
}

void mote_mesh_bounds(const mote_mesh *mesh, double low[3], double high[3]) {
  set3(HUGE_VAL, HUGE_VAL, HUGE_VAL, low);
  set3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, high);
  for (size_t i = 0; i < 3 * mesh->triangles; ++i) {
    const double *x = mesh->vertex + 3 * (size_t)mesh->triangle[i];
    for (int k = 0; k < 3; ++k) low[k] = min2(low[k], x[k]), high[k] = max2(high[k], x[k]);
  }
  if (mesh->triangles == 0) set3(0.0, 0.0, 0.0, low), set3(0.0, 0.0, 0.0, high);
}

double mote_mesh_volume(const mote_mesh *mesh) {
  double low[3], high[3], middle[3], volume = 0.0;
  mote_mesh_bounds(mesh, low, high);
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (low[k] + high[k]);
  for (size_t t = 0; t < mesh->triangles; ++t) volume += mote_mesh_cone(mesh, t, middle);
  return volume;
}

static void measure(const mote_mesh *mesh, mote_mesh_report *report) {
  for (size_t t = 0; t < mesh->triangles; ++t) {
    double area;
    report->flat_triangles += mote_mesh_is_flat(mesh, t, &area);
    report->area += area;
  }
  report->volume = mote_mesh_volume(mesh);
  mote_mesh_bounds(mesh, report->low, report->high);
}

mote_result mote_mesh_examine(const mote_mesh *mesh, const mote_env *env, mote_mesh_report *report,
                              mote_error *error) {
  if (!report) return mote_fail(error, MOTE_ERROR_ARGUMENT, "a place for the report is needed");
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
  mote_mesh_edges_destroy(&edges);
  if (result) return result;
  measure(mesh, &found);
  found.crossings = crossings.count;
  found.first_crossing[0] = crossings.first[0], found.first_crossing[1] = crossings.first[1];
  *report = found;
  return MOTE_OK;
}
