// Cracks as tables of the state: see fracture_bodies.h.
#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "kinds/elastic/fracture_bodies.h"

static const char *const groups[] = {"all"};
static const mote_field crack_field[] = {MOTE_CRACK_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field front_field[] = {MOTE_FRONT_FIELDS(MOTE_FIELD_ENTRY)};
const mote_table mote_crack_table = {"cracks", crack_field, MOTE_CRACK_FIELD_COUNT, groups, 1, -1, 1};
const mote_table mote_crack_front_table = {"fronts", front_field, MOTE_FRONT_FIELD_COUNT, groups, 1, -1, 1};

static mote_store *find_store(const mote_state *state, const mote_table *table) {
  size_t t = mote_state_find(state, table->name);
  return t == SIZE_MAX ? NULL : &state->store[t];
}

mote_result mote_fracture_register(mote_world *world, mote_error *error) {
  size_t index;
  if (find_store(&world->now, &mote_crack_table) == NULL)
    MOTE_TRY(mote_state_register(&world->now, &mote_crack_table, &index, error));
  if (find_store(&world->now, &mote_crack_front_table) != NULL) return MOTE_OK;
  return mote_state_register(&world->now, &mote_crack_front_table, &index, error);
}

// --- Writing -----------------------------------------------------------------------------------------

static uint64_t id_of(const mote_world *world, size_t k) {
  return mote_body_at(world, mote_elastic_at(world, k)->body)->id;
}

static size_t count_rows(const mote_store *store, int field, uint64_t body) {
  const uint64_t *own = store->count[0] > 0 ? mote_store_u64(store, field) : NULL;
  size_t count = 0;
  for (size_t r = 0; r < store->count[0]; ++r) count += own[r] == body;
  return count;
}

static mote_result append_triangles(mote_store *store, const mote_crack_sheets *c, uint64_t body,
                                    mote_error *error) {
  size_t there = count_rows(store, MOTE_CRACK_BODY, body), first = store->count[0];
  MOTE_ASSERT(there <= c->triangles);
  if (there == c->triangles) return MOTE_OK;
  MOTE_TRY(mote_store_resize(store, 0, first + c->triangles - there, error));
  for (size_t t = there, r = first; t < c->triangles; ++t, ++r) {
    mote_store_u64(store, MOTE_CRACK_BODY)[r] = body;
    mote_store_u32(store, MOTE_CRACK_SHEET)[r] = c->sheet[t];
    memcpy(mote_store_f64(store, MOTE_CRACK_CORNERS) + 9 * r, c->corner + 9 * t, 9 * sizeof *c->corner);
  }
  return MOTE_OK;
}

static void write_node(const mote_store *store, size_t r, uint64_t body, const mote_crack_sheets *c,
                       uint32_t f, const mote_crack_node *node) {
  mote_store_u64(store, MOTE_FRONT_BODY)[r] = body;
  mote_store_u32(store, MOTE_FRONT_NUMBER)[r] = f;
  mote_store_u32(store, MOTE_FRONT_SHEET)[r] = c->front[f].sheet;
  mote_store_u8(store, MOTE_FRONT_CLOSED)[r] = (uint8_t)c->front[f].closed;
  mote_store_u8(store, MOTE_FRONT_MOVING)[r] = (uint8_t)c->front[f].moving;
  mote_store_u8(store, MOTE_FRONT_LIVE)[r] = (uint8_t)node->live;
  mote_store_f64(store, MOTE_FRONT_BUDGET)[r] = c->front[f].budget;
  copy3(node->position, mote_store_f64(store, MOTE_FRONT_POSITION) + 3 * r);
  copy3(node->ahead, mote_store_f64(store, MOTE_FRONT_AHEAD) + 3 * r);
  copy3(node->normal, mote_store_f64(store, MOTE_FRONT_NORMAL) + 3 * r);
}

mote_result mote_fracture_save(mote_world *world, mote_error *error) {
  mote_store *cracks = find_store(&world->now, &mote_crack_table),
             *fronts = find_store(&world->now, &mote_crack_front_table);
  MOTE_ASSERT(cracks != NULL && fronts != NULL);
  size_t nodes = 0, r = 0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    const mote_fracture *f = mote_elastic_at(world, k)->fracture;
    if (f == NULL) continue;
    MOTE_TRY(append_triangles(cracks, &f->cracks, id_of(world, k), error));
    nodes += f->cracks.nodes;
  }
  MOTE_TRY(mote_store_resize(fronts, 0, nodes, error));
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    const mote_fracture *f = mote_elastic_at(world, k)->fracture;
    for (uint32_t n = 0; f != NULL && n < f->cracks.fronts; ++n) {
      const mote_crack_front *front = f->cracks.front + n;
      for (size_t i = 0; i < front->count; ++i)
        write_node(fronts, r++, id_of(world, k), &f->cracks, n, f->cracks.node + front->first + i);
    }
  }
  return MOTE_OK;
}

