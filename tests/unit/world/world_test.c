// Worlds made of definitions: what is refused and how it is named, what bodies are filled with, handles,
// views, and the small worlds that nobody thinks of.
#include <mote/world.h>

#include "stingy.h"
#include "test.h"
#include "world_kit.h"

static bool fails_at(const world_kit *kit, const char *key, const char *text) {
  mote_world *world = NULL;
  mote_error error = {0};
  mote_result result = mote_world_create_scene(&kit->scene, NULL, &world, &error);
  bool good =
      result == MOTE_ERROR_ARGUMENT && strcmp(error.key, key) == 0 && strstr(error.text, text) != NULL;
  if (!good) fprintf(stderr, "  %s: \"%s\"\n", error.key, error.text);
  mote_world_destroy(world);
  return good;
}

static void errors_name_the_member(void) {
  world_kit kit;
  world_kit_dam(&kit, 3, (double)NAN);
  CHECK(fails_at(&kit, "spacing", "missing"));
  world_kit_dam(&kit, 3, 0.1);
  kit.body[0].shape = mote_shape_def_sphere(0.5, 0.5, 0.5, -1.0);
  CHECK(fails_at(&kit, "bodies.dam.shape.radius", ""));
  kit.body[0].shape = mote_shape_def_default();
  CHECK(fails_at(&kit, "bodies.dam.shape", "missing"));
  world_kit_dam(&kit, 3, 0.1);
  kit.body[0].material = "watr";
  CHECK(fails_at(&kit, "bodies.dam.material", "watr"));
  kit.body[0].material = "water", kit.body[0].velocity.y.formula = "2*q";
  mote_world *world;
  mote_error error;
  CHECK(mote_world_create_scene(&kit.scene, NULL, &world, &error) == MOTE_ERROR_FORMAT && error.column == 3);
  CHECK(strncmp(error.key, "bodies.dam.velocity", 19) == 0);
  world_kit_dam(&kit, 3, 0.1);
  kit.material[0].density = 0.0;
  CHECK(fails_at(&kit, "materials.water.density", "0"));
  world_kit_dam(&kit, 3, 0.1);
  kit.scene.world.high[1] = 0.1;
  CHECK(fails_at(&kit, "domain.high", "0.2 m"));
  world_kit_everything(&kit, 3, 0.1);
  kit.collider[0].motion.angle.formula = NULL;
  kit.collider[0].friction = 2.0;
  CHECK(fails_at(&kit, "colliders.paddle.friction", "2"));
  world_kit_everything(&kit, 3, 0.1);
  kit.emitter[0].radius = (double)NAN;
  CHECK(fails_at(&kit, "emitters.jet.radius", ""));
}

static void bodies_do_not_overlap(void) {
  world_kit kit;
  world_kit_dam(&kit, 3, 0.1);
  world_kit_body(&kit, "drop", mote_shape_def_sphere(0.2, 0.3, 0.2, 0.1));
  CHECK(fails_at(&kit, "bodies.drop.shape", "\"drop\" overlaps \"dam\""));
  // The large one second: its particles may all miss the small one.
  world_kit_tank(&kit, 3, 0.1);
  world_kit_body(&kit, "drop", mote_shape_def_sphere(0.2, 0.2, 0.2, 0.06));
  world_kit_body(&kit, "dam", mote_shape_def_box(0.0, 0.0, 0.0, 0.4, 0.6, 0.4));
  CHECK(fails_at(&kit, "bodies.dam.shape", "\"dam\" overlaps \"drop\""));
  // Touching is allowed, and the same name twice is not.
  world_kit_dam(&kit, 3, 0.1);
  world_kit_body(&kit, "more", mote_shape_def_box(0.4, 0.0, 0.0, 1.0, 0.6, 0.4));
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_particles(world) == 240);
  mote_world_destroy(world);
  kit.body[1].name = "dam";
  CHECK(fails_at(&kit, "bodies.dam.name", "already"));
}

static double volume_of(mote_world *world) {
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  return totals.mass / mote_material_def_default().density;
}

