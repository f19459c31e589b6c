// Melting and freezing in a world: a block that melts and freezes again keeps heat, masses and ids; rates of
// WIC06 (15) by chi-square at three lengths of the step; objects of what freezes.
#include <mote/numeric.h>

#include "material/heat_law.h"
#include "test.h"
#include "world_kit.h"

#define SPACING 0.05

// Of wax that conducts well, so that it happens in a few steps.
typedef struct phase_kit {
  world_kit kit;
  mote_force_def force[2];
  mote_body_def body[3];
} phase_kit;

static void phase_tank(phase_kit *p) {
  world_kit *kit = &p->kit;
  world_kit_tank(kit, 2, SPACING);
  kit->scene.world.heat = true;
  kit->scene.world.gravity[1] = -1.0;
  kit->scene.world.wall_friction = 1.0;
  mote_material_def *wax = &kit->material[0];
  (void)mote_material_def_preset("wax", wax);
  wax->model = MOTE_KIND_LATTICE, wax->elastic.young = 2e4, wax->viscosity = 5.0;
  wax->elastic.law = MOTE_ELASTIC_COROTATED;
  wax->heat.conductivity = 1000.0;
  kit->body[0] = mote_body_def_default();
  kit->body[0].name = "block", kit->body[0].material = "wax";
  kit->body[0].shape = mote_shape_def_box(0.3, 0.0, 0, 0.7, 0.4, 0);
  kit->body[0].temperature.constant = 320.0;
  kit->scene.bodies = 1;
}

// Three bodies, all as the first of the tank.
static void three_bodies(phase_kit *p) {
  for (int k = 0; k < 3; ++k) p->body[k] = p->kit.body[0];
  p->kit.material[0].heat.conductivity = 5e4;
  p->kit.scene.body = p->body, p->kit.scene.bodies = 3;
}

// W/m^3 that takes the block from 320 K to 340 K in a quarter of a second: with its latent heat.
static double heating(const mote_material_def *wax) {
  return wax->density * (20.0 * wax->heat.heat_capacity + wax->heat.latent_heat) / 0.25;
}

static mote_totals totals(const mote_world *world) {
  mote_totals t;
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK);
  return t;
}

static bool ids_are_those(mote_world *world, size_t count) {
  mote_field_view fluid = mote_world_view(world, "id"), solid = mote_world_lattice_view(world, "id");
  uint8_t *seen = calloc(count + 1, 1);
  size_t once = 0;
  for (size_t i = 0; i < fluid.count; ++i) seen[((const uint64_t *)fluid.data)[i]] += 1;
  for (size_t i = 0; i < solid.count; ++i) seen[((const uint64_t *)solid.data)[i]] += 1;
  for (size_t i = 0; i < count; ++i) once += seen[i] == 1;
  free(seen);
  return fluid.count + solid.count == count && once == count;
}

