// State hashes of small worlds after some steps: the same for 1, 2 and 7 threads, for every compiler, build
// type and machine. Together the worlds go through every stage of a step. A failing world prints the line
// that would stand in the table; change one only with the reason in the commit.
#include <inttypes.h>

#include "mesh_kit.h"
#include "test.h"
#include "world_kit.h"

#define STEPS 20

static mote_mesh ball;

// Both solves of DFSPH, walls, a corner.
static void dam(world_kit *kit) {
  world_kit_dam(kit, 3, 0.06);
}

// WCSPH, XSPH, the Wendland kernel, a rough floor, a body that turns.
static void weak(world_kit *kit) {
  world_kit_dam(kit, 2, 0.02);
  kit->scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  kit->scene.world.solver.kernel = MOTE_KERNEL_WENDLAND_C2;
  kit->scene.world.wall_friction = 0.5;
  kit->material[0].xsph = 0.1;
  kit->body[0].spin[2] = 2.0;
}

// XSPH that only moves particles, beside a rough block that slides.
static void drift(world_kit *kit) {
  world_kit_dam(kit, 2, 0.02);
  kit->scene.world.solver.xsph_form = MOTE_XSPH_MOVE;
  kit->material[0].xsph = 0.2;
  kit->collider[0] = mote_collider_def_default();
  kit->collider[0].name = "block", kit->collider[0].friction = 1.0;
  kit->collider[0].shape = mote_shape_def_box(0.5, 0.0, 0.0, 0.6, 0.3, 1.0);
  kit->collider[0].motion.move.x.formula = "-0.3*t";
  kit->scene.colliders = 1;
}

// PCISPH with walls that stand and a paddle that moves and turns.
static void predicted(world_kit *kit) {
  world_kit_everything(kit, 2, 0.025);
  kit->scene.world.solver.pressure = MOTE_PRESSURE_PCISPH;
}

// Densities that are followed, corrected gradients, shifts: all between walls.
static void followed(world_kit *kit) {
  world_kit_dam(kit, 2, 0.02);
  kit->scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  kit->scene.world.solver.density = MOTE_DENSITY_FOLLOWED;
  kit->scene.world.solver.gradient_correction = true;
  kit->body[0].spin[2] = 2.0;
}

// A paddle that moves and turns by formulas, a jet of syrup, a drain, a wind, in 3D.
static void everything(world_kit *kit) {
  world_kit_everything(kit, 3, 0.06);
  kit->drain[0].shape = mote_shape_def_sphere(0.3, 0.1, 0.3, 0.1);
}

// Shear in a periodic box under a force by a formula with every kind of elementary function.
static void periodic(world_kit *kit) {
  world_kit_tank(kit, 2, 0.05);
  mote_scene *s = &kit->scene;
  for (int a = 0; a < 2; ++a) s->world.side[a][0] = s->world.side[a][1] = MOTE_SIDE_PERIODIC;
  s->world.gravity[1] = 0.0;
  kit->material[0].viscosity = 5.0;
  mote_body_def *body = world_kit_body(kit, "all", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0));
  body->velocity.x.formula = "sin(2*pi*y)";
  body->velocity.y.formula = "0.3*cos(2*pi*x)*exp(-y)";
  kit->force[0] = mote_force_def_default();
  kit->force[0].name = "stir";
  kit->force[0].acceleration.x.formula = "3*sin(2*pi*y+t)+abs(x-0.5)^1.5";
  kit->force[0].acceleration.y.formula = "atan2(x-0.5,y-0.5)*log(1+t)";
  s->forces = 1;
}

