// Force fields count for the damping of noise as gravity does: where a part of the weight of water, or all of
// it, is a field, noise is damped as strongly. WCSPH keeps the speed of sound of its definitions.
#include "matter/world_data.h"
#include "test.h"
#include "world_kit.h"

// Water of noisy velocities after its first step. The part `share` of its weight is a force field.
static mote_world *weighed(mote_pressure_kind pressure, double share, double damping) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.05);
  world_kit_standard(&kit);
  mote_world_def *def = &kit.scene.world;
  def->solver.pressure = pressure, def->solver.noise_damping = damping;
  kit.body[0].velocity.x.formula = "0.02*sin(700*x)*sin(900*y)";
  double weight = def->gravity[1];
  def->gravity[1] = (1.0 - share) * weight;
  kit.force[0] = mote_force_def_default();
  kit.force[0].name = "weight", kit.force[0].acceleration.y.constant = share * weight;
  kit.scene.forces = share > 0.0 ? 1 : 0;
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_step(world, 0.001, NULL) == MOTE_OK);
  return world;
}

// The largest difference of accelerations, m/s^2.
static double difference(const mote_world *a, const mote_world *b) {
  mote_field_view of_a = mote_world_view(a, "acceleration_without_pressure"),
                  of_b = mote_world_view(b, "acceleration_without_pressure");
  double most = 0.0;
  CHECK(of_a.count > 0 && of_a.count == of_b.count);
  for (size_t k = 0; k < 3 * of_a.count; ++k) {
    most = fmax(most, fabs((double)((const float *)of_a.data)[k] - (double)((const float *)of_b.data)[k]));
  }
  return most;
}

static void fields_count_as_gravity(mote_pressure_kind pressure) {
  mote_world *heavy = weighed(pressure, 0.0, 0.05), *free = weighed(pressure, 0.0, 0.0);
  double damped = difference(heavy, free);
  CHECK(damped > 0.1);
  for (int k = 1; k <= 2; ++k) {
    mote_world *world = weighed(pressure, 0.5 * k, 0.05);
    CHECK_NEAR(world->fluid.sound_speed, heavy->fluid.sound_speed, 1e-5 * heavy->fluid.sound_speed);
    CHECK(difference(world, heavy) < 1e-3 * damped);
    mote_world_destroy(world);
  }
  mote_world_destroy(heavy), mote_world_destroy(free);
}

static void sound_is_kept(void) {
  mote_world *light = weighed(MOTE_PRESSURE_WCSPH, 1.0, 0.05),
             *none = weighed(MOTE_PRESSURE_WCSPH, 0.0, 0.05);
  CHECK(light->fluid.sound_speed > 0.0 && light->fluid.sound_speed < 0.1 * none->fluid.sound_speed);
  mote_world_destroy(light), mote_world_destroy(none);
}

// Kinetic energy and that of the central field, 100 N/kg.
static double energy_of(const mote_world *world) {
  mote_totals t;
  const double *x = mote_world_view(world, "position").data;
  size_t count = mote_world_particles(world);
  double sum = 0.0;
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK);
  for (size_t i = 0; i < count; ++i) sum += hypot(x[3 * i], x[3 * i + 1]);
  return t.kinetic_energy + 100.0 * t.mass / (double)count * sum;
}

// A disc of water without walls, held by a central field, turns at speeds that grow with the square of the
// radius. Its energy must not rise by a thousandth of the kinetic one, which moves by more as the disc
// breathes in the field. With noise that was damped by its speed alone the kinetic energy grew by a third.
// The disc is led until its packing has settled in the field: what that releases is no matter of the flow.
static void turning_disc_gains_nothing(mote_pressure_kind pressure) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.02);
  world_kit_standard(&kit);
  mote_world_def *def = &kit.scene.world;
  def->solver.pressure = pressure, def->gravity[1] = 0.0;
  for (int a = 0; a < 2; ++a) {
    def->low[a] = -0.4, def->high[a] = 0.4;
    def->side[a][0] = def->side[a][1] = MOTE_SIDE_OPEN;
  }
  mote_body_def *disc = world_kit_body(&kit, "disc", mote_shape_def_sphere(0.0, 0.0, 0.0, 0.2));
  disc->velocity.x.formula = "-5*y*hypot(x, y)", disc->velocity.y.formula = "5*x*hypot(x, y)";
  kit.force[0] = kit.force[1] = mote_force_def_default();
  kit.force[0].name = "centre";
  kit.force[0].acceleration.x.formula = "-100*x/(hypot(x, y) + 1e-9)";
  kit.force[0].acceleration.y.formula = "-100*y/(hypot(x, y) + 1e-9)";
  kit.force[1].name = "lead", kit.force[1].damping.constant = 30.0, kit.force[1].end = 0.6;
  kit.force[1].acceleration.x.formula = "-150*y*hypot(x, y)";
  kit.force[1].acceleration.y.formula = "150*x*hypot(x, y)";
  kit.scene.forces = 2;
  mote_world *world = world_kit_create(&kit, NULL);
  mote_totals first, now;
  CHECK(mote_world_advance(world, 0.6, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &first, NULL) == MOTE_OK);
  double begin = energy_of(world);
  for (int k = 1; k <= 20; ++k) {
    CHECK(mote_world_advance(world, 0.6 + 0.02 * k, NULL) == MOTE_OK);
    CHECK(mote_world_totals(world, &now, NULL) == MOTE_OK);
    CHECK(now.kinetic_energy > 0.9 * first.kinetic_energy);
    CHECK(energy_of(world) < begin + 1e-3 * first.kinetic_energy);
  }
  mote_world_destroy(world);
}

int main(void) {
  fields_count_as_gravity(MOTE_PRESSURE_DFSPH);
  fields_count_as_gravity(MOTE_PRESSURE_PCISPH);
  sound_is_kept();
  turning_disc_gains_nothing(MOTE_PRESSURE_DFSPH);
  turning_disc_gains_nothing(MOTE_PRESSURE_PCISPH);
  return test_end();
}
