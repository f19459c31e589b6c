// Fragments: parts of fluid and elastic bodies that become separate bodies, and their removal. See
// mote/world.h. Particles stay in their block; only their label and the table of bodies change.
#include <inttypes.h>

#include "kinds/elastic/elastic_bodies.h"
#include "matter/bodies.h"
#include "particles/id_map.h"

// Block of particles of the bodies of one definition or emitter.
static size_t block_of(const mote_world *world, mote_body_place place) {
  if (place.kind == MOTE_KIND_FLUID) return mote_bodies_value(world, place, MOTE_BODY_MATERIAL);
  size_t definition = mote_bodies_definition(world, place), k = 0;
  while (mote_elastic_at(world, k)->body != definition) ++k;
  return mote_elastic_block(world, k);
}

static uint32_t *labels_of(const mote_world *world, size_t block) {
  return mote_store_rows(mote_world_store(world), MOTE_PARTICLE_BODY, block);
}

// Rows of the particles in the block; all must have the label.
static mote_result find_rows(mote_world *world, size_t block, const uint64_t *ids, size_t count,
                             uint32_t label, uint32_t *rows, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  const uint64_t *there = mote_store_rows(store, MOTE_PARTICLE_ID, block);
  const uint32_t *labels = labels_of(world, block);
  mote_id_map map;
  MOTE_TRY(
      mote_id_map_make(there, store->block[block].count, world->env.threads, &world->scratch, &map, error));
  for (size_t k = 0; k < count; ++k) {
    size_t row = mote_id_map_find(&map, ids[k]);
    if (row == SIZE_MAX || labels[row] != label) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "particle %" PRIu64 " is not part of the body", ids[k]);
    }
    rows[k] = (uint32_t)row;
  }
  return MOTE_OK;
}

static mote_result split(mote_world *world, mote_body_place place, const uint64_t *ids, size_t count,
                         uint32_t *id, mote_error *error) {
  const mote_store *bodies = mote_bodies(world);
  size_t block = block_of(world, place), definition = mote_bodies_definition(world, place);
  uint32_t parent = mote_bodies_id(world, place);
  MOTE_TAKE_NEW(uint32_t, rows, &world->scratch, count, error);
  MOTE_TRY(find_rows(world, block, ids, count, parent + 1, rows, error));
  mote_body_birth birth = {.kind = place.kind,
                           .origin = MOTE_ORIGIN_PARENT,
                           .material = mote_bodies_value(world, place, MOTE_BODY_MATERIAL),
                           .definition = (uint32_t)definition,
                           .parent = parent + 1};
  MOTE_TRY(mote_bodies_add(world, &birth, id, error));
  size_t row = bodies->block[place.kind].first[0] + place.row;  // births come behind it
  mote_store_u32(bodies, MOTE_BODY_FLAGS)[row] |= MOTE_BODY_BROKEN;
  if (place.kind == MOTE_KIND_ELASTIC) {
    mote_store_f64(bodies, MOTE_DEFORMING_STRETCH)[bodies->block[place.kind].count - 1] = 1.0;
  }
  for (size_t k = 0; k < count; ++k) labels_of(world, block)[rows[k]] = *id + 1;
  return MOTE_OK;
}

mote_result mote_world_split_body(mote_world *world, mote_body body, const uint64_t *ids, size_t count,
                                  mote_body *out, mote_error *error) {
  mote_body_place place;
  uint32_t id;
  if (world == NULL || !mote_bodies_resolve(world, body, &place)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  }
  if (place.kind == MOTE_KIND_LATTICE)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the parts of a lattice have no labels of their own");
  if (ids == NULL || count == 0)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "no particles are given to split off");
  if (place.kind == MOTE_KIND_RIGID || mote_bodies_definition(world, place) == SIZE_MAX) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "only fluid and elastic bodies of a definition can be split");
  }
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = split(world, place, ids, count, &id, error);
  mote_arena_release(&world->scratch, mark);
  if (result != MOTE_OK) return result;
  world->has_frame = false;
  mote_body_place born = {place.kind, mote_bodies_of(world, place.kind) - 1};
  if (out != NULL) *out = mote_bodies_handle(world, born);
  return MOTE_OK;
}

// The nearest existing ancestor; the last one is the body of the definition.
static uint32_t heir_of(const mote_world *world, mote_body_place place) {
  mote_body_place parent;
  uint32_t label = mote_bodies_value(world, place, MOTE_BODY_PARENT);
  if (label > 0 && mote_bodies_find(world, label - 1, &parent)) return label;
  return mote_body_at(world, mote_bodies_definition(world, place))->id + 1;
}