// The starting volume is the shape's, also where it touches walls and where sides are no multiple of the
// spacing.
static void bodies_have_their_volume(void) {
  world_kit kit;
  for (int k = 0; k < 4; ++k) {
    double side = 1.0 - 0.017 * k;
    world_kit_tank(&kit, 3, 0.1);
    for (int a = 0; a < 3; ++a) kit.scene.world.high[a] = a == 1 ? 1.0 : side;
    world_kit_body(&kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, side, 0.53, side));
    mote_world *world = world_kit_create(&kit, NULL);
    CHECK_NEAR(volume_of(world), side * side * 0.53, 1e-6);
    mote_world_destroy(world);
  }
  world_kit_tank(&kit, 3, 0.05);
  world_kit_body(&kit, "ball", mote_shape_def_sphere(0.5, 0.5, 0.5, 0.4));
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK_NEAR(volume_of(world) / (4.0 / 3.0 * 3.14159265358979 * 0.064), 1.0, 0.01);
  mote_world_destroy(world);
}

// A ball in the middle of a pool takes its volume, and no particle begins in it.
static void bodies_are_cut_out_of_colliders(void) {
  world_kit kit;
  world_kit_tank(&kit, 3, 0.05);
  world_kit_body(&kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.5, 1.0));
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "ball";
  kit.collider[0].shape = mote_shape_def_sphere(0.0, 0.25, 0.5, 0.2);
  kit.collider[0].motion.move.x.constant = 0.5;  // it stands where its motion puts it
  kit.scene.colliders = 1;
  mote_world *world = world_kit_create(&kit, NULL);
  mote_field_view x = mote_world_view(world, "position");
  double nearest = 1.0;
  for (size_t i = 0; i < x.count; ++i) {
    const double *p = (double *)x.data + 3 * i;
    double gap =
        sqrt((p[0] - 0.5) * (p[0] - 0.5) + (p[1] - 0.25) * (p[1] - 0.25) + (p[2] - 0.5) * (p[2] - 0.5)) - 0.2;
    if (gap < nearest) nearest = gap;
  }
  CHECK(nearest >= 0.1 * 0.05 && nearest < 0.02);
  // 268 particles, and some more for a tenth of a spacing: 4 pi r^2 0.1 d.
  CHECK_NEAR((double)(4000 - x.count), 268.0 + 20.0, 30.0);
  mote_world_destroy(world);
  kit.collider[0].motion.move.x.constant = 0.0;
  kit.body[0].shape = mote_shape_def_sphere(0.0, 0.25, 0.5, 0.1);
  CHECK(fails_at(&kit, "bodies.pool.shape", "nothing of the body is left"));
}

static void velocities_are_as_defined(void) {
  world_kit kit;
  world_kit_tank(&kit, 3, 0.1);
  mote_body_def *body = world_kit_body(&kit, "b", mote_shape_def_box(0.2, 0.2, 0.2, 0.6, 0.6, 0.6));
  body->fill = MOTE_FILL_CUBIC;  // the centre of mass is that of the box
  body->velocity.x.formula = "y*2";
  body->velocity.z.constant = 1.0;
  body->spin[2] = 3.0;
  mote_world *world = world_kit_create(&kit, NULL);
  mote_field_view x = mote_world_view(world, "position"), v = mote_world_view(world, "velocity");
  for (size_t i = 0; i < x.count; ++i) {
    const double *p = (double *)x.data + 3 * i;
    const float *u = (float *)v.data + 3 * i;
    CHECK_NEAR((double)u[0], 2.0 * p[1] - 3.0 * (p[1] - 0.4), 1e-6);
    CHECK_NEAR((double)u[1], 3.0 * (p[0] - 0.4), 1e-6);
    CHECK(u[2] == 1.0f);
  }
  mote_world_destroy(world);
}