static void melts_and_freezes_again(void) {
  phase_kit p;
  phase_tank(&p);
  double q = heating(&p.kit.material[0]);
  for (int k = 0; k < 2; ++k) {
    p.force[k] = mote_force_def_default();
    p.force[k].name = k == 0 ? "warm" : "cool", p.force[k].heating.constant = k == 0 ? q : -q;
    p.force[k].start = 0.25 * k, p.force[k].end = 0.25 * (k + 1);
  }
  p.kit.scene.force = p.force, p.kit.scene.forces = 2;
  mote_world *world = world_kit_create(&p.kit, NULL), *other = NULL;
  mote_totals before = totals(world);
  size_t count = mote_world_lattice_view(world, "id").count, events;
  CHECK(count >= 60 && count <= 72);
  CHECK(mote_world_particles(world) == 0 && ids_are_those(world, count));
  CHECK(before.frozen_mass == before.mass);
  CHECK(mote_world_advance(world, 0.25, NULL) == MOTE_OK);
  mote_totals melted = totals(world);
  CHECK(melted.melted == count && mote_world_particles(world) == count && ids_are_those(world, count));
  CHECK(melted.mass == before.mass && melted.frozen_mass == 0.0);
  kit_bytes bytes = world_kit_save(world);
  CHECK(mote_world_advance(world, 0.4, NULL) == MOTE_OK && mote_world_advance(world, 0.5, NULL) == MOTE_OK);
  mote_totals after = totals(world);
  CHECK(after.frozen == count && mote_world_particles(world) == 0 && ids_are_those(world, count));
  CHECK(after.mass == before.mass && after.frozen_mass == before.frozen_mass);
  CHECK_NEAR(after.enthalpy, before.enthalpy, 1e-10 * before.enthalpy);
  CHECK(mote_world_phase_events(world, &events) != NULL && events <= count);
  other = world_kit_create(&p.kit, NULL);  // resumed in the middle, to the same bits
  CHECK(world_kit_load(other, &bytes, NULL) == MOTE_OK && mote_world_advance(other, 0.4, NULL) == MOTE_OK);
  CHECK(mote_world_advance(other, 0.5, NULL) == MOTE_OK && mote_world_hash(other) == mote_world_hash(world));
  CHECK(mote_world_advance(world, 3.0, NULL) == MOTE_OK);
  after = totals(world);  // what froze comes to rest, and nothing of it is thrown up
  double speed = sqrt(2.0 * after.kinetic_energy / after.mass);
  if (!CHECK(speed < 0.2 && after.centre[1] < 0.25))
    fprintf(stderr, "  %g m/s, %g m\n", speed, after.centre[1]);
  mote_world_destroy(world), mote_world_destroy(other);
  free(bytes.data);
}

// Two drops of melt that touch freeze as one object; far away as another.
static void freezes_as_one(bool apart) {
  phase_kit p;
  phase_tank(&p);
  p.kit.body[0].shape = mote_shape_def_box(0.1, 0, 0, 0.3, 0.2, 0),
  p.kit.body[0].temperature.constant = 332.0;
  p.kit.body[1] = p.kit.body[0];
  p.kit.body[1].name = "other",
  p.kit.body[1].shape = mote_shape_def_box(apart ? 0.7 : 0.3, 0, 0, 0.9, 0.2, 0);
  p.kit.scene.bodies = 2;
  p.force[0] = mote_force_def_default();
  p.force[0].name = "cool", p.force[0].heating.constant = -heating(&p.kit.material[0]);
  p.force[0].end = 0.25;
  p.kit.scene.force = p.force, p.kit.scene.forces = 1, p.kit.scene.world.gravity[1] = 0.0;
  mote_world *world = world_kit_create(&p.kit, NULL);
  size_t count = mote_world_particles(world), objects = 0;
  CHECK(count == (apart ? 32 : 64));
  CHECK(mote_world_advance(world, 0.3, NULL) == MOTE_OK && totals(world).frozen == count);
  mote_field_view object = mote_world_lattice_view(world, "object");
  uint32_t seen[8];
  for (size_t i = 0; i < object.count; ++i) {
    uint32_t own = ((const uint32_t *)object.data)[i];
    bool known = false;
    for (size_t k = 0; k < objects; ++k) known = known || seen[k] == own;
    if (!known && objects < 8) seen[objects++] = own;
  }
  if (!CHECK(objects == (apart ? 2 : 1))) fprintf(stderr, "  %zu objects\n", objects);
  mote_world_destroy(world);
}

// Liquid fractions that grow from 0 at the foot of a block to 1 at its top: the front is in the middle.
static void front_is_between(void) {
  phase_kit p;
  phase_tank(&p);
  mote_world *world = world_kit_create(&p.kit, NULL);
  CHECK(isnan(totals(world).front[0]));
  mote_world_destroy(world);
  p.kit.body[0].temperature.formula = "326 + 5*y/0.4";
  world = world_kit_create(&p.kit, NULL);
  mote_totals t = totals(world);
  if (!CHECK(fabs(t.front[0] - 0.5) < 0.01 && fabs(t.front[1] - 0.2) < 0.01))
    fprintf(stderr, "  front at %g, %g\n", t.front[0], t.front[1]);
  mote_world_destroy(world);
}

