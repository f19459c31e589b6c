// Snapshots by table name: tables that are registered grow, are saved, copied and come back; what is unknown,
// missing or of another version is named; tables and groups without rows count for nothing in the hash.
#include "state/state_archive.h"

#include "matter/world_data.h"
#include "store_kit.h"
#include "test.h"
#include "world_kit.h"

// A mesh that is tracked: two tables that grow.
static const char *const groups[] = {"all"};
static const mote_field vertex_field[] = {
    {"id", MOTE_TYPE_U64, 1, 0, MOTE_KEPT_REQUIRED, 0, "1", "test", ""},
    {"position", MOTE_TYPE_F64, 3, 0, MOTE_KEPT_REQUIRED, 0, "m", "test", ""},
};
static const mote_field triangle_field[] = {
    {"vertex", MOTE_TYPE_U64, 3, 0, MOTE_KEPT_REQUIRED, 0, "1", "test", ""},
};
static const mote_table vertices = {"mesh_vertices", vertex_field, 2, groups, 1, 0, 1};
static const mote_table triangles = {"mesh_triangles", triangle_field, 1, groups, 1, -1, 1};

// A fan with one more triangle, whose vertices are named by their ids.
static void grow(mote_state *state, size_t v, size_t t) {
  mote_store *vertex = &state->store[v], *triangle = &state->store[t];
  size_t count = vertex->count[0], added = count == 0 ? 3 : 1;
  CHECK(mote_store_resize(vertex, 0, count + added, NULL) == MOTE_OK);
  for (size_t k = 3 * count; k < 3 * (count + added); ++k) mote_store_f64(vertex, 1)[k] = 0.1 * (double)k;
  size_t n = triangle->count[0];
  CHECK(mote_store_resize(triangle, 0, n + 1, NULL) == MOTE_OK);
  const uint64_t *id = mote_store_ids(vertex);
  uint64_t *corner = mote_store_u64(triangle, 0) + 3 * n;
  corner[0] = id[0], corner[1] = id[n + 1], corner[2] = id[n + 2];
}

static mote_world *world_with_mesh(size_t *v, size_t *t) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.1);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_state_register(&world->now, &vertices, v, NULL) == MOTE_OK);
  CHECK(mote_state_register(&world->now, &triangles, t, NULL) == MOTE_OK);
  return world;
}

static void a_mesh_grows_and_is_resumed(void) {
  size_t v, t;
  mote_world *a = world_with_mesh(&v, &t), *b = world_with_mesh(&v, &t);
  uint64_t empty = mote_world_hash(a);
  for (int n = 0; n < 4; ++n) {
    CHECK(mote_world_step(a, 0.5, NULL) == MOTE_OK);
    grow(&a->now, v, t);
  }
  CHECK(mote_world_hash(a) != empty && a->now.store[v].count[0] == 6 && a->now.store[t].count[0] == 4);
  CHECK(mote_world_begin_frame(a, NULL) == MOTE_OK);  // the frame has the tables, too
  CHECK(a->frame.tables == a->now.tables && a->frame.store[t].count[0] == 4);
  CHECK(mote_world_step(a, 0.6, NULL) == MOTE_OK);
  grow(&a->now, v, t);
  kit_bytes bytes = world_kit_save(a);
  CHECK(world_kit_load(b, &bytes, NULL) == MOTE_OK && mote_world_hash(a) == mote_world_hash(b));
  CHECK(b->now.store[t].count[0] == 5 && b->frame.store[t].count[0] == 4);
  for (int n = 0; n < 3; ++n) {
    CHECK(mote_world_step(a, 0.6, NULL) == MOTE_OK && mote_world_step(b, 0.6, NULL) == MOTE_OK);
    grow(&a->now, v, t), grow(&b->now, v, t);
  }
  CHECK(mote_world_hash(a) == mote_world_hash(b) && b->now.store[v].count[0] == 10);
  mote_world_destroy(a);
  mote_world_destroy(b);
  free(bytes.data);
}

static void what_does_not_fit_is_named(void) {
  size_t v, t;
  world_kit kit;
  mote_error error;
  mote_world *with = world_with_mesh(&v, &t);
  world_kit_everything(&kit, 2, 0.1);
  mote_world *without = world_kit_create(&kit, NULL);
  uint64_t before = mote_world_hash(without);
  kit_bytes more = world_kit_save(with), less = world_kit_save(without);
  CHECK(world_kit_load(without, &more, &error) == MOTE_ERROR_FORMAT);
  CHECK(strstr(error.text, "mesh_vertices") != NULL && mote_world_hash(without) == before);
  CHECK(world_kit_load(with, &less, &error) == MOTE_ERROR_FORMAT &&
        strstr(error.text, "mesh_vertices") != NULL);
  mote_table later = triangles;
  later.version = 2;
  CHECK(mote_state_register(&without->now, &vertices, &v, NULL) == MOTE_OK);
  CHECK(mote_state_register(&without->now, &later, &t, NULL) == MOTE_OK);
  CHECK(world_kit_load(without, &more, &error) == MOTE_ERROR_FORMAT);
  CHECK(strstr(error.text, "mesh_triangles") != NULL && strstr(error.text, "version 1") != NULL);
  CHECK(mote_state_register(&without->now, &later, &t, &error) == MOTE_ERROR_ARGUMENT);
  mote_world_destroy(with);
  mote_world_destroy(without);
  free(more.data);
  free(less.data);
}

// What a world does not use does not change its hash.
static void empty_tables_count_for_nothing(void) {
  size_t v, t;
  world_kit kit;
  world_kit_everything(&kit, 2, 0.1);
  mote_world *with = world_with_mesh(&v, &t), *without = world_kit_create(&kit, NULL);
  CHECK(mote_world_hash(with) == mote_world_hash(without));
  grow(&with->now, v, t);
  CHECK(mote_world_hash(with) != mote_world_hash(without));
  mote_world_destroy(with);
  mote_world_destroy(without);
}

// A snapshot of the first format is refused with what to do.
static void old_snapshots_are_refused(void) {
  size_t v, t;
  mote_error error;
  mote_world *world = world_with_mesh(&v, &t);
  kit_bytes bytes = world_kit_save(world);
  bytes.data[8] = 1;
  CHECK(world_kit_load(world, &bytes, &error) == MOTE_ERROR_FORMAT);
  CHECK(strstr(error.text, "version 1") != NULL && strstr(error.text, "run the scene again") != NULL);
  mote_world_destroy(world);
  free(bytes.data);
}

int main(void) {
  a_mesh_grows_and_is_resumed();
  what_does_not_fit_is_named();
  empty_tables_count_for_nothing();
  old_snapshots_are_refused();
  return test_end();
}
