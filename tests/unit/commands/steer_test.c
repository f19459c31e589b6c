// Commands: what each does to matter, what is refused, and what is left of what was removed.
#include "commands/command_record.h"
#include "matter/world_data.h"
#include "pairs/wall_samples.h"
#include "steer_kit.h"
#include "test.h"

// A wooden block and a soft one in space, 2D and 3D, with a drop of water.
static const char space[] =
    "dimensions: %d\n"
    "spacing: 0.05\n"
    "gravity: [0, 0, 0]\n"
    "domain: {low: [-5, -5, -5], high: [5, 5, 5]}\n"
    "materials:\n"
    "  wood: {model: rigid, density: 600, friction: 0.5, restitution: 0}\n"
    "  gum: {model: elastic, density: 800, young: 30 kPa, poisson: 0.3}\n"
    "bodies:\n"
    "  block: {material: wood, shape: {box: {low: [0, 0, 0], high: [0.4, 0.2, 0.2]}}}\n"
    "  door: {material: wood, hinge: {point: [2, 0, 0], axis: [0, 0, 1]}, shape: {box: {low: [2, 0, 0], "
    "high: "
    "[2.4, 0.2, 0.2]}}}\n"
    "  rock: {material: wood, fixed: true, shape: {box: {low: [3, 0, 0], high: [3.4, 0.2, 0.2]}}}\n"
    "  gel: {material: gum, shape: {box: {low: [0, 1, 0], high: [0.2, 1.2, 0.2]}}}\n"
    "  drop: {fill: cubic, shape: {box: {low: [0, 2, 0], high: [0.2, 2.2, 0.2]}}}\n"
    "colliders:\n"
    "  wall: {shape: {box: {low: [1, 1, -1], high: [1.1, 2, 1]}}}\n"
    "emitters:\n"
    "  tap: {material: water, centre: [-2, 0, 0], direction: [0, -1, 0], radius: 0.1, speed: 1, start: "
    "100}\n";

static mote_world *make_space(int dimensions) {
  char text[4096];
  snprintf(text, sizeof text, space, dimensions);
  return steer_kit_world(text, 1);
}

static mote_totals totals_of(const mote_world *world) {
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  return totals;
}

static mote_body_info about(const mote_world *world, const char *name) {
  mote_body_info info = {0};
  CHECK(mote_world_body_about(world, mote_world_find_body(world, name), &info, NULL) == MOTE_OK);
  return info;
}

static bool ok(mote_result result, const mote_error *error) {
  if (result != MOTE_OK) fprintf(stderr, "  %s: %s\n", error->key, error->text);
  return result == MOTE_OK;
}

// --- Forces -------------------------------------------------------------------------------------------

static void test_impulses(int dimensions) {
  mote_world *world = make_space(dimensions);
  mote_error error = {0};
  const double J[3] = {3.0, -2.0, dimensions == 3 ? 1.0 : 0.0}, at[3] = {0.4, 0.1, 0.0};
  static const char *const names[] = {"block", "gel", "drop"};
  for (int k = 0; k < 3; ++k) {
    mote_body_info before = about(world, names[k]);
    CHECK(ok(mote_world_add_impulse(world, mote_world_find_body(world, names[k]), J, NULL, &error), &error));
    mote_body_info after = about(world, names[k]);
    for (int a = 0; a < 3; ++a) CHECK_NEAR(after.mass * (after.velocity[a] - before.velocity[a]), J[a], 1e-5);
  }
  mote_body_state state;
  mote_body block = mote_world_find_body(world, "block"), door = mote_world_find_body(world, "door");
  CHECK(mote_world_body(world, block, &state, NULL) == MOTE_OK && fabs(state.spin[2]) < 1e-12);
  mote_totals before = totals_of(world);
  CHECK(ok(mote_world_add_impulse(world, block, J, at, &error), &error));
  mote_totals after = totals_of(world);  // angular momentum about the origin: at x J
  CHECK_NEAR(after.angular_momentum[2] - before.angular_momentum[2], at[0] * J[1] - at[1] * J[0], 1e-9);
  CHECK(mote_world_body(world, block, &state, NULL) == MOTE_OK && state.spin[2] < -1e-3);
  // A door turns about its hinge by what acts at its centre of mass, and stays there.
  CHECK(ok(mote_world_add_impulse(world, door, (const double[3]){0, 1, 0}, NULL, &error), &error));
  CHECK(mote_world_body(world, door, &state, NULL) == MOTE_OK && state.spin[2] > 1e-3);
  double off[3], centre[3];  // the hinge, which does not move, is seen from the centre of mass
  for (int k = 0; k < 3; ++k) off[k] = state.pose.pivot[k] + state.pose.move[k] - state.position[k];
  CHECK_NEAR(state.velocity[0] - state.spin[2] * off[1], 0.0, 1e-12);
  CHECK_NEAR(state.velocity[1] + state.spin[2] * off[0], 0.0, 1e-12);
  memcpy(centre, about(world, "door").centre, sizeof centre);
  for (int k = 0; k < 3; ++k) CHECK_NEAR(centre[k], state.position[k], 1e-12);
  mote_world_destroy(world);
}

