// The hand (command `pull`): what it takes hold of, that a jelly hangs from it as it does from a clamp, that
// a rigid body follows it and gains nothing at rest, where its work is booked, and when it lets go.
#include <float.h>

#include "matter/world_data.h"
#include "steer_kit.h"
#include "test.h"

static bool ok(mote_result result, const mote_error *error) {
  if (result != MOTE_OK) fprintf(stderr, "  %s: %s\n", error->key, error->text);
  return result == MOTE_OK;
}

static bool pull(mote_world *world, const double at[3], const double to[3], double radius, double stiffness) {
  mote_error error = {0};
  return CHECK(ok(mote_world_pull(world, at, to, radius, stiffness, (double)NAN, &error), &error));
}

static double distance_of(const double *x, size_t i, size_t j) {
  double square = 0.0;
  for (size_t k = 0; k < 3; ++k) square += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
  return sqrt(square);
}

static bool advance(mote_world *world, double until) {
  mote_error error = {0};
  return CHECK(ok(mote_world_advance(world, until, &error), &error));
}

// --- A jelly ------------------------------------------------------------------------------------------

#define LENGTH 0.8
#define WIDTH 0.1
#define YOUNG 1e6

// Places of the free-hanging strip's particles along its middle line, measured from its lower end at rest:
// those nearest to `along`.
static size_t find_middle(const double *rest, size_t count, const double axis[2], double along) {
  size_t best = 0;
  double least = HUGE_VAL;
  for (size_t i = 0; i < count; ++i) {
    double s = rest[3 * i] * axis[0] + rest[3 * i + 1] * axis[1] + 0.5 * LENGTH;
    double t = rest[3 * i] * axis[1] - rest[3 * i + 1] * axis[0], off = hypot(s - along, t);
    if (off < least) best = i, least = off;
  }
  return best;
}

// A strip that hangs from one corner with its centre of mass below it is stretched by its own weight: the
// strain at s above its lower end is rho g s / E (no Poisson effect).
static void jelly_hangs_from_a_corner(void) {
  char text[1024];
  double turn = atan(WIDTH / LENGTH), axis[2] = {sin(turn), cos(turn)};
  double corner[3] = {0.5 * (LENGTH * axis[0] - WIDTH * axis[1]), 0.5 * (LENGTH * axis[1] + WIDTH * axis[0]),
                      0};
  snprintf(text, sizeof text,
           "dimensions: 2\n"
           "spacing: 0.02\n"
           "materials: {gum: {model: elastic, density: 1000, young: %g, poisson: 0, integrator: implicit, "
           "strain_damping: 0.02}}\n"
           "bodies: {jelly: {material: gum, fill: cubic, shape: {box: {centre: [0, 0], size: [%g, %g]}, "
           "rotate: {angle: "
           "%.17g}}}}\n",
           YOUNG, WIDTH, LENGTH, -turn);
  mote_world *world = steer_kit_world(text, 1);
  size_t count = mote_world_elastic_particles(world);
  pull(world, corner, NULL, 0.045, 1e5);
  mote_hand_state hand = mote_world_hand(world);
  CHECK(hand.holds == MOTE_HOLDS_PARTICLES && hand.particles >= 3 && hand.particles <= 6);
  if (advance(world, 3.0)) {
    const double *x = mote_world_elastic_view(world, "position").data,
                 *rest = mote_world_elastic_view(world, "rest").data;
    size_t a = find_middle(rest, count, axis, 0.2 * LENGTH), b = find_middle(rest, count, axis, 0.8 * LENGTH);
    double low = rest[3 * a] * axis[0] + rest[3 * a + 1] * axis[1] + 0.5 * LENGTH,
           high = rest[3 * b] * axis[0] + rest[3 * b + 1] * axis[1] + 0.5 * LENGTH;
    double longer = distance_of(x, a, b) - distance_of(rest, a, b),
           expected = 1000.0 * 9.81 * axis[1] / (2.0 * YOUNG) * (high * high - low * low);
    CHECK_NEAR(longer, expected, 0.05 * expected);
    // The hand is stretched by the weight, whatever of its stiffness the step leaves.
    hand = mote_world_hand(world);
    CHECK(hand.to[1] - hand.at[1] >= 9.81 / 1e5 * (double)count / (double)hand.particles);
    CHECK(fabs(hand.at[0] - hand.to[0]) < 0.01);
  }
  mote_world_destroy(world);
}