// A cold block that is held and keeps its temperature between two halves of melt: what freezes on it from
// both sides is one object with it, and it stays as cold.
static void freezes_on_what_is_held(void) {
  phase_kit p;
  phase_tank(&p);
  three_bodies(&p);
  mote_hold_def hold = mote_hold_def_default();
  hold.shape = mote_shape_def_box(0.4, 0, 0, 0.6, 0.3, 0), hold.temperature = 250.0;
  p.body[0].shape = hold.shape, p.body[0].temperature.constant = 250.0;
  p.body[0].hold = &hold, p.body[0].holds = 1;
  for (int k = 0; k < 2; ++k) {
    mote_body_def *melt = &p.body[1 + k];
    melt->name = k == 0 ? "left" : "right";
    melt->shape =
        k == 0 ? mote_shape_def_box(0, 0, 0, 0.4, 0.3, 0) : mote_shape_def_box(0.6, 0, 0, 1, 0.3, 0);
    melt->temperature.constant = 332.0;
  }
  mote_world *world = world_kit_create(&p.kit, NULL);
  size_t held = mote_world_lattice_view(world, "id").count;
  CHECK(mote_world_advance(world, 1.0, NULL) == MOTE_OK);
  mote_totals t = totals(world);
  CHECK(t.frozen >= 20 && t.melted == 0 && t.lattice_objects == 1);
  const float *T = mote_world_lattice_view(world, "temperature").data;
  const uint8_t *is_held = mote_world_lattice_view(world, "hold").data;
  size_t cold = 0;
  for (size_t i = 0; i < t.lattice_particles; ++i) cold += is_held[i] != 0 && fabsf(T[i] - 250.0f) < 1e-3f;
  if (!CHECK(cold == held && held >= 20))
    fprintf(stderr, "  %zu of %zu, %zu froze, %zu objects\n", cold, held, (size_t)t.frozen,
            t.lattice_objects);
  mote_world_destroy(world);
}

// Two solids with melt between them: they are one object when that has frozen.
static void grains_join(void) {
  phase_kit p;
  phase_tank(&p);
  three_bodies(&p);
  p.body[0].shape = mote_shape_def_box(0.0, 0, 0, 0.35, 0.3, 0);
  p.body[1].name = "melt", p.body[1].shape = mote_shape_def_box(0.35, 0, 0, 0.65, 0.3, 0);
  p.body[1].temperature.constant = 332.0;
  p.body[2].name = "right", p.body[2].shape = mote_shape_def_box(0.65, 0, 0, 1.0, 0.3, 0);
  p.body[2].orientation[2] = 0.3;
  p.body[0].temperature.constant = p.body[2].temperature.constant = 250.0;
  mote_world *world = world_kit_create(&p.kit, NULL);
  CHECK(totals(world).lattice_objects == 2);
  CHECK(mote_world_advance(world, 2.0, NULL) == MOTE_OK);
  mote_totals t = totals(world);
  if (!CHECK(mote_world_particles(world) < 20 && t.lattice_objects == 1))
    fprintf(stderr, "  %zu objects, %zu liquid\n", t.lattice_objects, mote_world_particles(world));
  mote_world_destroy(world);
}

