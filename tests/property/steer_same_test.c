// A world that is steered has the same bits with any number of threads, after every save and load, and when
// its recorded commands are given to another world.
#include "steer_kit.h"
#include "test.h"

#define FRAMES 12
#define FPS 20.0

static const char script[] =
    "{\"step\": 0, \"command\": \"collider_velocity\", \"collider\": \"paddle\", \"velocity\": [-0.3, 0.1]}\n"
    "{\"time\": 0.05, \"command\": \"force\", \"body\": \"log\", \"force\": [20, 100]}\n"
    "{\"time\": 0.05, \"command\": \"force\", \"body\": \"pool\", \"force\": [200, 0]}\n"
    "{\"time\": 0.06, \"command\": \"force\", \"body\": \"ball.*\", \"force\": [30, 0]}\n"
    "{\"time\": 0.07, \"command\": \"pull\", \"at\": [0.3, 0.65], \"to\": [0.35, 0.8], \"radius\": 0.05, "
    "\"stiffness\": 500}\n"
    "{\"time\": 0.1, \"command\": \"gravity\", \"gravity\": [3, -9]}\n"
    "{\"time\": 0.12, \"command\": \"impulse\", \"body\": \"block\", \"impulse\": [2, 5], \"at\": [0.35, "
    "0.6]}\n"
    "{\"time\": 0.12, \"command\": \"impulse\", \"body\": \"drop\", \"impulse\": [-40, 10]}\n"
    "{\"time\": 0.13, \"command\": \"pull\", \"to\": [0.4, 0.8], \"stiffness\": 800}\n"
    "{\"time\": 0.15, \"command\": \"impulse\", \"body\": \"cube.*\", \"impulse\": [-20, 30]}\n"
    "{\"time\": 0.16, \"command\": \"material\", \"material\": \"water.viscosity\", \"value\": 2}\n"
    "{\"time\": 0.17, \"command\": \"material\", \"material\": \"wood.friction\", \"value\": 0.1}\n"
    "{\"time\": 0.18, \"command\": \"pull\", \"at\": [1.9, 0.3], \"to\": [1.7, 0.6], \"radius\": 0.12, "
    "\"stiffness\": 300, \"seconds\": 0.2}\n"
    "{\"time\": 0.2, \"command\": \"collider_pose\", \"collider\": \"paddle\", \"move\": [0.1, 0.2], "
    "\"turn\": [0, 0, 0.5], \"seconds\": 0.15}\n"
    "{\"time\": 0.22, \"command\": \"emitter_speed\", \"emitter\": \"tap\", \"speed\": 2}\n"
    "{\"time\": 0.25, \"command\": \"field\", \"field\": \"velocity\", \"particles\": [3, 5], "
    "\"values\": [[0, 1], [0.5, 1]]}\n"
    "{\"time\": 0.28, \"command\": \"field\", \"field\": \"position\", \"particles\": [7], "
    "\"values\": [[1.7, 1.2]]}\n"
    "{\"time\": 0.3, \"command\": \"remove_body\", \"body\": \"block\"}\n"
    "{\"time\": 0.32, \"command\": \"remove_collider\", \"collider\": \"post\"}\n"
    "{\"time\": 0.35, \"command\": \"remove_body\", \"body\": \"ball\"}\n"
    "{\"time\": 0.4, \"command\": \"remove_emitter\", \"emitter\": \"tap\"}\n"
    "{\"time\": 0.42, \"command\": \"remove_body\", \"body\": \"cube\"}\n"
    "{\"time\": 0.43, \"command\": \"pull\", \"at\": [0.4, 0.1], \"to\": [0.4, 0.4], \"radius\": 0.2, "
    "\"stiffness\": 100}\n"
    "{\"time\": 0.44, \"command\": \"material\", \"material\": \"gum.friction\", \"value\": 1}\n"
    "{\"time\": 0.45, \"command\": \"remove_body\", \"body\": \"drop.*\"}\n"
    "{\"time\": 0.5, \"command\": \"collider_velocity\", \"collider\": \"paddle\", \"velocity\": [0, 0], "
    "\"spin\": [0, 0, 2]}\n";

typedef struct driver {
  mote_world *world;
  const mote_command *command;
  size_t count;
} driver;

// Gives what is due; those that the world has had are its first.
static void give(driver *d) {
  for (size_t k = mote_world_commands(d->world); k < d->count; ++k) {
    const mote_command *c = &d->command[k];
    bool due = (c->step == UINT64_MAX || mote_world_steps(d->world) >= c->step) &&
               (isnan(c->time) || mote_world_time(d->world) >= c->time);
    mote_error error = {0};
    if (!due) return;
    if (!CHECK(mote_world_command(d->world, c, &error) == MOTE_OK))
      fprintf(stderr, "  command %zu: %s: %s\n", k + 1, error.key, error.text);
  }
}

