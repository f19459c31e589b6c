// Access to elastic bodies: see mote/world.h.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "matter/bodies.h"
#include "matter/items.h"
#include "particles/id_map.h"
#include "surface/elastic_skin.h"

size_t mote_world_elastic_particles(const mote_world *world) {
  return mote_world_elastic_rows(world);
}

mote_field_view mote_world_elastic_view(const mote_world *world, const char *field) {
  return mote_kind_view(world, MOTE_KIND_ELASTIC, field);
}

size_t mote_world_elastic_bodies(const mote_world *world) {
  return mote_world_items(world, MOTE_KIND_ELASTIC);
}

mote_body mote_world_elastic_body(const mote_world *world, size_t k, size_t *first, size_t *count) {
  if (k >= mote_world_items(world, MOTE_KIND_ELASTIC)) return (mote_body){0};
  const mote_block *block = &mote_world_store(world)->block[mote_elastic_block(world, k)];
  if (first != NULL) *first = block->first[MOTE_GROUP_ELASTIC];
  if (count != NULL) *count = block->count;
  mote_body_place place;
  bool there = mote_bodies_find(world, mote_body_at(world, mote_elastic_at(world, k)->body)->id, &place);
  return there ? mote_bodies_handle(world, place) : (mote_body){0};
}

// --- Measures -----------------------------------------------------------------------------------------

// Von Mises stress of sigma = P F^T / J.
static double equivalent_stress(const double P[9], const double g[9]) {
  double sigma[9], J = 1.0 + mote_elastic_swelling(g), mean, sum = 0.0;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      sigma[3 * r + c] = P[3 * r + c];
      for (int k = 0; k < 3; ++k) sigma[3 * r + c] += P[3 * r + k] * g[3 * c + k];
    }
  }
  mean = (sigma[0] + sigma[4] + sigma[8]) / 3.0;
  for (int e = 0; e < 9; ++e) {
    double s = sigma[e] - (e % 4 == 0 ? mean : 0.0);
    sum += s * s;
  }
  return sqrt(1.5 * sum) / fabs(J);
}

typedef struct measuring {
  const mote_elastic *body;
  const double *plastic, *metric;
  mote_elastic_measures out;  // starting at the body's first particle
} measuring;

static double plastic_of(const measuring *m, size_t i) {
  const double *plastic = m->plastic + 6 * i;
  return m->metric == NULL ? mote_plastic_size(plastic) : mote_plastic_total(plastic, m->metric + 6 * i);
}

static void measure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const measuring *m = data;
  for (size_t i = begin; i < end; ++i) {
    double g[9], P[9];
    const double *plastic = m->plastic == NULL ? NULL : m->plastic + 6 * i;
    mote_green_part part = mote_green_part_make(&m->body->law, plastic);
    mote_elastic_gradient(m->body, m->body->fit, i, g);
    mote_green_part_within(&part, g, g);  // plastic deformation carries no stress
    part.flowed = false;
    mote_elastic_law_stress(&m->body->law, &part, g, P);
    if (m->out.stress != NULL) m->out.stress[i] = equivalent_stress(P, g);
    if (m->out.plastic != NULL) m->out.plastic[i] = plastic == NULL ? 0.0 : plastic_of(m, i);
    if (m->out.swelling != NULL) m->out.swelling[i] = mote_elastic_swelling(g);
  }
}

static double *from(double *array, size_t first) {
  return array == NULL ? NULL : array + first;
}

mote_result mote_world_elastic_measure(const mote_world *world, const mote_elastic_measures *out,
                                       mote_error *error) {
  if (world == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "world and out must not be NULL");
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    mote_elastic *body = mote_elastic_at(world, k)->elastic;
    mote_elastic_motion motion = mote_elastic_body_motion(world, k);
    size_t first = mote_world_store(world)->block[mote_elastic_block(world, k)].first[MOTE_GROUP_ELASTIC];
    measuring m = {
        body,
        motion.plastic,
        mote_elastic_at(world, k)->renews ? mote_elastic_rows(world, MOTE_ELASTIC_METRIC, k) : NULL,
        {from(out->stress, first), from(out->plastic, first), from(out->swelling, first)}};
    mote_elastic_fit(body, motion.position, true, body->fit);
    mote_parallel_for(world->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, measure_chunk, &m);
  }
  return MOTE_OK;
}

// --- Skins --------------------------------------------------------------------------------------------

struct mote_world_skin {
  const mote_world *world;
  size_t body;  // its number among elastic bodies
  mote_elastic_skin *skin;
  uint64_t *id;  // of the body's particles, in the order in which the skin numbers them
  size_t count;
};