mote_result mote_world_merge_body(mote_world *world, mote_body body, mote_error *error) {
  mote_body_place place;
  if (world == NULL || !mote_bodies_resolve(world, body, &place)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  }
  if (mote_bodies_value(world, place, MOTE_BODY_PARENT) == 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body is not part of another one");
  }
  uint32_t id = mote_bodies_id(world, place), heir = heir_of(world, place);
  mote_body_place other;
  if (!mote_bodies_find(world, heir - 1, &other))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body that it was part of is removed");
  size_t block = block_of(world, place);
  for (size_t i = 0; i < mote_world_store(world)->block[block].count; ++i) {
    uint32_t *label = &labels_of(world, block)[i];
    if (*label == id + 1) *label = heir;
  }
  mote_bodies_end(world, id);
  world->has_frame = false;
  return MOTE_OK;
}

// --- Reading ------------------------------------------------------------------------------------------

size_t mote_world_bodies(const mote_world *world) {
  return mote_bodies(world)->count[0];
}

mote_body mote_world_body_at(const mote_world *world, size_t k) {
  const mote_store *store = mote_bodies(world);
  if (k >= store->count[0]) return (mote_body){0};
  size_t block = mote_store_block_of(store, k);
  return mote_bodies_handle(world, (mote_body_place){(mote_kind)block, k - store->block[block].first[0]});
}

// Sums over the rows of the block that have the label, in the order of the rows.
static void sum_particles(const mote_world *world, mote_body_place place, mote_body_info *out) {
  const mote_store *store = mote_world_store(world);
  size_t block = block_of(world, place);
  bool elastic = place.kind == MOTE_KIND_ELASTIC;
  uint32_t label = mote_bodies_id(world, place) + 1;
  const double *x = mote_store_rows(store, MOTE_PARTICLE_POSITION, block);
  const double *mass = elastic ? mote_store_rows(store, MOTE_ELASTIC_MASS, block) : NULL;
  const double *v = elastic ? mote_store_rows(store, MOTE_ELASTIC_VELOCITY, block) : NULL;
  const float *mass_f32 = elastic ? NULL : mote_store_rows(store, MOTE_PARTICLE_MASS, block);
  const float *v_f32 = elastic ? NULL : mote_store_rows(store, MOTE_PARTICLE_VELOCITY, block);
  for (size_t i = 0; i < store->block[block].count; ++i) {
    if (labels_of(world, block)[i] != label) continue;
    double m = elastic ? mass[i] : (double)mass_f32[i];
    ++out->particles;
    out->mass += m;
    for (int a = 0; a < 3; ++a) {
      out->centre[a] += m * x[3 * i + a];
      out->velocity[a] += m * (elastic ? v[3 * i + a] : (double)v_f32[3 * i + a]);
    }
  }
  for (int a = 0; a < 3 && out->mass > 0.0; ++a) out->centre[a] /= out->mass, out->velocity[a] /= out->mass;
}

static void copy_rigid(const mote_world *world, size_t k, mote_body_info *out) {
  const mote_store *store = mote_bodies(world);
  out->mass = mote_rigid_at(world, k)->rigid.mass;
  for (int a = 0; a < 3; ++a) {
    out->centre[a] = mote_store_f64(store, MOTE_RIGID_POSITION)[3 * k + a];
    out->velocity[a] = mote_store_f64(store, MOTE_RIGID_VELOCITY)[3 * k + a];
  }
}

mote_result mote_world_body_about(const mote_world *world, mote_body body, mote_body_info *out,
                                  mote_error *error) {
  mote_body_place place, parent;
  if (world == NULL || out == NULL || !mote_bodies_resolve(world, body, &place)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body, or out is NULL");
  }
  const mote_store *store = mote_bodies(world);
  size_t row = store->block[place.kind].first[0] + place.row;
  uint32_t label = mote_store_u32(store, MOTE_BODY_PARENT)[row];
  *out = (mote_body_info){.kind = place.kind,
                          .material = mote_store_u32(store, MOTE_BODY_MATERIAL)[row],
                          .emitted = mote_bodies_definition(world, place) == SIZE_MAX,
                          .broken = (mote_store_u32(store, MOTE_BODY_FLAGS)[row] & MOTE_BODY_BROKEN) != 0,
                          .first_step = mote_store_u64(store, MOTE_BODY_FIRST_STEP)[row]};
  mote_bodies_name(world, place, out->name);
  if (label > 0 && mote_bodies_find(world, label - 1, &parent))
    out->parent = mote_bodies_handle(world, parent);
  if (place.kind == MOTE_KIND_RIGID) {
    copy_rigid(world, place.row, out);
  } else {
    sum_particles(world, place, out);
  }
  return MOTE_OK;
}
