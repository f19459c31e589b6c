// All contact records of a scene, body by body on all threads: see contact.h. Each chunk of bodies writes
// into its own memory; the chunks are joined in order.
#include <string.h>

#include "base/parallel.h"
#include "contact/contact_narrow.h"
#include "contact/tuning.inc"
#include "geom/shape_tree.h"

#define BODIES_PER_CHUNK 16  // chosen by eye

mote_result mote_contact_finder_create(const mote_env *env, mote_contact_finder **out, mote_error *error) {
  MOTE_ASSERT(env != NULL && out != NULL);
  MOTE_ALLOC_NEW(mote_contact_finder, finder, env, 1, error);
  *finder = (mote_contact_finder){.env = *env};
  *out = finder;
  return MOTE_OK;
}

void mote_contact_finder_destroy(mote_contact_finder *finder) {
  if (finder == NULL) return;
  mote_env env = finder->env;
  for (size_t k = 0; k < finder->chunks; ++k) {
    const mote_contact_pair_list *pairs = &finder->chunk[k].pairs;
    mote_free(&env, finder->chunk[k].set.contact, finder->chunk[k].set.capacity, sizeof(mote_contact));
    mote_free(&env, pairs->pair, pairs->capacity, sizeof *pairs->pair);
  }
  mote_free(&env, finder->spare.contact, finder->spare.capacity, sizeof(mote_contact));
  mote_free(&env, finder->chunk, finder->chunks, sizeof *finder->chunk);
  mote_free(&env, finder->cache, finder->cache_capacity, sizeof *finder->cache);
  mote_contact_pairs_free(&finder->pairs, &env);
  mote_free(&env, finder, 1, sizeof *finder);
}

// --- Chunks -------------------------------------------------------------------------------------------

typedef struct find_job {
  mote_contact_finder *finder;
  const mote_contact_scene *scene;
  const uint8_t *changed;
} find_job;

static mote_result find_pair(const find_job *job, mote_contact_pair pair, mote_contact_set *set) {
  mote_contact found[MOTE_CONTACT_PAIR_RECORDS];
  size_t count = mote_contact_find_pair(job->scene, job->finder->cache, pair, job->changed != NULL, found);
  if (count == 0) return MOTE_OK;
  MOTE_TRY(mote_reserve(&job->finder->env, &set->contact, &set->capacity, set->count + count,
                        sizeof *set->contact, NULL));
  memcpy(set->contact + set->count, found, count * sizeof *found);
  set->count += count;
  return MOTE_OK;
}

static bool moves(const mote_contact_scene *scene, uint32_t k) {
  const mote_obstacle *s = scene->obstacle + k;
  return s->inverse_mass > 0.0 || s->inverse_inertia[0] + s->inverse_inertia[4] + s->inverse_inertia[8] > 0.0;
}

// --- Deep overlap -------------------------------------------------------------------------------------

// Direction in which a leaves b: from centre to centre, or the gradient of the field where b has no centre.
static void direction_out(const mote_contact_scene *scene, uint32_t a, uint32_t b, double out[3]) {
  const mote_obstacle *from = scene->obstacle + b, *to = scene->obstacle + a;
  mote_contact_between(scene, to->x, from->x, out);
  if (b >= scene->bodies || !(length3(out) > 0.0)) mote_obstacle_distance(from, 0.0, to->x, out);
  double length = length3(out);
  for (int k = 0; k < 3; ++k) out[k] /= length;
}

// Normals of samples deep inside an obstacle point in all directions and block each other. In a deep overlap,
// all overlapping contacts of the pair get the same normal, and of the others those with another are dropped.
static void align_normals(const mote_contact_scene *scene, mote_contact_pair pair, size_t first,
                          mote_contact_set *set) {
  double deepest = 0.0, out[3];
  for (size_t k = first; k < set->count; ++k) deepest = min2(deepest, set->contact[k].gap);
  if (deepest >= -DEEP_OVERLAP * scene->spacing) return;
  direction_out(scene, pair.a, pair.b, out);
  size_t kept = first;
  for (size_t k = first; k < set->count; ++k) {
    mote_contact c = set->contact[k];
    double sign = c.a == pair.a ? 1.0 : -1.0;
    if (c.gap >= 0.0 && !(sign * dot3(c.normal, out) > SAME_NORMAL_COSINE)) continue;
    for (int i = 0; i < 3; ++i) c.normal[i] = sign * out[i];
    set->contact[kept++] = c;
  }
  set->count = kept;
}