static bool step(driver *d, double until) {
  mote_error error = {0};
  give(d);
  bool ok = CHECK(mote_world_step(d->world, until, &error) == MOTE_OK);
  if (!ok) fprintf(stderr, "  at %g s: %s\n", mote_world_time(d->world), error.text);
  return ok;
}

// Another past, which is lost when the world loads a snapshot.
static void give_past(mote_world *world) {
  static const char *const gone[] = {"drop", "log", "cube"};
  const double v[3] = {1, 2, 0};
  CHECK(mote_world_set_gravity(world, v, NULL) == MOTE_OK);
  CHECK(mote_world_remove_collider(world, mote_world_find_collider(world, "paddle"), NULL) == MOTE_OK);
  CHECK(mote_world_set_collider_velocity(world, mote_world_find_collider(world, "post"), v, NULL, NULL) ==
        MOTE_OK);
  for (int k = 0; k < 3; ++k) {
    mote_body body = mote_world_find_body(world, gone[k]);
    if (body.generation > 0) CHECK(mote_world_remove_body(world, body, NULL) == MOTE_OK);
  }
  CHECK(mote_world_step(world, 1, NULL) == MOTE_OK);
}

// Saves and loads into another world at every `every`-th step; 0: never.
static uint64_t run(const char *scene, driver d, int threads, int every) {
  int steps = 0;
  for (int frame = 1; frame <= FRAMES; ++frame) {
    while (mote_world_time(d.world) < frame / FPS && test_failures == 0) {
      if (!step(&d, frame / FPS)) break;
      bool last = mote_world_time(d.world) >= FRAMES / FPS;  // WCSPH's pressures are those of the last step
      if (every == 0 || ++steps % every != 0 || last) continue;
      kit_bytes bytes = world_kit_save(d.world);
      mote_world *other = steer_kit_world(scene, threads);
      if (steps % (2 * every) == 0) give_past(other);
      mote_error error = {0};
      if (!CHECK(world_kit_load(other, &bytes, &error) == MOTE_OK)) fprintf(stderr, "  %s\n", error.text);
      CHECK(mote_world_motion_hash(other) == mote_world_motion_hash(d.world));
      mote_world_destroy(d.world);
      d.world = other;
      free(bytes.data);
    }
  }
  uint64_t hash = mote_world_hash(d.world);
  mote_world_destroy(d.world);
  return hash;
}

// The recorded commands, by their steps, in another world.
static void test_replay(const char *scene, const mote_command *command, size_t count, uint64_t expected) {
  driver live = {steer_kit_world(scene, 1), command, count};
  for (int frame = 1; frame <= FRAMES; ++frame)
    while (mote_world_time(live.world) < frame / FPS && step(&live, frame / FPS)) continue;
  CHECK(mote_world_commands(live.world) == count);
  char path[] = "steer_same.jsonl";
  mote_command_file *file = NULL;
  mote_error error = {0};
  CHECK(mote_commands_write_world(live.world, path, &error) == MOTE_OK);
  if (CHECK(mote_commands_read(path, NULL, &file, &error) == MOTE_OK)) {
    size_t recorded;
    const mote_command *again = mote_command_file_commands(file, &recorded);
    CHECK(recorded == count);
    for (size_t k = 0; k < recorded; ++k) CHECK(again[k].step != UINT64_MAX && again[k].time >= 0.0);
    CHECK(run(scene, (driver){steer_kit_world(scene, 2), again, recorded}, 2, 0) == expected);
  }
  mote_command_file_destroy(file);
  mote_world_destroy(live.world);
  remove(path);
}

static const char fluid_scene[] =
    "dimensions: 2\n"
    "spacing: 0.05\n"
    "domain: {low: [0, 0], high: [2, 1.5], x: wall, y: wall}\n"
    "colliders:\n"
    "  paddle: {shape: {box: {low: [0.9, 0.05], high: [1, 0.5]}}, motion: {angle: 2*t}}\n"
    "  post: {shape: {box: {low: [1.5, 0], high: [1.6, 0.2]}}}\n"
    "bodies:\n"
    "  pool: {shape: {box: {low: [0, 0], high: [0.8, 0.4]}}}\n"
    "  drop: {shape: {box: {low: [1.1, 0.9], high: [1.3, 1.1]}}}\n"
    "emitters:\n"
    "  tap: {material: water, centre: [0.2, 1.3], direction: [0, -1], radius: 0.1, speed: 1}\n"
    "solver: {pressure: wcsph, steps: individual}\n";

