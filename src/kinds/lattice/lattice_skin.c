// Meshes embedded in lattice bodies, WIC06 (17)-(19): see mote/world.h. The maps of the particles are A
// A(0)^-1, since a lattice may be rotated when the mesh is bound, and weights are normalised. For bodies that
// do not break.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "kinds/lattice/lattice_bodies.h"
#include "kinds/lattice/tuning.inc"
#include "matter/bodies.h"
#include "particles/id_map.h"

#define VERTICES_PER_CHUNK 256

typedef struct tie {
  uint32_t particle;  // its place among those of the skin
  double weight;
  double local[3];  // A(0)^-1 (v - p)
} tie;

struct mote_lattice_skin {
  mote_env env;
  mote_arena memory;
  uint64_t *id;
  size_t particles, vertices;
  tie *tie;
  size_t *first;  // ties of each vertex, and the end
};

typedef struct body_rows {
  const double *x, *basis;
  uint32_t *row;
  size_t count;
} body_rows;

static double weight_of(double distance, double support) {
  double q = distance / support, left = 1.0 - q * q;
  return q < 1.0 ? left * left * left : 0.0;
}

// Ties of one vertex; a vertex that is far from all particles is tied to the nearest one.
static size_t tie_vertex(const body_rows *rows, const double vertex[3], double support, tie *out) {
  size_t count = 0, nearest = 0;
  double least = HUGE_VAL;
  for (size_t k = 0; k < rows->count; ++k) {
    double distance = distance3(rows->x + 3 * (size_t)rows->row[k], vertex);
    if (distance < least) least = distance, nearest = k;
    if (!(distance < support)) continue;
    if (out != NULL) out[count] = (tie){.particle = (uint32_t)k, .weight = weight_of(distance, support)};
    ++count;
  }
  if (count == 0) {
    if (out != NULL) out[0] = (tie){.particle = (uint32_t)nearest, .weight = 1.0};
    count = 1;
  }
  for (size_t t = 0; t < count && out != NULL; ++t) {
    size_t row = rows->row[out[t].particle];
    double inverse[9], r[3];
    sub3(vertex, rows->x + 3 * row, r);
    if (invert3(rows->basis + 9 * row, inverse)) turn3(inverse, r, r);
    copy3(r, out[t].local);
  }
  return count;
}

static mote_result build(mote_lattice_skin *skin, const mote_world *world, uint32_t label,
                         const double *vertex, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t first = mote_lattice_first_row(world), n = mote_world_lattice_rows(world);
  const uint32_t *own = mote_store_u32(store, MOTE_PARTICLE_BODY) + first;
  body_rows rows = {mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first,
                    mote_store_f64(store, MOTE_LATTICE_BASIS),
                    mote_arena_take(&skin->memory, n + 1, sizeof(uint32_t)), 0};
  skin->id = mote_arena_take(&skin->memory, n + 1, sizeof *skin->id);
  skin->first = mote_arena_take(&skin->memory, skin->vertices + 1, sizeof *skin->first);
  if (rows.row == NULL || skin->id == NULL || skin->first == NULL)
    return mote_fail_memory(error, n * sizeof *skin->id);
  for (size_t i = 0; i < n; ++i) {
    if (own[i] != label) continue;
    skin->id[rows.count] = mote_store_ids(store)[first + i];
    rows.row[rows.count++] = (uint32_t)i;
  }
  skin->particles = rows.count;
  if (rows.count == 0) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body has no lattice particles");
  double support = TIE_SUPPORT * world->def.spacing;
  skin->first[0] = 0;
  for (size_t k = 0; k < skin->vertices; ++k)
    skin->first[k + 1] = skin->first[k] + tie_vertex(&rows, vertex + 3 * k, support, NULL);
  MOTE_TAKE(skin->tie, &skin->memory, skin->first[skin->vertices] + 1, error);
  for (size_t k = 0; k < skin->vertices; ++k)
    tie_vertex(&rows, vertex + 3 * k, support, skin->tie + skin->first[k]);
  return MOTE_OK;
}