// v = F t / m, whatever the steps, and no further once the force has ended.
static void test_forces(int dimensions) {
  mote_world *world = make_space(dimensions);
  mote_error error = {0};
  static const char *const names[] = {"block", "gel", "drop"};
  double mass[3];
  const double none[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    mass[k] = about(world, names[k]).mass;
    const double F[3] = {0.5 * mass[k], -0.25 * mass[k], 0.0};
    CHECK(ok(mote_world_set_force(world, mote_world_find_body(world, names[k]), F, &error), &error));
  }
  CHECK(ok(mote_world_advance(world, 0.2, &error), &error));
  for (int k = 0; k < 3; ++k) {
    CHECK_NEAR(about(world, names[k]).velocity[0], 0.1, 1e-4);
    CHECK_NEAR(about(world, names[k]).velocity[1], -0.05, 1e-4);
    CHECK(ok(mote_world_set_force(world, mote_world_find_body(world, names[k]), none, &error), &error));
  }
  CHECK(ok(mote_world_advance(world, 0.3, &error), &error));
  for (int k = 0; k < 3; ++k) CHECK_NEAR(about(world, names[k]).velocity[0], 0.1, 1e-4);
  // Gravity now acts on all of them.
  CHECK(ok(mote_world_set_gravity(world, (const double[3]){0, 2, 0}, &error), &error));
  CHECK(ok(mote_world_advance(world, 0.4, &error), &error));
  for (int k = 0; k < 3; ++k) CHECK_NEAR(about(world, names[k]).velocity[1], 0.15, 1e-4);
  CHECK(mote_world_body_fault(world).fault == MOTE_BODY_FAULT_NONE);
  mote_world_destroy(world);
}

// --- Colliders ----------------------------------------------------------------------------------------

static void test_poses(void) {
  mote_world *world = make_space(3);
  mote_error error = {0};
  mote_pose pose;
  mote_collider wall = mote_world_find_collider(world, "wall");
  CHECK(ok(mote_world_set_collider_velocity(world, wall, (const double[3]){1, 0, -2},
                                            (const double[3]){0, 0, 2}, &error),
           &error));
  CHECK(ok(mote_world_advance(world, 0.25, &error), &error));
  CHECK(mote_world_pose(world, wall, &pose, NULL) == MOTE_OK);
  CHECK_NEAR(pose.move[0], 0.25, 1e-12);
  CHECK_NEAR(pose.move[2], -0.5, 1e-12);
  CHECK_NEAR(pose.rotation[0], cos(0.5), 1e-12);
  CHECK_NEAR(pose.rotation[3], sin(0.5), 1e-12);
  // To another pose, and no further; then halfway about, by the shortest way.
  const double move[3] = {-1, 0.5, 0}, turn[3] = {0, 0, 3.0};
  CHECK(ok(mote_world_move_collider(world, wall, move, NULL, 0.2, &error), &error));
  CHECK(ok(mote_world_advance(world, 0.35, &error), &error));
  CHECK(mote_world_pose(world, wall, &pose, NULL) == MOTE_OK);
  CHECK_NEAR(pose.move[0], 0.5 * (0.25 - 1.0), 1e-9);
  CHECK_NEAR(pose.rotation[0], cos(0.5), 1e-9);
  CHECK(ok(mote_world_advance(world, 0.6, &error), &error));
  CHECK(mote_world_pose(world, wall, &pose, NULL) == MOTE_OK);
  CHECK(pose.move[0] == -1.0 && pose.move[1] == 0.5 && pose.move[2] == 0.0);
  CHECK(ok(mote_world_move_collider(world, wall, NULL, turn, 0.5, &error), &error));
  CHECK(ok(mote_world_advance(world, 1.2, &error), &error));
  CHECK(mote_world_pose(world, wall, &pose, NULL) == MOTE_OK);
  CHECK_NEAR(pose.rotation[0], cos(3.0), 1e-12);
  CHECK(pose.move[0] == -1.0);
  mote_world_destroy(world);
}