static mote_result find_of(const find_job *job, size_t a, mote_contact_chunk *own) {
  const mote_contact_finder *finder = job->finder;
  MOTE_TRY(
      mote_contact_pairs_of(&finder->pairs, job->scene, job->changed, a, &finder->env, &own->pairs, NULL));
  for (size_t k = 0; k < own->pairs.count; ++k) {
    mote_contact_pair pair = own->pairs.pair[k];
    size_t first = own->set.count;
    if (!moves(job->scene, pair.a) && !moves(job->scene, pair.b)) continue;
    MOTE_TRY(find_pair(job, pair, &own->set));
    align_normals(job->scene, pair, first, &own->set);
  }
  return MOTE_OK;
}

static void find_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const find_job *job = data;
  mote_contact_chunk *own = job->finder->chunk + begin / BODIES_PER_CHUNK;
  own->set.count = 0;
  own->result = MOTE_OK;
  for (size_t a = begin; a < end && own->result == MOTE_OK; ++a) own->result = find_of(job, a, own);
}

static void cache_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const find_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    if (job->changed != NULL && !job->changed[k]) continue;
    job->finder->cache[k] = mote_contact_cache_of(job->scene, job->scene->obstacle + k);
  }
}

static mote_result reserve_chunks(mote_contact_finder *finder, size_t count, mote_error *error) {
  size_t old = finder->chunks;
  MOTE_TRY(mote_reserve(&finder->env, &finder->chunk, &finder->chunks, count, sizeof *finder->chunk, error));
  for (size_t k = old; k < finder->chunks; ++k) finder->chunk[k] = (mote_contact_chunk){0};
  return MOTE_OK;
}

typedef struct join_job {
  const mote_contact_finder *finder;
  mote_contact *out;
} join_job;

static void join_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const join_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    const mote_contact_chunk *c = job->finder->chunk + k;
    if (c->set.count > 0) memcpy(job->out + c->first, c->set.contact, c->set.count * sizeof *job->out);
  }
}

static mote_result join(const mote_contact_finder *finder, size_t chunks, int threads, mote_contact_set *out,
                        mote_error *error) {
  size_t total = 0;
  for (size_t k = 0; k < chunks; ++k) {
    mote_contact_chunk *c = finder->chunk + k;
    if (c->result != MOTE_OK) return mote_fail_memory(error, c->set.count * sizeof(mote_contact));
    c->first = total;
    total += c->set.count;
  }
  MOTE_TRY(mote_reserve(&finder->env, &out->contact, &out->capacity, total, sizeof *out->contact, error));
  out->count = total;
  join_job job = {finder, out->contact};
  mote_parallel_for(threads, chunks, BODIES_PER_CHUNK, join_chunk, &job);
  return MOTE_OK;
}

mote_result mote_contact_find(mote_contact_finder *finder, const mote_contact_scene *scene,
                              const uint8_t *changed, mote_contact_set *out, mote_error *error) {
  MOTE_ASSERT(scene->bodies <= scene->obstacles);
  MOTE_ASSERT(scene->obstacle != NULL || scene->obstacles == 0);
  MOTE_ASSERT(scene->obstacles <= UINT32_MAX);
  MOTE_ASSERT(out->count <= out->capacity);
  for (size_t k = 0; k < scene->obstacles; ++k)
    MOTE_ASSERT(scene->obstacle[k].dt == scene->dt || mote_obstacle_stands(scene->obstacle + k));
  MOTE_TRY(mote_reserve(&finder->env, &finder->cache, &finder->cache_capacity, scene->obstacles,
                        sizeof *finder->cache, error));
  find_job job = {finder, scene, changed};
  mote_parallel_for(scene->threads, scene->obstacles, BODIES_PER_CHUNK, cache_chunk, &job);
  MOTE_TRY(
      mote_contact_pairs_find(&finder->pairs, scene, finder->cache, changed != NULL, &finder->env, error));
  size_t chunks = (scene->bodies + BODIES_PER_CHUNK - 1) / BODIES_PER_CHUNK;
  MOTE_TRY(reserve_chunks(finder, chunks, error));
  mote_parallel_for(scene->threads, scene->bodies, BODIES_PER_CHUNK, find_chunk, &job);
  return join(finder, chunks, scene->threads, out, error);
}
