// Surfaces of bodies that can break: see mote/world.h. The cut grid of the body follows the cracks of the
// state; where the state has gone back, it is made anew. Theory: docs/theory/fragments.md
#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "matter/bodies.h"
#include "matter/elastic_bodies.h"
#include "matter/fracture.h"
#include "matter/items.h"
#include "surface/fragment_mesh.h"

#define DEFAULT_EDGE 0.5  // spacings
#define LEAST_NODES 8     // of a component of the grid
#define SKIN_SUPPORT 2.2  // spacings in which particles carry a vertex
#define BEYOND 1e3        // spacings by which cracks of 2D bodies reach out of their plane

struct mote_world_pieces {
  mote_env env;
  const mote_shape *shape;
  int dimensions;
  size_t body;           // number among elastic bodies
  double spacing, edge;  // m
  size_t triangles;      // cracks that the grid has
  size_t particles;
  double last[9];  // the last of these triangles
  mote_cut_grid *grid;
  mote_fragment_mesh *mesh;
  uint32_t *node;   // of each particle
  double *support;  // of each particle
  size_t node_capacity, support_capacity;
  uint32_t *label;     // of each component of the grid: id of its body
  uint32_t *fragment;  // of each triangle: id of its body
  double *vertex;
  size_t label_capacity, fragment_capacity, vertex_capacity;
  size_t labels;  // the largest id and 1
};

// A 2D body is a plate, as thick as its spacing.
static double distance_to(void *user, const double x[3]) {
  const mote_world_pieces *p = user;
  double flat = mote_shape_distance(p->shape, x);
  return p->dimensions == 2 ? max2(flat, fabs(x[2]) - 0.5 * p->spacing) : flat;
}

static mote_result make_grid(mote_world_pieces *p, mote_error *error) {
  mote_cut_grid_def def = {.distance = distance_to, .user = p, .edge = p->edge};
  mote_shape_bounds(p->shape, def.low, def.high);
  if (p->dimensions == 2) def.low[2] = -0.5 * p->spacing, def.high[2] = 0.5 * p->spacing;
  mote_fragment_mesh_destroy(p->mesh);
  mote_cut_grid_destroy(p->grid);
  p->mesh = NULL, p->grid = NULL;
  p->triangles = 0;
  MOTE_TRY(mote_cut_grid_create(&def, &p->env, &p->grid, error));
  return mote_fragment_mesh_create(p->grid, &p->mesh, error);
}

static mote_elastic_item *item_of(const mote_world_pieces *p, const mote_world *world, size_t *k) {
  *k = mote_items_place(world, MOTE_ITEM_ELASTIC, p->body);
  return *k == SIZE_MAX ? NULL : mote_elastic_at(world, *k);
}

// --- Cracks
// -------------------------------------------------------------------------------------------------

typedef struct sight {
  const mote_crack_sheets *cracks;
  double opacity, support;
} sight;

static bool is_blocked(void *user, const double a[3], const double b[3]) {
  return mote_crack_cuts(((const sight *)user)->cracks, a, b, NULL);
}

static void find_path_lengths(void *user, const double from[3], const double *to, size_t count, double most,
                              double *length) {
  const sight *s = user;
  (void)most;
  for (size_t k = 0; k < count; ++k)
    length[k] += s->support * mote_crack_detour(s->cracks, s->opacity, from, to + 3 * k, NULL);
}

// Triangles of a segment of a 2D crack, through the plate.
static void extrude(const double *segment, double beyond, double out[18]) {
  const double *a = segment, *b = segment + 3;
  const double corner[18] = {a[0], a[1], -beyond, b[0], b[1], -beyond, b[0], b[1], beyond,
                             a[0], a[1], -beyond, b[0], b[1], beyond,  a[0], a[1], beyond};
  memcpy(out, corner, sizeof corner);
}