// Survivors of a rate, binned over time: the sum of (n - N p)^2 / (N p) of ten bins is below the 0.999
// quantile of chi-square with ten degrees of freedom.
static void rates_do_not_depend_on_steps(void) {
  const double rate = 3.0, quantile = 29.59;
  const int particles = 10000, bins = 10;
  for (int k = 0; k < 3; ++k) {
    int steps = 4 << k, gone[11] = {0};
    double dt = 0.1 / steps, chi = 0.0, alive = 1.0;
    for (int i = 0; i < particles; ++i) {
      int step = 0;
      while (step < bins * steps &&
             !mote_poisson_happens(rate, dt, mote_random_uniform(5, (uint64_t)i, (uint64_t)step)))
        ++step;
      ++gone[step / steps];
    }
    for (int b = 0; b <= bins; ++b) {
      double p = b < bins ? alive * (1.0 - mote_exp(-rate * 0.1)) : alive, expected = particles * p;
      chi += (gone[b] - expected) * (gone[b] - expected) / expected;
      alive -= p;
    }
    if (!CHECK(chi < quantile)) fprintf(stderr, "  %d steps: %g\n", steps, chi);
  }
}

// The same in a world: a warm block without latent heat melts by (15).
static void blocks_melt_by_rates(void) {
  phase_kit p;
  phase_tank(&p);
  p.kit.material[0].heat.latent_heat = 0.0, p.kit.material[0].heat.freezing_point = (double)NAN;
  p.kit.material[0].heat.melting_point = 310.0, p.kit.material[0].heat.melting_rate.constant = 0.4;
  p.kit.body[0].shape = mote_shape_def_box(0.0, 0.0, 0, 1.0, 0.6, 0);
  p.kit.body[0].temperature.formula = "320 + 0*x";
  p.kit.scene.world.gravity[1] = 0.0;
  mote_world *world = world_kit_create(&p.kit, NULL);
  double count = (double)mote_world_lattice_view(world, "id").count;
  CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
  double left = (double)mote_world_lattice_view(world, "id").count, share = mote_exp(-0.8);  // 0.4 x 10 K
  if (!CHECK(fabs(left / count - share) < 4.0 * sqrt(share * (1.0 - share) / count)))
    fprintf(stderr, "  %g left of %g\n", left, count);
  CHECK((double)totals(world).melted == count - left);
  mote_world_destroy(world);
}

static void factors_are_clamped(void) {
  mote_freezing f = {
      .below = 5.0, .neighbours = 4, .least = 2, .speed = 2.0, .most = 1.0, .force = 1.0, .bound = 4.0};
  CHECK_NEAR(mote_freezing_rate(3.0, &f), 3.0 * 5.0 * 2.0 * 0.5, 1e-12);
  f.neighbours = 1;
  CHECK(mote_freezing_rate(3.0, &f) == 0.0);
  f.below = -5.0;  // as printed, both factors would be negative, and the rate positive
  CHECK(mote_freezing_rate(3.0, &f) == 0.0 && mote_melting_rate(3.0, 300.0, 310.0) == 0.0);
  f = (mote_freezing){.below = 5.0, .most = HUGE_VAL, .bound = HUGE_VAL};
  CHECK(mote_freezing_rate(3.0, &f) == 15.0);  // n = n_0 = 0
  CHECK(!mote_poisson_happens(0.0, 1.0, 0.0) && mote_poisson_happens(HUGE_VAL, 1e-9, 0.999));
}

// How far the rows reach out of the tank of 1 m.
static double outside(mote_field_view view) {
  const double *x = view.data;
  double most = 0.0;
  for (size_t i = 0; i < view.count; ++i)
    most = fmax(most, fmax(-x[3 * i + 1], fmax(-x[3 * i], x[3 * i] - 1.0)));
  return most;
}

