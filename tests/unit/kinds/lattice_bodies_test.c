// Lattice bodies in a world: filled on their lattice, they fall, meet walls, rigid and elastic bodies and
// water, keep momentum, follow holds, break, and continue with the same bits from a snapshot and on any
// number of threads.
#include <mote/steer.h>

#include "test.h"
#include "world_kit.h"

static mote_material_def lattice_material(const char *name, double young) {
  mote_material_def def = mote_material_def_default();
  def.name = name, def.model = MOTE_KIND_LATTICE, def.density = 1000.0, def.friction = 0.3;
  def.elastic.young = young, def.elastic.poisson = 0.2;
  return def;
}

// A square above the ground.
static void make_square(world_kit *kit, int dimensions, double spacing, double young) {
  world_kit_tank(kit, dimensions, spacing);
  kit->material[0] = lattice_material("stuff", young);
  mote_body_def *body = world_kit_body(kit, "square", mote_shape_def_box(0.3, 0.2, 0.3, 0.6, 0.5, 0.6));
  body->material = "stuff", body->orientation[2] = 0.3, body->spin[2] = 2.0;
}

static void advance(mote_world *world, double until) {
  mote_error error = {0};
  if (!CHECK(mote_world_advance(world, until, &error) == MOTE_OK)) fprintf(stderr, "%s\n", error.text);
}

static void test_fill(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    world_kit kit;
    mote_totals totals;
    make_square(&kit, dimensions, 0.05, 1e5);
    mote_world *world = world_kit_create(&kit, NULL);
    double volume = dimensions == 2 ? 0.09 : 0.027;
    CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
    CHECK_NEAR(totals.mass, 1000.0 * volume, 0.05 * 1000.0 * volume);
    CHECK(totals.lattice_particles == mote_world_lattice_particles(world) && totals.lattice_objects == 1);
    const uint32_t *object = mote_world_lattice_view(world, "object").data;
    const uint32_t *body = mote_world_lattice_view(world, "body").data;
    for (size_t i = 0; i < totals.lattice_particles; ++i) CHECK(object[i] == 1 && body[i] == 1);
    CHECK(mote_world_lattice_view(world, "docking_rate").data == NULL);
    mote_world_destroy(world);
  }
}

// Bodies of a lattice have their own mass, centre and velocity, and fields of their particles can be set.
static void test_reading(void) {
  world_kit kit;
  make_square(&kit, 2, 0.05, 1e5);
  mote_body_def *second = world_kit_body(&kit, "second", mote_shape_def_box(0.7, 0.2, 0.0, 0.9, 0.4, 0.0));
  second->material = "stuff";
  mote_world *world = world_kit_create(&kit, NULL);
  mote_body_info info[2];
  mote_totals totals;
  for (size_t k = 0; k < 2; ++k)
    CHECK(mote_world_body_about(world, mote_world_body_at(world, k), &info[k], NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(info[0].particles + info[1].particles == mote_world_lattice_particles(world));
  CHECK_NEAR(info[0].mass + info[1].mass, totals.mass, 1e-9);
  CHECK_NEAR(info[1].centre[0], 0.8, 0.05);
  const uint64_t *id = mote_world_lattice_view(world, "id").data;
  uint64_t last = id[mote_world_lattice_particles(world) - 1];
  const double velocity[3] = {0.5, -0.25, 0.0};
  CHECK(mote_world_set_field(world, "velocity", &last, velocity, 1, NULL) == MOTE_OK);
  const double *v = mote_world_lattice_view(world, "velocity").data;
  id = mote_world_lattice_view(world, "id").data;
  for (size_t i = 0; i < mote_world_lattice_particles(world); ++i)
    if (id[i] == last) CHECK(v[3 * i] == 0.5 && v[3 * i + 1] == -0.25);
  mote_world_destroy(world);
}

// It falls as a stone does, lands, and bounces no higher.
static void test_fall(void) {
  world_kit kit;
  mote_totals first, flight, last;
  make_square(&kit, 2, 0.03, 1e5);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_totals(world, &first, NULL) == MOTE_OK);
  advance(world, 0.15);
  CHECK(mote_world_totals(world, &flight, NULL) == MOTE_OK);
  CHECK_NEAR(first.centre[1] - flight.centre[1], 0.5 * 9.81 * 0.15 * 0.15, 1e-9);
  CHECK_NEAR(flight.angular_momentum[2] -
                 flight.mass *
                     (flight.centre[0] * flight.momentum[1] - flight.centre[1] * flight.momentum[0]) /
                     flight.mass,
             first.angular_momentum[2], 1e-9 * first.angular_momentum[2]);
  double energy = first.kinetic_energy + first.potential_energy + first.elastic_energy;
  for (int k = 0; k < 8; ++k) {
    advance(world, 0.15 + 0.1 * (k + 1));
    CHECK(mote_world_totals(world, &last, NULL) == MOTE_OK);
    CHECK(last.kinetic_energy + last.potential_energy + last.elastic_energy < energy * 1.001);
  }
  CHECK(last.centre[1] > 0.1 && last.centre[1] < first.centre[1]);
  mote_world_destroy(world);
}

// How many particles have fewer than three others at their sites.
static size_t count_lone(const mote_world *world) {
  const uint32_t *neighbour = mote_world_lattice_view(world, "site_neighbour").data;
  size_t lone = 0;
  for (size_t i = 0; i < mote_world_lattice_particles(world); ++i) {
    int near = 0;
    for (int s = 0; s < 18; ++s) near += neighbour[18 * i + (size_t)s] != 0;
    lone += near < 3;
  }
  return lone;
}

// Throws a square to the ground at `speed`. Returns the share of the energy that is left.
static double throw_square(double young, double speed, double seconds, size_t *lone,
                           mote_body_fault_report *fault) {
  world_kit kit;
  mote_totals first, last;
  make_square(&kit, 2, 0.03, young);
  kit.body[0].velocity = mote_value3_make(0.0, -speed, 0.0);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_totals(world, &first, NULL) == MOTE_OK);
  advance(world, seconds);
  *lone = count_lone(world);
  *fault = mote_world_body_fault(world);
  CHECK(mote_world_totals(world, &last, NULL) == MOTE_OK);
  mote_world_destroy(world);
  return last.kinetic_energy / first.kinetic_energy;
}