// Pulled sideways by a corner region, in the void, it follows and comes to rest around the target.
static void jelly_follows(void) {
  static const char text[] =
      "dimensions: 2\n"
      "spacing: 0.025\n"
      "gravity: [0, 0]\n"
      "materials: {gum: {model: elastic, density: 1000, young: 30 kPa, poisson: 0.3}}\n"
      "bodies: {jelly: {material: gum, shape: {box: {low: [0, 0], high: [0.2, 0.2]}}}}\n";
  mote_world *world = steer_kit_world(text, 1);
  const double corner[3] = {0.2, 0.2, 0}, to[3] = {0.5, 0.3, 0};
  pull(world, corner, to, 0.06, 400.0);
  mote_hand_state hand = mote_world_hand(world);
  CHECK(hand.particles >= 3 && hand.particles <= 12);
  if (advance(world, 3.0)) {
    hand = mote_world_hand(world);
    CHECK_NEAR(hand.at[0], 0.5, 0.0125);  // half a spacing
    CHECK_NEAR(hand.at[1], 0.3, 0.0125);
  }
  mote_world_destroy(world);
}

// --- A rigid body -------------------------------------------------------------------------------------

static mote_world *make_block(int dimensions, const char *gravity) {
  char text[512];
  snprintf(text, sizeof text,
           "dimensions: %d\n"
           "spacing: 0.05\n"
           "gravity: %s\n"
           "materials: {wood: {model: rigid, density: 600}}\n"
           "bodies: {block: {material: wood, shape: {box: {low: [0, 0, 0], high: [0.4, 0.2, 0.2]}}}}\n",
           dimensions, gravity);
  return steer_kit_world(text, 1);
}

// Kinetic, of weight, and of the hand's spring, J.
static double energy_of(const mote_world *world, double stiffness, double gravity, double *kinetic) {
  mote_totals totals;
  mote_hand_state hand = mote_world_hand(world);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  double stretch2 = 0.0;
  for (int a = 0; a < 3; ++a) stretch2 += (hand.to[a] - hand.at[a]) * (hand.to[a] - hand.at[a]);
  *kinetic = totals.kinetic_energy;
  return totals.kinetic_energy + totals.mass * gravity * totals.centre[1] +
         0.5 * totals.mass * stiffness * stretch2;
}

// It follows the hand on a circle; when that rests, its energy never rises, over 10,000 steps.
static void block_follows(int dimensions) {
  mote_world *world = make_block(dimensions, "9.81");
  const double at[3] = {0.4, 0.2, dimensions == 3 ? 0.2 : 0.0};
  const double stiffness = 2000.0;
  pull(world, at, NULL, 0.01, stiffness);
  CHECK(mote_world_hand(world).holds == MOTE_HOLDS_BODY);
  for (int k = 1; k <= 40; ++k) {
    double angle = 0.1 * k, to[3] = {at[0] + 0.3 * sin(angle), at[1] + 0.3 * (1.0 - cos(angle)), at[2]};
    pull(world, NULL, to, 0.0, stiffness);
    if (!advance(world, 0.025 * k)) break;
    mote_hand_state hand = mote_world_hand(world);
    double off = hypot(hand.at[0] - hand.to[0], hand.at[1] - hand.to[1]);
    CHECK(
        off <
        0.12);  // at 1.2 m/s a critically damped spring is 2 v / sqrt(stiffness) behind, 5 cm, and the weight
  }
  double kinetic, least = energy_of(world, stiffness, 9.81, &kinetic), scale = fabs(least) + 1.0, rise = 0.0;
  uint64_t first = mote_world_steps(world);
  mote_error error = {0};
  while (mote_world_steps(world) < first + 10000) {
    if (!CHECK(ok(mote_world_step(world, mote_world_time(world) + 0.01, &error), &error))) break;
    double energy = energy_of(world, stiffness, 9.81, &kinetic);
    rise = fmax(rise, energy - least), least = fmin(least, energy);
  }
  if (!CHECK(rise < 1e-3 * scale)) fprintf(stderr, "  %dD: a rise of %g J, of %g\n", dimensions, rise, scale);
  CHECK(mote_world_body_fault(world).fault == MOTE_BODY_FAULT_NONE);
  mote_world_destroy(world);
}

