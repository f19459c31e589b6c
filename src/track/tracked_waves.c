// Linear waves on a tracked mesh (YU11 5.4): heights along its normals, with the operators of the mesh. The
// law is a function of M = A^-1 W, which is symmetric in the inner product weighted by area: energy is
// conserved, and the mean height, since M 1 = 0. docs/theory/tracking.md
#include <mote/numeric.h>
#include <string.h>

#include "geom/triple.h"
#include "mesh/surface_parts.h"
#include "track/chebyshev_power.h"
#include "track/mesh_operators.h"
#include "track/tracked_cross.h"
#include "track/tracked_mesh.h"
#include "track/tuning.inc"

#define PART_ROUNDS 3    // of Newton's method for a part's volume
#define LOWER_ROUNDS 12  // of heights at crossings: 1/4096 is left
#define STEPS_MOST 1000000

mote_wave_def mote_wave_def_default(void) {
  return (mote_wave_def){.law = MOTE_WAVE_CAPILLARY, .strength = 7.28e-5, .highest = 1.0};
}

static mote_result check_def(const mote_wave_def *def, mote_error *error) {
  if ((unsigned)def->law > MOTE_WAVE_CAPILLARY) return mote_fail_key(error, "law", "no such law");
  if ((unsigned)def->source > MOTE_WAVE_PRINTED) return mote_fail_key(error, "source", "no such source");
  if (def->source == MOTE_WAVE_PRINTED && def->law != MOTE_WAVE_PLATE)
    return mote_fail_key(error, "source", "the printed source is that of the law plate");
  if (!(def->strength > 0.0 && isfinite(def->strength)))
    return mote_fail_key(error, "strength", "must be above 0");
  if (!(def->spring >= 0.0 && isfinite(def->spring))) return mote_fail_key(error, "spring", "0 or more");
  if (!(def->damping >= 0.0 && isfinite(def->damping))) return mote_fail_key(error, "damping", "0 or more");
  if (!(def->highest > 0.0)) return mote_fail_key(error, "highest", "must be above 0");
  return MOTE_OK;
}

typedef struct waves {
  mote_tracked *t;
  const mote_wave_def *def;
  mote_mesh_operators o;
  mote_chebyshev_power power;
  double largest;         // eigenvalue of M
  double *height, *rate;  // fields
  double *force, *work;   // force: -h''; work: 3 a row
  double *most;           // height of each row, m
  double *source;         // of each row, m/s^2; null: none
} waves;

// Heights are limited to `highest` edge lengths (YU11 5.4), and to less at sharp edges, where waves would
// cross.
static void limit_heights(waves *w) {
  mote_mesh_operators_apply(&w->o, w->t->position, 3, w->work);
  mote_mesh_operators_sharpness(&w->o, w->work, 1, w->force, w->most);
  for (size_t v = 0; v < w->o.vertices; ++v) {
    double q = w->most[v] * w->t->def.edge / SHARP_WAVE_CURVATURE, q2 = q * q;
    w->most[v] = w->def->highest * w->t->def.edge / (1.0 + q2 * q2);
  }
}

// Thin triangles cause eigenvalues of M that would require thousands of substeps: their vertices get more
// inertia, so that no eigenvalue is above 2 BAD_ROW / edge^2 (Gershgorin).
static void bound_eigenvalues(waves *w) {
  double edge = w->t->def.edge;
  for (size_t v = 0; v < w->o.vertices; ++v) {
    double sum = 0.0;
    for (uint32_t k = w->o.first[v]; k < w->o.first[v + 1]; ++k) sum += fabs(w->o.weight[k]);
    w->o.area[v] = max2(w->o.area[v], sum * edge * edge / BAD_ROW);
  }
}

// Subtracts the mean, weighted by area and by where the source acts, from the source in the part of a vertex,
// so that the mean height of the part is conserved. Marks all vertices of the part as seen; stack: one per
// vertex.
static void level_part(waves *w, uint32_t begin, uint32_t *stack, bool *seen) {
  double sum = 0.0, weights = 0.0;
  size_t first = 0, end = 1;
  stack[0] = begin, seen[begin] = true;
  for (; first < end; ++first) {
    uint32_t v = stack[first];
    sum += w->o.area[v] * w->most[v] * w->source[v], weights += w->o.area[v] * w->most[v];
    for (uint32_t k = w->o.first[v]; k < w->o.first[v + 1]; ++k) {
      uint32_t n = w->o.neighbour[k];
      if (!seen[n]) seen[n] = true, stack[end++] = n;
    }
  }
  double mean = weights > 0.0 ? sum / weights : 0.0, full = w->def->highest * w->t->def.edge;
  for (size_t i = 0; i < end; ++i)
    w->source[stack[i]] = (w->source[stack[i]] - mean) * w->most[stack[i]] / full;
}