static const char piston[] =
    "dimensions: 2\n"
    "spacing: 0.05\n"
    "gravity: [0, 0]\n"
    "domain: {low: [0, 0], high: [4, 0.5], x: wall, y: wall}\n"
    "materials: {wood: {model: rigid, density: 500, friction: 0.5, restitution: 0}}\n"
    "colliders: {piston: {shape: {box: {low: [0.5, -1], high: [0.6, 1.5]}}%s}}\n"
    "bodies: {%s}\n";

static mote_world *make_piston(const char *motion, bool water) {
  char text[1024];
  snprintf(text, sizeof text, piston, motion,
           water ? "water: {shape: {box: {low: [0.6, 0], high: [1.6, 0.5]}}}"
                 : "block: {material: wood, shape: {box: {low: [0.8, 0.1], high: [1, 0.4]}}}");
  return steer_kit_world(text, 1);
}

static double least_x(const mote_world *world) {
  mote_field_view view = mote_world_view(world, "position");
  const double *x = view.data;
  double least = HUGE_VAL;
  for (size_t i = 0; i < view.count; ++i) least = fmin(least, x[3 * i]);
  return least;
}

// A wall that becomes a piston drives water as one does whose definition moves it so, and none gets behind
// it.
static void test_piston(double speed) {
  char motion[128];
  snprintf(motion, sizeof motion, ", motion: {move: [\"%g*max(0,t-0.1)\", 0, 0]}", speed);
  mote_world *world = make_piston("", true), *defined = make_piston(motion, true);
  mote_error error = {0};
  mote_collider wall = mote_world_find_collider(world, "piston");
  CHECK(ok(mote_world_advance(world, 0.1, &error), &error));
  CHECK(ok(mote_world_move_collider(world, wall, (const double[3]){1.6, 0, 0}, NULL, 1.6 / speed, &error),
           &error));
  CHECK(ok(mote_world_advance(world, 0.1 + 0.4 / speed, &error), &error));
  CHECK(ok(mote_world_advance(defined, 0.1 + 0.4 / speed, &error), &error));
  CHECK_NEAR(about(world, "water").velocity[0], about(defined, "water").velocity[0], 0.05 * speed);
  CHECK_NEAR(about(world, "water").centre[0], about(defined, "water").centre[0], 0.02);
  CHECK(about(world, "water").velocity[0] > speed);
  CHECK(ok(mote_world_advance(world, 0.1 + 1.8 / speed, &error), &error));
  CHECK(least_x(world) >= 0.6 + 1.6);
  mote_world_destroy(world);
  mote_world_destroy(defined);
}

// A rigid body that it meets goes on at its speed.
static void test_strike(void) {
  mote_world *world = make_piston("", false);
  mote_error error = {0};
  CHECK(ok(mote_world_set_collider_velocity(world, mote_world_find_collider(world, "piston"),
                                            (const double[3]){2, 0, 0}, NULL, &error),
           &error));
  CHECK(ok(mote_world_advance(world, 0.3, &error), &error));
  CHECK_NEAR(about(world, "block").velocity[0], 2.0, 0.02);
  CHECK(mote_world_body_fault(world).fault == MOTE_BODY_FAULT_NONE);
  mote_world_destroy(world);
}