static bool has_pressures(const mote_world *world) {
  mote_field_view x = mote_world_view(world, "position"), p = mote_world_view(world, "pressure");
  bool good = x.count > 0;
  for (size_t i = 0; i < x.count; ++i) {
    double expected = 1000.0 * ((double *)x.data)[3 * i + 1] - 300.0;
    good = good && fabs((double)((float *)p.data)[i] - expected) < 1.0;
  }
  return good;
}

// Followed densities are those of the pressures: the first step finds them again.
static void pressures_are_as_defined(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.1);
  kit.scene.world.solver.pressure = MOTE_PRESSURE_WCSPH;
  kit.scene.world.solver.density = MOTE_DENSITY_FOLLOWED;
  kit.scene.world.gravity[1] = 0.0;
  mote_body_def *body = world_kit_body(&kit, "b", mote_shape_def_box(0.2, 0.2, 0.2, 0.6, 0.6, 0.6));
  body->pressure.formula = "1000*y-300", body->velocity.x.constant = 1.0;
  mote_world *world = world_kit_create(&kit, NULL);
  mote_error error;
  CHECK(has_pressures(world));
  CHECK(mote_world_step(world, 1e-7, &error) == MOTE_OK && mote_world_steps(world) == 1);
  CHECK(has_pressures(world));
  mote_body_def late = *body;
  late.name = "late", late.shape = mote_shape_def_box(0.7, 0.2, 0.2, 0.9, 0.6, 0.6);
  CHECK(mote_world_add_body(world, &late, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "pressure");
  mote_world_destroy(world);
  body->pressure.formula = "-1e6";  // c is 10 m/s and K 14 kPa
  CHECK(fails_at(&kit, "bodies", "-1e+06 Pa"));
  body->pressure.formula = "1/(x-x)";
  CHECK(fails_at(&kit, "bodies.b.pressure", "at ("));
}

static void views_and_handles(void) {
  world_kit kit;
  world_kit_everything(&kit, 3, 0.1);
  mote_world *world = world_kit_create(&kit, NULL);
  size_t n = mote_world_particles(world);
  int fields = 0;
  for (mote_field_view v; (v = mote_world_view_at(world, fields)).name != NULL; ++fields) {
    CHECK(v.count == n && strcmp(mote_world_view(world, v.name).name, v.name) == 0);
    CHECK(strcmp(v.name, "room") != 0);
  }
  CHECK(fields == 9);
  CHECK(mote_world_view(world, "colour").name == NULL && mote_world_view_at(world, -1).name == NULL);
  mote_pose pose;
  CHECK(mote_world_pose(world, (mote_collider){0, 1}, &pose, NULL) == MOTE_OK && pose.rotation[0] == 1.0);
  CHECK(mote_world_pose(world, (mote_collider){0}, &pose, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_pose(world, (mote_collider){1, 1}, &pose, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_probe_points(world, (mote_probe){0, 1}) == 1);
  CHECK(mote_world_probe_points(world, (mote_probe){0}) == 0);
  mote_reading reading;
  CHECK(mote_world_probe(world, (mote_probe){0, 1}, &reading, NULL) == MOTE_OK);
  CHECK_NEAR(reading.density, kit.material[0].density, 0.03 * kit.material[0].density);
  CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
  uint32_t *material = malloc(mote_world_particles(world) * sizeof *material);
  CHECK(mote_world_materials(world, material, NULL) == MOTE_OK);
  const uint32_t *body = mote_world_view(world, "body").data;
  size_t syrup = 0;
  for (size_t i = 0; i < mote_world_particles(world); ++i) {
    CHECK(body[i] == 1 + material[i]);  // one body of water, then one emitter of syrup
    syrup += material[i];
  }
  CHECK(syrup > 0);
  CHECK(mote_world_bytes(world) > 100 * n);
  free(material);
  mote_world_destroy(world);
}

// --- Small worlds
// -----------------------------------------------------------------------------------------------

static void empty_worlds_step(void) {
  world_kit kit;
  world_kit_tank(&kit, 3, 0.1);
  for (int materials = 0; materials < 2; ++materials) {
    kit.scene.materials = (size_t)materials;
    mote_world *world = world_kit_create(&kit, NULL);
    CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK && mote_world_time(world) == 0.1);
    mote_totals t;
    CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK && t.particles == 0 && t.mass == 0.0);
    CHECK(t.centre[0] == 0.0 && t.volume_error == 0.0 && t.compression_mean == 0.0 &&
          t.kinetic_energy == 0.0);
    CHECK(mote_world_view(world, "position").count == 0);
    mote_world_destroy(world);
  }
}