// Thrown to the ground at 0.7 of the speed of its sound a square flows and keeps together: of ten throws, of
// which each is another by chance, with 0 to 3 particles that have come off; at most two on average. One that
// is struck faster than its sound crumbles, and that is said.
static void test_flow(void) {
  mote_body_fault_report fault;
  size_t lone, all = 0;
  for (int k = 0; k < 10; ++k) {
    double share = throw_square(3e4, 3.96 + 0.01 * k, 0.5, &lone, &fault);
    bool flows = share < 0.1 && lone <= 4 && fault.fault == MOTE_BODY_FAULT_NONE;
    if (!CHECK(flows)) fprintf(stderr, "  throw %d: %g of the energy, %zu lone\n", k, share, lone);
    all += lone;
  }
  if (!CHECK(all <= 20)) fprintf(stderr, "  %zu lone in ten throws\n", all);
  (void)throw_square(4e3, 4.0, 0.1, &lone, &fault);
  CHECK(fault.fault == MOTE_BODY_FAULT_SHOCK && strcmp(fault.body, "square") == 0 && fault.value > 1.0);
}

// Breaking at the left, where it is held, in water: all that a step does.
static void make_all(world_kit *kit) {
  world_kit_tank(kit, 2, 0.04);
  kit->material[0] = lattice_material("stuff", 5e4);
  kit->material[0].lattice.docking_rate = 20.0, kit->material[0].lattice.docking_gain = 100.0;
  kit->material[0].elastic.strength = 3e3;
  kit->material[1] = mote_material_def_default();
  kit->material[1].name = "water";
  kit->scene.materials = 2;
  static mote_hold_def hold;
  hold = mote_hold_def_default();
  hold.shape = mote_shape_def_box(-1.0, 0.0, -1.0, 0.1, 1.0, 1.0);
  mote_body_def *body = world_kit_body(kit, "beam", mote_shape_def_box(0.02, 0.45, -1.0, 0.7, 0.75, 1.0));
  body->material = "stuff", body->hold = &hold, body->holds = 1;
  world_kit_body(kit, "pool", mote_shape_def_box(0.0, 0.0, -1.0, 1.0, 0.35, 1.0))->material = "water";
}

