// Surfaces of bodies that can break: see mote/world.h. The cut grid of the body follows the cracks of the
// state; if an earlier state was restored, it is rebuilt. Theory: docs/theory/fragments.md
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "elastic/elastic_local_gradients.h"
#include "fragments/fragment_limit.h"
#include "fragments/fragment_mesh.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/fracture_bodies.h"
#include "kinds/elastic/tuning.inc"
#include "matter/bodies.h"
#include "matter/items.h"

struct mote_world_pieces {
  mote_env env;
  size_t body;      // number among elastic bodies
  double spacing;   // m
  uint64_t births;  // bodies that the world has had when the mesh was made
  uint64_t parted;  // a number of the pairs that had come apart then
  mote_body_grid grid;
  mote_fragment_mesh *mesh;
  double *support, *local_gradient;  // of each particle
  uint32_t *root;                    // of each particle
  uint32_t *held;                    // of each particle: its node, where it counts
  uint8_t *clear;                    // of each particle: no crack is near it
  uint64_t *mark;                    // of each particle: a number of those that it is joined to
  size_t support_capacity, local_gradient_capacity, root_capacity, held_capacity, clear_capacity,
      mark_capacity;
  uint32_t *label;     // of each component of the grid: id of its body
  uint32_t *fragment;  // of each triangle: id of its body
  double *vertex;
  size_t label_capacity, fragment_capacity, vertex_capacity;
  size_t labels;  // the largest id and 1
};

static mote_elastic_item *item_of(const mote_world_pieces *p, const mote_world *world, size_t *k) {
  *k = mote_items_place(world, MOTE_KIND_ELASTIC, p->body);
  return *k == SIZE_MAX ? NULL : mote_elastic_at(world, *k);
}

// --- Cracks -----------------------------------------------------------------------------------------------

typedef struct sight {
  const mote_elastic_lists *now, *uncut;
  const double *rest, *position;
  const uint8_t *clear;
  const double *spread;
  const double *local_gradient;
  const mote_cut_grid *grid;
  double joined;  // times its length at rest: a pair is longer only where a crack runs by it
} sight;

static void find_joined(void *user, uint32_t home, const uint32_t *particle, size_t count, double *factor) {
  const sight *s = user;
  for (size_t k = 0; k < count; ++k) {
    factor[k] = 1.0;
    if (s->clear[home] || particle[k] == home) continue;
    if (s->spread[particle[k]] == MOTE_ELASTIC_LOOSE_SPREAD) {
      factor[k] = 0.0;
      continue;
    }
    size_t at = mote_elastic_lists_find(s->now, home, particle[k]);
    factor[k] = at == SIZE_MAX ? 0.0 : s->now->factor != NULL ? s->now->factor[at] : 1.0;
  }
}

static bool is_longer(const sight *s, uint32_t p, uint32_t q, double times) {
  double rest = distance3(s->rest + 3 * (size_t)p, s->rest + 3 * (size_t)q);
  return distance3(s->position + 3 * (size_t)p, s->position + 3 * (size_t)q) > times * rest;
}

// Whether an open crack lies between two particles or beside them. Where the grid does not resolve it, its
// surface must not be stretched between them.
static bool is_apart(void *user, uint32_t p, uint32_t q) {
  const sight *s = user;
  if (s->clear[p] || s->clear[q]) return false;
  bool joined = mote_elastic_lists_find(s->now, p, q) != SIZE_MAX;
  return is_longer(s, p, q, joined ? s->joined : APART_STRETCH);
}

// Whether a node lies beside the outer surface.
static bool is_outermost(const mote_cut_grid *g, uint32_t node) {
  for (int k = 0; k < 2 * MOTE_NODE_EDGES; ++k) {
    const int8_t *d = g->table.direction[k % MOTE_NODE_EDGES];
    const int8_t back[3] = {(int8_t)-d[0], (int8_t)-d[1], (int8_t)-d[2]};
    uint32_t to = mote_cut_grid_neighbour(g, node, k < MOTE_NODE_EDGES ? d : back);
    if (to == MOTE_CUT_NONE || !g->inside[to]) return true;
  }
  return false;
}