// Held above its centre it hangs at rest, stretched by g / stiffness, to the last digits.
static void block_hangs_at_rest(void) {
  mote_world *world = make_block(3, "9.81");
  const double at[3] = {0.2, 0.2, 0.1};
  pull(world, at, NULL, 0.01, 2000.0);
  if (advance(world, 3.0)) {
    mote_totals totals;
    CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK && totals.kinetic_energy < 1e-20);
    CHECK_NEAR(mote_world_hand(world).at[1], at[1] - 9.81 / 2000.0, 1e-9);
  }
  mote_world_destroy(world);
}

// All that a weightless body gains is the hand's work.
static void work_is_booked(void) {
  mote_world *world = make_block(2, "0");
  mote_error error = {0};
  CHECK(ok(mote_world_keep_ledger(world, true, &error), &error));
  const double at[3] = {0.4, 0.2, 0}, to[3] = {1, 1, 0};
  pull(world, at, to, 0.01, 50.0);
  if (advance(world, 0.1)) {
    mote_totals totals;
    mote_ledger_entry entry;
    double work = 0.0;
    CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK && totals.kinetic_energy > 1.0);
    for (int k = 0; mote_world_ledger(world, k, &entry); ++k)
      if (strcmp(entry.name, "force_fields") == 0) work = entry.energy;
    CHECK_NEAR(work, totals.kinetic_energy, 1e-9 * totals.kinetic_energy);
  }
  mote_world_destroy(world);
}

// --- Liquid -------------------------------------------------------------------------------------------

// Water in the void goes where it is pulled, not faster than the spring alone can make it.
static void liquid_is_pulled(void) {
  static const char text[] =
      "dimensions: 2\n"
      "spacing: 0.05\n"
      "gravity: [0, 0]\n"
      "bodies: {drop: {shape: {box: {low: [0, 0], high: [0.4, 0.4]}}}}\n";
  mote_world *world = steer_kit_world(text, 1);
  const double at[3] = {0.2, 0.2, 0}, to[3] = {0.7, 0.2, 0};
  pull(world, at, to, 0.3, 16.0);
  CHECK(mote_world_hand(world).holds == MOTE_HOLDS_LIQUID);
  if (advance(world, 0.5)) {
    mote_totals totals;
    CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
    CHECK(totals.momentum[0] / totals.mass > 0.1 && fabs(totals.momentum[1]) < 0.02 * totals.momentum[0]);
    CHECK(totals.speed_max < 0.5 * 4.0 * 0.5);  // half of sqrt(stiffness) times the distance
  }
  mote_world_destroy(world);
}

// --- Letting go ---------------------------------------------------------------------------------------

static mote_hold_kind held(const mote_world *world) {
  return mote_world_hand(world).holds;
}

static void hand_lets_go(void) {
  mote_world *world = steer_kit_world(steer_kit_scene, 1);
  mote_error error = {0};
  const double block[3] = {0.3, 0.65, 0}, up[3] = {0.3, 1.0, 0};
  pull(world, block, up, 0.05, 1000.0);
  CHECK(held(world) == MOTE_HOLDS_BODY);
  CHECK(mote_world_hand(world).body.index == mote_world_find_body(world, "block").index);
  CHECK(advance(world, 0.1));
  pull(world, NULL, NULL, 0.0, 0.0);  // by stiffness 0
  CHECK(held(world) == MOTE_HOLDS_NOTHING);
  CHECK(ok(mote_world_pull(world, block, up, 0.5, 1000.0, 0.05, &error), &error));  // for a time
  CHECK(held(world) == MOTE_HOLDS_BODY && advance(world, 0.2) && held(world) == MOTE_HOLDS_NOTHING);
  mote_field_view elastic = mote_world_elastic_view(world, "position");
  double cube[3];  // the last particle of the last elastic body
  memcpy(cube, (const double *)elastic.data + 3 * (elastic.count - 1), sizeof cube);
  pull(world, cube, NULL, 0.1, 1000.0);  // what is removed
  CHECK(held(world) == MOTE_HOLDS_PARTICLES && advance(world, 0.25));
  CHECK(ok(mote_world_remove_body(world, mote_world_find_body(world, "cube"), &error), &error));
  CHECK(held(world) == MOTE_HOLDS_NOTHING && advance(world, 0.3));
  CHECK(mote_state_find(&world->now, "hand") != SIZE_MAX);
  CHECK(world->now.store[mote_state_find(&world->now, "hand")].count[0] == 0);
  mote_world_destroy(world);
}

