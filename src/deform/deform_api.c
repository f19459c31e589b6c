// Creation and reading of a deformation: mote/deform.h.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "deform/deform_data.h"
#include "deform/deform_energy.h"
#include "deform/deform_handles.h"
#include "deform/deform_placing.h"
#include "deform/deform_system.h"
#include "deform/deform_turn.h"
#include "deform/deform_voxels.h"
#include "geom/mesh_parts.h"
#include "geom/triple.h"

#define POINTS_PER_CHUNK 256
#define BEYOND_ROUNDS 3  // of more nodes where vertices lie beyond the others

mote_deform_def mote_deform_def_default(void) {
  return (mote_deform_def){
      .nodes = 160, .neighbours = 16.0, .samples = 4, .weight = {5e6, 1.0, 100.0}, .ties = true};
}

// --- Checks -----------------------------------------------------------------------------------------------

static mote_result check_numbers(const char *key, const double *x, size_t count, mote_error *error) {
  if (x == NULL) return mote_fail_key(error, key, "is null");
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(x[i])) return mote_fail_key(error, key, "is not finite at %zu", i / 3);
  return MOTE_OK;
}

static mote_result check_mesh(const mote_mesh *mesh, mote_error *error) {
  if (mesh->vertices == 0 || mesh->triangles == 0) return mote_fail_key(error, "mesh", "has no triangles");
  if (mesh->vertices >= UINT32_MAX) return mote_fail_key(error, "mesh", "has too many vertices");
  MOTE_TRY(check_numbers("mesh", mesh->vertex, 3 * mesh->vertices, error));
  if (mesh->triangle == NULL) return mote_fail_key(error, "mesh", "has no triangles");
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    if (mesh->triangle[k] >= mesh->vertices)
      return mote_fail_key(error, "mesh", "triangle %zu names vertex %u of %zu", k / 3, mesh->triangle[k],
                           mesh->vertices);
  }
  return MOTE_OK;
}

static mote_result check_def(const mote_deform_def *def, mote_error *error) {
  MOTE_TRY(check_mesh(&def->mesh, error));
  if (def->normal != NULL) MOTE_TRY(check_numbers("normal", def->normal, 3 * def->mesh.vertices, error));
  if (!(def->thickness >= 0.0) || !isfinite(def->thickness))
    return mote_fail_key(error, "thickness", "is %g, negative or not finite", def->thickness);
  if (def->nodes < MOTE_DEFORM_NODES_MIN || def->nodes > MOTE_DEFORM_NODES_MAX)
    return mote_fail_key(error, "nodes", "is %zu, not %d to %d", def->nodes, MOTE_DEFORM_NODES_MIN,
                         MOTE_DEFORM_NODES_MAX);
  if (!(def->neighbours >= 8.0 && def->neighbours <= 40.0))
    return mote_fail_key(error, "neighbours", "is %g, not 8 to 40", def->neighbours);
  if (def->samples < 1 || def->samples > 16)
    return mote_fail_key(error, "samples", "is %d, not 1 to 16", def->samples);
  const double weight[3] = {def->weight.handle, def->weight.rigidity, def->weight.volume};
  for (int k = 0; k < 3; ++k)
    if (!(weight[k] >= 0.0 && weight[k] <= 1e12)) return mote_fail_key(error, "weight", "is %g", weight[k]);
  if (!(def->weight.rigidity > 0.0)) return mote_fail_key(error, "weight.rigidity", "is not positive");
  return MOTE_OK;
}

// --- Creation ---------------------------------------------------------------------------------------------

static mote_result copy_mesh(mote_deform *d, const mote_deform_def *def, mote_error *error) {
  const mote_mesh *from = &def->mesh;
  size_t v = 3 * from->vertices, t = 3 * from->triangles;
  d->mesh = (mote_mesh){.vertices = from->vertices, .triangles = from->triangles};
  MOTE_TAKE(d->mesh.vertex, &d->memory, v, error);
  MOTE_TAKE(d->mesh.triangle, &d->memory, t, error);
  MOTE_TAKE(d->normal, &d->memory, v, error);
  memcpy(d->mesh.vertex, from->vertex, v * sizeof(double));
  memcpy(d->mesh.triangle, from->triangle, t * sizeof(uint32_t));
  if (def->normal != NULL) memcpy(d->normal, def->normal, v * sizeof(double));
  double low[3], high[3];
  mote_mesh_bounds(&d->mesh, low, high);
  d->size = distance3(low, high);
  for (int k = 0; k < 3; ++k) d->centre[k] = 0.5 * (low[k] + high[k]);
  return d->size > 0.0 ? MOTE_OK : mote_fail_key(error, "mesh", "has no extent");
}