// --- Emitters -----------------------------------------------------------------------------------------

static void test_emitters(void) {
  mote_world *world = make_space(2);
  mote_error error = {0};
  mote_emitter tap = mote_world_find_emitter(world, "tap");
  CHECK(ok(mote_world_advance(world, 0.1, &error), &error) && totals_of(world).emitted == 0);
  CHECK(ok(mote_world_set_emitter_speed(world, tap, 2.0, &error), &error));
  CHECK(ok(mote_world_advance(world, 0.35, &error), &error));
  size_t emitted = totals_of(world).emitted;  // 2 m/s through 0.2 m for 0.25 s, of 0.05 m x 0.05 m each
  CHECK(emitted >= 36 && emitted <= 44);
  CHECK(ok(mote_world_set_emitter_speed(world, tap, 0.0, &error), &error));
  CHECK(ok(mote_world_advance(world, 0.5, &error), &error) && totals_of(world).emitted == emitted);
  CHECK(ok(mote_world_remove_emitter(world, tap, &error), &error));
  CHECK(mote_world_find_emitter(world, "tap").generation == 0);
  CHECK(mote_world_set_emitter_speed(world, tap, 1.0, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(totals_of(world).particles > emitted);  // they stay, as the drop does
  mote_world_destroy(world);
}

// --- Particles ----------------------------------------------------------------------------------------

static void test_fields(void) {
  mote_world *world = make_space(2);
  mote_error error = {0};
  const uint64_t fluid = *(const uint64_t *)mote_world_view(world, "id").data,
                 solid = *(const uint64_t *)mote_world_elastic_view(world, "id").data;
  const uint64_t both[2] = {solid, fluid};
  const double v[6] = {0.5, 0.25, 0, -1, 2, 0}, x[3] = {-1, -1, 0};
  CHECK(ok(mote_world_set_field(world, "velocity", both, v, 2, &error), &error));
  CHECK(((const float *)mote_world_view(world, "velocity").data)[1] == 2.0f);
  CHECK(((const double *)mote_world_elastic_view(world, "velocity").data)[0] == 0.5);
  CHECK(ok(mote_world_set_field(world, "position", both + 1, x, 1, &error), &error));
  CHECK(((const double *)mote_world_view(world, "position").data)[0] == -1.0);
  CHECK(ok(mote_world_advance(world, 0.05, &error), &error));
  mote_command command;
  CHECK(mote_world_command_at(world, 0, &command) && command.count == 2 && command.id[1] == fluid);
  CHECK(command.values[4] == 2.0 && strcmp(command.field, "velocity") == 0);
  CHECK(mote_world_command_at(world, 1, &command) && command.id[0] == fluid && command.values[0] == -1.0);
  CHECK(!mote_world_command_at(world, 2, &command));
  mote_world_destroy(world);
}

// --- Removal ------------------------------------------------------------------------------------------

static void test_removal(void) {
  mote_world *world = steer_kit_world(steer_kit_scene, 1);
  mote_error error = {0};
  CHECK(ok(mote_world_advance(world, 0.4, &error), &error));
  size_t fluid = mote_world_particles(world), elastic_particles = mote_world_elastic_particles(world);
  size_t drop = about(world, "drop").particles, ball = about(world, "ball").particles;
  mote_body block = mote_world_find_body(world, "block");
  mote_collider post = mote_world_find_collider(world, "post");
  CHECK(drop > 0 && ball > 0 && mote_world_rigid_bodies(world) == 2);
  CHECK(ok(mote_world_remove_body(world, mote_world_find_body(world, "drop"), &error), &error));
  CHECK(mote_world_particles(world) == fluid - drop);
  CHECK(ok(mote_world_remove_body(world, block, &error), &error));
  CHECK(ok(mote_world_remove_body(world, mote_world_find_body(world, "ball"), &error), &error));
  CHECK(ok(mote_world_remove_collider(world, post, &error), &error));
  CHECK(mote_world_rigid_bodies(world) == 1 &&
        mote_world_elastic_particles(world) == elastic_particles - ball);
  CHECK(mote_world_elastic_bodies(world) == 1);
  mote_body_state state;
  mote_pose pose;
  CHECK(mote_world_body(world, block, &state, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_pose(world, post, &pose, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_find_collider(world, "post").generation == 0);
  CHECK(mote_world_find_body(world, "block").generation == 0);
  // The others are who they were.
  CHECK(mote_world_pose(world, mote_world_find_collider(world, "paddle"), &pose, NULL) == MOTE_OK);
  mote_body_info info;
  CHECK(mote_world_body_about(world, mote_world_rigid_body(world, 0), &info, NULL) == MOTE_OK);
  CHECK_TEXT(info.name, "log");
  // No row names what is gone.
  const mote_store *contacts = &world->now.store[MOTE_TABLE_CONTACTS];
  for (size_t k = 0; k < contacts->count[0]; ++k) {
    CHECK(mote_store_u32(contacts, MOTE_CONTACT_A)[k] != block.index);
    CHECK(mote_store_u32(contacts, MOTE_CONTACT_B)[k] != block.index);
  }
  CHECK(ok(mote_world_advance(world, 0.6, &error), &error));
  // Names are not used again.
  mote_collider_def again = mote_collider_def_default();
  again.name = "post", again.shape = mote_shape_def_sphere(1.0, 1.0, 0.0, 0.1);
  CHECK(mote_world_add_collider(world, &again, NULL, &error) == MOTE_ERROR_ARGUMENT);
  again.name = "another";
  CHECK(ok(mote_world_add_collider(world, &again, &post, &error), &error) && post.index == 2);
  CHECK(ok(mote_world_remove_collider(world, post, &error), &error));
  CHECK(ok(mote_world_advance(world, 0.65, &error), &error));
  mote_world_destroy(world);
}

static double front_of(const mote_world *world) {
  mote_field_view view = mote_world_view(world, "position");
  const double *x = view.data;
  double most = -HUGE_VAL;
  for (size_t i = 0; i < view.count; ++i) most = fmax(most, x[3 * i]);
  return most;
}

static size_t samples_of(const mote_boundary *boundary) {
  size_t count = 0;
  for (int part = 0; part < MOTE_BOUNDARY_PARTS; ++part) count += boundary->part[part].count;
  return count;
}

// A gate holds water until it is gone, with its samples.
static void test_gate(void) {
  static const char gate[] =
      "dimensions: 2\n"
      "spacing: 0.05\n"
      "domain: {low: [0, 0], high: [2, 1], x: wall, y: wall}\n"
      "colliders: {gate: {shape: {box: {low: [0.5, -1], high: [0.55, 2]}}}}\n"
      "bodies: {water: {shape: {box: {low: [0, 0], high: [0.5, 0.5]}}}}\n";
  mote_world *world = steer_kit_world(gate, 1);
  mote_error error = {0};
  CHECK(ok(mote_world_advance(world, 0.2, &error), &error) && front_of(world) <= 0.5);
  size_t samples = samples_of(world->boundary);
  CHECK(ok(mote_world_remove_collider(world, mote_world_find_collider(world, "gate"), &error), &error));
  CHECK(samples_of(world->boundary) < samples);
  CHECK(ok(mote_world_advance(world, 0.5, &error), &error) && front_of(world) > 0.9);
  mote_world_destroy(world);
}

// --- What is refused ----------------------------------------------------------------------------------

static void refuse(mote_world *world, const char *line, const char *key, const char *part) {
  mote_command_file *file = steer_kit_commands(line);
  size_t count;
  const mote_command *command = mote_command_file_commands(file, &count);
  mote_error error = {0};
  uint64_t hash = mote_world_hash(world);
  CHECK(count == 1 && mote_world_command(world, command, &error) == MOTE_ERROR_ARGUMENT);
  if (!CHECK(strcmp(error.key, key) == 0) || !CHECK(strstr(error.text, part) != NULL))
    fprintf(stderr, "  %s: %s\n", error.key, error.text);
  CHECK(mote_world_hash(world) == hash && mote_world_commands(world) == 0);
  mote_command_file_destroy(file);
}

static void test_refusals(void) {
  mote_world *world = make_space(2);
  mote_error error = {0};
  refuse(world, "{\"step\": 0, \"command\": \"gravity\", \"gravity\": [0, 0, 1]}", "gravity", "2D");
  refuse(world, "{\"step\": 0, \"command\": \"force\", \"body\": \"blok\", \"force\": [1, 0]}", "body",
         "did you mean \"block\"");
  refuse(world, "{\"step\": 0, \"command\": \"force\", \"body\": \"rock\", \"force\": [1, 0]}", "body",
         "fixed");
  refuse(world,
         "{\"step\": 0, \"command\": \"impulse\", \"body\": \"drop\", \"impulse\": [1, 0], \"at\": [0, 2]}",
         "at", "not rigid");
  refuse(world, "{\"step\": 0, \"command\": \"impulse\", \"body\": \"tap\", \"impulse\": [1, 0]}", "body",
         "no particles");
  refuse(world,
         "{\"step\": 0, \"command\": \"collider_velocity\", \"collider\": \"wall\", \"velocity\": [0, 0], "
         "\"spin\": [1, 0, 0]}",
         "spin", "about z");
  refuse(world,
         "{\"step\": 0, \"command\": \"collider_pose\", \"collider\": \"wall\", \"move\": [9, 0], "
         "\"seconds\": 1e-6}",
         "seconds", "does not jump");
  refuse(world,
         "{\"step\": 0, \"command\": \"field\", \"field\": \"position\", \"particles\": [0], "
         "\"values\": [[1.05, 1.5]]}",
         "values", "inside of \"wall\"");
  refuse(world,
         "{\"step\": 0, \"command\": \"field\", \"field\": \"velocity\", \"particles\": [123456], "
         "\"values\": [[0, 0]]}",
         "particles", "no particle 123456");
  CHECK(mote_world_set_gravity(world, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_set_gravity(NULL, (const double[3]){0, 0, 0}, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_command(world, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_command(world, &(mote_command){.kind = MOTE_COMMANDS}, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_set_field(world, "mass", NULL, NULL, 0, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_remove_body(world, (mote_body){0}, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_state_find(&world->now, "commands") == SIZE_MAX);  // and no table was made
  mote_world_destroy(world);
}

// A step that fails goes back to the command, not behind it.
static void test_retry(void) {
  mote_world *world = make_piston("", true);
  mote_error error = {0};
  world->def.speed_limit = 3.0;
  CHECK(ok(mote_world_step(world, 0.1, &error), &error) && ok(mote_world_step(world, 0.1, &error), &error));
  CHECK(ok(mote_world_add_impulse(world, mote_world_find_body(world, "water"), (const double[3]){5e3, 0, 0},
                                  NULL, &error),
           &error));
  double time = mote_world_time(world);
  CHECK(mote_world_advance(world, 0.1, &error) == MOTE_ERROR_NUMERIC);
  CHECK(mote_world_time(world) == time && mote_world_commands(world) == 1);
  CHECK_NEAR(about(world, "water").velocity[0], 10.0, 0.5);
  mote_world_destroy(world);
}

// --- Picking ------------------------------------------------------------------------------------------

static void test_picking(int dimensions) {
  mote_world *world = make_space(dimensions);
  mote_pick pick;
  double z = dimensions == 3 ? 0.1 : 0.0;
  const double left[3] = {-1, 0, 0}, right[3] = {2, 0, 0}, up[3] = {0, 0.5, 0};
  CHECK(mote_world_pick(world, (const double[3]){-1, 0.1, z}, right, &pick, NULL) == MOTE_OK);
  CHECK(pick.kind == MOTE_PICK_BODY && pick.body.index == mote_world_find_body(world, "block").index);
  CHECK_NEAR(pick.distance, 1.0, 1e-9);
  CHECK_NEAR(pick.position[0], 0.0, 1e-9);
  CHECK(mote_world_pick(world, (const double[3]){0.5, 1.5, z}, right, &pick, NULL) == MOTE_OK);
  CHECK(pick.kind == MOTE_PICK_COLLIDER && pick.collider.index == 0 && pick.collider.generation == 1);
  CHECK_NEAR(pick.distance, 0.5, 1e-9);
  CHECK(mote_world_pick(world, (const double[3]){0.5, 2.12, z}, left, &pick, NULL) == MOTE_OK);
  CHECK(pick.kind == MOTE_PICK_PARTICLE && pick.body.index == mote_world_find_body(world, "drop").index);
  CHECK(pick.position[0] > 0.15 && pick.position[0] < 0.21);
  CHECK(mote_world_pick(world, (const double[3]){0.12, 0.5, z}, up, &pick, NULL) == MOTE_OK);
  CHECK(pick.kind == MOTE_PICK_PARTICLE && pick.body.index == mote_world_find_body(world, "gel").index);
  CHECK(mote_world_pick(world, (const double[3]){-1, -2, z}, right, &pick, NULL) == MOTE_OK);
  CHECK(pick.kind == MOTE_PICK_NOTHING);
  CHECK(mote_world_pick(world, left, (const double[3]){0, 0, 0}, &pick, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_commands(world) == 0);
  mote_world_destroy(world);
}

// A ray that leaves through a periodic side meets the image of what is on the other side.
static void test_picking_images(void) {
  world_kit kit;
  mote_pick pick;
  const double right[3] = {1, 0, 0}, up[3] = {0, 1, 0}, from[3] = {0.9, 0.1, 0.0};
  world_kit_tank(&kit, 2, 0.05);
  kit.scene.world.side[0][0] = kit.scene.world.side[0][1] = MOTE_SIDE_PERIODIC;
  world_kit_body(&kit, "pool", mote_shape_def_box(0.1, 0.0, 0.0, 0.3, 0.2, 0.0));
  mote_env env = world_kit_env(1);
  mote_world *world = world_kit_create(&kit, &env);
  CHECK(mote_world_pick(world, from, right, &pick, NULL) == MOTE_OK);
  CHECK(pick.kind == MOTE_PICK_PARTICLE);
  CHECK_NEAR(pick.distance, 0.2, 0.03);
  CHECK_NEAR(pick.position[0], 1.1, 0.03);
  CHECK(mote_world_pick(world, from, up, &pick, NULL) == MOTE_OK);
  CHECK(pick.kind == MOTE_PICK_NOTHING);
  mote_world_destroy(world);
}

// Each value goes to the particle of its id, though the frame that ends before the command sorts the rows.
static void fields_go_to_their_particles(void) {
  mote_world *world = steer_kit_world(steer_kit_scene, 1);
  enum { MOST = 1000 };
  static uint64_t id[MOST];
  static double value[3 * MOST];
  for (int frame = 1; frame <= 6; ++frame) {
    if (!CHECK(mote_world_advance(world, 0.05 * frame, NULL) == MOTE_OK)) break;
    mote_field_view ids = mote_world_view(world, "id");
    size_t count = mote_world_particles(world), wrong = 0;
    if (!CHECK(count > 100 && count <= MOST)) break;
    memcpy(id, ids.data, count * sizeof *id);
    for (size_t k = 0; k < count; ++k)
      value[3 * k] = 1e-6 * (double)id[k], value[3 * k + 1] = value[3 * k + 2] = 0;
    CHECK(mote_world_set_field(world, "velocity", id, value, count, NULL) == MOTE_OK);
    ids = mote_world_view(world, "id");
    mote_field_view velocity = mote_world_view(world, "velocity");
    for (size_t i = 0; i < count; ++i)
      wrong +=
          ((const float *)velocity.data)[3 * i] != (float)(1e-6 * (double)((const uint64_t *)ids.data)[i]);
    CHECK(wrong == 0);
  }
  mote_world_destroy(world);
}

int main(void) {
  fields_go_to_their_particles();
  test_picking_images();
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    test_impulses(dimensions);
    test_picking(dimensions);
  }
  test_forces(2);
  test_poses();
  test_piston(0.5);
  test_piston(5.0);
  test_strike();
  test_emitters();
  test_fields();
  test_removal();
  test_gate();
  test_refusals();
  test_retry();
  return test_end();
}