static const char fluid_script[] =
    "{\"time\": 0.03, \"command\": \"collider_velocity\", \"collider\": \"paddle\", \"velocity\": [-0.3, "
    "0.1]}\n"
    "{\"time\": 0.05, \"command\": \"force\", \"body\": \"pool\", \"force\": [200, 0]}\n"
    "{\"time\": 0.101, \"command\": \"gravity\", \"gravity\": [3, -9]}\n"
    "{\"time\": 0.123, \"command\": \"impulse\", \"body\": \"drop\", \"impulse\": [-40, 10]}\n"
    "{\"time\": 0.15, \"command\": \"field\", \"field\": \"velocity\", \"particles\": [3, 5], "
    "\"values\": [[0, 1], [0.5, 1]]}\n"
    "{\"time\": 0.181, \"command\": \"field\", \"field\": \"position\", \"particles\": [7], "
    "\"values\": [[1.7, 1.2]]}\n"
    "{\"time\": 0.19, \"command\": \"pull\", \"at\": [0.3, 0.1], \"to\": [0.4, 0.3], \"radius\": 0.2, "
    "\"stiffness\": 50}\n"
    "{\"time\": 0.2, \"command\": \"emitter_speed\", \"emitter\": \"tap\", \"speed\": 0}\n"
    "{\"time\": 0.22, \"command\": \"remove_collider\", \"collider\": \"post\"}\n"
    "{\"time\": 0.25, \"command\": \"remove_body\", \"body\": \"drop\"}\n"
    "{\"time\": 0.27, \"command\": \"collider_pose\", \"collider\": \"paddle\", \"turn\": [0, 0, 1], "
    "\"seconds\": 0.2}\n";

// Lattices, one of which melts while it is pushed.
static const char lattice_scene[] =
    "dimensions: 2\n"
    "spacing: 0.05\n"
    "heat: true\n"
    "domain: {low: [0, 0], high: [2, 1.5], x: wall, y: wall}\n"
    "materials:\n"
    "  water: {conductivity: 20000}\n"
    "  ice: {young: 50 kPa, conductivity: 20000, latent_heat: 2 kJ/kg}\n"
    "colliders:\n"
    "  paddle: {shape: {box: {low: [0.9, 0.05], high: [1, 0.5]}}}\n"
    "  post: {shape: {box: {low: [1.5, 0], high: [1.6, 0.2]}}}\n"
    "bodies:\n"
    "  pool: {shape: {box: {low: [0, 0], high: [0.8, 0.4]}}, temperature: 350}\n"
    "  drop: {material: ice, shape: {box: {low: [0.2, 0.45], high: [0.5, 0.7]}}, temperature: 273}\n"
    "  log: {material: ice, shape: {box: {low: [1.1, 0.1], high: [1.4, 0.3]}}, temperature: 250}\n"
    "  cube: {material: ice, shape: {box: {low: [1.7, 0.1], high: [1.9, 0.3]}}, temperature: 250}\n";

static const char lattice_script[] =
    "{\"time\": 0.03, \"command\": \"collider_velocity\", \"collider\": \"paddle\", \"velocity\": [0.3, "
    "0]}\n"
    "{\"time\": 0.05, \"command\": \"force\", \"body\": \"drop\", \"force\": [300, 0]}\n"
    "{\"time\": 0.06, \"command\": \"force\", \"body\": \"log\", \"force\": [-100, 900]}\n"
    "{\"time\": 0.07, \"command\": \"pull\", \"at\": [0.3, 0.6], \"to\": [0.3, 0.9], \"radius\": 0.1, "
    "\"stiffness\": 200}\n"
    "{\"time\": 0.08, \"command\": \"material\", \"material\": \"ice.conductivity\", \"value\": 30000}\n"
    "{\"time\": 0.123, \"command\": \"impulse\", \"body\": \"cube\", \"impulse\": [-40, 80]}\n"
    "{\"time\": 0.2, \"command\": \"impulse\", \"body\": \"drop\", \"impulse\": [-20, 30]}\n"
    "{\"time\": 0.25, \"command\": \"remove_collider\", \"collider\": \"post\"}\n"
    "{\"time\": 0.3, \"command\": \"remove_body\", \"body\": \"log\"}\n"
    "{\"time\": 0.4, \"command\": \"remove_body\", \"body\": \"drop\"}\n";