// Whether the faces of a crack within a fragment touch at this cut.
static bool is_closed(void *user, size_t cut) {
  const sight *s = user;
  const mote_cut_grid *g = s->grid;
  const double *normal = g->cut[cut].normal;
  uint32_t a = g->cut[cut].edge / MOTE_NODE_EDGES, b = mote_cut_grid_end(g, g->cut[cut].edge);
  uint32_t p = g->home[a], q = g->home[b];
  if (p == q) return true;
  double open[3], offset[3], n[3], by_p[3], by_q[3], edge = 2.0 * g->half;
  const double *F = s->local_gradient + 9 * (size_t)p, *G = s->local_gradient + 9 * (size_t)q;
  sub3(s->rest + 3 * (size_t)q, s->rest + 3 * (size_t)p, offset);
  turn3(F, offset, by_p), turn3(G, offset, by_q), turn3(F, normal, n);
  for (int k = 0; k < 3; ++k)
    open[k] = s->position[3 * (size_t)q + k] - s->position[3 * (size_t)p + k] - 0.5 * (by_p[k] + by_q[k]);
  double length = length3(n), gap = length > 0.0 ? dot3(open, n) / length : 0.0;
  if (dot3(offset, normal) < 0.0) gap = -gap;
  double slip = sqrt(max2(0.0, dot3(open, open) - gap * gap));
  if (gap > SHOWN_GAP * edge || gap < -SHOWN_OVERLAP * edge || slip > SHOWN_SLIP * edge) return false;
  return slip < SHOWN_OUTER_SLIP * edge || !(is_outermost(g, a) || is_outermost(g, b));
}

static bool has_all_pairs(const sight *s, uint32_t i) {
  size_t first = s->now->first[i], end = s->now->first[i + 1];
  if (end - first != s->uncut->first[i + 1] - s->uncut->first[i]) return false;
  for (size_t k = first; s->now->factor != NULL && k < end; ++k)
    if (s->now->factor[k] < 1.0) return false;
  return true;
}

// Particles that, like all their neighbours, have kept all their pairs.
static void find_clear(const sight *s, size_t count, uint8_t *whole, uint8_t *clear) {
  for (uint32_t i = 0; i < count; ++i) whole[i] = has_all_pairs(s, i);
  for (uint32_t i = 0; i < count; ++i) {
    clear[i] = whole[i];
    for (size_t k = s->uncut->first[i]; k < s->uncut->first[i + 1] && clear[i]; ++k)
      clear[i] = whole[s->uncut->neighbour[k]];
  }
}

// Per particle a hash of all results of find_joined for it as a home.
static void find_marks(const sight *s, size_t count, uint64_t *mark) {
  for (uint32_t i = 0; i < count; ++i) {
    mark[i] = s->clear[i];
    for (size_t k = s->now->first[i]; k < s->now->first[i + 1] && !s->clear[i]; ++k) {
      uint32_t j = s->now->neighbour[k];
      uint64_t bits;
      double factor = s->spread[j] == MOTE_ELASTIC_LOOSE_SPREAD ? 0.0
                      : s->now->factor != NULL                  ? s->now->factor[k]
                                                                : 1.0;
      memcpy(&bits, &factor, sizeof bits);
      mark[i] = mote_hash_mix(mote_hash_mix(mark[i] ^ j) ^ bits);
    }
  }
}

// A hash of the separated pairs and of the closed cuts.
static uint64_t count_apart(sight *s, size_t count) {
  const mote_cut_grid *g = s->grid;
  uint64_t sum = 0;
  for (size_t c = 0; c < g->cuts; ++c) {
    uint32_t edge = g->cut[c].edge, a = edge / MOTE_NODE_EDGES, b = mote_cut_grid_end(g, edge);
    if (g->fragment[a] == g->fragment[b] && is_closed(s, c)) sum = mote_hash_mix(sum ^ edge);
  }
  for (uint32_t i = 0; i < count; ++i) {
    size_t at = s->now->first[i], end = s->now->first[i + 1];
    for (size_t k = s->uncut->first[i]; k < s->uncut->first[i + 1] && !s->clear[i]; ++k) {
      uint32_t j = s->uncut->neighbour[k];
      while (at < end && s->now->neighbour[at] < j) ++at;
      bool joined = at < end && s->now->neighbour[at] == j;
      if (j > i && !s->clear[j] && is_longer(s, i, j, joined ? s->joined : APART_STRETCH))
        sum = mote_hash_mix(sum ^ ((uint64_t)i << 32 | j));
    }
  }
  return sum;
}

static sight sight_of(const mote_world_pieces *p, const mote_world *world, size_t k) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  const mote_elastic_material_def *elastic =
      &mote_material_at(world, mote_body_at(world, item->body)->material)->def.elastic;
  return (sight){.now = &item->origin->lists,
                 .uncut = &item->fracture->cut.uncut,
                 .rest = mote_elastic_rows(world, MOTE_ELASTIC_REST, k),
                 .position = mote_elastic_body_motion(world, k).position,
                 .clear = p->clear,
                 .local_gradient = p->local_gradient,
                 .grid = p->grid.grid,
                 .spread = item->origin->spread,
                 .joined = item->elastic == item->origin
                               ? APART_STRETCH + 2.0 * elastic->strength / elastic->young
                               : HUGE_VAL};
}