// A ball of triangles that rises through relaxed and hexagonal water by keys.
static void mesh(world_kit *kit) {
  static const mote_key key[] = {{0.0, {0.0, 0.0, 0.0}, 0.0}, {0.1, {0.0, 0.1, 0.02}, 0.5}, {0.3, {0}, 2.0}};
  world_kit_tank(kit, 3, 0.08);
  kit->collider[0] = mote_collider_def_default();
  kit->collider[0].name = "ball";
  kit->collider[0].shape.kind = MOTE_SHAPE_MESH;
  kit->collider[0].shape.mesh = ball;
  kit->collider[0].friction = 0.3;
  kit->collider[0].motion.key = key, kit->collider[0].motion.keys = sizeof key / sizeof *key;
  kit->scene.colliders = 1;
  world_kit_body(kit, "left", mote_shape_def_box(0.0, 0.0, 0.0, 0.48, 0.5, 1.0))->fill = MOTE_FILL_RELAXED;
  world_kit_body(kit, "right", mote_shape_def_box(0.52, 0.0, 0.0, 1.0, 0.5, 1.0))->fill = MOTE_FILL_HEXAGONAL;
}

// A drop far from the origin that leaves over open sides.
static void open(world_kit *kit) {
  world_kit_tank(kit, 2, 0.02);
  for (int a = 0; a < 3; ++a) {
    kit->scene.world.low[a] = 1000.0, kit->scene.world.high[a] = 1001.0;
    kit->scene.world.side[a][0] = kit->scene.world.side[a][1] = MOTE_SIDE_OPEN;
  }
  mote_body_def *body = world_kit_body(kit, "drop", mote_shape_def_sphere(1000.3, 1000.3, 0.0, 0.25));
  body->fill = MOTE_FILL_HEXAGONAL;
  body->velocity = mote_value3_make(-3.0, 0.0, 0.0);
  body->velocity.y.formula = "-2-3*(x-1000)";
}

// Syrup so thick that its viscosity is solved for, in the central form, on a rough floor.
static void thick(world_kit *kit) {
  world_kit_dam(kit, 3, 0.06);
  kit->scene.world.solver.viscosity_form = MOTE_VISCOSITY_CENTRAL;
  kit->scene.world.wall_friction = 0.8;
  kit->material[0].viscosity = 2000.0;
}

// So thick that it is solved on two levels.
static void thickest(world_kit *kit) {
  thick(kit);
  kit->material[0].viscosity = 1e6;
}

// PCISPH in a box that is full, with a lid that slides.
static void lid(world_kit *kit) {
  world_kit_tank(kit, 2, 0.05);
  kit->scene.world.solver.pressure = MOTE_PRESSURE_PCISPH;
  kit->scene.world.wall_friction = 1.0;
  kit->scene.world.wall_velocity.x.formula = "y > 1 ? 1 + x : 0";
  kit->material[0].viscosity = 10.0;
  world_kit_body(kit, "all", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0));
}

// Two fluids with surface tension, one of which wets the floor.
static void tension(world_kit *kit) {
  world_kit_tank(kit, 2, 0.02);
  kit->scene.world.solver.support = 3.0, kit->scene.world.solver.kernel = MOTE_KERNEL_WENDLAND_C2;
  kit->material[0].surface_tension = 5.0, kit->material[0].contact_angle = 1.0;
  kit->material[1] = mote_material_def_default();
  kit->material[1].name = "light", kit->material[1].density = 500.0;
  kit->material[1].surface_tension = 2.0, kit->material[1].interface_tension = 4.0;
  kit->scene.materials = 2;
  world_kit_body(kit, "drop", mote_shape_def_sphere(0.4, 0.0, 0.0, 0.25));
  world_kit_body(kit, "other", mote_shape_def_sphere(0.75, 0.2, 0.0, 0.15))->material = "light";
}

// Putty on water, Desbrun's kernel: a law and a damping of its own, tension.
static void putty(world_kit *kit) {
  world_kit_tank(kit, 2, 0.025);
  mote_scene *s = &kit->scene;
  s->world.solver.pressure = MOTE_PRESSURE_WCSPH;
  s->world.solver.kernel = MOTE_KERNEL_DESBRUN, s->world.solver.support = 2.5;
  kit->material[1] = kit->material[0];
  kit->material[1].name = "putty", kit->material[1].stiffness = 2e4, kit->material[1].damping = 1.0;
  s->materials = 2;
  world_kit_body(kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.2, 1.0));
  world_kit_body(kit, "lump", mote_shape_def_box(0.3, 0.2, 0.0, 0.7, 0.5, 1.0))->material = "putty";
}

