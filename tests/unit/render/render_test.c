// Rendered pictures: the same for any number of threads, wrong arguments by name, what is not finite left
// out, short memory, stopping.
#include <math.h>
#include <stdlib.h>

#include "render/render_parts.h"
#include "stingy.h"
#include "test.h"

static mote_render_def small(void) {
  mote_render_def def = mote_render_def_default();
  def.width = 48, def.height = 32, def.samples = 4;
  return def;
}

// A tetrahedron of water about a red ball.
static const double VERTEX[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
static const uint32_t TRIANGLE[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
static const double BALL[3] = {0, 0, 0};

typedef struct stage {
  double vertex[12];
  uint32_t triangle[12];
  mote_render_mesh mesh;
  mote_render_spheres balls;
  mote_render_scene scene;
} stage;

static void set_stage(stage *s) {
  *s = (stage){.scene = mote_render_scene_default()};
  memcpy(s->vertex, VERTEX, sizeof VERTEX);
  memcpy(s->triangle, TRIANGLE, sizeof TRIANGLE);
  s->mesh.mesh = (mote_mesh){s->vertex, s->triangle, 4, 4};
  s->mesh.look = mote_look_water();
  s->balls = (mote_render_spheres){
      .position = BALL, .count = 1, .radius = 0.3, .look = mote_look_glossy(0.8F, 0.1F, 0.1F)};
  s->scene.mesh = &s->mesh, s->scene.meshes = 1;
  s->scene.spheres = &s->balls, s->scene.sphere_sets = 1;
  s->scene.title = "water", s->scene.time = 1.5;
}

static mote_image *draw(const mote_render_def *def, const mote_render_scene *scene, int threads) {
  mote_image *image = NULL;
  mote_error error = {0};
  mote_env env = mote_env_default();
  env.threads = threads;
  if (!CHECK(mote_render_draw(def, scene, &env, &image, &error) == MOTE_OK))
    fprintf(stderr, "%s\n", error.text);
  return image;
}

static bool same(mote_image *a, mote_image *b) {
  size_t bytes = 4 * (size_t)mote_image_width(a) * (size_t)mote_image_height(a);
  return memcmp(mote_image_pixels(a), mote_image_pixels(b), bytes) == 0;
}

static void threads_change_nothing(void) {
  stage s;
  set_stage(&s);
  mote_render_def def = small();
  mote_image *one = draw(&def, &s.scene, 1), *two = draw(&def, &s.scene, 2), *seven = draw(&def, &s.scene, 7);
  CHECK(same(one, two) && same(one, seven));
  def.seed = 1;
  mote_image *other = draw(&def, &s.scene, 2);
  CHECK(!same(one, other));
  mote_image_destroy(one), mote_image_destroy(two), mote_image_destroy(seven), mote_image_destroy(other);
}

// Nor with pixels of different numbers of paths, and with things that move before a lens.
static void threads_change_no_blur(void) {
  static const float velocity[12] = {1, 0, 0, 0, 2, 0, 0, 0, 1, -1, 0, 0};
  stage s;
  set_stage(&s);
  s.mesh.velocity = velocity, s.balls.velocity = velocity;
  mote_render_def def = small();
  def.samples = 16, def.noise = 0.2, def.camera.shutter = 0.5, def.camera.aperture = 0.1;
  mote_image *one = draw(&def, &s.scene, 1), *three = draw(&def, &s.scene, 3);
  CHECK(same(one, three));
  def.camera.shutter = 0;
  mote_image *sharp = draw(&def, &s.scene, 2);
  CHECK(!same(one, sharp));
  mote_image_destroy(one), mote_image_destroy(three), mote_image_destroy(sharp);
}

static void check_refused(const mote_render_def *def, const mote_render_scene *scene, const char *key) {
  mote_image *image = NULL;
  mote_error error = {0};
  CHECK(mote_render_draw(def, scene, NULL, &image, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
  CHECK(image == NULL && error.text[0] != 0);
}

#define REFUSE_DEF(member, value, key)  \
  do {                                  \
    mote_render_def bad = small();      \
    bad.member = (value);               \
    check_refused(&bad, &s.scene, key); \
  } while (0)

static void wrong_definitions_are_named(void) {
  stage s;
  set_stage(&s);
  REFUSE_DEF(width, 0, "width");
  REFUSE_DEF(height, 40000, "height");
  REFUSE_DEF(samples, 0, "samples");
  REFUSE_DEF(bounces, -1, "bounces");
  REFUSE_DEF(exposure, (double)NAN, "exposure");
  REFUSE_DEF(sun_strength, -1, "sun_strength");
  REFUSE_DEF(sky_strength, (double)INFINITY, "sky_strength");
  REFUSE_DEF(camera.aperture, -1, "camera.aperture");
  REFUSE_DEF(depth, 0, "depth");
  REFUSE_DEF(camera.focus, -1, "camera.focus");
  REFUSE_DEF(camera.shutter, -1, "camera.shutter");
  REFUSE_DEF(frame, 0, "frame");
  REFUSE_DEF(noise, -0.1, "noise");
  REFUSE_DEF(backdrop[1], -1, "backdrop");
  REFUSE_DEF(up[1], 0, "up");
  REFUSE_DEF(sun[1], (double)NAN, "sun");
  REFUSE_DEF(cut[3], 1, "cut");
  REFUSE_DEF(ground, (double)INFINITY, "ground");
  REFUSE_DEF(ground_look.kind, MOTE_LOOK_GLASS, "ground_look");
  mote_render_def wide = small();
  wide.width = wide.height = 5000;
  check_refused(&wide, &s.scene, "width");
  CHECK(mote_render_draw(NULL, &s.scene, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
}

static void wrong_scenes_are_named(void) {
  stage s;
  mote_render_def def = small();
  set_stage(&s);
  s.triangle[5] = 4;
  check_refused(&def, &s.scene, "mesh[0].mesh.triangle");
  set_stage(&s);
  s.mesh.look.kind = MOTE_LOOK_PUFF;
  check_refused(&def, &s.scene, "mesh[0].look.kind");
  set_stage(&s);
  s.mesh.look.absorption[1] = -1;
  check_refused(&def, &s.scene, "mesh[0].look.absorption");
  set_stage(&s);
  s.balls.radius = 0;
  check_refused(&def, &s.scene, "spheres[0].radius");
  set_stage(&s);
  s.balls.position = NULL;
  check_refused(&def, &s.scene, "spheres[0].position");
  set_stage(&s);
  s.balls.look.colour[2] = 1.5F;
  check_refused(&def, &s.scene, "spheres[0].look.colour");
}

// Nothing that is not a number is drawn, and nothing else changes for it.
static void what_is_not_finite_is_left_out(void) {
  stage s;
  set_stage(&s);
  mote_render_def def = small();
  const double nan3 = (double)NAN, two[6] = {0, 0, 0, nan3, 0, 0};
  mote_image *one = draw(&def, &s.scene, 2);
  s.balls.position = two, s.balls.count = 2;
  mote_image *other = draw(&def, &s.scene, 2);
  CHECK(same(one, other));
  mote_image_destroy(other);
  s.balls.count = 0;
  for (int k = 0; k < 12; ++k) s.vertex[k] = nan3;
  other = draw(&def, &s.scene, 2);
  s.scene.meshes = 0;
  mote_image *empty = draw(&def, &s.scene, 2);
  CHECK(same(empty, other));
  mote_image_destroy(one), mote_image_destroy(other), mote_image_destroy(empty);
}

static int unlike(mote_image *a, mote_image *b, int most) {
  int count = 0, bytes = 4 * mote_image_width(a) * mote_image_height(a);
  const uint8_t *p = mote_image_pixels(a), *q = mote_image_pixels(b);
  for (int k = 0; k < bytes; ++k) count += abs(p[k] - q[k]) > most;
  return count;
}

static double brightness(mote_image *image) {
  double sum = 0;
  int pixels = mote_image_width(image) * mote_image_height(image);
  for (int k = 0; k < pixels; ++k) sum += mote_image_pixels(image)[4 * k + 1];
  return sum / pixels;
}

// Far from the origin as near it: places that doubles hold exactly make the same picture but for what the
// last digit of the camera's place does to single paths.
static void far_away_looks_the_same(void) {
  stage s;
  set_stage(&s);
  mote_render_def def = small();
  mote_image *near = draw(&def, &s.scene, 2);
  const double far[3] = {1048576, 0, 0};
  for (int k = 0; k < 12; k += 3) s.vertex[k] += far[0];
  s.balls.position = far;
  mote_image *away = draw(&def, &s.scene, 2);
  CHECK(unlike(near, away, 3) < 48 * 32 * 4 / 50);
  mote_image_destroy(near), mote_image_destroy(away);
}

// What can be asked for changes the picture, and in the right direction.
static void options_do_something(void) {
  stage s;
  set_stage(&s);
  mote_render_def def = small();
  s.mesh.look = mote_look_matte(0.8F, 0.8F, 0.8F);
  mote_image *plain = draw(&def, &s.scene, 2);
  s.mesh.wireframe = true;
  mote_image *lines = draw(&def, &s.scene, 2);
  CHECK(brightness(lines) < brightness(plain) - 0.1);
  s.mesh.wireframe = false;
  def.exposure = 1.5;
  mote_image *light = draw(&def, &s.scene, 2);
  CHECK(brightness(light) > brightness(plain) + 10);
  def.exposure = 1;
  def.backdrop[0] = def.backdrop[1] = def.backdrop[2] = 0;
  mote_image *dark = draw(&def, &s.scene, 2);
  CHECK(brightness(dark) < brightness(plain) - 10);
  mote_image_destroy(dark);
  def.backdrop[0] = (float)NAN, def.camera.aperture = 1;
  mote_image *blurred = draw(&def, &s.scene, 2);
  CHECK(unlike(plain, blurred, 20) > 100);
  def.camera.aperture = 0, s.scene.title = NULL, s.scene.time = (double)NAN;
  mote_shade shade = mote_shade_default();
  shade.low = 0, shade.high = 2;
  def.width = 320, def.height = 64, def.samples = 1;
  mote_image *bare = draw(&def, &s.scene, 2);
  s.scene.shade = &shade;
  mote_image *bar = draw(&def, &s.scene, 2);
  CHECK(unlike(bare, bar, 30) > 100);
  mote_image *all[6] = {plain, lines, light, blurred, bare, bar};
  for (int k = 0; k < 6; ++k) mote_image_destroy(all[k]);
}

static void short_memory_is_told(void) {
  stage s;
  set_stage(&s);
  mote_render_def def = small();
  def.width = def.height = 8, def.samples = 1;
  bool done = false;
  for (int granted = 0; granted < 200 && !done; ++granted) {
    stingy purse;
    mote_env env = stingy_env(&purse, granted);
    mote_image *image = NULL;
    mote_error error = {0};
    mote_result result = mote_render_draw(&def, &s.scene, &env, &image, &error);
    done = result == MOTE_OK;
    CHECK(done || (result == MOTE_ERROR_MEMORY && image == NULL));
    mote_image_destroy(image);
    CHECK(purse.held == 0);
  }
  CHECK(done);
}

static bool stop_soon(void *user, double part) {
  int *calls = user;
  CHECK(part > 0 && part <= 1);
  return ++*calls < 3;
}

static void pictures_can_be_stopped(void) {
  stage s;
  set_stage(&s);
  mote_render_def def = small();
  int calls = 0;
  def.progress = stop_soon, def.progress_user = &calls;
  mote_image *image = NULL;
  mote_error error = {0};
  CHECK(mote_render_draw(&def, &s.scene, NULL, &image, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "stopped");
  CHECK(image == NULL && calls == 3);
}

int main(void) {
  threads_change_nothing();
  threads_change_no_blur();
  wrong_definitions_are_named();
  wrong_scenes_are_named();
  what_is_not_finite_is_left_out();
  far_away_looks_the_same();
  options_do_something();
  short_memory_is_told();
  pictures_can_be_stopped();
  return test_end();
}
