// A run that goes wrong says so: three tries with half the step, then an error with stage, particle and value
// and the world as it was when the frame began.
#include "test.h"
#include "world_kit.h"

typedef struct ears {
  int warnings;
  char last[512];
} ears;

static void hear(void *user, mote_log_level level, const char *text) {
  ears *e = user;
  e->warnings += level == MOTE_LOG_WARNING;
  snprintf(e->last, sizeof e->last, "%s", text);
}

static mote_env listening(ears *e) {
  *e = (ears){0};
  mote_env env = mote_env_default();
  env.log = hear, env.log_user = e;
  return env;
}

// Water that falls faster than allowed.
static void too_fast_is_found(void) {
  world_kit kit;
  ears e;
  mote_env env = listening(&e);
  world_kit_dam(&kit, 2, 0.1);
  kit.scene.world.speed_limit = 0.3;
  mote_world *world = world_kit_create(&kit, &env);
  mote_error error = {0};
  CHECK(mote_world_advance(world, 0.01, &error) == MOTE_OK);
  double begin = mote_world_time(world);
  CHECK(mote_world_advance(world, 0.5, &error) == MOTE_ERROR_NUMERIC);
  CHECK(error.code == MOTE_ERROR_NUMERIC && strstr(error.text, "stage \"check\"") != NULL);
  CHECK(strstr(error.text, "speed (at most 0.3) of particle ") != NULL &&
        strstr(error.text, "3 tries") != NULL);
  CHECK(e.warnings == 3 && strstr(e.last, "try 3 of 3") != NULL);
  CHECK(mote_world_time(world) == begin && mote_world_report(world).tries == 3);
  // What it is now can be looked at, saved and loaded, and is still out of tries.
  kit_bytes bytes = world_kit_save(world);
  mote_world *other = world_kit_create(&kit, &env);
  CHECK(world_kit_load(other, &bytes, NULL) == MOTE_OK && mote_world_hash(other) == mote_world_hash(world));
  CHECK(mote_world_advance(other, 0.5, &error) == MOTE_ERROR_NUMERIC && e.warnings == 3);
  mote_world_destroy(world);
  mote_world_destroy(other);
  free(bytes.data);
}

// Of the state at the frame's beginning only tries and factor have changed.
static void the_frame_comes_back(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.1);
  kit.scene.world.speed_limit = 1.0;
  mote_world *a = world_kit_create(&kit, NULL), *b = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(a, 0.04, NULL) == MOTE_OK && mote_world_advance(b, 0.04, NULL) == MOTE_OK);
  CHECK(mote_world_advance(a, 1.0, NULL) == MOTE_ERROR_NUMERIC);
  size_t n = mote_world_particles(a);
  mote_field_view ia = mote_world_view(a, "id"), ib = mote_world_view(b, "id");
  mote_field_view xa = mote_world_view(a, "position"), xb = mote_world_view(b, "position");
  size_t same = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      if (((uint64_t *)ia.data)[i] != ((uint64_t *)ib.data)[j]) continue;
      same += memcmp((double *)xa.data + 3 * i, (double *)xb.data + 3 * j, 3 * sizeof(double)) == 0;
    }
  }
  CHECK(same == n && mote_world_time(a) == mote_world_time(b) && mote_world_steps(a) == mote_world_steps(b));
  mote_world_destroy(a);
  mote_world_destroy(b);
}

// A wind that is no number for some time: the steps before it are kept, and the error names it.
static void formulas_without_value_are_found(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.1);
  kit.force[0].acceleration.x.formula = "sqrt(0.05 - t)";
  mote_world *world = world_kit_create(&kit, NULL);
  mote_error error = {0};
  CHECK(mote_world_advance(world, 0.04, &error) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.08, &error) == MOTE_ERROR_NUMERIC);
  CHECK(strstr(error.text, "\"wind\"") != NULL && strstr(error.text, "stage \"forces\"") != NULL);
  CHECK(mote_world_time(world) == 0.04);
  mote_world_destroy(world);
  world_kit_everything(&kit, 2, 0.1);
  kit.collider[0].motion.move.x.formula = "1/(t - 2*t)*0";
  CHECK(mote_world_create_scene(&kit.scene, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "colliders.paddle.motion.move");
  kit.collider[0].motion.move.x.formula = "t > 0.05 ? 1/0 : 0";
  world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 0.1, &error) == MOTE_ERROR_NUMERIC);
  CHECK(strstr(error.text, "collider \"paddle\"") != NULL);
  mote_world_destroy(world);
}