// Sums of the triangles' normals by their areas, outward for a mesh of positive volume.
static void set_normals(const mote_deform *d, double *normal) {
  const mote_mesh *mesh = &d->mesh;
  double sign = mote_mesh_volume(mesh) < 0.0 ? -1.0 : 1.0;
  memset(normal, 0, 3 * mesh->vertices * sizeof(double));
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *v = mesh->triangle + 3 * t;
    double a[3], b[3], n[3];
    sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], a);
    sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], b);
    cross3(a, b, n);
    for (int k = 0; k < 3; ++k) step3(normal + 3 * (size_t)v[k], sign, n, normal + 3 * (size_t)v[k]);
  }
  for (size_t i = 0; i < mesh->vertices; ++i) {
    double *n = normal + 3 * i, length = length3(n);
    if (length > 0.0) {
      set3(n[0] / length, n[1] / length, n[2] / length, n);
    } else {
      set3(0.0, 0.0, 1.0, n);
    }
  }
}

// Turns the parts of the mesh outward. The normals to be written keep the sense of the file; `outward`: the
// same ones, turned to where the outside is.
static mote_result turn_mesh(mote_deform *d, const mote_deform_def *def, uint32_t *part, double **outward,
                             mote_error *error) {
  size_t n = 3 * d->mesh.vertices;
  MOTE_TAKE(*outward, &d->memory, n, error);
  memset(part, 0xff, d->mesh.triangles * sizeof *part);
  if (def->thickness <= 0.0) {
    mote_arena own = mote_arena_make(&d->env);
    mote_result result = mote_deform_turn_parts(&d->mesh, part, &own, error);
    mote_arena_destroy(&own);
    if (result != MOTE_OK) return result;
  }
  set_normals(d, *outward);
  for (size_t i = 0; i < n; i += 3) {
    double side = dot3(*outward + i, d->normal + i) < 0.0 ? -1.0 : 1.0;
    for (size_t k = i; k < i + 3; ++k) (*outward)[k] = side * d->normal[k];
  }
  return MOTE_OK;
}

// Nodes, samples and the skin; more nodes where vertices lie beyond the others.
static mote_result place(mote_deform *d, mote_deform_placing *p, const double *outward, mote_arena *own,
                         mote_error *error) {
  MOTE_TRY(mote_deform_space_make(p, &d->memory, own, error));
  for (int round = 0;; ++round) {
    mote_arena_mark mark = mote_arena_here(&d->memory);
    MOTE_TRY(mote_deform_space_tables(p, &d->memory, own, error));
    MOTE_TRY(mote_deform_skin_make(&d->space, d->mesh.vertex, outward, d->normal, d->mesh.vertices,
                                   &d->memory, &d->skin, error));
    if (d->skin.beyond == 0 || round == BEYOND_ROUNDS) return MOTE_OK;
    if (!mote_deform_place_beyond(p, d->mesh.vertex, d->mesh.vertices, d->skin.amount, d->skin.anchor))
      return MOTE_OK;
    mote_deform_place_samples(p);
    MOTE_TRY(mote_deform_find_supports(p, own, error));
    mote_arena_release(&d->memory, mark);
  }
}

static mote_result place_in(mote_deform *d, const mote_deform_def *def, const mote_mesh *mesh,
                            const double *outward, mote_error *error) {
  mote_arena own = mote_arena_make(&d->env);
  mote_deform_placing p = {.space = &d->space, .def = def, .mesh = mesh};
  mote_result result = place(d, &p, outward, &own, error);
  mote_arena_destroy(&own);
  return result;
}

