// The table of bodies: what it says of those that were added and of flows; bodies that are born and end at
// run time, in a world with a fluid, rigid and elastic bodies, also across a save and a load; handles of what
// is gone; bad input.
#include <string.h>

#include "store_kit.h"
#include "test.h"
#include "world_kit.h"

// Water from a body and from a nozzle, a wooden box, two blocks of jelly.
static mote_world *mixed_world(int threads) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.05);
  kit.scene.drains = 0;
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
  mote_material_def wood = mote_material_def_default(), jelly;
  wood.name = "wood", wood.model = MOTE_KIND_RIGID, wood.density = 500.0;
  CHECK(mote_material_def_preset("jelly", &jelly));
  CHECK(mote_world_add_material(world, &wood, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &jelly, NULL, NULL) == MOTE_OK);
  const char *const names[] = {"box", "left", "right"};
  for (int k = 0; k < 3; ++k) {
    mote_body_def def = mote_body_def_default();
    def.name = names[k], def.material = k == 0 ? "wood" : jelly.name;
    double x = 0.35 + 0.22 * k;
    def.shape = mote_shape_def_box(x, 0.7, 0.0, x + 0.18, 0.9, 0.0);
    mote_error error;
    if (!CHECK(mote_world_add_body(world, &def, NULL, &error) == MOTE_OK)) printf("%s\n", error.text);
  }
  return world;
}

static mote_body_info about(const mote_world *world, mote_body body) {
  mote_body_info info = {.particles = 0};
  CHECK(mote_world_body_about(world, body, &info, NULL) == MOTE_OK);
  return info;
}

// Ids of the particles of an elastic or fluid body whose rank modulo `of` is 0.
static size_t some_of(const mote_world *world, mote_body body, size_t of, uint64_t *ids) {
  bool elastic = about(world, body).kind == MOTE_KIND_ELASTIC;
  mote_field_view id = elastic ? mote_world_elastic_view(world, "id") : mote_world_view(world, "id");
  mote_field_view label = elastic ? mote_world_elastic_view(world, "body") : mote_world_view(world, "body");
  size_t count = 0, seen = 0;
  for (size_t i = 0; i < id.count; ++i) {
    if (((const uint32_t *)label.data)[i] != body.index + 1) continue;
    if (seen++ % of == 0) ids[count++] = ((const uint64_t *)id.data)[i];
  }
  return count;
}

static void the_table_tells(void) {
  mote_world *world = mixed_world(1);
  size_t emitted = 0, kinds[MOTE_KINDS] = {0}, particles = 0;
  for (size_t k = 0; k < mote_world_bodies(world); ++k) {
    mote_body_info info = about(world, mote_world_body_at(world, k));
    emitted += info.emitted, ++kinds[info.kind], particles += info.particles;
    CHECK(info.mass > 0.0 || info.emitted);
    CHECK(info.parent.generation == 0 && !info.broken && info.first_step == 0);
  }
  CHECK(emitted == 1 && kinds[MOTE_KIND_RIGID] == 1 && kinds[MOTE_KIND_ELASTIC] == 2 &&
        kinds[MOTE_KIND_FLUID] > 1);
  CHECK(particles == mote_world_particles(world) + mote_world_elastic_particles(world));
  CHECK(mote_world_body_at(world, mote_world_bodies(world)).generation == 0);
  CHECK_TEXT(about(world, mote_world_find_body(world, "right")).name, "right");
  CHECK(about(world, mote_world_elastic_body(world, 1, NULL, NULL)).centre[0] > 0.8);
  mote_totals before, after;
  CHECK(mote_world_totals(world, &before, NULL) == MOTE_OK &&
        mote_world_advance(world, 0.1, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &after, NULL) == MOTE_OK && after.emitted > 0);
  double mass = 0.0;
  for (size_t k = 0; k < mote_world_bodies(world); ++k)
    mass += about(world, mote_world_body_at(world, k)).mass;
  CHECK_NEAR(mass, after.mass, 1e-9 * mass);
  mote_world_destroy(world);
}

// Splits a part off the water and off a jelly; the motion does not see it.
static void split_both(mote_world *world, mote_body part[2]) {
  static uint64_t ids[4096];
  mote_body whole[2] = {mote_world_body_at(world, 0), mote_world_find_body(world, "left")};
  for (int k = 0; k < 2; ++k) {
    size_t count = some_of(world, whole[k], 3, ids), had = about(world, whole[k]).particles;
    double mass = about(world, whole[k]).mass;
    CHECK(mote_world_split_body(world, whole[k], ids, count, &part[k], NULL) == MOTE_OK);
    mote_body_info of = about(world, part[k]), rest = about(world, whole[k]);
    CHECK(of.particles == count && rest.particles == had - count && rest.broken && !of.broken);
    CHECK(of.parent.index == whole[k].index && of.kind == rest.kind && of.material == rest.material);
    CHECK(of.first_step == mote_world_steps(world) && part[k].generation == of.first_step + 1);
    CHECK(strncmp(of.name, rest.name, strlen(rest.name)) == 0 && of.name[strlen(rest.name)] == '.');
    CHECK_NEAR(of.mass + rest.mass, mass, 1e-12 * mass);
  }
}