mote_result mote_world_lattice_skin(const mote_world *world, mote_body body, const double *vertex,
                                    size_t count, mote_lattice_skin **out, mote_error *error) {
  mote_body_place place;
  if (world == NULL || vertex == NULL || out == NULL || !mote_bodies_resolve(world, body, &place))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a skin needs a body of the world, vertices and out");
  MOTE_ALLOC_NEW(mote_lattice_skin, skin, &world->outer, 1, error);
  *skin =
      (mote_lattice_skin){.env = world->outer, .memory = mote_arena_make(&world->outer), .vertices = count};
  skin->env.threads = world->env.threads;
  mote_result result = build(skin, world, mote_bodies_id(world, place) + 1, vertex, error);
  if (result == MOTE_OK) {
    *out = skin;
  } else {
    mote_lattice_skin_destroy(skin);
  }
  return result;
}

void mote_lattice_skin_destroy(mote_lattice_skin *skin) {
  if (skin == NULL) return;
  mote_env env = skin->env;
  mote_arena_destroy(&skin->memory);
  mote_free(&env, skin, 1, sizeof *skin);
}

typedef struct carrying {
  const mote_lattice_skin *skin;
  const size_t *row;  // of each particle now; SIZE_MAX: gone
  const double *x, *basis;
  double *vertex;
} carrying;

static void carry_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const carrying *c = data;
  for (size_t k = begin; k < end; ++k) {
    double sum[3] = {0}, all = 0.0, at[3];
    for (size_t t = c->skin->first[k]; t < c->skin->first[k + 1]; ++t) {
      const tie *own = &c->skin->tie[t];
      size_t row = c->row[own->particle];
      if (row == SIZE_MAX) continue;
      turn3(c->basis + 9 * row, own->local, at);
      step3(at, 1.0, c->x + 3 * row, at);
      step3(sum, own->weight, at, sum);
      all += own->weight;
    }
    for (int a = 0; a < 3 && all > 0.0; ++a) c->vertex[3 * k + (size_t)a] = sum[a] / all;
  }
}

mote_result mote_lattice_skin_move_to(const mote_lattice_skin *skin, const uint64_t *id,
                                      const double *position, const double *basis, size_t count,
                                      double *vertex, mote_error *error) {
  bool given = id != NULL && position != NULL && basis != NULL;
  if (skin == NULL || vertex == NULL || (!given && count > 0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "skin, particles and vertex must not be NULL");
  mote_arena scratch = mote_arena_make(&skin->env);
  mote_id_map map;
  size_t *row = mote_arena_take(&scratch, skin->particles + 1, sizeof *row);
  mote_result result = row == NULL ? mote_fail_memory(error, skin->particles * sizeof *row) : MOTE_OK;
  if (result == MOTE_OK) result = mote_id_map_make(id, count, skin->env.threads, &scratch, &map, error);
  if (result == MOTE_OK) {
    for (size_t k = 0; k < skin->particles; ++k) row[k] = mote_id_map_find(&map, skin->id[k]);
    carrying c = {skin, row, position, basis, vertex};
    mote_parallel_for(skin->env.threads, skin->vertices, VERTICES_PER_CHUNK, carry_chunk, &c);
  }
  mote_arena_destroy(&scratch);
  return result;
}

mote_result mote_lattice_skin_move(const mote_lattice_skin *skin, const mote_world *world, double *vertex,
                                   mote_error *error) {
  if (skin == NULL || world == NULL || vertex == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "skin, world and vertex must not be NULL");
  const mote_store *store = mote_world_store(world);
  size_t first = mote_lattice_first_row(world), n = mote_world_lattice_rows(world);
  return mote_lattice_skin_move_to(skin, mote_store_ids(store) + first,
                                   mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first,
                                   mote_store_f64(store, MOTE_LATTICE_BASIS), n, vertex, error);
}
