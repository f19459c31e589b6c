// Reading elastic bodies: see mote/world.h.
#include <math.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "surface/elastic_skin.h"
#include "world/elastic_bodies.h"

static const mote_store *solids(const mote_world *world) {
  return &world->now.store[MOTE_STATE_SOLIDS];
}

size_t mote_world_solids(const mote_world *world) {
  return solids(world)->count[0];
}

mote_field_view mote_world_solid_view(const mote_world *world, const char *field) {
  return mote_store_view(solids(world), field, MOTE_ALL_BLOCKS);
}

size_t mote_world_soft_bodies(const mote_world *world) {
  return mote_world_items(world, MOTE_ITEM_SOFT);
}

mote_body mote_world_soft_body(const mote_world *world, size_t k, size_t *first, size_t *count) {
  if (k >= mote_world_items(world, MOTE_ITEM_SOFT)) return (mote_body){0};
  const mote_block *block = &solids(world)->block[k];
  if (first != NULL) *first = block->first[0];
  if (count != NULL) *count = block->count;
  return (mote_body){mote_soft_at(world, k)->body, 1};
}

// --- Measures -----------------------------------------------------------------------------------------

// von Mises' equivalent of sigma = P F^T / J.
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
  mote_solid_measures out;  // of the body's first particle
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
    mote_green_part_within(&part, g, g);  // what has flowed bears nothing
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

mote_result mote_world_solid_measure(const mote_world *world, const mote_solid_measures *out,
                                     mote_error *error) {
  if (world == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "measures need a world and a place to go");
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    mote_elastic *body = mote_soft_at(world, k)->elastic;
    mote_elastic_motion motion = mote_soft_motion(world, k);
    size_t first = solids(world)->block[k].first[0];
    measuring m = {body,
                   motion.plastic,
                   mote_soft_at(world, k)->renews ? mote_soft_rows(world, MOTE_SOLID_METRIC, k) : NULL,
                   {from(out->stress, first), from(out->plastic, first), from(out->swelling, first)}};
    mote_elastic_fit(body, motion.position, true, body->fit);
    mote_parallel_for(world->env.threads, body->count, MOTE_ELASTIC_GRAIN, measure_chunk, &m);
  }
  return MOTE_OK;
}

// --- Skins --------------------------------------------------------------------------------------------

struct mote_world_skin {
  const mote_world *world;
  size_t body;  // its number among elastic ones
  mote_elastic_skin *skin;
};

static mote_result find_soft(const mote_world *world, mote_body body, size_t *k, mote_error *error) {
  bool there = world != NULL && body.generation == 1 && body.index < mote_world_items(world, MOTE_ITEM_BODY);
  if (!there) return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  for (*k = 0; *k < mote_world_items(world, MOTE_ITEM_SOFT); ++*k) {
    if (mote_soft_at(world, *k)->body == body.index) return MOTE_OK;
  }
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "body \"%s\" is not elastic",
                   mote_body_at(world, body.index)->name);
}

mote_result mote_world_skin_create(const mote_world *world, const mote_world_skin_def *def,
                                   mote_world_skin **out, mote_error *error) {
  size_t k = 0;
  if (def == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a skin needs a definition and a place to go");
  }
  MOTE_TRY(find_soft(world, def->body, &k, error));
  mote_world_skin *skin = mote_alloc(&world->env, 1, sizeof *skin);
  if (skin == NULL) return mote_fail_memory(error, sizeof *skin);
  *skin = (mote_world_skin){.world = world, .body = k};
  uint32_t material = mote_body_at(world, def->body.index)->material;
  double support = mote_material_at(world, material)->def.solid.support * world->def.spacing;
  mote_elastic_skin_def own = {
      .kind = def->kind,
      .body = mote_soft_at(world, k)->origin,
      .position = mote_soft_rows(world, MOTE_SOLID_REST, k),
      .support = def->support == 0.0 ? support : def->support,
      .vertex = def->vertex,
      .normal = def->normal,
      .count = def->count,
  };
  mote_result result = mote_elastic_skin_create(&own, &skin->skin, error);
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
  mote_free(&env, skin, 1, sizeof *skin);
}

mote_result mote_world_skin_move(mote_world_skin *skin, const double *position, double *vertex,
                                 double *normal, mote_error *error) {
  if (skin == NULL || vertex == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such skin, or no place for its vertices");
  }
  if (position == NULL) position = mote_soft_rows(skin->world, MOTE_SOLID_POSITION, skin->body);
  return mote_elastic_skin_move(skin->skin, position, vertex, normal, error);
}