static void test_resume(bool ledger) {
  world_kit kit;
  make_all(&kit);
  world_hashes end[2];
  for (int k = 0; k < 2; ++k) {
    mote_env env = world_kit_env(k == 0 ? 1 : 3);
    mote_world *world = world_kit_create(&kit, &env);
    CHECK(mote_world_keep_ledger(world, ledger, NULL) == MOTE_OK);
    advance(world, 0.2), advance(world, 0.4);
    end[k] = world_kit_hashes(world);
    mote_world_destroy(world);
  }
  CHECK(world_hashes_same(end[0], end[1]));
  mote_world *half = world_kit_create(&kit, NULL), *rest = world_kit_create(&kit, NULL);
  mote_error error = {0};
  CHECK(mote_world_keep_ledger(half, ledger, NULL) == MOTE_OK);
  CHECK(mote_world_keep_ledger(rest, ledger, NULL) == MOTE_OK);
  advance(half, 0.2);
  size_t whole = 0;
  const uint32_t *neighbour = mote_world_lattice_view(half, "site_neighbour").data;
  for (size_t k = 0; k < 18 * mote_world_lattice_particles(half); ++k) whole += neighbour[k] != 0;
  kit_bytes bytes = world_kit_save(half);
  if (!CHECK(world_kit_load(rest, &bytes, &error) == MOTE_OK)) fprintf(stderr, "%s\n", error.text);
  CHECK(mote_world_hash(rest) == mote_world_hash(half));
  advance(rest, 0.4);
  CHECK(world_hashes_same(world_kit_hashes(rest), end[0]));
  neighbour = mote_world_lattice_view(rest, "site_neighbour").data;
  size_t left = 0;
  for (size_t k = 0; k < 18 * mote_world_lattice_particles(rest); ++k) left += neighbour[k] != 0;
  CHECK(left < whole);  // it broke
  free(bytes.data);
  mote_world_destroy(half), mote_world_destroy(rest);
}

// What lattices meet.
typedef struct partner {
  const char *name;
  mote_kind kind;
  mote_integrator integrator;
} partner;
static const partner partners[] = {{"rigid", MOTE_KIND_RIGID, MOTE_INTEGRATOR_AUTO},
                                   {"explicit", MOTE_KIND_ELASTIC, MOTE_INTEGRATOR_EXPLICIT},
                                   {"implicit", MOTE_KIND_ELASTIC, MOTE_INTEGRATOR_IMPLICIT},
                                   {"midpoint", MOTE_KIND_ELASTIC, MOTE_INTEGRATOR_MIDPOINT},
                                   {"lattice", MOTE_KIND_LATTICE, MOTE_INTEGRATOR_AUTO}};
enum { PARTNERS = sizeof partners / sizeof *partners };

static void add_partner(world_kit *kit, const partner *of, double friction) {
  mote_material_def *other = &kit->material[1];
  *other = lattice_material("other", 1e5);
  other->model = of->kind, other->elastic.integrator = of->integrator, other->density = 800.0;
  kit->material[0].friction = other->friction = friction;
  kit->scene.materials = 2;
}

// Without gravity a body hits another: momentum is kept, angular momentum but for the turning of planes
// within a step, and no energy comes.
static void test_contact(void) {
  for (int p = 0; p < PARTNERS; ++p) {
    world_kit kit;
    mote_totals first, last;
    make_square(&kit, 2, 0.03, 1e5);
    memset(kit.scene.world.gravity, 0, sizeof kit.scene.world.gravity);
    add_partner(&kit, &partners[p], 0.3);
    kit.body[0].velocity = mote_value3_make(1.0, 0.0, 0.0);
    for (int a = 0; a < 2; ++a) kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_OPEN;
    world_kit_body(&kit, "target", mote_shape_def_box(0.7, 0.2, -1.0, 0.9, 0.45, 1.0))->material = "other";
    mote_world *world = world_kit_create(&kit, NULL);
    CHECK(mote_world_totals(world, &first, NULL) == MOTE_OK);
    mote_body_info before, after;
    CHECK(mote_world_body_about(world, mote_world_find_body(world, "square"), &before, NULL) == MOTE_OK);
    advance(world, 0.2);
    CHECK(mote_world_totals(world, &last, NULL) == MOTE_OK);
    CHECK(mote_world_body_about(world, mote_world_find_body(world, "square"), &after, NULL) == MOTE_OK);
    double turned = last.angular_momentum[2] - first.angular_momentum[2],
           energy = last.kinetic_energy + last.elastic_energy;
    for (int a = 0; a < 2; ++a) CHECK_NEAR(last.momentum[a], first.momentum[a], 1e-11 * first.momentum[0]);
    if (!CHECK(fabs(turned) < 1e-3 * first.momentum[0] && energy < 1.01 * first.kinetic_energy))
      fprintf(stderr, "  %s: angular momentum %g, energy %g of %g\n", partners[p].name,
              turned / first.momentum[0], energy, first.kinetic_energy);
    CHECK(after.velocity[0] < 0.9 * before.velocity[0]);
    mote_world_destroy(world);
  }
}