// Two fluids of one modulus, WCSPH.
static void layers(world_kit *kit) {
  world_kit_tank(kit, 2, 0.025);
  mote_scene *s = &kit->scene;
  s->world.solver.pressure = MOTE_PRESSURE_WCSPH;
  kit->material[1] = kit->material[0];
  kit->material[1].name = "light", kit->material[1].density = 100.0;
  s->materials = 2;
  world_kit_body(kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.2, 1.0));
  world_kit_body(kit, "float", mote_shape_def_box(0.3, 0.2, 0.0, 0.7, 0.5, 1.0))->material = "light";
}

// Steps of their own: a knife through a soft body, densities followed.
static void ticks(world_kit *kit) {
  world_kit_dam(kit, 2, 0.02);
  mote_solver_def *solver = &kit->scene.world.solver;
  solver->pressure = MOTE_PRESSURE_WCSPH, solver->steps = MOTE_STEPS_INDIVIDUAL;
  solver->density = MOTE_DENSITY_FOLLOWED, solver->stiffness = 1000.0, solver->exponent = 1.0;
  kit->collider[0] = mote_collider_def_default();
  kit->collider[0].name = "knife";
  kit->collider[0].shape = mote_shape_def_box(0.2, 0.62, 0.0, 0.24, 0.9, 1.0);
  kit->collider[0].motion.move.y.formula = "-8*t";
  kit->scene.colliders = 1;
}

// WCSPH in a ball, to which the lattice does not fit: moved apart before the first step.
static void hollow(world_kit *kit) {
  world_kit_tank(kit, 3, 0.07);
  kit->scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  kit->collider[0] = mote_collider_def_default();
  kit->collider[0].name = "vessel";
  kit->collider[0].shape = mote_shape_def_sphere(0.5, 0.5, 0.5, 0.45);
  kit->collider[0].shape.inverted = true;
  kit->scene.colliders = 1;
  static mote_shape_def part[2];
  part[0] = mote_shape_def_sphere(0.5, 0.5, 0.5, 0.45);
  part[1] = mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.5, 1.0);
  mote_shape_def half = mote_shape_def_default();
  half.kind = MOTE_SHAPE_INTERSECTION, half.part = part, half.parts = 2;
  world_kit_body(kit, "pool", half)->velocity = mote_value3_make(0.5, 0.0, 0.0);
}

// Wax: a block of a lattice falls into its melt; sources melt some of it and freeze some of the pool.
static void molten(world_kit *kit) {
  static mote_force_def force[2];
  world_kit_tank(kit, 2, 0.025);
  mote_scene *s = &kit->scene;
  mote_material_def *wax = &kit->material[0];
  (void)mote_material_def_preset("wax", wax);
  wax->model = MOTE_KIND_LATTICE, wax->elastic.young = 2e4, wax->viscosity = 5.0;
  wax->elastic.law = MOTE_ELASTIC_COROTATED, wax->heat.conductivity = 1000.0;
  s->world.heat = true, s->world.wall_temperature.constant = 340.0;
  s->world.air = (mote_air_def){.temperature = 293.0, .heat_transfer = 500.0};
  world_kit_body(kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.25, 1.0))->temperature.constant =
      333.0;
  world_kit_body(kit, "block", mote_shape_def_box(0.3, 0.26, 0.0, 0.7, 0.5, 1.0))->temperature.constant =
      324.0;
  for (int k = 0; k < 2; ++k) {
    kit->body[k].material = "wax";
    force[k] = mote_force_def_default();
    force[k].name = k == 0 ? "warm" : "cool", force[k].heating.constant = k == 0 ? 4e9 : -4e9;
  }
  force[0].shape = mote_shape_def_box(0.3, 0.4, 0.0, 0.5, 0.6, 1.0);
  force[1].shape = mote_shape_def_box(0.0, 0.0, 0.0, 0.2, 0.3, 1.0);
  s->force = force, s->forces = 2;
}