// The source as printed: force of the plate's energy (YU11 5.4) on the mesh itself, along its normals,
// without the mean of each part, which would change its volume; smaller where heights are limited more.
static mote_result find_source(waves *w, mote_error *error) {
  size_t n = w->o.vertices;
  mote_arena *arena = &w->t->scratch;
  MOTE_TAKE_NEW(uint32_t, stack, arena, n, error);
  MOTE_TAKE_NEW(bool, seen, arena, n, error);
  MOTE_TAKE_NEW(double, bend, arena, 3 * n, error);
  MOTE_TAKE(w->source, arena, n, error);
  mote_mesh_operators_apply(&w->o, w->t->position, 3, bend);
  for (size_t i = 0; i < 3 * n; ++i) bend[i] = w->o.area[i / 3] > 0.0 ? bend[i] / w->o.area[i / 3] : 0.0;
  mote_mesh_operators_apply(&w->o, bend, 3, w->work);
  for (uint32_t v = 0; v < n; ++v) {
    double normal[3] = {0.0, 0.0, 0.0};
    seen[v] = !(w->o.area[v] > 0.0);
    if (!seen[v]) mote_tracked_normal(w->t, v, normal);
    w->source[v] =
        seen[v] ? 0.0 : -2.0 * w->def->strength * dot3(w->work + 3 * (size_t)v, normal) / w->o.area[v];
  }
  for (uint32_t v = 0; v < n; ++v) {
    if (!seen[v]) level_part(w, v, stack, seen);
  }
  return MOTE_OK;
}

static mote_result begin(waves *w, mote_error *error) {
  mote_tracked *t = w->t;
  size_t n = t->edges.vertices;
  static const char *const name[2] = {"wave_height", "wave_rate"}, *const unit[2] = {"m", "m/s"};
  for (int k = 0; k < 2; ++k) {
    if (mote_tracked_field_values(t, name[k]) == NULL)
      MOTE_TRY(mote_tracked_set_field(t, name[k], unit[k], 1, NULL, error));
  }
  w->height = mote_tracked_field_values(t, name[0]), w->rate = mote_tracked_field_values(t, name[1]);
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  MOTE_TRY(mote_mesh_operators_make(&t->edges, t->position, t->env.threads, &t->scratch, &w->o, error));
  MOTE_TAKE(w->force, &t->scratch, n, error);
  MOTE_TAKE(w->work, &t->scratch, 3 * n, error);
  MOTE_TAKE(w->most, &t->scratch, n, error);
  bound_eigenvalues(w);
  limit_heights(w);
  w->largest = n > 0 ? LARGEST_MARGIN * mote_mesh_operators_largest(&w->o, w->work) : 0.0;
  w->power = mote_chebyshev_power_make();
  return w->def->source == MOTE_WAVE_PRINTED ? find_source(w, error) : MOTE_OK;
}

// f(M) h + spring h - source; M sqrt(M) is end^1.5 (M/end)^1.5.
static void find_force(waves *w) {
  size_t n = w->o.vertices;
  double s = w->def->strength, end = SERIES_MARGIN * w->largest;
  if (w->def->law == MOTE_WAVE_CAPILLARY) {
    const double *sum =
        mote_mesh_operators_series(&w->o, end, w->power.c, MOTE_CHEBYSHEV_DEGREE, w->height, w->work);
    mote_mesh_operators_laplace(&w->o, sum, w->force);
    for (size_t v = 0; v < n; ++v) w->force[v] *= s * sqrt(end);
  } else if (w->def->law == MOTE_WAVE_STRING) {
    mote_mesh_operators_laplace(&w->o, w->height, w->force);
    for (size_t v = 0; v < n; ++v) w->force[v] *= s * s;
  } else {
    mote_mesh_operators_laplace(&w->o, w->height, w->work);
    mote_mesh_operators_laplace(&w->o, w->work, w->force);
    for (size_t v = 0; v < n; ++v) w->force[v] *= 2.0 * s;
  }
  for (size_t v = 0; v < n; ++v)
    w->force[v] += w->def->spring * w->height[v] - (w->source != NULL ? w->source[v] : 0.0);
}

