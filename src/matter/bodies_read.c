// Reading the bodies of a world: see mote/world.h.
#include "base/parallel.h"
#include "matter/kind.h"

size_t mote_world_bodies(const mote_world *world) {
  return mote_bodies(world)->count[0];
}

mote_body mote_world_body_at(const mote_world *world, size_t k) {
  const mote_store *store = mote_bodies(world);
  if (k >= store->count[0]) return (mote_body){0};
  size_t block = mote_store_block_of(store, k);
  return mote_bodies_handle(world, (mote_body_place){(mote_kind)block, k - store->block[block].first[0]});
}

typedef struct body_sum {
  mote_kind_particles p;
  uint32_t label;
} body_sum;

enum { NUMBER, MASS, CENTRE, MOMENTUM = CENTRE + 3, SUMS = MOMENTUM + 3 };

static void sum_rows(void *data, size_t begin, size_t end, double *term) {
  const body_sum *s = data;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(SUMS)) {
    if (s->p.label[i] != s->label) continue;
    double v[3];
    mote_kind_velocity(&s->p, i, v);
    term[NUMBER] = 1.0, term[MASS] = mote_kind_mass(&s->p, i);
    for (int a = 0; a < 3; ++a) {
      term[CENTRE + a] = term[MASS] * s->p.position[3 * i + (size_t)a];
      term[MOMENTUM + a] = term[MASS] * v[a];
    }
  }
}

// Sums over the particles of a kind that have the body's label.
static void sum_particles(const mote_world *world, mote_body_place place, mote_body_info *out) {
  body_sum s = {mote_kind_particles_of(world, place.kind), mote_bodies_id(world, place) + 1};
  double sum[SUMS] = {0};
  mote_parallel_sum(world->env.threads, s.p.count, SUMS, sum_rows, &s, sum);
  out->particles = (size_t)sum[NUMBER];
  out->mass = sum[MASS];
  for (int a = 0; a < 3 && out->mass > 0.0; ++a) {
    out->centre[a] = sum[CENTRE + a] / out->mass;
    out->velocity[a] = sum[MOMENTUM + a] / out->mass;
  }
}

static void copy_state(const mote_world *world, mote_body_place place, mote_body_info *out) {
  mote_body_state state;
  mote_kind_row_of(world, place.kind)->read_body(world, place.row, &state);
  out->mass = state.mass;
  for (int a = 0; a < 3; ++a) out->centre[a] = state.position[a], out->velocity[a] = state.velocity[a];
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
  if (mote_kind_row_of(world, place.kind)->read_body != NULL) {
    copy_state(world, place, out);
  } else {
    sum_particles(world, place, out);
  }
  return MOTE_OK;
}