static const struct golden {
  const char *name;
  void (*make)(world_kit *kit);
  world_hashes hash;
} golden[] = {
    {"dam", dam, {0x13b3bd88168a3b48, 0x397a6adc7ba9e7e9}},              // 3D, DFSPH
    {"weak", weak, {0xdc0e8ea9c3295417, 0x066de74ec1e53ad9}},            // 2D, WCSPH
    {"drift", drift, {0x3a7b0631f7018699, 0x7fe8506966e66dc8}},          // 2D, DFSPH, XSPH that moves
    {"predicted", predicted, {0x0a0989565429da2c, 0x904af070a7758dce}},  // 2D, PCISPH
    {"followed", followed, {0x0ce9e842af50e657, 0xb5be4008cd45bb72}},    // 2D, WCSPH, the continuity equation
    {"everything", everything, {0x68d1a42d13c25d47, 0x9279dd833345d4ef}},  // 3D, a bit of all
    {"periodic", periodic, {0x0ce41adde86bb969, 0x76e72be775547b0c}},      // 2D, formulas
    {"mesh", mesh, {0x169a32f21f93bef3, 0xb982db76fb1859b8}},              // 3D, keys, fills
    {"thick", thick, {0x15eeb2bd9c6d1f18, 0xed5fccf9c9a4ad67}},            // 3D, implicit viscosity
    {"thickest", thickest, {0xffe754a8ceff34dc, 0x69732b2885385686}},      // and on two levels
    {"lid", lid, {0xeedb7f4473c2849d, 0x750d576df0afa489}},                // 2D, PCISPH, full
    {"ticks", ticks, {0xeb30773c3e285773, 0xb8f1f24e627d80c6}},            // 2D, individual steps
    {"open", open, {0x8c2f808e7baa07d6, 0x3dde795676aa38fb}},              // 2D, far away
    {"tension", tension, {0xb9263800cd963dec, 0x42996f13f736fd13}},        // 2D, two fluids, a wetted floor
    {"putty", putty, {0x32183e5d402022e5, 0x8c6ad7426b07be97}},            // 2D, WCSPH, a law of its own
    {"layers", layers, {0x900081e7240e5141, 0xaf7d180d806eff1b}},          // 2D, WCSPH, two densities
    {"hollow", hollow, {0x0cf7f925bbe5dec8, 0xaa984ff385356547}},  // 3D, WCSPH, a lattice that does not fit
    {"molten", molten, {0x21717fa541cf3574, 0x71ad6c5cf30edf13}},  // 2D, a lattice and its melt
};

static size_t emitted, drained, left;
static uint64_t melted, frozen;

static world_hashes run(const struct golden *g, int threads) {
  world_kit kit;
  g->make(&kit);
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
  for (int n = 0; n < STEPS; ++n) CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
  CHECK(mote_world_particles(world) > 300 && mote_world_particles(world) < 1500);
  mote_totals totals = {0};
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  emitted += totals.emitted, drained += totals.drained, left += totals.left;
  melted += totals.melted, frozen += totals.frozen;
  world_hashes hash = world_kit_hashes(world);
  mote_world_destroy(world);
  return hash;
}

int main(void) {
  ball = kit_sphere(2);
  for (size_t v = 0; v < ball.vertices; ++v) {
    double *x = ball.vertex + 3 * v;
    x[0] = 0.5 + 0.2 * x[0], x[1] = 0.3 + 0.15 * x[1], x[2] = 0.5 + 0.2 * x[2];
  }
  const int threads[] = {1, 2, 7};
  for (size_t w = 0; w < sizeof golden / sizeof *golden; ++w) {
    for (int k = TEST_SHORT ? 2 : 0; k < 3; ++k) {
      world_hashes hash = run(&golden[w], threads[k]);
      if (CHECK(world_hashes_same(hash, golden[w].hash))) continue;
      printf("    {\"%s\", %s, {0x%016" PRIx64 ", 0x%016" PRIx64 "}},  // %d threads\n", golden[w].name,
             golden[w].name, hash.state, hash.motion, threads[k]);
    }
  }
  CHECK(emitted > 0 && drained > 0 && left > 0 && melted > 0 && frozen > 0);
  kit_free(&ball);
  return test_end();
}
