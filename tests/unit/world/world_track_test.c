// The tracked surface of a world: the same bits for any number of threads and after a load, through emitters,
// drains and steps that fail; closed and near the particles; motion is that of a world without it.
#include "matter/world_track.h"

#include <math.h>

#include "test.h"
#include "world_kit.h"

#define FRAMES 4
#define FRAME 0.06

// A dam, a jet and a drain under the dam.
static mote_world *make_world(bool track, int threads) {
  world_kit kit;
  world_kit_everything(&kit, 3, 0.1);
  kit.drain[0].shape = mote_shape_def_sphere(0.4, 0.1, 0.4, 0.1);
  kit.scene.world.track.on = track;
  kit.scene.world.track.properties = (mote_track_properties){true, true, true};
  kit.scene.world.track.waves.on = true;
  kit.scene.outputs.surface.on = track;
  kit.scene.outputs.surface.def.method = MOTE_SURFACE_TRACKED;
  mote_env env = world_kit_env(threads);
  return world_kit_create(&kit, &env);
}

static mote_surface build(mote_world *world) {
  mote_surface surface = {0};
  mote_world_surface handle = mote_world_find_surface(world, "surface");
  CHECK(mote_world_build_surface(world, handle, NULL, 0, &surface, NULL) == MOTE_OK);
  return surface;
}

static bool same(const mote_surface *a, const mote_surface *b) {
  size_t n = a->mesh.vertices, t = a->mesh.triangles;
  bool same = n == b->mesh.vertices && t == b->mesh.triangles && n > 0 && a->fields == b->fields &&
              memcmp(a->mesh.vertex, b->mesh.vertex, 3 * n * sizeof *a->mesh.vertex) == 0 &&
              memcmp(a->mesh.triangle, b->mesh.triangle, 3 * t * sizeof *a->mesh.triangle) == 0;
  for (int f = 0; f < a->fields && same; ++f)
    same = memcmp(a->field[f].data, b->field[f].data, 8 * n * (size_t)a->field[f].components) == 0;
  return same;
}

static void check_sound(const mote_surface *s) {
  mote_mesh_report report;
  CHECK(mote_mesh_examine(&s->mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.open_edges == 0 && report.flipped_edges == 0 && report.pinched_vertices == 0);
  for (int f = 0; f < s->fields; ++f) {
    const double *value = s->field[f].data;
    size_t numbers = s->mesh.vertices * (size_t)s->field[f].components;
    for (size_t i = 0; i < numbers && s->field[f].type == MOTE_TYPE_F64; ++i) CHECK(isfinite(value[i]));
  }
}

static void resumes_to_the_same_bits(void) {
  mote_world *straight = make_world(true, 1), *resumed = make_world(true, 3), *plain = make_world(false, 1);
  mote_surface a = build(straight), b;
  check_sound(&a);
  mote_surface_free(&a, NULL);
  for (int f = 0; f < FRAMES; ++f) {
    if (f == 2) {
      CHECK(mote_world_step(straight, FRAME * (f + 1), NULL) == MOTE_OK);
      kit_bytes bytes = world_kit_save(straight);
      CHECK(world_kit_load(resumed, &bytes, NULL) == MOTE_OK);
      free(bytes.data);
      // A step that fails takes the mesh back with all else.
      mote_store_f32(mote_world_store(straight), MOTE_PARTICLE_VELOCITY)[0] = (float)NAN;
      mote_store_f32(mote_world_store(resumed), MOTE_PARTICLE_VELOCITY)[0] = (float)NAN;
    }
    CHECK(mote_world_advance(straight, FRAME * (f + 1), NULL) == MOTE_OK);
    if (f != 2) CHECK(mote_world_advance(plain, FRAME * (f + 1), NULL) == MOTE_OK);
    if (f == 1) CHECK(mote_world_motion_hash(straight) == mote_world_motion_hash(plain));
    if (f >= 2) CHECK(mote_world_advance(resumed, FRAME * (f + 1), NULL) == MOTE_OK);
  }
  mote_totals totals;
  CHECK(mote_world_totals(straight, &totals, NULL) == MOTE_OK && totals.emitted > 0 && totals.drained > 0);
  a = build(straight), b = build(resumed);
  check_sound(&a);
  CHECK(same(&a, &b));
  CHECK(mote_world_hash(straight) == mote_world_hash(resumed));
  mote_surface_free(&a, NULL);
  mote_surface_free(&b, NULL);
  mote_world_destroy(straight);
  mote_world_destroy(resumed);
  mote_world_destroy(plain);
}

// A surface that is looked at before the first step changes nothing.
static void looking_changes_nothing(void) {
  mote_world *looked = make_world(true, 2), *plain = make_world(true, 1);
  mote_surface a = build(looked);
  mote_surface_free(&a, NULL);
  CHECK(mote_world_advance(looked, 0.5 * FRAME, NULL) == MOTE_OK);
  CHECK(mote_world_advance(plain, 0.5 * FRAME, NULL) == MOTE_OK);
  CHECK(mote_world_hash(looked) == mote_world_hash(plain));
  mote_world_destroy(looked);
  mote_world_destroy(plain);
}

static void check_refused(const mote_world_def *def, const char *key) {
  mote_error error = {0};
  mote_world *world = NULL;
  CHECK(mote_world_create(def, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
  CHECK(world == NULL);
}

static void refuses_what_it_cannot_do(void) {
  mote_world_def def = mote_world_def_default();
  def.spacing = 0.1;
  def.track.on = true;
  def.dimensions = 2;
  check_refused(&def, "track");
  def.dimensions = 3;
  for (int k = 0; k < 2; ++k) def.side[0][k] = MOTE_SIDE_PERIODIC;
  def.low[0] = 0.0, def.high[0] = 2.0;
  check_refused(&def, "track");
  def = mote_world_def_default();
  def.spacing = 0.1;
  def.solver.tension = MOTE_TENSION_MESH;
  check_refused(&def, "solver.tension");
}

int main(void) {
  resumes_to_the_same_bits();
  looking_changes_nothing();
  refuses_what_it_cannot_do();
  return test_end();
}