// A block of ice melts in the hand: what is liquid is not held any more.
static void ice_melts_in_the_hand(void) {
  static const char text[] =
      "dimensions: 2\n"
      "spacing: 0.05\n"
      "heat: true\n"
      "domain: {low: [0, 0], high: [1, 1], x: wall, y: wall, temperature: 400}\n"
      "materials: {ice: {young: 50 kPa, conductivity: 50000, latent_heat: 2 kJ/kg}}\n"
      "bodies: {ice: {material: ice, shape: {box: {low: [0, 0], high: [0.2, 0.2]}}, temperature: 272}}\n";
  mote_world *world = steer_kit_world(text, 1);
  const double at[3] = {0.1, 0.1, 0};
  pull(world, at, NULL, 0.2, 100.0);
  size_t first = mote_world_hand(world).particles, left = first;
  for (int k = 1; k <= 60 && held(world) != MOTE_HOLDS_NOTHING; ++k) {
    if (!advance(world, 0.05 * k)) break;
    CHECK(mote_world_hand(world).particles <= left);
    left = mote_world_hand(world).particles;
  }
  CHECK(first > 4 && mote_world_lattice_particles(world) == 0);
  CHECK(held(world) == MOTE_HOLDS_NOTHING);
  mote_world_destroy(world);
}

// --- What is refused ----------------------------------------------------------------------------------

static void refuse(mote_world *world, const char *line, const char *key, const char *part) {
  mote_command_file *file = steer_kit_commands(line);
  size_t count;
  const mote_command *command = mote_command_file_commands(file, &count);
  mote_error error = {0};
  CHECK(count == 1 && mote_world_command(world, command, &error) == MOTE_ERROR_ARGUMENT);
  if (!CHECK(strcmp(error.key, key) == 0) || !CHECK(strstr(error.text, part) != NULL))
    fprintf(stderr, "  %s: %s\n", error.key, error.text);
  CHECK(mote_world_commands(world) == 0);
  mote_command_file_destroy(file);
}

#define PULL "{\"step\": 0, \"command\": \"pull\", "
#define MATERIAL "{\"step\": 0, \"command\": \"material\", \"material\": "

static void test_refusals(void) {
  mote_world *world = steer_kit_world(steer_kit_scene, 1);
  refuse(world, PULL "\"at\": [0.3, 1.2], \"radius\": 0.01, \"stiffness\": 10}", "at", "nothing that moves");
  refuse(world, PULL "\"at\": [0.3, 0.65], \"stiffness\": 10}", "radius", "missing");
  refuse(world, PULL "\"to\": [0.3, 0.65], \"stiffness\": 10}", "at", "holds nothing");
  refuse(world, PULL "\"at\": [0.3, 0.65, 1], \"radius\": 0.1, \"stiffness\": 10}", "at", "2D");
  refuse(world, MATERIAL "\"gum\", \"value\": 1}", "material", "MATERIAL.KEY");
  refuse(world, MATERIAL "\"gun.friction\", \"value\": 1}", "material", "no material \"gun\"");
  refuse(world, MATERIAL "\"gum.density\", \"value\": 1}", "material", "cannot change");
  refuse(world, MATERIAL "\"gum.frictoin\", \"value\": 1}", "material", "did you mean \"friction\"");
  refuse(world, MATERIAL "\"gum.friction\", \"value\": -1}", "value", "friction is -1");
  refuse(world, MATERIAL "\"water.conductivity\", \"value\": 1}", "material", "heat: true");
  mote_world_destroy(world);
}

// --- Materials ----------------------------------------------------------------------------------------

// Water that turns to honey flows no further than honey does.
static void water_thickens(void) {
  static const char text[] =
      "dimensions: 2\n"
      "spacing: 0.04\n"
      "domain: {low: [0, 0], high: [2, 1], x: wall, y: wall}\n"
      "bodies: {dam: {shape: {box: {low: [0, 0], high: [0.4, 0.6]}}}}\n"
      "solver: {viscosity_solve: implicit}\n";
  mote_error error = {0};
  double front[2] = {0.0, 0.0};
  for (int thick = 0; thick < 2; ++thick) {
    mote_world *world = steer_kit_world(text, 1);
    if (thick) CHECK(ok(mote_world_set_material(world, "water.viscosity", 500.0, &error), &error));
    CHECK(advance(world, 0.5));
    mote_field_view view = mote_world_view(world, "position");
    for (size_t i = 0; i < view.count; ++i)
      front[thick] = fmax(front[thick], ((const double *)view.data)[3 * i]);
    mote_world_destroy(world);
  }
  if (!CHECK(front[0] > 1.2 && front[1] < 0.9)) fprintf(stderr, "  %g and %g m\n", front[0], front[1]);
}

