// Turning triangles: see mesh_weld.h. A part looks outward when it lies within an even number of others,
// which the solid angles of those, seen from one of its vertices, tell.
#include "base/memory.h"
#include "geom/mesh_parts.h"
#include "geom/mesh_weld.h"
#include "geom/triple.h"
#include "geom/winding.h"

typedef struct part_facts {
  double low[3], high[3], volume;
  size_t triangle;  // one of its own
} part_facts;

static void turn_triangle(mote_mesh *mesh, size_t t) {
  uint32_t *v = mesh->triangle + 3 * t, swap = v[1];
  v[1] = v[2], v[2] = swap;
}

static void gather_facts(const mote_mesh *mesh, const mote_mesh_parts *parts, part_facts *facts) {
  for (size_t p = 0; p < parts->count; ++p) {
    facts[p] = (part_facts){.triangle = SIZE_MAX};
    set3(HUGE_VAL, HUGE_VAL, HUGE_VAL, facts[p].low);
    set3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, facts[p].high);
  }
  for (size_t t = 0; t < mesh->triangles; ++t) {
    part_facts *f = facts + parts->part[t];
    if (f->triangle == SIZE_MAX) f->triangle = t;
    const double *origin = mesh->vertex + 3 * (size_t)mesh->triangle[3 * f->triangle];
    f->volume += mote_mesh_cone(mesh, t, origin);
    for (int c = 0; c < 3; ++c) {
      const double *x = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + c];
      for (int k = 0; k < 3; ++k) f->low[k] = min2(f->low[k], x[k]), f->high[k] = max2(f->high[k], x[k]);
    }
  }
}

static bool contains(const part_facts *f, const double x[3]) {
  for (int k = 0; k < 3; ++k) {
    if (x[k] < f->low[k] || x[k] > f->high[k]) return false;
  }
  return true;
}

// Whether part p lies in an odd number of others.
static bool is_cavity(const mote_mesh *mesh, const mote_mesh_parts *parts, const part_facts *facts,
                      size_t p) {
  const double *x = mesh->vertex + 3 * (size_t)mesh->triangle[3 * facts[p].triangle];
  int around = 0;
  for (size_t q = 0; q < parts->count; ++q) {
    if (q == p || !contains(facts + q, x)) continue;
    double sum = 0.0;
    for (size_t t = 0; t < mesh->triangles; ++t) {
      if (parts->part[t] != q) continue;
      const uint32_t *v = mesh->triangle + 3 * t;
      sum += mote_winding_of_triangle(mesh->vertex + 3 * (size_t)v[0], mesh->vertex + 3 * (size_t)v[1],
                                      mesh->vertex + 3 * (size_t)v[2], x);
    }
    around += fabs(sum) > 0.5;
  }
  return around % 2 == 1;
}

mote_result mote_mesh_turn_parts(mote_mesh *mesh, const mote_mesh_parts *parts, const bool *crosses,
                                 const bool *open, const mote_env *env, size_t *turned, mote_error *error) {
  MOTE_ASSERT(parts->triangles == mesh->triangles && turned != NULL);
  part_facts *facts = mote_alloc(env, parts->count, sizeof *facts);
  bool *turn = mote_alloc(env, parts->count, sizeof *turn);
  bool ok = facts && turn;
  double open_volume = 0.0;
  for (size_t t = 0; ok && t < mesh->triangles; ++t) {
    if (parts->turned[t]) turn_triangle(mesh, t);
  }
  if (ok) gather_facts(mesh, parts, facts);
  for (size_t p = 0; ok && p < parts->count; ++p) open_volume += open && open[p] ? facts[p].volume : 0.0;
  for (size_t p = 0; ok && p < parts->count; ++p) {
    bool crossing = crosses && crosses[p], inward = !crossing && is_cavity(mesh, parts, facts, p);
    turn[p] = open && open[p] ? open_volume < 0.0 : (facts[p].volume < 0.0) != inward;
  }
  *turned = 0;
  for (size_t t = 0; ok && t < mesh->triangles; ++t) {
    if (parts->part[t] == UINT32_MAX) continue;
    if (turn[parts->part[t]]) turn_triangle(mesh, t);
    *turned += turn[parts->part[t]] != parts->turned[t];
  }
  mote_free(env, facts, parts->count, sizeof *facts);
  mote_free(env, turn, parts->count, sizeof *turn);
  return ok ? MOTE_OK : mote_fail_memory(error, parts->count * sizeof *facts);
}

mote_result mote_mesh_orient(mote_mesh *mesh, const mote_env *env, size_t *turned, mote_error *error) {
  MOTE_ASSERT(mesh != NULL && env != NULL);
  mote_mesh_edges edges;
  mote_mesh_parts parts;
  MOTE_TRY(mote_mesh_edges_create(mesh, env, &edges, error));
  mote_result result = mote_mesh_parts_create(mesh, &edges, env, &parts, error);
  mote_mesh_edges_destroy(&edges);
  if (result) return result;
  result = mote_mesh_parts_check(&parts, error);
  if (result == MOTE_OK) result = mote_mesh_turn_parts(mesh, &parts, NULL, NULL, env, turned, error);
  mote_mesh_parts_destroy(&parts);
  return result;
}