// A lone particle in an open world falls as stones do: symplectic Euler with fixed steps is exact to dt g t
// / 2.
static void one_particle_falls(void) {
  world_kit kit;
  world_kit_tank(&kit, 3, 0.1);
  mote_world_def *def = &kit.scene.world;
  *def = mote_world_def_default();
  def->spacing = 0.1;
  def->solver.step_min = def->solver.step_max = 1e-3;
  world_kit_body(&kit, "drop", mote_shape_def_box(0.0, 0.0, 0.0, 0.1, 0.1, 0.1));
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_particles(world) == 1);
  CHECK(mote_world_advance(world, 0.5, NULL) == MOTE_OK && mote_world_steps(world) == 500);
  const double *x = mote_world_view(world, "position").data;
  CHECK_NEAR(x[1], 0.05 - 0.5 * 9.81 * 0.25 - 0.5 * 9.81 * 1e-3 * 0.5, 1e-5);
  CHECK(x[0] == 0.05 && x[2] == 0.05);
  mote_world_destroy(world);
}

// Without gravity and walls a block that moves keeps its momentum and its shape.
static void nothing_pushes_in_space(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    world_kit kit;
    world_kit_tank(&kit, dimensions, 0.1);
    kit.scene.world = mote_world_def_default();
    kit.scene.world.dimensions = dimensions;
    kit.scene.world.spacing = 0.1;
    memset(kit.scene.world.gravity, 0, sizeof kit.scene.world.gravity);
    mote_body_def *body = world_kit_body(&kit, "b", mote_shape_def_box(0, 0, 0, 0.5, 0.5, 0.5));
    body->velocity = mote_value3_make(1.0, 0.5, 0.0);
    mote_world *world = world_kit_create(&kit, NULL);
    mote_totals before, after;
    CHECK(mote_world_totals(world, &before, NULL) == MOTE_OK);
    CHECK(mote_world_advance(world, 0.5, NULL) == MOTE_OK);
    CHECK(mote_world_totals(world, &after, NULL) == MOTE_OK);
    for (int a = 0; a < 3; ++a) CHECK_NEAR(after.momentum[a], before.momentum[a], 1e-4 * before.mass);
    CHECK_NEAR(after.centre[0], before.centre[0] + 0.5, 1e-4);
    CHECK_NEAR(after.centre[1], before.centre[1] + 0.25, 1e-4);
    mote_world_destroy(world);
  }
}

// A slab between two periodic ends slides through them and stays in the domain.
static void periodic_ends_are_joined(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.1);
  mote_world_def *def = &kit.scene.world;
  def->side[0][0] = def->side[0][1] = MOTE_SIDE_PERIODIC;
  mote_body_def *body = world_kit_body(&kit, "b", mote_shape_def_box(0, 0, 0, 1.0, 0.5, 1.0));
  body->velocity.x.constant = 2.0;
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 0.6, NULL) == MOTE_OK);
  mote_totals t;
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK && t.particles == 50);
  CHECK_NEAR(t.momentum[0], 2.0 * t.mass, 0.01 * t.mass);
  const double *x = mote_world_view(world, "position").data;
  for (size_t i = 0; i < 50; ++i) {
    CHECK(x[3 * i] >= 0.0 && x[3 * i] < 1.0 && x[3 * i + 1] > 0.0 && x[3 * i + 1] < 0.7 &&
          x[3 * i + 2] == 0.0);
  }
  mote_world_destroy(world);
}