// --- Labels -----------------------------------------------------------------------------------------------

// The body of each component: that of its first particle.
static mote_result find_labels(mote_world_pieces *p, const uint32_t *body, size_t count, mote_error *error) {
  const mote_cut_grid *g = p->grid.grid;
  const mote_cut_mesh *cut = mote_fragment_mesh_at_rest(p->mesh);
  MOTE_TRY(mote_reserve(&p->env, &p->label, &p->label_capacity, g->fragments, sizeof *p->label, error));
  MOTE_TRY(mote_reserve(&p->env, &p->fragment, &p->fragment_capacity, cut->mesh.triangles,
                        sizeof *p->fragment, error));
  for (size_t f = 0; f < g->fragments; ++f) p->label[f] = 0;
  for (size_t i = count; i-- > 0;)
    if (p->held[i] != MOTE_CUT_NONE && body[i] > 0) p->label[g->fragment[p->held[i]]] = body[i] - 1;
  p->labels = 0;
  for (size_t t = 0; t < cut->mesh.triangles; ++t) {
    p->fragment[t] = p->label[cut->fragment[t]];
    if (p->fragment[t] >= p->labels) p->labels = (size_t)p->fragment[t] + 1;
  }
  return MOTE_OK;
}

// --- Updates ----------------------------------------------------------------------------------------------

static mote_result reserve(mote_world_pieces *p, size_t count, mote_error *error) {
  MOTE_TRY(mote_reserve(&p->env, &p->support, &p->support_capacity, count, sizeof *p->support, error));
  MOTE_TRY(mote_reserve(&p->env, &p->local_gradient, &p->local_gradient_capacity, 9 * count,
                        sizeof *p->local_gradient, error));
  MOTE_TRY(mote_reserve(&p->env, &p->root, &p->root_capacity, count, sizeof *p->root, error));
  MOTE_TRY(mote_reserve(&p->env, &p->held, &p->held_capacity, count, sizeof *p->held, error));
  MOTE_TRY(mote_reserve(&p->env, &p->mark, &p->mark_capacity, count, sizeof *p->mark, error));
  return mote_reserve(&p->env, &p->clear, &p->clear_capacity, 2 * count, sizeof *p->clear, error);
}

// The mesh for the current cracks.
static mote_result renew(mote_world_pieces *p, const mote_world *world, size_t k, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  const mote_elastic *body = item->origin;
  const mote_elastic_material_def *elastic =
      &mote_material_at(world, mote_body_at(world, item->body)->material)->def.elastic;
  const double *eye = mote_elastic_rows(world, MOTE_ELASTIC_EYE, k);
  bool whole;
  MOTE_TRY(mote_body_grid_follow(&p->grid, &item->fracture->cracks, eye, body->count, &whole, error));
  if (whole || p->mesh == NULL) {
    mote_fragment_mesh_destroy(p->mesh);
    p->mesh = NULL;
    MOTE_TRY(mote_fragment_mesh_create(p->grid.grid, &p->mesh, error));
  }
  sight s = sight_of(p, world, k);
  find_clear(&s, body->count, p->clear + body->count, p->clear);
  find_marks(&s, body->count, p->mark);
  for (size_t i = 0; i < body->count; ++i) p->support[i] = SKIN_SUPPORT / elastic->support * body->support[i];
  mote_fracture_main_nodes(world, k, p->grid.node, p->root, p->held);
  for (size_t i = 0; i < body->count; ++i)
    if (body->spread[i] == MOTE_ELASTIC_LOOSE_SPREAD) p->held[i] = MOTE_CUT_NONE;
  mote_cut_matter matter = {.node = p->held,
                            .label = mote_elastic_rows(world, MOTE_PARTICLE_BODY, k),
                            .position = eye,
                            .count = body->count,
                            .least = mote_fracture_least_part(world),
                            .homes = true,
                            .apart = is_apart,
                            .user = &s};
  MOTE_TRY(mote_cut_grid_divide(p->grid.grid, MOTE_BODY_GRID_LEAST, &matter, error));
  mote_cut_grid_close_slits(p->grid.grid, is_closed, &s);
  mote_fragment_set set = {.dimensions = p->grid.dimensions,
                           .position = s.rest,
                           .support = p->support,
                           .uniform_support = SKIN_SUPPORT * p->spacing,
                           .count = body->count,
                           .joined = find_joined,
                           .user = &s,
                           .mark = p->mark};
  return mote_fragment_mesh_update(p->mesh, &set, error);
}