static mote_result drop_rows(mote_world *world, const mote_table *table, int field, uint64_t body,
                             mote_error *error) {
  mote_store *store = find_store(&world->now, table);
  if (store == NULL || store->count[0] == 0) return MOTE_OK;
  MOTE_TAKE_NEW(uint8_t, gone, &world->scratch, store->count[0], error);
  for (size_t r = 0; r < store->count[0]; ++r) gone[r] = mote_store_u64(store, field)[r] == body;
  mote_store_remove(store, 0, gone);
  return MOTE_OK;
}

mote_result mote_fracture_forget(mote_world *world, uint64_t body, mote_error *error) {
  MOTE_TRY(drop_rows(world, &mote_crack_table, MOTE_CRACK_BODY, body, error));
  return drop_rows(world, &mote_crack_front_table, MOTE_FRONT_BODY, body, error);
}

// --- Reading -----------------------------------------------------------------------------------------

static mote_result read_triangles(const mote_store *store, uint64_t body, mote_crack_sheets *out,
                                  mote_error *error) {
  for (size_t r = 0; r < store->count[0]; ++r) {
    if (mote_store_u64(store, MOTE_CRACK_BODY)[r] != body) continue;
    uint32_t sheet = mote_store_u32(store, MOTE_CRACK_SHEET)[r];
    MOTE_TRY(
        mote_crack_add_triangles(out, sheet, mote_store_f64(store, MOTE_CRACK_CORNERS) + 9 * r, 1, error));
  }
  return MOTE_OK;
}

static void read_fronts(const mote_store *store, uint64_t body, mote_crack_front *front,
                        mote_crack_node *node, size_t *fronts) {
  size_t n = 0;
  *fronts = 0;
  for (size_t r = 0; r < store->count[0]; ++r) {
    if (mote_store_u64(store, MOTE_FRONT_BODY)[r] != body) continue;
    uint32_t f = mote_store_u32(store, MOTE_FRONT_NUMBER)[r];
    if (f == *fronts) {
      front[(*fronts)++] = (mote_crack_front){.sheet = mote_store_u32(store, MOTE_FRONT_SHEET)[r],
                                              .first = (uint32_t)n,
                                              .closed = mote_store_u8(store, MOTE_FRONT_CLOSED)[r],
                                              .moving = mote_store_u8(store, MOTE_FRONT_MOVING)[r],
                                              .budget = mote_store_f64(store, MOTE_FRONT_BUDGET)[r]};
    }
    ++front[f].count;
    node[n] = (mote_crack_node){.live = mote_store_u8(store, MOTE_FRONT_LIVE)[r]};
    copy3(mote_store_f64(store, MOTE_FRONT_POSITION) + 3 * r, node[n].position);
    copy3(mote_store_f64(store, MOTE_FRONT_AHEAD) + 3 * r, node[n].ahead);
    copy3(mote_store_f64(store, MOTE_FRONT_NORMAL) + 3 * r, node[n].normal);
    ++n;
  }
}

