// A preview has the same pixels for every compiler, build type and machine.
#include <mote/draw.h>
#include <mote/numeric.h>

#include "base/hash.h"
#include "test.h"

#define COUNT 3000

static uint64_t hash_of(mote_image *image) {
  size_t pixels = (size_t)mote_image_width(image) * (size_t)mote_image_height(image);
  uint64_t hash = mote_hash_bytes(0, mote_image_pixels(image), 4 * pixels);
  mote_image_destroy(image);
  return hash;
}

static void check_picture(const mote_preview_def *def, const mote_preview_scene *scene, uint64_t expected) {
  mote_image *image = NULL;
  mote_error error = {0};
  if (!CHECK(mote_preview_draw(def, scene, NULL, &image, &error) == MOTE_OK)) return;
  uint64_t hash = hash_of(image);
  if (!CHECK(hash == expected)) fprintf(stderr, "  0x%016llx\n", (unsigned long long)hash);
}

int main(void) {
  static double position[3 * COUNT], speed[COUNT], corner[9] = {0, 0.3, 0, 1, 0.3, 0, 0, 0.3, 1};
  static uint32_t triangle[3] = {0, 1, 2};
  for (size_t k = 0; k < 3 * COUNT; ++k) position[k] = mote_random_uniform(1, 2, k);
  for (size_t k = 0; k < COUNT; ++k) speed[k] = position[3 * k] * position[3 * k + 1];
  mote_preview_mesh mesh[2] = {{.mesh = {corner, triangle, 3, 1}, .colour = {200, 120, 60, 255}},
                               {.mesh = {corner, triangle, 3, 1}, .colour = {60, 160, 90, 90}}};
  mote_pose pose = {.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1}, .pivot = {0.5, 0.5, 0.5}, .move = {0.1, 0, 0}};
  mesh[1].pose = &pose;
  mote_preview_def def = mote_preview_def_default();
  def.width = 320, def.height = 200;
  mote_preview_scene scene = mote_preview_scene_default();
  scene.position = position, scene.count = COUNT, scene.radius = 0.02;
  scene.value = (mote_field_view){"speed", "m/s", MOTE_TYPE_F64, 1, COUNT, speed};
  scene.mesh = mesh, scene.meshes = 2, scene.title = "Golden", scene.time = 0.125;
  for (int k = 0; k < 3; ++k) scene.low[k] = 0, scene.high[k] = 1.2;
  check_picture(&def, &scene, 0xa786c9d0838dba86);
  def.flat = true;
  check_picture(&def, &scene, 0xdf818a59bbeb408c);
  return test_end();
}
