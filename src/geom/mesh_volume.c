// Areas, bounds and volumes of meshes: see mesh_parts.h.
#include "base/check.h"
#include "geom/mesh_parts.h"
#include "geom/triple.h"

// Flat when the height over the longest side is lost in rounding.
bool mote_mesh_is_flat(const mote_mesh *mesh, size_t t, double *area) {
  MOTE_ASSERT(t < mesh->triangles && area != NULL);
  double longest = 0.0;
  *area = mote_mesh_area(mesh, t);
  for (int k = 0; k < 3; ++k) {
    longest = max2(longest, distance3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k],
                                      mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + (k + 1) % 3]));
  }
  return !(*area > 1e-14 * longest * longest);
}

double mote_mesh_area(const mote_mesh *mesh, size_t t) {
  MOTE_ASSERT(t < mesh->triangles);
  const uint32_t *v = mesh->triangle + 3 * t;
  double u[3], w[3], n[3];
  sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], u);
  sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], w);
  cross3(u, w, n);
  return 0.5 * length3(n);
}

// A sixth of the box spanned by its corners, seen from `origin`.
double mote_mesh_cone(const mote_mesh *mesh, size_t t, const double origin[3]) {
  MOTE_ASSERT(t < mesh->triangles);
  double x[3][3], n[3];
  for (int k = 0; k < 3; ++k) sub3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k], origin, x[k]);
  cross3(x[1], x[2], n);
  return dot3(x[0], n) / 6.0;
}

void mote_mesh_bounds(const mote_mesh *mesh, double low[3], double high[3]) {
  MOTE_ASSERT(mesh->vertex != NULL || mesh->triangles == 0);
  set3(HUGE_VAL, HUGE_VAL, HUGE_VAL, low);
  set3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, high);
  for (size_t i = 0; i < 3 * mesh->triangles; ++i) {
    const double *x = mesh->vertex + 3 * (size_t)mesh->triangle[i];
    for (int k = 0; k < 3; ++k) low[k] = min2(low[k], x[k]), high[k] = max2(high[k], x[k]);
  }
  if (mesh->triangles == 0) set3(0.0, 0.0, 0.0, low), set3(0.0, 0.0, 0.0, high);
}

double mote_mesh_volume(const mote_mesh *mesh) {
  MOTE_ASSERT(mesh->vertex != NULL || mesh->triangles == 0);
  double low[3], high[3], middle[3], volume = 0.0;
  mote_mesh_bounds(mesh, low, high);
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (low[k] + high[k]);
  for (size_t t = 0; t < mesh->triangles; ++t) volume += mote_mesh_cone(mesh, t, middle);
  return volume;
}
