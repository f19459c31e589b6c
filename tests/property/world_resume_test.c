// A run that is saved at any step and gone on with by another world has the bits of one that was not: also in
// the middle of a frame, also after the watchdog has gone back, and whatever was looked at on the way.
#include "base/random.h"
#include "test.h"
#include "world_kit.h"

#define FRAMES 5
#define FPS 25.0

// Viscosity that is solved for.
static void thick(world_kit *kit) {
  kit->material[1].viscosity = 500.0;
}

// A gust in one moment, too much for a step of full length; what it stirs up may be too fast for any step,
// and then both runs must end with the same state.
static void trouble(world_kit *kit) {
  kit->scene.world.solver.step_min = kit->scene.world.solver.step_max = 0.004;
  kit->scene.world.speed_limit = 2.6;
  kit->force[0].shape = mote_shape_def_box(0.0, 0.0, 0.0, 0.5, 1.0, 1.0);  // not against the jet
  kit->force[0].acceleration = mote_value3_make(0.0, 0.0, 0.0);
  kit->force[0].acceleration.y.formula = "abs(t - 0.06) < 1e-6 ? 950 : 0";
}

// Its densities are state.
static void followed(world_kit *kit) {
  thick(kit);
  kit->scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  kit->scene.world.solver.density = MOTE_DENSITY_FOLLOWED;
}

static void predicted(world_kit *kit) {
  thick(kit);
  kit->scene.world.solver.pressure = MOTE_PRESSURE_PCISPH;
}

// PCISPH's other way: a box that is full.
static void full(world_kit *kit) {
  world_kit_tank(kit, kit->scene.world.dimensions, kit->scene.world.spacing);
  kit->scene.world.solver.pressure = MOTE_PRESSURE_PCISPH;
  kit->scene.probes = 1;
  kit->probe[0] = mote_probe_def_default();
  kit->probe[0].name = "p";
  mote_body_def *body = world_kit_body(kit, "all", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0));
  body->velocity.x.formula = "sin(2*pi*y)";
}

static void shifted(world_kit *kit) {
  thick(kit);
  kit->scene.world.solver.shifting = 2.0;
}

// Rough surfaces that slide, from place to place: of a paddle that moves, and of walls.
static void belts(world_kit *kit) {
  thick(kit);
  kit->collider[0].friction = kit->scene.world.wall_friction = 1.0;
  kit->collider[0].surface_velocity.x.formula = "1 - y";
  kit->scene.world.wall_velocity.x.formula = "y < 0 ? 0.5 : 0";
}

// The central form, in every step.
static void central(world_kit *kit) {
  for (int k = 0; k < 2; ++k) kit->material[k].viscosity = 50.0;
  kit->scene.world.solver.viscosity_form = MOTE_VISCOSITY_CENTRAL;
  kit->scene.world.solver.viscosity_solve = MOTE_VISCOSITY_IMPLICIT;
}

// Steps of their own: most snapshots are then of particles in the middle of theirs.
static void individual(world_kit *kit) {
  mote_solver_def *solver = &kit->scene.world.solver;
  solver->pressure = MOTE_PRESSURE_WCSPH, solver->steps = MOTE_STEPS_INDIVIDUAL;
  solver->stiffness = 400.0, solver->exponent = 1.0, solver->step_max = 0.01;
  kit->material[1].xsph = 0.0;
  kit->emitter[0].speed.constant = 12.0;
}

static void individual_followed(world_kit *kit) {
  individual(kit);
  kit->scene.world.solver.density = MOTE_DENSITY_FOLLOWED;
}

static const struct kind {
  void (*make)(world_kit *kit);
  int dimensions;
} kinds[] = {{thick, 2},    {thick, 3},      {trouble, 2},    {trouble, 3},
             {followed, 2}, {predicted, 2},  {predicted, 3},  {full, 2},
             {shifted, 2},  {shifted, 3},    {belts, 2},      {belts, 3},
             {central, 3},  {individual, 2}, {individual, 3}, {individual_followed, 2}};

static uint64_t run_straight(const world_kit *kit, bool calm, int *tries) {
  mote_world *world = world_kit_create(kit, NULL);
  mote_result result = MOTE_OK;
  for (int frame = 1; frame <= FRAMES && result == MOTE_OK; ++frame) {
    result = mote_world_advance(world, frame / FPS, NULL);
    if (mote_world_report(world).tries > *tries) *tries = mote_world_report(world).tries;
  }
  CHECK(result == MOTE_OK || !calm);
  uint64_t hash = mote_world_hash(world);
  mote_world_destroy(world);
  return hash;
}

static mote_world *reincarnate(mote_world *world, const world_kit *kit) {
  kit_bytes bytes = world_kit_save(world);
  mote_world_destroy(world);
  world = world_kit_create(kit, NULL);
  CHECK(world_kit_load(world, &bytes, NULL) == MOTE_OK);
  free(bytes.data);
  return world;
}

// Dies after every tenth step or so; a frame that went back counts its steps again, so the clock is the
// draw's.
static uint64_t run_mortal(const world_kit *kit, uint64_t seed, int *deaths) {
  mote_world *world = world_kit_create(kit, NULL);
  uint64_t draw = 0;
  mote_result result = MOTE_OK;
  for (int frame = 1; frame <= FRAMES && result == MOTE_OK; ++frame) {
    while (mote_world_time(world) < frame / FPS) {
      mote_reading reading;
      result = mote_world_step(world, frame / FPS, NULL);
      if (result != MOTE_OK) break;
      CHECK(mote_world_probe(world, (mote_probe){0, 1}, &reading, NULL) == MOTE_OK);
      bool back = mote_world_report(world).tries > 0 && mote_world_report(world).step == 0.0;
      if (!back && mote_random_unit(seed, 0, draw++) > 0.1) continue;
      world = reincarnate(world, kit);
      ++*deaths;
    }
  }
  uint64_t hash = mote_world_hash(world);
  mote_world_destroy(world);
  return hash;
}

int main(void) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    world_kit kit;
    world_kit_everything(&kit, kinds[k].dimensions, kinds[k].dimensions == 2 ? 0.05 : 0.1);
    kinds[k].make(&kit);
    kit.scene.outputs.ledger = k % 2 == 1;  // state, too: resumed and gone back with
    bool calm = kinds[k].make != trouble;
    int tries = 0;
    uint64_t straight = run_straight(&kit, calm, &tries);
    CHECK((tries > 0) == !calm);
    for (uint64_t seed = 0; seed < (TEST_SHORT ? 1 : 4); ++seed) {
      int deaths = 0;
      CHECK(run_mortal(&kit, seed, &deaths) == straight);
      CHECK(deaths > 0);
    }
  }
  return test_end();
}