static void bodies_are_born_and_end(void) {
  mote_world *a = mixed_world(1), *b = mixed_world(3), *plain = mixed_world(1);
  mote_body part[2], again[2];
  CHECK(mote_world_advance(a, 0.05, NULL) == MOTE_OK && mote_world_advance(plain, 0.05, NULL) == MOTE_OK);
  size_t bodies = mote_world_bodies(a);
  split_both(a, part);
  CHECK(mote_world_bodies(a) == bodies + 2 && mote_world_hash(a) != mote_world_hash(plain));
  CHECK(mote_world_advance(a, 0.1, NULL) == MOTE_OK && mote_world_advance(plain, 0.1, NULL) == MOTE_OK);
  kit_bytes bytes = world_kit_save(a);
  CHECK(world_kit_load(b, &bytes, NULL) == MOTE_OK && mote_world_hash(a) == mote_world_hash(b));
  CHECK(mote_world_bodies(b) == bodies + 2 &&
        about(b, part[1]).parent.index == about(a, part[1]).parent.index);
  CHECK(mote_world_advance(a, 0.15, NULL) == MOTE_OK && mote_world_advance(b, 0.15, NULL) == MOTE_OK);
  CHECK(mote_world_hash(a) == mote_world_hash(b) && mote_world_motion_hash(a) == mote_world_motion_hash(b));
  CHECK(mote_world_advance(plain, 0.15, NULL) == MOTE_OK);
  mote_totals split, whole;
  CHECK(mote_world_totals(a, &split, NULL) == MOTE_OK && mote_world_totals(plain, &whole, NULL) == MOTE_OK);
  CHECK(split.kinetic_energy == whole.kinetic_energy && split.mass == whole.mass);
  for (int k = 0; k < 2; ++k) CHECK(mote_world_merge_body(a, part[k], NULL) == MOTE_OK);
  CHECK(mote_world_bodies(a) == bodies && mote_world_motion_hash(a) == mote_world_motion_hash(plain));
  mote_body_info info;
  CHECK(mote_world_body_about(a, part[0], &info, NULL) == MOTE_ERROR_ARGUMENT);  // it has ended
  CHECK(mote_world_merge_body(a, part[0], NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_merge_body(b, part[0], NULL) == MOTE_OK &&
        mote_world_merge_body(b, part[1], NULL) == MOTE_OK);
  CHECK(mote_world_hash(a) == mote_world_hash(b));
  split_both(a, again);  // never the same handle again
  CHECK(again[0].index != part[0].index && again[1].index != part[1].index);
  CHECK(mote_world_advance(a, 0.2, NULL) == MOTE_OK);
  free(bytes.data);
  mote_world_destroy(a);
  mote_world_destroy(b);
  mote_world_destroy(plain);
}

// A part of a part goes back to the whole when its parent has ended.
static void parts_have_parts(void) {
  static uint64_t ids[4096];
  mote_world *world = mixed_world(1);
  mote_body whole = mote_world_find_body(world, "left"), part, crumb;
  size_t had = about(world, whole).particles;
  CHECK(mote_world_split_body(world, whole, ids, some_of(world, whole, 2, ids), &part, NULL) == MOTE_OK);
  CHECK(mote_world_split_body(world, part, ids, some_of(world, part, 2, ids), &crumb, NULL) == MOTE_OK);
  CHECK(about(world, crumb).parent.index == part.index && about(world, part).broken);
  CHECK(mote_world_merge_body(world, part, NULL) == MOTE_OK);
  CHECK(about(world, crumb).parent.generation == 0 && mote_world_merge_body(world, crumb, NULL) == MOTE_OK);
  CHECK(about(world, whole).particles == had);
  // What is added afterwards has a row behind those of parts, and works.
  CHECK(mote_world_split_body(world, whole, ids, some_of(world, whole, 2, ids), &part, NULL) == MOTE_OK);
  mote_body_def def = mote_body_def_default();
  def.name = "late", def.material = "jelly", def.shape = mote_shape_def_box(0.1, 0.75, 0.0, 0.28, 0.95, 0.0);
  mote_error error;
  if (!CHECK(mote_world_add_body(world, &def, NULL, &error) == MOTE_OK)) printf("%s\n", error.text);
  CHECK(mote_world_advance(world, 0.05, NULL) == MOTE_OK);
  CHECK_TEXT(about(world, mote_world_elastic_body(world, 2, NULL, NULL)).name, "late");
  mote_world_destroy(world);
}

static void bad_input_changes_nothing(void) {
  mote_world *world = mixed_world(1);
  uint64_t before = mote_world_hash(world), strange[] = {UINT64_C(1) << 40}, id;
  mote_body left = mote_world_find_body(world, "left"), right = mote_world_find_body(world, "right"), out;
  mote_body stale = {left.index, left.generation + 1}, box = mote_world_find_body(world, "box");
  mote_body_info info;
  CHECK(some_of(world, right, 1000, &id) == 1);
  CHECK(mote_world_split_body(world, left, strange, 1, &out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_split_body(world, left, &id, 1, &out, NULL) == MOTE_ERROR_ARGUMENT);  // of another body
  CHECK(mote_world_split_body(world, left, NULL, 1, &out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_split_body(world, left, &id, 0, &out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_split_body(world, box, &id, 1, &out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_split_body(world, stale, &id, 1, &out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_split_body(NULL, left, &id, 1, &out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_merge_body(world, left, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_body_about(world, stale, &info, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_body_about(world, (mote_body){0}, &info, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_hash(world) == before);
  mote_world_destroy(world);
}

int main(void) {
  the_table_tells();
  bodies_are_born_and_end();
  parts_have_parts();
  bad_input_changes_nothing();
  return test_end();
}