// The mesh as it is; where that is no solid, mended as shapes are.
static mote_result make_space(mote_deform *d, const mote_deform_def *def, const double *outward,
                              mote_error *error) {
  mote_error first = {0};
  mote_mesh mended;
  mote_arena_mark mark = mote_arena_here(&d->memory);
  mote_result result = place_in(d, def, &d->mesh, outward, &first);
  if (result == MOTE_ERROR_ARGUMENT && def->thickness <= 0.0 && strcmp(first.key, "mesh") == 0) {
    mote_arena_release(&d->memory, mark);
    if (mote_mesh_repair(&d->mesh, &d->env, &mended, NULL, NULL) == MOTE_OK) {
      result = place_in(d, def, &mended, outward, &first);
      mote_mesh_free(&mended, &d->env);
    }
  }
  if (result != MOTE_OK && error != NULL) *error = first;
  return result;
}

static mote_result build(mote_deform *d, const mote_deform_def *def, mote_error *error) {
  double *outward;
  MOTE_TRY(copy_mesh(d, def, error));
  if (def->normal == NULL) set_normals(d, d->normal);
  MOTE_TAKE_NEW(uint32_t, part, &d->memory, d->mesh.triangles, error);
  MOTE_TRY(turn_mesh(d, def, part, &outward, error));
  MOTE_TRY(make_space(d, def, outward, error));
  mote_deform_grid *grid = &d->space.grid;
  grid->ties = mote_deform_ties_place(&d->mesh, part, grid->tie, grid->ties);
  size_t n = 3 * (size_t)d->space.nodes;
  MOTE_TAKE(d->rest, &d->memory, n, error);
  MOTE_TAKE(d->position, &d->memory, n, error);
  MOTE_TAKE(d->displacement, &d->memory, n, error);
  MOTE_TAKE(d->residual, &d->memory, n, error);
  for (uint32_t a = 0; a < d->space.nodes; ++a) copy3(d->space.node[a], d->rest + 3 * (size_t)a);
  memcpy(d->position, d->rest, n * sizeof *d->rest);
  MOTE_TRY(mote_deform_shapes_make(&d->space, &d->memory, &d->sample, error));
  return mote_deform_system_create(d, &d->system, error);
}

mote_result mote_deform_create(const mote_deform_def *def, const mote_env *env, mote_deform **out,
                               mote_error *error) {
  if (def == NULL || out == NULL) return mote_fail_key(error, def == NULL ? "def" : "out", "is null");
  MOTE_TRY(check_def(def, error));
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_deform, d, &resolved, 1, error);
  *d = (mote_deform){.env = resolved, .memory = mote_arena_make(&resolved), .weight = def->weight};
  mote_result result = build(d, def, error);
  if (result == MOTE_OK) {
    *out = d;
  } else {
    mote_deform_destroy(d);
  }
  return result;
}

void mote_deform_destroy(mote_deform *d) {
  if (d == NULL) return;
  mote_env env = d->env;
  mote_deform_remove_handles(d);
  mote_free(&env, d->grip, d->grips_capacity, sizeof *d->grip);
  mote_deform_system_destroy(d->system);
  mote_arena_destroy(&d->memory);
  mote_free(&env, d, 1, sizeof *d);
}

// --- State ------------------------------------------------------------------------------------------------

size_t mote_deform_vertices(const mote_deform *d) {
  return d->mesh.vertices;
}

size_t mote_deform_nodes(const mote_deform *d) {
  return d->space.nodes;
}

size_t mote_deform_ties(const mote_deform *d, const mote_deform_tie **tie) {
  if (tie != NULL) *tie = d->space.grid.tie;
  return d->space.grid.ties;
}

double mote_deform_size(const mote_deform *d) {
  return d->size;
}

const double *mote_deform_rest(const mote_deform *d) {
  return d->rest;
}

const double *mote_deform_state(const mote_deform *d) {
  return d->position;
}

mote_result mote_deform_set_state(mote_deform *d, const double *position, mote_error *error) {
  if (d == NULL) return mote_fail_key(error, "deform", "is null");
  MOTE_TRY(check_numbers("position", position, d->system->unknowns, error));
  memcpy(d->position, position, d->system->unknowns * sizeof *position);
  mote_deform_system_renew(d->system);
  return MOTE_OK;
}

void mote_deform_reset(mote_deform *d) {
  memcpy(d->position, d->rest, d->system->unknowns * sizeof *d->rest);
  mote_deform_grips_reset(d);
  mote_deform_system_renew(d->system);
}