// Bodies of all kinds that come, break, go and come again.
static const char waiting_scene[] =
    "dimensions: 2\n"
    "spacing: 0.05\n"
    "domain: {low: [0, 0], high: [2, 1.5], x: wall, y: wall}\n"
    "materials:\n"
    "  wood: {model: rigid, density: 500}\n"
    "  gum: {model: elastic, density: 900, young: 100 kPa, yield_strain: 0.05}\n"
    "  wax: {model: lattice, density: 900, young: 100 kPa}\n"
    "  glass: {model: elastic, density: 2000, young: 1 MPa, strength: 300}\n"
    "colliders:\n"
    "  paddle: {shape: {box: {low: [0, 1.3], high: [0.1, 1.4]}}}\n"
    "  post: {shape: {box: {low: [0, 1.1], high: [0.1, 1.2]}}}\n"
    "bodies:\n"
    "  pool: {shape: {box: {low: [0, 0], high: [2, 0.4]}}}\n"
    "  log: {material: wood, shape: {box: {low: [0.2, 0.5], high: [0.4, 0.7]}}}\n"
    "  crate: {material: wood, waits: true, shape: {box: {low: [0.2, 0.5], high: [0.4, 0.7]}}}\n"
    "  jelly: {material: gum, waits: true, shape: {box: {low: [0, 0.1], high: [0.3, 0.4]}}}\n"
    "  candle: {material: wax, waits: true, shape: {box: {low: [0, 0.1], high: [0.3, 0.4]}}}\n"
    "  drop: {waits: true, shape: {sphere: {centre: [1, 1], radius: 0.15}}, velocity: [0, -1]}\n"
    "  plate: {material: glass, waits: true, shape: {box: {low: [0, 0.1], high: [0.8, 0.3]}}}\n"
    "  cube: {material: wood, shape: {box: {low: [1.8, 0.5], high: [1.9, 0.7]}}}\n";

static const char waiting_script[] =
    "{\"time\": 0.05, \"command\": \"add_body\", \"body\": \"crate\", \"move\": [0.3, 0.3], \"velocity\": "
    "[0, "
    "-2]}\n"
    "{\"time\": 0.08, \"command\": \"add_body\", \"body\": \"drop\"}\n"
    "{\"time\": 0.1, \"command\": \"force\", \"body\": \"crate\", \"force\": [20, 10]}\n"
    "{\"time\": 0.1, \"command\": \"add_body\", \"body\": \"jelly\", \"move\": [1.3, 0.6]}\n"
    "{\"time\": 0.12, \"command\": \"add_body\", \"body\": \"candle\", \"move\": [0.05, 0.6], \"velocity\": "
    "[0.5, 0]}\n"
    "{\"time\": 0.14, \"command\": \"pull\", \"at\": [1.45, 0.8], \"to\": [1.4, 0.9], \"radius\": 0.2, "
    "\"stiffness\": 200}\n"
    "{\"time\": 0.16, \"command\": \"remove_body\", \"body\": \"crate\"}\n"
    "{\"time\": 0.16, \"command\": \"add_body\", \"body\": \"crate\", \"move\": [-0.1, 0.6]}\n"
    "{\"time\": 0.18, \"command\": \"add_body\", \"body\": \"plate\", \"move\": [0.6, 0.1]}\n"
    "{\"time\": 0.2, \"command\": \"remove_body\", \"body\": \"drop\"}\n"
    "{\"time\": 0.22, \"command\": \"add_body\", \"body\": \"drop\", \"move\": [0.5, 0.2]}\n"
    "{\"time\": 0.35, \"command\": \"remove_body\", \"body\": \"plate.*\"}\n"
    "{\"time\": 0.4, \"command\": \"add_body\", \"body\": \"plate\", \"move\": [0.6, 0.9]}\n"
    "{\"time\": 0.45, \"command\": \"remove_body\", \"body\": \"jelly\"}\n"
    "{\"time\": 0.5, \"command\": \"add_body\", \"body\": \"jelly\", \"move\": [1.5, 0.9]}\n";

// Straight with one thread and several, saved at every so many steps, and, `whole`, replayed from a file.
static void test_scene(const char *scene, const char *text, int every, bool whole) {
  mote_command_file *file = steer_kit_commands(text);
  size_t count;
  const mote_command *command = mote_command_file_commands(file, &count);
  uint64_t straight = run(scene, (driver){steer_kit_world(scene, 1), command, count}, 1, 0);
  CHECK(run(scene, (driver){steer_kit_world(scene, 3), command, count}, 3, every) == straight);
  if (whole) CHECK(run(scene, (driver){steer_kit_world(scene, 2), command, count}, 2, 0) == straight);
  if (whole) test_replay(scene, command, count, straight);
  mote_command_file_destroy(file);
}

static void test_lattices(void) {
  test_scene(lattice_scene, lattice_script, 5, true);
  mote_world *world = steer_kit_world(lattice_scene, 1);
  size_t all = mote_world_lattice_particles(world);
  CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
  size_t left = mote_world_lattice_particles(world);
  CHECK(left > 0 && left < all);  // some has molten
  mote_world_destroy(world);
}

int main(void) {
  char followed[4096];
  snprintf(followed, sizeof followed, "%ssolver: {pressure: wcsph, density: followed}\n", steer_kit_scene);
  test_scene(steer_kit_scene, script, 3, true);
  TEST_LONG(test_scene(followed, script, 11, false));
  test_scene(fluid_scene, fluid_script, 13, false);
  test_lattices();
  test_scene(waiting_scene, waiting_script, 4, true);
  return test_end();
}
