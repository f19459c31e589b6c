// Skins of elastic bodies in a world follow ids: rows of a block may be added, removed and moved.
#include <math.h>

#include "kinds/elastic/elastic_bodies.h"
#include "test.h"
#include "world_kit.h"

#define SPACING 0.05
#define VERTICES 60

// Two cubes that hang by their tops.
static mote_world *hanging(mote_body body[2]) {
  mote_world_def def = mote_world_def_default();
  mote_env env = world_kit_env(1);
  mote_material_def jelly;
  mote_world *world = NULL;
  def.spacing = SPACING;
  CHECK(mote_material_def_preset("jelly", &jelly));
  CHECK(mote_world_create(&def, &env, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &jelly, NULL, NULL) == MOTE_OK);
  for (int k = 0; k < 2; ++k) {
    mote_body_def cube = mote_body_def_default();
    mote_hold_def hold = mote_hold_def_default();
    cube.name = k == 0 ? "left" : "right", cube.material = "jelly";
    cube.shape = mote_shape_def_box(k, 0.0, 0.0, k + 0.3, 0.3, 0.3);
    hold.shape = mote_shape_def_box(-9.0, 0.25, -9.0, 9.0, 9.0, 9.0);
    cube.hold = &hold, cube.holds = 1;
    CHECK(mote_world_add_body(world, &cube, &body[k], NULL) == MOTE_OK);
  }
  CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK);
  return world;
}

// Around the sides of cube k.
static mote_world_skin *skin_of(const mote_world *world, mote_body body, int k) {
  double vertex[3 * VERTICES];
  for (int i = 0; i < VERTICES; ++i) {
    double angle = 0.1 * i;
    vertex[3 * i] = k + 0.15 + 0.14 * cos(angle), vertex[3 * i + 1] = 0.3 * i / VERTICES;
    vertex[3 * i + 2] = 0.15 + 0.14 * sin(angle);
  }
  mote_world_skin_def def = {.body = body, .vertex = vertex, .count = VERTICES};
  mote_world_skin *skin = NULL;
  CHECK(mote_world_skin_create(world, &def, &skin, NULL) == MOTE_OK);
  return skin;
}

static double farthest(const double *a, const double *b) {
  double most = 0.0;
  for (size_t i = 0; i < (size_t)3 * VERTICES; ++i) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

int main(void) {
  mote_body body[2];
  mote_world *world = hanging(body);
  mote_store *store = mote_world_store(world);
  mote_arena scratch = mote_arena_make(&world->env);
  size_t left = mote_elastic_block(world, 0), right = mote_elastic_block(world, 1);
  size_t count = store->block[left].count;
  mote_world_skin *skin[2] = {skin_of(world, body[0], 0), skin_of(world, body[1], 1)};
  double before[2][3 * VERTICES], now[3 * VERTICES];
  uint32_t some[10], last[10];
  for (int k = 0; k < 2; ++k) CHECK(mote_world_skin_move(skin[k], NULL, before[k], NULL, NULL) == MOTE_OK);

  // Rows of the left cube go over to the right one, which has the same skin with them.
  for (uint32_t k = 0; k < 10; ++k) some[k] = 20 * k + 3, last[k] = (uint32_t)count + k;
  CHECK(mote_store_move(store, some, 10, left, right, &scratch, NULL) == MOTE_OK);
  CHECK(mote_world_skin_move(skin[1], NULL, now, NULL, NULL) == MOTE_OK);
  CHECK(memcmp(now, before[1], sizeof now) == 0);
  CHECK(mote_world_skin_move(skin[0], NULL, now, NULL, NULL) == MOTE_OK);
  CHECK(farthest(now, before[0]) < 0.05 * SPACING && farthest(now, before[0]) > 0.0);

  // Back again they are the last rows, and every vertex is where it was.
  CHECK(mote_store_move(store, last, 10, right, left, &scratch, NULL) == MOTE_OK);
  for (int k = 0; k < 2; ++k) {
    CHECK(mote_world_skin_move(skin[k], NULL, now, NULL, NULL) == MOTE_OK);
    CHECK(memcmp(now, before[k], sizeof now) == 0);
  }

  // New rows are none of the skin's; removed ones are missing like those that went over. One is a corner,
  // which its neighbours, all on one side, place a tenth of a spacing off.
  CHECK(mote_store_resize(store, left, count + 5, NULL) == MOTE_OK);
  CHECK(mote_world_skin_move(skin[0], NULL, now, NULL, NULL) == MOTE_OK);
  CHECK(memcmp(now, before[0], sizeof now) == 0);
  uint8_t *gone = calloc(count + 5, 1);
  for (size_t k = 0; k < 10; ++k) gone[17 * k] = 1;
  mote_store_remove(store, left, gone);
  CHECK(mote_world_skin_move(skin[0], NULL, now, NULL, NULL) == MOTE_OK);
  CHECK(farthest(now, before[0]) < 0.2 * SPACING && farthest(now, before[0]) > 0.0);
  free(gone);
  for (int k = 0; k < 2; ++k) mote_world_skin_destroy(skin[k]);
  mote_arena_destroy(&scratch);
  mote_world_destroy(world);
  return test_end();
}
