// State hash of a world of rigid bodies after 150 steps: all kinds of shapes, a hinge, a rotating collider,
// corners, friction and restitution. The same on every compiler, build and number of threads.
#include <inttypes.h>

#include "mesh_kit.h"
#include "test.h"
#include "world_kit.h"

#define STEPS 150
#define BODIES 48

static const world_hashes expected = {0x22f35640472e6aae, 0xaf52d9d0afa794c8};

static mote_mesh mesh;

static mote_shape_def shape_at(int k, const double x[3]) {
  static const mote_shape_kind kinds[7] = {MOTE_SHAPE_BOX,     MOTE_SHAPE_SPHERE, MOTE_SHAPE_CYLINDER,
                                           MOTE_SHAPE_CAPSULE, MOTE_SHAPE_TORUS,  MOTE_SHAPE_ELLIPSOID,
                                           MOTE_SHAPE_MESH};
  mote_shape_def def = mote_shape_def_box(-0.06, -0.04, -0.05, 0.06, 0.04, 0.05);
  def.kind = kinds[k % 7];
  def.radius = def.kind == MOTE_SHAPE_SPHERE ? 0.06 : 0.04, def.thickness = 0.02;
  def.radii[0] = 0.06, def.radii[1] = 0.03, def.radii[2] = 0.04;
  def.from[2] = -0.05, def.to[2] = 0.05;
  def.from[0] = def.from[1] = def.to[0] = def.to[1] = 0.0;
  def.mesh = mesh;
  def.angle = 0.3 * k, def.axis[0] = 1.0, def.axis[1] = 0.5;
  for (int a = 0; a < 3; ++a) def.move[a] = x[a];
  return def;
}

static void add_bodies(mote_world *world) {
  char name[16];
  for (int k = 0; k < BODIES; ++k) {
    const double x[3] = {0.2 + 0.2 * (k % 4), 0.35 + 0.2 * (k / 16), 0.2 + 0.2 * (k / 4 % 4)};
    mote_body_def def = mote_body_def_default();
    snprintf(name, sizeof name, "b%d", k);
    def.name = name, def.material = k % 3 == 0 ? "iron" : "wood", def.shape = shape_at(k, x);
    def.velocity.x.formula = "sin(9*y) - 2*x";
    def.spin[0] = k - 20.0;
    if (k == 5) memcpy(def.hinge.point, x, sizeof x);
    CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
  }
}

static world_hashes run(int threads) {
  world_kit kit;
  world_kit_tank(&kit, 3, 0.04);
  kit.material[0].name = "wood", kit.material[0].model = MOTE_KIND_RIGID, kit.material[0].density = 700.0;
  kit.material[1] = kit.material[0];
  kit.material[1].name = "iron", kit.material[1].density = 7800.0, kit.material[1].restitution = 0.4;
  kit.scene.materials = 2;
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "paddle";
  kit.collider[0].shape = mote_shape_def_box(0.1, 0.1, 0.45, 0.9, 0.15, 0.55);
  kit.collider[0].motion.angle.formula = "3*t";
  kit.scene.colliders = 1;
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
  add_bodies(world);
  for (int n = 0; n < STEPS; ++n) CHECK(mote_world_step(world, 2.0, NULL) == MOTE_OK);
  for (size_t k = 0; k < mote_world_rigid_bodies(world); ++k) {
    mote_body_state state;
    CHECK(mote_world_body(world, mote_world_rigid_body(world, k), &state, NULL) == MOTE_OK);
    for (int a = 0; a < 3; ++a) CHECK(state.position[a] > 0.0 && state.position[a] < 1.1);
  }
  world_hashes hash = world_kit_hashes(world);
  mote_world_destroy(world);
  return hash;
}

int main(void) {
  mesh = kit_sphere(1);
  for (size_t v = 0; v < 3 * mesh.vertices; ++v) mesh.vertex[v] *= 0.06;
  const int threads[] = {1, 2, 7};
  for (int k = 0; k < 3; ++k) {
    world_hashes hash = run(threads[k]);
    if (!CHECK(world_hashes_same(hash, expected)))
      printf("{0x%016" PRIx64 ", 0x%016" PRIx64 "} with %d threads\n", hash.state, hash.motion, threads[k]);
  }
  kit_free(&mesh);
  return test_end();
}