// How far the upper body slides on a lattice in 0.4 s, or from 0.8 s to 1 s, on a slope of 15 degrees; and
// Newton's iterations in a part of the last step.
static double slide(const partner *of, double friction, double *newton) {
  world_kit kit;
  mote_body_info from, to;
  world_kit_tank(&kit, 2, 0.03);
  kit.material[0] = lattice_material("stuff", 1e6);
  kit.scene.world.gravity[0] = 2.5390, kit.scene.world.gravity[1] = -9.4757;
  add_partner(&kit, of, friction);
  kit.material[1].elastic.young = 1e6;
  static mote_hold_def hold;
  hold = mote_hold_def_default();
  hold.shape = mote_shape_def_box(-1.0, -1.0, -1.0, 1.0, 0.02, 1.0);
  mote_body_def *slab = world_kit_body(&kit, "slab", mote_shape_def_box(0.03, 0.0, -1.0, 0.9, 0.12, 1.0));
  slab->material = "stuff", slab->hold = &hold, slab->holds = 1;
  world_kit_body(&kit, "block", mote_shape_def_box(0.1, 0.12, -1.0, 0.31, 0.24, 1.0))->material = "other";
  mote_world *world = world_kit_create(&kit, NULL);
  if (friction > 0.0) advance(world, 0.8);
  CHECK(mote_world_body_about(world, mote_world_find_body(world, "block"), &from, NULL) == MOTE_OK);
  advance(world, friction > 0.0 ? 1.0 : 0.4);
  CHECK(mote_world_body_about(world, mote_world_find_body(world, "block"), &to, NULL) == MOTE_OK);
  mote_step_report last = mote_world_report(world);
  *newton = (double)last.elastic_newton / last.lattice_steps;
  mote_world_destroy(world);
  return to.centre[0] - from.centre[0];
}

// Explicit elastic bodies, which nothing damps, go on vibrating, and creep.
static void test_slope(void) {
  for (int p = 0; p < PARTNERS; ++p) {
    mote_integrator integrator = partners[p].integrator;
    if (integrator == MOTE_INTEGRATOR_EXPLICIT || integrator == MOTE_INTEGRATOR_MIDPOINT) continue;
    double newton, loose = slide(&partners[p], 0.0, &newton), held = slide(&partners[p], 0.5, &newton);
    if (!CHECK(loose > 0.12 && fabs(held) < 0.02 * 0.03))
      fprintf(stderr, "  %s: slides %g m without friction, %g with\n", partners[p].name, loose, held);
    printf("%s: %.2f iterations of Newton's method in a part\n", partners[p].name, newton);
    CHECK(newton < 1.5);  // the last forces are those of the next part: what rests needs one
  }
}

// An elastic body hits a rigid one while a lattice flies far away: the impact counts once.
static void test_others_meet(void) {
  world_kit kit;
  mote_totals first, last;
  make_square(&kit, 2, 0.03, 1e5);
  memset(kit.scene.world.gravity, 0, sizeof kit.scene.world.gravity);
  mote_material_def all[3] = {kit.material[0], mote_material_def_default(), mote_material_def_default()};
  all[1].name = "soft", all[1].model = MOTE_KIND_ELASTIC, all[1].density = 800.0, all[1].elastic.young = 1e5;
  all[2].name = "hard", all[2].model = MOTE_KIND_RIGID, all[2].density = 800.0;
  kit.scene.material = all, kit.scene.materials = 3;
  for (int a = 0; a < 2; ++a) kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_OPEN;
  mote_body_def *soft = world_kit_body(&kit, "soft", mote_shape_def_box(2.0, 0.0, -1.0, 2.24, 0.24, 1.0));
  soft->material = "soft", soft->velocity = mote_value3_make(1.0, 0.0, 0.0);
  world_kit_body(&kit, "hard", mote_shape_def_box(2.26, 0.0, -1.0, 2.5, 0.24, 1.0))->material = "hard";
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_totals(world, &first, NULL) == MOTE_OK);
  advance(world, 0.1);
  CHECK(mote_world_totals(world, &last, NULL) == MOTE_OK);
  for (int a = 0; a < 2; ++a) CHECK_NEAR(last.momentum[a], first.momentum[a], 1e-9 * first.momentum[0]);
  mote_body_info hard;
  CHECK(mote_world_body_about(world, mote_world_find_body(world, "hard"), &hard, NULL) == MOTE_OK);
  CHECK(hard.velocity[0] > 0.1);
  mote_world_destroy(world);
}