// All from an emitter, then out over an open side.
static void all_may_come_and_go(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.05);
  kit.scene.bodies = kit.scene.drains = kit.scene.colliders = 0;
  kit.scene.world.side[1][0] = MOTE_SIDE_OPEN;
  kit.emitter[0].end = 0.3;
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_particles(world) == 0);
  CHECK(mote_world_advance(world, 0.3, NULL) == MOTE_OK);
  mote_totals t;
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK && t.emitted > 10 && t.left == 0);
  // Area x speed x time, to within half a layer.
  CHECK_NEAR(t.mass / 1400.0, 0.2 * 1.5 * 0.3, 0.6 * 0.05 * 0.2);
  CHECK(mote_world_advance(world, 1.5, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK && t.left == t.emitted && t.particles == 0);
  mote_world_destroy(world);
}

// Out of memory at any moment of making a world: an error, and nothing is held.
static void memory_may_be_refused(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.1);
  mote_result result = MOTE_ERROR_MEMORY;
  int granted = 0;
  for (; result != MOTE_OK && granted < 2000; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_world *world = NULL;
    result = mote_world_create_scene(&kit.scene, &env, &world, NULL);
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && world == NULL));
    mote_world_destroy(world);
    CHECK(s.held == 0);
  }
  CHECK(granted > 50 && granted < 2000);
}

// The hash of water that runs through a vessel (an inverted collider) in a world with or without an end.
static uint64_t vessel_hash(bool endless) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.05);
  for (int a = 0; a < 3; ++a) {
    kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_OPEN;
    kit.scene.world.low[a] = endless ? -(double)INFINITY : -8.0;
    kit.scene.world.high[a] = endless ? (double)INFINITY : 8.0;
  }
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "vessel", kit.scene.colliders = 1;
  kit.collider[0].shape = mote_shape_def_box(0.0, 0.0, 0.0, 2.0, 1.0, 0.0);
  kit.collider[0].shape.inverted = true;
  mote_body_def *body = world_kit_body(&kit, "water", mote_shape_def_box(1.6, 0.0, 0.0, 2.0, 0.4, 0.0));
  body->velocity = mote_value3_make(-4.0, 0.0, 0.0);
  mote_world *world = NULL;
  mote_error error;
  CHECK(mote_world_create_scene(&kit.scene, NULL, &world, &error) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.6, &error) == MOTE_OK);
  uint64_t hash = mote_world_hash(world);
  mote_world_destroy(world);
  return hash;
}

static void vessels_have_all_their_walls(void) {
  CHECK(vessel_hash(true) == vessel_hash(false));
}

static void nonsense_is_refused(void) {
  mote_error error;
  mote_world *world;
  mote_world_def def = mote_world_def_default();
  def.spacing = 0.1;
  CHECK(mote_world_create(NULL, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_create(&def, NULL, &world, &error) == MOTE_OK);
  CHECK(mote_world_add_body(world, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_add_material(NULL, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_step(world, (double)NAN, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_step(world, -1.0, &error) == MOTE_ERROR_ARGUMENT && mote_world_steps(world) == 0);
  CHECK(mote_world_totals(world, NULL, &error) == MOTE_ERROR_ARGUMENT);
  mote_material_def water = mote_material_def_default();
  mote_material handle = {0};
  CHECK(mote_world_add_material(world, &water, &handle, &error) == MOTE_OK && handle.generation == 1);
  CHECK(mote_world_add_material(world, &water, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "name");
  mote_world_destroy(world);
  mote_world_destroy(NULL);
}

int main(void) {
  errors_name_the_member();
  bodies_do_not_overlap();
  bodies_have_their_volume();
  bodies_are_cut_out_of_colliders();
  velocities_are_as_defined();
  pressures_are_as_defined();
  views_and_handles();
  empty_worlds_step();
  one_particle_falls();
  nothing_pushes_in_space();
  periodic_ends_are_joined();
  all_may_come_and_go();
  memory_may_be_refused();
  vessels_have_all_their_walls();
  nonsense_is_refused();
  return test_end();
}
