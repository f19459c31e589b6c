// Surfaces of a world's bodies that can break: a plate with a crack from side to side, and a block in 3D;
// closed pieces with the numbers of their bodies, following the world, also back in time.
#include <math.h>
#include <mote/mote.h>

#include "base/arena.h"
#include "mesh/half_edges.h"
#include "test.h"
#include "world_kit.h"

#define SPACING 0.04

// Cracks that end outside the body: all the way through, and half of it.
static const mote_crack_def through = {
    .point = {0.9, 0.51, 0.5}, .normal = {0, 1, 0}, .radius = (double)NAN, .ahead = {1, 0, 0}};
static const mote_crack_def half = {
    .point = {0.5, 0.51, 0.5}, .normal = {0, 1, 0}, .radius = (double)NAN, .ahead = {1, 0, 0}};

static mote_world *make_world(world_kit *kit, int dimensions, const mote_crack_def *crack) {
  mote_env env = world_kit_env(1);
  world_kit_tank(kit, dimensions, SPACING);
  for (int a = 0; a < 3; ++a) kit->scene.world.gravity[a] = 0.0;
  mote_material_def *m = &kit->material[0];
  m->name = "glue", m->model = MOTE_KIND_ELASTIC, m->density = 1000.0;
  m->elastic.young = 2e4, m->elastic.poisson = 0.3, m->elastic.order = 1;
  m->elastic.integrator = MOTE_INTEGRATOR_EXPLICIT, m->elastic.strength = 1e6;
  double z = dimensions == 3 ? 0.2 : 0.0;
  mote_body_def *body =
      world_kit_body(kit, "block", mote_shape_def_box(0.3, 0.3, 0.5 - z, 0.7, 0.7, 0.5 + z));
  body->material = "glue", body->crack = crack, body->cracks = crack != NULL;
  return world_kit_create(kit, &env);
}

static bool is_closed(const mote_mesh *mesh) {
  mote_env env = mote_env_default();
  mote_arena arena = mote_arena_make(&env);
  mote_half_edges edges;
  mote_result result = mote_half_edges_create(mesh, 1, &arena, &edges, NULL);
  mote_arena_destroy(&arena);
  return result == MOTE_OK;
}

static void test_through(int dimensions) {
  world_kit kit;
  mote_world *world = make_world(&kit, dimensions, &through);
  mote_world_pieces *pieces = NULL;
  size_t wrong = 0, walls = 0;
  CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
  CHECK(mote_world_bodies(world) == 2);
  CHECK(mote_world_pieces_create(world, mote_world_find_body(world, "block"), 0.0, &pieces, NULL) == MOTE_OK);
  mote_fragments_view view = mote_world_pieces_look(pieces);
  CHECK(is_closed(&view.mesh) && view.fragments == mote_world_bodies(world));
  CHECK(mote_world_pieces_stretched(pieces, 1.01) == 0);
  for (size_t t = 0; t < view.mesh.triangles; ++t) {
    double y = 0.0;
    for (int k = 0; k < 3; ++k)
      y += view.mesh.vertex[3 * (size_t)view.mesh.triangle[3 * t + (size_t)k] + 1] / 3.0;
    wrong += view.wall[t]
                 ? fabs(y - 0.51) > 0.1 * SPACING
                 : (y > 0.51 + 0.1 * SPACING && view.fragment[t] != view.fragment[view.mesh.triangles - 1] &&
                    view.fragment[t] != view.fragment[0]);
    walls += view.wall[t];
  }
  CHECK(wrong == 0 && walls > 10);
  double volume = dimensions == 3 ? 0.4 * 0.4 * 0.4 : 0.4 * 0.4 * SPACING;
  CHECK_NEAR(mote_mesh_volume(&view.mesh) / volume, 1.0, dimensions == 3 ? 0.01 : 0.03);
  mote_world_pieces_destroy(pieces);
  mote_world_destroy(world);
}

// The same pieces made anew, after the world has moved, and for a world with another crack's state.
static void test_following(void) {
  world_kit kit;
  mote_world *world = make_world(&kit, 2, &half);
  mote_world_pieces *pieces = NULL, *fresh = NULL;
  mote_body body = mote_world_find_body(world, "block");
  CHECK(mote_world_pieces_create(world, body, 0.0, &pieces, NULL) == MOTE_OK);
  CHECK(mote_world_pieces_look(pieces).fragments == 1);
  for (int k = 0; k < 3; ++k) CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
  CHECK(mote_world_pieces_update(pieces, world, NULL) == MOTE_OK);
  CHECK(mote_world_pieces_create(world, body, 0.0, &fresh, NULL) == MOTE_OK);
  mote_fragments_view a = mote_world_pieces_look(pieces), b = mote_world_pieces_look(fresh);
  CHECK(a.mesh.vertices == b.mesh.vertices &&
        memcmp(a.mesh.vertex, b.mesh.vertex, 3 * a.mesh.vertices * sizeof(double)) == 0);
  CHECK(is_closed(&a.mesh));
  mote_world_pieces_destroy(pieces), mote_world_pieces_destroy(fresh);
  mote_world_destroy(world);
}

static size_t count_walls(const mote_fragments_view *view) {
  size_t walls = 0;
  for (size_t t = 0; t < view->mesh.triangles; ++t) walls += view->wall[t];
  return walls;
}

// A crack within a piece has no walls while its faces are together, and has them once they are apart.
static void test_closed(void) {
  world_kit kit;
  mote_world *world = make_world(&kit, 3, &half);
  mote_world_pieces *pieces = NULL;
  CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
  CHECK(mote_world_pieces_create(world, mote_world_find_body(world, "block"), 0.0, &pieces, NULL) == MOTE_OK);
  mote_fragments_view view = mote_world_pieces_look(pieces);
  CHECK(is_closed(&view.mesh) && count_walls(&view) == 0);
  mote_world_pieces_destroy(pieces);
  mote_world_destroy(world);
  kit.body[0].velocity.y.formula = "clamp(1000*(y - 0.51), -1, 1)*max(0, 0.5 - x)";
  mote_env env = world_kit_env(1);
  world = world_kit_create(&kit, &env);
  CHECK(mote_world_pieces_create(world, mote_world_find_body(world, "block"), 0.0, &pieces, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.02, NULL) == MOTE_OK);
  CHECK(mote_world_pieces_update(pieces, world, NULL) == MOTE_OK);
  view = mote_world_pieces_look(pieces);
  CHECK(mote_world_bodies(world) == 1 && is_closed(&view.mesh) && count_walls(&view) > 10);
  mote_world_pieces_destroy(pieces);
  mote_world_destroy(world);
}

static void test_refusals(void) {
  world_kit kit;
  mote_world *world = make_world(&kit, 2, NULL);
  mote_world_pieces *pieces = NULL;
  CHECK(mote_world_pieces_create(world, (mote_body){0}, 0.0, &pieces, NULL) == MOTE_ERROR_ARGUMENT);
  mote_body body = mote_world_find_body(world, "block");
  CHECK(mote_world_pieces_create(world, body, -1.0, &pieces, NULL) == MOTE_ERROR_ARGUMENT && pieces == NULL);
  CHECK(mote_world_pieces_create(NULL, body, 0.0, &pieces, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_pieces_look(NULL).fragments == 0);
  mote_world_destroy(world);
}

int main(void) {
  test_through(2);
  test_through(3);
  test_following();
  test_closed();
  test_refusals();
  return test_end();
}
