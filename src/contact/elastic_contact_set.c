// The particles of soft bodies as touching sees them, once for all: balls, and which of them are on the
// surface. See elastic_contact.h.
#include <mote/numeric.h>
#include <string.h>

#include "contact/elastic_contact.h"
#include "geom/triple.h"

#define ONE_SIDED 0.15  // |sum w X| over sum w |X|: of lattices 0.3 (3D) and 0.45 (2D) on faces, 0.01 inside

// Where a face ends and an edge begins, in the same measure.
static double flatness(int dimensions, double one_sided) {
  double face = dimensions == 3 ? 0.40 : 0.58, edge = dimensions == 3 ? 0.47 : 0.70;
  return max2(0.0, min2(1.0, (edge - one_sided) / (edge - face)));
}

static double spacing_of(const mote_elastic *body, size_t i) {
  return body->dimensions == 3 ? mote_cbrt(body->room[i]) : sqrt(body->room[i]);
}

// Second moments times the unit vector out of the body, from which the normal follows however the body is
// deformed. Returns how one-sided the neighbourhood is.
static double face_of(const mote_elastic *b, size_t i, double face[3]) {
  double sum[3] = {0}, size = 0.0, B[9] = {0};
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    step3(sum, -pair->weight, pair->rest, sum);
    size += pair->weight * length3(pair->rest);
    for (int e = 0; e < 9; ++e) B[e] += pair->weight * pair->rest[e / 3] * pair->rest[e % 3];
  }
  double length = length3(sum);
  set3(0.0, 0.0, 0.0, face);
  if (!(length > 0.0)) return 0.0;
  turn3(B, sum, face);
  for (int k = 0; k < 3; ++k) face[k] /= length;
  return length / size;
}

static void measure_part(mote_soft_touch *s, size_t p) {
  const mote_elastic *b = s->part[p].body;
  for (size_t k = 0; k < b->count; ++k) {
    size_t i = s->start[p] + k;
    s->part_of[i] = (uint32_t)p;
    s->radius[i] = 0.5 * spacing_of(b, k);
    s->largest = max2(s->largest, s->radius[i]);
    double one_sided = face_of(b, k, s->face + 3 * i);
    bool surface = one_sided > ONE_SIDED;
    s->flat[i] = surface ? flatness(s->dimensions, one_sided) : 0.0;
    if (surface) s->surface[s->surfaces++] = (uint32_t)i;
  }
}

static mote_result take_arrays(mote_soft_touch *s, mote_error *error) {
  size_t n = s->count;
  s->radius = mote_arena_take(&s->memory_of_all, n, sizeof *s->radius);
  s->face = mote_arena_take(&s->memory_of_all, 3 * n, sizeof *s->face);
  s->flat = mote_arena_take(&s->memory_of_all, n, sizeof *s->flat);
  s->normal = mote_arena_take(&s->memory_of_all, 3 * n, sizeof *s->normal);
  s->begin = mote_arena_take(&s->memory_of_all, 3 * n, sizeof *s->begin);
  s->part_of = mote_arena_take(&s->memory_of_all, n, sizeof *s->part_of);
  s->surface = mote_arena_take(&s->memory_of_all, n, sizeof *s->surface);
  bool all = s->radius != NULL && s->face != NULL && s->flat != NULL && s->normal != NULL &&
             s->begin != NULL && s->part_of != NULL && s->surface != NULL;
  return all ? MOTE_OK : mote_fail_memory(error, 12 * n * sizeof(double));
}

static mote_result build(mote_soft_touch *s, const mote_soft_part *part, mote_error *error) {
  s->part = mote_arena_take(&s->memory_of_all, s->parts, sizeof *s->part);
  s->start = mote_arena_take(&s->memory_of_all, s->parts + 1, sizeof *s->start);
  if (s->part == NULL || s->start == NULL) return mote_fail_memory(error, s->parts * sizeof *s->part);
  memcpy(s->part, part, s->parts * sizeof *part);
  s->start[0] = 0;
  for (size_t p = 0; p < s->parts; ++p) s->start[p + 1] = s->start[p] + part[p].body->count;
  s->count = s->start[s->parts];
  MOTE_TRY(take_arrays(s, error));
  for (size_t p = 0; p < s->parts; ++p) measure_part(s, p);
  return MOTE_OK;
}

mote_result mote_soft_touch_create(const mote_soft_part *part, size_t parts, const mote_env *env,
                                   mote_soft_touch **out, mote_error *error) {
  mote_env use = mote_env_resolve(env);
  size_t count = 0;
  if (parts == 0) return mote_fail_key(error, "parts", "is 0");
  for (size_t p = 0; p < parts; ++p) {
    count += part[p].body->count;
    if (part[p].body->dimensions != part[0].body->dimensions) {
      return mote_fail_key(error, "dimensions", "of bodies %zu and 0 differ", p);
    }
    if (!(part[p].friction >= 0.0)) return mote_fail_key(error, "friction", "is %g", part[p].friction);
  }
  if (count >= UINT32_MAX / 2) return mote_fail_key(error, "count", "of particles is too large");
  mote_soft_touch *s = mote_alloc(&use, 1, sizeof *s);
  if (s == NULL) return mote_fail_memory(error, sizeof *s);
  *s = (mote_soft_touch){.env = use, .memory_of_all = mote_arena_make(&use), .parts = parts};
  s->external = mote_soft_touch_external(s);
  s->dimensions = part[0].body->dimensions;
  mote_result result = build(s, part, error);
  if (result == MOTE_OK) {
    *out = s;
  } else {
    mote_soft_touch_destroy(s);
  }
  return result;
}

void mote_soft_touch_destroy(mote_soft_touch *s) {
  if (s == NULL) return;
  mote_env env = s->env;
  for (size_t k = 0; k < s->chunks; ++k) {
    mote_free(&env, s->chunk[k].touch, s->chunk[k].capacity, sizeof *s->chunk[k].touch);
  }
  mote_free(&env, s->chunk, s->chunks, sizeof *s->chunk);
  mote_free(&env, s->touch, s->touch_held, sizeof *s->touch);
  mote_free(&env, s->row, s->row_held, sizeof *s->row);
  mote_free(&env, s->mover, s->mover_held, sizeof *s->mover);
  mote_free(&env, s->mover_first, s->first_held, sizeof *s->mover_first);
  mote_free(&env, s->mover_touch, s->mover_touch_held, sizeof *s->mover_touch);
  mote_free(&env, s->place, s->place_held, sizeof *s->place);
  mote_free(&env, s->speed, s->speed_held, sizeof *s->speed);
  mote_free(&env, s->push, s->push_held, sizeof *s->push);
  mote_free(&env, s->memory, s->memory_held, sizeof *s->memory);
  mote_free(&env, s->fresh, s->fresh_held, sizeof *s->fresh);
  mote_free(&env, s->listed, s->listed_held, sizeof *s->listed);
  mote_free(&env, s->list, s->list_held, sizeof *s->list);
  mote_free(&env, s->near, s->near_held, sizeof *s->near);
  mote_free(&env, s->slot, s->slot_held, sizeof *s->slot);
  mote_grid_destroy(s->grid);
  mote_arena_destroy(&s->memory_of_all);
  mote_free(&env, s, 1, sizeof *s);
}
