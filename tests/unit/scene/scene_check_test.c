// Every value out of range is named by its path, and nothing that is right is refused.
#include "scene/def_table.h"
#include "test.h"
#include "world_kit.h"

static int refused;

// The scene is refused at `key`, with a text that is not empty.
static bool at(const world_kit *kit, const char *key) {
  mote_error error = {0};
  mote_result result = mote_scene_check(&kit->scene, NULL, &error);
  bool good = result != MOTE_OK && strcmp(error.key, key) == 0 && error.text[0] != '\0';
  if (!good) fprintf(stderr, "  %d, \"%s\": \"%s\"\n", (int)result, error.key, error.text);
  ++refused;
  return good;
}

static void fresh(world_kit *kit) {
  world_kit_everything(kit, 3, 0.1);
}

// Sets one member of a good scene and expects its key.
#define WRONG(member, value, key) \
  do {                            \
    fresh(&kit);                  \
    kit.member = (value);         \
    CHECK(at(&kit, key));         \
  } while (0)

static void the_good_is_accepted(void) {
  world_kit kit;
  mote_error error = {0};
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    world_kit_everything(&kit, dimensions, 0.1);
    CHECK(mote_scene_check(&kit.scene, NULL, &error) == MOTE_OK);
  }
  CHECK(mote_scene_check(NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
}

static void worlds_are_checked(void) {
  world_kit kit;
  WRONG(scene.duration, -1.0, "duration");
  WRONG(scene.fps, 0.0, "fps");
  WRONG(scene.world.dimensions, 4, "dimensions");
  WRONG(scene.world.spacing, 0.0, "spacing");
  WRONG(scene.world.spacing, HUGE_VAL, "spacing");
  WRONG(scene.world.gravity[2], (double)NAN, "gravity");
  WRONG(scene.world.high[0], -1.0, "domain.high");
  WRONG(scene.world.high[0], 0.15, "domain.high");
  WRONG(scene.world.high[2], HUGE_VAL, "domain.high");
  WRONG(scene.world.side[1][0], MOTE_SIDE_PERIODIC, "domain.y");
  WRONG(scene.world.side[1][0], (mote_side)7, "domain.y");
  WRONG(scene.world.wall_friction, 1.5, "domain.friction");
  WRONG(scene.world.wall_friction_high[1], -0.5, "domain.friction_high");
  WRONG(scene.world.wall_velocity.y.constant, (double)NAN, "domain.surface_velocity");
  WRONG(scene.world.speed_limit, -1.0, "speed_limit");
  WRONG(scene.world.particles_max, 0, "particles_max");
  WRONG(scene.world.solver.pressure, MOTE_PRESSURE_KINDS, "solver.pressure");
  WRONG(scene.world.solver.kernel, MOTE_KERNEL_SPIKY, "solver.kernel");
  WRONG(scene.world.solver.support, 1.0, "solver.support");
  WRONG(scene.world.solver.cfl, 0.0, "solver.cfl");
  WRONG(scene.world.solver.step_min, 0.0, "solver.step_min");
  WRONG(scene.world.solver.step_max, 1e-9, "solver.step_max");
  WRONG(scene.world.solver.stiffness, -1.0, "solver.stiffness");
  WRONG(scene.world.solver.compression, 0.5, "solver.compression");
  WRONG(scene.world.solver.exponent, 0.5, "solver.exponent");
  WRONG(scene.world.solver.negative_pressure, 2.0, "solver.negative_pressure");
  WRONG(scene.world.solver.density_error, 0.0, "solver.density_error");
  WRONG(scene.world.solver.divergence_error, 1.0, "solver.divergence_error");
  WRONG(scene.world.solver.iterations_min, 0, "solver.iterations_min");
  WRONG(scene.world.solver.iterations_max, 1, "solver.iterations_max");
  WRONG(scene.outputs.every, 0, "outputs.every");
  WRONG(scene.outputs.snapshot_every, -1, "outputs.snapshot_every");
  WRONG(scene.outputs.width, 1, "outputs.size");
  WRONG(scene.outputs.height, 1 << 20, "outputs.size");
  WRONG(scene.outputs.autosave, (double)NAN, "outputs.autosave");
  WRONG(scene.outputs.camera.angle, 4.0, "outputs.camera.angle");
}

static void things_are_checked(void) {
  world_kit kit;
  WRONG(material[0].name, "wa ter", "materials.wa ter.name");
  WRONG(material[1].name, "water", "materials.water.name");
  WRONG(material[1].name, NULL, "materials.2.name");
  WRONG(material[1].name, "a-name-of-more-than-thirty-one-characters",
        "materials.a-name-of-more-than-thirty-one-.name");
  WRONG(material[0].density, (double)NAN, "materials.water.density");
  WRONG(material[0].viscosity, -1.0, "materials.water.viscosity");
  WRONG(material[0].xsph, 1.1, "materials.water.xsph");
  WRONG(material[0].colour[1], 2.0, "materials.water.colour");
  WRONG(body[0].material, "mud", "bodies.dam.material");
  WRONG(body[0].fill, (mote_fill_kind)5, "bodies.dam.fill");
  WRONG(body[0].spin[1], HUGE_VAL, "bodies.dam.spin");
  WRONG(body[0].velocity.z.constant, (double)NAN, "bodies.dam.velocity");
  WRONG(body[0].shape, mote_shape_def_default(), "bodies.dam.shape");
  WRONG(body[0].shape, mote_shape_def_sphere(0, 0, 0, 0), "bodies.dam.shape.radius");
  WRONG(body[0].shape, mote_shape_def_sphere(9, 9, 9, 1), "bodies.dam.shape");
  WRONG(body[0].shape.inverted, true, "bodies.dam.shape");
  WRONG(scene.world.particles_max, 10, "bodies.dam.shape");
  WRONG(collider[0].friction, -0.1, "colliders.paddle.friction");
  WRONG(collider[0].surface_velocity.x.formula, "y >", "colliders.paddle.surface_velocity");
  WRONG(collider[0].motion.axis[2], 0.0, "colliders.paddle.motion.axis");
  WRONG(collider[0].motion.pivot[0], HUGE_VAL, "colliders.paddle.motion.pivot");
  WRONG(collider[0].motion.angle.formula, "sin(", "colliders.paddle.motion.angle");
  WRONG(emitter[0].direction[1], 0.0, "emitters.jet.direction");
  WRONG(emitter[0].radius, -1.0, "emitters.jet.radius");
  WRONG(emitter[0].radius, (double)NAN, "emitters.jet.radius");
  WRONG(emitter[0].end, -1.0, "emitters.jet.end");
  WRONG(emitter[0].material, NULL, "emitters.jet.material");
  WRONG(drain[0].start, (double)NAN, "drains.hole.start");
  WRONG(drain[0].shape.radius, (double)NAN, "drains.hole.shape.radius");
  WRONG(force[0].acceleration.y.formula, "1 +", "forces.wind.acceleration");
  WRONG(probe[0].from[0], (double)NAN, "probes.p.from");
  WRONG(probe[0].interval, -1.0, "probes.p.interval");
  WRONG(probe[0].kind, (mote_probe_kind)9, "probes.p.kind");
}

static void pairs_of_values_are_checked(void) {
  world_kit kit;
  fresh(&kit);
  kit.probe[0].kind = MOTE_PROBE_LINE;
  memcpy(kit.probe[0].to, kit.probe[0].from, sizeof kit.probe[0].to);
  CHECK(at(&kit, "probes.p.to"));
  kit.probe[0].to[1] = 1.0, kit.probe[0].count = 1;
  CHECK(at(&kit, "probes.p.count"));
  const mote_key keys[] = {{.time = 0.0}, {.time = 1.0}, {.time = 1.0}};
  fresh(&kit);
  kit.collider[0].motion.key = keys, kit.collider[0].motion.keys = 3;
  CHECK(at(&kit, "colliders.paddle.motion.keys"));
  fresh(&kit);
  kit.scene.world.side[0][0] = kit.scene.world.side[0][1] = MOTE_SIDE_PERIODIC;
  kit.scene.world.high[0] = 0.35;  // a kernel of 0.2 m fits, but not twice
  CHECK(at(&kit, "domain.high"));
  fresh(&kit);
  kit.scene.world.dimensions = 2, kit.scene.world.gravity[2] = 1.0;
  CHECK(at(&kit, "gravity"));
}

// A length without its array, for every list of every definition.
static void null_arrays_are_refused(void) {
  static union {
    mote_scene scene;
    mote_body_entry body;
    char bytes[sizeof(mote_scene) + sizeof(mote_body_entry)];
  } def;
  size_t count, lists = 0;
  const mote_scene_key *key = mote_scene_keys(&count);
  for (size_t k = 0; k < count; ++k) {
    const mote_key_kind kind = key[k].kind;
    if (kind != MOTE_KEY_LIST && kind != MOTE_KEY_NAMED && kind != MOTE_KEY_TEXTS) continue;
    mote_error error = {0};
    size_t three = 3;
    if (!CHECK(mote_scene_section_size(key[k].section) <= sizeof def)) continue;
    mote_scene_section_default(key[k].section, &def);
    memset(def.bytes + key[k].offset, 0, sizeof(void *));
    memcpy(def.bytes + key[k].count, &three, sizeof three);
    if (strcmp(key[k].section, "scene") == 0) def.scene.world.spacing = 0.1;
    if (strcmp(key[k].section, "body") == 0) def.body.def.shape = mote_shape_def_sphere(0, 0, 0, 1);
    CHECK(mote_section_check(key[k].section, &def, NULL, &error) == MOTE_ERROR_ARGUMENT);
    if (!CHECK(strcmp(error.key, key[k].name) == 0))
      fprintf(stderr, "  %s.%s: \"%s\": %s\n", key[k].section, key[k].name, error.key, error.text);
    ++lists;
  }
  CHECK(lists >= 14);
  world_kit kit;
  fresh(&kit);
  kit.collider[0].motion.key = NULL, kit.collider[0].motion.keys = 2;
  char path[64];
  snprintf(path, sizeof path, "colliders.%s.motion.keys", kit.collider[0].name);
  CHECK(at(&kit, path));
}

int main(void) {
  the_good_is_accepted();
  worlds_are_checked();
  things_are_checked();
  pairs_of_values_are_checked();
  null_arrays_are_refused();
  printf("%d scenes refused\n", refused);
  return test_end();
}