// Adds the triangles that the grid does not have; *box holds them.
static mote_result add_cracks(mote_world_pieces *p, const mote_crack_sheets *cracks, double box[6],
                              mote_error *error) {
  for (int k = 0; k < 3; ++k) box[k] = HUGE_VAL, box[3 + k] = -HUGE_VAL;
  for (size_t t = p->triangles; t < cracks->triangles; ++t) {
    const double *corner = cracks->corner + 9 * t;
    double plate[18];
    for (int k = 0; k < 9; ++k)
      box[k % 3] = min2(box[k % 3], corner[k]), box[3 + k % 3] = max2(box[3 + k % 3], corner[k]);
    if (p->dimensions == 2) extrude(corner, BEYOND * p->spacing, plate);
    MOTE_TRY(
        mote_cut_grid_add(p->grid, p->dimensions == 2 ? plate : corner, p->dimensions == 2 ? 2 : 1, error));
    memcpy(p->last, corner, sizeof p->last);
  }
  p->triangles = cracks->triangles;
  return MOTE_OK;
}

static bool has_gone_back(const mote_world_pieces *p, const mote_crack_sheets *cracks) {
  return p->triangles > cracks->triangles ||
         (p->triangles > 0 && memcmp(p->last, cracks->corner + 9 * (p->triangles - 1), sizeof p->last) != 0);
}

// --- Labels
// -------------------------------------------------------------------------------------------------

// The body of each component: that of its first particle.
static mote_result find_labels(mote_world_pieces *p, const uint32_t *body, size_t count, mote_error *error) {
  const mote_cut_grid *g = p->grid;
  const mote_cut_mesh *cut = mote_fragment_mesh_at_rest(p->mesh);
  MOTE_TRY(mote_reserve(&p->env, &p->label, &p->label_capacity, g->fragments, sizeof *p->label, error));
  MOTE_TRY(mote_reserve(&p->env, &p->fragment, &p->fragment_capacity, cut->mesh.triangles,
                        sizeof *p->fragment, error));
  for (size_t f = 0; f < g->fragments; ++f) p->label[f] = 0;
  for (size_t i = count; i-- > 0;)
    if (p->node[i] != MOTE_CUT_NONE && body[i] > 0) p->label[g->fragment[p->node[i]]] = body[i] - 1;
  p->labels = 0;
  for (size_t t = 0; t < cut->mesh.triangles; ++t) {
    p->fragment[t] = p->label[cut->fragment[t]];
    if (p->fragment[t] >= p->labels) p->labels = (size_t)p->fragment[t] + 1;
  }
  return MOTE_OK;
}

// --- Updates
// ------------------------------------------------------------------------------------------------

static mote_result renew(mote_world_pieces *p, const mote_world *world, size_t k, bool whole,
                         mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  const mote_elastic *body = item->origin;
  const mote_crack_sheets *cracks = &item->fracture->cracks;
  const mote_solid_def *solid =
      &mote_material_at(world, mote_body_at(world, item->body)->material)->def.solid;
  double box[6];
  MOTE_TRY(add_cracks(p, cracks, box, error));
  sight s = {cracks, solid->transparency * p->spacing, SKIN_SUPPORT * p->spacing};
  const double *eye = mote_elastic_rows(world, MOTE_ELASTIC_EYE, k);
  MOTE_TRY(mote_reserve(&p->env, &p->node, &p->node_capacity, body->count, sizeof *p->node, error));
  MOTE_TRY(mote_reserve(&p->env, &p->support, &p->support_capacity, body->count, sizeof *p->support, error));
  for (size_t i = 0; i < body->count; ++i) {
    p->node[i] = mote_cut_grid_nearest(p->grid, eye + 3 * i, is_blocked, &s);
    p->support[i] = SKIN_SUPPORT / solid->support * body->support[i];
  }
  p->particles = body->count;
  MOTE_TRY(mote_cut_grid_divide(p->grid, LEAST_NODES, p->node, body->count, error));
  mote_fragment_set set = {.dimensions = p->dimensions,
                           .position = mote_elastic_rows(world, MOTE_ELASTIC_REST, k),
                           .eye = eye,
                           .support = p->support,
                           .uniform_support = s.support,
                           .node = p->node,
                           .count = body->count,
                           .path_length = find_path_lengths,
                           .user = &s};
  // Rays end at eyes, which lie up to a margin off; opacity changes up to that length from a front.
  for (int a = 0; a < 3; ++a)
    box[a] -= s.opacity + 0.1 * p->spacing, box[3 + a] += s.opacity + 0.1 * p->spacing;
  return mote_fragment_mesh_update(p->mesh, &set, whole ? NULL : box, 1, error);
}