mote_result mote_deform_energy(mote_deform *d, const double *position, mote_deform_report *report,
                               double *gradient, mote_error *error) {
  if (d == NULL || report == NULL) return mote_fail_key(error, d == NULL ? "deform" : "report", "is null");
  size_t n = d->system->unknowns;
  MOTE_TRY(check_numbers("position", position, n, error));
  for (size_t i = 0; i < n; ++i) d->displacement[i] = position[i] - d->rest[i];
  if (gradient != NULL) memset(gradient, 0, n * sizeof *gradient);
  *report = (mote_deform_report){.evaluations = 1};
  mote_deform_evaluate(d, d->displacement, true, report, gradient);
  return MOTE_OK;
}

// --- Reading ----------------------------------------------------------------------------------------------

mote_result mote_deform_read_at(mote_deform *d, const double *position, double *vertex, double *normal,
                                mote_error *error) {
  if (d == NULL || vertex == NULL) return mote_fail_key(error, d == NULL ? "deform" : "vertex", "is null");
  MOTE_TRY(check_numbers("position", position, d->system->unknowns, error));
  mote_deform_skin_move(&d->skin, &d->space, position, d->mesh.vertex, d->env.threads, vertex, normal);
  return MOTE_OK;
}

mote_result mote_deform_read(mote_deform *d, double *vertex, double *normal, mote_error *error) {
  return mote_deform_read_at(d, d != NULL ? d->position : NULL, vertex, normal, error);
}

typedef struct interpolation {
  const mote_deform *deform;
  const double *value, *point;
  double *out;
} interpolation;

static void interpolate_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const interpolation *job = data;
  mote_deform_point shapes;
  for (size_t i = begin; i < end; ++i) {
    const double *x = job->point + 3 * i;
    double sum[3] = {0};
    uint32_t anchor = mote_deform_grid_anchor(&job->deform->space.grid, x, NULL);
    mote_deform_shapes_at(&job->deform->space, x, anchor, &shapes);
    for (uint32_t e = 0; e < shapes.count; ++e)
      step3(sum, shapes.value[e], job->value + 3 * (size_t)shapes.node[e], sum);
    copy3(sum, job->out + 3 * i);
  }
}

mote_result mote_deform_interpolate(const mote_deform *d, const double *value, const double *point,
                                    size_t count, double *out, mote_error *error) {
  if (d == NULL || out == NULL) return mote_fail_key(error, d == NULL ? "deform" : "out", "is null");
  MOTE_TRY(check_numbers("value", value, d->system->unknowns, error));
  MOTE_TRY(check_numbers("point", point, 3 * count, error));
  interpolation job = {d, value, point, out};
  mote_parallel_for(d->env.threads, count, POINTS_PER_CHUNK, interpolate_chunk, &job);
  return MOTE_OK;
}

mote_result mote_deform_path_lengths(const mote_deform *d, double from[3], const double *point, size_t count,
                                     double *out, mote_error *error) {
  if (d == NULL || out == NULL) return mote_fail_key(error, d == NULL ? "deform" : "out", "is null");
  MOTE_TRY(check_numbers("from", from, 3, error));
  MOTE_TRY(check_numbers("point", point, 3 * count, error));
  mote_arena own = mote_arena_make(&d->env);
  uint32_t source = mote_deform_grid_anchor(&d->space.grid, from, NULL);
  mote_result result = mote_deform_space_paths(&d->space, source, point, count, &own, out, error);
  if (result == MOTE_OK) mote_deform_grid_place(&d->space.grid, source, from);
  mote_arena_destroy(&own);
  return result;
}

double mote_deform_volume(const mote_deform *d, const double *vertex) {
  double sum = 0.0;
  for (size_t t = 0; t < d->mesh.triangles; ++t) {
    const uint32_t *v = d->mesh.triangle + 3 * t;
    double a[3], b[3], c[3], n[3];
    sub3(vertex + 3 * (size_t)v[0], d->centre, a), sub3(vertex + 3 * (size_t)v[1], d->centre, b);
    sub3(vertex + 3 * (size_t)v[2], d->centre, c);
    cross3(a, b, n);
    sum += dot3(n, c);
  }
  return sum / 6.0;
}
