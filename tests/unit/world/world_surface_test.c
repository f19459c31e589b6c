// Surfaces of a world: what Adams' method remembers goes with the particles through emitters, drains and
// sorting, and with the world through snapshots and failed steps; building changes nothing else.
#include "world/world_surface.h"

#include "test.h"
#include "world_kit.h"

#define FRAMES 5
#define FRAME 0.06

// A dam, a jet and a drain under the dam.
static void make_scene(world_kit *kit) {
  world_kit_everything(kit, 3, 0.1);
  kit->drain[0].shape = mote_shape_def_sphere(0.4, 0.1, 0.4, 0.1);
}

static mote_world *make_world(mote_surface_method method, int threads) {
  world_kit kit;
  make_scene(&kit);
  kit.scene.outputs.surface.on = true;
  kit.scene.outputs.surface.def.method = method;
  mote_env env = world_kit_env(threads);
  return world_kit_create(&kit, &env);
}

static mote_surface build(mote_world *world) {
  mote_surface surface = {0};
  mote_field_view velocity = mote_world_view(world, "velocity");
  mote_world_surface handle = mote_world_find_surface(world, "surface");
  CHECK(mote_world_build_surface(world, handle, &velocity, 1, &surface, NULL) == MOTE_OK);
  return surface;
}

static bool same(const mote_surface *a, const mote_surface *b) {
  size_t n = a->mesh.vertices, t = a->mesh.triangles;
  return n == b->mesh.vertices && t == b->mesh.triangles && n > 0 && a->fields == b->fields &&
         memcmp(a->mesh.vertex, b->mesh.vertex, 3 * n * sizeof *a->mesh.vertex) == 0 &&
         memcmp(a->mesh.triangle, b->mesh.triangle, 3 * t * sizeof *a->mesh.triangle) == 0 &&
         memcmp(a->field[0].data, b->field[0].data, 3 * n * sizeof(float)) == 0;
}

static void check_same(mote_surface *a, mote_surface *b, bool expected) {
  CHECK(same(a, b) == expected);
  mote_surface_free(a, NULL);
  mote_surface_free(b, NULL);
}

static void advance(mote_world *world, double until) {
  CHECK(mote_world_advance(world, until, NULL) == MOTE_OK);
}

// Saved in the middle of a frame and loaded with another number of threads, the meshes that follow are the
// same; without what was remembered they are others.
static void resumes_to_the_same_bits(void) {
  mote_world *straight = make_world(MOTE_SURFACE_ADAMS, 1), *resumed = make_world(MOTE_SURFACE_ADAMS, 3);
  mote_world *fresh = make_world(MOTE_SURFACE_ADAMS, 1);
  for (int f = 0; f < FRAMES; ++f) {
    mote_surface a = build(straight);
    mote_surface_free(&a, NULL);
    if (f == 2) {
      CHECK(mote_world_step(straight, FRAME * (f + 1), NULL) == MOTE_OK);
      kit_bytes bytes = world_kit_save(straight);
      CHECK(world_kit_load(resumed, &bytes, NULL) == MOTE_OK);
      free(bytes.data);
    }
    advance(straight, FRAME * (f + 1));
  }
  for (int f = 3; f < FRAMES; ++f) {
    advance(resumed, FRAME * f);
    mote_surface b = build(resumed);
    mote_surface_free(&b, NULL);
  }
  advance(resumed, FRAME * FRAMES);
  for (int f = 1; f <= FRAMES; ++f) advance(fresh, FRAME * f);
  mote_totals totals;
  CHECK(mote_world_totals(straight, &totals, NULL) == MOTE_OK && totals.emitted > 0 && totals.drained > 0);
  mote_surface a = build(straight), b = build(resumed);
  check_same(&a, &b, true);
  CHECK(mote_world_hash(straight) == mote_world_hash(resumed));
  CHECK(mote_world_motion_hash(straight) == mote_world_motion_hash(fresh));
  a = build(straight), b = build(fresh);
  check_same(&a, &b, false);
  mote_world_destroy(straight);
  mote_world_destroy(resumed);
  mote_world_destroy(fresh);
}