mote_result mote_world_pieces_update(mote_world_pieces *pieces, const mote_world *world, mote_error *error) {
  size_t k;
  if (pieces == NULL || world == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "pieces or world is null");
  mote_elastic_item *item = item_of(pieces, world, &k);
  if (item == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body has been removed");
  const mote_crack_sheets *cracks = &item->fracture->cracks;
  bool whole =
      pieces->grid == NULL || has_gone_back(pieces, cracks) || pieces->particles != item->origin->count;
  if (pieces->grid == NULL || has_gone_back(pieces, cracks)) MOTE_TRY(make_grid(pieces, error));
  if (whole || pieces->triangles != cracks->triangles) MOTE_TRY(renew(pieces, world, k, whole, error));
  const mote_cut_mesh *cut = mote_fragment_mesh_at_rest(pieces->mesh);
  MOTE_TRY(find_labels(pieces, mote_elastic_rows(world, MOTE_PARTICLE_BODY, k), item->origin->count, error));
  MOTE_TRY(mote_reserve(&pieces->env, &pieces->vertex, &pieces->vertex_capacity, 3 * cut->mesh.vertices,
                        sizeof(double), error));
  return mote_fragment_mesh_move(pieces->mesh, mote_elastic_body_motion(world, k).position, pieces->vertex,
                                 NULL, error);
}

mote_result mote_world_pieces_create(const mote_world *world, mote_body body, double edge,
                                     mote_world_pieces **out, mote_error *error) {
  mote_body_place place;
  size_t k = 0;
  if (out == NULL || world == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "world or out is null");
  if (!(edge >= 0.0) || !isfinite(edge)) return mote_fail_key(error, "edge", "is %g, not a length", edge);
  if (!mote_bodies_resolve(world, body, &place))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  size_t definition = mote_bodies_definition(world, place),
         bodies = mote_world_items(world, MOTE_ITEM_ELASTIC);
  while (k < bodies && mote_elastic_at(world, k)->body != definition) ++k;
  if (k == bodies || mote_elastic_at(world, k)->fracture == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body is not one that can break");
  mote_world_pieces *p = mote_alloc(&world->env, 1, sizeof *p);
  if (p == NULL) return mote_fail_memory(error, sizeof *p);
  *p = (mote_world_pieces){.env = world->env, .spacing = world->def.spacing};
  p->body = mote_item_number(world, MOTE_ITEM_ELASTIC, k);
  p->shape = mote_body_at(world, mote_elastic_at(world, k)->body)->shape;
  p->dimensions = world->def.dimensions;
  p->edge = edge > 0.0 ? edge : DEFAULT_EDGE * p->spacing;
  mote_result result = mote_world_pieces_update(p, world, error);
  if (result == MOTE_OK) {
    *out = p;
  } else {
    mote_world_pieces_destroy(p);
  }
  return result;
}

void mote_world_pieces_destroy(mote_world_pieces *pieces) {
  if (pieces == NULL) return;
  mote_env env = pieces->env;
  mote_fragment_mesh_destroy(pieces->mesh);
  mote_cut_grid_destroy(pieces->grid);
  mote_free(&env, pieces->node, pieces->node_capacity, sizeof *pieces->node);
  mote_free(&env, pieces->support, pieces->support_capacity, sizeof *pieces->support);
  mote_free(&env, pieces->label, pieces->label_capacity, sizeof *pieces->label);
  mote_free(&env, pieces->fragment, pieces->fragment_capacity, sizeof *pieces->fragment);
  mote_free(&env, pieces->vertex, pieces->vertex_capacity, sizeof *pieces->vertex);
  mote_free(&env, pieces, 1, sizeof *pieces);
}

mote_fragments_view mote_world_pieces_look(const mote_world_pieces *pieces) {
  if (pieces == NULL || pieces->mesh == NULL) return (mote_fragments_view){.fragments = 0};
  const mote_cut_mesh *cut = mote_fragment_mesh_at_rest(pieces->mesh);
  mote_mesh now = cut->mesh;
  now.vertex = pieces->vertex;
  return (mote_fragments_view){now, pieces->fragment, cut->wall, pieces->labels};
}

size_t mote_world_pieces_stretched(const mote_world_pieces *pieces, double times) {
  if (pieces == NULL || pieces->mesh == NULL) return 0;
  return mote_fragment_mesh_stretched(pieces->mesh, pieces->vertex, times);
}