// More and more into a closed tank: no step is short enough, and the run ends with a word.
static void a_tank_that_is_full_ends(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.1);
  kit.scene.bodies = kit.scene.drains = kit.scene.colliders = kit.scene.forces = 0;
  kit.emitter[0].radius = 0.25, kit.emitter[0].centre[0] = 0.5;
  kit.emitter[0].speed.constant = 4.0;
  mote_world *world = world_kit_create(&kit, NULL);
  mote_error error = {0};
  mote_result result = MOTE_OK;
  for (int frame = 1; frame <= 200 && result == MOTE_OK; ++frame) {
    result = mote_world_advance(world, frame / 25.0, &error);
  }
  CHECK(result == MOTE_ERROR_NUMERIC && strstr(error.text, "3 tries") != NULL);
  CHECK(strstr(error.text, "container too small") != NULL);
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK && totals.mass > 1400.0 &&
        totals.speed_max < 100.0);
  mote_world_destroy(world);
}

// Frames as long as the run, in which much is moved: nothing is wrong with them.
static void long_frames_are_calm(void) {
  for (int k = 0; k < 3; ++k) {
    world_kit kit;
    ears e;
    mote_env env = listening(&e);
    world_kit_everything(&kit, 2, 0.1);
    if (k == 1) kit.collider[0].motion.angle.formula = "15*t", kit.collider[0].friction = 1.0;
    if (k == 2)
      kit.scene.world.side[1][0] = kit.scene.world.side[1][1] = MOTE_SIDE_PERIODIC;  // falls for ever
    mote_world *world = world_kit_create(&kit, &env);
    CHECK(mote_world_advance(world, 1.0, NULL) == MOTE_OK && e.warnings == 0);
    mote_world_destroy(world);
  }
}

// After trouble the steps are shorter, and frame by frame as long again.
static void steps_recover(void) {
  world_kit kit;
  ears e;
  mote_env env = listening(&e);
  world_kit_tank(&kit, 2, 0.1);
  kit.scene.world.solver.step_min = kit.scene.world.solver.step_max = 0.004;
  kit.scene.world.speed_limit = 0.9;
  kit.scene.world.gravity[1] = 0.0;
  mote_body_def *body = world_kit_body(&kit, "b", mote_shape_def_box(0.2, 0.2, 0.0, 0.6, 0.6, 1.0));
  body->velocity.x.constant = 0.6;
  // A gust that is felt or not, as steps meet it: too much for long steps only.
  kit.force[0] = mote_force_def_default();
  kit.force[0].name = "gust";
  kit.force[0].acceleration.x.formula = "abs(t - 0.012) < 1e-9 ? 100 : 0";
  kit.scene.forces = 1;
  mote_world *world = world_kit_create(&kit, &env);
  CHECK(mote_world_advance(world, 0.02, NULL) == MOTE_OK);
  CHECK(e.warnings == 1 && mote_world_report(world).tries == 1);
  CHECK_NEAR(mote_world_report(world).step, 0.002, 1e-12);
  CHECK(mote_world_advance(world, 0.04, NULL) == MOTE_OK && mote_world_report(world).tries == 0);
  CHECK_NEAR(mote_world_report(world).step, 0.004, 1e-12);
  CHECK(e.warnings == 1);
  mote_world_destroy(world);
}

int main(void) {
  too_fast_is_found();
  the_frame_comes_back();
  formulas_without_value_are_found();
  a_tank_that_is_full_ends();
  long_frames_are_calm();
  steps_recover();
  return test_end();
}