// A pool of stiff ice that freezes from the walls, off its sites and nearer to the walls than a solid may be:
// it stays in the tank, is not thrown about, and comes to rest.
static void pools_freeze_calmly(void) {
  phase_kit p;
  phase_tank(&p);
  mote_material_def *ice = &p.kit.material[0];
  (void)mote_material_def_preset("ice", ice);
  ice->heat.conductivity = 5e3, ice->heat.latent_heat = 2e4, ice->lattice.solid_density = ice->density;
  p.kit.scene.world.wall_temperature.constant = 200.0;
  p.kit.scene.world.gravity[1] = -9.81;
  p.kit.body[0].material = "ice", p.kit.body[0].temperature.constant = 276.0;
  p.kit.body[0].shape = mote_shape_def_box(0.0, 0.0, 0, 1.0, 0.4, 0);
  mote_world *world = world_kit_create(&p.kit, NULL);
  double fastest = 0.0, sound = sqrt(ice->elastic.young / ice->density);
  for (int k = 1; k <= 100; ++k) {
    CHECK(mote_world_advance(world, 0.01 * k, NULL) == MOTE_OK);
    fastest = fmax(fastest, totals(world).speed_max);
  }
  mote_totals after = totals(world);
  double out = fmax(outside(mote_world_lattice_view(world, "position")),
                    outside(mote_world_view(world, "position"))),
         speed = sqrt(2.0 * after.kinetic_energy / after.mass);
  CHECK(after.frozen > 50 && after.left == 0);
  if (!CHECK(fastest < 0.1 * sound && out < 0.5 * SPACING && speed < 0.01 * sound))
    fprintf(stderr, "  fastest %g m/s, mean speed %g m/s, sound %g m/s; %g m outside\n", fastest, speed,
            sound, out);
  // What froze off its sites has not become stiff there: it stores less than a strain of 0.07 would.
  double strained = 0.5 * ice->elastic.young * (after.frozen_mass / ice->density) * 0.07 * 0.07;
  if (!CHECK(after.elastic_energy < strained))
    fprintf(stderr, "  %g J stored, strained %g\n", after.elastic_energy, strained);
  mote_world_destroy(world);
}

// Solids that can melt leave as their melt does, but for held ones: a block falls into a drain.
static void solids_leave(bool held) {
  phase_kit p;
  phase_tank(&p);
  p.kit.scene.world.gravity[1] = -9.81;
  p.kit.drain[0] = mote_drain_def_default();
  p.kit.drain[0].name = "hole", p.kit.drain[0].shape = mote_shape_def_box(0, 0, 0, 1.0, 0.2, 0);
  p.kit.scene.drains = 1;
  mote_hold_def hold = mote_hold_def_default();
  hold.shape = mote_shape_def_box(0.0, 0.0, 0, 1.0, 0.1, 0);
  if (held) p.kit.body[0].hold = &hold, p.kit.body[0].holds = 1;
  mote_world *world = world_kit_create(&p.kit, NULL);
  size_t before = mote_world_lattice_view(world, "id").count;
  CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK);
  size_t after = mote_world_lattice_view(world, "id").count;
  CHECK(after < before && after + totals(world).drained == before);
  CHECK(mote_world_advance(world, 0.5, NULL) == MOTE_OK);
  CHECK((mote_world_lattice_view(world, "id").count > 0) == held);
  mote_world_destroy(world);
}

// Formulas of rates that are not numbers.
static void rates_must_be_numbers(void) {
  phase_kit p;
  mote_error error;
  phase_tank(&p);
  p.kit.material[0].heat.latent_heat = 0.0;
  p.kit.material[0].heat.melting_rate = (mote_value){.formula = "sqrt(-1 - x)"};
  mote_world *world = world_kit_create(&p.kit, NULL);
  CHECK(mote_world_advance(world, 0.1, &error) == MOTE_ERROR_NUMERIC);
  CHECK(strstr(error.text, "the melting_rate of \"wax\" is not a number at (") != NULL);
  mote_world_destroy(world);
}

int main(void) {
  factors_are_clamped();
  rates_do_not_depend_on_steps();
  melts_and_freezes_again();
  freezes_as_one(false);
  freezes_as_one(true);
  front_is_between();
  freezes_on_what_is_held();
  grains_join();
  blocks_melt_by_rates();
  pools_freeze_calmly();
  rates_must_be_numbers();
  solids_leave(false);
  solids_leave(true);
  return test_end();
}