static mote_result find_elastic(const mote_world *world, mote_body body, size_t *k, mote_error *error) {
  mote_body_place place;
  if (world == NULL || !mote_bodies_resolve(world, body, &place)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  }
  size_t definition = mote_bodies_definition(world, place);
  for (*k = 0; *k < mote_world_items(world, MOTE_KIND_ELASTIC); ++*k) {
    if (mote_elastic_at(world, *k)->body == definition) return MOTE_OK;
  }
  char name[MOTE_BODY_NAME_SIZE];
  mote_bodies_name(world, place, name);
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "body \"%s\" is not elastic", name);
}

// The place of its body among those that are there; SIZE_MAX: it is removed.
static size_t place_of(const mote_world_skin *skin) {
  return mote_items_place(skin->world, MOTE_KIND_ELASTIC, skin->body);
}

static const mote_block *block_of(const mote_world_skin *skin) {
  return mote_world_store(skin->world)->block + mote_elastic_block(skin->world, place_of(skin));
}

static const uint64_t *ids_of(const mote_world_skin *skin) {
  return mote_store_ids(mote_world_store(skin->world)) + block_of(skin)->first[0];
}

static mote_result keep_ids(mote_world_skin *skin, mote_error *error) {
  MOTE_ALLOC(skin->id, &skin->world->env, skin->count, error);
  memcpy(skin->id, ids_of(skin), skin->count * sizeof *skin->id);
  return MOTE_OK;
}

// Whether the rows of the block are those that the skin was made of, in their order.
static bool has_rows(const mote_world_skin *skin) {
  size_t count = block_of(skin)->count;
  return count == skin->count && memcmp(ids_of(skin), skin->id, count * sizeof *skin->id) == 0;
}

static mote_result move_by_ids(const mote_world_skin *skin, const double *position, double *vertex,
                               double *normal, mote_arena *scratch, mote_error *error) {
  mote_id_map map;
  MOTE_TAKE_NEW(uint32_t, row, scratch, skin->count, error);
  MOTE_TRY(
      mote_id_map_make(ids_of(skin), block_of(skin)->count, skin->world->env.threads, scratch, &map, error));
  for (size_t i = 0; i < skin->count; ++i) {
    size_t found = mote_id_map_find(&map, skin->id[i]);
    row[i] = found == SIZE_MAX ? MOTE_SKIN_GONE : (uint32_t)found;
  }
  return mote_elastic_skin_move_rows(skin->skin, position, row, vertex, normal, error);
}

mote_result mote_world_skin_create(const mote_world *world, const mote_world_skin_def *def,
                                   mote_world_skin **out, mote_error *error) {
  size_t k = 0;
  if (def == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "def and out must not be NULL");
  }
  MOTE_TRY(find_elastic(world, def->body, &k, error));
  MOTE_ALLOC_NEW(mote_world_skin, skin, &world->env, 1, error);
  *skin = (mote_world_skin){.world = world,
                            .body = mote_item_number(world, MOTE_KIND_ELASTIC, k),
                            .count = mote_elastic_at(world, k)->origin->count};
  uint32_t material = mote_body_at(world, mote_elastic_at(world, k)->body)->material;
  double support = mote_material_at(world, material)->def.elastic.support * world->def.spacing;
  mote_elastic_skin_def own = {
      .kind = def->kind,
      .body = mote_elastic_at(world, k)->origin,
      .position = mote_elastic_rows(world, MOTE_ELASTIC_REST, k),
      .support = def->support == 0.0 ? support : def->support,
      .fast_normals = def->fast_normals,
      .vertex = def->vertex,
      .normal = def->normal,
      .count = def->count,
  };
  mote_result result = keep_ids(skin, error);
  if (result == MOTE_OK) result = mote_elastic_skin_create(&own, &skin->skin, error);
  if (result == MOTE_OK) {
    *out = skin;
  } else {
    mote_world_skin_destroy(skin);
  }
  return result;
}

void mote_world_skin_destroy(mote_world_skin *skin) {
  if (skin == NULL) return;
  mote_env env = skin->world->env;
  if (skin->skin != NULL) mote_elastic_skin_destroy(skin->skin);
  mote_free(&env, skin->id, skin->count, sizeof *skin->id);
  mote_free(&env, skin, 1, sizeof *skin);
}

mote_result mote_world_skin_move(mote_world_skin *skin, const double *position, double *vertex,
                                 double *normal, mote_error *error) {
  if (skin == NULL || vertex == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "skin and vertex must not be NULL");
  }
  if (place_of(skin) == SIZE_MAX)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body of the skin was removed");
  if (position == NULL) position = mote_elastic_rows(skin->world, MOTE_PARTICLE_POSITION, place_of(skin));
  if (has_rows(skin)) return mote_elastic_skin_move(skin->skin, position, vertex, normal, error);
  mote_arena scratch = mote_arena_make(&skin->world->env);
  mote_result result = move_by_ids(skin, position, vertex, normal, &scratch, error);
  mote_arena_destroy(&scratch);
  return result;
}