// The same as a surfacer that follows the particles from frame to frame.
static void follows_as_a_surfacer_does(void) {
  mote_world *world = make_world(MOTE_SURFACE_ADAMS, 2);
  mote_surface_def def = mote_surface_at(world, 0)->def;
  mote_surface_walls walls = mote_surface_at(world, 0)->walls;
  mote_surfacer *surfacer;
  CHECK(mote_surfacer_create(&def, NULL, &surfacer, NULL) == MOTE_OK);
  for (int f = 0; f < 3; ++f) {
    mote_field_view velocity = mote_world_view(world, "velocity");
    mote_surface_particles particles = {.position = mote_world_view(world, "position").data,
                                        .count = mote_world_particles(world),
                                        .id = mote_world_view(world, "id").data,
                                        .field = &velocity,
                                        .fields = 1};
    mote_surface_images images;
    mote_surface a, b = build(world);
    CHECK(mote_surface_images_make(&walls, &particles, &def, NULL, &images, NULL) == MOTE_OK);
    CHECK(mote_surfacer_build(surfacer, &images.view, &a, NULL) == MOTE_OK);
    mote_surface_images_free(&images, NULL);
    check_same(&a, &b, true);
    advance(world, FRAME * (f + 1));
  }
  mote_surfacer_destroy(surfacer);
  mote_world_destroy(world);
}

// Twice at one time gives the same, also after a load; and a step that fails takes the memory back, too.
static void looking_twice_changes_nothing(void) {
  mote_world *world = make_world(MOTE_SURFACE_ADAMS, 1), *other = make_world(MOTE_SURFACE_ADAMS, 1);
  mote_surface a = build(world), b = build(world);
  check_same(&a, &b, true);
  advance(world, FRAME);
  a = build(world);
  CHECK(mote_world_begin_frame(world, NULL) == MOTE_OK);
  uint64_t hash = mote_world_hash(world);
  kit_bytes bytes = world_kit_save(world);
  CHECK(world_kit_load(other, &bytes, NULL) == MOTE_OK);
  b = build(other);
  CHECK(mote_world_hash(other) == mote_world_hash(world));
  check_same(&a, &b, true);
  a = build(world);
  CHECK(mote_world_hash(world) == hash);
  CHECK(mote_world_step(world, 2 * FRAME, NULL) == MOTE_OK);
  b = build(world);
  CHECK(!same(&a, &b));
  mote_surface_free(&b, NULL);
  mote_store_f32(mote_world_store(world), MOTE_PARTICLE_VELOCITY)[0] = (float)NAN;
  CHECK(mote_world_step(world, 2 * FRAME, NULL) == MOTE_OK && mote_world_time(world) == FRAME);
  b = build(world);
  check_same(&a, &b, true);
  free(bytes.data);
  mote_world_destroy(world);
  mote_world_destroy(other);
}

// Methods that remember nothing leave no trace in the state.
static void others_have_no_state(void) {
  world_kit kit;
  make_scene(&kit);
  mote_world *without = world_kit_create(&kit, NULL), *with = make_world(MOTE_SURFACE_ANISOTROPIC, 1);
  mote_surface a = build(with), b = build(with);
  check_same(&a, &b, true);
  CHECK(with->now.tables == MOTE_TABLES && mote_world_hash(with) == mote_world_hash(without));
  kit_bytes bytes = world_kit_save(with);
  CHECK(world_kit_load(without, &bytes, NULL) == MOTE_OK);
  free(bytes.data);
  mote_world_destroy(with);
  mote_world_destroy(without);
}

static void two_surfaces_remember_apart(void) {
  mote_world *world = make_world(MOTE_SURFACE_ADAMS, 1);
  mote_world_surface_def def = mote_world_surface_def_default();
  mote_world_surface late;
  def.name = "late", def.surface.method = MOTE_SURFACE_ADAMS;
  CHECK(mote_world_add_surface(world, &def, &late, NULL) == MOTE_OK && late.index == 1);
  mote_surface a = build(world), b = {0};
  advance(world, FRAME);
  mote_surface_free(&a, NULL);
  a = build(world);
  mote_field_view velocity = mote_world_view(world, "velocity");
  CHECK(mote_world_build_surface(world, late, &velocity, 1, &b, NULL) == MOTE_OK);
  check_same(&a, &b, false);  // its first frame is the other's second
  const mote_store *distances = &world->now.store[mote_state_find(&world->now, "surface_distances")];
  CHECK(distances->blocks == 4 && distances->block[1].count > 0 && distances->block[3].count == 0);
  mote_world_destroy(world);
}