// Whether cracks or labels differ from those of the mesh.
static bool has_changed(const mote_world_pieces *p, const mote_world *world, size_t k) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  const mote_crack_sheets *cracks = &item->fracture->cracks;
  const double *last = p->grid.last;
  if (p->mesh == NULL || p->grid.particles != item->origin->count) return true;
  if (p->grid.triangles != cracks->triangles || p->births != mote_world_bodies(world)) return true;
  if (cracks->triangles == 0) return false;
  sight s = sight_of(p, world, k);
  return memcmp(last, cracks->corner + 9 * (cracks->triangles - 1), sizeof p->grid.last) != 0 ||
         p->parted != count_apart(&s, item->origin->count);
}

mote_result mote_world_pieces_update(mote_world_pieces *pieces, const mote_world *world, mote_error *error) {
  size_t k;
  if (pieces == NULL || world == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "pieces or world is null");
  mote_elastic_item *item = item_of(pieces, world, &k);
  if (item == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body has been removed");
  const double *position = mote_elastic_body_motion(world, k).position;
  MOTE_TRY(reserve(pieces, item->origin->count, error));
  mote_elastic_find_local_gradients(item->origin, position, pieces->local_gradient);
  if (has_changed(pieces, world, k)) {
    MOTE_TRY(renew(pieces, world, k, error));
    sight s = sight_of(pieces, world, k);
    pieces->births = mote_world_bodies(world);
    pieces->parted = count_apart(&s, item->origin->count);
  }
  const mote_cut_mesh *cut = mote_fragment_mesh_at_rest(pieces->mesh);
  MOTE_TRY(find_labels(pieces, mote_elastic_rows(world, MOTE_PARTICLE_BODY, k), item->origin->count, error));
  MOTE_TRY(mote_reserve(&pieces->env, &pieces->vertex, &pieces->vertex_capacity, 3 * cut->mesh.vertices,
                        sizeof(double), error));
  MOTE_TRY(
      mote_fragment_mesh_move(pieces->mesh, position, pieces->local_gradient, pieces->vertex, NULL, error));
  // Plastic matter stretches as it flows; brittle matter does not.
  size_t left;
  bool flows = item->elastic != item->origin;
  return flows ? MOTE_OK
               : mote_fragment_limit(&cut->mesh, TRIANGLE_STRETCH_MAX, &pieces->env, pieces->vertex, &left,
                                     error);
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
         bodies = mote_world_items(world, MOTE_KIND_ELASTIC);
  while (k < bodies && mote_elastic_at(world, k)->body != definition) ++k;
  if (k == bodies || mote_elastic_at(world, k)->fracture == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body is not one that can break");
  MOTE_ALLOC_NEW(mote_world_pieces, p, &world->env, 1, error);
  *p = (mote_world_pieces){.env = world->env, .spacing = world->def.spacing};
  p->body = mote_item_number(world, MOTE_KIND_ELASTIC, k);
  p->grid =
      mote_body_grid_make(mote_body_at(world, mote_elastic_at(world, k)->body)->shape, world->def.dimensions,
                          p->spacing, edge > 0.0 ? edge : MOTE_BODY_GRID_EDGE * p->spacing, &world->env);
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
  mote_body_grid_free(&pieces->grid);
  mote_free(&env, pieces->local_gradient, pieces->local_gradient_capacity, sizeof *pieces->local_gradient);
  mote_free(&env, pieces->root, pieces->root_capacity, sizeof *pieces->root);
  mote_free(&env, pieces->held, pieces->held_capacity, sizeof *pieces->held);
  mote_free(&env, pieces->clear, pieces->clear_capacity, sizeof *pieces->clear);
  mote_free(&env, pieces->mark, pieces->mark_capacity, sizeof *pieces->mark);
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
  return (mote_fragments_view){
      .mesh = now, .fragment = pieces->fragment, .wall = cut->wall, .fragments = pieces->labels};
}

const double *mote_world_pieces_rest(const mote_world_pieces *pieces) {
  if (pieces == NULL || pieces->mesh == NULL) return NULL;
  return mote_fragment_mesh_at_rest(pieces->mesh)->mesh.vertex;
}

size_t mote_world_pieces_stretched(const mote_world_pieces *pieces, double times) {
  if (pieces == NULL || pieces->mesh == NULL) return 0;
  return mote_fragment_mesh_stretched(pieces->mesh, pieces->vertex, times);
}
