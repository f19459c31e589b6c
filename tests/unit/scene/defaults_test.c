// Defaults are good definitions but for what must be said; presets are real; frames are counted right.
#include <math.h>
#include <mote/scene.h>

#include "scene/def_check.h"
#include "test.h"

static void defaults_pass_their_checks(void) {
  mote_scene scene = mote_scene_default();
  mote_error error;
  CHECK(mote_scene_check(&scene, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "spacing");
  scene.world.spacing = 0.1;
  CHECK(mote_scene_check(&scene, NULL, &error) == MOTE_OK);
  mote_material_def water = mote_material_def_default();
  CHECK(mote_material_def_check(&water, &error) == MOTE_OK);
  CHECK_TEXT(water.name, "water");
  CHECK(mote_world_def_default().gravity[1] == -9.81 && mote_body_def_default().spin[0] == 0.0);
  CHECK(isinf(mote_drain_def_default().end) && mote_emitter_def_default().most == SIZE_MAX);
  CHECK(mote_probe_def_default().kind == MOTE_PROBE_POINT &&
        mote_force_def_default().shape.kind == MOTE_SHAPE_NONE);
}

static void presets_are_materials(void) {
  const char *const *names;
  size_t count = mote_material_presets(&names);
  CHECK(count >= 10);
  for (size_t k = 0; k < count; ++k) {
    mote_material_def def;
    CHECK(mote_material_def_preset(names[k], &def) && strcmp(def.name, names[k]) == 0);
    CHECK(mote_material_def_check(&def, NULL) == MOTE_OK && def.density > 500.0 && def.density < 14000.0);
    CHECK(def.model == MOTE_KIND_ELASTIC || def.model == MOTE_KIND_RIGID ||
          (def.viscosity >= 1e-4 && def.viscosity <= 1000.0));
  }
  mote_material_def untouched = {.density = 7.0};
  CHECK(!mote_material_def_preset("plaster", &untouched) && untouched.density == 7.0);
  mote_material_def honey, water;
  CHECK(mote_material_def_preset("honey", &honey) && mote_material_def_preset("water", &water));
  mote_material_def steel, wood;
  CHECK(mote_material_def_preset("steel", &steel) && mote_material_def_preset("wood", &wood));
  CHECK(steel.model == MOTE_KIND_RIGID && steel.density > 7.0 * water.density &&
        wood.density < water.density);
  CHECK(steel.friction > 0.0 && steel.friction < 1.0 && steel.restitution > 0.0 && steel.restitution < 1.0);
  CHECK(honey.viscosity > 1000.0 * water.viscosity && honey.density > water.density);
}

static void frames_are_counted(void) {
  const struct {
    double duration, fps;
    size_t frames;
  } known[] = {{2.0, 25.0, 51}, {0.0, 25.0, 1}, {1.0 / 3.0, 30.0, 11}, {0.1, 24.0, 3},
               {0.7, 10.0, 8},  {0.3, 10.0, 4}, {60.0, 60.0, 3601}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    mote_scene scene = mote_scene_default();
    scene.duration = known[k].duration, scene.fps = known[k].fps;
    CHECK(mote_scene_frames(&scene) == known[k].frames);
    CHECK(mote_scene_frame_time(&scene, 1) == 0.0);
    CHECK_NEAR(mote_scene_frame_time(&scene, known[k].frames),
               floor(known[k].duration * known[k].fps + 1e-9) / known[k].fps, 1e-12);
  }
}

// A quality sets what the header says, whatever was there, and nothing else.
static void qualities_set_their_members(void) {
  const mote_solver_def standard = mote_world_def_default().solver;
  for (int q = 0; q < MOTE_QUALITIES; ++q) {
    mote_solver_def s = standard;
    s.pressure = MOTE_PRESSURE_PCISPH, s.stiffness = 7.0, s.iterations_max = 33, s.step_max = 0.125;
    s.kernel = MOTE_KERNEL_DESBRUN, s.support = 1.5, s.cfl = 0.9, s.density_error = s.divergence_error = 0.05;
    s.consistent = q == 0, s.noise_damping = 0.7, s.viscosity_form = MOTE_VISCOSITY_PAIR;
    mote_solver_def_set_quality(&s, (mote_quality)q);
    bool fast = q == MOTE_QUALITY_FAST, accurate = q == MOTE_QUALITY_ACCURATE;
    CHECK(s.quality == (mote_quality)q);
    CHECK(s.kernel == (fast ? MOTE_KERNEL_CUBIC_SPLINE : MOTE_KERNEL_WENDLAND_C2));
    CHECK(s.support == (fast ? 2.0 : 3.0) && s.cfl == (accurate ? 0.2 : 0.4));
    CHECK(s.consistent == !fast && s.noise_damping == (fast ? 0.0 : 0.05));
    CHECK(s.viscosity_form == (fast ? MOTE_VISCOSITY_PAIR : MOTE_VISCOSITY_FORM_AUTO));
    CHECK(s.density_error == (accurate ? 1e-5 : 1e-4) && s.divergence_error == (accurate ? 1e-4 : 1e-3));
    CHECK(s.pressure == MOTE_PRESSURE_PCISPH && s.stiffness == 7.0 && s.iterations_max == 33 &&
          s.step_max == 0.125);
  }
}

// Definitions begin at the standard quality.
static void standard_is_the_default(void) {
  const mote_solver_def d = mote_world_def_default().solver;
  mote_solver_def s = d;
  mote_solver_def_set_quality(&s, MOTE_QUALITY_STANDARD);
  CHECK(s.quality == d.quality && s.kernel == d.kernel && s.support == d.support && s.cfl == d.cfl);
  CHECK(s.consistent == d.consistent && s.noise_damping == d.noise_damping);
  CHECK(s.viscosity_form == d.viscosity_form && s.density_error == d.density_error &&
        s.divergence_error == d.divergence_error);
}

int main(void) {
  qualities_set_their_members();
  standard_is_the_default();
  defaults_pass_their_checks();
  presets_are_materials();
  frames_are_counted();
  return test_end();
}
