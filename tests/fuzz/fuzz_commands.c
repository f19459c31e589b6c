// Fuzzes the reader of commands. What is read must write, and read back to the same commands; it is given to
// a small world, which takes or refuses each with a reason.
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static mote_world *make_world(void) {
  static const char scene[] =
      "dimensions: 2\nspacing: 0.1\ndomain: {low: [0, 0], high: [1, 1], x: wall, y: wall}\n"
      "materials: {wood: {model: rigid, density: 600}}\n"
      "bodies: {a: {shape: {box: {low: [0, 0], high: [0.3, 0.3]}}}, b: {material: wood, shape: {box: {low: "
      "[0.5, 0.5], high: [0.7, 0.7]}}}}\n"
      "colliders: {c: {shape: {box: {low: [0.8, 0], high: [0.9, 0.3]}}}}\n"
      "emitters: {e: {material: water, centre: [0.2, 0.8], radius: 0.1, speed: 1}}\n";
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  mote_env env = mote_env_default();
  env.threads = 1;
  if (mote_scene_parse(scene, sizeof scene - 1, "fuzz", NULL, 0, &env, &file, NULL) != MOTE_OK) abort();
  if (mote_world_create_scene(mote_scene_file_scene(file), &env, &world, NULL) != MOTE_OK) abort();
  mote_scene_file_destroy(file);
  return world;
}

static void give(const mote_command_file *file) {
  mote_world *world = make_world();
  size_t count, taken = 0;
  const mote_command *command = mote_command_file_commands(file, &count);
  for (size_t k = 0; k < count && k < 64; ++k) {
    mote_error error = {0};
    uint64_t hash = mote_world_hash(world);
    if (mote_world_command(world, &command[k], &error) == MOTE_OK) {
      ++taken;
    } else if (error.text[0] == 0 || mote_world_hash(world) != hash) {
      abort();
    }
  }
  if (mote_world_commands(world) != taken) abort();
  (void)mote_world_step(world, 0.01, NULL);
  mote_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mote_command_file *file = NULL;
  mote_error error = {0};
  const char *text = size > 0 ? (const char *)data : "";
  if (mote_commands_parse(text, size, "fuzz", NULL, &file, &error) == MOTE_OK) {
    size_t count;
    const mote_command *command = mote_command_file_commands(file, &count);
    for (size_t k = 0; k < count; ++k)
      if (mote_command_check(&command[k], NULL) != MOTE_OK) abort();
    give(file);
  } else if (error.text[0] == 0) {
    abort();
  }
  mote_command_file_destroy(file);
  return 0;
}