// The highest frequency that the mesh carries, 1/s.
static double highest_frequency(const waves *w) {
  double m = w->largest, s = w->def->strength;
  double f = w->def->law == MOTE_WAVE_PLATE    ? 2.0 * s * m * m
             : w->def->law == MOTE_WAVE_STRING ? s * s * m
                                               : s * m * sqrt(m);
  return sqrt(f + w->def->spring);
}

static void kick(waves *w, double dt) {
  double kept = mote_exp(-2.0 * w->def->damping * dt);
  for (size_t v = 0; v < w->o.vertices; ++v) w->rate[v] = kept * w->rate[v] - dt * w->force[v];
}

static void drift(waves *w, double dt) {
  for (size_t v = 0; v < w->o.vertices; ++v) {
    w->height[v] += dt * w->rate[v];
    if (fabs(w->height[v]) <= w->most[v]) continue;
    w->height[v] = w->height[v] > 0.0 ? w->most[v] : -w->most[v];
    w->rate[v] = 0.0;
  }
}

mote_result mote_tracked_waves(mote_tracked *t, const mote_wave_def *def, double dt, size_t *steps,
                               mote_error *error) {
  if (t == NULL || def == NULL || !(dt >= 0.0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a mesh, waves and a time of 0 or more are needed");
  MOTE_TRY(check_def(def, error));
  waves w = {.t = t, .def = def};
  MOTE_TRY(begin(&w, error));
  if (steps != NULL) *steps = 0;
  if (!(w.largest > 0.0) || dt == 0.0) return MOTE_OK;
  double count = ceil(dt * highest_frequency(&w) / (2.0 * STABLE_STEP_SHARE));
  if (!(count <= STEPS_MOST))
    return mote_fail(
        error, MOTE_ERROR_ARGUMENT,
        "waves of strength %g need %g steps in %g s on this mesh: reduce it (track.waves.strength)",
        def->strength, count, dt);
  double step = dt / count;
  find_force(&w);
  for (size_t k = 0; k < (size_t)count; ++k) {
    kick(&w, 0.5 * step);
    drift(&w, step);
    find_force(&w);
    kick(&w, 0.5 * step);
  }
  if (steps != NULL) *steps = (size_t)count;
  return MOTE_OK;
}

mote_result mote_tracked_wave_energy(mote_tracked *t, const mote_wave_def *def, double *energy,
                                     mote_error *error) {
  if (t == NULL || def == NULL || energy == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mesh, waves and energy must not be NULL");
  MOTE_TRY(check_def(def, error));
  waves w = {.t = t, .def = def};
  *energy = 0.0;
  MOTE_TRY(begin(&w, error));
  if (!(w.largest > 0.0)) return MOTE_OK;
  find_force(&w);
  for (size_t v = 0; v < w.o.vertices; ++v) {
    double source = w.source != NULL ? w.source[v] : 0.0;
    *energy += 0.5 * w.o.area[v] * (w.rate[v] * w.rate[v] + w.height[v] * (w.force[v] - source));
  }
  return MOTE_OK;
}

// --- The surface with its waves ---------------------------------------------------------------------------

// Volume and area of each part of the mesh.
static void measure_parts(const mote_mesh *mesh, const uint32_t *part, size_t parts, double *volume,
                          double *area) {
  for (size_t p = 0; p < parts; ++p) volume[p] = area[p] = 0.0;
  for (size_t f = 0; f < mesh->triangles; ++f) {
    const uint32_t *v = mesh->triangle + 3 * f;
    double x[3][3], u[3], w[3], n[3];
    for (int k = 0; k < 3; ++k) sub3(mesh->vertex + 3 * (size_t)v[k], mesh->vertex, x[k]);
    sub3(x[1], x[0], u), sub3(x[2], x[0], w);
    cross3(u, w, n);
    area[part[v[0]]] += 0.5 * length3(n), volume[part[v[0]]] += dot3(x[0], n) / 6.0;
  }
}

typedef struct raising {
  mote_mesh *mesh;  // the result
  const double *base;
  double *normal, *height;
  double *share;  // of the height and of the shift that a vertex makes: 1, less where it would cross
  uint32_t *part;
  size_t parts;
  double *before, *now;  // volumes and areas of the parts
} raising;

// Mesh + h n, each part shifted along the normals so that its volume is conserved.
static void raise_vertices(raising *r) {
  size_t n = r->mesh->vertices;
  for (size_t v = 0; v < n; ++v)
    step3(r->base + 3 * v, r->share[v] * r->height[v], r->normal + 3 * v, r->mesh->vertex + 3 * v);
  for (int round = 0; round < PART_ROUNDS; ++round) {
    measure_parts(r->mesh, r->part, r->parts, r->now, r->now + r->parts);
    for (size_t v = 0; v < n; ++v) {
      double area = r->now[r->parts + r->part[v]], lack = r->before[r->part[v]] - r->now[r->part[v]];
      if (area > 0.0)
        step3(r->mesh->vertex + 3 * v, r->share[v] * lack / area, r->normal + 3 * v, r->mesh->vertex + 3 * v);
    }
  }
}

// Where waves cross, their heights are halved in each round.
static mote_result lower_crossed(mote_tracked *t, raising *r, mote_error *error) {
  MOTE_TAKE_NEW(uint8_t, marked, &t->scratch, r->mesh->vertices, error);
  size_t crossings = 1;
  for (int round = 0; round < LOWER_ROUNDS; ++round) {
    memset(marked, 0, r->mesh->vertices);
    MOTE_TRY(
        mote_cross_mark(r->mesh, t->def.edge, NULL, t->env.threads, &t->scratch, marked, &crossings, error));
    if (crossings == 0) break;
    for (size_t f = 0; f < r->mesh->triangles; ++f) {
      const uint32_t *v = r->mesh->triangle + 3 * f;
      if (marked[v[0]] != 1 && marked[v[1]] != 1 && marked[v[2]] != 1) continue;
      for (int k = 0; k < 3; ++k) marked[v[k]] = marked[v[k]] == 1 ? 1 : 2;  // and their neighbours
    }
    for (size_t v = 0; v < r->mesh->vertices; ++v) r->share[v] *= marked[v] != 0 ? 0.5 : 1.0;
    raise_vertices(r);
  }
  return MOTE_OK;
}

static mote_result add_waves(mote_tracked *t, mote_surface *s, const double *height, mote_error *error) {
  mote_arena *arena = &t->scratch;
  size_t n = s->mesh.vertices, at = 0;
  mote_arena_release(arena, (mote_arena_mark){0});
  raising r = {.mesh = &s->mesh, .part = mote_arena_take(arena, n, sizeof *r.part)};
  double *base = mote_arena_take(arena, 3 * n, sizeof *base);
  r.normal = mote_arena_take(arena, 3 * n, sizeof *r.normal);
  r.height = mote_arena_take(arena, n, sizeof *r.height);
  r.share = mote_arena_take(arena, n, sizeof *r.share);
  if (r.part == NULL || base == NULL || r.normal == NULL || r.height == NULL || r.share == NULL)
    return mote_fail_memory(error, 8 * n * sizeof *base);
  r.base = memcpy(base, s->mesh.vertex, 3 * n * sizeof *base);
  r.parts = mote_surface_parts(&s->mesh, r.part);
  MOTE_TAKE(r.before, arena, 2 * r.parts, error);
  MOTE_TAKE(r.now, arena, 2 * r.parts, error);
  measure_parts(&s->mesh, r.part, r.parts, r.before, r.before + r.parts);
  for (uint32_t v = 0; v < t->edges.vertices; ++v) {
    if (t->edges.first[v] == MOTE_NO_EDGE) continue;
    mote_tracked_normal(t, v, r.normal + 3 * at);
    r.share[at] = 1.0, r.height[at] = height[v];
    ++at;
  }
  raise_vertices(&r);
  return lower_crossed(t, &r, error);
}

mote_result mote_tracked_wave_surface(mote_tracked *t, mote_surface *out, mote_error *error) {
  MOTE_TRY(mote_tracked_surface(t, out, error));
  const double *height = mote_tracked_field_values(t, "wave_height");
  if (height == NULL || out->mesh.vertices == 0) return MOTE_OK;
  mote_result result = add_waves(t, out, height, error);
  if (result) mote_surface_free(out, &t->env);
  return result;
}