mote_result mote_fracture_read(const mote_world *world, uint64_t body, mote_crack_sheets *out,
                               mote_error *error) {
  const mote_store *cracks = find_store(&world->now, &mote_crack_table),
                   *fronts = find_store(&world->now, &mote_crack_front_table);
  MOTE_ASSERT(cracks != NULL && fronts != NULL);
  MOTE_TRY(read_triangles(cracks, body, out, error));
  size_t nodes = count_rows(fronts, MOTE_FRONT_BODY, body), found;
  mote_crack_front *front = mote_alloc(&world->env, nodes, sizeof *front);
  mote_crack_node *node = mote_alloc(&world->env, nodes, sizeof *node);
  mote_result result = MOTE_OK;
  if (front == NULL || node == NULL) {
    result = mote_fail_memory(error, nodes * sizeof *node);
  } else {
    read_fronts(fronts, body, front, node, &found);
    result = mote_crack_set_fronts(out, front, found, node, nodes, error);
  }
  mote_free(&world->env, front, nodes, sizeof *front);
  mote_free(&world->env, node, nodes, sizeof *node);
  return result;
}

// --- Checks ------------------------------------------------------------------------------------------

static bool finite_rows(const mote_store *store, int field, size_t components) {
  const double *x = mote_store_f64(store, field);
  for (size_t k = 0; k < components * store->count[0]; ++k) {
    if (!isfinite(x[k])) return false;
  }
  return true;
}

// Sheets of a body are numbered in the order of their first rows.
static bool cracks_possible(const mote_store *store) {
  size_t rows = store->count[0], bodies = 0;
  if (store->blocks != 1 || rows == 0) return store->blocks == 1;
  uint64_t(*seen)[2] = mote_alloc(&store->env, rows, sizeof *seen);  // bodies, with their next sheet
  bool possible = seen != NULL && finite_rows(store, MOTE_CRACK_CORNERS, 9);
  for (size_t r = 0; r < rows && possible; ++r) {
    uint64_t body = mote_store_u64(store, MOTE_CRACK_BODY)[r],
             sheet = mote_store_u32(store, MOTE_CRACK_SHEET)[r];
    size_t b = 0;
    while (b < bodies && seen[b][0] != body) ++b;
    if (b == bodies) seen[bodies][0] = body, seen[bodies++][1] = 0;
    possible = sheet <= seen[b][1];
    if (sheet == seen[b][1]) ++seen[b][1];
  }
  mote_free(&store->env, seen, rows, sizeof *seen);
  return possible;
}

static bool fronts_possible(const mote_store *cracks, const mote_store *store) {
  if (store->blocks != 1) return false;
  uint64_t last = 0;
  uint32_t number = 0;
  for (size_t r = 0; r < store->count[0]; ++r) {
    uint64_t body = mote_store_u64(store, MOTE_FRONT_BODY)[r];
    uint32_t f = mote_store_u32(store, MOTE_FRONT_NUMBER)[r];
    bool first = r == 0 || body != last;
    if (first ? f != 0 : f != number && f != number + 1) return false;
    bool there = false;
    for (size_t c = 0; c < cracks->count[0] && !there; ++c)
      there = mote_store_u64(cracks, MOTE_CRACK_BODY)[c] == body &&
              mote_store_u32(cracks, MOTE_CRACK_SHEET)[c] == mote_store_u32(store, MOTE_FRONT_SHEET)[r];
    if (!there) return false;
    last = body, number = f;
  }
  return store->count[0] == 0 ||
         (finite_rows(store, MOTE_FRONT_BUDGET, 1) && finite_rows(store, MOTE_FRONT_POSITION, 3) &&
          finite_rows(store, MOTE_FRONT_AHEAD, 3) && finite_rows(store, MOTE_FRONT_NORMAL, 3));
}

bool mote_fracture_possible(const mote_state *state) {
  const mote_store *cracks = find_store(state, &mote_crack_table),
                   *fronts = find_store(state, &mote_crack_front_table);
  if (cracks == NULL || fronts == NULL) return cracks == fronts;
  return cracks_possible(cracks) && fronts_possible(cracks, fronts);
}