static void test_commands(void) {
  world_kit kit;
  mote_error error = {0};
  make_square(&kit, 2, 0.05, 1e5);
  mote_world *world = world_kit_create(&kit, NULL);
  mote_body body = mote_world_find_body(world, "square"), part;
  uint64_t id = 3;
  mote_totals before, after, later;
  CHECK(mote_world_totals(world, &before, NULL) == MOTE_OK);
  CHECK(mote_world_add_impulse(world, body, (const double[3]){1, 0, 0}, NULL, &error) == MOTE_OK);
  CHECK(mote_world_totals(world, &after, NULL) == MOTE_OK);
  CHECK_NEAR(after.momentum[0] - before.momentum[0], 1.0, 1e-9);
  CHECK(mote_world_set_force(world, body, (const double[3]){50, 0, 0}, &error) == MOTE_OK);
  CHECK(mote_world_advance(world, after.time + 0.02, &error) == MOTE_OK);
  CHECK(mote_world_totals(world, &later, NULL) == MOTE_OK);
  CHECK_NEAR(later.momentum[0] - after.momentum[0], 50.0 * (later.time - after.time), 1e-9);
  CHECK(mote_world_split_body(world, body, &id, 1, &part, &error) == MOTE_ERROR_ARGUMENT);
  mote_world_destroy(world);
}

// One of two squares goes; a snapshot after that goes on to the same bits.
static void test_removal(void) {
  world_kit kit;
  mote_error error = {0};
  make_square(&kit, 2, 0.05, 1e5);
  const mote_body_def first = kit.body[0];
  mote_body_def *second = world_kit_body(&kit, "second", mote_shape_def_box(0.7, 0.6, -1.0, 0.9, 0.8, 1.0));
  second->material = first.material;
  mote_world *world = world_kit_create(&kit, NULL), *other = world_kit_create(&kit, NULL);
  size_t all = mote_world_lattice_particles(world);
  CHECK(mote_world_advance(world, 0.02, &error) == MOTE_OK);
  CHECK(mote_world_remove_body(world, mote_world_find_body(world, "second"), &error) == MOTE_OK);
  size_t left = mote_world_lattice_particles(world);
  CHECK(left > 0 && left < all && mote_world_lattice_objects(world) == 1);
  CHECK(mote_world_find_body(world, "second").generation == 0);
  CHECK(mote_world_step(world, 0.03, &error) == MOTE_OK);
  kit_bytes bytes = world_kit_save(world);
  if (!CHECK(world_kit_load(other, &bytes, &error) == MOTE_OK)) fprintf(stderr, "%s\n", error.text);
  advance(world, 0.06), advance(other, 0.06);
  CHECK(mote_world_hash(world) == mote_world_hash(other));
  free(bytes.data);
  mote_world_destroy(world), mote_world_destroy(other);
}

// A mesh goes with the body, by the world and by what a file has of it.
static void test_skin(void) {
  world_kit kit;
  mote_error error = {0};
  mote_lattice_skin *skin = NULL;
  make_square(&kit, 2, 0.05, 1e5);
  for (int a = 0; a < 3; ++a) kit.scene.world.gravity[a] = 0.0;
  kit.body[0].spin[2] = 0.0, kit.body[0].velocity = mote_value3_make(0.5, 0.0, 0.0);
  const double corner[12] = {0.3, 0.2, 0, 0.6, 0.2, 0, 0.6, 0.5, 0, 0.3, 0.5, 0};
  double moved[12] = {0}, again[12] = {0};
  mote_world *world = world_kit_create(&kit, NULL);
  mote_body body = mote_world_find_body(world, "square");
  CHECK(mote_world_lattice_skin(world, body, corner, 4, &skin, &error) == MOTE_OK);
  advance(world, 0.1);
  CHECK(mote_lattice_skin_move(skin, world, moved, &error) == MOTE_OK);
  for (int k = 0; k < 12; ++k) CHECK_NEAR(moved[k], corner[k] + (k % 3 == 0 ? 0.05 : 0.0), 1e-6);
  CHECK(mote_lattice_skin_move_to(skin, mote_world_lattice_view(world, "id").data,
                                  mote_world_lattice_view(world, "position").data,
                                  mote_world_lattice_view(world, "lattice_frame").data,
                                  mote_world_lattice_particles(world), again, &error) == MOTE_OK);
  CHECK(memcmp(moved, again, sizeof moved) == 0);
  CHECK(mote_lattice_skin_move_to(skin, NULL, NULL, NULL, 3, again, &error) == MOTE_ERROR_ARGUMENT);
  mote_lattice_skin_destroy(skin);
  mote_world_destroy(world);
}