// A block that slides is stopped by friction that comes.
static void friction_comes(void) {
  static const char text[] =
      "dimensions: 2\n"
      "spacing: 0.05\n"
      "domain: {low: [0, 0], high: [9, 2], y: wall}\n"
      "materials: {wood: {model: rigid, density: 600, friction: 0}}\n"
      "bodies: {block: {material: wood, velocity: [2, 0], shape: {box: {low: [0, 0], high: [0.4, 0.2]}}}}\n";
  mote_world *world = steer_kit_world(text, 1);
  mote_error error = {0};
  mote_body_info info;
  CHECK(advance(world, 0.2));
  CHECK(mote_world_body_about(world, mote_world_find_body(world, "block"), &info, NULL) == MOTE_OK);
  CHECK_NEAR(info.velocity[0], 2.0, 1e-6);
  CHECK(ok(mote_world_set_material(world, "wood.friction", 0.5, &error), &error));
  CHECK(advance(world, 0.4));
  CHECK(mote_world_body_about(world, mote_world_find_body(world, "block"), &info, NULL) == MOTE_OK);
  CHECK_NEAR(info.velocity[0], 2.0 - 0.5 * 9.81 * 0.2, 0.03);
  mote_world_destroy(world);
}

// --- A body with its pieces ---------------------------------------------------------------------------

// A body in two parts: an impulse on both changes the velocity of each as if they were one.
static void pieces_are_addressed(void) {
  static const char text[] =
      "dimensions: 2\n"
      "spacing: 0.05\n"
      "gravity: [0, 0]\n"
      "bodies: {drop: {fill: cubic, shape: {union: [{box: {low: [0, 0], high: [0.4, 0.4]}}, {box: {low: [2, "
      "0], high: "
      "[2.4, 0.2]}}]}}}\n";
  mote_world *world = steer_kit_world(text, 1);
  mote_error error = {0};
  mote_field_view id = mote_world_view(world, "id"), x = mote_world_view(world, "position");
  uint64_t far[1000];
  size_t count = 0;
  for (size_t i = 0; i < id.count && count < 1000; ++i)
    if (((const double *)x.data)[3 * i] > 1.0) far[count++] = ((const uint64_t *)id.data)[i];
  mote_body drop = mote_world_find_body(world, "drop"), part;
  CHECK(ok(mote_world_split_body(world, drop, far, count, &part, &error), &error));
  mote_command command = mote_command_make(MOTE_COMMAND_IMPULSE);
  snprintf(command.target, sizeof command.target, "drop.*");
  command.value[0] = 24.0, command.value[1] = command.value[2] = 0.0;
  CHECK(ok(mote_world_command(world, &command, &error), &error));
  mote_body_info info[2];
  CHECK(mote_world_body_about(world, drop, &info[0], NULL) == MOTE_OK);
  CHECK(mote_world_body_about(world, part, &info[1], NULL) == MOTE_OK);
  double mass = info[0].mass + info[1].mass;
  CHECK(info[1].mass > 0.0);
  for (int k = 0; k < 2; ++k) CHECK_NEAR(info[k].velocity[0], 24.0 / mass, 1e-6);
  command = mote_command_make(MOTE_COMMAND_REMOVE_BODY);
  snprintf(command.target, sizeof command.target, "drop.*");
  CHECK(ok(mote_world_command(world, &command, &error), &error) && mote_world_particles(world) == 0);
  snprintf(command.target, sizeof command.target, "drip.*");
  CHECK(mote_world_command(world, &command, &error) == MOTE_ERROR_ARGUMENT);
  mote_world_destroy(world);
}

int main(void) {
  jelly_hangs_from_a_corner();
  jelly_follows();
  block_follows(2);
  block_follows(3);
  block_hangs_at_rest();
  work_is_booked();
  liquid_is_pulled();
  hand_lets_go();
  ice_melts_in_the_hand();
  water_thickens();
  friction_comes();
  pieces_are_addressed();
  test_refusals();
  return test_end();
}