static void refusals(void) {
  mote_error error;
  world_kit kit;
  mote_world *with = make_world(MOTE_SURFACE_ADAMS, 1);
  mote_surface surface;
  mote_world_surface_def def = mote_world_surface_def_default();
  CHECK(mote_world_add_surface(with, &def, NULL, &error) == MOTE_ERROR_ARGUMENT &&
        strcmp(error.key, "name") == 0);
  def.name = "bad", def.surface.cell = -1.0;
  CHECK(mote_world_add_surface(with, &def, NULL, &error) == MOTE_ERROR_ARGUMENT &&
        strcmp(error.key, "cell") == 0);
  CHECK(mote_world_find_surface(with, "bad").generation == 0);
  CHECK(mote_world_build_surface(with, (mote_world_surface){0}, NULL, 0, &surface, NULL) ==
        MOTE_ERROR_ARGUMENT);
  mote_field_view few = mote_world_view(with, "velocity");
  --few.count;
  mote_world_surface there = mote_world_find_surface(with, "surface");
  CHECK(mote_world_build_surface(with, there, &few, 1, &surface, NULL) == MOTE_ERROR_ARGUMENT);
  world_kit_dam(&kit, 2, 0.1);
  mote_world *plane = world_kit_create(&kit, NULL);
  CHECK(mote_world_add_surface(plane, &def, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  mote_world_destroy(plane);
  mote_world_destroy(with);
}

// Outputs may change where a run is resumed: a surface that the snapshot does not know begins anew, one that
// the world does not have is forgotten.
static void surfaces_may_change(void) {
  world_kit kit;
  make_scene(&kit);
  mote_world *with = make_world(MOTE_SURFACE_ADAMS, 1), *without = world_kit_create(&kit, NULL);
  mote_world *loaded = make_world(MOTE_SURFACE_ADAMS, 1);
  for (int f = 1; f <= 2; ++f) {
    mote_surface surface = build(with), other = build(loaded);
    check_same(&surface, &other, f == 1);
    advance(with, FRAME * f);
    advance(without, FRAME * f);
  }
  CHECK(mote_world_begin_frame(with, NULL) == MOTE_OK && mote_world_begin_frame(without, NULL) == MOTE_OK);
  kit_bytes more = world_kit_save(with), less = world_kit_save(without);
  uint64_t plain = mote_world_hash(without);
  CHECK(world_kit_load(without, &more, NULL) == MOTE_OK);
  CHECK(mote_world_hash(without) == plain && without->now.tables == MOTE_TABLES);
  CHECK(world_kit_load(loaded, &less, NULL) == MOTE_OK && mote_world_hash(loaded) != plain);
  CHECK(isnan(
      *mote_store_f64(&loaded->now.store[mote_state_find(&loaded->now, "surfaces")], MOTE_SURFACE_BUILT)));
  mote_surface a = build(loaded), b = build(with);
  check_same(&a, &b, false);
  mote_world_surface_def def = mote_world_surface_def_default();
  def.name = "another", def.surface.method = MOTE_SURFACE_ADAMS;
  CHECK(mote_world_add_surface(without, &def, NULL, NULL) == MOTE_OK);
  CHECK(world_kit_load(without, &more, NULL) == MOTE_OK);  // of another name
  const mote_store *distances = &without->now.store[mote_state_find(&without->now, "surface_distances")];
  CHECK(distances->blocks == 2 && distances->count[0] == 0);
  advance(without, FRAME * 3);
  free(more.data);
  free(less.data);
  mote_world_destroy(with);
  mote_world_destroy(without);
  mote_world_destroy(loaded);
}

// The checksums are right, but the rows are impossible.
static void impossible_rows_are_refused(void) {
  mote_error error;
  mote_world *world = make_world(MOTE_SURFACE_ADAMS, 1), *other = make_world(MOTE_SURFACE_ADAMS, 1);
  mote_surface surface = build(world);
  mote_surface_free(&surface, NULL);
  const mote_store *distances = &world->now.store[mote_state_find(&world->now, "surface_distances")];
  uint64_t *id = mote_store_u64(distances, MOTE_DISTANCE_PARTICLE), first = id[0];
  id[0] = id[1];
  kit_bytes twice = world_kit_save(world);
  id[0] = first;
  mote_store_f32(distances, MOTE_DISTANCE_VALUE)[1] = (float)INFINITY;
  kit_bytes far = world_kit_save(world);
  CHECK(world_kit_load(other, &twice, &error) == MOTE_ERROR_FORMAT && strstr(error.text, "fit") != NULL);
  CHECK(world_kit_load(other, &far, &error) == MOTE_ERROR_FORMAT && strstr(error.text, "fit") != NULL);
  free(twice.data);
  free(far.data);
  mote_world_destroy(world);
  mote_world_destroy(other);
}

int main(void) {
  CHECK(mote_table_check(&mote_surface_table, NULL) == MOTE_OK);
  CHECK(mote_table_check(&mote_distance_table, NULL) == MOTE_OK);
  resumes_to_the_same_bits();
  follows_as_a_surfacer_does();
  looking_twice_changes_nothing();
  others_have_no_state();
  two_surfaces_remember_apart();
  surfaces_may_change();
  refusals();
  impossible_rows_are_refused();
  return test_end();
}