static void expect_refusal(const world_kit *kit, const char *key) {
  mote_world *world = NULL;
  mote_error error = {0};
  CHECK(mote_world_create_scene(&kit->scene, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  if (!CHECK(strstr(error.key, key) != NULL)) fprintf(stderr, "%s: %s\n", error.key, error.text);
  mote_world_destroy(world);
}

static void test_bad(void) {
  world_kit kit;
  make_square(&kit, 2, 0.05, 1e5), kit.body[0].fill = MOTE_FILL_RELAXED;
  expect_refusal(&kit, "fill");
  make_square(&kit, 2, 0.05, 1e5), kit.material[0].elastic.young = (double)NAN;
  expect_refusal(&kit, "young");
  make_square(&kit, 2, 0.05, 1e5), kit.material[0].elastic.law = MOTE_ELASTIC_NEO_HOOKEAN;
  expect_refusal(&kit, "law");
  make_square(&kit, 2, 0.05, 1e5), kit.scene.world.solver.steps = MOTE_STEPS_INDIVIDUAL;
  kit.scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  expect_refusal(&kit, "model");
  make_square(&kit, 2, 0.05, 1e5);
  kit.scene.world.side[0][0] = kit.scene.world.side[0][1] = MOTE_SIDE_PERIODIC;
  expect_refusal(&kit, "material");
}

// Bodies that touch each other, an elastic one and the floor when they are made are not thrown apart.
static void test_touching(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    world_kit kit;
    mote_totals totals;
    world_kit_tank(&kit, dimensions, 0.05);
    kit.scene.world.gravity[1] = 0.0;
    kit.material[0] = lattice_material("stuff", 1e6), kit.material[1] = lattice_material("rubber", 1e6);
    kit.material[1].model = MOTE_KIND_ELASTIC, kit.scene.materials = 2;
    world_kit_body(&kit, "left", mote_shape_def_box(0.2, 0.0, 0.2, 0.5, 0.3, 0.4))->material = "stuff";
    world_kit_body(&kit, "right", mote_shape_def_box(0.5, 0.0, 0.2, 0.8, 0.3, 0.4))->material = "stuff";
    world_kit_body(&kit, "top", mote_shape_def_box(0.2, 0.3, 0.2, 0.8, 0.4, 0.4))->material = "rubber";
    mote_world *world = world_kit_create(&kit, NULL);
    advance(world, 0.05);
    CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
    if (!CHECK(totals.speed_max < 1e-6)) fprintf(stderr, "  thrown apart at %g m/s\n", totals.speed_max);
    mote_world_destroy(world);
  }
}

// A force that no solid withstands ends the frame soon, and the world is as when the frame began.
static void test_too_strong(void) {
  world_kit kit;
  mote_error error;
  make_square(&kit, 2, 0.03, 3e4);
  mote_world *world = world_kit_create(&kit, NULL);
  advance(world, 0.02);
  uint64_t before = mote_world_motion_hash(world);
  CHECK(mote_world_set_force(world, mote_world_find_body(world, "square"), (const double[3]){0.0, -1e9, 0.0},
                             &error) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.06, &error) == MOTE_ERROR_NUMERIC);
  if (!CHECK(strstr(error.text, "a force on them is too strong") != NULL))
    fprintf(stderr, "  %s\n", error.text);
  CHECK(mote_world_motion_hash(world) == before && mote_world_time(world) < 0.0201);
  mote_world_destroy(world);
}

int main(void) {
  test_too_strong();
  test_touching();
  test_fill();
  test_reading();
  test_fall();
  test_flow();
  test_resume(false);
  test_resume(true);
  test_contact();
  test_slope();
  test_others_meet();
  test_commands();
  test_removal();
  test_skin();
  test_bad();
  return test_end();
}
